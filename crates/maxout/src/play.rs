//! `maxout play`: the window, and what stands in for it where there is none.

mod opponent;

use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ArgAction;

use crate::sequence::Sequence;
#[cfg(not(feature = "window"))]
use cli::built_in;
use cli::error::Error;
use cli::machine::{Plugged, PpuQuirks, Television};
use cli::source::Patches;
use opponent::Opponent;
pub(crate) use opponent::taps;

/// Open the window and play.
///
/// Settings are in config.toml, in the platform's folder for settings or in that of --folder; the
/// menu (Esc) changes them.
#[derive(clap::Args)]
#[command(after_help = after_help())]
pub(crate) struct Arguments {
    /// Cartridge image or ZIP archive; without one, the built-in cartridge. A movie (.fm2, .bk2,
    /// .mmo) is played on the ROM that it was recorded with, and a saved state or a kept game
    /// (.mxgame) goes on with its own, if that is beside it or was played before; a script (.lua)
    /// runs beside the built-in one, a patch (.bps, .ups) goes over the ROM that it was made for,
    /// and the review of a game's placements (.ngf, .ngf.gz, .csv, .jsonl) is opened.
    #[arg(value_name = "FILE")]
    pub(crate) rom: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) patches: Patches,
    /// Play in this terminal, for sessions without a display: half blocks in true colour.
    #[arg(long, conflicts_with = "headless")]
    terminal: bool,
    /// Run without a picture, in real time and with sound, until Ctrl-C or --exit-after-frames.
    #[arg(long)]
    headless: bool,
    /// Start in full screen.
    #[arg(long)]
    fullscreen: bool,
    /// Keep settings, saved states, screenshots and recordings in this folder instead of the
    /// platform's.
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Measure input latency: frames from a key press to a changed picture, for each setting of
    /// run-ahead.
    #[arg(long, conflicts_with_all = ["headless", "terminal"])]
    latency_test: bool,
    /// Quit after this many frames.
    #[arg(long, value_name = "N")]
    exit_after_frames: Option<u64>,
    /// Play this movie (.fm2, .fm3, .bk2, .mmo) from power-on; afterwards you take over.
    #[arg(long, value_name = "MOVIE")]
    pub(crate) movie: Option<PathBuf>,
    /// Import this battery save (.sav, .srm) of another program or another build. The previous save
    /// is kept as a copy.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["movie", "versus", "latency_test"])]
    pub(crate) battery: Option<PathBuf>,
    /// Run this Lua script with FCEUX's interface during the game (docs/lua.md).
    #[arg(long, value_name = "SCRIPT.lua", conflicts_with_all = ["versus", "latency_test"])]
    pub(crate) lua: Option<PathBuf>,
    /// Region of the console
    /// [default: what the movie, the settings or the cartridge says, or NTSC].
    #[arg(long, ignore_case = true)]
    region: Option<Television>,
    /// What is plugged into the ports [default: what the movie or the settings say].
    #[arg(long, ignore_case = true)]
    ports: Option<Plugged>,
    #[command(flatten)]
    ppu: PpuQuirks,
    /// Quit when the movie is over.
    #[arg(long)]
    quit_at_end: bool,
    /// Continue from this saved state: the picture of a save slot, or a file of `maxout run
    /// --save-state`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["movie", "versus", "latency_test"])]
    pub(crate) state: Option<PathBuf>,
    /// Replay this kept practice game (.mxgame); A takes over.
    #[arg(long, value_name = "GAME", conflicts_with_all = ["movie", "state", "versus", "latency_test"])]
    pub(crate) game: Option<PathBuf>,
    /// Open the review of this game, a list of placements: .ngf, .ngf.gz, .csv or .jsonl.
    #[arg(long, value_name = "GAME", conflicts_with_all = ["movie", "state", "game", "versus", "latency_test"])]
    pub(crate) review: Option<PathBuf>,
    /// Save the state at the end, and print its hash as `maxout run` does.
    #[arg(long, value_name = "FILE")]
    state_out: Option<PathBuf>,
    #[command(flatten)]
    sequence: Sequence,
    /// Play against the computer, whose console is beside yours: two, three or four rows cleared at
    /// once push one, two or four up on the other side. It begins when you do, at your level. With
    /// --randomizer or --pieces both get the same pieces.
    #[arg(long, conflicts_with_all = ["movie", "latency_test"])]
    versus: bool,
    #[command(flatten)]
    opponent: Opponent,
    #[command(flatten)]
    stream: Streaming,
}

