//! `movie`: playing and recording input, in files of the script's folder.

use mlua::{Lua, Table};
use nes::fm2::Movie;

use super::{define, integer};
use crate::error::{bounded, short};
use crate::host::{Film, Host, Output};

/// Bytes of a movie's author, at most.
const AUTHOR: usize = 256;

pub(super) fn table(lua: &Lua) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    define(lua, &table, &["framecount"], |host, ()| Ok(host.film_frame()))?;
    define(lua, &table, &["active"], |host, ()| Ok(host.film.is_some()))?;
    define(lua, &table, &["recording"], |host, ()| Ok(mode(host) == Some("record")))?;
    define(lua, &table, &["playing"], |host, ()| Ok(mode(host) == Some("playback")))?;
    define(lua, &table, &["mode"], |host, ()| Ok(mode(host)))?;
    define(lua, &table, &["length"], |host, ()| Ok(film(host)?.length()))?;
    define(lua, &table, &["rerecordcount"], |host, ()| Ok(film(host)?.movie.rerecord_count))?;
    define(lua, &table, &["rerecordcounting"], |host, counts: bool| {
        host.counts_rerecords = counts;
        Ok(())
    })?;
    define(lua, &table, &["name", "getname", "filename", "getfilename"], |host, ()| {
        Ok(film(host)?.name.clone())
    })?;
    define(lua, &table, &["readonly", "getreadonly"], |host, ()| Ok(host.read_only))?;
    define(lua, &table, &["setreadonly"], |host, read_only: bool| {
        host.read_only = read_only;
        Ok(())
    })?;
    // States are no part of a movie here: each begins with power-on.
    define(lua, &table, &["ispoweron"], |host, ()| Ok(host.film.is_some()))?;
    define(lua, &table, &["isfromsavestate"], |_, ()| Ok(false))?;
    define(lua, &table, &["stop", "close"], |host, ()| {
        film(host)?;
        host.stop_movie()
    })?;
    define(lua, &table, &["replay", "playbeginning"], |host, ()| {
        host.read_only |= host.film.is_some();
        host.replay_film()
    })?;
    define(lua, &table, &["play", "playback", "load"], |host, (name, read_only): (String, Option<bool>)| {
        let failed = |error: String| mlua::Error::runtime(bounded(format!("{}: {error}", short(&name))));
        let bytes = host.folder()?.read(&name).map_err(|error| failed(error.to_string()))?;
        host.work += bytes.len() as u64;
        let movie = movies::read(&bytes).map_err(|error| failed(error.to_string()))?;
        host.stop_movie()?;
        host.read_only = read_only.unwrap_or(false);
        let hashes = host.power.as_ref().map(|power| nes::rom_hashes(&power.cartridge));
        for warning in hashes.map(|hashes| movie.warnings(&hashes)).unwrap_or_default() {
            host.say(Output::Message(bounded(format!("{name} {warning}"))))?;
        }
        host.begin_film(Film::new(movie, name, false))?;
        Ok(true)
    })?;
    define(lua, &table, &["record", "save"], record)?;
    Ok(table)
}

fn record(host: &mut Host, arguments: (String, Option<f64>, Option<String>)) -> mlua::Result<bool> {
    let (name, kind, author) = arguments;
    if integer(kind.unwrap_or(0.0)) != 0 {
        return Err(mlua::Error::runtime(
            "a movie is recorded from power-on only: leave the second argument out",
        ));
    }
    host.folder()?
        .check(&name)
        .map_err(|error| mlua::Error::runtime(format!("{}: {error}", short(&name))))?;
    if author.as_ref().is_some_and(|author| author.len() > AUTHOR || author.contains(['\n', '\r'])) {
        return Err(mlua::Error::runtime(format!(
            "expected an author of one line of at most {AUTHOR} bytes"
        )));
    }
    host.stop_movie()?;
    let mut movie = Movie::default();
    movie.comments.extend(author.map(|author| format!("author {author}")));
    if let Some(power) = &host.power {
        movie.rom_checksum = Movie::checksum_of(power.cartridge.info().md5.0);
        movie.devices = power.config.devices;
        movie.ram = power.config.ram_fill.in_movie().ok_or_else(|| {
            mlua::Error::runtime(
                "a movie can say RAM of $00 or $FF only: leave --ram-fill out, or choose one of them",
            )
        })?;
    }
    host.begin_film(Film::new(movie, name, true))?;
    Ok(true)
}

fn film(host: &Host) -> mlua::Result<&Film> {
    host.film.as_ref().ok_or_else(|| mlua::Error::runtime("no movie is loaded"))
}

fn mode(host: &Host) -> Option<&'static str> {
    let film = host.film.as_ref()?;
    Some(match film.recording {
        true => "record",
        false if host.film_frame() >= film.length() => "finished",
        false => "playback",
    })
}
