//! One case: a cartridge, a power-on, and what the pads do.

use crate::pads::Input;
use nes::cartridge::Mmc3Revision;
use nes::ppu::Quirks;
use nes::{Cartridge, Config, Region};
use std::fmt;
use std::sync::Arc;

/// Where a case's program comes from.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    clap::ValueEnum,
    strum::Display,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    /// Public test ROMs.
    Roms,
    /// The built-in cartridge under random input.
    Cartridge,
    /// Random programs that use every register anyhow.
    Programs,
    /// Random programs that draw a picture and change registers at random dots of it.
    Pokes,
}

/// How the console is powered on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Power {
    /// 0–3, as [`Config::phase`].
    pub phase: u8,
    /// 0–3, as [`Config::apu_alignment`].
    pub apu_alignment: u8,
    /// As [`Config::ram_fill`], a byte.
    pub ram_fill: u8,
    /// Which console it is.
    pub region: Region,
    /// What its PPU does that not every one does.
    pub quirks: Quirks,
    /// The revision of an MMC3; `None` takes the cartridge's.
    pub mmc3: Option<Mmc3Revision>,
}

impl Power {
    /// The configuration, with sound made or not.
    pub fn config(self, sample_rate: Option<u32>) -> Config {
        let Self { phase, apu_alignment, ram_fill, region, quirks, mmc3 } = self;
        let region = Some(region);
        let ram_fill = ram_fill.into();
        Config { phase, apu_alignment, ram_fill, sample_rate, region, quirks, mmc3, ..Config::default() }
    }

    /// The same with the chips that a case of this seed has: one in three has quirks, one in five
    /// an MMC3 of revision A, if it has one at all.
    #[must_use]
    pub(crate) fn with_chips_of(self, seed: u64) -> Self {
        let (oam_decay, palette_corruption) = (matches!(seed % 12, 3 | 11), matches!(seed % 12, 7 | 11));
        // How the chip wakes up decides what of a program's first frame arrives.
        let quirks = Quirks {
            oam_decay,
            palette_corruption,
            no_reset: false,
            strict_start: matches!(seed % 12, 5 | 11),
        };
        Self { quirks, mmc3: (seed % 5 == 2).then_some(Mmc3Revision::A), ..self }
    }
}

/// One run that is compared.
#[derive(Clone)]
pub struct Case {
    /// Where its program comes from.
    pub kind: Kind,
    /// What everything about it follows from, the list of ROMs aside.
    pub seed: u64,
    /// What is run: a ROM's name, or a program's board.
    pub name: Arc<str>,
    /// The cartridge.
    pub cartridge: Cartridge,
    /// How the console is powered on.
    pub power: Power,
    /// What the pads do.
    pub input: Input,
    /// How long it takes.
    pub frames: u32,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            seed,
            name,
            power:
                Power {
                    phase,
                    apu_alignment,
                    ram_fill,
                    region,
                    quirks: Quirks { oam_decay, palette_corruption, strict_start, .. },
                    mmc3,
                },
            input,
            frames,
            ..
        } = self;
        write!(
            f,
            "{kind} seed {seed}: {name}, {region:?}, phase {phase}, APU alignment {apu_alignment}, RAM ${ram_fill:02X}, \
             input {input:?}, {frames} frames"
        )?;
        let quirks = [
            (oam_decay, "OAM forgets"),
            (palette_corruption, "the palette is corrupted"),
            (strict_start, "the PPU starts strictly"),
        ];
        quirks.iter().filter(|(on, _)| **on).try_for_each(|(_, name)| write!(f, ", {name}"))?;
        mmc3.iter().try_for_each(|revision| write!(f, ", MMC3 {revision:?}"))
    }
}

/// Which cases are wanted. The others are passed over, so that a case keeps its seed.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// iNES numbers of boards; none are all.
    pub mappers: Vec<u16>,
    /// The console; `None` is either.
    pub region: Option<Region>,
    /// Only those with a quirk.
    pub quirks: bool,
}

impl Wanted {
    /// Is a cartridge on one of the boards?
    pub(crate) fn is_on(&self, cartridge: &Cartridge) -> bool {
        self.mappers.is_empty() || self.mappers.contains(&cartridge.info().mapper)
    }

    /// Is a case one of those?
    pub(crate) fn holds(&self, case: &Case) -> bool {
        self.is_on(&case.cartridge)
            && self.region.is_none_or(|region| region == case.power.region)
            && (!self.quirks || case.power.quirks != Quirks::default())
    }
}
