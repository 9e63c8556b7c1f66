//! `maxout netplay`: a match of two over the network.

use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use randomizers::Kind;

#[cfg(not(feature = "window"))]
use crate::built_in;
use crate::error::Error;
use crate::play::Streaming;

/// Play against another player over the network.
///
/// Both have the same cartridge, each a copy of their own. One waits (host), the other comes
/// (join); both begin at once, with the same pieces. Rows cleared at once go to the other side as
/// with `maxout play --versus`. Only buttons go over the network (docs/streaming.md).
#[derive(clap::Args)]
#[command(after_help = "\
The host's port (UDP, 5051) has to be reachable: in a home network it is; from outside, forward it in the router.

Examples:
  maxout netplay host --level 18                   wait for the other player
  maxout netplay join 192.0.2.7                    join the host there
  maxout netplay join host.example.org:6000 game.nes")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    side: Side,
}

#[derive(Subcommand)]
enum Side {
    Host(Host),
    Join(Join),
}

/// Wait for another player; level and pieces are yours.
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
    /// Wait at this port (UDP); 0 finds one that is free.
    #[arg(long, value_name = "PORT", default_value_t = 5051)]
    match_port: u16,
    /// The level at which both begin.
    #[arg(long, value_name = "0..19", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..20))]
    level: u8,
    /// What deals the pieces, the same to both; `maxout randomizer list` has them.
    #[arg(long, value_name = "KIND", default_value = "nes")]
    randomizer: Kind,
    /// Its seed [default: another each time].
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
}

/// Join the host at an address.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout netplay join 192.0.2.7
  maxout netplay join host.example.org:6000 game.nes")]
#[cfg_attr(not(feature = "window"), allow(dead_code, reason = "the window takes it"))]
struct Join {
    /// The host's name or number, with its port if that is another than 5051.
    #[arg(value_name = "ADDRESS")]
    host: String,
    #[command(flatten)]
    own: Own,
}

/// What is each side's own.
#[derive(clap::Args)]
#[cfg_attr(not(feature = "window"), allow(dead_code, reason = "the window takes it"))]
struct Own {
    /// Cartridge image; without one, the built-in cartridge. Both sides need the same.
    #[arg(value_name = "ROM")]
    rom: Option<PathBuf>,
    /// Memory map of a cartridge that is not recognised (docs/profiles.md).
    #[arg(long, value_name = "FILE.toml")]
    profile: Option<PathBuf>,
    /// Frames before your own buttons count. More of them make fewer wrong guesses of the other
    /// side's.
    #[arg(long, value_name = "0..20", default_value_t = 2, value_parser = clap::value_parser!(u64).range(0..=20))]
    delay: u64,
    /// The computer plays in your place.
    #[arg(long)]
    computer: bool,
    /// Play in this terminal.
    #[arg(long, conflicts_with = "headless")]
    terminal: bool,
    /// Run without a picture, and report on standard error how it goes.
    #[arg(long)]
    headless: bool,
    /// Keep settings and recordings in this folder instead of the platform's.
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Quit after so many frames that are certain on both sides, and print the hash of both
    /// consoles then.
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
    let (Side::Host(Host { own, .. }) | Side::Join(Join { own, .. })) = &arguments.side;
    // The image is looked at first, so that what is wrong with it is said as every command says it.
    built_in::or_file(own.rom.as_deref())?;
    Err(Error::NoWindow)
}

#[cfg(feature = "window")]
mod window {
    use std::net::SocketAddr;
    use std::process::ExitCode;

    use desktop::{Folders, NetworkOptions, NetworkRole, Options};
    use tetris::Feature;

    use super::{Arguments, Host, Join, Own, Side};
    use crate::built_in;
    use crate::chance;
    use crate::error::Error;
    use crate::interrupt::Interrupt;
    use crate::output;
    use crate::play::window::show;
    use crate::tetris::game;

    pub(super) fn run(arguments: Arguments) -> Result<ExitCode, Error> {
        let (network, own) = match arguments.side {
            Side::Host(Host { own, address, match_port, level, randomizer, seed }) => {
                let role = NetworkRole::Host(SocketAddr::new(address, match_port));
                let seed = seed.unwrap_or_else(chance::seed);
                (NetworkOptions { level, randomizer, seed, ..NetworkOptions::new(role) }, own)
            }
            Side::Join(Join { own, host }) => (NetworkOptions::new(NetworkRole::Join(host)), own),
        };
        let Own { delay, computer, exit_after_frames: frames, .. } = own;
        let network = NetworkOptions { delay, computer, frames, ..network };
        let known = game::known(own.rom.as_deref(), own.profile.as_deref(), Feature::Versus)?;
        let folders = own.folder.as_deref().map_or_else(Folders::of_player, Folders::inside);
        let mut options = match own.rom.as_deref() {
            Some(path) => Options::from_file(path)?,
            None => Options::new("", built_in::IMAGE.to_vec()),
        };
        options = options.in_folders(folders);
        options.built_in = Some((String::new(), built_in::IMAGE.to_vec()));
        options.labels = Some(built_in::LABELS.to_owned());
        options.profile = own.profile.is_some().then_some(known.profile);
        options.stream = own.stream.options(options.stream.folder.take());
        options.network = Some(network);
        // Both sides run at the console's own speed.
        options.settings.time.speed = 100;
        let interrupt = Interrupt::listen();
        options.stop = interrupt.flag();
        let session = show(&options, [own.headless, own.terminal], &interrupt)?;
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
