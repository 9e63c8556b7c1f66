//! The state at power-on, as arguments.

use crate::unexpected::Unexpected;
use nes::cartridge::Mmc3Revision;
use nes::fm2::Movie;
use nes::ppu::Quirks;
use nes::{Config, Devices, RamFill, Region, Unstable};

use crate::session::config_of;

/// How the console wakes up. Real ones differ from one power-on to the next; here it is chosen.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct PowerOn {
    /// Phase of the PPU's clock against the CPU's at power-on.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..4), value_name = "0..3")]
    phase: u8,
    /// Alignment of the APU at power-on: bit 0 get/put parity, bit 1 the DMC's timer.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..4), value_name = "0..3")]
    apu_alignment: u8,
    /// The byte that RAM holds at power-on, in hexadecimal [default: what the movie says, or 00].
    #[arg(long, value_parser = hex_byte, value_name = "HEX")]
    ram_fill: Option<u8>,
    /// Region of the console [default: what the movie or the cartridge says, or NTSC].
    #[arg(long, ignore_case = true)]
    region: Option<Television>,
    /// What is plugged into the ports [default: what the movie says, or pads].
    #[arg(long, ignore_case = true)]
    ports: Option<Plugged>,
    /// Revision of an MMC3 [default: the header's, or B].
    #[arg(long, ignore_case = true)]
    mmc3: Option<Revision>,
    #[command(flatten)]
    ppu: PpuQuirks,
    /// Constant that ANE and LXA ($8B, $AB) OR into A, in hexadecimal [default: FF]. Others: EE,
    /// 00.
    #[arg(long, default_value = "FF", hide_default_value = true, value_parser = hex_byte, value_name = "HEX")]
    ane_magic: u8,
    /// Leave A out of the address of SHA and SHS ($93, $9F, $9B) if a page is crossed, as some CPUs
    /// do.
    #[arg(long)]
    sha_without_a: bool,
}

/// What some PPUs do and others do not, as arguments.
#[derive(Clone, Copy, Debug, clap::Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct PpuQuirks {
    /// Lose rows of OAM that are not refreshed for 26 lines, as consoles do while rendering is off
    /// for long.
    #[arg(long)]
    oam_decay: bool,
    /// Corrupt the palette where rendering is turned off early in a tile with `v` at $3C00 or
    /// above, as some consoles do.
    #[arg(long)]
    palette_corruption: bool,
    /// Reset the CPU only, as a Famicom or an NES-101 does; an NES-001 resets the PPU, too.
    #[arg(long)]
    no_ppu_reset: bool,
    /// Ignore writes to $2000, $2001, $2005 and $2006 until the first vertical blank has ended, at
    /// power-on as after a reset, as a console does that was off for less than 20 seconds.
    #[arg(long)]
    strict_ppu_start: bool,
}

impl From<PpuQuirks> for Quirks {
    fn from(arguments: PpuQuirks) -> Self {
        let PpuQuirks { oam_decay, palette_corruption, no_ppu_reset, strict_ppu_start } = arguments;
        Self { oam_decay, palette_corruption, no_reset: no_ppu_reset, strict_start: strict_ppu_start }
    }
}

/// A region, as an argument.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Television {
    /// 60.0988 frames a second.
    Ntsc,
    /// 50.0070 frames a second.
    Pal,
}

impl From<Television> for Region {
    fn from(television: Television) -> Self {
        match television {
            Television::Ntsc => Self::Ntsc,
            Television::Pal => Self::Pal,
        }
    }
}

/// What is plugged into the ports, as an argument.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Plugged {
    /// Two standard pads.
    Pads,
    /// The pads of a Famicom: the second has a microphone.
    Famicom,
    /// Four pads by the Four Score of an NES.
    FourScore,
    /// Four pads by the adapter of a Famicom.
    FamicomFour,
    /// A pad and the Zapper.
    Zapper,
}

