//! Practice: modes, taking pieces back, kept games that are played again.

mod figures;
mod game;
mod keeping;
mod seeking;

use std::path::Path;
use std::sync::Arc;

use emulator::{Practice, SavedPractice, SavedState};
use nes::fm2::RamInit;
use nes::{Buttons, Console};
use nes_lua::Overlay;
use practice::{Header, Kept, Log, Luck, Mode, Options, Position, Session, Stack, Start};
use tetris::{Feature, SplitMix64, View};

use super::games::chance;
use crate::Pieces;
use crate::emulation::coach::GameReview;
use crate::emulation::machine::Machine;
use crate::emulation::machine::refusal::{PlayError, Refusal};
use crate::emulation::puzzle_search::PuzzleSearch;
use crate::messages::command::PracticeCommand;
use crate::messages::status::{GameStatus, MessageKind, Notice, PracticeStatus, RunState, SPAWNS};
use game::Replay;
pub(super) use game::{PlayerPads, PracticeGame};

type CommandResult = Result<(), Refusal>;

/// No kept game is larger: half a day of presses in every frame.
const GAME_MOST: u64 = 16 << 20;

impl<F: Fn(Notice)> Machine<F> {
    pub(super) fn practice_command(&mut self, command: PracticeCommand) -> CommandResult {
        match command {
            PracticeCommand::Begin { mode, options, position } => {
                let position = position.map(|text| text.parse::<Position>()).transpose()?;
                self.begin_practice(mode, options, position.as_ref())
            }
            PracticeCommand::End => {
                self.end_practice();
                self.say(
                    MessageKind::Note,
                    "practice is over; the game continues by the cartridge's rules".into(),
                );
                Ok(())
            }
            PracticeCommand::Undo { other_luck } => {
                self.revisit(other_luck, Practice::undo)?;
                self.say(MessageKind::Note, format!("the last piece again{}", luck_text(other_luck)));
                Ok(())
            }
            PracticeCommand::Mark => {
                let marked = self.engine.practice_mut().ok_or(Refusal::NoPractice)?.mark();
                let count = marked.ok_or(Refusal::NothingToMark)?;
                self.say(MessageKind::Note, format!("position {count} is marked; E: try it again"));
                Ok(())
            }
            PracticeCommand::Retry { other_luck } => {
                let tries = self.revisit(other_luck, Practice::retry)?;
                self.say(MessageKind::Note, format!("attempt {tries}{}", luck_text(other_luck)));
                Ok(())
            }
            PracticeCommand::Review { hertz, reaction } => {
                let practice = self.engine.watched().filter(|practice| !practice.log().pieces.is_empty());
                let log = practice.ok_or(Refusal::NothingToReview)?.log();
                let hands = review::Hands { hertz: hertz.into(), reaction: reaction.into() };
                let review = GameReview::begin(log, hands, &self.nets)?;
                self.practice.review = Some(review);
                Ok(())
            }
            PracticeCommand::ReviewFile { path, hertz, reaction } => {
                let hands = review::Hands { hertz: hertz.into(), reaction: reaction.into() };
                self.practice.review = Some(GameReview::of_file(path, hands, &self.nets));
                Ok(())
            }
            PracticeCommand::ReviewKept { path, hertz, reaction } => {
                let profile = self.cartridge.profile_for(Feature::Games);
                let profile = profile.map_err(Refusal::of("a review"))?;
                let cartridge = self.engine.state().board.cartridge().clone();
                let hands = review::Hands { hertz: hertz.into(), reaction: reaction.into() };
                let review = GameReview::of_kept(path, (cartridge, profile), hands, &self.nets);
                self.practice.review = Some(review);
                Ok(())
            }
            PracticeCommand::FindPuzzles => self.find_puzzles(),
            PracticeCommand::Replay(path) => self.replay(&path),
            PracticeCommand::Seek(frame) => self.seek(|_| frame),
            PracticeCommand::SeekBy(frames) => self.seek(|here| here.saturating_add_signed(frames.into())),
            PracticeCommand::TakeOver => {
                let replay = self.practice.replay.take();
                replay.map(drop).ok_or(Refusal::NoKeptGame)?;
                self.say(MessageKind::Note, "you play on from here".into());
                Ok(())
            }
        }
    }

    /// Looks for puzzles in the games that were kept on this cartridge.
    fn find_puzzles(&mut self) -> CommandResult {
        let folder = self.games.as_ref().ok_or(Refusal::NoGames)?;
        let profile = self.cartridge.profile_for(Feature::Games);
        let profile = profile.map_err(Refusal::of("a search for puzzles"))?;
        let cartridge = self.engine.state().board.cartridge().clone();
        let search = PuzzleSearch::begin(folder, cartridge, profile, &self.nets);
        self.practice.search = Some(search?);
        Ok(())
    }

