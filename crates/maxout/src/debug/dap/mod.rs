//! `maxout debug --dap`: the debugger for editors, by the Debug Adapter Protocol on standard input
//! and output.
//!
//! The protocol is made with `serde_json` alone: the crate `dap` has been an alpha version for
//! years, reads messages of any length, and knows no custom requests.

mod breakpoints;
mod inspect;
mod launch;
mod memory;
mod moves;
mod protocol;
mod refused;
mod server;
mod wire;

use std::io::{self, BufReader};
use std::process::ExitCode;

use super::Arguments;
use cli::error::{Error, wrong};
use cli::interrupt::Interrupt;
use server::Server;

/// Serves one client until it ends the session or is gone.
pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let streams = || -> io::Result<_> {
        let incoming = wire::incoming(BufReader::new(io::stdin()))?;
        Ok((incoming, wire::Outgoing::new(io::stdout())?))
    };
    let (incoming, outgoing) = streams().map_err(wrong("standard input and output".as_ref()))?;
    let mut server = Server::new(arguments.clone(), outgoing);
    let outcome = server.serve(&incoming, &Interrupt::listen());
    server.finish();
    match outcome {
        // A client that is gone ends the session, whatever it was about to hear.
        Ok(()) | Err(wire::WireError::Gone) => Ok(ExitCode::SUCCESS),
        Err(error) => Err(Error::Command(Box::new(error))),
    }
}