impl From<Plugged> for Devices {
    fn from(plugged: Plugged) -> Self {
        match plugged {
            Plugged::Pads => Self::Pads,
            Plugged::Famicom => Self::Famicom,
            Plugged::FourScore => Self::FourScore,
            Plugged::FamicomFour => Self::FamicomFour,
            Plugged::Zapper => Self::Zapper,
        }
    }
}

/// A revision of the MMC3, as an argument.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Revision {
    /// NEC's.
    A,
    /// Sharp's.
    B,
}

impl From<Revision> for Mmc3Revision {
    fn from(revision: Revision) -> Self {
        match revision {
            Revision::A => Self::A,
            Revision::B => Self::B,
        }
    }
}

impl PowerOn {
    /// The console's configuration, with sound if a rate is given.
    pub fn config(self, sample_rate: Option<u32>) -> Config {
        self.config_of(sample_rate, None)
    }

    /// The same for a movie, which says what RAM holds.
    pub fn config_of(self, sample_rate: Option<u32>, movie: Option<&Movie>) -> Config {
        let Self { phase, apu_alignment, ram_fill, region, ports, mmc3, .. } = self;
        let (quirks, unstable) = (self.ppu.into(), self.unstable());
        let recorded = config_of(movie);
        let ram_fill = ram_fill.map_or(recorded.ram_fill, RamFill::from);
        let mmc3 = mmc3.map(Into::into);
        let region = region.map(Into::into).or(recorded.region);
        let devices = ports.map_or(recorded.devices, Into::into);
        Config {
            phase,
            apu_alignment,
            ram_fill,
            sample_rate,
            region,
            mmc3,
            quirks,
            unstable,
            devices,
            ..Config::default()
        }
    }

    fn unstable(self) -> Unstable {
        let Self { ane_magic: magic, sha_without_a: sha_high_without_a, .. } = self;
        Unstable { ane_magic: magic, lxa_magic: magic, sha_high_without_a, ..Unstable::default() }
    }

    /// The same for a test ROM.
    pub fn options(self) -> nes_conformance::Options {
        let Self { phase, apu_alignment, ram_fill, region, mmc3, .. } = self;
        let (quirks, unstable) = (self.ppu.into(), self.unstable());
        let (region, mmc3) = (region.map(Into::into), mmc3.map(Into::into));
        let ram_fill = ram_fill.unwrap_or_default();
        nes_conformance::Options {
            phase,
            apu_alignment,
            ram_fill,
            region,
            mmc3,
            quirks,
            unstable,
            ..Default::default()
        }
    }
}

fn hex(text: &str) -> &str {
    let text = text.strip_prefix('$').unwrap_or(text);
    text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text)
}

/// A byte in hexadecimal: `FF`, `$FF` or `0xFF`.
///
/// # Errors
/// When it is none, or is above FF.
pub fn hex_byte(text: &str) -> Result<u8, Unexpected> {
    u8::from_str_radix(hex(text), 16).map_err(|_| Unexpected::new("a byte in hexadecimal, as FF"))
}

/// An address in hexadecimal: `C000`, `$C000` or `0xC000`.
///
/// # Errors
/// When it is none, or is above FFFF.
pub fn hex_address(text: &str) -> Result<u16, Unexpected> {
    u16::from_str_radix(hex(text), 16).map_err(|_| Unexpected::new("an address in hexadecimal, as C000"))
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;

    #[test]
    fn ports_have_the_names_of_their_devices() {
        for &plugged in Plugged::value_variants() {
            let name = plugged.to_possible_value().unwrap().get_name().to_owned();
            assert_eq!(Devices::from_name(&name), Some(plugged.into()));
        }
        assert_eq!(Plugged::value_variants().len(), Devices::ALL.len());
    }

    #[test]
    fn hexadecimal_is_read_in_the_three_usual_ways() {
        assert_eq!([hex_byte("ff"), hex_byte("$FF"), hex_byte("0xFF")], [Ok(0xFF), Ok(0xFF), Ok(0xFF)]);
        assert_eq!(hex_address("C000"), Ok(0xC000));
        assert!(hex_byte("100").is_err() && hex_byte("").is_err() && hex_address("G").is_err());
    }
}
