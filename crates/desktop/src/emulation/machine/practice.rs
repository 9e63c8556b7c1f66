//! Practice: modes, taking pieces back, games that are kept and played again.

mod game;

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use nes::Buttons;
use nes_lua::Overlay;
use practice::{Header, Kept, Luck, Mode, Options, Outcome, Position, Session, Statistics};
use tetris::ram::play_state;
use tetris::{Feature, SplitMix64, View};

use super::games::chance;
use crate::emulation::coach::CoachReview;
use crate::emulation::machine::Machine;
use crate::emulation::practice::Practice;
use crate::emulation::slots::SavedPractice;
use crate::messages::command::PracticeCommand;
use crate::messages::status::{MessageKind, Notice, PracticeStatus, RunState};
use game::{GameFile, Replay};
pub(super) use game::{PlayerPads, PracticeGame};

/// One line of what went wrong.
type CommandResult = Result<(), String>;

/// No kept game is larger: half a day of presses in every frame.
const GAME_MOST: u64 = 16 << 20;

impl<F: Fn(Notice)> Machine<F> {
    pub(super) fn practice_command(&mut self, command: PracticeCommand) -> CommandResult {
        match command {
            PracticeCommand::Begin { mode, options, position } => {
                let position = position.map(|text| text.parse::<Position>()).transpose();
                let position = position.map_err(|error| error.to_string())?;
                self.begin_practice(mode, options, position.as_ref())
            }
            PracticeCommand::End => {
                self.end_practice();
                self.say(
                    MessageKind::Note,
                    "practice is over; the game goes on by the cartridge's rules".into(),
                );
                Ok(())
            }
            PracticeCommand::Undo { other_luck } => {
                self.revisit(other_luck, Practice::undo)?;
                self.say(MessageKind::Note, format!("the last piece again{}", luck_text(other_luck)));
                Ok(())
            }
            PracticeCommand::Mark => {
                let marked = self.engine.practice_mut().ok_or(NO_PRACTICE)?.mark();
                let count = marked.ok_or("no piece has come in that could be marked")?;
                self.say(MessageKind::Note, format!("position {count} is marked; E: try it again"));
                Ok(())
            }
            PracticeCommand::Retry { other_luck } => {
                let tries = self.revisit(other_luck, Practice::retry)?;
                self.say(MessageKind::Note, format!("attempt {tries}{}", luck_text(other_luck)));
                Ok(())
            }
            PracticeCommand::Review { hertz, reaction } => {
                let practice = self.engine.practice().ok_or("there is no practice game to review")?;
                let review = CoachReview::begin(practice.log().clone(), hertz, reaction);
                (self.practice.review, self.practice.mistakes) = (Some(review), None);
                Ok(())
            }
            PracticeCommand::Replay(path) => self.replay(&path),
            PracticeCommand::TakeOver => {
                let replay = self.practice.replay.take();
                replay.map(drop).ok_or("no kept game is playing")?;
                self.say(MessageKind::Note, "you play on from here".into());
                Ok(())
            }
        }
    }

    fn revisit<T>(
        &mut self,
        other_luck: bool,
        go: impl FnOnce(&mut Practice, &mut nes::Console, Luck) -> Result<T, practice::UndoError>,
    ) -> Result<T, String> {
        if self.engine.practice().is_none() {
            return Err(NO_PRACTICE.into());
        }
        if self.is_under_debugger() {
            return Err("pieces cannot be taken back under the debugger: close it first (F1)".into());
        }
        let seed = SplitMix64::mix(chance().into());
        let luck = if other_luck { Luck::New(seed) } else { Luck::Same };
        let result = self.engine.revisit(luck, go).map_err(|error| error.to_string())?;
        self.practice.over = false;
        self.outputs.audio.jump();
        self.present();
        Ok(result)
    }

