//! `netplay`: what a room costs with many who watch, and two players behind two routers.

mod nats;

use anyhow::{Context, Result, bail};
use first_run::install::{self, Purpose};
use first_run::workspace::Workspace;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// What `netplay` can be told.
#[derive(clap::Args)]
#[command(after_help = "\
Without --spectators and --nats it does both, by 100 spectators.

Examples:
  cargo xtask netplay --spectators 100
  cargo xtask netplay --nats                 as root: two networks with a router each, in namespaces")]
pub(crate) struct Arguments {
    /// Have so many watch a match in a room on loopback, and measure what its server costs. Fails
    /// beyond a tenth of a core.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "100")]
    spectators: Option<u32>,
    /// Have two players behind two routers (nftables) meet by a code, directly and through the
    /// room. Fails where that takes more than ten seconds.
    #[arg(long)]
    nats: bool,
    /// How long the spectators watch.
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    seconds: u64,
    /// A `maxout` that is built already.
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
}

/// A program that is ended with this value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs what is asked for.
///
/// # Errors
/// When something cannot be built or started, or is beyond its bound.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    install::ensure(Purpose::Build, true)?;
    let program = match &arguments.program {
        Some(program) => program.canonicalize().with_context(|| program.display().to_string())?,
        None => workspace.build("maxout", &[])?,
    };
    let is_all = arguments.spectators.is_none() && !arguments.nats;
    if let Some(count) = arguments.spectators.or(is_all.then_some(100)) {
        spectators(workspace, &program, count, arguments.seconds)?;
    }
    if arguments.nats || is_all {
        nats::run(&program)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Starts a room's server. Returns where it is.
fn room(mut command: Command) -> Result<(Running, String)> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let out = child.stdout.take().context("a pipe")?;
    let running = Running(child);
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line)?;
    let address = line.trim().strip_prefix("rooms at ").context("the server says no address")?;
    Ok((running, address.to_owned()))
}

fn spectators(workspace: &Workspace, program: &Path, count: u32, seconds: u64) -> Result<()> {
    /// Of a core.
    const MOST: f64 = 0.1;
    let built = workspace
        .cargo(&["build", "--quiet", "-p", "netplay", "--example", "spectators"])
        .status()?
        .success();
    if !built {
        bail!("the example does not build");
    }
    let example =
        workspace.built("debug/examples").join(format!("spectators{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(program);
    command.args(["room", "--port", "0"]);
    let (server, address) = room(command)?;
    let (begun, before) = (Instant::now(), processor_time(server.0.id()));
    let watched =
        Command::new(example).args([&address, &count.to_string(), &seconds.to_string()]).status()?;
    if !watched.success() {
        bail!("the match was not watched to its end");
    }
    let Some((before, after)) = before.zip(processor_time(server.0.id())) else {
        println!("what the server costs is measured on Linux alone");
        return Ok(());
    };
    let share = after.saturating_sub(before).as_secs_f64() / begun.elapsed().as_secs_f64();
    println!("the room's server took {:.1} % of a core (at most {:.0} %)", 100.0 * share, 100.0 * MOST);
    if share > MOST {
        bail!("that is too much");
    }
    Ok(())
}

/// Returns the processor time of a program so far, where the system says it as Linux does: in
/// hundredths of a second.
pub(crate) fn processor_time(id: u32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // Behind the name, which may have blanks and parentheses: the state is the third field.
    let (_, fields) = text.rsplit_once(") ")?;
    let fields: Vec<&str> = fields.split(' ').collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(10 * ticks))
}