    fn revisit<T>(
        &mut self,
        other_luck: bool,
        go: impl FnOnce(&mut Practice, &mut nes::Console, Luck) -> Result<T, practice::UndoError>,
    ) -> Result<T, Refusal> {
        if self.engine.practice().is_none() {
            return Err(Refusal::NoPractice);
        }
        if self.is_under_debugger() {
            return Err(Refusal::UnderDebugger("pieces cannot be taken back"));
        }
        let seed = SplitMix64::mix(chance().into());
        let luck = if other_luck { Luck::New(seed) } else { Luck::Same };
        let result = self.engine.revisit(luck, go)?;
        self.outputs.audio.jump();
        self.present();
        Ok(result)
    }

    /// Begins a game of a practice mode from power-on, or from `position`.
    fn begin_practice(&mut self, mode: Mode, options: Options, position: Option<&Position>) -> CommandResult {
        let session = self.practice_session(mode, options)?;
        if session.leaves_pieces_to_the_game() {
            self.deal_as_set();
        }
        let way_in = practice::way_in(&session, chance().into());
        let profile = session.profile().clone();
        self.power_cycle();
        self.engine.set_practice(Some(Practice::new(session)));
        self.begin_way_in();
        let found = self.engine.begin_game(way_in, &profile);
        self.keep_game();
        if let Some(position) = position {
            self.engine.enter(position)?;
        }
        self.outputs.audio.jump();
        self.present();
        if !found {
            self.end_practice();
            return Err(Refusal::NoWayIn);
        }
        let (options, name) = (options.to_string().replace('=', " "), mode.to_string());
        let number = name.split_once('=').map_or(String::new(), |(_, number)| format!(" {number}"));
        let options = if options.is_empty() { options } else { format!(", {options}") };
        self.say(MessageKind::Note, format!("Practice: {}{number}{options}", mode.kind().title()));
        Ok(())
    }

    /// Returns a session on the present cartridge, with everything ended that it cannot go along
    /// with.
    fn practice_session(&mut self, mode: Mode, options: Options) -> Result<Session, Refusal> {
        let profile = self.cartridge.profile_for(Feature::Practice).map_err(Refusal::of("practice"))?;
        if self.is_under_debugger() {
            return Err(Refusal::UnderDebugger("practice cannot begin"));
        }
        let session = Session::new(profile, mode, options).map_err(Refusal::of("practice"))?;
        self.end_practice();
        self.stop_movie_recording();
        self.engine.movie.stop_playing();
        self.engine.set_computer(None);
        // The mode deals the pieces, or the game does.
        self.engine.set_pieces(None);
        Ok(session)
    }

    /// Plays a kept game from power-on.
    fn replay(&mut self, path: &Path) -> CommandResult {
        let cannot = |source| Refusal::Play { path: path.into(), source };
        let bytes = draft::read_file(path, GAME_MOST).map_err(|error| cannot(error.into()))?;
        let game = Kept::read(&bytes).map_err(|error| cannot(error.into()))?;
        let Header { mode, options, cartridge, crc32, pieces, .. } = &game.header;
        let found = self.engine.state().board.cartridge().crc32();
        if *crc32 != found {
            let (cartridge, crc32) = (cartridge.clone(), *crc32);
            return Err(cannot(PlayError::OtherCartridge { cartridge, crc32, found }));
        }
        let profile = self.cartridge.profile_for(Feature::Games).map_err(Refusal::of("practice"))?;
        let pieces = pieces.as_ref().map(|text| Ok(Pieces::new(practice::sequence(text, profile)?, text)));
        let pieces = pieces.transpose().map_err(|error: practice::SequenceError| cannot(error.into()))?;
        if let Start::State { console, session } = &game.start {
            let mut other = self.engine.state().clone();
            other.load(console).map_err(|error| cannot(error.into()))?;
            self.session_of(*mode, *options, session, &other).map_err(cannot)?;
        }
        let mut session = self.practice_session(*mode, *options)?;
        self.power_cycle();
        if let Start::State { console, session: memory } = &game.start {
            let loaded = self.engine.load(console, vec![], RamInit::default());
            loaded.map_err(|error| cannot(error.into()))?;
            session.load(memory, self.engine.state()).map_err(|error| cannot(error.into()))?;
        }
        self.engine.set_pieces(pieces);
        let practice = Practice::new(session).joined(self.engine.state());
        self.engine.set_practice(Some(practice));
        let lost = game.lost;
        if lost > 0 {
            let text = format!("{}: its last {lost} bytes are damaged and ignored", path.display());
            self.say(MessageKind::Warning, text);
        }
        let text = format!("{} plays: {mode}, {} frames", path.display(), game.frames.len());
        self.practice.replay = Some(Replay::new(game, self.engine.frame_number()));
        self.outputs.audio.jump();
        self.say(MessageKind::Note, text);
        Ok(())
    }

