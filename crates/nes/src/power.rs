//! Power-on and the two switches, as front ends and movies have them.

use fm2::{Commands, RamInit};
use nes_cartridge::Cartridge;

use crate::{Config, Console};

/// What RAM holds at power-on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RamFill {
    /// The same byte everywhere; nametable memory, too.
    Byte(u8),
    /// As FCEUX fills RAM, with nametable memory zero.
    Fceux(RamInit),
}

impl Default for RamFill {
    fn default() -> Self {
        Self::Byte(0)
    }
}

impl From<u8> for RamFill {
    fn from(byte: u8) -> Self {
        Self::Byte(byte)
    }
}

impl From<RamInit> for RamFill {
    fn from(init: RamInit) -> Self {
        Self::Fceux(init)
    }
}

impl RamFill {
    /// The 2 KiB of RAM.
    pub(crate) fn ram(self) -> [u8; 0x800] {
        match self {
            Self::Byte(byte) => [byte; 0x800],
            Self::Fceux(init) => init.bytes(),
        }
    }

    /// What fills nametable memory.
    pub(crate) fn ciram(self) -> u8 {
        match self {
            Self::Byte(byte) => byte,
            Self::Fceux(_) => 0,
        }
    }

    /// How a movie says it; `None` for a byte other than `$00` and `$FF`, which none can say.
    pub fn in_movie(self) -> Option<RamInit> {
        match self {
            Self::Byte(0x00) => Some(RamInit::Zeros),
            Self::Byte(0xFF) => Some(RamInit::Ones),
            Self::Byte(_) => None,
            Self::Fceux(init) => Some(init),
        }
    }
}

impl Console {
    /// Does to the console what a movie or a player does to it before a frame: the power, off and
    /// on, with `cartridge` and `config`; the reset button, as [`Console::reset_between_frames`]
    /// has it.
    pub fn carry_out(&mut self, commands: Commands, cartridge: &Cartridge, config: Config) {
        if commands.contains(Commands::POWER) {
            *self = Self::new(cartridge.clone(), config);
        }
        if commands.contains(Commands::RESET) {
            self.reset_between_frames();
        }
    }
}
