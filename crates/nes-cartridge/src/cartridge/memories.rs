//! Which memories a header gives to a board, and what of them a battery keeps.

use core::ops::Range;

use crate::banks::Memory;
use crate::board::{Board, Limits};
use crate::header::Header;
use crate::{Format, Part, RomError, Warning};

/// PRG-RAM that a header which says nothing about it stands for, in bytes.
const DEFAULT_RAM: u64 = 0x2000;
/// The same for the MMC5.
const DEFAULT_MMC5_RAM: u64 = 0x1_0000;

/// The memories that `header` gives to `board`.
///
/// # Errors
/// Sizes that the board cannot address.
pub(super) fn memory(header: &mut Header, board: &Board) -> Result<Memory, RomError> {
    let ines = header.format == Format::Ines;
    if !Board::knows_submapper(header.mapper, header.submapper) {
        header.warnings.push(Warning::UnknownSubmapper { found: header.submapper });
    }
    let mut prg_ram = match header.prg_ram {
        // PRG-RAM stands for the flash.
        _ if board.has_flash() => header.prg_rom,
        // Of an iNES header only the MMC1's sizes beyond 8 KiB are worth believing.
        Some(size) if !ines || (header.mapper == 1 && matches!(size, 0x4000 | 0x8000)) => size,
        // Only the database says so of an iNES image.
        Some(0) => 0,
        // As FCEUX and Mesen have it of a header that cannot tell.
        _ if header.mapper == 5 => DEFAULT_MMC5_RAM,
        _ => DEFAULT_RAM,
    };
    if header.trainer && prg_ram == 0 {
        header.warnings.push(Warning::TrainerWithoutRam);
        prg_ram = DEFAULT_RAM;
    }
    let chr_ram = match (header.chr_rom, header.chr_ram) {
        // Four banks, of boards that are made with them.
        (0, None) if matches!(header.mapper, 28 | 30) => 4 * DEFAULT_RAM,
        (0, None) => DEFAULT_RAM,
        // The console's own RAM is the CHR-RAM.
        (0, Some(0)) if header.mapper == 218 => DEFAULT_RAM,
        (0, Some(0)) => {
            header.warnings.push(Warning::NoChr);
            DEFAULT_RAM
        }
        (0, Some(found @ 1..0x400)) => return Err(RomError::ChrRamTooSmall { found }),
        (0, Some(size)) => size,
        (_, Some(found @ 1..)) => {
            header.warnings.push(Warning::IgnoredChrRam { found });
            0
        }
        _ => 0,
    };
    let mut memory = Memory {
        prg_rom: 0,
        chr: 0,
        chr_is_ram: header.chr_rom == 0,
        prg_ram: 0,
        mirroring: header.mirroring,
    };
    let name = board.name(&memory);
    let limits = board.limits();
    let rom = [(Part::PrgRom, header.prg_rom, 0x2000), (Part::ChrRom, header.chr_rom, 0x400)];
    for (part, found, unit) in rom {
        if found % unit != 0 {
            return Err(RomError::OddSize { part, found, unit, board: name });
        }
    }
    // As other emulators have it; TetrisGYM's NROM build promises CHR-ROM of twice the size.
    let roms =
        [(Part::PrgRom, header.prg_rom, limits.prg_rom), (Part::ChrRom, header.chr_rom, limits.chr_rom)];
    for (part, found, limit) in roms {
        if found > limit {
            header.warnings.push(Warning::UnreachableRom { part, found, limit, board: name });
        }
    }
    if board.has_flash() {
        prg_ram = header.prg_rom.min(limits.prg_rom);
    } else {
        Limits::check(Part::PrgRam, prg_ram, limits.prg_ram, name)?;
    }
    // Holy Mapperel makes such an NROM image on purpose.
    if chr_ram > limits.chr_ram {
        header.warnings.push(Warning::UnreachableChrRam { found: chr_ram, limit: limits.chr_ram });
    }
    let chr_ram = chr_ram.min(limits.chr_ram);
    // A battery-backed and a volatile RAM of different sizes make no power of two: round up.
    let ram = |size: u64| if size == 0 { 0 } else { (size as u32).next_power_of_two() };
    memory.prg_rom = header.prg_rom.min(limits.prg_rom) as u32;
    memory.chr = if memory.chr_is_ram { ram(chr_ram) } else { header.chr_rom.min(limits.chr_rom) as u32 };
    memory.prg_ram = ram(prg_ram);
    Ok(memory)
}

/// Which bytes of the PRG-RAM a battery keeps. Where it is one of two chips, it is the second: bank
/// 1 of SOROM (NESdev: `SxROM`), and by the same wiring of SZROM (*unverified*).
pub(super) fn battery_ram(header: &mut Header, board: &Board, memory: &Memory) -> Range<usize> {
    let len = memory.prg_ram as usize;
    let found = u64::from(memory.prg_ram);
    if board.has_flash() {
        return 0..len;
    }
    let two_chips = matches!(header.mapper, 1 | 155) && len == 0x4000;
    let kept = match header.prg_nvram {
        Some(sized @ 1..) => {
            if !header.battery {
                header.warnings.push(Warning::BatteryImplied { found: sized });
                header.battery = true;
            }
            len.min(sized as usize)
        }
        _ if !header.battery => 0,
        _ if header.chr_nvram > 0 => {
            header.warnings.push(Warning::BatteryForChrRam { found: header.chr_nvram });
            0
        }
        _ if len == 0 => {
            header.warnings.push(Warning::BatteryWithoutRam);
            0
        }
        Some(0) => {
            header.warnings.push(Warning::BatteryUnsized { found });
            len
        }
        // An iNES header has one size for both chips.
        None if two_chips => len / 2,
        None => len,
    };
    len - kept..len
}
