//! `maxout inspect`: what an image is.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use nes::cartridge::{Format, Info, Mirroring};
use serde::Serialize;

use crate::error::Error;
use crate::{built_in, output};

/// Print an image's header, board, hashes and warnings.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  maxout inspect game.nes --json")]
pub(crate) struct Arguments {
    /// Cartridge image (iNES or NES 2.0); without one, the built-in cartridge.
    rom: Option<PathBuf>,
    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,
}

/// The facts in the order in which they are printed.
#[derive(Serialize)]
struct Facts<'a> {
    /// `None` for the built-in cartridge.
    rom: Option<&'a Path>,
    format: &'static str,
    mapper: u16,
    submapper: u8,
    board: &'a str,
    known: bool,
    mirroring: &'static str,
    battery: bool,
    trainer: bool,
    prg_rom: usize,
    prg_ram: usize,
    chr_rom: usize,
    chr_ram: usize,
    crc32: String,
    sha1: String,
    file_crc32: String,
    file_sha1: String,
    warnings: Vec<String>,
}

impl<'a> Facts<'a> {
    fn new(rom: Option<&'a Path>, info: &'a Info) -> Self {
        Self {
            rom,
            format: format_name(info.format),
            mapper: info.mapper,
            submapper: info.submapper,
            board: info.board,
            known: info.known,
            mirroring: mirroring_name(info.mirroring),
            battery: info.battery,
            trainer: info.trainer,
            prg_rom: info.prg_rom,
            prg_ram: info.prg_ram,
            chr_rom: info.chr_rom,
            chr_ram: info.chr_ram,
            crc32: format!("{:08x}", info.crc32),
            sha1: info.sha1.to_string(),
            file_crc32: format!("{:08x}", info.file_crc32),
            file_sha1: info.file_sha1.to_string(),
            warnings: info.warnings.iter().map(ToString::to_string).collect(),
        }
    }

    fn text(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let yes = |yes| if yes { "yes" } else { "no" };
        let source = if self.known { "known cartridge" } else { "by the header" };
        writeln!(out, "format      {}", self.format)?;
        writeln!(out, "mapper      {}, submapper {}", self.mapper, self.submapper)?;
        writeln!(out, "board       {} ({source})", self.board)?;
        writeln!(out, "mirroring   {}", self.mirroring)?;
        writeln!(out, "PRG-ROM     {}", size(self.prg_rom))?;
        writeln!(out, "PRG-RAM     {}", size(self.prg_ram))?;
        writeln!(out, "CHR-ROM     {}", size(self.chr_rom))?;
        writeln!(out, "CHR-RAM     {}", size(self.chr_ram))?;
        writeln!(out, "battery     {}", yes(self.battery))?;
        writeln!(out, "trainer     {}", yes(self.trainer))?;
        writeln!(out, "PRG+CHR     CRC32 {}  SHA-1 {}", self.crc32, self.sha1)?;
        writeln!(out, "file        CRC32 {}  SHA-1 {}", self.file_crc32, self.file_sha1)?;
        for warning in &self.warnings {
            writeln!(out, "warning     {warning}")?;
        }
        Ok(())
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let cartridge = built_in::or_file(arguments.rom.as_deref())?;
    let facts = Facts::new(arguments.rom.as_deref(), cartridge.info());
    output::print(&facts, arguments.json, |out| facts.text(out))?;
    Ok(ExitCode::SUCCESS)
}

fn size(bytes: usize) -> String {
    match bytes {
        0 => "none".to_owned(),
        _ if bytes.is_multiple_of(1024) => format!("{} KiB", bytes / 1024),
        _ => format!("{bytes} bytes"),
    }
}

fn format_name(format: Format) -> &'static str {
    match format {
        Format::Ines => "iNES",
        Format::Nes2 => "NES 2.0",
    }
}

fn mirroring_name(mirroring: Mirroring) -> &'static str {
    match mirroring {
        Mirroring::Horizontal => "horizontal",
        Mirroring::Vertical => "vertical",
        Mirroring::FourScreen => "four-screen",
    }
}
