//! What the machine is doing, how fast, and when the next frame is due.

use std::time::Duration;

use nes::Region;

use crate::audio::output::AudioOutput;
use crate::config::settings::TimeSettings;
use crate::emulation::pacing::Pace;
use crate::emulation::timing::{FpsCounter, TimingCheck};
use crate::messages::status::{RunState, SoundStatus};

/// Run state and schedule of a machine.
pub(super) struct Transport {
    run_state: RunState,
    /// The state that follows when a key for another one is released.
    resume_state: RunState,
    /// The resume state before the debugger's panels opened.
    before_debugger: RunState,
    settings: TimeSettings,
    /// Whether the game runs at the console's own speed, whatever the player has set.
    at_own_speed: bool,
    region: Region,
    pace: Pace,
    fps: FpsCounter,
    timing_check: Option<TimingCheck>,
}

impl Transport {
    /// Returns the transport of a game that runs from `now` on.
    pub(super) fn new(settings: TimeSettings, now: Duration) -> Self {
        Self {
            run_state: RunState::Running,
            resume_state: RunState::Running,
            before_debugger: RunState::Running,
            settings,
            at_own_speed: false,
            region: Region::Ntsc,
            pace: Pace::new(now).with_speed(settings.speed),
            fps: FpsCounter::default(),
            timing_check: None,
        }
    }

    /// Returns what the machine is doing.
    pub(super) fn run_state(&self) -> RunState {
        self.run_state
    }

    /// Returns the state that follows when a key for another one is released.
    pub(super) fn resume_state(&self) -> RunState {
        self.resume_state
    }

    /// Returns speed and latency as the player has set them.
    pub(super) fn settings(&self) -> TimeSettings {
        self.settings
    }

    /// Returns the speed of the game, in percent of the console's own.
    pub(super) fn speed(&self) -> u16 {
        if self.at_own_speed { 100 } else { self.settings.speed }
    }

    /// Runs the game at the console's own speed, or again as the player has set it.
    pub(super) fn keep_own_speed(&mut self, on: bool, now: Duration) {
        self.at_own_speed = on;
        self.restart(now);
    }

    /// Changes the run state. Returns whether it was another one.
    fn set(&mut self, run_state: RunState, now: Duration) -> bool {
        let changes = run_state != self.run_state;
        if changes {
            self.run_state = run_state;
            self.restart(now);
        }
        changes
    }

    /// Enters a state that lasts. Returns whether it was another one.
    pub(super) fn enter(&mut self, run_state: RunState, now: Duration) -> bool {
        self.resume_state = run_state;
        self.set(run_state, now)
    }

    /// Enters a state for as long as a key is held (`on`), or leaves it for the one before. Returns
    /// whether the state changed.
    pub(super) fn hold(&mut self, run_state: RunState, on: bool, now: Duration) -> bool {
        if on {
            self.set(run_state, now)
        } else {
            self.run_state == run_state && self.set(self.resume_state, now)
        }
    }

    /// The debugger's panels open: keeps the state that follows when they close.
    pub(super) fn debugger_opens(&mut self) {
        self.before_debugger = self.resume_state;
    }

    /// Returns the state that follows when the debugger's panels close.
    pub(super) fn before_debugger(&self) -> RunState {
        self.before_debugger
    }

    /// Takes other settings over; a speed outside 10–200 % is brought inside.
    pub(super) fn set_settings(&mut self, settings: TimeSettings, now: Duration) {
        let settings = TimeSettings { speed: settings.speed.clamp(10, 200), ..settings };
        if settings != self.settings {
            self.settings = settings;
            self.restart(now);
        }
    }

    /// The console is of this region, at whose rate the frames come. Returns whether it was
    /// another.
    pub(super) fn set_region(&mut self, region: Region, now: Duration) -> bool {
        let changed = region != self.region;
        if changed {
            self.region = region;
            self.restart(now);
        }
        changed
    }

    /// Returns the rate of the frames at full speed.
    pub(super) fn frame_rate(&self) -> f64 {
        self.region.frame_rate()
    }