    /// Begins a game of a practice mode from power-on, or from `position`.
    fn begin_practice(&mut self, mode: Mode, options: Options, position: Option<&Position>) -> CommandResult {
        let session = self.practice_session(mode, options)?;
        let way_in = practice::way_in(&session);
        let profile = session.profile().clone();
        let header = Header {
            mode,
            options,
            cartridge: profile.name.clone(),
            crc32: self.engine.state().board.cartridge().crc32(),
            begun: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
        };
        self.power_cycle();
        self.engine.set_practice(Some(Practice::new(session)));
        // A game from a position cannot be played again from power-on.
        let folder = self.games.clone().filter(|_| position.is_none() && self.tetris.keep_games);
        match folder
            .map(|folder| GameFile::new(&folder, &header).map_err(|error| (folder, error)))
            .transpose()
        {
            Ok(file) => self.practice.file = file,
            Err((folder, error)) => {
                let text = format!("the game cannot be kept in {}: {error}", folder.display());
                self.say(MessageKind::Warning, text);
            }
        }
        let found = self.engine.begin_game(way_in, &profile);
        self.keep_game();
        if let Some(position) = position {
            self.engine.enter(position).map_err(|error| error.to_string())?;
        }
        self.outputs.audio.jump();
        self.present();
        if !found {
            self.end_practice();
            return Err("this cartridge's menus did not lead to a game: it is at its title now".into());
        }
        let options = options.to_string();
        let options = if options.is_empty() { options } else { format!(", {options}") };
        self.say(MessageKind::Note, format!("practice: {mode}{options}"));
        Ok(())
    }

    /// Returns a session on the present cartridge, with everything ended that it cannot go along
    /// with.
    fn practice_session(&mut self, mode: Mode, options: Options) -> Result<Session, String> {
        let profile = self.cartridge.profile_for(Feature::Practice);
        let profile = profile.map_err(|refused| refused.about("practice"))?;
        if self.is_under_debugger() {
            return Err("practice cannot begin under the debugger: close it first (F1)".into());
        }
        let session = Session::new(profile, mode, options).map_err(|refused| refused.about("practice"))?;
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
        let cannot = |error: &dyn std::fmt::Display| format!("cannot play {}: {error}", path.display());
        let mut bytes = vec![];
        let read = File::open(path).and_then(|file| file.take(GAME_MOST).read_to_end(&mut bytes));
        read.map_err(|error| cannot(&error))?;
        let Kept { header, frames, chances, lost, .. } =
            Kept::read(&bytes).map_err(|error| cannot(&error))?;
        let found = self.engine.state().board.cartridge().crc32();
        if header.crc32 != found {
            let Header { cartridge, crc32, .. } = &header;
            return Err(cannot(&format!(
                "it was played on {cartridge} (CRC32 {crc32:08X}), and this cartridge's is {found:08X}: open that one first"
            )));
        }
        let session = self.practice_session(header.mode, header.options)?;
        self.power_cycle();
        self.engine.set_practice(Some(Practice::new(session)));
        if lost > 0 {
            let text = format!("{}: its last {lost} bytes are damaged and left out", path.display());
            self.say(MessageKind::Warning, text);
        }
        let text = format!("{} plays: {}, {} frames", path.display(), header.mode, frames.len());
        self.practice.replay = Some(Replay { frames, chances });
        self.outputs.audio.jump();
        self.say(MessageKind::Note, text);
        Ok(())
    }

    /// Ends practice, if it is on; the game goes on by the cartridge's rules.
    pub(super) fn end_practice(&mut self) {
        self.end_game_file();
        let PracticeGame { review, mistakes, .. } = std::mem::take(&mut self.practice);
        // What the coach found is there for the next game, which may begin from it.
        self.practice = PracticeGame { review, mistakes, ..PracticeGame::default() };
        if self.engine.practice().is_some() {
            self.engine.set_practice(None);
            self.deal_as_set();
        }
    }

    /// Returns the session for a saved state.
    pub(super) fn saved_practice(&self) -> Option<SavedPractice> {
        let practice = self.engine.practice()?;
        let session = practice.session();
        let memory = practice.saved(self.engine.state());
        Some(SavedPractice { mode: session.mode(), options: *session.options(), memory })
    }

    /// A state was loaded: goes on with the session that belongs to it, or without any.
    pub(super) fn load_practice(&mut self, saved: Option<SavedPractice>) {
        let was = self.engine.practice().is_some();
        let was_kept = self.practice.file.take().is_some();
        self.engine.set_practice(None);
        self.practice.replay = None;
        let found = saved.map(|saved| self.session_of(saved));
        match found {
            Some(Ok(session)) => {
                let mode = session.mode();
                self.engine.set_pieces(None);
                self.engine.set_practice(Some(Practice::new(session)));
                let kept = if was_kept {
                    "; the game is not kept any more, because its past is another"
                } else {
                    ""
                };
                self.say(MessageKind::Note, format!("practice goes on: {mode}{kept}"));
            }
            Some(Err(reason)) => {
                self.end_practice();
                self.say(MessageKind::Warning, format!("the saved practice cannot go on: {reason}"));
            }
            None if was => {
                self.end_practice();
                self.say(MessageKind::Note, "practice is over: the saved state knows nothing of it".into());
            }
            None => {}
        }
    }