    /// Ends practice, if it is on; the game goes on by the cartridge's rules.
    pub(super) fn end_practice(&mut self) {
        self.end_game_file();
        self.practice.forget_game();
        let was_on = self.engine.practice().is_some();
        // Whatever is played next is looked at anew.
        self.engine.set_practice(None);
        if was_on {
            self.deal_as_set();
        }
    }

    /// Returns whether a saved state is a moment of the game that is being kept.
    pub(super) fn is_own_past(&self, saved: &SavedState) -> bool {
        let Some((file, practice)) = self.practice.file.as_ref().zip(self.engine.watched()) else {
            return false;
        };
        let SavedState { log, frame, ram, practice: session, .. } = saved;
        let movie = &self.engine.movie;
        // A log as long as the frames of the console has no switch of the power.
        let leads = !log.is_empty() && log.len() as u64 == *frame && movie.log().starts_with(log);
        let same = |saved: &SavedPractice| {
            let session = practice.session();
            saved.watches == practice.only_watches()
                && (saved.mode, saved.options) == (session.mode(), *session.options())
        };
        leads && *ram == movie.ram() && file.reaches(*frame) && session.as_ref().is_some_and(same)
    }

    /// A state was loaded: goes on with the session that belongs to it, or without any. One of the
    /// game's `own_past` is a step back.
    pub(super) fn load_practice(&mut self, saved: Option<SavedPractice>, own_past: bool) {
        if own_past && let Some((saved, practice)) = saved.as_ref().zip(self.engine.watched().cloned()) {
            let mut practice = practice;
            if practice.restore(self.engine.state(), &saved.memory).is_ok() {
                self.engine.set_practice(Some(practice));
                return;
            }
        }
        let was = self.engine.practice().is_some();
        // The game before was kept up to here; what follows is a file of its own.
        self.practice.forget_game();
        self.engine.set_practice(None);
        let watches = saved.as_ref().is_none_or(|saved| saved.watches);
        let session = saved.map(|SavedPractice { mode, options, memory, .. }| {
            self.session_of(mode, options, &memory, self.engine.state())
        });
        match session {
            Some(Ok(session)) if watches => {
                let practice = Practice::watching(session).joined(self.engine.state());
                self.engine.set_practice(Some(practice));
            }
            Some(Ok(session)) => {
                let mode = session.mode();
                self.engine.set_pieces(None);
                let practice = Practice::new(session).joined(self.engine.state());
                self.engine.set_practice(Some(practice));
                self.say(MessageKind::Note, format!("practice continues: {mode}"));
            }
            Some(Err(reason)) if !watches => {
                self.say(MessageKind::Warning, format!("cannot continue the saved practice: {reason}"));
            }
            // It is joined as it is.
            Some(Err(_)) | None => {}
        }
        if was && watches {
            self.deal_as_set();
            self.say(
                MessageKind::Note,
                "practice has ended: the saved state was made outside practice".into(),
            );
        }
    }

    fn session_of(
        &self,
        mode: Mode,
        options: Options,
        memory: &[u8],
        console: &Console,
    ) -> Result<Session, PlayError> {
        let profile = self.cartridge.profile_for(Feature::Games)?;
        let mut session = Session::new(profile, mode, options)?;
        session.load(memory, console)?;
        Ok(session)
    }

