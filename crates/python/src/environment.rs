//! One game that an agent plays, episode after episode.

use practice::Position;
use randomizers::Dealer;
use tetris::ram::play_state;
use tetris::{Orientation, Piece, SplitMix64, View};

use crate::board_game::BoardGame;
use crate::features;
use crate::field::{COLUMNS, Field, ROWS};
use crate::frames::{BeginError, Frames, Prototype};
use crate::picture::Colours;
use crate::places::{Legal, Searches};
use crate::settings::{Act, GRAY, Machine, Observation, Reach, Reward, Settings};

/// Numbers that are told of each game: score, lines, level, pieces, frames, piece, next piece,
/// illegal actions.
pub const STATISTICS: usize = 8;
/// Their names.
pub const STATISTIC_NAMES: [&str; STATISTICS] =
    ["score", "lines", "level", "pieces", "frames", "piece", "next", "illegal"];
/// No piece.
const NONE: u8 = 7;
/// A register that deals; the one that the game has at power-on.
const REGISTER: u16 = 0x8988;

/// What all games of a vector have in common.
pub struct Common {
    /// The settings.
    pub settings: Settings,
    /// What games with frames are copied from.
    pub prototype: Option<Prototype>,
    /// Colours of pictures.
    pub colours: Colours,
}

/// A game.
pub struct Environment {
    game: Game,
    places: Legal,
    seed: u64,
    episode: u64,
    steps: u64,
    frames: u32,
    pieces: u32,
    illegal: u32,
    /// Has the episode ended, by its end or by being cut short?
    pub ended: bool,
}

enum Game {
    None,
    Board(Box<BoardGame>),
    Frames(Frames),
}

/// Where what is told of a game is written; without length where nobody asks.
#[derive(Default)]
pub struct Buffers<'a> {
    /// Observation, if it is of bytes.
    pub bytes: &'a mut [u8],
    /// Observation, if it is of floats.
    pub floats: &'a mut [f32],
    /// [`STATISTIC_NAMES`].
    pub statistics: &'a mut [i32],
    /// 1 for each action that is legal.
    pub mask: &'a mut [i8],
}

/// What came of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What it was worth.
    pub reward: f64,
    /// Is the game over?
    pub terminated: bool,
    /// Was it cut short?
    pub truncated: bool,
}

/// An action that is none of the legal ones, where that is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("action {action}: expected one that action_mask allows, from 0 to {most}")]
pub struct IllegalAction {
    action: i64,
    most: usize,
}

impl Default for Environment {
    fn default() -> Self {
        Self::new()
    }
}

impl Environment {
    /// Without a game.
    pub fn new() -> Self {
        Self {
            game: Game::None,
            places: Legal::List(Vec::new()),
            seed: 0,
            episode: 0,
            steps: 0,
            frames: 0,
            pieces: 0,
            illegal: 0,
            ended: true,
        }
    }

    /// From here on games follow from a seed.
    pub fn seed(&mut self, seed: u64) {
        (self.seed, self.episode) = (seed, 0);
    }

    /// The seed of the next game: the first has the one that was given.
    fn next_seed(&mut self) -> u64 {
        let episode = self.episode;
        self.episode += 1;
        if episode == 0 { self.seed } else { SplitMix64::mix(SplitMix64::mix(self.seed) ^ episode) }
    }

    /// Begins a game and tells of it.
    ///
    /// # Errors
    /// When no game begins.
    pub fn reset(
        &mut self,
        common: &Common,
        searches: &mut Searches,
        buffers: Buffers<'_>,
    ) -> Result<(), BeginError> {
        let settings = &common.settings;
        let seed = self.next_seed();
        (self.steps, self.frames, self.pieces, self.illegal, self.ended) = (0, 0, 0, 0, false);
        let dealer = settings.randomizer.map(|kind| kind.seeded(seed));
        self.game = match &common.prototype {
            None => {
                let mut game = BoardGame::new(
                    settings.level,
                    dealer.unwrap_or_else(|| randomizers::Kind::Nes.seeded(seed)),
                );
                if let Some(position) = &settings.position {
                    game.field = Field::from_rows(&position.rows);
                    (game.piece, game.next) = (position.piece, position.next);
                    (game.level, game.lines, game.score) = (position.level, position.lines, position.score);
                }
                Game::Board(Box::new(game))
            }
            Some(prototype) => {
                let (position, dealer) = opening(settings, dealer, seed);
                let mut frames = prototype.begin(&position, dealer)?;
                if pictures(settings.observation) {
                    // A frame draws the picture.
                    frames.frame(0, true);
                    self.frames += 1;
                }
                Game::Frames(frames)
            }
        };
        self.find_places(settings, searches);
        self.tell(common, buffers, true);
        Ok(())
    }

