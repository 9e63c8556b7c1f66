//! Symbols: names of addresses, read from and written in the formats of assemblers and other debuggers.

mod format;
mod read;
mod write;

use core::ops::RangeInclusive;
use std::collections::BTreeMap;

pub use format::{Format, SymbolError};

/// A name of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The name.
    pub name: String,
    /// The address, of the CPU.
    pub address: u16,
    /// Bytes that it names, at least 1.
    pub bytes: u16,
    /// What is said of it; may be empty.
    pub about: String,
}

impl Label {
    /// A label of one byte of which nothing is said.
    pub fn new(name: impl Into<String>, address: u16) -> Self {
        Self { name: name.into(), address, bytes: 1, about: String::new() }
    }
}

/// All labels of a program, found by name and by address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    by_name: BTreeMap<String, Label>,
    by_address: BTreeMap<u16, Vec<String>>,
}

impl Symbols {
    /// The names that the game's maps give: its RAM, and its routines and tables where `profile` has them.
    pub fn of_game(profile: &tetris::Profile) -> Self {
        let mut symbols = Self::default();
        for place in tetris::ram::MAP {
            let label = Label {
                name: place.name.to_owned(),
                address: place.address,
                bytes: place.bytes,
                about: place.about.trim().to_owned(),
            };
            symbols.add(label);
        }
        for hook in tetris::hooks::HOOKS {
            let about = hook.about.trim().to_owned();
            let label = Label { about, ..Label::new(hook.name, profile.address(*hook)) };
            if symbols.address(hook.name).is_none() {
                symbols.add(label);
            }
        }
        symbols
    }

    /// The names of a program: its own, if `labels` are those that ld65 wrote for it, and the game's, if it is known as
    /// the game. Where both use a name for different addresses, the game's is `game.name`.
    ///
    /// # Errors
    /// The first of the labels that is none.
    pub fn of_program(labels: Option<&str>, profile: Option<&tetris::Profile>) -> Result<Self, SymbolError> {
        let of_game = profile.map(Self::of_game).unwrap_or_default();
        let Some(labels) = labels else { return Ok(of_game) };
        let mut symbols = read::vice(labels)?;
        symbols.fill_with(&of_game, "game");
        Ok(symbols)
    }

    /// Adds a label; an older one of the same name gives way.
    pub fn add(&mut self, label: Label) {
        self.remove(&label.name);
        self.by_address.entry(label.address).or_default().push(label.name.clone());
        self.by_name.insert(label.name.clone(), label);
    }

    /// Takes a label out, and says whether it was there.
    pub fn remove(&mut self, name: &str) -> bool {
        let Some(label) = self.by_name.remove(name) else { return false };
        if let Some(names) = self.by_address.get_mut(&label.address) {
            names.retain(|known| known != name);
            if names.is_empty() {
                self.by_address.remove(&label.address);
            }
        }
        true
    }

    /// Adds all labels of `other`; one whose name is taken by another address gets `prefix.` before it.
    pub fn fill_with(&mut self, other: &Self, prefix: &str) {
        for label in other.labels() {
            match self.by_name.get(&label.name) {
                None => self.add(label.clone()),
                Some(known) if known.address == label.address => {
                    // The longer and the better described of the two.
                    let bytes = known.bytes.max(label.bytes);
                    let about =
                        if known.about.is_empty() { label.about.clone() } else { known.about.clone() };
                    self.add(Label { bytes, about, ..label.clone() });
                }
                Some(_) => self.add(Label { name: format!("{prefix}.{}", label.name), ..label.clone() }),
            }
        }
    }

