//! The stream of what is played: a hub that a thread of its own feeds, a server, and connections to
//! others. Nothing here waits; what takes time to stop is stopped elsewhere.

mod lines;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use nes_debug::Crash;
use stream::nestris::{Champs, SiteError};
use stream::obs::{Complaint, Obs, RuleError};
use stream::server::{Options, Server, ServerError};
use stream::{
    Broadcast, Feed, Hub, Link, Retry, Secret, Settings, SettingsError, Snapshot, Status, StreamPlayer,
    Wants, open_in_browser,
};
use thiserror::Error;

use crate::config::settings::StreamSettings;
use crate::messages::status::{LinkStatus, StreamStatus};
use crate::options::StreamOptions;
use lines::LineWriter;

type StreamResult = Result<(), StreamError>;

/// Between two looks at the connections.
const LOOK: Duration = Duration::from_millis(200);
/// The file of secrets, rooms and rules has no more bytes.
const SETTINGS_MOST: u64 = 1 << 20;

/// Who follows the feed.
const CHAMPS: &str = "NestrisChamps";
const OBS: &str = "OBS";

/// Why something is not streamed.
#[derive(Debug, Error)]
pub(crate) enum StreamError {
    /// The local server cannot be started.
    #[error(transparent)]
    Server(#[from] ServerError),
    /// There is no page to open.
    #[error("the local server is off: turn it on first")]
    ServerOff,
    /// The page cannot be opened.
    #[error(transparent)]
    Browser(std::io::Error),
    /// Settings lack what a connection needs.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A site of NestrisChamps cannot be sent to.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// A rule for OBS cannot be followed.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// The feed takes no more followers.
    #[error("{BEHIND}")]
    Behind,
    /// The file of secrets, rooms and rules cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: draft::ReadError,
    },
    /// It is no text.
    #[error("{}: expected text, as UTF-8", .0.display())]
    NotText(PathBuf),
    /// It is not understood.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What was expected and found.
        source: SettingsError,
    },
}

/// The stream: nothing at all until something is asked for.
#[derive(Debug, Default)]
pub(crate) struct Streaming {
    options: StreamOptions,
    settings: StreamSettings,
    /// Who plays, as the last `hello` says.
    players: Vec<StreamPlayer>,
    live: Option<Live>,
    /// When the connections were last looked at.
    looked: Option<Duration>,
    /// Frames that were handed to the feed.
    #[cfg(test)]
    pub(crate) fed: u64,
}

/// What runs while anything is asked for.
#[derive(Debug)]
struct Live {
    hub: Hub,
    feed: Feed,
    server: Option<Server>,
    champs: Vec<Arc<Link>>,
    obs: Option<(Arc<Link>, Complaint)>,
    lines: Option<LineWriter>,
    /// Whether the players have changed and the feed had no room for that.
    greets: bool,
    crashed: bool,
}

impl Streaming {
    pub(crate) fn new(options: StreamOptions, settings: StreamSettings) -> Self {
        Self { options, settings, ..Self::default() }
    }

    /// Begins what command line and settings ask for, and returns what went wrong of that which
    /// only the settings ask for, or which only adds to the rest.
    ///
    /// # Errors
    /// The first thing of the command line's that cannot be.
    pub(crate) fn begin(&mut self) -> Result<Vec<StreamError>, StreamError> {
        let StreamOptions { serve, open, nestrischamps, obs, lines, .. } = self.options.clone();
        let mut troubles = vec![];
        if self.options.settings.is_some() {
            self.connections()?;
        }
        if serve || open {
            self.serve(true)?;
        } else if self.settings.serve {
            troubles.extend(self.serve(true).err());
        }
        if open {
            troubles.extend(self.open().err());
        }
        if nestrischamps {
            self.send_to_champs(true)?;
        }
        if obs {
            self.follow_rules(true)?;
        }
        if let Some(path) = lines {
            let wants = self.wants();
            let live = self.live();
            live.lines = Some(LineWriter::start(live.hub.reader(wants), path));
        }
        Ok(troubles)
    }

    fn wants(&self) -> Wants {
        let StreamOptions { states, only, .. } = self.options.clone();
        Wants { states, only, player: None }
    }

    /// Returns whether anything is streamed.
    pub(crate) fn is_on(&self) -> bool {
        self.live.is_some()
    }

    /// Takes other settings over. A server that runs goes on where it is.
    pub(crate) fn set(&mut self, settings: StreamSettings) {
        let names = self.settings.names != settings.names;
        self.settings = settings;
        if names {
            let cartridges = self.players.iter().map(|player| player.cartridge.clone()).collect::<Vec<_>>();
            let rate = self.players.first().map_or(stream::RATE, |player| player.rate);
            self.greet(&cartridges, rate);
        }
    }