/// What is streamed from the start (docs/streaming.md); the options are those of `maxout stream`.
/// The menu's page Streaming turns the same on and off.
#[derive(clap::Args)]
#[command(next_help_heading = "Streaming")]
#[cfg_attr(not(feature = "window"), allow(dead_code, reason = "the window takes it"))]
pub(crate) struct Streaming {
    /// Serve the game and its overlays on 127.0.0.1.
    #[arg(long)]
    serve: bool,
    /// Like --serve, and open the page in the browser.
    #[arg(long)]
    open: bool,
    /// Port of the server; 0 picks a free one [default: the settings', 5050].
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// Serve on this address [default: 127.0.0.1]. An address that others can reach needs a token.
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<IpAddr>,
    /// Token that readers must send, at least 16 letters. `MAXOUT_STREAM_TOKEN` sets it, too, and
    /// is hidden from `ps`.
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Let pages of this origin read, such as <https://example.org>, or null for files.
    #[arg(long, value_name = "ORIGIN", action = ArgAction::Append)]
    origin: Vec<String>,
    /// A player's name in the stream, in the order of the players.
    #[arg(long, value_name = "NAME", action = ArgAction::Append)]
    name: Vec<String>,
    /// Send the game to NestrisChamps.
    #[arg(long)]
    nestrischamps: bool,
    /// Control OBS by the rules in the settings.
    #[arg(long)]
    obs: bool,
    /// Secrets, rooms and rules [default: stream.toml beside the settings].
    #[arg(long, value_name = "FILE.toml")]
    settings: Option<PathBuf>,
    /// Append the JSON lines to this file or pipe; - is standard output.
    #[arg(long, value_name = "FILE")]
    lines: Option<PathBuf>,
    /// Add a line `state` after each frame that changed it.
    #[arg(long, requires = "lines")]
    states: bool,
    /// Only these events.
    #[arg(long, value_name = "EVENT,…", value_delimiter = ',', value_parser = stream::known_event, requires = "lines")]
    only: Vec<String>,
}

fn after_help() -> String {
    let examples = "Examples:\n  maxout play            the built-in cartridge\n  maxout play game.nes\n  \
                    maxout play --terminal over SSH\n  \
                    maxout play --randomizer tgm3 --seed 7   other pieces, same cartridge\n  \
                    maxout play --versus   against the computer\n  \
                    maxout play --versus --taps 12 --misdrops 10 --thoughts   one that can be beaten\n  \
                    maxout play --versus --taps 30 --net nets --thoughts   a strong one, which thinks in points\n  \
                    maxout play --serve   with overlays for OBS\n  \
                    maxout play --lua docs/scripts/hud.lua   a script beside the game\n  \
                    maxout play --movie game.fm2 --quit-at-end --state-out end.state";
    #[cfg(feature = "window")]
    return format!("Keys:\n{}\n\n{examples}", indented(&desktop::keys()));
    #[cfg(not(feature = "window"))]
    examples.to_owned()
}

#[cfg(feature = "window")]
fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

#[cfg_attr(not(feature = "window"), allow(clippy::needless_pass_by_value, reason = "the window takes it"))]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Error> {
    #[cfg(feature = "window")]
    return window::run(arguments);
    #[cfg(not(feature = "window"))]
    {
        // The image is looked at first, so that what is wrong with it is said as every command says
        // it.
        built_in::or_file(arguments.patches.over(arguments.rom.as_deref()))?;
        Err(Error::NoWindow)
    }
}

#[cfg(feature = "window")]
pub(crate) mod window {
    use std::io::{self, BufRead, Write};
    use std::path::{Path, PathBuf};
    use std::process::ExitCode;
    use std::sync::mpsc;
    use std::time::Duration;

    use desktop::{
        DesktopError, Folders, Notice, Options, Pieces, PlaySummary, Running, StreamOptions, Versus,
    };
    use draft::Draft;
    use stream::Secret;
    use tetris::Feature;

