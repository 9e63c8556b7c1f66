//! A game that has crashed: noticed, with the jump that went wild.

use core::fmt;
use core::ops::{ControlFlow, RangeInclusive};

use nes::{Break, Console, Cpu, Mainboard, Observer};
use tetris::events::{CrashKind, Event, Jump, Record};
use tetris::{Profile, View, ram};

use crate::view::jump::{range, target};

/// Frames that the game may take to come back to its wait. A hundred more than the longest time
/// that the original spends in the "confetti" of a frame that was late, which ends when the frame
/// counter's low byte is 255.
const LONGEST: u32 = 356;

/// Frames in which RAM has to hold what it cannot.
const STRANGE: u32 = 8;

/// Jumps that are under way at most: the main program's and an interrupt's, and some of a program
/// gone astray.
const DEPTH: usize = 8;

/// A jump through a table that an interrupt has sent elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WildJump {
    /// Address of the jump.
    pub from: u16,
    /// Where it was to lead.
    pub meant: u16,
    /// Where it led.
    pub went: u16,
}

/// How a crash shows itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrashCause {
    /// The CPU has executed an opcode that stops it.
    Jammed,
    /// A jump through a table went wild.
    Jump(WildJump),
    /// For so many frames the game has not come back to its wait for the interrupt, or the
    /// interrupts have ended.
    NoReturn {
        /// Frames.
        frames: u32,
    },
    /// The game waits, and RAM holds what it never holds then.
    Impossible {
        /// Name of the place.
        place: &'static str,
        /// What it holds.
        value: u8,
    },
}

/// A game that has crashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crash {
    /// Frame at whose end it was noticed, since power-on.
    pub frame: u64,
    /// The level that RAM holds.
    pub level: u8,
    /// The program counter at the end of that frame.
    pub pc: u16,
    /// How it shows itself.
    pub cause: CrashCause,
    /// The jump that went wild before, if one was seen.
    pub jump: Option<WildJump>,
}

impl Crash {
    /// The frame before which the game was still well, as far as can be told.
    pub fn begun(&self) -> u64 {
        let unnoticed = match self.cause {
            CrashCause::Jammed | CrashCause::Jump(_) => 1,
            CrashCause::NoReturn { frames } => frames.into(),
            CrashCause::Impossible { .. } => STRANGE.into(),
        };
        self.frame.saturating_sub(unnoticed)
    }

    /// It as an event of the game's stream.
    pub fn record(&self) -> Record {
        let cause = match self.cause {
            CrashCause::Jammed => CrashKind::Jammed,
            CrashCause::Jump(_) => CrashKind::Jump,
            CrashCause::NoReturn { .. } => CrashKind::NoReturn,
            CrashCause::Impossible { .. } => CrashKind::Impossible,
        };
        let Self { frame, level, pc, jump, .. } = *self;
        let jump = jump.map(|WildJump { from, meant, went }| Jump { from, meant, went });
        Record { frame, event: Event::Crash { level, pc, cause, jump } }
    }
}

impl fmt::Display for WildJump {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, meant, went } = self;
        write!(formatter, "the jump at ${from:04X} led to ${went:04X} instead of ${meant:04X}")
    }
}

impl fmt::Display for CrashCause {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Jammed => formatter.write_str("the CPU is jammed"),
            Self::Jump(jump) => jump.fmt(formatter),
            Self::NoReturn { frames } => {
                write!(formatter, "no return to the game's wait for {frames} frames")
            }
            Self::Impossible { place, value } => {
                write!(formatter, "{place} holds {value}, which it never does")
            }
        }
    }
}

impl fmt::Display for Crash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frame, level, pc, cause, jump } = self;
        write!(formatter, "the game has crashed in frame {frame}, at level {level}, PC ${pc:04X}: {cause}")?;
        match (cause, jump) {
            (CrashCause::Jump(_), _) | (_, None) => Ok(()),
            (_, Some(jump)) => write!(formatter, "; {jump}"),
        }
    }
}

