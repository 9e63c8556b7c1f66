//! Kept games, played again.

use std::path::Path;

use nes::{Buttons, Config, Region};
use practice::{Kept, Log};

use crate::error::{Error, wrong};
use crate::game::Known;
use crate::image_file;
use crate::interrupt::Interrupt;
use crate::outcomes::Outcomes;

/// A game that was played again.
pub struct Played {
    /// What its file holds.
    pub game: Kept,
    /// Its pieces and how they were placed.
    pub log: Log,
    /// Its result.
    pub outcomes: Outcomes,
    /// The buttons of both pads in each frame, as the game got them.
    pub delivered: Vec<[Buttons; 2]>,
    /// Whether its buttons alone, from power-on, make the same game.
    pub is_a_movie: bool,
    /// MD5 of the cartridge's ROM without its header.
    pub md5: [u8; 16],
    /// The cartridge's region.
    pub region: Region,
    /// The profile's name of the cartridge.
    pub name: String,
}

impl Played {
    /// Its figures, a line each.
    pub fn summary(&self) -> String {
        self.outcomes.text()
    }
}

/// Reads the game of a file, and finds the one of `cartridges` that it was played on.
///
/// # Errors
/// When the file cannot be read, or was recorded on another cartridge.
pub fn read<'a>(path: &Path, cartridges: &'a [Known]) -> Result<(Kept, &'a Known), Error> {
    let game = Kept::read(&image_file::read(path)?).map_err(wrong(path))?;
    if game.lost > 0 {
        tty::tell!(
            "warning: {}: its last {} bytes are no whole block and are left out",
            path.display(),
            game.lost
        );
    }
    let wanted = &game.header;
    let known = cartridges.iter().find(|known| known.cartridge.crc32() == wanted.crc32).ok_or_else(|| {
        let found = cartridges
            .iter()
            .map(|known| format!("{} ({:08X})", known.profile.name, known.cartridge.crc32()));
        let found = found.collect::<Vec<_>>().join(", ");
        let text = format!(
            "recorded on {} (CRC32 {:08X}), found {found}: name its ROM after the game",
            wanted.cartridge, wanted.crc32
        );
        wrong(path)(text)
    })?;
    Ok((game, known))
}

/// Reads the game of a file and plays it again.
///
/// # Errors
/// As [`read`], and when the game does not play as it did.
pub fn play(path: &Path, cartridges: &[Known], interrupt: &Interrupt) -> Result<Played, Error> {
    let (game, known) = read(path, cartridges)?;
    let config = Config { video: false, ..Config::default() };
    let replay = practice::Replay::new(&game, known.cartridge.clone(), known.profile.clone(), config);
    let mut replay = replay.map_err(wrong(path))?;
    let mut delivered = Vec::new();
    while let Some((_, pads)) = replay.step().map_err(wrong(path))? {
        delivered.push(pads);
        if delivered.len().is_multiple_of(256) {
            interrupt.check()?;
        }
    }
    let outcomes = Outcomes::of(replay.console(), replay.session(), replay.log());
    let (log, is_a_movie) = (replay.log().clone(), game.is_a_movie(replay.session()));
    let (md5, name) = (known.cartridge.info().md5.0, known.profile.name.clone());
    let region = known.cartridge.info().region;
    Ok(Played { game, log, outcomes, delivered, is_a_movie, md5, region, name })
}
