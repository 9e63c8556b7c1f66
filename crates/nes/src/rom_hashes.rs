//! The hashes by which movies name a cartridge.

use alloc::string::ToString;

use fm2::RomHashes;
use nes_cartridge::Cartridge;

/// Returns the hashes by which movies name a cartridge.
pub fn rom_hashes(cartridge: &Cartridge) -> RomHashes {
    let info = cartridge.info();
    RomHashes { md5: info.md5.0, sha1: info.sha1.to_string(), file_sha1: info.file_sha1.to_string() }
}
