//! A demo: what was held, for how long, and which pieces came.

use serde::{Deserialize, Serialize};
use tetris::events::{Event, GameType, Watcher};
use tetris::ram::play_state::{ACTIVE, CLEAR, CURTAIN};
use tetris::{Piece, View, ram};

use super::cabinet::Cabinet;
use super::error::DemoError;

/// Pairs that a cartridge has room for. Whoever comes to the last of them ends the demo.
pub(super) const TABLE: usize = 256;
/// Pairs that are played.
pub(super) const PAIRS: usize = TABLE - 1;
/// Pieces that a cartridge has room for: its index is a byte.
pub(super) const PIECES: usize = 256;
/// Frames that a pair can last.
pub(super) const LONGEST: u32 = 255;
/// Frames in which cleared rows vanish, at most: five steps, one in four frames, and the way to the
/// first.
pub(super) const LONGEST_CLEAR: u32 = 60;
/// Frames that a demo goes on after the game, where there is room: the curtain falls.
const AFTERWARDS: u32 = 200;
const START: u8 = 0x10;

/// A demo as it is kept in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recording {
    /// Buttons held, and for how many frames, 1 to 255.
    pub(super) buttons: Vec<(u8, u8)>,
    /// Letters of `TJZOSLI`: the first, the next, and so on.
    pub(super) pieces: String,
    /// What the demo comes to by its end.
    pub(super) score: u32,
    pub(super) lines: u32,
}

impl Recording {
    /// One in which nobody presses anything.
    pub(super) fn idle(pieces: &[Piece]) -> Self {
        let pieces = pieces.iter().map(|piece| piece.letter()).collect();
        Self { buttons: vec![(0, LONGEST as u8); PAIRS], pieces, score: 0, lines: 0 }
    }

    /// Of the buttons of each frame; also how many frames it has no room for.
    fn of(held: &[u8], pieces: &[Piece]) -> (Self, usize) {
        let mut buttons: Vec<(u8, u8)> = Vec::new();
        let mut taken = 0;
        for &now in held {
            let full = buttons.len() == PAIRS;
            match buttons.last_mut() {
                Some((last, frames)) if *last == now && u32::from(*frames) < LONGEST => *frames += 1,
                _ if full => break,
                _ => buttons.push((now, 1)),
            }
            taken += 1;
        }
        (Self { buttons, ..Self::idle(pieces) }, held.len() - taken)
    }

    /// What is wrong with it, if anything.
    pub(super) fn check(&self) -> Result<(), DemoError> {
        let found = self.buttons.len();
        if found == 0 || found > PAIRS {
            return Err(DemoError::Pairs { found });
        }
        if let Some((number, _)) = (1..).zip(&self.buttons).find(|(_, (_, frames))| *frames == 0) {
            return Err(DemoError::NoFrames { number });
        }
        if let Some((number, &(held, _))) = (1..).zip(&self.buttons).find(|(_, (held, _))| held & START != 0)
        {
            return Err(DemoError::Start { number, held });
        }
        self.pieces().map(|_| ())
    }

    /// The pieces, at least two.
    pub(super) fn pieces(&self) -> Result<Vec<Piece>, DemoError> {
        let pieces: Option<Vec<Piece>> = self.pieces.chars().map(Piece::from_letter).collect();
        pieces
            .filter(|pieces| (2..=PIECES).contains(&pieces.len()))
            .ok_or_else(|| DemoError::Pieces { found: self.pieces.clone() })
    }

    /// Frames that it lasts.
    pub(super) fn frames(&self) -> usize {
        self.held().count()
    }

    /// The buttons of each frame.
    pub(super) fn held(&self) -> impl Iterator<Item = u8> {
        self.buttons.iter().flat_map(|&(held, frames)| std::iter::repeat_n(held, frames.into()))
    }
}

/// What of the game a demo has to show as well: the field, the player, the next piece, the
/// statistics.
const SHOWN: [ram::Variable; 4] = [ram::PLAYFIELD, ram::PLAYER_1, ram::NEXT_PIECE, ram::PIECE_COUNTS];
/// What of the player the menu leaves behind, and means nothing in an A-type game of one player.
const OF_THE_MENU: [ram::Variable; 2] = [ram::START_HEIGHT, ram::GARBAGE_HOLE];

/// A frame of a game.
#[derive(Clone)]
struct Turn {
    held: u8,
    ram: Box<[u8; 0x800]>,
}

