//! OBS itself, and a server of NestrisChamps, where they are at hand.

use crate::display::Display;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Until OBS listens, and until it has written what it recorded.
const PATIENCE: Duration = Duration::from_secs(60);
/// Frames of the movie: its game begins with the 438th.
const FRAMES: &str = "900";
const PASSWORD: &str = "a-password-of-the-test";
/// Bytes of an answer of the server, at most.
const MOST: u64 = 1 << 20;
/// The variable with the secret of a login at the server of NestrisChamps.
const SECRET: &str = "MAXOUT_NESTRISCHAMPS_SECRET";

/// A program that is ended with this value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Streams a movie to both. What is not there is named and left out.
///
/// # Errors
/// When one of them is there and does not do what it should.
pub(super) fn run(program: &Path, movie: &Path, champs: Option<&str>) -> Result<()> {
    obs(program, movie)?;
    nestrischamps(program, movie, champs)
}

fn version(program: &str, argument: &str) -> Option<String> {
    let output = Command::new(program).arg(argument).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(text.lines().next().unwrap_or_default().to_owned())
}

/// Has OBS record from the beginning of a game to the end of the stream, by rules.
fn obs(program: &Path, movie: &Path) -> Result<()> {
    let Some(version) = version("obs", "--version") else {
        println!("OBS: left out, because the program obs is missing (Debian: obs-studio)");
        return Ok(());
    };
    if Command::new("Xvfb").arg("-help").stderr(Stdio::null()).status().is_err() {
        println!("OBS: left out, because the program Xvfb is missing (Debian: xvfb)");
        return Ok(());
    }
    let home = tempfile::tempdir()?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let recordings = home.path().join("recordings");
    let settings = configure(home.path(), &recordings, port)?;
    let mut xvfb = Command::new("Xvfb");
    xvfb.args(["-screen", "0", "1280x720x24"]);
    let display = Display::open(xvfb)?;
    let log = fs::File::create(home.path().join("obs.log"))?;
    let mut command = Command::new("obs");
    command.args(["--multi", "--disable-updater", "--disable-missing-files-check", "--minimize-to-tray"]);
    command.env("DISPLAY", display.name()).env("LIBGL_ALWAYS_SOFTWARE", "1").env_remove("WAYLAND_DISPLAY");
    command.env("HOME", home.path()).env("XDG_CONFIG_HOME", home.path().join("config"));
    command.env("XDG_RUNTIME_DIR", home.path());
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    let mut obs = Running(command.spawn().context("OBS could not be started")?);
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    wait("OBS listens", || {
        if let Some(status) = obs.0.try_wait()? {
            let log = fs::read_to_string(home.path().join("obs.log")).unwrap_or_default();
            bail!("OBS has ended: {status}: {}", log.lines().last().unwrap_or_default());
        }
        Ok(TcpStream::connect(address).is_ok())
    })?;
    let output = Command::new(program)
        .args(["stream", "--frames", FRAMES, "--quiet", "--obs", "--input"])
        .arg(movie)
        .arg("--settings")
        .arg(settings)
        .env("MAXOUT_OBS_PASSWORD", PASSWORD)
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || !said.contains("OBS: connected") || said.contains("OBS refuses") {
        bail!("{version}: the stream ended with {}: {said}", output.status);
    }
    let mut last = 0;
    wait("the recording is whole", || {
        thread::sleep(Duration::from_millis(500));
        let size: u64 = fs::read_dir(&recordings)?
            .flatten()
            .filter_map(|file| file.metadata().ok())
            .map(|of| of.len())
            .sum();
        let log = fs::read_to_string(home.path().join("obs.log")).unwrap_or_default();
        Ok(size > 0 && std::mem::replace(&mut last, size) == size && log.contains("Recording Stop"))
    })?;
    println!(
        "{version}: took the password, recorded {} KB from the beginning of a game to the end of the stream, and stopped",
        last / 1_024
    );
    Ok(())
}

