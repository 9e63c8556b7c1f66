//! `sound`: what the channels of the audio unit stand at.

use mlua::{Lua, Table};
use nes::Region;
use nes::apu::{Reading, dmc_periods, noise_periods};

use crate::host::host;
use crate::meter;

/// What a look at the channels is worth, in instructions.
const SOUND_WORK: u64 = 2_000;

pub(super) fn table(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    let get = lua.create_function(|lua, ()| {
        let (reading, region) = {
            let mut host = host(lua)?;
            let console = host.console()?;
            (console.board.caught_up().apu().reading(), console.region())
        };
        meter::charge(lua, SOUND_WORK)?;
        let sound = lua.create_table()?;
        sound.raw_set("rp2a03", channels(lua, &reading, region)?)?;
        Ok(sound)
    })?;
    table.set("get", get)?;
    Ok(table)
}

/// A channel: its volume from 0 to 1, its frequency in hertz, the key of that in MIDI's numbers,
/// and what its register of the frequency holds.
fn channel(lua: &Lua, volume: f64, frequency: f64, register: u16) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    table.raw_set("volume", volume)?;
    table.raw_set("frequency", frequency)?;
    table.raw_set("midikey", (frequency / 440.0).log2() * 12.0 + 69.0)?;
    let registers = lua.create_table()?;
    registers.raw_set("frequency", register)?;
    table.raw_set("regs", registers)?;
    Ok(table)
}

fn channels(lua: &Lua, reading: &Reading, region: Region) -> mlua::Result<Table> {
    let (cycles, seconds) = region.clock();
    let clock = cycles as f64 / seconds as f64;
    let per_second = |cycles: u32| clock / f64::from(cycles);
    // Scripts see the number that the program has written.
    let entry = |periods: &[u16; 16], period: u16| {
        periods.iter().position(|&cycles| cycles == period).unwrap_or_default() as u16
    };
    let all = lua.create_table()?;
    for (name, pulse) in ["square1", "square2"].into_iter().zip(&reading.pulses) {
        let frequency = per_second(16 * (u32::from(pulse.period) + 1));
        let table = channel(lua, f64::from(pulse.volume()) / 15.0, frequency, pulse.period)?;
        table.raw_set("duty", pulse.duty)?;
        all.raw_set(name, table)?;
    }
    let triangle = &reading.triangle;
    let frequency = per_second(32 * (u32::from(triangle.period) + 1));
    let volume = f64::from(u8::from(triangle.is_running()));
    all.raw_set("triangle", channel(lua, volume, frequency, triangle.period)?)?;
    let noise = &reading.noise;
    let frequency = per_second(noise.period.into()) / if noise.short { 93.0 } else { 1.0 };
    let table = channel(
        lua,
        f64::from(noise.volume()) / 15.0,
        frequency,
        entry(noise_periods(region), noise.period),
    )?;
    table.raw_set("short", noise.short)?;
    all.raw_set("noise", table)?;
    let dmc = &reading.dmc;
    let volume = f64::from(u8::from(dmc.remaining > 0));
    let table = channel(lua, volume, per_second(dmc.period.into()), entry(dmc_periods(region), dmc.period))?;
    table.raw_set("dmcaddress", dmc.sample_address)?;
    table.raw_set("dmcsize", dmc.sample_length)?;
    table.raw_set("dmcloop", dmc.looping)?;
    table.raw_set("dmcseed", dmc.level)?;
    all.raw_set("dpcm", table)?;
    Ok(all)
}
