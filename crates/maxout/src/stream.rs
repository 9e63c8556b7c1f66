//! `maxout stream`: a game for broadcasts.

mod links;
mod printer;
mod seat;

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use autopilot::NetSource;
use clap::ArgAction;
use emulator::Computer;
use stream::nestris::Recorder;
use stream::server::{Options, Server};
use stream::{Broadcast, Hub, Secret, StreamPlayer, Wants};
use tetris::Feature;

use crate::chance;
use cli::error::{CRASHED, Error, wrong};
use cli::game::Choice;
use cli::image_file;
use cli::interrupt::Interrupt;
use cli::written;
use printer::Printer;
use seat::{ComputerSeat, Seat, SeatPlayer};

/// Stream a game for broadcasts: JSON lines, overlays for OBS, NestrisChamps.
///
/// A movie, the computer's game, or a game left alone (which shows its demo), in real time, becomes
/// lines of JSON on standard output (docs/streaming.md). --serve offers them over WebSocket and
/// Server-Sent Events on this machine, with overlay pages for OBS's browser source; --open opens
/// these. Nothing is sent to another machine unless you ask for it.
#[derive(clap::Args)]
#[command(after_help = "\
Two consoles run side by side with two movies, or with --players 2. --repeat begins again at the end, to set a scene up by.

The secret of NestrisChamps is read from MAXOUT_NESTRISCHAMPS_SECRET or from --settings, the password of OBS from
MAXOUT_OBS_PASSWORD or from there; no message shows them. A connection to NestrisChamps ends your other one.

Examples:
  maxout stream --input game.fm2 --fast > game.jsonl           the lines of a movie, at full speed
  maxout stream --player --level 18 --open                     the computer plays; its overlays in the browser
  maxout stream --input one.fm2 --input two.fm2 --serve --port 5050 --repeat
  maxout stream --player --only statistics                     figures after every piece
  maxout stream --player --fast --quiet --frames 20000 --recording game.ngf.gz
  maxout stream --player --nestrischamps --settings stream.toml")]
pub(crate) struct Arguments {
    #[command(flatten)]
    cartridge: Choice,
    /// Play this FM2 movie; a second one plays a second console.
    #[arg(long, visible_alias = "movie", value_name = "FILE.fm2", conflicts_with = "player", action = ArgAction::Append)]
    input: Vec<PathBuf>,
    /// The computer plays, by buttons alone: for points (value), for tetrises as fast as the game
    /// lets it (stacking), or for lines (survival).
    #[arg(long, value_name = "KIND", num_args = 0..=1, require_equals = true, default_missing_value = "value")]
    player: Option<PlayerKind>,
    /// Its taps a second, for points: 10, 12, 15, 20, 24 or 30.
    #[arg(long, value_name = "HZ", default_value_t = 30, requires = "player", value_parser = crate::play::taps)]
    taps: u8,
    /// Seed of its game. Each further game (--repeat) and the second player get the next one
    /// [default: random].
    #[arg(long, value_name = "N", requires = "player")]
    seed: Option<u32>,
    /// Start level.
    #[arg(long, value_name = "0..19", default_value_t = 18, value_parser = clap::value_parser!(u8).range(0..20))]
    level: u8,
    /// Consoles [default: one, or one for each movie].
    #[arg(long, value_name = "1..2", value_parser = clap::value_parser!(u8).range(1..=2), conflicts_with = "input")]
    players: Option<u8>,
    /// A player's name, in the order of the players.
    #[arg(long, value_name = "NAME", action = ArgAction::Append)]
    name: Vec<String>,
    /// Frames to run [default: the movie's length; without a movie until Ctrl-C].
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// As fast as possible instead of in real time.
    #[arg(long)]
    fast: bool,
    /// Begin again at the end.
    #[arg(long)]
    repeat: bool,
    /// Keep serving the last state after the end, until Ctrl-C.
    #[arg(long, conflicts_with = "repeat")]
    stay: bool,
    /// Print a line `state` after each frame that changed it.
    #[arg(long)]
    states: bool,
    /// Print these events only.
    #[arg(long, value_name = "EVENT,…", value_delimiter = ',', value_parser = stream::known_event)]
    only: Vec<String>,
    /// Print no lines.
    #[arg(long, short)]
    quiet: bool,
    /// Serve the stream and its overlays on 127.0.0.1.
    #[arg(long)]
    serve: bool,
    /// Like --serve, and open the page in the browser.
    #[arg(long)]
    open: bool,
    /// Port of the server, the same each time, so that OBS finds it again; 0 picks a free one.
    #[arg(long, value_name = "PORT", default_value_t = 5050)]
    port: u16,
    /// Serve on this address. An address that others can reach needs a token.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Token that readers must send, at least 16 letters. `MAXOUT_STREAM_TOKEN` sets it, too, and
    /// is hidden from `ps`.
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Let pages of this origin read, such as <https://example.org>, or null for files.
    #[arg(long, value_name = "ORIGIN", action = ArgAction::Append)]
    origin: Vec<String>,
    /// Your own CSS for the overlays; it overrides the built-in rules.
    #[arg(long, value_name = "FILE.css")]
    css: Option<PathBuf>,
    /// Write the games as a NestrisChamps recording (.ngf, .ngf.gz) at the end.
    #[arg(long, value_name = "FILE", conflicts_with = "players")]
    recording: Option<PathBuf>,
    /// Send the game to NestrisChamps.
    #[arg(long)]
    nestrischamps: bool,
    /// Control OBS by the rules of --settings.
    #[arg(long, requires = "settings")]
    obs: bool,
    /// Secrets, rooms and rules (docs/streaming.md).
    #[arg(long, value_name = "FILE.toml")]
    settings: Option<PathBuf>,
}