impl Turn {
    fn clears(&self) -> bool {
        View::new(&self.ram).play_state() == CLEAR
    }
}

/// A movie's first game while it is played.
#[derive(Default)]
pub(super) struct Played {
    watcher: Watcher,
    frame: u64,
    began: bool,
    over: bool,
    wrong: Option<DemoError>,
    pieces: Vec<Piece>,
    last: Option<Piece>,
    turns: Vec<Turn>,
}

impl Played {
    /// Takes a frame: what was held, and RAM after it.
    pub(super) fn take(&mut self, held: u8, memory: &[u8; 0x800]) {
        self.frame += 1;
        for record in self.watcher.observe(self.frame, memory) {
            match record.event {
                _ if self.over => {}
                Event::GameStart { demo: false, game_type, start_level, .. } if !self.began => {
                    self.began = true;
                    if game_type != GameType::A || start_level != 0 {
                        self.wrong = Some(DemoError::OtherGame { game_type, level: start_level });
                    }
                }
                Event::Spawn { piece, next, .. } if self.began => {
                    self.pieces.extend(piece.piece());
                    self.last = next.piece();
                }
                Event::Pause { on: true } if self.began => {
                    self.wrong = Some(DemoError::Paused { frame: record.frame });
                }
                _ => {}
            }
        }
        let view = View::new(memory);
        // The first turn is the frame that sets the game up; what is held in the next is the demo's
        // first.
        if self.began && !self.over && view.in_game() && view.shows_play() {
            self.over = view.play_state() == CURTAIN || self.turns.len() >= PAIRS * LONGEST as usize;
            self.turns.push(Turn { held: held & !START, ram: Box::new(*memory) });
        } else if !self.turns.is_empty() {
            self.over = true;
        }
    }

    /// The game, from the frame that sets it up to the curtain or to the movie's end.
    pub(super) fn finish(mut self) -> Result<Taken, DemoError> {
        if let Some(wrong) = self.wrong {
            return Err(wrong);
        }
        self.pieces.extend(self.last);
        self.pieces.truncate(PIECES);
        if self.turns.len() < 2 || self.pieces.len() < 2 {
            return Err(DemoError::NoGame);
        }
        Ok(Taken { pieces: self.pieces, turns: self.turns })
    }
}

/// A game from a movie.
pub(super) struct Taken {
    pieces: Vec<Piece>,
    turns: Vec<Turn>,
}

impl Taken {
    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The same game as a demo, played in `cabinet`, whose demo has the pieces and is about to
    /// begin; and how many frames of it find no room.
    ///
    /// An animation of cleared rows waits for the clock, which is another here: there whoever is
    /// through first waits for the other. Nothing that is held meanwhile matters.
    ///
    /// A demo that crashes or does not come to the end of an animation is an error.
    pub(super) fn as_demo(&self, cabinet: &mut Cabinet) -> Result<(Recording, usize), DemoError> {
        let (mut held, mut standings) = (Vec::new(), Vec::new());
        let mut turns = self.turns.iter().enumerate().skip(1).peekable();
        let mut last = &self.turns[0];
        let mut waited = 0;
        self.compare(0, last, &cabinet.mapped())?;
        while let Some(&(number, turn)) = turns.peek() {
            let clears = View::new(&cabinet.mapped()).play_state() == CLEAR;
            if last.clears() && !clears {
                last = turn;
                turns.next();
                continue;
            }
            let waits = clears && !last.clears();
            waited = if waits { waited + 1 } else { 0 };
            if waited > LONGEST_CLEAR {
                return Err(DemoError::Clearing { frame: number });
            }
            let buttons = if waits { last.held } else { turn.held };
            cabinet.frame(Some(buttons))?;
            held.push(buttons);
            standings.push(cabinet.standing());
            if !waits {
                last = turn;
                turns.next();
            }
            if !last.clears() && View::new(&cabinet.mapped()).play_state() != CLEAR {
                self.compare(number, last, &cabinet.mapped())?;
            }
        }
        let end = held.len();
        for _ in 0..AFTERWARDS {
            cabinet.frame(Some(0))?;
            held.push(0);
            let standing =
                if cabinet.shows_demo() { Some(cabinet.standing()) } else { standings.last().copied() };
            standings.extend(standing);
        }
        let (recording, rest) = Recording::of(&held, &self.pieces);
        let last = standings.get(recording.frames().saturating_sub(1));
        let (score, lines) = last.copied().unwrap_or_default();
        Ok((Recording { score, lines, ..recording }, rest.saturating_sub(held.len() - end)))
    }

