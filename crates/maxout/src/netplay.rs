//! `maxout netplay`: a match of two over the network.

use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use emulator::MatchKind;
use netplay::WatchCode;
use randomizers::Kind;

use crate::play::Streaming;
#[cfg(not(feature = "window"))]
use cli::built_in;
use cli::error::Error;

/// Play against another player over the network.
///
/// Both players need the same cartridge. One waits (host), the other connects (join). Once both
/// have pressed Start, a countdown starts both games in the same frame, with the same pieces. The
/// match is saved among your games. Only buttons are sent over the network (docs/streaming.md).
#[derive(clap::Args)]
#[command(after_help = "\
The host's port (UDP, 5051) has to be reachable: in a home network it is; from outside, forward it in the router, or let \
--upnp ask it. In a room neither needs a port.

Examples:
  maxout netplay host --level 18                   wait for the other player
  maxout netplay host --level 18 --kind chase-down --best-of 5 --name Ada
  maxout netplay join bado-kimu-tapi-zolu@192.0.2.7          join the host there, by the code that it shows
  maxout netplay join bado-kimu-tapi-zolu@host.example.org:6000 game.nes")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    side: Side,
}

#[derive(Subcommand)]
enum Side {
    Host(Host),
    Join(Join),
    Watch(Watch),
}

/// Wait for another player; your level and pieces apply.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout netplay host --level 18
  maxout netplay host --level 18 --randomizer tgm3 --delay 3")]
#[cfg_attr(not(feature = "window"), allow(dead_code, reason = "the window takes it"))]
struct Host {
    #[command(flatten)]
    own: Own,
    /// Wait at this address of this computer.
    #[arg(long, value_name = "ADDRESS", default_value = "0.0.0.0")]
    address: IpAddr,
    /// Wait at this port (UDP); 0 picks a free one.
    #[arg(long, value_name = "PORT", default_value_t = 5051)]
    match_port: u16,
    /// Let anyone join who knows the address. Otherwise a random code of four words is needed with
    /// the address, and authenticates every message.
    #[arg(long, conflicts_with = "room")]
    no_code: bool,
    /// Ask the router of this network to open the port while you wait and play (PCP, NAT-PMP or
    /// `UPnP`), and print where others reach it.
    #[arg(long, conflicts_with = "room")]
    upnp: bool,
    /// Start level of both.
    #[arg(long, value_name = "0..19", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..20))]
    level: u8,
    /// Randomizer of the pieces, the same for both; `maxout randomizer list` lists them.
    #[arg(long, value_name = "KIND", default_value = "nes")]
    randomizer: Kind,
    /// Seed of the randomizer [default: random].
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// How a game is won: by garbage rows (garbage), higher score (score), last to top out
    /// (last-alive), score with a chase-down as in the CTWC (chase-down), or first to N lines
    /// (lines=40).
    #[arg(long, value_name = "KIND", default_value = "garbage")]
    kind: MatchKind,
    /// Games; more than half win the match.
    #[arg(long, value_name = "1..99", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=99))]
    best_of: u8,
}

/// Join the host at an address.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout netplay join bado-kimu-tapi-zolu@192.0.2.7
  maxout netplay join bado-kimu-tapi-zolu@host.example.org:6000 game.nes
  maxout netplay join 192.0.2.7                              a host that has begun with --no-code")]
#[cfg_attr(not(feature = "window"), allow(dead_code, reason = "the window takes it"))]
struct Join {
    /// The code and address that the host shows, with the port if it is not 5051; with --room only
    /// the code.
    #[arg(value_name = "CODE@ADDRESS|CODE")]
    host: String,
    #[command(flatten)]
    own: Own,
}

/// Watch a match in a room, half a second to one and a half behind the players.
///
/// The host is told a second code with the first; who has it sees both games, from their beginning
/// on, and cannot speak in the match. What is watched can be streamed as one's own game.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout netplay watch zolu-tapi-kimu-bado --room example.org
  maxout netplay watch zolu-tapi-kimu-bado --room example.org --serve          with overlays for OBS
  maxout netplay watch zolu-tapi-kimu-bado --room example.org --headless --lines -")]