    /// Serves the stream on this machine, or no longer.
    pub(crate) fn serve(&mut self, on: bool) -> StreamResult {
        if !on {
            if let Some(live) = &mut self.live {
                stop(live.server.take());
            }
            self.rest();
            return Ok(());
        }
        let StreamOptions { listen, port, token, origins, .. } = self.options.clone();
        let mut options =
            Options { port: port.unwrap_or(self.settings.port), token, origins, ..Options::default() };
        options.address = listen.unwrap_or(options.address);
        if self.address().is_some() {
            return Ok(());
        }
        let hub = self.live().hub.clone();
        match Server::start(hub, options) {
            Ok(server) => self.live().server = Some(server),
            Err(error) => {
                self.rest();
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// Returns the address of the pages, without the token.
    pub(crate) fn address(&self) -> Option<String> {
        let server = self.live.as_ref()?.server.as_ref()?;
        Some(format!("http://{}/", server.address()))
    }

    /// Returns the address with what a reader has to know.
    fn whole_address(&self) -> Option<Secret> {
        let page = self.address()?;
        let token = self.options.token.as_ref().map(|token| format!("?token={}", token.reveal()));
        Some(Secret::new(page + &token.unwrap_or_default()))
    }

    /// Opens the page of the overlays in the player's browser.
    pub(crate) fn open(&self) -> StreamResult {
        let address = self.whole_address().ok_or(StreamError::ServerOff)?;
        open_in_browser(address.reveal()).map_err(StreamError::Browser)
    }

    /// Sends the game to NestrisChamps, or no longer.
    pub(crate) fn send_to_champs(&mut self, on: bool) -> StreamResult {
        if !on {
            if let Some(live) = &mut self.live {
                live.champs.clear();
                live.feed.unfollow(CHAMPS);
            }
            self.rest();
            return Ok(());
        }
        let secret = variable("MAXOUT_NESTRISCHAMPS_SECRET");
        let sites = self.connections()?.sites(secret)?;
        // Games of another run of the program have other numbers.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let mut followers = vec![];
        for site in &sites {
            followers.push(Champs::connect(site, now as u16, Retry::default(), None)?);
        }
        let live = self.live();
        live.feed.unfollow(CHAMPS);
        live.champs.clear();
        for champs in followers {
            let link = champs.link();
            if live.feed.follow(CHAMPS, Box::new(champs)) {
                live.champs.push(link);
            }
        }
        if live.champs.len() == sites.len() { Ok(()) } else { Err(StreamError::Behind) }
    }

    /// Lets OBS do what the rules say, or no longer.
    pub(crate) fn follow_rules(&mut self, on: bool) -> StreamResult {
        if !on {
            if let Some(live) = &mut self.live {
                live.obs = None;
                live.feed.unfollow(OBS);
            }
            self.rest();
            return Ok(());
        }
        let password = variable("MAXOUT_OBS_PASSWORD");
        let settings = self.connections()?.obs(password)?;
        let obs = Obs::connect(settings, Retry::default())?;
        let (link, complaint) = (obs.link(), obs.complaint());
        let live = self.live();
        live.feed.unfollow(OBS);
        if !live.feed.follow(OBS, Box::new(obs)) {
            return Err(StreamError::Behind);
        }
        live.obs = Some((link, complaint));
        Ok(())
    }

    /// Returns the file of secrets, rooms and rules; none where there are no settings.
    pub(crate) fn connections_file(&self) -> Option<PathBuf> {
        let set = Some(&self.settings.connections).filter(|path| !path.as_os_str().is_empty());
        self.options.settings.as_ref().or(set).cloned().or_else(|| {
            let folder = self.options.folder.as_ref()?;
            Some(folder.join("stream.toml"))
        })
    }

    fn connections(&self) -> Result<Settings, StreamError> {
        let Some(path) = self.connections_file() else { return Ok(Settings::default()) };
        let asked = self.options.settings.is_some() || !self.settings.connections.as_os_str().is_empty();
        if !asked && !path.exists() {
            return Ok(Settings::default());
        }
        read(&path)
    }

    /// These play now: a cartridge each, or none where that is not a known one, on consoles of so
    /// many frames a second.
    pub(crate) fn greet(&mut self, cartridges: &[String], rate: f64) {
        let players = (1..).zip(cartridges).map(|(player, cartridge)| StreamPlayer {
            player,
            name: self.name(player),
            cartridge: cartridge.clone(),
            rate,
        });
        let players: Vec<_> = players.collect();
        if players != self.players {
            self.players.clone_from(&players);
            if let Some(live) = &mut self.live {
                live.greets = true;
            }
        }
    }

    /// Returns what a player is called, by its number from 1; empty if nobody has said so.
    pub(crate) fn name(&self, player: u8) -> String {
        let names = if self.options.names.is_empty() { &self.settings.names } else { &self.options.names };
        names.get(usize::from(player - 1)).cloned().unwrap_or_default()
    }

    /// A frame was shown.
    pub(crate) fn frame(&mut self, snapshot: Snapshot) {
        let Some(live) = &mut self.live else { return };
        if live.greets && live.feed.greet(self.players.clone()) {
            live.greets = false;
        }
        live.feed.frame(snapshot);
        #[cfg(test)]
        {
            self.fed += 1;
        }
    }

    /// The player's game goes on elsewhere with the next frame.
    pub(crate) fn seek(&mut self, player: u8) {
        if let Some(live) = &mut self.live {
            live.feed.seek(player);
        }
    }

    /// The first player's game has crashed, or is well.
    pub(crate) fn crash(&mut self, crash: Option<&Crash>) {
        let Some(live) = &mut self.live else { return };
        if let Some(crash) = crash.filter(|_| !live.crashed) {
            live.feed.record(1, crash.record());
        }
        live.crashed = crash.is_some();
    }

    /// Returns how everything stands, if anything is on and it was not looked at a moment ago.
    pub(crate) fn look(&mut self, now: Duration) -> Option<StreamStatus> {
        if self.looked.is_some_and(|looked| now.saturating_sub(looked) < LOOK) {
            return None;
        }
        self.looked = Some(now);
        Some(self.status())
    }

    /// Returns how everything stands.
    pub(crate) fn status(&self) -> StreamStatus {
        let Some(live) = &self.live else { return StreamStatus::default() };
        let link = |link: &Arc<Link>| of_link(&link.status());
        let champs = live.champs.iter().map(link);
        StreamStatus {
            address: self.address(),
            whole_address: self.whole_address(),
            readers: live.hub.readers() - usize::from(live.lines.is_some()),
            nestrischamps: champs.collect(),
            obs: live.obs.as_ref().map(|(link, _)| of_link(&link.status())),
            lost: live.feed.lost(),
            players: self.players.iter().map(|player| player.cartridge.clone()).collect(),
        }
    }

    /// Returns what OBS has refused, and what became of the file of lines, once.
    pub(crate) fn complaint(&mut self) -> Option<String> {
        let live = self.live.as_mut()?;
        let refused = live.obs.as_ref().and_then(|(_, complaint)| complaint.take());
        let obs = refused.map(|text| format!("OBS: {text}"));
        obs.or_else(|| live.lines.as_ref().and_then(LineWriter::complaint))
    }

    /// Ends everything; readers get the end of the stream.
    pub(crate) fn end(&mut self) {
        let Some(Live { hub, feed, server, lines, .. }) = self.live.take() else { return };
        drop(feed); // what waits is handed on
        hub.end();
        if let Some(lines) = lines {
            lines.end();
        }
        let begun = std::time::Instant::now();
        while server.is_some() && hub.waiting() > 0 && begun.elapsed() < FAREWELL {
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Returns a reader, with `follower` beside it.
    #[cfg(test)]
    pub(crate) fn watch(&mut self, follower: Box<dyn stream::Follower>) -> stream::Reader {
        let live = self.live();
        assert!(live.feed.follow("", follower));
        live.hub.reader(Wants::default())
    }

    /// Returns what runs, begun if need be.
    fn live(&mut self) -> &mut Live {
        let players = &self.players;
        self.live.get_or_insert_with(|| {
            let hub = Hub::new(players.clone());
            let feed = Feed::new(Broadcast::new(hub.clone()));
            Live {
                hub,
                feed,
                server: None,
                champs: vec![],
                obs: None,
                lines: None,
                greets: false,
                crashed: false,
            }
        })
    }

    /// Nothing runs on for nobody.
    fn rest(&mut self) {
        let idle = |live: &Live| {
            live.server.is_none() && live.champs.is_empty() && live.obs.is_none() && live.lines.is_none()
        };
        if self.live.as_ref().is_some_and(idle) {
            stop(self.live.take());
        }
    }
}

/// Until readers have what is left at the end.
const FAREWELL: Duration = Duration::from_secs(1);
const BEHIND: &str = "the stream's thread is behind: try again in a moment";

/// Drops what takes a moment to stop, in a thread of its own.
fn stop(running: Option<impl Send + 'static>) {
    if running.is_some() {
        // Without a thread it is dropped here.
        let _ = std::thread::Builder::new().name("stream ends".into()).spawn(move || drop(running));
    }
}

fn of_link(status: &Status) -> LinkStatus {
    match status {
        Status::Connecting => LinkStatus::Connecting,
        Status::Connected => LinkStatus::Connected,
        Status::Lost(reason) => LinkStatus::Lost(reason.clone()),
        Status::Ended(reason) => LinkStatus::Ended(reason.clone()),
    }
}

fn read(path: &Path) -> Result<Settings, StreamError> {
    let bytes = draft::read_file(path, SETTINGS_MOST)
        .map_err(|source| StreamError::Read { path: path.into(), source })?;
    let text = String::from_utf8(bytes).map_err(|_| StreamError::NotText(path.into()))?;
    Settings::parse(&text).map_err(|source| StreamError::File { path: path.into(), source })
}

fn variable(name: &str) -> Option<Secret> {
    std::env::var(name).ok().filter(|value| !value.is_empty()).map(Secret::new)
}