/// Notices that a game has crashed.
///
/// It observes a run, by two addresses alone: the subroutine of the jump tables, whose goal stands
/// in two bytes of RAM that the interrupt uses as well. [`CrashWatch::end_frame`] is called after
/// each frame. A frame that it has not observed is judged by the CPU and by RAM alone.
///
/// ```
/// use nes::{Buttons, Cartridge, Config, Console};
/// use nes_debug::CrashWatch;
/// use tetris::Profile;
///
/// let image = include_bytes!("../../../roms/maxout.nes");
/// let profile = Profile::of_image(image).ok_or("a cartridge of Tetris")?;
/// let mut console = Console::new(Cartridge::from_bytes(image)?, Config::default());
/// let mut watch = CrashWatch::new(&profile, &console);
/// for _ in 0..10 {
///     let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut watch);
///     assert_eq!(watch.end_frame(&console), None);
/// }
/// console.cpu.jammed = true;
/// let crash = watch.end_frame(&console).ok_or("jammed")?;
/// assert_eq!((crash.frame, crash.level), (10, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CrashWatch {
    profile: Profile,
    /// The subroutine, from its first instruction to its jump; empty where there is none.
    range: RangeInclusive<u16>,
    /// Where the jumps under way are to lead, the innermost last.
    meant: Vec<u16>,
    /// The first that led elsewhere.
    wild: Option<WildJump>,
    /// Frames without a return to the wait, and the frame counter's low byte after the last.
    absent: u32,
    counter: u8,
    /// Frames in which RAM held what it cannot.
    strange: u32,
}

impl CrashWatch {
    /// Watches `console`, whose cartridge `profile` is of.
    pub fn new(profile: &Profile, console: &Console) -> Self {
        // An empty range is never entered.
        let none = RangeInclusive::new(1, 0);
        Self {
            profile: profile.clone(),
            range: range(profile, console).unwrap_or(none),
            meant: Vec::new(),
            wild: None,
            absent: 0,
            counter: 0,
            strange: 0,
        }
    }

    /// Forgets what it has seen: another state was loaded, or the console was reset.
    pub fn forget(&mut self) {
        self.meant.clear();
        (self.wild, self.absent, self.strange) = (None, 0, 0);
    }

    /// Looks at a frame that is over. Returns what the game has come to if it has crashed, then and
    /// in every later frame.
    pub fn end_frame(&mut self, console: &Console) -> Option<Crash> {
        let memory = self.profile.as_mapped(console.ram());
        let view = View::new(&memory);
        let cause = self.cause(console, view)?;
        Some(Crash {
            frame: console.frame_number(),
            level: view.level(),
            pc: console.cpu.pc,
            cause,
            jump: self.wild,
        })
    }

    fn cause(&mut self, console: &Console, view: View) -> Option<CrashCause> {
        if console.cpu.jammed {
            return Some(CrashCause::Jammed);
        }
        if let Some(jump) = self.wild {
            return Some(CrashCause::Jump(jump));
        }
        let counter = view.byte(ram::FRAME_COUNTER);
        let waits = view.byte(ram::VBLANK_DONE) == 0;
        let returned = waits && counter != self.counter;
        self.absent = if returned { 0 } else { self.absent.saturating_add(1) };
        self.counter = counter;
        if self.absent >= LONGEST {
            return Some(CrashCause::NoReturn { frames: self.absent });
        }
        let strange = if waits { impossible(view) } else { None };
        self.strange = if strange.is_some() { self.strange + 1 } else { 0 };
        strange.filter(|_| self.strange >= STRANGE)
    }
}

/// What RAM holds that it never does while the game waits for the interrupt.
fn impossible(view: View) -> Option<CrashCause> {
    use tetris::ram::{mode_state, play_state};
    if !(view.in_game() && view.in_play()) {
        return None;
    }
    // A frame of play ends behind the last state, the first of the next being set; a pause, the
    // end of a game and the sign of a won B-type wait inside theirs.
    let state = view.byte(ram::MODE_STATE);
    let waits = matches!(state, 0..=mode_state::PLAYER_1 | mode_state::PAUSE);
    if !waits {
        return Some(CrashCause::Impossible { place: ram::MODE_STATE.name, value: state });
    }
    let state = view.play_state();
    (state > play_state::NEXT).then_some(CrashCause::Impossible { place: ram::PLAY_STATE.name, value: state })
}

impl Observer for CrashWatch {
    const WATCHES: bool = false;
    const SELECTS: bool = true;
    const COMPILED: bool = !cfg!(debug_assertions);

    #[inline(always)]
    fn selects_step(&self, pc: u16) -> bool {
        pc == *self.range.start() || pc == *self.range.end()
    }

    fn step(&mut self, cpu: &Cpu, board: &Mainboard) -> ControlFlow<Break> {
        if self.range.is_empty() || cpu.interrupt_pending() {
            return ControlFlow::Continue(());
        }
        if cpu.pc == *self.range.start() && self.meant.len() < DEPTH {
            self.meant.push(target(cpu, board));
        } else if cpu.pc == *self.range.end()
            && let Some(meant) = self.meant.pop()
        {
            let word = |at: u16| u16::from_le_bytes([board.peek(at), board.peek(at.wrapping_add(1))]);
            let went = word(word(cpu.pc.wrapping_add(1)));
            if went != meant {
                self.wild = self.wild.or(Some(WildJump { from: cpu.pc, meant, went }));
            }
        }
        ControlFlow::Continue(())
    }
}