    use super::{Arguments, Streaming};
    use crate::library;
    use cli::built_in;
    use cli::error::Error;
    use cli::interrupt::Interrupt;
    use cli::nets;
    use cli::output;
    use cli::source::Source;

    pub(super) fn run(mut arguments: Arguments) -> Result<ExitCode, Error> {
        let folders = arguments.folder.as_deref().map_or_else(Folders::of_player, Folders::inside);
        library::sort(&mut arguments, folders.recent.as_deref())?;
        // The image is looked at first, so that what is wrong with it is said as every command says
        // it.
        let recent = folders.recent.clone();
        let source = arguments.patches.over(arguments.rom.as_deref()).among(recent.as_deref());
        built_in::or_file(source)?;
        if arguments.quit_at_end && arguments.movie.is_none() {
            return Err(Error::NoMovie);
        }
        let mut options = options(&arguments, source, folders)?;
        if arguments.latency_test {
            return latency_test(&options);
        }
        let interrupt = Interrupt::listen();
        options.stop = interrupt.flag();
        let session = show(&options, [arguments.headless, arguments.terminal], &interrupt)?;
        for message in &session.final_messages {
            if message.kind.is_trouble() {
                tty::tell!("maxout: {}", message.text);
            }
        }
        if let Some(path) = &arguments.state_out {
            Draft::write_file(path, &session.state)?;
            output::text(&format!("state      {:016x}\n", session.state_hash))?;
        }
        // What could not be written is told above, and nobody may have read it.
        let lost = session.final_messages.iter().any(|message| message.kind.is_error());
        // What there was to write is written: an end by Ctrl-C is no error here.
        Ok(match (lost, interrupt.asked()) {
            (true, _) => ExitCode::from(2),
            (false, true) => ExitCode::from(130),
            (false, false) => ExitCode::SUCCESS,
        })
    }

    /// Plays in a window, or with `headless` for nobody, or with `terminal` in this terminal.
    pub(crate) fn show(
        options: &Options,
        [headless, terminal]: [bool; 2],
        interrupt: &Interrupt,
    ) -> Result<PlaySummary, Error> {
        if headless {
            unseen(options, interrupt)
        } else if terminal {
            Ok(desktop::play_in_terminal(options)?)
        } else {
            in_window(options)
        }
    }

    fn in_window(options: &Options) -> Result<PlaySummary, Error> {
        Ok(match desktop::play(options) {
            Err(error @ (DesktopError::NoDisplay(_) | DesktopError::NoGraphics(_)))
                if desktop::has_terminal() =>
            {
                tty::tell!("{error}");
                if !yes("Play in this terminal instead? [Y/n] ") {
                    return Err(error.into());
                }
                desktop::play_in_terminal(options)?
            }
            played => played?,
        })
    }

    /// Returns a session's options with the image of `source` only.
    pub(crate) fn with_image(source: Source<'_>) -> Result<Options, Error> {
        // The title of the built-in cartridge is the program's.
        let title = source.named_after().and_then(Path::file_stem).unwrap_or_default().to_string_lossy();
        let mut options = Options::new(title, source.image()?);
        // What is opened again is one file: a ROM, or a patch that names its ROM.
        options.path = source.rom().filter(|_| source.named_after() == source.rom()).map(Path::to_owned);
        Ok(options)
    }

    fn options(arguments: &Arguments, source: Source<'_>, folders: Folders) -> Result<Options, Error> {
        let mut options = with_image(source)?.in_folders(folders);
        options.built_in = Some((String::new(), built_in::IMAGE.to_vec()));
        options.labels = Some(built_in::LABELS.to_owned());
        options.settings.picture.fullscreen |= arguments.fullscreen;
        options.exit_after_frames = arguments.exit_after_frames;
        options.battery.clone_from(&arguments.battery);
        options.movie.clone_from(&arguments.movie);
        options.state.clone_from(&arguments.state);
        options.game.clone_from(&arguments.game);
        options.review.clone_from(&arguments.review);
        options.script.clone_from(&arguments.lua);
        options.config.region = arguments.region.map(Into::into);
        options.config.quirks = arguments.ppu.into();
        if let Some(ports) = arguments.ports {
            options.settings.time.ports = ports.into();
        }
        options.quit_at_end = arguments.quit_at_end;
        options.stream = arguments.stream.options(options.stream.folder.take());
        options.profile = arguments.sequence.profile(&options.image, source.path())?;
        let pieces = arguments.sequence.substitution(source)?;
        let pieces = pieces.map(|pieces| Pieces::new(pieces, arguments.sequence.options()));
        let (nets, warning) = nets::for_session(&arguments.opponent.nets, &options.settings.tetris.nets)?;
        options.nets = nets;
        options.warnings.extend(warning);
        arguments.opponent.apply(&mut options.settings.tetris);
        if arguments.versus {
            let known = arguments.sequence.known(source, Feature::Versus)?;
            let (computer, nets) = (options.settings.tetris.computer(), options.nets.clone());
            let mut versus = Versus::new(known.profile, known.cartridge, computer, nets);
            versus.set_best_of(options.settings.tetris.match_best_of);
            versus.deal(pieces.clone());
            options.versus = Some(versus);
        }
        options.pieces = pieces;
        Ok(options)
    }

