//! The search for a value in RAM: what is still possible after each look.

use nes::{Console, Memory};

/// How a byte compares to what it was, or to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// Another than at the last look.
    Changed,
    /// The same as at the last look.
    Unchanged,
    /// More than at the last look.
    Greater,
    /// Less than at the last look.
    Less,
    /// So much more than at the last look, modulo 256.
    By(u8),
    /// This number.
    Equal(u8),
    /// Any but this number.
    Unequal(u8),
}

/// A search through the RAM, the cartridge's included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// Address and byte at the last look, of each that is still possible.
    candidates: Vec<(u16, u8)>,
}

/// Every byte of RAM with its address.
fn bytes(console: &Console) -> Vec<(u16, u8)> {
    let work = (0..).zip(console.ram().iter().copied());
    let cartridge = console.memory(Memory::PrgRam);
    let cartridge = (0x6000..0x8000).zip(cartridge.iter().copied());
    work.chain(cartridge).collect()
}

impl Search {
    /// Every byte is possible.
    pub fn new(console: &Console) -> Self {
        Self { candidates: bytes(console) }
    }

    /// Keeps what meets a criterion, and looks at all that is kept.
    pub fn keep(&mut self, console: &Console, criterion: Criterion) {
        self.against(console, None, criterion);
    }

    /// The same, compared with an older look instead of the last.
    pub fn against(&mut self, console: &Console, older: Option<&Self>, criterion: Criterion) {
        let now = bytes(console);
        let byte = |list: &[(u16, u8)], address| {
            list.binary_search_by_key(&address, |&(known, _)| known).ok().map(|at| list[at].1)
        };
        self.candidates.retain_mut(|(address, last)| {
            let Some(value) = byte(&now, *address) else { return false };
            let before = older.and_then(|older| byte(&older.candidates, *address)).unwrap_or(*last);
            let kept = match criterion {
                Criterion::Changed => value != before,
                Criterion::Unchanged => value == before,
                Criterion::Greater => value > before,
                Criterion::Less => value < before,
                Criterion::By(step) => value == before.wrapping_add(step),
                Criterion::Equal(wanted) => value == wanted,
                Criterion::Unequal(other) => value != other,
            };
            *last = value;
            kept
        });
    }

    /// Addresses that are still possible, and their bytes at the last look.
    pub fn candidates(&self) -> &[(u16, u8)] {
        &self.candidates
    }
}

#[cfg(test)]
mod tests {
    use nes::{Buttons, Cartridge, Config};

    use super::*;

    const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");

    #[test]
    fn the_frame_counter_is_found_by_how_it_counts() {
        let mut console = Console::new(Cartridge::from_bytes(IMAGE).unwrap(), Config::default());
        let frames = |console: &mut Console, count| {
            for _ in 0..count {
                let _ = console.run_frame(&mut [Buttons::empty(); 2], &mut ());
            }
        };
        frames(&mut console, 100);
        let mut search = Search::new(&console);
        let first = search.clone();
        assert_eq!(search.candidates().len(), 0x800);
        for step in [1, 3, 5, 7] {
            frames(&mut console, u32::from(step));
            search.keep(&console, Criterion::By(step));
        }
        search.against(&console, Some(&first), Criterion::By(16));
        let found: Vec<u16> = search.candidates().iter().map(|&(address, _)| address).collect();
        assert!(found.contains(&tetris::ram::FRAME_COUNTER.address) && found.len() < 4, "{found:04X?}");
        search.keep(&console, Criterion::Unchanged);
        search.keep(&console, Criterion::Changed);
        assert!(search.candidates().is_empty());
    }
}
