//! Two players behind two routers that translate addresses, in network namespaces.
//!
//! Both homes have the same addresses, as homes do. A router lets in only answers, from the very
//! address and port that something was sent to. Of the two kinds one keeps a player's port, so that
//! the players reach each other directly; the other draws one for each destination, so that only
//! the room is left.

use super::{Running, room};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Where the room's server is: an address for documentation.
const SERVER: &str = "203.0.113.1";
/// How long two players may take to meet.
const BOUND: Duration = Duration::from_secs(10);
/// How long the way between them may change.
const SETTLED: Duration = Duration::from_secs(6);
/// How long they are waited for.
const PATIENCE: Duration = Duration::from_secs(40);

/// The namespaces, which are removed with this value.
struct Network {
    prefix: String,
}

impl Drop for Network {
    fn drop(&mut self) {
        for name in NAMES {
            let _ =
                Command::new("ip").args(["netns", "del", &self.name(name)]).stderr(Stdio::null()).status();
        }
    }
}

/// The public network, two routers, and a home behind each.
const NAMES: [&str; 5] = ["net", "r1", "r2", "h1", "h2"];

impl Network {
    fn name(&self, of: &str) -> String {
        format!("{}{of}", self.prefix)
    }

    /// Returns a command that is run in a namespace.
    fn inside(&self, of: &str, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.name(of)]).arg(program);
        command
    }

    fn run(&self, of: &str, line: &str) -> Result<()> {
        let mut words = line.split(' ');
        let mut command = self.inside(of, words.next().unwrap_or_default());
        let output = command.args(words).output()?;
        if !output.status.success() {
            bail!("{of}: {line}: {}", String::from_utf8_lossy(&output.stderr).trim());
        }
        Ok(())
    }

    /// Joins two namespaces by a wire with an address at each end.
    fn wire(&self, one: [&str; 3], two: [&str; 3]) -> Result<()> {
        let ([of, name, address], [other, other_name, other_address]) = (one, two);
        let peer = self.name(other);
        self.run(of, &format!("ip link add {name} type veth peer name {other_name} netns {peer}"))?;
        for (of, name, address) in [(of, name, address), (other, other_name, other_address)] {
            self.run(of, &format!("ip addr add {address} dev {name}"))?;
            self.run(of, &format!("ip link set {name} up"))?;
        }
        Ok(())
    }

    /// Builds all of it. `masquerade` is how the routers translate.
    fn build(masquerade: &str) -> Result<Self> {
        let network = Self { prefix: format!("mx{}", std::process::id() % 100_000) };
        for name in NAMES {
            let name = network.name(name);
            let output = Command::new("ip").args(["netns", "add", &name]).output()?;
            if !output.status.success() {
                bail!("no network namespace: {}", String::from_utf8_lossy(&output.stderr).trim());
            }
        }
        for name in NAMES {
            network.run(name, "ip link set lo up")?;
        }
        network.run("net", &format!("ip addr add {SERVER}/32 dev lo"))?;
        network.wire(["net", "one", "192.0.2.1/30"], ["r1", "wan", "192.0.2.2/30"])?;
        network.wire(["net", "two", "198.51.100.1/30"], ["r2", "wan", "198.51.100.2/30"])?;
        for (router, home, gateway) in [("r1", "h1", "192.0.2.1"), ("r2", "h2", "198.51.100.1")] {
            network.wire([router, "lan", "192.168.1.1/24"], [home, "eth", "192.168.1.2/24"])?;
            network.run(home, "ip route add default via 192.168.1.1")?;
            network.run(router, &format!("ip route add default via {gateway}"))?;
            for line in [
                "nft add table ip home",
                "nft add chain ip home out { type nat hook postrouting priority 100 ; }",
                &format!("nft add rule ip home out oifname wan {masquerade}"),
                // As at home: an unsolicited packet is dropped without an answer. A router that
                // takes it for its own remembers it, and then has another port for the player's.
                "nft add chain ip home in { type filter hook input priority 0 ; policy drop ; }",
                "nft add chain ip home through { type filter hook forward priority 0 ; policy drop ; }",
                "nft add rule ip home through iifname lan accept",
                "nft add rule ip home through ct state established,related accept",
            ] {
                network.run(router, line)?;
            }
        }
        for name in ["net", "r1", "r2"] {
            network.run(name, "sysctl -q -w net.ipv4.ip_forward=1")?;
        }
        Ok(network)
    }

    /// Two players meet by a code. Returns how long the guest took, and how both reach each other.
    fn meet(&self, program: &Path) -> Result<(Duration, [String; 2])> {
        let mut command = self.inside("net", program);
        command.args(["room", "--listen", SERVER]);
        let (_server, _) = room(command)?;
        let folders = [tempfile::tempdir()?, tempfile::tempdir()?];
        let player = |home: &str, words: &[&str], folder: &Path| -> Result<_> {
            let mut command = self.inside(home, program);
            command.arg("netplay").args(words).args([
                "--room",
                SERVER,
                "--computer",
                "--headless",
                "--folder",
            ]);
            let mut child = command.arg(folder).stdin(Stdio::null()).stderr(Stdio::piped()).spawn()?;
            let errors = BufReader::new(child.stderr.take().context("a pipe")?);
            let (say, said) = mpsc::channel();
            std::thread::spawn(move || {
                errors.lines().map_while(Result::ok).for_each(|line| {
                    let _ = say.send(line); // the receiver may be gone
                });
            });
            Ok((Running(child), said))
        };
        let line_with = |said: &mpsc::Receiver<String>, words: &str| -> Result<String> {
            let begun = Instant::now();
            loop {
                let left = PATIENCE.saturating_sub(begun.elapsed());
                let line = said.recv_timeout(left).with_context(|| format!("no line has {words:?}"))?;
                if let Some((_, rest)) = line.split_once(words) {
                    return Ok(rest.to_owned());
                }
            }
        };
        let (_host, at_host) = player("h1", &["host"], folders[0].path())?;
        let code = line_with(&at_host, "joins with the code ")?;
        let code = code.split(' ').next().unwrap_or_default();
        let begun = Instant::now();
        let (_guest, at_guest) = player("h2", &["join", code], folders[1].path())?;
        for said in [&at_host, &at_guest] {
            line_with(said, "the other player is there")?;
        }
        let took = begun.elapsed();
        // The first messages may go through the room until the other way is found.
        let begun = Instant::now();
        let mut ways = [String::from("through the room"), String::from("through the room")];
        while begun.elapsed() < SETTLED {
            for (said, way) in [&at_host, &at_guest].into_iter().zip(&mut ways) {
                while let Ok(line) = said.try_recv() {
                    if let Some((_, words)) = line.split_once("messages go ") {
                        words.clone_into(way);
                    }
                }
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok((took, ways))
    }
}

/// Has two players meet behind both kinds of routers.
///
/// # Errors
/// When they do not meet in time, or by another way than they could.
pub(super) fn run(program: &Path) -> Result<()> {
    if !cfg!(target_os = "linux") {
        println!("two routers: left out, because network namespaces are Linux's");
        return Ok(());
    }
    for (tool, package) in [("ip", "iproute2"), ("nft", "nftables")] {
        if Command::new(tool).arg("-V").output().is_err() {
            println!("two routers: left out, because the program {tool} is missing (Debian: {package})");
            return Ok(());
        }
    }
    let kinds = [
        ("keep a player's port", "masquerade", "directly"),
        ("draw a port for each destination", "masquerade fully-random", "through the room"),
    ];
    for (kind, masquerade, expected) in kinds {
        let network = match Network::build(masquerade) {
            Ok(network) => network,
            Err(error) => {
                println!("two routers: left out, because there are no namespaces with nftables: {error}");
                return Ok(());
            }
        };
        let (took, ways) = network.meet(program)?;
        println!(
            "two routers that {kind}: the players met {:.1} s after the guest had begun; messages go {} and {}",
            took.as_secs_f64(),
            ways[0],
            ways[1]
        );
        if took > BOUND || ways.iter().any(|way| !way.starts_with(expected)) {
            bail!("expected at most {} s, {expected}", BOUND.as_secs());
        }
    }
    Ok(())
}
