//! `rom`: the cartridge's image as a file has it: 16 bytes of header, PRG-ROM, CHR-ROM.

use mlua::{Lua, Table};
use nes::Memory;
use nes::fm2::Movie;

use super::{Bytes, define, integer};
use crate::host::{Host, Power};
use crate::modules::Surroundings;

const HEADER: usize = 16;

pub(super) fn table(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    define(lua, &table, &["readbyte", "readbyteunsigned"], |host, offset: f64| byte(host, integer(offset)))?;
    define(lua, &table, &["readbytesigned"], |host, offset: f64| Ok(byte(host, integer(offset))? as i8))?;
    define(lua, &table, &["readbyterange"], |host, (offset, length): (f64, f64)| {
        let (first, length) = (integer(offset), integer(length).clamp(0, 1 << 20));
        host.work += 4 * length as u64;
        let bytes = (first..first.saturating_add(length)).map(|offset| byte(host, offset));
        bytes.collect::<mlua::Result<_>>().map(Bytes)
    })?;
    define(lua, &table, &["writebyte"], |host, (offset, value): (f64, f64)| {
        let offset = integer(offset);
        let (memory, place) = find(host, offset)?.ok_or_else(|| {
            mlua::Error::runtime(format!("expected a place in PRG-ROM or CHR-ROM, found {offset}"))
        })?;
        host.patch(memory, place, integer(value) as u8);
        Ok(())
    })?;
    define(lua, &table, &["gethash"], |host, kind: String| {
        let md5 = host.console()?.board.cartridge().info().md5;
        Ok(match kind.as_str() {
            "md5" => md5.to_string(),
            "base64" => Movie::checksum_of(md5.0),
            _ => String::new(),
        })
    })?;
    let name = lua.create_function(|lua, ()| {
        Ok(lua
            .app_data_ref::<Surroundings>()
            .map_or_else(String::new, |surroundings| surroundings.rom.clone()))
    })?;
    table.set("getfilename", name)?;
    Ok(table)
}

/// Where a byte of the image, behind its header, is in the machine.
fn find(host: &mut Host, offset: i64) -> mlua::Result<Option<(Memory, usize)>> {
    let cartridge = host.console()?.board.cartridge();
    let (prg, chr) = (cartridge.prg_rom().len(), cartridge.info().chr_rom);
    let place = usize::try_from(offset).ok().and_then(|offset| offset.checked_sub(HEADER));
    Ok(place.and_then(|place| match place {
        _ if place < prg => Some((Memory::PrgRom, place)),
        _ if place < prg + chr => Some((Memory::Chr, place - prg)),
        _ => None,
    }))
}

/// A byte of the image; 0 beyond it.
fn byte(host: &mut Host, offset: i64) -> mlua::Result<u8> {
    if let Some(Power { header, .. }) = &host.power
        && let Some(byte) = usize::try_from(offset).ok().and_then(|offset| header.get(offset))
    {
        return Ok(*byte);
    }
    let found = find(host, offset)?;
    let cartridge = host.console()?.board.cartridge();
    Ok(match found {
        Some((Memory::PrgRom, place)) => cartridge.prg_rom()[place],
        Some((_, place)) => cartridge.chr()[place],
        None => 0,
    })
}