    /// Returns what a kept game holds in the frame that comes, if one plays.
    pub(super) fn kept_buttons(&mut self) -> Option<[Buttons; 2]> {
        self.note_moment();
        let frame = self.engine.frame_number();
        let replay = self.practice.replay.as_ref()?;
        let number = frame.checked_sub(replay.first);
        let pads = number.and_then(|number| replay.game.frames.get(usize::try_from(number).ok()?).copied());
        let (Some(number), Some(pads)) = (number, pads) else {
            self.practice.replay = None;
            self.say(MessageKind::Note, "the kept game is over; you play on from here".into());
            return None;
        };
        let position =
            replay.game.positions.iter().rfind(|(at, _)| *at == number).map(|(_, position)| *position);
        let chance = replay.game.chances.iter().rfind(|(at, _)| *at == number).map(|&(_, lfsr)| lfsr);
        if let Some(position) = position
            && let Err(error) = self.engine.enter(&position)
        {
            self.practice.replay = None;
            self.say(MessageKind::Warning, format!("cannot continue the kept game: {error}"));
            return None;
        }
        let rise = replay.game.rises.iter().rfind(|(at, _)| *at == number).map(|&(_, rise)| rise);
        if let Some(lfsr) = chance {
            self.engine.draw_luck(lfsr);
        }
        if let Some(rise) = rise {
            self.engine.raise(rise);
        }
        Some(pads)
    }

    /// Returns what the mode draws over the picture: covers, marks and lines. Texts are the
    /// interface's.
    pub(super) fn mode_overlay(&mut self) -> Option<Overlay> {
        let items = self.engine.practice()?.session().overlay();
        let mut overlay = Overlay::default();
        for rectangle in items.iter().filter_map(practice::rectangle) {
            let practice::Rectangle { left, top, width, height, colour: [red, green, blue] } = rectangle;
            overlay.fill([left, top, width, height], [red, green, blue, 0xFF]);
        }
        overlay.drawn().then_some(overlay)
    }

    /// Returns what the interface shows of the game, in practice or not.
    pub(super) fn game_status(&mut self) -> Option<Arc<GameStatus>> {
        let practice = self.engine.watched()?;
        let (session, log) = (practice.session(), practice.log());
        let last = log.pieces.last()?;
        let memory = session.profile().as_mapped(self.engine.state().ram());
        let own_picker = self.engine.pieces().is_none();
        let spawns = log.pieces.iter().rev().take(SPAWNS).map(|played| played.das);
        let mut das_at_spawns: Vec<u8> = spawns.collect();
        das_at_spawns.reverse();
        let (level, lines, score) = match last.place {
            Some(_) => log.last,
            None => (last.level, last.lines, last.score),
        };
        Some(Arc::new(GameStatus {
            figures: self.practice.figures.of(log),
            trainer: self.practice.figures.trainer(log),
            start_level: log.start_level,
            level,
            lines,
            score,
            pieces: [last.piece, last.next],
            pace: pace(session.mode(), log),
            stack: Stack::of(&last.rows),
            odds: own_picker.then(|| (practice::odds_after(last.next), practice::odds_of_an_i(last.next, 5))),
            das: View::new(&memory).das(),
            das_at_spawns,
            charge: last.changes.last().map(|change| (change.das, change.why)),
            taps: self.practice.figures.taps(log),
        }))
    }

    /// Returns what the interface shows of practice.
    pub(super) fn practice_status(&mut self) -> Option<PracticeStatus> {
        let frame = self.engine.frame_number();
        let shown = self.run_state() != RunState::Rewinding;
        let practice = self.engine.practice()?;
        let (session, log) = (practice.session(), practice.log());
        let memory = session.profile().as_mapped(self.engine.state().ram());
        let view = View::new(&memory);
        let replay = self.practice.replay.as_ref();
        Some(PracticeStatus {
            mode: session.mode(),
            options: *session.options(),
            items: if shown { session.overlay() } else { vec![] },
            figures: self.practice.figures.of(log),
            level: session.level(),
            height: view.rows().iter().position(|row| *row != 0).map_or(0, |top| 20 - top as u32),
            das: view.das(),
            charge: log
                .pieces
                .last()
                .and_then(|played| played.changes.last())
                .map(|change| (change.das, change.why)),
            taps: self.practice.figures.taps(log).map(|(taps, _)| taps),
            marks: practice.marks().len(),
            tries: practice.marks().last().map_or(0, |mark| mark.tries),
            replay: replay
                .map(|replay| (frame.saturating_sub(replay.first), replay.game.frames.len() as u64)),
        })
    }
}

/// Returns the score less the one that is needed, before each piece of a game of *pace*.
fn pace(mode: Mode, log: &Log) -> Vec<i32> {
    if mode.kind() != practice::Kind::Pace {
        return vec![];
    }
    let at = |played: &practice::Played| {
        let target = practice::pace_target(mode.value(), played.lines)?;
        Some(i32::try_from(played.score).ok()? - i32::try_from(target).ok()?)
    };
    log.pieces.iter().filter_map(at).collect()
}

fn luck_text(other: bool) -> &'static str {
    if other { ", other pieces from here" } else { "" }
}

#[cfg(test)]
mod tests;
