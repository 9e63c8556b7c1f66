//! Symbols: names of addresses, read from and written in the formats of assemblers and other
//! debuggers.

pub(crate) mod dbg;
mod format;
mod label;
mod part;
mod read;
mod write;

use core::ops::RangeInclusive;
use std::collections::BTreeMap;

pub use format::{Format, SymbolError};
pub use label::{Banks, Label, place_of};
pub use part::Part;

/// All labels of a program, found by name and by address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    by_name: BTreeMap<String, Label>,
    /// Names of those that stand at one address.
    by_address: BTreeMap<u16, Vec<String>>,
    /// Names of those that move with a byte of PRG-ROM.
    by_place: BTreeMap<u32, Vec<String>>,
    /// What the board shows now, as far as it is known.
    banks: Option<Banks>,
}

impl Symbols {
    /// The names that the game's maps give: its RAM, its routines and its tables where `profile`
    /// has them, if it knows.
    pub fn of_game(profile: &tetris::Profile) -> Self {
        let mut symbols = Self::default();
        for place in tetris::ram::MAP.iter().filter(|place| profile.knows_place(**place)) {
            let label = Label::new(place.name, profile.place_address(*place));
            symbols.add(label.with(place.bytes.into(), place.about.trim().to_owned()));
        }
        for hook in tetris::hooks::HOOKS.iter().filter(|hook| profile.knows_hook(**hook)) {
            let about = hook.about.trim().to_owned();
            let label = Label { about, ..Label::new(hook.name, profile.address(*hook)) };
            if symbols.address(hook.name).is_none() {
                symbols.add(label);
            }
        }
        symbols
    }

    /// The names of a program: its own, if `labels` are those that ld65 wrote for it, and the
    /// game's, if it is known as the game. Where both use a name for different addresses, the
    /// game's is `game.name`.
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

    /// What the board shows from now on: labels in PRG-ROM that is switched are looked up by it.
    pub fn show(&mut self, banks: Banks) {
        self.banks = Some(banks);
    }

    /// Adds a label; an older one of the same name gives way.
    pub fn add(&mut self, label: Label) {
        self.remove(&label.name);
        let names = match label.place {
            Some(place) => self.by_place.entry(place).or_default(),
            None => self.by_address.entry(label.address).or_default(),
        };
        names.push(label.name.clone());
        self.by_name.insert(label.name.clone(), label);
    }

    /// Takes a label out, and says whether it was there.
    pub fn remove(&mut self, name: &str) -> bool {
        let Some(label) = self.by_name.remove(name) else { return false };
        match label.place {
            Some(place) => take_out(&mut self.by_place, &place, name),
            None => take_out(&mut self.by_address, &label.address, name),
        }
        true
    }

