//! One game on one console.

use std::time::{Duration, Instant};

use ::value::{Format, Mind};
use autopilot::{Autopilot, Guard, Settings, Substitution};
use cpu_time::ThreadTime;
use emulator::{Attached, Emulator, Pieces};
use nes::fm2::FrameInput;
use nes::{Buttons, Config, Console};
use randomizers::Kind;
use tetris::View;
use tetris::events::GameType;
use tetris::ram::play_state::{B_GOAL, CLEAR, CURTAIN, ENDED, LINES};
use tetris::ram::{self, render_mode};
use tetris::scoring;

use super::report::{Ending, GameResult};
use super::{Limits, Unit};
use cli::game::Known;
use cli::interrupt::Interrupt;
use cli::progress::Progress;

/// What a game is played with.
pub(super) struct Table<'a> {
    pub(super) known: &'a Known,
    pub(super) settings: Settings,
    /// The format of the player for points and by what it judges, where that one plays.
    pub(super) points: Option<(Format, Mind)>,
    pub(super) limits: Limits,
    pub(super) guard: bool,
    pub(super) randomizer: Option<Kind>,
    pub(super) seed: u32,
    /// Is the picture drawn?
    pub(super) video: bool,
    /// Are the buttons and the console wanted afterwards?
    pub(super) keeps: bool,
    /// What progress is counted in.
    pub(super) counts: Unit,
}

/// A game that was played.
pub(super) struct Played {
    pub(super) result: GameResult,
    /// The buttons from power-on, and the console at the end.
    pub(super) kept: Option<(Vec<FrameInput>, Console)>,
}

/// Points from which on an A-type game has an ending.
const ENDING_SCORE: u32 = 30_000;
/// Frames in which an ending begins, and frames of it that are shown.
const TO_ENDING: u32 = 1_500;
const OF_ENDING: u32 = 300;
/// Frames within which a game begins, at most, but for the wait.
const TO_GAME: u64 = 10_000;
/// Frames without a further piece after which a game is given up: many times the slowest fall, and
/// every screen between two games.
const STALL: u64 = 20_000;
/// Frames between two looks at Ctrl-C.
const PORTION: u64 = 256;

/// A game in progress.
struct LiveGame<'a> {
    table: &'a Table<'a>,
    emulator: Emulator,
    player: Autopilot,
    guard: Option<Guard>,
    /// Frame of the last decision.
    decided: u64,
    movie: Vec<FrameInput>,
    clears: [u32; 4],
    points: u64,
    spent: Duration,
    longest: Duration,
}

impl Table<'_> {
    /// Plays until a limit or the game's end; `None` if Ctrl-C came before.
    pub(super) fn play(&self, interrupt: &Interrupt, progress: &Progress) -> Option<Played> {
        let profile = &self.known.profile;
        let dealer = self.randomizer.map(|kind| kind.seeded(self.seed.into()));
        let settings = Settings { wait: self.seed, ..self.settings.clone() };
        let config = Config { video: self.video, ..Config::default() };
        let mut emulator = Emulator::bare(self.known.cartridge.clone(), config);
        emulator.watch_crashes(Some(profile));
        let pieces = dealer.map(|dealer| Substitution::new(profile.clone(), dealer));
        emulator.set_pieces(pieces.map(|pieces| Pieces::new(pieces, String::new())));
        let mut session = LiveGame {
            table: self,
            decided: 0,
            emulator,
            player: match &self.points {
                Some((format, mind)) => {
                    Autopilot::for_points(profile.clone(), settings, *format, mind.clone())
                }
                None => Autopilot::new(profile.clone(), settings),
            },
            guard: self.guard.then(|| Guard::new(profile)),
            movie: Vec::new(),
            clears: [0; 4],
            points: 0,
            spent: Duration::ZERO,
            longest: Duration::ZERO,
        };
        let begun = Instant::now();
        let mut reached = 0;
        let ending = loop {
            if session.emulator.frame_number().is_multiple_of(PORTION) {
                interrupt.check().ok()?;
            }
            if let Some(ending) = session.ending() {
                break ending;
            }
            session.frame();
            let now = session.progress();
            if now > reached {
                progress.advance(now - reached);
                reached = now;
            }
        };
        let seconds = begun.elapsed().as_secs_f64();
        let mut result = session.result(ending, seconds);
        if self.video {
            session.show_ending(&mut result);
        }
        let LiveGame { movie, emulator, .. } = session;
        Some(Played { result, kept: self.keeps.then(|| (movie, emulator.state().clone())) })
    }
}

