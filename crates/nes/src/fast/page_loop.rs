//! Loops that fill or copy memory, run lap after lap without looking at their instructions again.
//!
//! Programs clear pages and move bytes by a load, a store, a count, often a comparison, and a
//! branch back: `STA $0200,X`, `INX`, `BNE`, or `LDA $60,X`, `STA $40,X`, `DEX`, `BPL`, or
//! `LDA ($10),Y`, `STA $0400,Y`, `INY`, `CPY #200`, `BNE`. Once such a loop has been entered, every
//! further lap in RAM is the same but for its index.

/// The longest loop in bytes: load, store, count, comparison, branch.
pub(crate) const LONGEST: usize = 11;
/// Bytes from the first instruction to the branch.
pub(crate) const BRANCHES: core::ops::RangeInclusive<u16> = 3..=9;

/// An operand that the index is added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    /// The sum stays in page zero.
    ZeroPage(u8),
    Absolute(u16),
    /// The two bytes there, in page zero.
    Pointer(u8),
}

/// A load or store, and its base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Operand {
    base: Base,
    by_y: bool,
}

/// When the branch is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum While {
    NotZero,
    Positive,
    /// The index is another than this, to which it is compared.
    Not(u8),
}

/// What a lap does, and in how many cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PageLoop {
    load: Option<Base>,
    store: Base,
    by_y: bool,
    down: bool,
    goes_on: While,
    cycles: u64,
}

/// Registers that a lap may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Registers {
    pub(crate) a: u8,
    pub(crate) x: u8,
    pub(crate) y: u8,
    /// What the flags N and Z come from.
    pub(crate) counted: u8,
    /// The flag C, if a comparison sets it.
    pub(crate) carry: Option<bool>,
}

impl PageLoop {
    /// The loop whose first instruction begins `code` and whose branch is `branch` bytes further.
    #[inline]
    pub(crate) fn read(code: &[u8; LONGEST], branch: u16) -> Option<Self> {
        let mut at = 0;
        let mut cycles = 2 + 3;
        let mut load = None;
        let mut operand = |zero_page: u8, pointer: u8, by_x: u8, by_y: u8, absolute_cycles: u64| {
            let opcode = *code.get(at)?;
            let (low, high) = (*code.get(at + 1)?, *code.get(at + 2)?);
            if opcode == zero_page {
                (at, cycles) = (at + 2, cycles + 4);
                return Some(Operand { base: Base::ZeroPage(low), by_y: false });
            }
            if opcode == pointer {
                (at, cycles) = (at + 2, cycles + absolute_cycles + 1);
                return Some(Operand { base: Base::Pointer(low), by_y: true });
            }
            if opcode != by_x && opcode != by_y {
                return None;
            }
            (at, cycles) = (at + 3, cycles + absolute_cycles);
            Some(Operand { base: Base::Absolute(u16::from_le_bytes([low, high])), by_y: opcode == by_y })
        };
        // LDA d,X; LDA (d),Y; LDA a,X; LDA a,Y.
        let source = operand(0xB5, 0xB1, 0xBD, 0xB9, 4);
        // STA d,X; STA (d),Y; STA a,X; STA a,Y.
        let target = operand(0x95, 0x91, 0x9D, 0x99, 5)?;
        if let Some(source) = source {
            if source.by_y != target.by_y {
                return None;
            }
            load = Some(source.base);
        }
        let (by_y, down) = match *code.get(at)? {
            0xE8 => (false, false), // INX
            0xCA => (false, true),  // DEX
            0xC8 => (true, false),  // INY
            0x88 => (true, true),   // DEY
            _ => return None,
        };
        at += 1;
        let compare = if by_y { 0xC0 } else { 0xE0 }; // CPY, CPX
        let limit = if *code.get(at)? == compare {
            (at, cycles) = (at + 2, cycles + 2);
            Some(*code.get(at - 1)?)
        } else {
            None
        };
        let goes_on = match (*code.get(at)?, limit) {
            (0xD0, None) => While::NotZero,  // BNE
            (0x10, None) => While::Positive, // BPL
            (0xD0, Some(limit)) => While::Not(limit),
            _ => return None,
        };
        let ends_here = usize::from(branch) == at && *code.get(at + 1)? == (branch as u8 + 2).wrapping_neg();
        (ends_here && by_y == target.by_y).then_some(Self {
            load,
            store: target.base,
            by_y,
            down,
            goes_on,
            cycles,
        })
    }

