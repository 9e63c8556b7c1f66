//! `require` and `dofile`: the other files of a script, which are read and never written, and a
//! sentence in the place of what scripts do not have.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, LuaString};
use thiserror::Error;

use crate::error::bounded;
use crate::script::Script;

/// Text that Lua's side of it is written in.
const MODULES: &str = include_str!("modules.lua");

/// Bytes that a script may read of other files in all.
const LIMIT: u64 = 64 << 20;

/// What a script may know of where it runs.
#[derive(Debug, Default)]
pub(crate) struct Surroundings {
    /// The folder of the script.
    pub(crate) folder: Option<PathBuf>,
    /// The name of the cartridge's file, without folder and ending.
    pub(crate) rom: String,
    /// Bytes read so far.
    pub(crate) read: u64,
}

impl Script {
    /// Tells the folder of the script, where `require` and `dofile` find files, and the name of the
    /// cartridge's file, without folder and ending.
    pub fn set_surroundings(&mut self, folder: Option<&Path>, rom: &str) {
        let surroundings = Surroundings { folder: folder.map(Path::to_owned), rom: rom.to_owned(), read: 0 };
        self.lua.set_app_data(surroundings);
    }
}

/// Gives scripts `require`, `dofile` and `package`, and sentences for `io` and `os`.
pub(crate) fn install(lua: &Lua) -> mlua::Result<()> {
    lua.set_app_data(Surroundings::default());
    let load = lua.create_function(|lua, name: LuaString| match name.to_str() {
        Ok(name) => source(lua, &name),
        Err(_) => Err(mlua::Error::runtime(format!(
            "{}: expected the name of a file in UTF-8",
            bounded(name.to_string_lossy())
        ))),
    })?;
    let bytes = lua.create_function(|lua, name: LuaString| match text(lua, &name) {
        Ok(text) => {
            crate::meter::charge(lua, text.len() as u64 / 16)?;
            Ok((Some(lua.create_string(text)?), None))
        }
        // What Lua's own `io.open` answers: the script goes on.
        Err(reason) => Ok((None, Some(format!("{}: {reason}", bounded(name.to_string_lossy()))))),
    })?;
    lua.load(MODULES).set_name("=modules").call((load, bytes))
}

/// The bytes of the file `name` beside the script.
fn text(lua: &Lua, name: &LuaString) -> Result<Vec<u8>, ModuleError> {
    let plain = name.to_str().map_err(|_| ModuleError::Elsewhere)?;
    lua.app_data_mut::<Surroundings>().expect("set by `install`").read(&plain)
}

/// The function that the file `name` beside the script is.
fn source(lua: &Lua, name: &str) -> mlua::Result<Function> {
    let bytes = {
        let mut surroundings = lua.app_data_mut::<Surroundings>().expect("set by `install`");
        surroundings
            .read(name)
            .map_err(|reason| mlua::Error::runtime(format!("{}: {reason}", bounded(name.to_owned()))))?
    };
    crate::meter::charge(lua, bytes.len() as u64)?;
    let source = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    lua.load(source).set_name(format!("@{name}")).set_mode(ChunkMode::Text).into_function()
}

/// Why a script does not get another file.
#[derive(Debug, Error)]
enum ModuleError {
    #[error("this script has no folder with other files")]
    NoFolder,
    #[error("expected a file beside the script, or in a folder beside it")]
    Elsewhere,
    #[error("cannot be read from the script's folder: {0}")]
    Read(#[from] std::io::Error),
    #[error("expected a file in the script's folder, found a link that leads out of it")]
    Link,
    #[error("expected a file, found something else")]
    NoFile,
    #[error("scripts may read {} MiB of other files, no more", LIMIT >> 20)]
    TooMuch,
}

impl Surroundings {
    fn read(&mut self, name: &str) -> Result<Vec<u8>, ModuleError> {
        let folder = self.folder.as_deref().ok_or(ModuleError::NoFolder)?;
        // A script that is named without a folder is in the current one.
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let path = inside(folder, name).ok_or(ModuleError::Elsewhere)?;
        let path = path.canonicalize()?;
        if !path.starts_with(folder.canonicalize()?) {
            return Err(ModuleError::Link);
        }
        // Opening a pipe would wait until something is written to it.
        if !fs::metadata(&path)?.is_file() {
            return Err(ModuleError::NoFile);
        }
        let mut bytes = Vec::new();
        let left = LIMIT - self.read;
        File::open(path).and_then(|file| file.take(left + 1).read_to_end(&mut bytes))?;
        if bytes.len() as u64 > left {
            return Err(ModuleError::TooMuch);
        }
        self.read += bytes.len() as u64;
        Ok(bytes)
    }
}

/// Where the file `name` is, if its name leads nowhere but into `folder`.
fn inside(folder: &Path, name: &str) -> Option<PathBuf> {
    let name = name.replace('\\', "/");
    let mut path = folder.to_owned();
    for part in name.strip_prefix("./").unwrap_or(&name).split('/') {
        let plain =
            !part.starts_with('.') && part.chars().all(|c| c.is_alphanumeric() || "-_.() ".contains(c));
        if part.is_empty() || !plain {
            return None;
        }
        path.push(part);
    }
    Some(path)
}