    impl Streaming {
        /// Returns the first player's name; empty if there is none.
        pub(crate) fn own_name(&self) -> String {
            self.name.first().cloned().unwrap_or_default()
        }

        pub(crate) fn options(&self, folder: Option<PathBuf>) -> StreamOptions {
            let token = self.token.clone().or_else(|| std::env::var("MAXOUT_STREAM_TOKEN").ok());
            StreamOptions {
                serve: self.serve,
                open: self.open,
                port: self.port,
                listen: self.listen,
                token: token.filter(|token| !token.is_empty()).map(Secret::new),
                origins: self.origin.clone(),
                names: self.name.clone(),
                nestrischamps: self.nestrischamps,
                obs: self.obs,
                settings: self.settings.clone(),
                folder,
                lines: self.lines.clone(),
                states: self.states,
                only: self.only.clone(),
            }
        }
    }

    fn yes(question: &str) -> bool {
        // Without a reader there is no answer either.
        let _ = write!(io::stderr(), "{question}");
        let _ = io::stderr().flush();
        let mut answer = String::new();
        let read = io::stdin().lock().read_line(&mut answer);
        read.is_ok_and(|bytes| bytes > 0) && !answer.trim().to_lowercase().starts_with('n')
    }

    fn latency_test(options: &Options) -> Result<ExitCode, Error> {
        for (run_ahead, latency) in (0..).zip(desktop::latency_test(options)?) {
            output::text(&match latency {
                Some(latency) => {
                    let (least, most) = latency.range;
                    format!(
                        "run-ahead {run_ahead}: a key changes the picture after {} frames (from {least} to {most} in {} \
                         presses), {:.1} ms on average\n",
                        latency.frames,
                        latency.presses,
                        latency.milliseconds()
                    )
                }
                None => format!("run-ahead {run_ahead}: no key changed the picture\n"),
            })?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Says where the game is streamed, and how a match over the network goes, after the message of
    /// the number `told`. Returns the number of the last.
    fn tell_of_others(running: &Running, told: u64, match_is_on: bool) -> u64 {
        let new = running.handle().messages_after(told);
        for message in &new {
            if match_is_on || message.text.starts_with("streaming at ") {
                tty::tell!("{}", message.text);
            }
        }
        new.last().map_or(told, |message| message.number)
    }

    fn unseen(options: &Options, interrupt: &Interrupt) -> Result<PlaySummary, Error> {
        let (tell, notices) = mpsc::channel();
        let running = Running::start(options, move |notice| {
            let _ = tell.send(notice);
        })?;
        let mut told = 0;
        while !interrupt.asked() {
            let notice = notices.recv_timeout(Duration::from_millis(100));
            told = tell_of_others(&running, told, options.network.is_some());
            match notice {
                Ok(Notice::Stopped) | Err(mpsc::RecvTimeoutError::Disconnected) => break,
                _ => {}
            }
        }
        let session = running.finish()?;
        let seconds = session.time.as_secs_f64();
        output::text(&format!("{} frames in {seconds:.3} s\n", session.frames))?;
        for message in &session.messages {
            let told = options.network.is_some();
            if message.kind.is_trouble() && !told && !session.final_messages.contains(message) {
                tty::tell!("maxout: {}", message.text);
            }
        }
        Ok(session)
    }
}