/// Writes the settings of OBS and of the stream. Returns where the latter are.
fn configure(home: &Path, recordings: &Path, port: u16) -> Result<PathBuf> {
    let config = home.join("config/obs-studio");
    let profile = config.join("basic/profiles/Maxout");
    fs::create_dir_all(&profile)?;
    fs::create_dir_all(recordings)?;
    let global = format!(
        "[General]\nFirstRun=true\nEnableAutoUpdates=false\nLastVersion=486604803\n[OBSWebSocket]\nFirstLoad=false\n\
         ServerEnabled=true\nServerPort={port}\nAuthRequired=true\nServerPassword={PASSWORD}\nAlertsEnabled=false\n\
         [Basic]\nProfile=Maxout\nProfileDir=Maxout\nConfigOnNewProfile=false\n"
    );
    fs::write(config.join("global.ini"), global)?;
    let basic = format!(
        "[General]\nName=Maxout\n[Output]\nMode=Simple\n[SimpleOutput]\nFilePath={}\nRecFormat=mkv\n[Video]\nBaseCX=640\n\
         BaseCY=360\nOutputCX=640\nOutputCY=360\n",
        recordings.display()
    );
    fs::write(profile.join("basic.ini"), basic)?;
    let settings = home.join("stream.toml");
    let rules = "[[obs.rule]]\nwhen = \"game_start\"\ndo = \"start_recording\"\n\n[[obs.rule]]\nwhen = \"quit\"\ndo = \"stop_recording\"\n";
    fs::write(&settings, format!("[obs]\naddress = \"ws://127.0.0.1:{port}\"\n\n{rules}"))?;
    Ok(settings)
}

fn wait(what: &str, mut is: impl FnMut() -> Result<bool>) -> Result<()> {
    let begun = Instant::now();
    while !is()? {
        if begun.elapsed() > PATIENCE {
            bail!("not in {} seconds: {what}", PATIENCE.as_secs());
        }
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}

/// Sends a whole game to a server of NestrisChamps, in real time, which has to take the secret and
/// to keep the game with its score.
fn nestrischamps(program: &Path, movie: &Path, champs: Option<&str>) -> Result<()> {
    let (Some(server), Ok(secret)) = (champs, std::env::var(SECRET)) else {
        println!(
            "NestrisChamps: left out: start a checkout of it with PostgreSQL, and give its address by --champs \
             (ws://127.0.0.1:5000) and the secret of a login in {SECRET}"
        );
        return Ok(());
    };
    let host = server.strip_prefix("ws://").context("--champs: expected a server as ws://127.0.0.1:5000")?;
    let home = tempfile::tempdir()?;
    let settings = home.path().join("stream.toml");
    fs::write(&settings, format!("[[nestrischamps]]\nserver = \"{server}\"\nsecret = \"{secret}\"\n"))?;
    let before = kept_scores(host, &secret)?.len();
    let output = Command::new(program)
        .args(["stream", "--only", "high_score", "--nestrischamps", "--input"])
        .arg(movie)
        .arg("--settings")
        .arg(settings)
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    let is_connected =
        said.contains("connected") && !said.contains("refuses") && !said.contains("trying again");
    if !output.status.success() || !is_connected {
        bail!("NestrisChamps at {server}: the stream ended with {}: {said}", output.status);
    }
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = lines.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let score = lines.find_map(|line| line["score"].as_u64()).context("the game has no score")?;
    let mut kept = Vec::new();
    wait("the server keeps the game", || {
        kept = kept_scores(host, &secret)?;
        // It lists the best ones only.
        Ok(kept.len() > before || kept.contains(&score))
    })?;
    if !kept.contains(&score) {
        bail!("NestrisChamps at {server}: the game has {score} points, and the server has {kept:?}");
    }
    println!("NestrisChamps at {server}: took the secret, and keeps the game with its {score} points");
    Ok(())
}

/// Returns the scores of the player's best games, as the server has them.
fn kept_scores(host: &str, secret: &str) -> Result<Vec<u64>> {
    let mut stream = TcpStream::connect(host).with_context(|| format!("no server answers at {host}"))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(format!("GET /stats/get_stats/{secret} HTTP/1.0\r\nHost: {host}\r\n\r\n").as_bytes())?;
    let mut text = String::new();
    stream.take(MOST).read_to_string(&mut text)?;
    let (head, body) = text.split_once("\r\n\r\n").context("the server does not speak HTTP")?;
    if !head.lines().next().is_some_and(|line| line.contains(" 200 ")) {
        bail!("{host}: {}: is the secret one of its logins?", head.lines().next().unwrap_or_default());
    }
    let stats: Value = serde_json::from_str(body).context("the server's statistics are no JSON")?;
    let games = stats["high_scores"]["overall"].as_array().cloned().unwrap_or_default();
    Ok(games.iter().filter_map(|game| game["score"].as_u64()).collect())
}
