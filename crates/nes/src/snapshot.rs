//! Saved states: header, the walk over the machine, checksum.
//!
//! ```text
//! 0  magic "MXST"
//! 4  format version, u16; bit 15 is set for a PAL console, bit 14 where OAM forgets, bit 13 where
//!    the palette can be corrupted, bit 12 where the reset button does not reach the PPU; bits 9 to
//!    11 are what is plugged into the ports, by its place in `Devices::ALL`
//! 6  CRC32 of the cartridge's PRG-ROM and CHR-ROM, u32
//! 10 the state, field after field (nes-state)
//! -4 CRC32 of everything before, u32
//! ```
//! Numbers are little-endian.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use nes_clock::Region;
use nes_controller::Devices;
use nes_ppu::Quirks;
use nes_state::{Fields, Reader, State, StateError, Writer};

use crate::Console;

const MAGIC: [u8; 4] = *b"MXST";
const VERSION: u16 = 1;
const PAL: u16 = 0x8000;
const OAM_DECAY: u16 = 0x4000;
const PALETTE_CORRUPTION: u16 = 0x2000;
const NO_RESET: u16 = 0x1000;
const QUIRKS: u16 = OAM_DECAY | PALETTE_CORRUPTION | NO_RESET;
const DEVICES: u16 = 0x0E00;
const HEADER: usize = 10;
const CHECKSUM: usize = 4;

impl Console {
    /// The state of the machine as bytes. They differ between two consoles exactly if the consoles
    /// do; picture and sound are not in them.
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let region = if self.region() == Region::Pal { PAL } else { 0 };
        bytes.extend((VERSION | region | self.quirks() | number(self.devices())).to_le_bytes());
        bytes.extend(self.board.cartridge().crc32().to_le_bytes());
        bytes.extend(self.payload());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Takes over a saved state. The picture stays what it was until the next frame is drawn.
    ///
    /// # Errors
    /// Whatever is wrong with `bytes`: not a state, another format, another cartridge, damaged,
    /// cut, or impossible. The console is then unchanged.
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        let payload = self.check(bytes)?;
        let mut loaded = self.clone();
        Reader::load(payload, &mut loaded)?;
        loaded.board.resume();
        *self = loaded;
        Ok(())
    }

    /// A hash of the state that is the same on any machine: FNV-1a, 64 bits, over the state's bytes
    /// without header and checksum.
    pub fn state_hash(&self) -> u64 {
        self.payload().iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3)
        })
    }

    /// The lasting quirks of its PPU, as the header has them.
    fn quirks(&self) -> u16 {
        // Whether the PPU is still warming up is in the state; how it woke up says nothing more.
        let Quirks { oam_decay, palette_corruption, no_reset, strict_start: _ } =
            self.board.ppu.lasting_quirks();
        let bits = [(oam_decay, OAM_DECAY), (palette_corruption, PALETTE_CORRUPTION), (no_reset, NO_RESET)];
        bits.iter().filter(|(on, _)| *on).map(|(_, bit)| bit).sum()
    }

    fn payload(&self) -> Vec<u8> {
        // How far a chip lags behind is not state.
        Writer::save(&mut Self { cpu: self.cpu.clone(), board: self.board.caught_up() })
    }

    /// The state between header and checksum.
    fn check<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], StateError> {
        if !bytes.starts_with(&MAGIC) {
            let found = bytes[..bytes.len().min(MAGIC.len())].to_vec();
            return Err(StateError::BadMagic { expected: MAGIC, found });
        }
        let mut header = Reader::new(bytes);
        let (mut version, mut cartridge) = (0, 0);
        header.bytes(&mut [0; 4])?;
        header.u16(&mut version)?;
        let region = if version & PAL == 0 { Region::Ntsc } else { Region::Pal };
        let quirks = version & QUIRKS;
        let plugged = version & DEVICES;
        let version = version & !(PAL | QUIRKS | DEVICES);
        if version != VERSION {
            return Err(StateError::WrongVersion { expected: VERSION, found: version });
        }
        if region != self.region() {
            let (expected, found) = (self.region().with_article(), region.with_article());
            return Err(StateError::WrongRegion { expected, found });
        }
        if quirks != self.quirks() {
            return Err(StateError::WrongQuirks { expected: named(self.quirks()), found: named(quirks) });
        }
        if plugged != number(self.devices()) {
            let found = Devices::ALL.into_iter().find(|devices| number(*devices) == plugged);
            let (expected, found) = (self.devices().name(), found.map_or("unknown", Devices::name));
            return Err(StateError::WrongDevices { expected, found });
        }
        header.u32(&mut cartridge)?;
        let expected = self.board.cartridge().crc32();
        if cartridge != expected {
            return Err(StateError::WrongCartridge { expected, found: cartridge });
        }
        let end = bytes.len().saturating_sub(CHECKSUM);
        let Some(payload) = bytes.get(HEADER..end) else {
            let left = bytes.len() - HEADER;
            return Err(StateError::Truncated { offset: HEADER, needed: CHECKSUM, left });
        };
        let expected = crc32fast::hash(&bytes[..end]);
        let mut checksum = [0; CHECKSUM];
        checksum.copy_from_slice(&bytes[end..]);
        let found = u32::from_le_bytes(checksum);
        if found != expected {
            return Err(StateError::Damaged { expected, found });
        }
        Ok(payload)
    }
}

/// What the header says of quirks, in words.
/// Devices as they are in the header.
fn number(devices: Devices) -> u16 {
    let number = Devices::ALL.iter().position(|other| *other == devices);
    number.unwrap_or_default() as u16 * (DEVICES & DEVICES.wrapping_neg())
}

fn named(quirks: u16) -> String {
    if quirks == 0 {
        return "none".to_owned();
    }
    let names =
        [(OAM_DECAY, "OAM decay"), (PALETTE_CORRUPTION, "palette corruption"), (NO_RESET, "no reset")];
    let named: Vec<_> = names.iter().filter(|(bit, _)| quirks & bit != 0).map(|(_, name)| *name).collect();
    named.join(" and ")
}

impl State for Console {
    fn walk<F: Fields>(&mut self, fields: &mut F) -> Result<(), StateError> {
        let Self { cpu, board } = self;
        cpu.walk(fields)?;
        board.walk(fields)
    }
}
