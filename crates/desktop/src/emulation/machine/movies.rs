//! Movies, and the battery that rests while one lasts.

use std::path::{Path, PathBuf};

use draft::Draft;
use emulator::{MovieMetadata, movie_pieces};
use nes::Region;
use nes::fm2::{Movie, RamInit};

use crate::emulation::machine::Machine;
use crate::emulation::machine::refusal::Refusal;
use crate::emulation::movie;
use crate::messages::status::{MessageKind, Notice};

type CommandResult = Result<(), Refusal>;

impl<F: Fn(Notice)> Machine<F> {
    pub(crate) fn record_movie(&mut self, path: PathBuf) -> CommandResult {
        writable(&path)?;
        self.stop_movie_recording();
        self.restart_for_movie(RamInit::default());
        self.engine.movie.record(self.metadata());
        self.movies.record(path);
        Ok(())
    }

    pub(crate) fn continue_movie(&mut self, path: PathBuf) -> CommandResult {
        if self.engine.movie.has_diverged() {
            return Err(Refusal::Changed);
        }
        if self.cartridge.battery.as_ref().is_some_and(|battery| !battery.is_resting()) {
            return Err(Refusal::StartedWithBattery);
        }
        writable(&path)?;
        self.stop_movie_recording();
        self.engine.movie.record(self.metadata());
        self.movies.record(path);
        Ok(())
    }

    /// Writes a movie of everything since power-on, and plays on.
    pub(crate) fn save_movie(&mut self, path: PathBuf) -> CommandResult {
        if self.engine.movie.is_recording() {
            return Err(Refusal::MovieIsRecorded);
        }
        self.continue_movie(path)?;
        self.stop_movie_recording();
        Ok(())
    }

    fn metadata(&self) -> MovieMetadata {
        MovieMetadata {
            pal: self.engine.region() == Region::Pal,
            devices: self.engine.devices(),
            title: self.cartridge.title.clone(),
            checksum: Movie::checksum_of(self.engine.md5()),
            author: self.outputs.recording.author.clone(),
            pieces: self.engine.pieces().map(ToOwned::to_owned),
        }
    }

    pub(crate) fn play_movie(&mut self, path: PathBuf) -> CommandResult {
        let movie = movie::read(&path)?;
        self.begin_movie(path, movie);
        Ok(())
    }

    /// Plays `movie` of the file `path` from power-on.
    pub(crate) fn begin_movie(&mut self, path: PathBuf, movie: Movie) {
        self.stop_movie_recording();
        for warning in movie.warnings(&self.engine.rom_hashes()) {
            self.say(MessageKind::Warning, format!("{} {warning}", path.display()));
        }
        if let Some(text) = self.other_pieces(&movie) {
            self.say(MessageKind::Warning, format!("{} {text}", path.display()));
        }
        self.engine.choose_region(movie.pal.then_some(Region::Pal));
        self.engine.choose_devices(movie.devices);
        self.restart_for_movie(movie.ram);
        self.engine.movie.play(movie);
        self.movies.playing = Some(path);
    }

    /// Returns what is wrong with the pieces for `movie`.
    fn other_pieces(&self, movie: &Movie) -> Option<String> {
        match (movie_pieces(movie), self.engine.pieces()) {
            (Some(theirs), ours) if ours != Some(theirs) => {
                Some(format!("was recorded with other pieces: start Maxout with maxout play {theirs}"))
            }
            (None, Some(ours)) => {
                Some(format!("was recorded with the game's own pieces: start Maxout without {ours}"))
            }
            _ => None,
        }
    }

    /// The power, off and on. What the battery keeps is there again.
    pub(crate) fn power_cycle(&mut self) {
        if self.engine.movie.is_recording() {
            return self.engine.record_power_cycle();
        }
        let kept = match &mut self.cartridge.battery {
            Some(battery) if battery.is_resting() => {
                battery.resume();
                battery.kept().to_vec()
            }
            Some(_) => self.engine.battery_ram().to_vec(),
            None => vec![],
        };
        self.engine.restart(&kept);
    }

    /// The power, off and on, for a movie: without what the battery keeps, as every console can do
    /// it again.
    fn restart_for_movie(&mut self, ram: RamInit) {
        self.end_practice();
        let battery_ram = self.engine.battery_ram();
        if let Some(battery) = &mut self.cartridge.battery {
            let kept = if battery.is_resting() { Ok(()) } else { battery.close(battery_ram) };
            battery.rest();
            self.shared.set_spare(None);
            let text = format!("the movie starts without battery RAM; {} stays as it is", battery.place());
            match kept {
                Ok(()) => self.say(MessageKind::Note, text),
                Err(trouble) => self.say(MessageKind::Error, trouble.to_string()),
            }
        }
        self.engine.restart_with(&[], ram);
        self.outputs.audio.jump();
    }

    /// Keeps what the battery keeps, before the power goes off or the cartridge out.
    pub(crate) fn close_battery(&mut self) {
        if let Err(trouble) = self.cartridge.close_battery(self.engine.battery_ram()) {
            self.say(MessageKind::Error, trouble.to_string());
        }
        self.shared.set_spare(None);
    }

    pub(crate) fn stop_movie_recording(&mut self) {
        match self.movies.stop_recording(&mut self.engine.movie) {
            None => {}
            Some((path, Ok(()))) => self.say(MessageKind::Note, format!("recorded {}", path.display())),
            Some((path, Err(error))) => {
                self.say(MessageKind::Error, format!("cannot write {}: {error}", path.display()));
            }
        }
    }
}

/// Finds out before an hour of play whether a file can be written at `path`.
fn writable(path: &Path) -> CommandResult {
    let begun = Draft::new(path).map(drop);
    begun.map_err(|error| Refusal::CannotRecord { path: path.into(), source: error.source })
}