    /// Adds all labels of `other`; one whose name is taken by another address gets `prefix.` before
    /// it.
    pub fn fill_with(&mut self, other: &Self, prefix: &str) {
        for label in other.labels() {
            match self.by_name.get(&label.name) {
                None => self.add(label.clone()),
                Some(known) if (known.address, known.place) == (label.address, label.place) => {
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

    /// Every label: those of one address, by it, then those in PRG-ROM that is switched.
    pub fn labels(&self) -> impl Iterator<Item = &Label> {
        let names = self.by_address.values().chain(self.by_place.values()).flatten();
        names.filter_map(|name| self.by_name.get(name))
    }

    /// The label of that name, as it is written or in another case.
    pub fn label(&self, name: &str) -> Option<&Label> {
        let exact = self.by_name.get(name);
        exact.or_else(|| self.by_name.values().find(|label| label.name.eq_ignore_ascii_case(name)))
    }

    /// The address of that name, as it is written or in another case. Of a byte that the board does
    /// not show now, the usual one.
    pub fn address(&self, name: &str) -> Option<u16> {
        let Label { address, place, .. } = *self.label(name)?;
        let shown = place.zip(self.banks).and_then(|(place, banks)| label::address_of(place, banks, address));
        Some(shown.unwrap_or(address))
    }

    fn place_at(&self, address: u16) -> Option<u32> {
        place_of(address, self.banks?)
    }

    /// The label of that very address, the oldest if there are several.
    pub fn at(&self, address: u16) -> Option<&Label> {
        let placed = self.place_at(address).and_then(|place| self.by_place.get(&place)?.first());
        self.by_name.get(placed.or_else(|| self.by_address.get(&address)?.first())?)
    }

    /// The label of that address, or the one that `address` lies in or behind, and how far. Of
    /// addresses in RAM only those that lie in what is named.
    pub fn near(&self, address: u16) -> Option<(&Label, u16)> {
        self.near_place(address, self.place_at(address))
    }

    /// The same of an address where the board shows, or showed, this byte of PRG-ROM.
    pub fn near_place(&self, address: u16, place: Option<u32>) -> Option<(&Label, u16)> {
        let placed = place.and_then(|place| self.near_in_prg(place));
        let plain = self.near_address(address);
        match (placed, plain) {
            (Some(placed), Some(plain)) => Some(if placed.1 <= plain.1 { placed } else { plain }),
            _ => placed.or(plain),
        }
    }

    fn near_in_prg(&self, place: u32) -> Option<(&Label, u16)> {
        let (&start, names) = self.by_place.range(..=place).next_back()?;
        let distance = u16::try_from(place - start).ok()?;
        let label = self.by_name.get(names.first()?)?;
        // What lies in another bank has nothing to do with it.
        let same = start as usize / label::BANK == place as usize / label::BANK;
        (same && (distance < CODE || distance < label.bytes)).then_some((label, distance))
    }

    fn near_address(&self, address: u16) -> Option<(&Label, u16)> {
        for (start, names) in self.by_address.range(..=address).rev() {
            let distance = address - start;
            for label in names.iter().filter_map(|name| self.by_name.get(name)) {
                if distance < label.bytes || (*start >= 0x8000 && distance < CODE) {
                    return Some((label, distance));
                }
            }
            // Blocks lie in blocks: one that begins further up may reach here. None is longer than
            // a page.
            if distance > 0x100 && *start < 0x8000 || distance >= CODE {
                return None;
            }
        }
        None
    }

    /// The addresses that a label at `address` names: its bytes, or the code up to the next label;
    /// without a label there, this one address.
    pub fn extent(&self, address: u16) -> RangeInclusive<u16> {
        let Some(label) = self.at(address) else { return address..=address };
        if label.bytes > 1 {
            return address..=address.saturating_add(label.bytes - 1);
        }
        let plain = self.by_address.range(address.saturating_add(1)..).next().map(|(next, _)| *next);
        let placed = label.place.and_then(|place| {
            let (next, _) = self.by_place.range(place + 1..).next()?;
            address.checked_add(u16::try_from(next - place).ok()?)
        });
        let next = plain.into_iter().chain(placed).min();
        address..=next.map_or(u16::MAX, |next| next - 1).max(address)
    }

    /// An address with its name: `lock+3`, or `$99A5` where nothing is named.
    pub fn text(&self, address: u16) -> String {
        self.text_place(address, self.place_at(address))
    }

    /// An address, and behind it its name where it has one: `$99A5 lock+3`, `$99FF`.
    pub fn address_and_name(&self, address: u16) -> String {
        let (number, name) = (format!("${address:04X}"), self.text(address));
        if name == number { number } else { format!("{number} {name}") }
    }

    /// [`Self::text`] of an address where the board shows, or showed, this byte of PRG-ROM.
    pub fn text_place(&self, address: u16, place: Option<u32>) -> String {
        match self.near_place(address, place) {
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

/// Bytes behind a label in PRG-ROM that are taken for its code.
const CODE: u16 = 0x400;

fn take_out<K: Ord>(map: &mut BTreeMap<K, Vec<String>>, key: &K, name: &str) {
    if let Some(names) = map.get_mut(key) {
        names.retain(|known| known != name);
        if names.is_empty() {
            map.remove(key);
        }
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
        assert_eq!(symbols.address_and_name(0x99A5), "$99A5 lock+3");
        assert_eq!(symbols.address_and_name(0x8000), "$8000", "an address without a name stands there once");
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
    fn a_label_in_prg_rom_counts_where_the_board_shows_its_byte() {
        let mut symbols = Symbols::default();
        symbols.add(Label::in_prg("third", 0xC123, 0x20000).unwrap());
        symbols.add(Label::in_prg("last", 0x1C200, 0x20000).unwrap());
        symbols.add(Label::new("anywhere", 0x9100));
        assert_eq!(
            (symbols.address("third"), symbols.address("last")),
            (Some(0x8123), Some(0xC200)),
            "usually"
        );
        assert_eq!(symbols.text(0x8123), "$8123", "nothing is known of the board");
        symbols.show([0, 0x2000, 0x1C000, 0x1E000]);
        assert_eq!((symbols.text(0x8123), symbols.text(0xC205)), ("$8123".into(), "last+5".into()));
        symbols.show([0xC000, 0xE000, 0x1C000, 0x1E000]);
        assert_eq!((symbols.text(0x8123), symbols.text(0x8130)), ("third".into(), "third+13".into()));
        assert_eq!((symbols.text(0x9100), symbols.extent(0x8123)), ("anywhere".into(), 0x8123..=0x90FF));
        symbols.show([0x1C000, 0x1E000, 0xC000, 0xE000]);
        assert_eq!((symbols.address("third"), symbols.address("last")), (Some(0xC123), Some(0x8200)));
        assert_eq!((symbols.text(0xC123), symbols.text(0x8200)), ("third".into(), "last".into()));
        assert_eq!(symbols.text_place(0x8123, Some(0xC123)), "third", "in another moment");
        assert!(symbols.remove("third") && symbols.address("third").is_none() && symbols.len() == 2);
        assert!(Label::in_prg("beyond", 0x20000, 0x20000).is_none() && Label::in_prg("none", 0, 0).is_none());
    }

    #[test]
    fn the_game_has_names_for_its_ram_and_its_routines() {
        let profile = tetris::Profile::of_image(include_bytes!("../../../../roms/maxout.nes")).unwrap();
        let symbols = Symbols::of_game(&profile);
        assert_eq!(symbols.address("das"), Some(0x66));
        assert_eq!(symbols.address("spawn"), Some(0x98BA));
        assert!(symbols.labels().count() > 100);
    }

    #[test]
    fn a_program_has_its_own_names_first() {
        let profile = tetris::Profile::of_image(include_bytes!("../../../../roms/maxout.nes")).unwrap();
        let own = "al 000011 .das\nal 00C123 .mine\n";
        let symbols = Symbols::of_program(Some(own), Some(&profile)).unwrap();
        assert_eq!((symbols.address("das"), symbols.address("game.das")), (Some(0x11), Some(0x66)));
        assert_eq!((symbols.address("mine"), symbols.address("spawn")), (Some(0xC123), Some(0x98BA)));
        assert_eq!(Symbols::of_program(None, Some(&profile)), Ok(Symbols::of_game(&profile)));
        assert!(Symbols::of_program(Some("nonsense 1"), None).is_ok_and(|symbols| symbols.is_empty()));
        assert!(Symbols::of_program(Some("al x"), None).is_err());
    }
}
