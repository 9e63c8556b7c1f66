//! A `maxout stream` that serves.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(30);

/// The program, and where it serves. It ends with this value.
pub(super) struct Served {
    child: Child,
    address: String,
}

impl Served {
    /// # Errors
    /// When it does not serve.
    pub(super) fn start(program: &Path, options: &[&str], port: u16) -> Result<Self> {
        let mut command = Command::new(program);
        command.args(["stream", "--serve", "--quiet", "--port", &port.to_string()]).args(options);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child =
            command.spawn().with_context(|| format!("{} cannot be started", program.display()))?;
        let errors = child.stderr.take().context("a pipe")?;
        let mut served = Self { child, address: String::new() };
        let mut lines = BufReader::new(errors).lines();
        let line = lines.next().context("the program ends at once")??;
        let address = line.strip_prefix("streaming at http://").with_context(|| line.clone())?;
        address.trim_end_matches('/').clone_into(&mut served.address);
        // Whatever else it says is thrown away, so that it never waits.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(served)
    }

    pub(super) fn port(&self) -> u16 {
        self.address.rsplit(':').next().and_then(|port| port.parse().ok()).unwrap_or_default()
    }

    pub(super) fn page(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    /// The state of each player, once the game stands still.
    ///
    /// # Errors
    /// When the server does not answer, or the game does not come to rest.
    pub(super) fn states(&self) -> Result<Vec<Value>> {
        let begun = Instant::now();
        let mut last = Vec::new();
        loop {
            std::thread::sleep(Duration::from_millis(300));
            let states = self.ask()?;
            if !states.is_empty() && states == last {
                return Ok(states);
            }
            ensure!(begun.elapsed() < PATIENCE, "the game does not come to rest");
            last = states;
        }
    }

    fn ask(&self) -> Result<Vec<Value>> {
        let mut tcp = TcpStream::connect(&self.address)?;
        tcp.set_read_timeout(Some(PATIENCE))?;
        write!(tcp, "GET /state HTTP/1.1\r\nHost: {}\r\n\r\n", self.address)?;
        let mut answer = String::new();
        tcp.read_to_string(&mut answer)?;
        let (_, body) = answer.split_once("\r\n\r\n").context("an answer")?;
        let lines = body.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>()?;
        Ok(lines.into_iter().filter(|line| line["event"] == "state").collect())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The cells of a state that are taken, the piece's included, as a text of `x` and `.`.
///
/// # Errors
/// When the state is none.
pub(super) fn cells(state: &Value) -> Result<String> {
    let rows = state["field"].as_array().context("a field")?;
    let mut cells: Vec<char> = rows
        .iter()
        .filter_map(Value::as_str)
        .flat_map(|row| row.chars().map(|cell| if cell == '.' { '.' } else { 'x' }))
        .collect();
    for cell in state["cells"].as_array().context("cells")? {
        let at = |index: usize| cell[index].as_u64().unwrap_or_default() as usize;
        *cells.get_mut(at(0) * 10 + at(1)).context("a cell outside of the field")? = 'x';
    }
    Ok(cells.into_iter().collect())
}