    fn restart(&mut self, now: Duration) {
        self.pace = Pace::new(now).with_region(self.region).with_speed(self.speed());
        self.fps = FpsCounter::default();
    }

    /// Returns how long the next frame is to be waited for.
    pub(super) fn wait(&self, now: Duration) -> Duration {
        match self.run_state {
            RunState::FastForward => Duration::ZERO,
            _ => self.pace.wait(now).unwrap_or(Duration::ZERO),
        }
    }

    /// A frame begins at `now`: schedules the next. The display sets the pace where its `spacing`
    /// is known, in seconds, and close enough; the sound device does otherwise.
    pub(super) fn begin_frame(&mut self, now: Duration, spacing: Option<f64>, audio: &mut AudioOutput) {
        if self.pace.follow(spacing) {
            audio.follow_device(now, self.frame_rate());
            self.pace.frame(now, None);
        } else {
            self.pace.frame(now, audio.surplus(now));
        }
    }

    /// A frame is done, the one of the number `frames`, while the sound device was at `sound`.
    pub(super) fn end_frame(&mut self, now: Duration, frames: u64, sound: Option<SoundStatus>) {
        self.fps.read(now, frames);
        if self.run_state == RunState::Running
            && let Some(sound) = sound
        {
            TimingCheck::read(&mut self.timing_check, frames, sound);
        }
    }

    /// Returns the frames a second, measured; 0 before the first measurement.
    pub(super) fn fps(&self) -> f64 {
        self.fps.rate()
    }

    /// Begins the timing check anew: a command was carried out.
    pub(super) fn restart_timing_check(&mut self) {
        self.timing_check = None;
    }

    /// Returns what the timing check has found since the last command.
    pub(super) fn timing_check(&self) -> Option<TimingCheck> {
        self.timing_check
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Duration = Duration::ZERO;

    #[test]
    fn a_key_that_is_released_leads_back_to_the_state_that_lasts() {
        let mut transport = Transport::new(TimeSettings::default(), NOW);
        assert!(transport.enter(RunState::Paused, NOW) && !transport.enter(RunState::Paused, NOW));
        assert!(transport.hold(RunState::Rewinding, true, NOW));
        assert_eq!(transport.run_state(), RunState::Rewinding);
        assert!(!transport.hold(RunState::FastForward, false, NOW), "that key is not the one");
        assert!(transport.hold(RunState::Rewinding, false, NOW));
        assert_eq!(transport.run_state(), RunState::Paused);
    }

    #[test]
    fn the_state_before_the_debugger_outlasts_it() {
        let mut transport = Transport::new(TimeSettings::default(), NOW);
        transport.debugger_opens();
        transport.enter(RunState::Paused, NOW);
        assert_eq!(transport.before_debugger(), RunState::Running);
    }

    #[test]
    fn what_runs_at_its_own_speed_takes_the_players_speed_again_afterwards() {
        let mut transport = Transport::new(TimeSettings { speed: 50, ..TimeSettings::default() }, NOW);
        assert_eq!(transport.speed(), 50);
        transport.keep_own_speed(true, NOW);
        transport.set_settings(TimeSettings { speed: 200, ..TimeSettings::default() }, NOW);
        assert_eq!(transport.speed(), 100);
        transport.keep_own_speed(false, NOW);
        assert_eq!(transport.speed(), 200);
    }

    #[test]
    fn fast_forward_waits_for_nothing_and_a_speed_is_brought_into_its_range() {
        let mut transport = Transport::new(TimeSettings::default(), NOW);
        transport.begin_frame(
            NOW,
            None,
            &mut AudioOutput::new(crate::config::settings::SoundSettings::default()),
        );
        assert!(transport.wait(NOW) > Duration::from_millis(15));
        transport.hold(RunState::FastForward, true, NOW);
        assert_eq!(transport.wait(NOW), Duration::ZERO);
        transport.set_settings(TimeSettings { speed: 1000, ..TimeSettings::default() }, NOW);
        assert_eq!(transport.settings().speed, 200);
    }
}
