//! `maxout tetris music`: any song of the game as WAV.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use nes::{Buttons, Config};
use tetris::{Feature, ram};

use super::stage::Stage;
use cli::error::Error;
use cli::game::Choice;
use cli::interrupt::Interrupt;
use cli::wave::{self, WaveFile};

/// Write a song of the game as 16-bit mono WAV.
///
/// The song is asked for at the title, as the game does it: by its number in $06F5.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout tetris music music-1 --out song.wav
  maxout tetris music ending --seconds 60 --out ending.wav")]
pub(crate) struct Arguments {
    /// The song; the fast ones are the same three while the stack is high.
    song: Song,
    #[command(flatten)]
    cartridge: Choice,
    /// Where to write it.
    #[arg(long, value_name = "OUT.wav")]
    out: PathBuf,
    /// How long it is.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Song {
    Title,
    Success,
    #[value(name = "music-1")]
    Music1,
    #[value(name = "music-2")]
    Music2,
    #[value(name = "music-3")]
    Music3,
    #[value(name = "fast-1")]
    Fast1,
    #[value(name = "fast-2")]
    Fast2,
    #[value(name = "fast-3")]
    Fast3,
    HighScore,
    Ending,
}

impl Song {
    /// The game's number, from 1.
    fn number(self) -> u8 {
        self as u8 + 1
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let game =
        arguments.cartridge.known_beside(Feature::Music, &[], &[("--out", Some(arguments.out.as_path()))])?;
    let config = Config { video: false, sample_rate: Some(wave::RATE), ..Config::default() };
    let mut stage = Stage::at_title(&game, config);
    stage.poke(ram::MUSIC_REQUEST, &[arguments.song.number()]);
    let mut wave = WaveFile::new(&arguments.out)?;
    let interrupt = Interrupt::listen();
    let mut left = (arguments.seconds * wave::RATE) as usize;
    while left > 0 {
        interrupt.check()?;
        listen(&mut stage);
        wave.add(stage.emulator.sound().iter().take(left).copied().map(nes::apu::pcm16))?;
        left = left.saturating_sub(stage.emulator.sound().len());
    }
    wave.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// A frame's sound, and no other: the clock stands still, or the demo would begin.
fn listen(stage: &mut Stage) {
    stage.poke(ram::FRAME_COUNTER, &[0, 0]);
    stage.frame(Buttons::empty());
}

#[cfg(test)]
mod tests {
    use tetris::ram::game_mode;

    use super::*;
    use cli::game::known;

    #[test]
    fn each_song_is_the_one_that_plays_and_the_title_stays() {
        let game = known(None, None, Feature::Music).unwrap();
        let title = Stage::at_title(&game, Config { video: false, ..Config::default() });
        for song in Song::value_variants() {
            let mut stage = title.clone();
            stage.poke(ram::MUSIC_REQUEST, &[song.number()]);
            for _ in 0..4 {
                listen(&mut stage);
            }
            assert_eq!(stage.byte(ram::MUSIC_PLAYING), song.number(), "{song:?}");
            assert_eq!(stage.byte(ram::GAME_MODE), game_mode::TITLE);
        }
    }
}