    /// Does an action and tells what came of it.
    ///
    /// # Errors
    /// When the action is not legal and that is an error; nothing has changed then.
    pub fn step(
        &mut self,
        common: &Common,
        searches: &mut Searches,
        action: i64,
        buffers: Buffers<'_>,
    ) -> Result<Outcome, IllegalAction> {
        let settings = &common.settings;
        let drawn = pictures(settings.observation);
        let (score, lines) = self.standing();
        match (&mut self.game, settings.act) {
            (Game::None, _) => {}
            (Game::Frames(game), Act::Buttons) => {
                let held = u8::try_from(action).map_err(|_| IllegalAction { action, most: 255 })?;
                let counted = pieces_counted(game);
                for frame in 1..=settings.frame_skip {
                    game.frame(held, drawn && frame == settings.frame_skip);
                    self.frames += 1;
                    if frame < settings.frame_skip && game.is_over() {
                        break;
                    }
                }
                // A piece was placed when another has come in.
                self.pieces += pieces_counted(game).saturating_sub(counted);
            }
            (game, _) => {
                let most = settings.actions() - 1;
                let wrong = IllegalAction { action, most };
                let named =
                    u16::try_from(action).ok().filter(|&action| usize::from(action) <= most).ok_or(wrong)?;
                let (field, piece) = match game {
                    Game::Board(board) => (board.field, board.piece),
                    _ => (Field::EMPTY, Piece::T),
                };
                if let Some((place, own)) = self.places.choose(named, &field, piece) {
                    if !own {
                        if settings.strict {
                            return Err(wrong);
                        }
                        self.illegal += 1;
                    }
                    match game {
                        Game::Board(board) => {
                            let (x, y) = (usize::from(place.x), usize::from(place.y));
                            board.place(place.orientation, x, y);
                        }
                        Game::Frames(frames) => self.frames += searches.carry_out(frames, place, drawn),
                        Game::None => {}
                    }
                    self.pieces += 1;
                }
            }
        }
        self.steps += 1;
        self.find_places(settings, searches);
        let terminated = match &mut self.game {
            Game::None => true,
            Game::Board(board) => board.over || self.places.is_empty(),
            Game::Frames(frames) => frames.is_over() || settings.act == Act::Place && self.places.is_empty(),
        };
        let truncated = !terminated && settings.max_steps > 0 && self.steps >= settings.max_steps;
        self.ended = terminated || truncated;
        let (score_now, lines_now) = self.standing();
        let reward = match settings.reward {
            Reward::Score => f64::from(score_now) - f64::from(score),
            // The B-type counts down.
            Reward::Lines => f64::from(lines_now.abs_diff(lines)),
            Reward::Survival => f64::from(u8::from(!terminated)),
        };
        self.tell(common, buffers, false);
        Ok(Outcome { reward, terminated, truncated })
    }

    /// Lifts the field of a board by rows of garbage. The places and what is observed are those of
    /// before until [`Self::observe`]; false where the game is not a board's.
    pub fn lift(&mut self, count: usize, hole: usize) -> bool {
        let Game::Board(board) = &mut self.game else { return false };
        board.field.lift(count, hole);
        let spawn = Orientation::spawn(board.piece).id();
        board.over |= !board.field.fits(spawn, 5, 0);
        self.ended |= board.over;
        true
    }

    /// Is the game over?
    pub fn is_over(&mut self) -> bool {
        match &mut self.game {
            Game::None => true,
            Game::Board(board) => board.over,
            Game::Frames(frames) => frames.is_over(),
        }
    }

    /// Tells anew how the game stands.
    pub fn observe(&mut self, common: &Common, searches: &mut Searches, buffers: Buffers<'_>) {
        self.find_places(&common.settings, searches);
        self.tell(common, buffers, false);
    }

