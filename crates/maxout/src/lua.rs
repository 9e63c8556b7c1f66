//! `maxout lua`: a script beside a running cartridge, headless.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;

use cli::unexpected::Unexpected;
use nes::{Buttons, Console, Frame, Palette};
use nes_lua::{Folder, FrameScript, Limits, Output, Overlay, Power, Script, ScriptError};

use cli::error::{Error, writing};
use cli::interrupt::Interrupt;
use cli::machine::PowerOn;
use cli::progress::Progress;
use cli::session::read_movie;
use cli::source::Patches;
use cli::{built_in, image_file, screenshot};

/// Run a Lua script with FCEUX's interface, headless.
///
/// The script has FCEUX's tables: memory, joypad, emu, savestate, movie, gui, rom, bit, input.
/// print writes to standard output, emu.message to standard error. The script can access only the
/// files of --files.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout lua docs/scripts/hud.lua --frames 900 --screenshot hud.png   the built-in cartridge
  maxout lua script.lua game.nes
  maxout lua script.lua game.nes --movie game.fm2 --files out/
  maxout lua script.lua --press start@300,360 --frames 3000

docs/lua.md has the interface, docs/scripts/ has scripts.

Exit status: 0 the script ended, 1 an error in it, 2 it could not be started, 130 stopped by Ctrl-C; or what the script
gives to emu.exit.")]
pub(crate) struct Arguments {
    /// The script: Lua 5.1.
    script: PathBuf,
    /// Cartridge image (iNES or NES 2.0); without one, the built-in cartridge.
    rom: Option<PathBuf>,
    #[command(flatten)]
    patches: Patches,
    /// Frames to run, even if script or movie end earlier [default: until one of them ends].
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// Hold buttons of the first pad for two frames from each of these frames on, counted from 0,
    /// where no movie plays: start@300,360 or a+right@900. It can be given more than once.
    #[arg(long, value_name = "BUTTONS@N,…")]
    press: Vec<Press>,
    #[command(flatten)]
    power_on: PowerOn,
    /// FM2 movie, text or binary, to play.
    #[arg(long, value_name = "FILE.fm2")]
    movie: Option<PathBuf>,
    /// Write the last picture, with the script's drawing.
    #[arg(long, value_name = "OUT.png")]
    screenshot: Option<PathBuf>,
    /// Folder for the script's screenshots, movies and states, by plain names; created if missing.
    #[arg(long, value_name = "FOLDER")]
    files: Option<PathBuf>,
    /// Millions of Lua instructions between two frames after which a loop counts as endless.
    #[arg(
        long,
        value_name = "N",
        help_heading = "Limits",
        default_value_t = 1000,
        value_parser = clap::value_parser!(u64).range(1..1_000_000)
    )]
    instructions: u64,
    /// Memory limit of the script in MiB.
    #[arg(
        long,
        value_name = "N",
        help_heading = "Limits",
        default_value_t = 256,
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    memory: u16,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    image_file::check_outputs(
        &[
            ("SCRIPT", Some(&arguments.script)),
            ("ROM", arguments.rom.as_deref()),
            ("--movie", arguments.movie.as_deref()),
        ],
        &[("--screenshot", arguments.screenshot.as_deref())],
    )?;
    let source = image_file::read(&arguments.script)?;
    let limits = Limits {
        instructions: arguments.instructions * 1_000_000,
        memory: usize::from(arguments.memory) << 20,
    };
    let interrupt = Interrupt::listen();
    let name = arguments.script.to_string_lossy();
    let mut script = Script::load_with(&source, &name, limits, interrupt.flag())?;
    let source = arguments.patches.over(arguments.rom.as_deref());
    let image = source.image()?;
    let cartridge = built_in::or_file_announced(source)?;
    let movie = arguments.movie.as_deref().map(|path| Ok::<_, Error>((path, read_movie(path, &cartridge)?)));
    let movie = movie.transpose()?;
    let config = arguments.power_on.config_of(None, movie.as_ref().map(|(_, movie)| movie));
    let header = image.first_chunk().copied().unwrap_or_default();
    script.insert(Power { cartridge: cartridge.clone(), config, header });
    let rom = arguments.rom.as_deref().and_then(Path::file_stem).unwrap_or(OsStr::new("maxout"));
    script.set_surroundings(arguments.script.parent(), &rom.to_string_lossy());
    if let Some(folder) = &arguments.files {
        std::fs::create_dir_all(folder).map_err(|error| writing(folder, error))?;
        script.set_folder(Folder::new(folder));
    }
    let length = movie.as_ref().map(|(_, movie)| movie.frames.len() as u64);
    if let Some((path, movie)) = movie {
        script.play(movie, &path.to_string_lossy());
    }
    let mut session = ScriptSession {
        script,
        console: Console::new(cartridge, config),
        presses: arguments.press.clone(),
        overlay: Overlay::default(),
    };
    let played = session.play(arguments.frames, length);
    let ended = session.script.finish(&mut session.console);
    print(&mut session.script).map_err(Error::Output)?;
    played.and(ended.map_err(explained))?;
    if let Some(path) = &arguments.screenshot {
        let mut rgba = vec![0; 4 * Frame::WIDTH * Frame::HEIGHT];
        Palette::ntsc().paint(session.console.picture().pixels(), &mut rgba);
        session.overlay.paint(&mut rgba);
        screenshot::write_rgba(path, &rgba)?;
    }
    Ok(session.script.exit_status().map_or(ExitCode::SUCCESS, ExitCode::from))
}

