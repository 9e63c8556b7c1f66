//! The cartridge that comes with the program, for every command that was given none.
//!
//! Its sources are in `roms/maxout/`; `cargo xtask roms` builds the image, and `cargo xtask test`
//! compares the two.

use std::path::Path;

use nes::Cartridge;

use crate::error::Error;
use crate::source::Source;

/// The NES 2.0 image.
pub const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");

/// Its labels, as the linker wrote them.
pub const LABELS: &str = include_str!("../../../roms/maxout.lbl");

/// The cartridge of an image that was named, or the built-in one.
///
/// # Errors
/// When the file cannot be read or is no cartridge.
pub fn or_file<'a>(source: impl Into<Source<'a>>) -> Result<Cartridge, Error> {
    source.into().cartridge()
}

/// The same, after a word on standard error about what a player loses by the image.
///
/// # Errors
/// When the file cannot be read or is no cartridge.
pub fn or_file_announced<'a>(source: impl Into<Source<'a>>) -> Result<Cartridge, Error> {
    let source = source.into();
    let cartridge = or_file(source)?;
    announce(&cartridge, source.rom());
    Ok(cartridge)
}

/// Says what a player has to know of the image `rom`: a part that the machine does not see, what
/// the game saves and is lost, or the region that its name says.
pub fn announce(cartridge: &Cartridge, rom: Option<&Path>) {
    for warning in cartridge.info().warnings.iter().filter(|warning| warning.is_told()) {
        tty::tell!("warning: {}: {warning}", rom.unwrap_or(Path::new("")).display());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_cartridge_is_an_serom_board_without_ram_and_nothing_is_wrong_with_it() {
        let cartridge = or_file(Source::default()).unwrap();
        let info = cartridge.info();
        assert_eq!((info.mapper, info.submapper, info.prg_rom, info.chr_rom), (1, 5, 0x8000, 0x4000));
        assert_eq!((info.prg_ram, info.chr_ram, info.battery), (0, 0, false));
        assert!(info.warnings.is_empty(), "{:?}", info.warnings);
    }
}
