//! A browser, by its `DevTools` protocol.

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(60);

/// A headless browser. It ends with this value.
pub(super) struct Browser {
    child: Child,
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    count: u64,
    _profile: TempDir,
}

/// A page in it.
pub(super) struct Page<'a> {
    browser: &'a mut Browser,
    target: String,
    session: String,
}

impl Browser {
    /// # Errors
    /// When it cannot be started.
    pub(super) fn start(program: &Path) -> Result<Self> {
        let profile = tempfile::tempdir()?;
        let mut command = Command::new(program);
        command.args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--no-first-run",
        ]);
        command.args(["--remote-debugging-port=0", "about:blank"]);
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().with_context(|| {
            format!("{} cannot be started: install it, or name another by --chromium", program.display())
        })?;
        let mut lines = BufReader::new(child.stderr.take().context("a pipe")?);
        let address = loop {
            let mut line = String::new();
            ensure!(lines.read_line(&mut line)? > 0, "{} ends at once", program.display());
            if let Some(address) = line.trim().strip_prefix("DevTools listening on ") {
                break address.to_owned();
            }
        };
        std::thread::spawn(move || lines.read_to_end(&mut Vec::new()));
        let (socket, _) = tungstenite::connect(&address)?;
        if let MaybeTlsStream::Plain(tcp) = socket.get_ref() {
            tcp.set_read_timeout(Some(PATIENCE))?;
        }
        Ok(Self { child, socket, count: 0, _profile: profile })
    }

    fn call(&mut self, session: Option<&str>, method: &str, parameters: &Value) -> Result<Value> {
        self.count += 1;
        let mut message = json!({ "id": self.count, "method": method, "params": parameters });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        self.socket.send(Message::text(message.to_string()))?;
        loop {
            let Message::Text(text) = self.socket.read().with_context(|| method.to_owned())? else {
                continue;
            };
            let mut answer: Value = serde_json::from_str(&text)?;
            if answer["id"] != self.count {
                continue; // an event
            }
            ensure!(answer["error"].is_null(), "{method}: {}", answer["error"]);
            return Ok(answer["result"].take());
        }
    }

    /// An empty page of a size.
    ///
    /// # Errors
    /// What the browser says.
    pub(super) fn page(&mut self, width: u32, height: u32) -> Result<Page<'_>> {
        let target = self.call(None, "Target.createTarget", &json!({ "url": "about:blank" }))?;
        let target = target["targetId"].as_str().context("a target")?.to_owned();
        let attached =
            self.call(None, "Target.attachToTarget", &json!({ "targetId": target, "flatten": true }))?;
        let session = attached["sessionId"].as_str().context("a session")?.to_owned();
        let mut page = Page { browser: self, target, session };
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        page.call("Emulation.setDeviceMetricsOverride", &size)?;
        let clear = json!({ "color": { "r": 0, "g": 0, "b": 0, "a": 0 } });
        page.call("Emulation.setDefaultBackgroundColorOverride", &clear)?;
        Ok(page)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.call(None, "Browser.close", &json!({}));
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(5) {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Page<'_> {
    fn call(&mut self, method: &str, parameters: &Value) -> Result<Value> {
        self.browser.call(Some(&self.session), method, parameters)
    }

    /// # Errors
    /// When the page is not there.
    pub(super) fn open(&mut self, address: &str) -> Result<()> {
        let answer = self.call("Page.navigate", &json!({ "url": address }))?;
        ensure!(answer["errorText"].is_null(), "{address}: {}", answer["errorText"]);
        Ok(())
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// What it throws.
    pub(super) fn evaluate(&mut self, expression: &str) -> Result<Value> {
        let mut answer =
            self.call("Runtime.evaluate", &json!({ "expression": expression, "returnByValue": true }))?;
        ensure!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        Ok(answer["result"]["value"].take())
    }

    /// Waits until an expression is true.
    ///
    /// # Errors
    /// When it does not become true.
    pub(super) fn until(&mut self, expression: &str) -> Result<()> {
        let begun = Instant::now();
        let wanted = format!("Boolean(document.body) && ({expression})");
        loop {
            // While a page is being loaded there may be nothing to ask.
            if self.evaluate(&wanted).is_ok_and(|value| value == true) {
                return Ok(());
            }
            if begun.elapsed() > PATIENCE {
                bail!("not in {PATIENCE:?}: {expression}");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The page as PNG.
    ///
    /// # Errors
    /// What the browser says.
    pub(super) fn screenshot(&mut self) -> Result<Vec<u8>> {
        // Two frames, so that what was drawn is shown.
        let drawn = json!({
            "expression": "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))",
            "awaitPromise": true
        });
        self.call("Runtime.evaluate", &drawn)?;
        let answer = self.call("Page.captureScreenshot", &json!({ "format": "png" }))?;
        base64(answer["data"].as_str().context("a picture")?)
    }

    /// Seconds of a processor that the pages' processes have taken.
    ///
    /// # Errors
    /// What the browser says.
    pub(super) fn renderer_time(&mut self) -> Result<f64> {
        let answer = self.browser.call(None, "SystemInfo.getProcessInfo", &json!({}))?;
        let processes = answer["processInfo"].as_array().context("processes")?;
        let renderers = processes.iter().filter(|process| process["type"] == "renderer");
        Ok(renderers.filter_map(|process| process["cpuTime"].as_f64()).sum())
    }

    /// # Errors
    /// What the browser says.
    pub(super) fn close(self) -> Result<()> {
        self.browser.call(None, "Target.closeTarget", &json!({ "targetId": self.target })).map(drop)
    }
}

/// The bytes of a base64 text.
fn base64(text: &str) -> Result<Vec<u8>> {
    use ::base64::Engine;
    ::base64::prelude::BASE64_STANDARD.decode(text).map_err(|error| anyhow::anyhow!("base64: {error}"))
}
