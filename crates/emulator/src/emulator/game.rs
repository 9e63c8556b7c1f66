//! The game in the console: the way into it, its crashes, and practice.

use autopilot::Autopilot;
use nes::fm2::RamInit;
use nes::{Buttons, Config, Console, Held, StateError};
use nes_debug::{Crash, CrashWatch};
use practice::{Log, Luck, Position, PositionError, Rise, UndoError};
use tetris::ram::play_state;
use tetris::{Profile, View};

use super::{Attached, Emulator};
use crate::practice::Practice;

/// Frames in which a way through the menus is looked for: the first screen alone takes ten seconds.
const WAY_IN: u32 = 5000;

/// Frames before a crash to which one goes back: two seconds, in which a player can do something
/// else.
const BEFORE_CRASH: u64 = 120;

impl Emulator {
    /// Watches for a crash of the game of which `profile` is; none for a game that is not known.
    pub fn watch_crashes(&mut self, profile: Option<&Profile>) {
        self.watch = profile.map(|profile| CrashWatch::new(profile, &self.console));
        self.crash = None;
    }

    /// The game goes on from another moment: it may be well there.
    pub(crate) fn forget_crash(&mut self) {
        self.crash = None;
        if let Some(watch) = &mut self.watch {
            watch.forget();
        }
    }

    /// Returns the crash in which the game is, as it was noticed.
    pub fn crash(&self) -> Option<&Crash> {
        self.crash.as_ref()
    }

    /// Returns whether the rewind reaches back to before the crash in which the game is.
    pub fn reaches_before_crash(&self) -> bool {
        let reach = self.console.frame_number().saturating_sub(self.rewind.len() as u64);
        self.crash.as_ref().is_some_and(|crash| reach < crash.begun())
    }

    /// Goes back to two seconds before the crash in which the game is, or as far as the rewind
    /// reaches. Returns whether it has left it.
    pub fn go_back_before_crash(&mut self) -> bool {
        let Some(begun) = self.crash.as_ref().filter(|_| self.reaches_before_crash()).map(Crash::begun)
        else {
            return false;
        };
        let goal = begun.saturating_sub(BEFORE_CRASH);
        while self.console.frame_number() > goal && self.step_back() {}
        self.sound.clear();
        true
    }

    /// Begins a game from power-on, which has just been: `way_in` finds through the menus by
    /// buttons alone, unseen and unheard, and the movie has what it presses. Returns whether it has
    /// come to a game.
    pub fn begin_game(&mut self, way_in: Autopilot, profile: &Profile) -> bool {
        let (computer, ahead) = (self.computer.replace(way_in), std::mem::take(&mut self.ahead));
        let begun = self.run_to_game(profile);
        (self.computer, self.ahead) = (computer, ahead);
        begun
    }

    /// Lets the computer player at the first pad find into a game, without picture and sound.
    /// Returns whether it has.
    pub(crate) fn run_to_game(&mut self, profile: &Profile) -> bool {
        let mut nobody = [Buttons::empty(); 2];
        self.frame(&mut nobody, Attached::default()); // in it the power may be switched
        self.console.set_video(false);
        self.console.set_sound(false);
        self.way_in.clear();
        let begun = (0..WAY_IN).any(|_| {
            self.frame(&mut nobody, Attached::default());
            self.way_in.keep(&self.console);
            let memory = profile.as_mapped(self.console.ram());
            let view = View::new(&memory);
            view.in_play() && view.play_state() == play_state::ACTIVE
        });
        self.console.set_video(true);
        self.console.set_sound(true);
        if let Some(practice) = &mut self.practice {
            practice.disregard_computer(0);
        }
        begun
    }

    /// Begins or ends a practice session, or one that only looks on.
    pub fn set_practice(&mut self, practice: Option<Practice>) {
        if practice.as_ref().is_some_and(|practice| practice.session().writes()) {
            self.movie.mark_diverged();
        }
        self.practice = practice;
    }

    /// Returns the practice session that the game is played in.
    pub fn practice(&self) -> Option<&Practice> {
        self.practice.as_ref().filter(|practice| !practice.only_watches())
    }

    /// Returns the same, to be changed.
    pub fn practice_mut(&mut self) -> Option<&mut Practice> {
        self.practice.as_mut().filter(|practice| !practice.only_watches())
    }

    /// The console has gone to a moment at which the practice session, if there is one, remembered
    /// `memory`.
    ///
    /// # Errors
    /// When the bytes are none of a session; nothing has changed then.
    pub fn restore_practice(&mut self, memory: &[u8]) -> Result<(), StateError> {
        let practice = self.practice.as_mut();
        practice.map_or(Ok(()), |practice| practice.restore(&self.console, memory))
    }

    /// Returns the session beside the game, in practice or not; none of a game that is not known.
    pub fn watched(&self) -> Option<&Practice> {
        self.practice.as_ref()
    }