    /// The game's picture as 240 by 256 by three bytes; false where it has none.
    pub fn write_picture(&mut self, common: &Common, bytes: &mut [u8]) -> bool {
        let Game::Frames(Frames::Cartridge(played)) = &mut self.game else { return false };
        played.emulator.look_here();
        common.colours.write_rgb(played.emulator.picture(), bytes);
        true
    }

    /// Writes 20 rows of 10 cells: 0 free, 1 taken, 2 the piece in play.
    pub fn write_cells(&mut self, cells: &mut [u8]) {
        let Some(shown) = self.shown() else {
            cells.fill(0);
            return;
        };
        shown.field.write_cells(cells);
        if let Some((x, y, orientation)) = shown.place
            && let Some(orientation) = Orientation::from_id(orientation)
        {
            for cell in orientation.cells() {
                let (column, row) =
                    (i32::from(x) + i32::from(cell.column), i32::from(y) + i32::from(cell.row));
                if (0..COLUMNS as i32).contains(&column) && (0..ROWS as i32).contains(&row) {
                    cells[row as usize * COLUMNS + column as usize] = 2;
                }
            }
        }
    }

    /// Score and lines.
    fn standing(&mut self) -> (u32, u32) {
        match &mut self.game {
            Game::None => (0, 0),
            Game::Board(board) => (board.score, board.lines),
            Game::Frames(frames) => (frames.score(), View::new(frames.ram()).lines()),
        }
    }

    fn find_places(&mut self, settings: &Settings, searches: &mut Searches) {
        if settings.act != Act::Place {
            return;
        }
        match &mut self.game {
            Game::None => self.places.clear(),
            Game::Board(board) if settings.reach == Reach::Drop => {
                self.places = Legal::Drops(if board.over { 0 } else { board.field.drops(board.piece) });
            }
            Game::Board(board) => {
                if let Legal::List(places) = &mut self.places {
                    if board.over {
                        places.clear();
                    } else {
                        searches.on_board(settings.reach, &board.field, board.piece, board.level, places);
                    }
                }
            }
            Game::Frames(frames) => {
                if let Legal::List(places) = &mut self.places {
                    if frames.is_over() {
                        places.clear();
                    } else {
                        searches.in_frames(settings.reach, frames, places);
                    }
                }
            }
        }
    }

    fn tell(&mut self, common: &Common, buffers: Buffers<'_>, first: bool) {
        let Buffers { bytes, floats, statistics, mask } = buffers;
        if !mask.is_empty() {
            self.places.write_mask(mask);
        }
        match common.settings.observation {
            Observation::Ram => {
                if let Game::Frames(frames) = &mut self.game {
                    let ram = if let Frames::Cartridge(played) = frames {
                        played.emulator.state().ram()
                    } else {
                        frames.ram()
                    };
                    bytes.copy_from_slice(ram);
                }
            }
            Observation::Picture => {
                if let Game::Frames(Frames::Cartridge(played)) = &self.game {
                    common.colours.write_rgb(played.emulator.state().picture(), bytes);
                }
            }
            Observation::Gray(_) => {
                if let Game::Frames(Frames::Cartridge(played)) = &self.game {
                    const ONE: usize = GRAY * GRAY;
                    let last = bytes.len() - ONE;
                    if !first {
                        bytes.copy_within(ONE.., 0);
                    }
                    common.colours.write_gray(played.emulator.state().picture(), &mut bytes[last..]);
                    if first {
                        let (earlier, now) = bytes.split_at_mut(last);
                        earlier.chunks_exact_mut(ONE).for_each(|frame| frame.copy_from_slice(now));
                    }
                }
            }
            _ => {}
        }
        let illegal = self.illegal;
        let (pieces, frames) = (self.pieces, self.frames);
        let Some(shown) = self.shown() else { return };
        match common.settings.observation {
            Observation::Field => {
                shown.field.write_cells(bytes);
                let number = |piece: Option<Piece>| piece.map_or(NONE, Piece::number);
                let (x, y, orientation) = shown.place.unwrap_or((0, 0, Orientation::HIDDEN.id()));
                bytes[ROWS * COLUMNS..].copy_from_slice(&[
                    number(shown.piece),
                    number(shown.next),
                    x,
                    y,
                    orientation,
                    shown.das,
                ]);
            }
            Observation::Features => {
                features::board(&shown.field, shown.level, [shown.piece, shown.next], floats);
            }
            Observation::Afterstates => {
                floats.fill(0.0);
                let piece = shown.piece.unwrap_or(Piece::T);
                self.places.each(&shown.field, piece, |place| {
                    let mut after = shown.field;
                    let (x, y) = (usize::from(place.x), usize::from(place.y));
                    let cleared = after.lock(place.orientation, x, y);
                    let at = usize::from(place.action) * features::AFTER;
                    features::after(&after, y, cleared, &mut floats[at..]);
                });
            }
            _ => {}
        }
        if let Some(statistics) = statistics.first_chunk_mut::<STATISTICS>() {
            let number = |piece: Option<Piece>| piece.map_or(NONE, Piece::number).into();
            *statistics = [
                shown.score as i32,
                shown.lines as i32,
                i32::from(shown.level),
                pieces as i32,
                frames as i32,
                number(shown.piece),
                number(shown.next),
                illegal as i32,
            ];
        }
    }