/// How the computer plays.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PlayerKind {
    /// For points, by nets.
    Value,
    /// For tetrises, as fast as the game lets it.
    Stacking,
    /// For lines.
    Survival,
}

/// Until readers have what is left at the end.
const FAREWELL: Duration = Duration::from_secs(1);
/// Between two looks at Ctrl-C after the end.
const REST: Duration = Duration::from_millis(50);
/// How far real time may be missed before it is given up to catch up.
const LATEST: Duration = Duration::from_millis(500);

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let known = arguments.cartridge.known(Feature::Events)?;
    let count = arguments.players.map_or(arguments.input.len().clamp(1, 2), usize::from);
    if arguments.input.len() > 2 {
        return Err(refused(format!(
            "{} movies, expected two at most: leave some out",
            arguments.input.len()
        )));
    }
    if let Some(out) = &arguments.recording {
        let inputs = arguments.input.iter().map(|path| ("--input", Some(path.as_path())));
        let inputs: Vec<_> = inputs.chain([("the cartridge", arguments.cartridge.rom.as_deref())]).collect();
        image_file::check_outputs(&inputs, &[("--recording", Some(out.as_path()))])?;
        if written::Kind::of(out) != Some(written::Kind::Recording) || count > 1 {
            return Err(refused("--recording: expected one player, and a name that ends in .ngf or .ngf.gz"));
        }
    }
    if arguments.player.is_some() {
        arguments.cartridge.known(Feature::Computer)?;
    }
    let seed = arguments.seed.unwrap_or_else(chance::seed);
    let mut seats = Vec::new();
    for number in 0..count {
        let hands = match arguments.input.get(number) {
            Some(path) => SeatPlayer::Movie(path.clone()),
            None => match arguments.player {
                Some(kind) => SeatPlayer::Computer(ComputerSeat {
                    computer: arguments.computer(kind),
                    nets: NetSource::default(),
                    level: arguments.level,
                    seed: seed.wrapping_add(number as u32),
                }),
                None => SeatPlayer::Nobody,
            },
        };
        seats.push(Seat::new(number as u8 + 1, &known, hands, arguments.frames)?);
    }
    let rate = seats.first().map_or(stream::RATE, Seat::rate);
    let players = (1..).zip(0..count).map(|(player, number)| StreamPlayer {
        player,
        rate,
        name: arguments.name.get(number).cloned().unwrap_or_default(),
        cartridge: known.profile.name.clone(),
    });
    let hub = Hub::new(players.collect());
    let interrupt = Interrupt::listen();
    let serves = arguments.serve || arguments.open;
    let server = serves.then(|| arguments.server(&hub)).transpose()?;
    let mut links = links::Links::default();
    let broadcast = links.connect(arguments, Broadcast::new(hub.clone()))?;
    let is_terminal = std::io::IsTerminal::is_terminal(&std::io::stdout());
    let prints = !(arguments.quiet || is_terminal && serves);
    let wants = Wants { states: arguments.states, only: arguments.only.clone(), player: None };
    let printer = prints.then(|| Printer::new(hub.reader(wants), arguments.fast));
    let recorder = arguments.recording.is_some().then(|| Recorder::new(rate));
    let stream = Stream { arguments, seats, rate, broadcast, printer, links, recorder };
    let done = stream.play(&interrupt);
    hub.end();
    let begun = Instant::now();
    while server.is_some() && hub.waiting() > 0 && begun.elapsed() < FAREWELL {
        thread::sleep(Duration::from_millis(10));
    }
    done
}