    /// Returns the same, to be changed.
    pub fn watched_mut(&mut self) -> Option<&mut Practice> {
        self.practice.as_mut()
    }

    /// Returns whether the console wakes up as every other, so that buttons from power-on repeat
    /// what was played.
    pub fn wakes_as_usual(&self) -> bool {
        let usual = Config::default();
        // What RAM holds, the movie says.
        let Config { phase, apu_alignment, unstable, .. } = self.config;
        self.movie.ram() == RamInit::default()
            && (phase, apu_alignment) == (usual.phase, usual.apu_alignment)
            && unstable == usual.unstable
    }

    /// Goes on from `position` in the practice game that has begun.
    ///
    /// # Errors
    /// What is wrong with the position.
    pub fn enter(&mut self, position: &Position) -> Result<(), PositionError> {
        let Some(practice) = &mut self.practice else { return Ok(()) };
        practice.enter(&mut self.console, position)?;
        self.movie.mark_diverged();
        self.rewind.clear();
        self.way_in.clear();
        (self.exchanged, self.elsewhere) = (true, true);
        self.future = None;
        Ok(())
    }

    /// Writes the random number register of a practice game.
    pub fn draw_luck(&mut self, lfsr: u16) {
        if let Some(practice) = &mut self.practice {
            self.movie.mark_diverged();
            practice.draw_luck(&mut self.console, lfsr);
        }
    }

    /// Rows have come up from below: no movie can say that.
    pub fn rose(&mut self, rise: Rise) {
        self.movie.mark_diverged();
        if let Some(practice) = &mut self.practice {
            practice.rose(&self.console, rise);
        }
    }

    /// Lets rows come up from below, as a kept game has it.
    pub fn raise(&mut self, rise: Rise) {
        if let Some(practice) = &self.practice {
            practice::raise(practice.session().profile(), &mut self.console, rise);
            self.rose(rise);
        }
    }

    /// Goes to another moment of a kept game that plays: `console` is its state, `session` what the
    /// session remembered then, and `log` reaches at least there. The movie and the rewind follow
    /// back, and end with a step forward. The picture stays the old one.
    ///
    /// # Errors
    /// When the bytes are no state of this cartridge; nothing has changed then.
    pub fn seek(&mut self, console: &[u8], session: &[u8], log: Log) -> Result<(), StateError> {
        let from = self.console.frame_number();
        let mut other = self.console.clone();
        other.load(console)?;
        other.clear_samples();
        if let Some(practice) = &mut self.practice {
            practice.seek(&other, session, log)?;
        }
        self.console = other;
        if let Some(pieces) = &mut self.pieces {
            pieces.substitution.resync(&self.console);
        }
        let now = self.bring_along(from);
        (self.exchanged, self.elsewhere) = (true, true);
        self.watched = now;
        self.forget_crash();
        self.sound.clear();
        Ok(())
    }

    /// Brings movie and rewind to where the console has gone from frame `from`. Returns its frame.
    fn bring_along(&mut self, from: u64) -> u64 {
        self.under_way = None;
        let now = self.console.frame_number();
        if now > from {
            // It was taken back before: what came since is known to nobody.
            self.movie.mark_diverged();
            self.rewind.clear();
        } else {
            let back = usize::try_from(from - now).unwrap_or(usize::MAX);
            self.movie.back(back);
            (0..back.min(self.rewind.len())).for_each(|_| drop(self.rewind.pop()));
        }
        now
    }

    /// Runs frames without picture and sound, or with them again. The next does not follow the last
    /// one that was shown.
    pub fn set_seen(&mut self, seen: bool) {
        self.console.set_video(seen);
        self.console.set_sound(seen);
        self.elsewhere = true;
    }

    /// Draws the picture of the frame that comes.
    pub fn look_here(&mut self) {
        let mut copy = self.copy();
        copy.console.set_video(true);
        copy.run(self.held);
        self.future = Some(copy.console.picture().clone());
    }

    /// Has the practice session go to another spawn. The movie and the rewind follow.
    ///
    /// # Errors
    /// [`UndoError`]; nothing has changed then.
    pub fn revisit<T>(
        &mut self,
        luck: Luck,
        go: impl FnOnce(&mut Practice, &mut Console, Luck) -> Result<T, UndoError>,
    ) -> Result<T, UndoError> {
        let from = self.console.frame_number();
        let practice = self.practice.as_mut().ok_or(UndoError::Nothing)?;
        let result = go(practice, &mut self.console, luck)?;
        let now = self.bring_along(from);
        if luck != Luck::Same {
            self.movie.mark_diverged();
        }
        (self.exchanged, self.elsewhere) = (true, true);
        self.watched = now;
        self.forget_crash();
        self.sound.clear();
        self.future = None;
        self.console.clear_samples();
        let mut copy = self.copy();
        copy.run(Held::default());
        self.future = Some(copy.console.picture().clone());
        Ok(result)
    }
}