#[cfg_attr(not(feature = "window"), allow(dead_code, reason = "the window takes it"))]
struct Watch {
    /// The code of those who watch, four words.
    #[arg(value_name = "CODE")]
    code: WatchCode,
    /// The room's server.
    #[arg(long, value_name = "SERVER")]
    room: String,
    #[command(flatten)]
    seat: Seat,
}

/// What each player has.
#[derive(clap::Args)]
#[cfg_attr(not(feature = "window"), allow(dead_code, reason = "the window takes it"))]
struct Own {
    #[command(flatten)]
    seat: Seat,
    /// Input delay in frames. A longer delay needs fewer rollbacks.
    #[arg(long, value_name = "0..20", default_value_t = 2, value_parser = clap::value_parser!(u64).range(0..=20))]
    delay: u64,
    /// The computer plays in your place.
    #[arg(long)]
    computer: bool,
    /// Meet the other player in a room of this server (`maxout room`), by a code that the host
    /// tells the guest. Neither needs an open port.
    #[arg(long, value_name = "SERVER")]
    room: Option<String>,
    /// Token that the room's server asks of a host. `MAXOUT_ROOM_TOKEN` sets it, too.
    #[arg(long, value_name = "TOKEN", requires = "room")]
    room_token: Option<String>,
    /// Play only through the room's server, so that the other player does not learn your address.
    #[arg(long, requires = "room")]
    relay: bool,
}

/// Options of players and of spectators.
#[derive(clap::Args)]
#[cfg_attr(not(feature = "window"), allow(dead_code, reason = "the window takes it"))]
struct Seat {
    /// Cartridge image; without one, the built-in cartridge. All need the same.
    #[arg(value_name = "ROM")]
    rom: Option<PathBuf>,
    /// Memory map of a cartridge that is not recognised (docs/profiles.md).
    #[arg(long, value_name = "FILE.toml")]
    profile: Option<PathBuf>,
    /// How long to wait for the other player after the connection is lost.
    #[arg(long, value_name = "SECONDS", default_value_t = netplay::SILENCE.as_secs(), value_parser = clap::value_parser!(u64).range(1..=600))]
    patience: u64,
    /// Show it in this terminal.
    #[arg(long, conflicts_with = "headless")]
    terminal: bool,
    /// Run without a picture, and report progress on standard error.
    #[arg(long)]
    headless: bool,
    /// Keep settings and recordings in this folder instead of the platform's.
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Quit after N frames confirmed by both sides, and print the hash of both consoles.
    #[arg(long, value_name = "N")]
    exit_after_frames: Option<u64>,
    #[command(flatten)]
    stream: Streaming,
}

#[cfg(feature = "window")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Error> {
    window::run(arguments)
}

#[cfg(not(feature = "window"))]
#[expect(clippy::needless_pass_by_value, reason = "the window takes it")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Error> {
    let (Side::Host(Host { own: Own { seat, .. }, .. })
    | Side::Join(Join { own: Own { seat, .. }, .. })
    | Side::Watch(Watch { seat, .. })) = &arguments.side;
    // The image is looked at first, so that what is wrong with it is said as every command says it.
    built_in::or_file(seat.rom.as_deref())?;
    Err(Error::NoWindow)
}

#[cfg(feature = "window")]
mod window {
    use std::collections::hash_map::RandomState;
    use std::hash::{BuildHasher, Hasher};
    use std::net::SocketAddr;
    use std::process::ExitCode;
    use std::time::Duration;

    use desktop::{Folders, NetworkOptions, NetworkRole};
    use netplay::{Code, NoCode, RoomOptions, WatchOptions};
    use tetris::Feature;

    use super::{Arguments, Host, Join, Own, Seat, Side, Watch};
    use crate::chance;
    use crate::play::window::{show, with_image};
    use cli::built_in;
    use cli::error::Error;
    use cli::game;
    use cli::interrupt::Interrupt;
    use cli::output;

