//! `maxout inspect`: what an image is.

mod game;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use nes::Region;
use nes::cartridge::{Format, Info, Mirroring};
use serde::Serialize;

use self::game::Game;
use cli::error::Error;
use cli::game::of_file;
use cli::output;
use cli::source::Patches;

/// Print an image's header, board, hashes and warnings, its Tetris release, and which features work
/// on it.
///
/// Releases are recognised by their hashes, regardless of the header: those for America and Europe,
/// Bullet-Proof Software's for the Famicom and Tengen's; `TetrisGYM` by the names of its modes,
/// other hacks by the game's tables. docs/profiles.md shows how to write a memory map.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  maxout inspect game.nes\n  maxout inspect game.nes --json\n  \
                        maxout inspect hack.nes --profile hack.toml")]
pub(crate) struct Arguments {
    /// Cartridge image (iNES or NES 2.0); without one, the built-in cartridge.
    rom: Option<PathBuf>,
    #[command(flatten)]
    patches: Patches,
    /// Memory map of a cartridge that is not recognised.
    #[arg(long, value_name = "FILE.toml")]
    profile: Option<PathBuf>,
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
    region: &'static str,
    battery: bool,
    battery_ram: usize,
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
    /// `None` where nothing is known of it.
    game: Option<Game>,
}

/// What can be said of an image that cannot be played.
#[derive(Serialize)]
struct Unplayable<'a> {
    rom: Option<&'a Path>,
    game: Game,
    error: String,
}

impl<'a> Facts<'a> {
    fn new(rom: Option<&'a Path>, info: &'a Info, game: Option<Game>) -> Self {
        Self {
            rom,
            format: format_name(info.format),
            mapper: info.mapper,
            submapper: info.submapper,
            board: info.board,
            known: info.known,
            mirroring: mirroring_name(info.mirroring),
            region: match info.region {
                Region::Ntsc => "NTSC",
                Region::Pal => "PAL",
            },
            battery: info.battery,
            battery_ram: info.battery_ram.len(),
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
            game,
        }
    }

    fn text(&self, image: &[u8], out: &mut dyn Write) -> std::io::Result<()> {
        let yes = |yes| if yes { "yes" } else { "no" };
        let source = if self.known { "known cartridge" } else { "by the header" };
        writeln!(out, "format      {}", self.format)?;
        writeln!(out, "mapper      {}, submapper {}", self.mapper, self.submapper)?;
        writeln!(out, "board       {} ({source})", self.board)?;
        writeln!(out, "mirroring   {}", self.mirroring)?;
        writeln!(out, "region      {}", self.region)?;
        writeln!(out, "PRG-ROM     {}", size(self.prg_rom))?;
        writeln!(out, "PRG-RAM     {}", size(self.prg_ram))?;
        writeln!(out, "CHR-ROM     {}", size(self.chr_rom))?;
        writeln!(out, "CHR-RAM     {}", size(self.chr_ram))?;
        let kept = if self.battery { format!(", keeps {}", size(self.battery_ram)) } else { String::new() };
        writeln!(out, "battery     {}{kept}", yes(self.battery))?;
        writeln!(out, "trainer     {}", yes(self.trainer))?;
        writeln!(out, "PRG+CHR     CRC32 {}  SHA-1 {}", self.crc32, self.sha1)?;
        writeln!(out, "file        CRC32 {}  SHA-1 {}", self.file_crc32, self.file_sha1)?;
        for warning in &self.warnings {
            writeln!(out, "warning     {warning}")?;
        }
        game::text(self.game.as_ref(), image, out)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let rom = arguments.rom.as_deref();
    let source = arguments.patches.over(rom);
    let image = source.image()?;
    let profile = arguments.profile.as_deref();
    let given = profile.map(|file| of_file(file, &image, source.path())).transpose()?;
    let game = Game::of(&image, given);
    let (error, game) = match (source.cartridge(), game) {
        (Ok(cartridge), game) => {
            let facts = Facts::new(rom, cartridge.info(), game);
            output::print(&facts, arguments.json, |out| facts.text(&image, out))?;
            return Ok(ExitCode::SUCCESS);
        }
        (Err(error), None) => return Err(error),
        (Err(error), Some(game)) => (error, game),
    };
    // An image for another console is named before it is refused.
    let facts = Unplayable { rom, game, error: error.to_string() };
    output::print(&facts, arguments.json, |out| game::text(Some(&facts.game), &image, out))?;
    Err(error)
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
