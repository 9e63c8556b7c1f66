//! A name of an address, and where a byte of PRG-ROM lies.

/// A name of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The name.
    pub name: String,
    /// The address, of the CPU; with a `place`, the one where that usually lies.
    pub address: u16,
    /// Where in PRG-ROM it is, in bytes, if the cartridge switches banks there: the label counts
    /// while the board shows this byte.
    pub place: Option<u32>,
    /// Bytes that it names, at least 1.
    pub bytes: u16,
    /// What is said of it; may be empty.
    pub about: String,
}

impl Label {
    /// A label of one byte of which nothing is said.
    pub fn new(name: impl Into<String>, address: u16) -> Self {
        Self { name: name.into(), address, place: None, bytes: 1, about: String::new() }
    }

    /// A label of a byte of PRG-ROM of a cartridge that has `prg_rom` bytes of it; `None` if it has
    /// no such byte. Up to 32 KiB a byte has one address. Beyond, the last 16 KiB usually lie at
    /// `$C000`, and what a board switches at `$8000`.
    pub fn in_prg(name: impl Into<String>, place: usize, prg_rom: usize) -> Option<Self> {
        let last = prg_rom.checked_sub(BANK)?;
        let address = match prg_rom {
            _ if place >= prg_rom => return None,
            BANK | WINDOW => WINDOW + place + (WINDOW - prg_rom),
            _ if place >= last => WINDOW + BANK + place - last,
            _ => WINDOW + place % BANK,
        };
        let place = if prg_rom > WINDOW { Some(u32::try_from(place).ok()?) } else { None };
        Some(Self { place, ..Self::new(name, u16::try_from(address).ok()?) })
    }

    /// The same with what it names and what is said of it.
    #[must_use]
    pub(super) fn with(self, bytes: usize, about: String) -> Self {
        let bytes = u16::try_from(bytes).unwrap_or(u16::MAX).max(1);
        Self { bytes, about, ..self }
    }
}

/// A bank of FCEUX's, and of most boards, in bytes.
pub(super) const BANK: usize = 0x4000;
/// What the CPU sees of PRG-ROM, from this address on and of this length.
pub(super) const WINDOW: usize = 0x8000;

/// What the board shows at `$8000`, `$A000`, `$C000` and `$E000`: offsets in PRG-ROM.
pub type Banks = [u32; 4];

/// Which byte of PRG-ROM lies at an address of the CPU.
pub fn place_of(address: u16, banks: Banks) -> Option<u32> {
    let within = usize::from(address).checked_sub(WINDOW)?;
    let bank = banks[within >> 13];
    // RAM or flash in the place of ROM lies beyond any ROM.
    (bank < IN_RAM).then_some(bank + (within & 0x1FFF) as u32)
}

/// An offset from here on is none of PRG-ROM.
const IN_RAM: u32 = 0x8000_0000;

/// Where the CPU sees a byte of PRG-ROM; if at several addresses, at `usual` if it is one of them.
pub(super) fn address_of(place: u32, banks: Banks, usual: u16) -> Option<u16> {
    let seen = |(window, &bank): (usize, &u32)| {
        let within = place.checked_sub(bank).filter(|&within| within < 0x2000)?;
        Some((WINDOW + window * 0x2000) as u16 + within as u16)
    };
    let all = || banks.iter().enumerate().filter_map(seen);
    all().find(|&address| address == usual).or_else(|| all().next())
}