    fn compare(&self, number: usize, turn: &Turn, demo: &[u8; 0x800]) -> Result<(), DemoError> {
        let active = View::new(&turn.ram).play_state() == ACTIVE;
        // The fall timer counts the frames of an animation as well, until the next piece comes in.
        let means_nothing = |at: usize| {
            OF_THE_MENU.iter().any(|place| place.at() == at) || at == ram::FALL_TIMER.at() && !active
        };
        let differs = |at: &usize| turn.ram[*at] != demo[*at] && !means_nothing(*at);
        let Some(at) = SHOWN.into_iter().flat_map(ram::Variable::range).find(differs) else { return Ok(()) };
        let place = ram::place_of(at as u16).map_or("?", |place| place.name);
        let (expected, found) = (turn.ram[at], demo[at]);
        let frames = self.turns.len();
        Err(DemoError::Differs { frame: number, frames, address: at, place, expected, found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cli::built_in;
    use cli::game::Known;
    use nes::Cartridge;
    use tetris::Profile;

    #[test]
    fn frames_become_pairs_of_at_most_255_and_as_many_of_them() {
        let mut held = vec![0; 300];
        held.extend([0x80, 0x80, 0x01]);
        let (recording, rest) = Recording::of(&held, &[Piece::T, Piece::I]);
        assert_eq!(recording.buttons, [(0, 255), (0, 45), (0x80, 2), (1, 1)]);
        assert_eq!((recording.pieces.as_str(), rest), ("TI", 0));
        assert_eq!(recording.held().collect::<Vec<_>>(), held);
        let restless: Vec<u8> = (0..300).map(|number| number as u8 & 1).collect();
        let (recording, rest) = Recording::of(&restless, &[Piece::T, Piece::I]);
        assert_eq!((recording.buttons.len(), rest), (255, 45));
    }

    #[test]
    fn a_file_that_is_no_demo_is_refused_with_what_is_wrong() {
        let demo = |buttons: &[(u8, u8)], pieces: &str| Recording {
            buttons: buttons.to_vec(),
            pieces: pieces.to_owned(),
            score: 0,
            lines: 0,
        };
        assert!(demo(&[(0x80, 1)], "TI").check().is_ok());
        for (wrong, word) in [
            (demo(&[], "TI"), "1 to 255 pairs"),
            (demo(&[(0, 1); 256], "TI"), "found 256"),
            (demo(&[(0, 1), (0, 0)], "TI"), "pair 2: expected 1 to 255"),
            (demo(&[(0x90, 1)], "TI"), "Start"),
            (demo(&[(0, 1)], "T"), "letters of TJZOSLI"),
            (demo(&[(0, 1)], "TX"), "letters of TJZOSLI"),
        ] {
            assert!(wrong.check().unwrap_err().to_string().contains(word), "{wrong:?}");
        }
    }

    #[test]
    fn a_demo_whose_cleared_rows_never_vanish_is_an_error_and_no_wait_for_ever() {
        const RTS: u8 = 0x60;
        let profile = Profile::of_image(built_in::IMAGE).expect("the built-in cartridge");
        // The animation takes no step, and so has no last one.
        let label = built_in::LABELS.lines().find(|line| line.ends_with(" .step_clear"));
        let address = label.and_then(|line| line.get(3..9)).expect("a label");
        let address = usize::from_str_radix(address, 16).expect("an address");
        let mut image = built_in::IMAGE.to_vec();
        image[16 + address - 0x8000] = RTS;
        let cartridge = Cartridge::from_bytes(&image).expect("a cartridge");
        let game = Known { image, cartridge, profile };
        let pieces = [Piece::T, Piece::I];
        let mut cabinet = Cabinet::open(&game, &Recording::idle(&pieces)).expect("a demo");
        for _ in 0..10 {
            cabinet.frame(None).expect("a frame");
        }
        cabinet.set_play_state(CLEAR);
        // In the movie the rows have vanished a frame later.
        let mut ram = Box::new(cabinet.mapped());
        let clearing = Turn { held: 0, ram: ram.clone() };
        ram[ram::PLAY_STATE.at()] = ACTIVE;
        let playing = Turn { held: 0, ram };
        let turns = vec![clearing, playing.clone(), playing];
        let error = Taken { pieces: pieces.to_vec(), turns }.as_demo(&mut cabinet).map(|_| ()).unwrap_err();
        assert!(matches!(error, DemoError::Clearing { .. }), "{error}");
    }
}