    /// How the game stands; `None` where there is none.
    fn shown(&mut self) -> Option<Shown> {
        match &mut self.game {
            Game::None => None,
            Game::Board(board) => Some(Shown {
                field: board.field,
                piece: Some(board.piece),
                next: Some(board.next),
                place: Some((5, 0, Orientation::spawn(board.piece).id())),
                das: 0,
                level: board.level,
                lines: board.lines,
                score: board.score,
            }),
            Game::Frames(frames) => {
                let score = frames.score();
                let view = View::new(frames.ram());
                let active = view.play_state() == play_state::ACTIVE;
                let shown = view.orientation().filter(|_| active);
                Some(Shown {
                    field: Field::from_rows(&view.rows()),
                    piece: view.piece(),
                    next: view.next(),
                    place: shown.map(|orientation| (view.column(), view.row(), orientation.id())),
                    das: view.das(),
                    level: view.level(),
                    lines: view.lines(),
                    score,
                })
            }
        }
    }
}

struct Shown {
    field: Field,
    piece: Option<Piece>,
    next: Option<Piece>,
    /// Column, row and orientation of a piece in the air.
    place: Option<(u8, u8, u8)>,
    das: u8,
    level: u8,
    lines: u32,
    score: u32,
}

const fn pictures(observation: Observation) -> bool {
    matches!(observation, Observation::Picture | Observation::Gray(_))
}

/// Pieces that the game's statistics have counted.
fn pieces_counted(game: &mut Frames) -> u32 {
    View::new(game.ram()).piece_counts().iter().sum()
}

/// Where a game with frames begins, and who deals what follows.
fn opening(settings: &Settings, mut dealer: Option<Dealer>, seed: u64) -> (Position, Option<Dealer>) {
    let mut chance = SplitMix64::new(seed);
    let register = match chance.next_u64() as u16 {
        // Dead registers deal nothing.
        0..0x200 => REGISTER,
        register => register,
    };
    let spawns = chance.next_u64() as u8;
    let mut deal = || {
        dealer.as_mut().map_or_else(|| chance.pick(&Piece::ALL), |dealer| dealer.next().unwrap_or(Piece::T))
    };
    let (piece, next) = (deal(), deal());
    let position = match settings.position {
        Some(position) => position,
        None => Position {
            rows: [0; ROWS],
            piece,
            next,
            level: settings.level,
            lines: 0,
            score: 0,
            das: 0,
            lfsr: register,
            spawns,
            frame: 0,
        },
    };
    (position, dealer)
}

/// What a machine needs to begin its games.
///
/// # Errors
/// When no game begins.
pub fn prototype(settings: &Settings, image: &[u8]) -> Result<Option<Prototype>, BeginError> {
    match settings.machine {
        Machine::Board => Ok(None),
        Machine::Model => Ok(Some(Prototype::model())),
        Machine::Cartridge => {
            let (mode, mut options) =
                settings.practice.unwrap_or((practice::Kind::Tetris.usual(), practice::Options::default()));
            options.level = settings.level;
            Prototype::cartridge(image, mode, options).map(Some)
        }
    }
}