impl LiveGame<'_> {
    fn memory(&self) -> [u8; 0x800] {
        self.table.known.profile.as_mapped(self.emulator.state().ram())
    }

    fn frame(&mut self) {
        let before = self.memory();
        let view = View::new(&before);
        let (state, completed) = (view.play_state(), view.byte(ram::LINES_COMPLETED));
        let (decisions, begun) = (self.player.decisions(), ThreadTime::now());
        let buttons = self.player.prepare(self.emulator.console());
        if self.player.decisions() > decisions {
            let took = begun.elapsed();
            self.decided = self.emulator.frame_number();
            self.spent += took;
            self.longest = self.longest.max(took);
        }
        let mut pads = [buttons, Buttons::empty()];
        if self.table.keeps {
            self.movie.push(FrameInput { pads, ..FrameInput::default() });
        }
        // Points are counted in these states.
        let mut guard = self.guard.as_mut().filter(|_| matches!(state, CLEAR | LINES));
        self.emulator.frame_with(&mut pads, Attached::default(), &mut guard);
        let counted = self.memory()[ram::LINES_COMPLETED.at()] == 0;
        if matches!(state, CLEAR | LINES) && counted && (1..=4).contains(&completed) {
            self.clears[usize::from(completed) - 1] += 1;
            let level = self.memory()[ram::LEVEL.at()];
            self.points += u64::from(scoring::points(completed.into(), level.into()));
        }
    }

    /// Why the game is to stop here, if it is.
    fn ending(&self) -> Option<Ending> {
        let memory = self.memory();
        let view = View::new(&memory);
        let (limits, frames) = (self.table.limits, self.emulator.frame_number());
        if self.emulator.crash().is_some() {
            return Some(Ending::Crashed);
        }
        if frames >= limits.frames {
            return Some(Ending::Limit);
        }
        if self.player.decisions() > 0 && frames > self.decided + STALL {
            return Some(Ending::Stalled);
        }
        let plays = view.in_game() && view.in_play();
        if !plays {
            let late = frames > TO_GAME + u64::from(self.table.seed);
            return (late && self.player.decisions() == 0).then_some(Ending::NoGame);
        }
        let b_type = self.table.settings.game_type == GameType::B;
        match view.play_state() {
            // What follows, sign and ending, is part of this state; the game is over behind it.
            B_GOAL if b_type && view.lines() == 0 => Some(Ending::Won),
            CURTAIN | ENDED => Some(Ending::TopOut),
            _ if !b_type && view.lines() >= limits.lines => Some(Ending::Limit),
            _ if pieces(view) >= limits.pieces => Some(Ending::Limit),
            _ => None,
        }
    }

    fn progress(&self) -> u64 {
        let memory = self.memory();
        let view = View::new(&memory);
        let b_type = self.table.settings.game_type == GameType::B;
        match self.table.counts {
            Unit::Frames => self.emulator.frame_number(),
            _ if self.player.decisions() == 0 => 0,
            Unit::Pieces => pieces(view).into(),
            Unit::Lines if b_type => 25u64.saturating_sub(view.lines().into()),
            Unit::Lines => view.lines().into(),
        }
    }

    fn result(&self, ending: Ending, seconds: f64) -> GameResult {
        let memory = self.memory();
        let view = View::new(&memory);
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        let frames = self.emulator.frame_number();
        let decisions = self.player.decisions();
        GameResult {
            seed: self.table.seed,
            ending,
            lines: view.lines(),
            score: view.score(),
            level: view.level(),
            pieces: pieces(view),
            clears: self.clears,
            points: self.points,
            frames,
            decisions,
            mispredictions: self.player.mispredictions(),
            mean_decision_ms: milliseconds(self.spent) / decisions.max(1) as f64,
            worst_decision_ms: milliseconds(self.longest),
            frames_per_second: frames as f64 / seconds.max(1e-9),
            state: self.state(),
            crash: self.emulator.crash().map(ToString::to_string),
        }
    }

    fn state(&self) -> String {
        format!("{:016x}", self.emulator.state_hash())
    }

    /// Goes on to the ending, if the game earned one.
    fn show_ending(&mut self, result: &mut GameResult) {
        let a_type = self.table.settings.game_type == GameType::A;
        let earned = match result.ending {
            Ending::Won => true,
            Ending::TopOut => a_type && result.score >= ENDING_SCORE,
            _ => false,
        };
        if !earned {
            return;
        }
        let shown = |session: &Self| session.memory()[ram::RENDER_MODE.at()] == render_mode::ENDING;
        for _ in 0..TO_ENDING {
            if self.emulator.crash().is_some() {
                break;
            }
            if shown(self) {
                (0..OF_ENDING).for_each(|_| self.frame());
                break;
            }
            self.frame();
        }
        result.frames = self.emulator.frame_number();
        result.state = self.state();
    }
}

fn pieces(view: View) -> u32 {
    view.piece_counts().iter().sum()
}
