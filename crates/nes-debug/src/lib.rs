//! The debugger: a console that goes both ways, stops where it is told, and shows what is in it.
//!
//! It is made of observers and of replays. The machine without a breakpoint runs as it does without
//! a debugger; a moment of the last minute is a clone of a keyframe, run up to there again with the
//! same buttons and edits. The crate ends where the outside world begins: it takes bytes and gives
//! values, texts and pictures, so that a terminal, a window and a script show the same. It knows
//! the game by the crate `tetris`, and any other cartridge without.
//!
//! ```
//! use nes::{Cartridge, Config};
//! use nes_debug::{Breakpoint, Debugger, Expression, Goal, Stop, Trigger, Unit};
//! use tetris::Profile;
//!
//! let image = include_bytes!("../../../roms/maxout.nes");
//! let profile = Profile::of_image(image);
//! let mut debugger = Debugger::new(Cartridge::from_bytes(image)?, Config::default(), profile);
//! let condition = Expression::parse("frame > 3 && [@frame_counter] != 0", &debugger.names())?;
//! let nmi = debugger.symbols.address("nmi").ok_or("the game has it")?;
//! debugger.breakpoints.add(Breakpoint { condition: Some(condition), ..Breakpoint::new(Trigger::Execute(nmi..=nmi)) });
//! assert!(matches!(debugger.run(&Goal::Free, 60, &mut || true), Stop::Breakpoint { number: 1, .. }));
//! assert_eq!(debugger.console().cpu.pc, nmi);
//! let cycle = debugger.console().cycle();
//! assert_eq!(debugger.back(&Unit::Instruction, 5), Stop::Done);
//! assert_eq!(debugger.run(&Goal::Instructions(5), 2, &mut || true), Stop::Breakpoint { number: 1, access: None });
//! assert_eq!(debugger.console().cycle(), cycle);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod access;
mod beam;
mod breakpoint;
mod breakpoint_observer;
mod chain;
mod cheat;
pub mod command;
mod crash;
mod debugger;
pub mod expression;
mod history;
mod input;
mod log;
mod moment;
mod recorded;
mod runner;
mod search;
pub mod source;
mod source_travel;
mod space;
mod stop;
pub mod symbols;
mod timeline;
mod travel;
pub mod view;
mod watch;

pub use access::{Accessed, Fetched};
pub use breakpoint::{Breakpoint, Breakpoints, Trigger};
pub use cheat::{Genie, GenieError};
pub use crash::{Crash, CrashCause, CrashWatch, WildJump};
pub use debugger::{Debugger, Interference};
pub use expression::{Expression, ExpressionError};
pub use input::{Input, buttons};
pub use log::{Log, LogMessage};
pub use moment::Register;
pub use recorded::Mark;
pub use runner::Runner;
pub use search::{Criterion, Search};
pub use source::Sources;
pub use space::Space;
pub use stop::{Goal, Stop, Unit, Way};
pub use symbols::{Label, Symbols};
pub use timeline::{Milestone, MilestoneKind, Timeline};
pub use watch::{Notation, Watched, Watches};

/// The one of `names` that `name` was most likely meant to be: at most two letters are another, or
/// one is contained in the other.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_ascii_lowercase();
    names
        .map(|known| (distance(&wanted, &known.to_ascii_lowercase()), known))
        .min()
        .filter(|(distance, _)| *distance <= 2 && *distance < wanted.chars().count())
        .map(|(_, known)| known)
}

/// Letters to be put in, taken out or replaced to make one of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], i + 1);
        for (j, other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
