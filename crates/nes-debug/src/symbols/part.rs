//! FCEUX's name lists: one for the RAM and one for each bank.

use super::label::{BANK, WINDOW};
use super::{Format, Label, SymbolError, Symbols};

/// What a name list is about, by the end of its name: `game.nes.ram.nl`, `game.nes.0.nl`,
/// `game.nes.A.nl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Everything below `$8000`.
    Ram,
    /// A bank of 16 KiB of PRG-ROM.
    Bank(usize),
}

impl Part {
    /// The one that a name says; `None` if it says none.
    ///
    /// ```
    /// use nes_debug::symbols::Part;
    /// assert_eq!(Part::of_name("game.nes.A.nl"), Some(Part::Bank(10)));
    /// assert_eq!(Part::of_name("game.nes.ram.nl"), Some(Part::Ram));
    /// assert_eq!(Part::of_name("game.nl"), None);
    /// ```
    pub fn of_name(name: &str) -> Option<Self> {
        let (stem, end) = name.rsplit_once('.')?;
        let (_, part) = stem.rsplit_once('.')?;
        if !end.eq_ignore_ascii_case("nl") {
            return None;
        }
        if part.eq_ignore_ascii_case("ram") {
            return Some(Self::Ram);
        }
        (part.len() <= 2).then(|| usize::from_str_radix(part, 16).ok().map(Self::Bank))?
    }

    /// Its part of the name.
    pub fn text(self) -> String {
        match self {
            Self::Ram => "ram".to_owned(),
            Self::Bank(bank) => format!("{bank:X}"),
        }
    }

    /// All of a cartridge with so many bytes of PRG-ROM: RAM and each bank.
    pub fn all(prg_rom: usize) -> impl Iterator<Item = Self> {
        core::iter::once(Self::Ram).chain((0..prg_rom.div_ceil(BANK)).map(Self::Bank))
    }

    /// The part that a label belongs to.
    pub fn of_label(label: &Label, prg_rom: usize) -> Self {
        match (label.place, usize::from(label.address)) {
            (Some(place), _) => Self::Bank(place as usize / BANK),
            (None, 0..WINDOW) => Self::Ram,
            // Up to 32 KiB an address has one place; beyond, what has but an address is taken for
            // the last bank's.
            (None, address) if prg_rom == WINDOW => Self::Bank((address - WINDOW) / BANK),
            _ => Self::Bank((prg_rom / BANK).saturating_sub(1)),
        }
    }

    /// Reads the list of this part. `prg_rom` is the length of PRG-ROM.
    ///
    /// # Errors
    /// The first line that is none of a name list.
    pub fn read(self, text: &str, prg_rom: usize) -> Result<Symbols, SymbolError> {
        let list = Format::Fceux.read(text, prg_rom)?;
        let Self::Bank(bank) = self else { return Ok(list) };
        let mut symbols = Symbols::default();
        for label in list.labels() {
            let place = bank * BANK + usize::from(label.address) % BANK;
            let banked = prg_rom > WINDOW && usize::from(label.address) >= WINDOW;
            let place = if banked && place < prg_rom { u32::try_from(place).ok() } else { None };
            symbols.add(Label { place, ..label.clone() });
        }
        Ok(symbols)
    }

    /// The list of this part; `None` if there is no label in it.
    pub fn write(self, symbols: &Symbols, prg_rom: usize) -> Option<String> {
        let mut own = Symbols::default();
        for label in symbols.labels().filter(|label| Self::of_label(label, prg_rom) == self) {
            own.add(Label { place: None, ..label.clone() });
        }
        (!own.is_empty()).then(|| Format::Fceux.write(&own, prg_rom))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_all_parts_together_are_the_symbols() {
        const LENGTH: usize = 0x30000;
        let mut symbols = Symbols::default();
        symbols.add(Label::new("das", 0x66));
        symbols.add(Label::in_prg("first", 0x10, LENGTH).unwrap());
        symbols.add(Label::in_prg("eleventh", 0x2A345, LENGTH).unwrap());
        symbols.add(Label::in_prg("last", 0x2FFF0, LENGTH).unwrap());
        let mut read = Symbols::default();
        let mut parts = vec![];
        for part in Part::all(LENGTH) {
            let Some(text) = part.write(&symbols, LENGTH) else { continue };
            parts.push(part.text());
            for label in part.read(&text, LENGTH).unwrap().labels() {
                read.add(label.clone());
            }
        }
        assert_eq!(parts, ["ram", "0", "A", "B"]);
        assert_eq!(read, symbols);
    }

    #[test]
    fn up_to_32_kib_the_parts_hold_addresses() {
        let mut symbols = Symbols::default();
        symbols.add(Label::new("low", 0x8123));
        symbols.add(Label::new("high", 0xC123));
        let text = |bank| Part::Bank(bank).write(&symbols, 0x8000);
        assert_eq!(text(0).as_deref(), Some("$8123#low#\n"));
        assert_eq!(text(1).as_deref(), Some("$C123#high#\n"));
        let read = Part::Bank(1).read("$C123#high#\n", 0x8000).unwrap();
        assert_eq!(read.label("high"), Some(&Label::new("high", 0xC123)));
    }

    #[test]
    fn only_ends_of_names_that_say_a_part_do() {
        for name in ["game.xyz.nl", "game.nes.1FF.nl", "nl", "game.0.mlb", ".nl"] {
            assert_eq!(Part::of_name(name), None, "{name}");
        }
    }
}
