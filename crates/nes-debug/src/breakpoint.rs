//! Breakpoints: where a run stops, or leaves a line in the log.

use std::fmt;
use std::ops::RangeInclusive;

use crate::log::LogMessage;
use crate::source::Spot;
use crate::stop::CRASH_EVENT;

/// What a breakpoint waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// The instruction at one of these addresses comes next.
    Execute(RangeInclusive<u16>),
    /// The CPU reads, writes or does either at one of these addresses, other than to fetch an
    /// instruction. DMA does not count.
    Memory {
        /// Where.
        at: RangeInclusive<u16>,
        /// Does a read count?
        reads: bool,
        /// Does a write count?
        writes: bool,
    },
    /// The same in the PPU's memory: the CPU's accesses by way of `$2007`, and reads of the PPU
    /// itself, which fetches what it draws. Its palette is inside of it: only the CPU reads it by
    /// an address.
    Video {
        /// Where, `$0000`-`$3FFF`.
        at: RangeInclusive<u16>,
        /// Does a read count?
        reads: bool,
        /// Does a write count?
        writes: bool,
    },
    /// The CPU has taken an NMI; its handler comes next.
    Nmi,
    /// The CPU has taken an IRQ, or a BRK.
    Irq,
    /// A DMA of one of these kinds has held the CPU.
    Dma {
        /// Does an OAM DMA count?
        oam: bool,
        /// Does a DMA of the DMC count?
        dmc: bool,
    },
    /// The PPU has come to this line and dot.
    Beam {
        /// 0-261; on PAL 0-311.
        line: u16,
        /// 0-340.
        dot: u16,
    },
    /// An instruction comes next that a line of the source begins with.
    Source {
        /// The line in words, as `main.c:12`.
        line: String,
        /// Where its code begins.
        spots: Vec<Spot>,
    },
    /// The game has done something: an event of [`tetris::events`], by its name.
    Event(String),
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = |at: &RangeInclusive<u16>| match (at.start(), at.end()) {
            (start, end) if start == end => format!("${start:04X}"),
            (start, end) => format!("${start:04X}-${end:04X}"),
        };
        let verb = |reads: bool, writes: bool| match (reads, writes) {
            (true, false) => "read",
            (false, true) => "write",
            _ => "access",
        };
        match self {
            Self::Execute(at) => write!(f, "execute {}", range(at)),
            Self::Memory { at, reads, writes } => write!(f, "{} {}", verb(*reads, *writes), range(at)),
            Self::Video { at, reads, writes } => write!(f, "ppu {} {}", verb(*reads, *writes), range(at)),
            Self::Nmi => write!(f, "nmi"),
            Self::Irq => write!(f, "irq"),
            Self::Dma { oam: true, dmc: true } => write!(f, "dma"),
            Self::Dma { dmc, .. } => write!(f, "dma {}", if *dmc { "dmc" } else { "oam" }),
            Self::Beam { line, dot } => write!(f, "line {line} {dot}"),
            Self::Source { line, spots } => {
                write!(f, "{line}")?;
                let addresses = spots.iter().map(|spot| format!("${:04X}", spot.address));
                write!(f, " ({})", addresses.collect::<Vec<_>>().join(", "))
            }
            Self::Event(name) => write!(f, "event {name}"),
        }
    }
}

/// A breakpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakpoint {
    /// By which it is named.
    pub number: u32,
    /// What it waits for.
    pub trigger: Trigger,
    /// And only if this holds.
    pub condition: Option<crate::Expression>,
    /// It takes no part while it is off.
    pub enabled: bool,
    /// It leaves a line in the log and does not stop.
    pub log_only: bool,
    /// What that line says, if not what every breakpoint says.
    pub message: Option<LogMessage>,
    /// Hits that pass before it stops.
    pub pass: u64,
    /// It is taken away once it has stopped.
    pub once: bool,
    /// How often what it waits for has happened, the condition holding.
    pub hits: u64,
}

impl Breakpoint {
    /// One that always stops.
    pub fn new(trigger: Trigger) -> Self {
        Self {
            number: 0,
            trigger,
            condition: None,
            enabled: true,
            log_only: false,
            message: None,
            pass: 0,
            once: false,
            hits: 0,
        }
    }
}

impl fmt::Display for Breakpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>3}  {}", self.number, self.trigger)?;
        if let Some(condition) = &self.condition {
            write!(f, " if {}", condition.text())?;
        }
        if self.pass > 0 {
            write!(f, " after {}", self.pass)?;
        }
        if self.log_only {
            write!(f, " log")?;
        }
        if !self.enabled {
            write!(f, " (off)")?;
        }
        write!(f, "  hits {}", self.hits)
    }
}

/// A bit for each address of the CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Map(Box<[u64; 0x400]>);

impl Map {
    fn new() -> Self {
        Self(Box::new([0; 0x400]))
    }

