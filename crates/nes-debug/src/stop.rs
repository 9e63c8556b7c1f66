//! Why a run ended, and what it was to run to.

use tetris::events::Record;

use crate::Expression;
use crate::access::Accessed;

/// Where a run is to stop, unless something else stops it before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Nowhere.
    Free,
    /// After so many instructions; the sequence of an interrupt counts as one.
    Instructions(u64),
    /// After the next instruction, a subroutine that it calls included.
    Over,
    /// After the return from the present subroutine or interrupt.
    Out,
    /// After so many changes of the PPU's line.
    Lines(u64),
    /// At the first instruction that begins so many dots or more from here.
    Dots(u64),
    /// At the first instruction that begins at this line and dot or behind them.
    Beam {
        /// 0-261; on PAL 0-311.
        line: u16,
        /// 0-340.
        dot: u16,
    },
    /// After so many ends of frames, where vertical blank begins.
    Frames(u64),
    /// Before the handler of so many NMIs.
    Nmi(u64),
    /// Before the handler of so many IRQs or BRKs.
    Irq(u64),
    /// At the end of the frame in which the game has done this so many times, by the names of
    /// [`tetris::events`].
    Event(String, u64),
    /// Before the instruction at this address.
    Address(u16),
    /// At another line of the source.
    Source(Way),
    /// Before the first instruction at which this holds.
    Until(Expression),
}

/// Units to go back by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// An instruction.
    Instruction,
    /// Over the subroutines that were called and have returned.
    Over,
    /// To the call of the present subroutine, or where the interrupt came.
    Out,
    /// The first instruction of a line of the PPU.
    Line,
    /// A dot; the instruction that it is in begins there or before.
    Dot,
    /// The end of a frame.
    Frame,
    /// The handler of an NMI.
    Nmi,
    /// The handler of an IRQ or BRK.
    Irq,
    /// The end of a frame in which the game has done this.
    Event(String),
    /// The last instruction before which this holds.
    Until(Expression),
    /// The beginning of a line of the source, in the same function or in those that called it.
    Source,
    /// Where a breakpoint would have stopped a run, however many hits it lets pass.
    Breakpoint,
}

/// Which lines of the source a step may end at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// Those of the functions that a line calls, too. From C, only C is entered, and what it knows
    /// by name.
    Into,
    /// Those of the same function, and of those that called it.
    Over,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It has come to where it was to.
    Done,
    /// A breakpoint.
    Breakpoint {
        /// Its number.
        number: u32,
        /// The access that it is about.
        access: Option<Accessed>,
    },
    /// A breakpoint on an event, or the event that was run to.
    Event {
        /// The breakpoint's number; `None` if it was run to.
        number: Option<u32>,
        /// What the game did.
        record: Record,
    },
    /// As many frames as were allowed have passed.
    Limit,
    /// The user wants it to stop.
    Interrupted,
    /// The CPU has jammed: only a reset helps.
    Jammed,
    /// Going back, the oldest moment that is remembered.
    Oldest,
}

/// The name of a crash of the game, among what it does.
pub(crate) const CRASH_EVENT: &str = "crash";

/// The name of what the game did.
pub(crate) fn event_name(record: &Record) -> String {
    let value = serde_json::to_value(record).unwrap_or_default();
    value["event"].as_str().unwrap_or_default().to_owned()
}

/// Whether an event is meant by a name; `any` is every one but input, which is one nearly every
/// frame.
pub(crate) fn is_called(name: &str, event: &str) -> bool {
    name == event || (name == "any" && event != "input")
}
