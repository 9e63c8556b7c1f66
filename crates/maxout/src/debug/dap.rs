//! `maxout debug --dap`: the debugger for editors on standard input and output.

use std::io::{self, BufReader};
use std::path::PathBuf;
use std::process::ExitCode;

use dap::{Launch, OpenError, Opened, Opener, Store};

use super::Arguments;
use super::store::Disk;
use cli::error::Error;
use cli::interrupt::Interrupt;

/// Serves one client until it ends the session or is gone.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let interrupt = Interrupt::listen();
    let ends = Box::new(move || interrupt.asked());
    let opener = Box::new(arguments.clone());
    dap::serve(opener, BufReader::new(io::stdin()), io::stdout(), ends)
        .map_err(|error| Error::Command(Box::new(error)))?;
    Ok(ExitCode::SUCCESS)
}

impl Store for Disk {
    fn source_path(&self, name: &str) -> Option<PathBuf> {
        self.sources.find(name)
    }
}

/// What the client names comes in front of what the command line does.
impl Opener for Arguments {
    fn open(&mut self, launch: &Launch) -> Result<Opened, OpenError> {
        let folder = launch.cwd.clone().unwrap_or_default();
        let inside = |path: &PathBuf| folder.join(path);
        let mut arguments = self.clone();
        if let Some(rom) = &launch.rom {
            arguments.rom = Some(inside(rom));
        }
        arguments.patches.patches.extend(launch.patches.iter().map(inside));
        arguments.symbols.extend(launch.symbols.iter().map(inside));
        arguments.sources.extend(launch.source_root.iter().map(inside));
        if let Some(profile) = &launch.profile {
            arguments.profile = Some(inside(profile));
        }
        match (&launch.debug_file, &arguments.rom) {
            (Some(file), _) => arguments.symbols.push(inside(file)),
            // Where cl65 puts it with --dbgfile, if it is told so.
            (None, Some(rom)) if arguments.symbols.is_empty() => {
                arguments.symbols.extend(Some(rom.with_extension("dbg")).filter(|file| file.is_file()));
            }
            _ => {}
        }
        let mut disk = super::disk(&arguments);
        if !folder.as_os_str().is_empty() {
            disk.sources.0.push(folder);
        }
        let session = super::session(&arguments, &mut disk)?;
        Ok(Opened { session, files: Box::new(disk) })
    }
}