    fn session_of(&self, saved: SavedPractice) -> Result<Session, String> {
        let SavedPractice { mode, options, memory } = saved;
        let profile = self.cartridge.profile_for(Feature::Practice);
        let profile = profile.map_err(|refused| refused.about("practice"))?;
        let session = Session::new(profile, mode, options);
        let mut session = session.map_err(|refused| refused.about("practice"))?;
        session.load(&memory, self.engine.state()).map_err(|error| error.to_string())?;
        Ok(session)
    }

    /// Returns who holds the pads in the frame that comes.
    pub(super) fn kept_buttons(&mut self) -> Option<Buttons> {
        let frame = self.engine.frame_number();
        let replay = self.practice.replay.as_ref()?;
        let Some(&buttons) = replay.frames.get(usize::try_from(frame).ok()?) else {
            self.practice.replay = None;
            self.say(MessageKind::Note, "the kept game is over; you play on from here".into());
            return None;
        };
        let chance = replay.chances.iter().find(|(at, _)| *at == frame).map(|&(_, lfsr)| lfsr);
        if let Some(lfsr) = chance {
            self.engine.draw_luck(lfsr);
        }
        Some(buttons)
    }

    /// Writes what was played since the last time.
    pub(super) fn keep_game(&mut self) {
        let Some(practice) = self.engine.practice_mut() else { return };
        let (played, chances) = practice.take_played();
        let session = practice.session();
        let view_over = session.outcome() != Outcome::Playing;
        let Some(file) = &mut self.practice.file else { return };
        let kept = file.push(&played, &chances);
        let ends = view_over && !self.practice.over;
        if let Err(error) = kept {
            let text = format!("{} cannot be written any more: {error}", file.path.display());
            self.practice.file = None;
            self.say(MessageKind::Warning, text);
        } else if ends || self.is_topped_out() {
            self.write_end();
        }
    }

    fn is_topped_out(&mut self) -> bool {
        if self.practice.over {
            return false;
        }
        let Some(practice) = self.engine.practice() else { return false };
        let profile = practice.session().profile().clone();
        let memory = profile.as_mapped(self.engine.state().ram());
        let view = View::new(&memory);
        view.in_game() && view.play_state() == play_state::CURTAIN
    }

    /// Writes how the game ended. It may go on after a piece is taken back.
    fn write_end(&mut self) {
        let hash = self.engine.state_hash();
        let Some(practice) = self.engine.practice() else { return };
        let result = practice::result(practice.session(), practice.log(), hash);
        let Some(file) = &mut self.practice.file else { return };
        self.practice.over = true;
        let written = file.end(&result);
        let path = file.path.display();
        let (kind, text) = match written {
            Ok(()) => (MessageKind::Note, format!("the game is kept in {path}")),
            Err(error) => {
                (MessageKind::Warning, format!("the game's end cannot be written to {path}: {error}"))
            }
        };
        self.say(kind, text);
    }

    /// Ends the file that the game goes into.
    pub(super) fn end_game_file(&mut self) {
        self.keep_game();
        if !self.practice.over {
            self.write_end();
        }
        self.practice.file = None;
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

    /// Returns what the interface shows of practice.
    pub(super) fn practice_status(&mut self) -> Option<PracticeStatus> {
        let frame = self.engine.frame_number();
        let shown = self.run_state() != RunState::Rewinding;
        let practice = self.engine.practice()?;
        let (session, log) = (practice.session(), practice.log());
        let locked = log.pieces.iter().filter(|played| played.place.is_some()).count();
        let (reckoned, figures) = &mut self.practice.figures;
        if *reckoned != locked {
            *reckoned = locked;
            *figures = Arc::new(Statistics::of(log));
        }
        let memory = session.profile().as_mapped(self.engine.state().ram());
        let view = View::new(&memory);
        let replay = self.practice.replay.as_ref();
        Some(PracticeStatus {
            mode: session.mode(),
            options: *session.options(),
            items: if shown { session.overlay() } else { vec![] },
            figures: Arc::clone(figures),
            level: session.level(),
            height: view.rows().iter().position(|row| *row != 0).map_or(0, |top| 20 - top as u32),
            das: view.das(),
            taps: practice::last_taps(log),
            marks: practice.marks().len(),
            replay: replay.map(|replay| (frame, replay.frames.len() as u64)),
        })
    }
}

/// Why nothing can be taken back.
const NO_PRACTICE: &str = "pieces are taken back and marked in practice only: Esc, Tetris, Practice";

fn luck_text(other: bool) -> &'static str {
    if other { ", other pieces from here" } else { "" }
}

#[cfg(test)]
mod tests;
