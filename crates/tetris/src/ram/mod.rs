//! The memory map: every named place of the 2 KiB of RAM.
//!
//! Sources: the published disassemblies' facts, in this project's words; the built-in cartridge
//! keeps every one of these addresses. A place is read as `ram[ram::LEVEL.at()]`, or through
//! [`View`](crate::View).

mod map;
mod values;

pub use map::*;
pub use values::*;

/// What a place is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    /// The state of the game: the model knows it.
    Game,
    /// Scratch of the moment: what it holds between frames means nothing.
    Scratch,
    /// Sprites being staged.
    Sprites,
    /// The sound engine's own.
    Sound,
    /// The processor's stack.
    Stack,
}

/// A named variable in RAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// The constant's name in lower case.
    pub name: &'static str,
    /// Its first address.
    pub address: u16,
    /// Its length in bytes.
    pub bytes: u16,
    /// What it is for.
    pub purpose: Use,
    /// What it holds, with its values.
    pub about: &'static str,
}

impl Variable {
    /// Its first address as an index into RAM.
    pub const fn at(self) -> usize {
        self.address as usize
    }

    /// Its addresses as a range of indices into RAM.
    pub const fn range(self) -> core::ops::Range<usize> {
        self.at()..self.at() + self.bytes as usize
    }
}

/// The place of [`MAP`] that holds `address`, the narrowest if several do; `None` where nothing is
/// named.
///
/// ```
/// use tetris::ram;
///
/// assert_eq!(ram::place_of(0x0064).map(|place| place.name), Some("level"));
/// assert_eq!(ram::place_of(0x0404).map(|place| place.name), Some("playfield"));
/// assert_eq!(ram::place_of(0x07FF), None);
/// ```
pub fn place_of(address: u16) -> Option<&'static Variable> {
    let holds = |place: &&Variable| place.range().contains(&usize::from(address));
    MAP.iter().filter(holds).min_by_key(|place| place.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_ascends_and_overlaps_only_where_a_place_lies_in_a_block() {
        let mut names = std::collections::HashSet::new();
        for pair in MAP.windows(2) {
            let [before, after] = pair else { unreachable!("windows of two") };
            assert!(before.address <= after.address, "{} before {}", before.name, after.name);
            let apart = before.range().end <= after.at();
            let inside = after.range().end <= before.range().end;
            assert!(apart || inside, "{} and {}", before.name, after.name);
        }
        for place in MAP {
            assert!(place.bytes > 0 && place.range().end <= 0x800, "{}", place.name);
            assert!(names.insert(place.name), "{} twice", place.name);
        }
    }
}