    fn set(&mut self, at: &RangeInclusive<u16>) {
        for address in at.clone() {
            self.0[usize::from(address >> 6)] |= 1 << (address & 63);
        }
    }

    #[inline(always)]
    fn has(&self, address: u16) -> bool {
        self.0[usize::from(address >> 6)] >> (address & 63) & 1 != 0
    }
}

/// All breakpoints, and bit maps of what they wait for.
#[derive(Clone, Debug)]
pub struct Breakpoints {
    list: Vec<Breakpoint>,
    next: u32,
    execute: Map,
    read: Map,
    write: Map,
    /// One waits for something else than an instruction or an access of the CPU: every step is
    /// looked at.
    watches: bool,
    /// One waits for an access through `$2007`.
    video: bool,
    /// Addresses of the PPU whose fetch one waits for; `None` if none does.
    fetch: Option<Map>,
    /// One is there, and it is on.
    any: bool,
}

impl Default for Breakpoints {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            next: 1,
            execute: Map::new(),
            read: Map::new(),
            write: Map::new(),
            watches: false,
            video: false,
            fetch: None,
            any: false,
        }
    }
}

impl Breakpoints {
    /// The number of the breakpoint on a crash of the game that a session begins with.
    pub const CRASH: u32 = 0;

    /// Adds the breakpoint on a crash of the game that a session begins with.
    pub(crate) fn add_crash(&mut self) {
        let breakpoint = Breakpoint::new(Trigger::Event(CRASH_EVENT.to_owned()));
        self.list.insert(0, Breakpoint { number: Self::CRASH, ..breakpoint });
        self.map();
    }

    /// Every breakpoint, in the order of their numbers.
    pub fn list(&self) -> &[Breakpoint] {
        &self.list
    }

    /// Adds one and gives its number.
    pub fn add(&mut self, breakpoint: Breakpoint) -> u32 {
        let number = self.next;
        self.next += 1;
        self.list.push(Breakpoint { number, ..breakpoint });
        self.map();
        number
    }

    /// Takes one away, and says whether it was there.
    pub fn remove(&mut self, number: u32) -> bool {
        let before = self.list.len();
        self.list.retain(|breakpoint| breakpoint.number != number);
        self.map();
        self.list.len() < before
    }

    /// Takes all away.
    pub fn clear(&mut self) {
        self.list.clear();
        self.map();
    }

    /// Switches one on or off, and says whether it is there.
    pub fn enable(&mut self, number: u32, enabled: bool) -> bool {
        let found = self.list.iter_mut().find(|breakpoint| breakpoint.number == number);
        let is_there = found.is_some();
        if let Some(breakpoint) = found {
            breakpoint.enabled = enabled;
        }
        self.map();
        is_there
    }

    fn map(&mut self) {
        let (mut execute, mut read, mut write) = (Map::new(), Map::new(), Map::new());
        (self.watches, self.video, self.any, self.fetch) = (false, false, false, None);
        for breakpoint in self.list.iter().filter(|breakpoint| breakpoint.enabled) {
            match &breakpoint.trigger {
                Trigger::Execute(at) => execute.set(at),
                Trigger::Memory { at, reads, writes } => {
                    if *reads {
                        read.set(at);
                    }
                    if *writes {
                        write.set(at);
                    }
                }
                Trigger::Source { spots, .. } => {
                    for spot in spots {
                        execute.set(&(spot.address..=spot.address));
                    }
                }
                Trigger::Event(_) => continue,
                Trigger::Video { at, reads, .. } => {
                    (self.watches, self.video) = (true, true);
                    if *reads {
                        self.fetch.get_or_insert_with(Map::new).set(at);
                    }
                }
                Trigger::Nmi | Trigger::Irq | Trigger::Dma { .. } | Trigger::Beam { .. } => {
                    self.watches = true;
                }
            }
            self.any = true;
        }
        (self.execute, self.read, self.write) = (execute, read, write);
    }

    pub(crate) fn any(&self) -> bool {
        self.any
    }

    pub(crate) fn watches(&self) -> bool {
        self.watches
    }

    pub(crate) fn watches_video(&self) -> bool {
        self.video
    }

    /// Does one wait for what the PPU fetches?
    pub(crate) fn watches_fetches(&self) -> bool {
        self.fetch.is_some()
    }

    /// Does one wait for a fetch from there?
    #[inline]
    pub(crate) fn fetches(&self, address: u16) -> bool {
        self.fetch.as_ref().is_some_and(|map| map.has(address))
    }

    #[inline(always)]
    pub(crate) fn executes(&self, pc: u16) -> bool {
        self.execute.has(pc)
    }

    #[inline(always)]
    pub(crate) fn accesses(&self, address: u16, write: bool) -> bool {
        if write { self.write.has(address) } else { self.read.has(address) }
    }

    pub(crate) fn list_mut(&mut self) -> &mut [Breakpoint] {
        &mut self.list
    }
}