/// Reads a file of rules of style.
fn read_css(path: &Path) -> Result<String, Error> {
    String::from_utf8(image_file::read(path)?).map_err(|_| wrong(path)("expected text, as UTF-8"))
}

impl Arguments {
    fn computer(&self, kind: PlayerKind) -> Computer {
        match kind {
            PlayerKind::Value => Computer::Points(autopilot::ComputerHands {
                hertz: self.taps,
                ..autopilot::ComputerHands::default()
            }),
            PlayerKind::Stacking => Computer::Stacking,
            PlayerKind::Survival => Computer::Survival,
        }
    }

    fn server(&self, hub: &Hub) -> Result<Server, Error> {
        let token = self.token.clone().or_else(|| std::env::var("MAXOUT_STREAM_TOKEN").ok());
        let token = token.filter(|token| !token.is_empty()).map(Secret::new);
        let options = Options {
            address: self.listen,
            port: self.port,
            token: token.clone(),
            origins: self.origin.clone(),
            css: self.css.as_deref().map(read_css).transpose()?,
        };
        let server = Server::start(hub.clone(), options).map_err(|error| Error::Command(error.into()))?;
        let page = format!("http://{}/", server.address());
        tty::tell!("streaming at {page}");
        if self.open {
            // The browser gets the token with the address; the terminal does not.
            let address = token.map_or(page.clone(), |token| format!("{page}?token={}", token.reveal()));
            if let Err(error) = stream::open_in_browser(&address) {
                tty::tell!("{error}");
            }
        }
        Ok(server)
    }
}

/// Everything that a stream is made of.
struct Stream<'a> {
    arguments: &'a Arguments,
    seats: Vec<Seat>,
    /// Frames a second of their consoles.
    rate: f64,
    broadcast: Broadcast,
    printer: Option<Printer>,
    links: links::Links,
    recorder: Option<Recorder>,
}

impl Stream<'_> {
    fn play(mut self, interrupt: &Interrupt) -> Result<ExitCode, Error> {
        let mut pace = Pace { begun: Instant::now(), frames: 0, rate: self.rate };
        let mut crashed = false;
        for seat in &self.seats {
            self.broadcast.frame(&seat.snapshot());
        }
        while !interrupt.asked() {
            let mut playing = false;
            for seat in &mut self.seats {
                let Some(snapshot) = seat.frame() else { continue };
                playing = true;
                self.broadcast.frame(&snapshot);
                if let Some(recorder) = &mut self.recorder {
                    recorder.frame(&snapshot);
                }
                if let Some(crash) = seat.crash() {
                    tty::tell!("player {}: {crash}", snapshot.player);
                    self.broadcast.record(snapshot.player, crash.record());
                    crashed = true;
                }
            }
            if !playing && self.arguments.repeat {
                self.seats.iter_mut().for_each(Seat::begin);
            } else if !playing && self.arguments.stay {
                thread::sleep(REST);
            } else if !playing {
                break;
            }
            if let Some(printer) = &mut self.printer {
                printer.turn().map_err(Error::Output)?;
            }
            self.links.report();
            if !self.arguments.fast {
                pace.wait();
            }
        }
        self.broadcast.hub().end();
        if let Some(printer) = self.printer {
            printer.end().map_err(Error::Output)?;
        }
        if let Some((out, recorder)) = self.arguments.recording.as_ref().zip(self.recorder) {
            written::write_recording(out, recorder.recording())?;
        }
        let code = if interrupt.asked() { 130 } else { 0 };
        Ok(ExitCode::from(if crashed { CRASHED } else { code }))
    }
}

/// The console's own time.
struct Pace {
    begun: Instant,
    frames: u64,
    rate: f64,
}

impl Pace {
    fn wait(&mut self) {
        self.frames += 1;
        let due = self.begun + Duration::from_secs_f64(self.frames as f64 / self.rate);
        let now = Instant::now();
        if now > due + LATEST {
            (self.begun, self.frames) = (now, 0);
        }
        thread::sleep(due.saturating_duration_since(now));
    }
}

/// What is wrong with a word of the command line, or with what it leads to.
fn refused(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::Command(error.into())
}