    /// Returns a number that differs from call to call: the keys of the standard library's maps
    /// come from the system.
    fn number() -> u64 {
        RandomState::new().build_hasher().finish()
    }

    /// Returns another code each time.
    fn code() -> Code {
        Code::new(number())
    }

    impl Own {
        /// Returns the options that players have, and those of all.
        fn plays(self, options: NetworkOptions) -> (NetworkOptions, Seat) {
            let Self { seat, delay, computer, .. } = self;
            (NetworkOptions { delay, computer, ..options }, seat)
        }

        /// Returns how to come into the room that is asked for, if one is.
        fn room(&self, code: Code) -> Option<RoomOptions> {
            let server = self.room.clone()?;
            let token = self.room_token.clone().or_else(|| std::env::var("MAXOUT_ROOM_TOKEN").ok());
            let token = token.filter(|token| !token.is_empty());
            Some(RoomOptions { server, code, client: number(), token, hidden: self.relay })
        }
    }

    pub(super) fn run(arguments: Arguments) -> Result<ExitCode, Error> {
        let (network, seat) = match arguments.side {
            Side::Host(Host {
                own,
                address,
                match_port,
                no_code,
                upnp,
                level,
                randomizer,
                seed,
                kind,
                best_of,
            }) => {
                let role = if let Some(options) = own.room(code()) {
                    NetworkRole::Room { options, is_host: true }
                } else {
                    let address = SocketAddr::new(address, match_port);
                    NetworkRole::Host { address, code: (!no_code).then(code) }
                };
                let seed = seed.unwrap_or_else(chance::seed);
                let options = NetworkOptions::new(role);
                let options =
                    NetworkOptions { level, randomizer, seed, kind, best_of, opens_port: upnp, ..options };
                own.plays(options)
            }
            Side::Join(Join { own, host }) => {
                let role = if own.room.is_some() {
                    let code = host.parse().map_err(|error: NoCode| Error::Command(error.into()))?;
                    own.room(code).map(|options| NetworkRole::Room { options, is_host: false })
                } else {
                    None
                };
                own.plays(NetworkOptions::new(role.unwrap_or(NetworkRole::Join(host))))
            }
            Side::Watch(Watch { code, room: server, seat }) => {
                let options = WatchOptions { server, code, client: number() };
                (NetworkOptions::new(NetworkRole::Watch(options)), seat)
            }
        };
        let Seat { patience, exit_after_frames: frames, .. } = seat;
        let (patience, name) = (Duration::from_secs(patience), seat.stream.own_name());
        let network = NetworkOptions { patience, name, frames, ..network };
        let known = game::known(seat.rom.as_deref(), seat.profile.as_deref(), Feature::Versus)?;
        let folders = seat.folder.as_deref().map_or_else(Folders::of_player, Folders::inside);
        let mut options = with_image(seat.rom.as_deref().into())?.in_folders(folders);
        options.built_in = Some((String::new(), built_in::IMAGE.to_vec()));
        options.labels = Some(built_in::LABELS.to_owned());
        options.profile = seat.profile.is_some().then_some(known.profile);
        options.stream = seat.stream.options(options.stream.folder.take());
        options.network = Some(network);
        // Both sides run at the console's own speed.
        options.settings.time.speed = 100;
        let interrupt = Interrupt::listen();
        options.stop = interrupt.flag();
        let session = show(&options, [seat.headless, seat.terminal], &interrupt)?;
        let came_to =
            session.messages.iter().rev().find(|message| message.text.starts_with("certain frame "));
        match came_to {
            Some(message) => output::text(&format!("{}\n", message.text))?,
            // What was asked for was not reached; why, was said.
            None if frames.is_some() => return Ok(ExitCode::from(2)),
            None => {}
        }
        Ok(if interrupt.asked() { ExitCode::from(130) } else { ExitCode::SUCCESS })
    }
}
