//! The connection to the site.

use std::sync::Arc;
use std::time::Instant;

use serde::Deserialize;
use tungstenite::Message;

use super::{Frame, Producer, Version};
use crate::link::{Link, Next, Outbox, Peer, Retry, Status};
use crate::{Follower, Secret, Update};

/// The site's own server.
const SERVER: &str = "wss://nestrischamps.io";
/// Letters of a secret, at most.
const LONGEST_SECRET: usize = 36;
/// How the site closes a connection that it does not want again.
const KICKED: u16 = 4_000;
/// How the site answers where secret or room is nobody's.
const NO_USER: u16 = 404;

/// Where a player's game is sent, as settings have it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Site {
    /// The server, `wss://…` or `ws://…`.
    #[serde(default = "usual_server")]
    pub server: String,
    /// The player's secret, from the site's settings page.
    pub secret: Secret,
    /// The host's login, to play in their match room instead of one's own.
    #[serde(default)]
    pub room: Option<String>,
    /// Whose game, from 1.
    #[serde(default = "usual_player")]
    pub player: u8,
}

fn usual_server() -> String {
    SERVER.to_owned()
}

fn usual_player() -> u8 {
    1
}

/// What is wrong with where a game is to be sent. It never shows the secret.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SiteError {
    /// The secret cannot be one.
    #[error(
        "the secret of NestrisChamps: expected 1 to {LONGEST_SECRET} letters, digits and -, found something else: copy it from the site's settings page"
    )]
    Secret,
    /// The server is no address.
    #[error("the server of NestrisChamps: expected ws://… or wss://…, found {0:?}")]
    Server(String),
    /// The room is no login.
    #[error("the room of NestrisChamps: expected the host's login, found {0:?}")]
    Room(String),
}

impl Site {
    /// One's own room at the site itself.
    pub fn of_secret(secret: Secret) -> Self {
        Self { server: usual_server(), secret, room: None, player: 1 }
    }

    fn address(&self) -> Result<Secret, SiteError> {
        let plain = |text: &str| {
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
        };
        let secret = self.secret.reveal();
        if !plain(secret) || secret.len() > LONGEST_SECRET {
            return Err(SiteError::Secret);
        }
        let server = self.server.trim_end_matches('/');
        if !server.starts_with("ws://") && !server.starts_with("wss://") {
            return Err(SiteError::Server(self.server.clone()));
        }
        let room = match &self.room {
            None => "room".to_owned(),
            Some(login) if plain(login) => format!("room/u/{login}"),
            Some(login) => return Err(SiteError::Room(login.clone())),
        };
        Ok(Secret::new(format!("{server}/ws/{room}/producer/{secret}")))
    }
}

/// Sends a player's game to the site, for as long as it lives. A producer that connects makes the
/// site end the player's other one: only on demand.
#[derive(Debug)]
pub struct Champs {
    player: u8,
    producer: Producer,
    frames: Outbox<Frame>,
    begun: Instant,
    link: Arc<Link>,
}

impl Champs {
    /// Connects, in a thread of its own. `first_game` is the number of the first game, see
    /// [`Producer::new`].
    ///
    /// # Errors
    /// When secret, server or room cannot be one.
    pub fn connect(
        site: &Site,
        first_game: u16,
        retry: Retry,
        tls: Option<Arc<rustls::ClientConfig>>,
    ) -> Result<Self, SiteError> {
        let frames = Outbox::default();
        let peer = Producing { frames: frames.clone() };
        let link = Link::start("nestrischamps", site.address()?, retry, tls, peer);
        Ok(Self {
            player: site.player,
            producer: Producer::new(first_game),
            frames,
            begun: Instant::now(),
            link: Arc::new(link),
        })
    }

    /// The connection, to be asked how it stands.
    pub fn link(&self) -> Arc<Link> {
        Arc::clone(&self.link)
    }
}

impl Follower for Champs {
    fn update(&mut self, update: &Update) {
        if update.player != self.player {
            return;
        }
        let ctime = self.begun.elapsed().as_millis() as u32;
        if let Some(frame) = self.producer.take(update, ctime)
            && self.link.status() == Status::Connected
        {
            self.frames.push(frame);
        }
    }
}

/// The site's rules.
struct Producing {
    frames: Outbox<Frame>,
}

impl Peer for Producing {
    fn opened(&mut self) {
        self.frames.with(std::collections::VecDeque::clear);
    }

    fn message(&mut self, message: &Message) -> Next {
        match message {
            Message::Text(text) => {
                let command: Option<Vec<serde_json::Value>> = serde_json::from_str(text).ok();
                match command.as_deref() {
                    Some([name, rest @ ..]) if name == "_kick" => {
                        let reason = rest.first().and_then(|reason| reason.as_str()).unwrap_or("no reason");
                        let reason: String = reason.chars().take(80).collect();
                        Next::End(format!("NestrisChamps has ended the connection: {reason}"))
                    }
                    _ => Next::Stay,
                }
            }
            Message::Close(Some(frame)) if u16::from(frame.code) == KICKED => {
                Next::End("NestrisChamps has ended the connection".into())
            }
            _ => Next::Stay,
        }
    }

    fn outgoing(&mut self, _: Instant) -> Option<Message> {
        let frame = self.frames.with(std::collections::VecDeque::pop_front)?;
        Some(Message::binary(frame.bytes(Version::V3)))
    }

    fn refused(&mut self, status: u16) -> Option<String> {
        (status == NO_USER).then(|| {
            "NestrisChamps knows no such player: check the secret and the room, then connect again".to_owned()
        })
    }

    fn is_done(&self) -> bool {
        self.frames.with(|frames| frames.is_empty())
    }
}