    /// Where its instructions begin, counted from the first.
    pub(crate) fn instructions(&self) -> impl Iterator<Item = u16> + use<> {
        let length = |base: Base| if matches!(base, Base::Absolute(_)) { 3 } else { 2 };
        let store = self.load.map_or(0, length);
        let count = store + length(self.store);
        let branch = count + if matches!(self.goes_on, While::Not(_)) { 3 } else { 1 };
        [0, store, count, count + 1, branch].into_iter()
    }

    /// Runs laps that are over within `cycles` and after which the loop goes on, in `ram`. An
    /// access that `selected` names (address, write) is left to whoever watches it, and so is one
    /// beyond RAM. Returns the cycles that were run.
    #[inline]
    pub(crate) fn run(
        &self,
        registers: &mut Registers,
        ram: &mut [u8; 0x800],
        cycles: u64,
        selected: impl Fn(u16, bool) -> bool,
    ) -> u64 {
        let Registers { mut a, x, y, .. } = *registers;
        let (mut index, mut run) = (if self.by_y { y } else { x }, 0);
        // Pointers stay as they are while nothing is written to them.
        let mut pointers = [None; 2];
        let mut resolved = |base: Base, number: usize| {
            let Base::Pointer(low) = base else { return base };
            let places = [low, low.wrapping_add(1)].map(u16::from);
            pointers[number] = Some(places);
            Base::Absolute(u16::from_le_bytes(places.map(|place| ram[usize::from(place)])))
        };
        let store = resolved(self.store, 0);
        let load = self.load.map(|load| resolved(load, 1));
        let mut places = pointers.iter().flatten().flatten();
        if places.any(|&place| selected(place, false)) {
            return 0;
        }
        while run + self.cycles <= cycles {
            let next = if self.down { index.wrapping_sub(1) } else { index.wrapping_add(1) };
            let goes_on = match self.goes_on {
                While::NotZero => next != 0,
                While::Positive => next < 0x80,
                While::Not(limit) => next != limit,
            };
            let Some(to) = address(store, index).filter(|&to| goes_on && !selected(to, true)) else {
                break;
            };
            if pointers.iter().flatten().flatten().any(|&place| place == to & 0x7FF) {
                break;
            }
            if let Some(load) = load {
                let from =
                    address(load, index).filter(|&from| !crosses(load, from) && !selected(from, false));
                let Some(from) = from else { break };
                a = ram[usize::from(from & 0x7FF)];
            }
            ram[usize::from(to & 0x7FF)] = a;
            index = next;
            run += self.cycles;
        }
        registers.a = a;
        (registers.counted, registers.carry) = match self.goes_on {
            While::Not(limit) => (index.wrapping_sub(limit), Some(index >= limit)),
            While::NotZero | While::Positive => (index, None),
        };
        *if self.by_y { &mut registers.y } else { &mut registers.x } = index;
        run
    }
}

/// The address in RAM that `base` and `index` name.
#[inline]
fn address(base: Base, index: u8) -> Option<u16> {
    match base {
        Base::ZeroPage(base) => Some(base.wrapping_add(index).into()),
        // The byte on the same page that is read before is in RAM, too.
        Base::Absolute(base) => {
            Some(base.wrapping_add(index.into())).filter(|&sum| base < 0x2000 && sum < 0x2000)
        }
        Base::Pointer(_) => None,
    }
}

/// Does a load take one cycle more, because its address is on another page than its base?
#[inline]
fn crosses(base: Base, address: u16) -> bool {
    matches!(base, Base::Absolute(base) if base >> 8 != address >> 8)
}

/// Returns whether a loop, from its first instruction to its branch, is one whose laps are run
/// without looking at its instructions again; tests ask for it.
#[doc(hidden)]
pub fn takes_in_laps(code: &[u8]) -> bool {
    let mut padded = [0xEA; LONGEST];
    padded.iter_mut().zip(code).for_each(|(byte, code)| *byte = *code);
    PageLoop::read(&padded, code.len().saturating_sub(2) as u16).is_some()
}
