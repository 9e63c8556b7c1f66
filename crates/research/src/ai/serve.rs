//! `maxout ai serve`: the player for points over HTTP, by the calls that clients of `StackRabbit`
//! make.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::answers;
use ::value::Format;
use stream::Secret;
use stream::server::{Options, Server};
use tty::panics;

use super::value::MindOptions;
use cli::error::Error;
use cli::interrupt::Interrupt;

/// Serve the HTTP interface of `StackRabbit` on this machine.
///
/// The calls are get-move, get-move-async, async-result, precompute, precompute-sync, rate-move,
/// engine, engine-movelist, eval, ping and version; those ending in -cpp and -cpp-hybrid are
/// answered the same way. With networks, values are expected points (docs/points-use.md). Pages of
/// other servers need --origin.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout ai serve
  maxout ai serve --port 8080 --origin https://example.org
  curl -G http://127.0.0.1:3000/get-move -d board=BOARD -d currentPiece=T -d level=18 -d lines=0 -d inputFrameTimeline=X. -d reactionTime=18")]
pub(crate) struct Arguments {
    #[command(flatten)]
    mind: MindOptions,
    /// Pieces fall a row a frame at level 39 and above too, as on an unmodified cartridge.
    #[arg(long)]
    cartridge: bool,
    /// The unit of values: points, or thousands of them, which is near `StackRabbit`'s and suits
    /// the limits that its clients have for mistakes.
    #[arg(long, value_name = "UNIT", default_value = "points")]
    scale: Unit,
    /// Port; 0 picks a free one.
    #[arg(long, value_name = "PORT", default_value_t = 3000)]
    port: u16,
    /// Serve on this address. An address that others can reach needs a token.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Token that requests must send, at least 16 letters, as token=... in the address.
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Let pages of this origin send requests, such as <https://example.org>, or null for files.
    #[arg(long, value_name = "ORIGIN", action = clap::ArgAction::Append)]
    origin: Vec<String>,
    /// Threads that answer.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
}

/// The unit of values.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Unit {
    /// Points.
    Points,
    /// Thousands of points.
    Stackrabbit,
}

/// Between two looks at Ctrl-C.
const REST: Duration = Duration::from_millis(50);

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let (mind, name) = arguments.mind.thorough(&Format::HEADLINE)?;
    let options = Options {
        address: arguments.listen,
        port: arguments.port,
        token: arguments.token.clone().map(Secret::new),
        origins: arguments.origin.clone(),
        ..Options::default()
    };
    let scale = match arguments.scale {
        Unit::Points => answers::Scale::Points,
        Unit::Stackrabbit => answers::Scale::StackRabbit,
    };
    let (double_at_39, later) = (!arguments.cartridge, answers::Later::default());
    let answerer = move || {
        let answerer = answers::Answerer::new(mind.clone(), double_at_39, Arc::clone(&later));
        let mut at_rest = Some(answerer.scaled(scale));
        move |path: &str, query: &str| {
            let (mut answerer, path, query) = (at_rest.take()?, path.to_owned(), query.to_owned());
            let answered = panics::caught(move || {
                let reply = answerer.answer(&path, &query);
                (answerer, reply)
            });
            let (answerer, reply) = answered.ok()?;
            at_rest = Some(answerer);
            Some(reply)
        }
    };
    let interrupt = Interrupt::listen();
    let server = Server::answer(options, arguments.threads.into(), answerer)
        .map_err(|error| Error::Command(error.into()))?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{name} answers at http://{}/", server.address())
        .and_then(|()| out.flush())
        .map_err(Error::Output)?;
    while !interrupt.asked() {
        thread::sleep(REST);
    }
    Ok(ExitCode::from(130))
}
