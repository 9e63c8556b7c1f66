//! One case: a cartridge, a power-on, and what the pads do.

use crate::pads::Input;
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
}

impl Power {
    /// The configuration, with sound made or not.
    pub fn config(self, sample_rate: Option<u32>) -> Config {
        let Self { phase, apu_alignment, ram_fill, region, quirks } = self;
        let region = Some(region);
        let ram_fill = ram_fill.into();
        Config { phase, apu_alignment, ram_fill, sample_rate, region, quirks, ..Config::default() }
    }

    /// The same with the quirks that a case of this seed has: one in four has any.
    #[must_use]
    pub(crate) fn with_quirks_of(self, seed: u64) -> Self {
        let (oam_decay, palette_corruption) = (matches!(seed % 12, 3 | 11), matches!(seed % 12, 7 | 11));
        Self { quirks: Quirks { oam_decay, palette_corruption, no_reset: false }, ..self }
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
                    quirks: Quirks { oam_decay, palette_corruption, .. },
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
        let quirks = [(oam_decay, "OAM forgets"), (palette_corruption, "the palette is corrupted")];
        quirks.iter().filter(|(on, _)| **on).try_for_each(|(_, name)| write!(f, ", {name}"))
    }
}