    /// Labels.
    pub fn len(&self) -> usize {
        self.by_name.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// Every label, by address.
    pub fn labels(&self) -> impl Iterator<Item = &Label> {
        self.by_address.values().flatten().filter_map(|name| self.by_name.get(name))
    }

    /// The address of that name, as it is written or in another case.
    pub fn address(&self, name: &str) -> Option<u16> {
        let exact = self.by_name.get(name);
        let label =
            exact.or_else(|| self.by_name.values().find(|label| label.name.eq_ignore_ascii_case(name)));
        label.map(|label| label.address)
    }

    /// The label of that very address, the oldest if there are several.
    pub fn at(&self, address: u16) -> Option<&Label> {
        self.by_name.get(self.by_address.get(&address)?.first()?)
    }

    /// The label of that address, or the one that `address` lies in or behind, and how far. Of addresses in RAM
    /// only those that lie in what is named.
    pub fn near(&self, address: u16) -> Option<(&Label, u16)> {
        for (start, names) in self.by_address.range(..=address).rev() {
            let distance = address - start;
            for label in names.iter().filter_map(|name| self.by_name.get(name)) {
                if distance < label.bytes || (*start >= 0x8000 && distance < 0x400) {
                    return Some((label, distance));
                }
            }
            // Blocks lie in blocks: one that begins further up may reach here. None is longer than a page.
            if distance > 0x100 && *start < 0x8000 || distance >= 0x400 {
                return None;
            }
        }
        None
    }

    /// The addresses that a label at `address` names: its bytes, or the code up to the next label; without a label there,
    /// this one address.
    pub fn extent(&self, address: u16) -> RangeInclusive<u16> {
        let Some(label) = self.at(address) else { return address..=address };
        if label.bytes > 1 {
            return address..=address.saturating_add(label.bytes - 1);
        }
        let next = self.by_address.range(address.saturating_add(1)..).next();
        address..=next.map_or(u16::MAX, |(next, _)| next - 1).max(address)
    }

    /// An address with its name: `lock+3`, or `$99A5` where nothing is named.
    pub fn text(&self, address: u16) -> String {
        match self.near(address) {
            Some((label, 0)) => label.name.clone(),
            Some((label, distance)) => format!("{}+{distance}", label.name),
            None => format!("${address:04X}"),
        }
    }

    /// The name most like `name`, if one is.
    pub fn nearest(&self, name: &str) -> Option<String> {
        crate::nearest(name, self.by_name.keys().map(String::as_str)).map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_named_by_the_label_that_it_lies_in_or_behind() {
        let mut symbols = Symbols::default();
        symbols.add(Label { bytes: 200, ..Label::new("playfield", 0x400) });
        symbols.add(Label::new("lock", 0x99A2));
        symbols.add(Label::new("lock_too", 0x99A2));
        assert_eq!(symbols.text(0x404), "playfield+4");
        assert_eq!(symbols.text(0x4C8), "$04C8");
        assert_eq!(symbols.text(0x99A2), "lock");
        assert_eq!(symbols.text(0x99A5), "lock+3");
        assert_eq!(symbols.text(0x8000), "$8000");
        assert_eq!(symbols.address("LOCK"), Some(0x99A2));
        symbols.add(Label::new("row_check", 0x9A6B));
        assert_eq!(symbols.extent(0x99A2), 0x99A2..=0x9A6A);
        assert_eq!(symbols.extent(0x9A6B), 0x9A6B..=0xFFFF);
        assert_eq!((symbols.extent(0x400), symbols.extent(0x401)), (0x400..=0x4C7, 0x401..=0x401));
        assert!(symbols.remove("lock") && !symbols.remove("lock"));
        assert_eq!(symbols.text(0x99A2), "lock_too");
    }

    #[test]
    fn the_game_has_names_for_its_ram_and_its_routines() {
        let profile =
            tetris::Profile::of_image(include_bytes!("../../../../roms/maxout.nes"), "", "").unwrap();
        let symbols = Symbols::of_game(&profile);
        assert_eq!(symbols.address("das"), Some(0x66));
        assert_eq!(symbols.address("spawn"), Some(0x98BA));
        assert!(symbols.labels().count() > 100);
    }

    #[test]
    fn a_program_has_its_own_names_first() {
        let profile =
            tetris::Profile::of_image(include_bytes!("../../../../roms/maxout.nes"), "", "").unwrap();
        let own = "al 000011 .das\nal 00C123 .mine\n";
        let symbols = Symbols::of_program(Some(own), Some(&profile)).unwrap();
        assert_eq!((symbols.address("das"), symbols.address("game.das")), (Some(0x11), Some(0x66)));
        assert_eq!((symbols.address("mine"), symbols.address("spawn")), (Some(0xC123), Some(0x98BA)));
        assert_eq!(Symbols::of_program(None, Some(&profile)), Ok(Symbols::of_game(&profile)));
        assert!(Symbols::of_program(Some("nonsense 1"), None).is_ok_and(|symbols| symbols.is_empty()));
        assert!(Symbols::of_program(Some("al x"), None).is_err());
    }
}