/// Buttons that are held for a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Press {
    buttons: Buttons,
    frames: Vec<u64>,
}

/// Frames of a press.
const HELD: u64 = 2;

impl FromStr for Press {
    type Err = Unexpected;

    fn from_str(text: &str) -> Result<Self, Unexpected> {
        let parse = || {
            let (names, frames) = text.split_once('@')?;
            let button = |name: &str| {
                Buttons::all()
                    .iter_names()
                    .find(|(own, _)| own.eq_ignore_ascii_case(name))
                    .map(|(_, button)| button)
            };
            Some(Self {
                buttons: names.split('+').map(button).collect::<Option<_>>()?,
                frames: frames.split(',').map(|frame| frame.parse().ok()).collect::<Option<_>>()?,
            })
        };
        parse().ok_or(Unexpected::new("buttons and frames, as start@300,360 or a+right@900"))
    }
}

/// A script that runs.
struct ScriptSession {
    script: Script,
    console: Console,
    presses: Vec<Press>,
    /// What it drew on the last picture.
    overlay: Overlay,
}

impl ScriptSession {
    /// Runs for so many frames, or to the end of the script or of the movie.
    fn play(&mut self, frames: Option<u64>, movie: Option<u64>) -> Result<(), Error> {
        let interrupt = Arc::clone(self.script.interrupt());
        let end = frames.or(movie);
        let progress = Progress::new(end.unwrap_or(0), "frames");
        let mut frame = 0;
        while frames.map_or_else(|| !self.script.is_done() && movie != Some(frame), |frames| frame < frames) {
            if interrupt.load(std::sync::atomic::Ordering::Relaxed) {
                progress.finish();
                return Err(Error::Interrupted);
            }
            let drawn =
                self.script.frame(&mut self.console, [pressed(&self.presses, frame), Buttons::empty()]);
            let drawn = drawn.map(|overlay| self.overlay.clone_from(overlay)).map_err(explained);
            progress.aside(|| print(&mut self.script)).map_err(Error::Output)?;
            drawn?;
            frame += 1;
            if self.script.exit_status().is_some() {
                break;
            }
            if self.script.paused() {
                tty::tell!(
                    "paused at frame {}: a headless run has nobody to resume it",
                    self.console.frame_number()
                );
                break;
            }
            if frame % 16 == 0 {
                progress.reach(frame);
            }
        }
        progress.finish();
        Ok(())
    }
}

/// What is held in a frame.
fn pressed(presses: &[Press], frame: u64) -> Buttons {
    let now = |press: &&Press| {
        press.frames.iter().any(|&first| (first..first.saturating_add(HELD)).contains(&frame))
    };
    presses.iter().filter(now).map(|press| press.buttons).collect()
}

/// Shows who called whom before the error itself is shown.
fn explained(error: ScriptError) -> Error {
    if let ScriptError::Runtime { traceback, .. } = &error
        && traceback.lines().count() > 1
    {
        tty::tell!("{traceback}");
    }
    error.into()
}

fn print(script: &mut Script) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for output in script.take_output() {
        match output {
            Output::Line(text) => writeln!(out, "{text}")?,
            Output::Message(text) => tty::tell!("{text}"),
        }
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_press_is_buttons_for_two_frames_from_each_of_its_frames_on() {
        let presses: Vec<Press> = ["start@300,360", "A+right@301"].map(|text| text.parse().unwrap()).into();
        let held = |frame| pressed(&presses, frame);
        assert_eq!([held(299), held(300), held(362)], [Buttons::empty(), Buttons::START, Buttons::empty()]);
        assert_eq!(held(301), Buttons::START | Buttons::A | Buttons::RIGHT);
        assert_eq!(held(361), Buttons::START);
        for text in ["start", "start@", "jump@3", "a@-1", "@3", "a+@3"] {
            assert!(text.parse::<Press>().is_err(), "{text}");
        }
    }
}
