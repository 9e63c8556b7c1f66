//! A session with OBS: hello, identification, requests.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tungstenite::Message;

use super::rules::{
    Asked, CHAPTER, Figures, ObsSettings, RuleError, SAVE_REPLAY, START_RECORDING, START_REPLAY,
    STOP_RECORDING,
};
use crate::broadcast::PLAYERS;
use crate::link::{Link, Next, Outbox, Peer, Retry, Status};
use crate::plain::plain;
use crate::{Follower, Secret, Update};

/// The protocol's version.
const RPC: u64 = 1;
/// Codes of a close after which another try would end alike: not identified in the right way,
/// authentication, version, ended by the user in OBS.
const FINAL: [u16; 5] = [4_002, 4_008, 4_009, 4_010, 4_011];

/// Codes of an answer where what is to begin runs, where what is to be used does not, and where it
/// is turned off in the settings.
const RUNNING: u64 = 500;
const NOT_RUNNING: u64 = 501;
const UNAVAILABLE: u64 = 604;
/// Later than any rule asks for: what is due then is sent at the end alone.
const AT_THE_END: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The answer to OBS's question for its password.
pub fn authentication(password: &str, salt: &str, challenge: &str) -> String {
    let hash = |text: String| BASE64_STANDARD.encode(Sha256::digest(text.as_bytes()));
    let secret = hash(format!("{password}{salt}"));
    hash(format!("{secret}{challenge}"))
}

/// A request on its way.
#[derive(Debug)]
struct Request {
    due: Instant,
    kind: &'static str,
    data: Value,
}

/// What OBS has refused, as "there is no replay buffer".
#[derive(Clone, Debug, Default)]
pub struct Complaint(Arc<Mutex<Option<String>>>);

impl Complaint {
    /// The last one, once.
    pub fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, text: &str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(plain(text));
    }
}

/// Lets OBS do what the rules say, for as long as it lives. At its end, what waits for its time is
/// sent at once, then what the rules for the end say; no recording is begun any more, and one that
/// a rule has begun is ended. A replay buffer stays on: it holds its last seconds and no more.
#[derive(Debug)]
pub struct Obs {
    settings: ObsSettings,
    games: [Option<Figures>; PLAYERS],
    requests: Outbox<Request>,
    complaint: Complaint,
    link: Arc<Link>,
}

impl Obs {
    /// Connects, in a thread of its own.
    ///
    /// # Errors
    /// What is wrong with a rule.
    pub fn connect(settings: ObsSettings, retry: Retry) -> Result<Self, RuleError> {
        settings.check()?;
        let (requests, complaint) = (Outbox::default(), Complaint::default());
        let peer = ObsSession {
            password: settings.password.clone(),
            requests: requests.clone(),
            complaint: complaint.clone(),
            identified: false,
            answers: Vec::new(),
            count: 0,
            unanswered: 0,
            records: false,
            closes: false,
        };
        let link = Arc::new(Link::start("obs", Secret::new(settings.address.clone()), retry, None, peer));
        Ok(Self { settings, games: [None; PLAYERS], requests, complaint, link })
    }

    /// The connection, to be asked how it stands.
    pub fn link(&self) -> Arc<Link> {
        Arc::clone(&self.link)
    }

    /// What it refuses.
    pub fn complaint(&self) -> Complaint {
        self.complaint.clone()
    }
}

impl Obs {
    fn ask(&self, requests: Vec<Asked>, now: Instant) {
        let is_connected = self.link.status() == Status::Connected;
        for Asked { after, kind, data } in requests {
            // What comes too late is of no use, except the end of a recording.
            if is_connected || kind == STOP_RECORDING {
                self.requests.push(Request { due: now + after, kind, data });
            }
        }
    }
}

impl Follower for Obs {
    fn update(&mut self, update: &Update) {
        let game = &mut self.games[usize::from(update.player.saturating_sub(1)).min(PLAYERS - 1)];
        let before = game.replace(Figures::of(update));
        // A level that comes by going back or forth is no level-up.
        let level = before.filter(|_| !update.sought).map(|figures| figures.level);
        self.ask(self.settings.requests(update, level), Instant::now());
    }
}

impl Drop for Obs {
    fn drop(&mut self) {
        let games: Vec<Figures> = self.games.iter().copied().flatten().collect();
        // Whatever waits comes before.
        self.ask(self.settings.requests_at_the_end(&games), Instant::now() + AT_THE_END);
    }
}

/// OBS's rules.
struct ObsSession {
    password: Option<Secret>,
    requests: Outbox<Request>,
    complaint: Complaint,
    identified: bool,
    answers: Vec<Message>,
    count: u64,
    /// Requests that OBS has not answered.
    unanswered: u32,
    /// Whether OBS records because a rule said so.
    records: bool,
    /// Whether the program ends.
    closes: bool,
}

impl ObsSession {
    fn hello(&mut self, hello: &Value) -> Next {
        if hello["rpcVersion"].as_u64().is_some_and(|version| version < RPC) {
            return Next::End("OBS: expected obs-websocket 5, found an older one: update OBS".into());
        }
        let mut identify = json!({ "rpcVersion": RPC, "eventSubscriptions": 0 });
        if let (Some(salt), Some(challenge)) =
            (hello["authentication"]["salt"].as_str(), hello["authentication"]["challenge"].as_str())
        {
            let Some(password) = &self.password else {
                return Next::End("OBS asks for its password: Tools, WebSocket Server Settings".into());
            };
            identify["authentication"] = authentication(password.reveal(), salt, challenge).into();
        }
        self.answers.push(Message::text(json!({ "op": 1, "d": identify }).to_string()));
        Next::Stay
    }

    /// OBS has carried a request out, or refuses it.
    fn answered(&mut self, answer: &Value) {
        self.unanswered = self.unanswered.saturating_sub(1);
        let status = &answer["requestStatus"];
        let request = answer["requestType"].as_str().unwrap_or("a request");
        let refused = status["result"].as_bool() == Some(false);
        match request {
            // One that was on before is not this program's.
            START_RECORDING if !refused => self.records = true,
            STOP_RECORDING => self.records = false,
            _ => {}
        }
        if !refused {
            return;
        }
        let why = match (request, status["code"].as_u64(), status["comment"].as_str()) {
            // It is on, which is what the rule asks for.
            (START_REPLAY | START_RECORDING, Some(RUNNING), _) => return,
            (SAVE_REPLAY, Some(NOT_RUNNING), _) => {
                "the replay buffer is off: start it in OBS, or by a rule with `do = \"start_replay\"`"
            }
            (SAVE_REPLAY | START_REPLAY, Some(UNAVAILABLE), _) => {
                "there is no replay buffer: turn it on in OBS, Settings, Output, Replay Buffer"
            }
            (STOP_RECORDING | CHAPTER, Some(NOT_RUNNING), _) => "OBS does not record",
            (_, _, Some(comment)) => comment,
            (_, Some(code), None) => {
                return self.complaint.set(&format!("{request}: OBS refuses it (code {code})"));
            }
            _ => "OBS refuses it",
        };
        self.complaint.set(&format!("{request}: {why}"));
    }
}

impl Peer for ObsSession {
    fn opened(&mut self) {
        self.identified = false;
        self.answers.clear();
        self.unanswered = 0;
        // A recording that was to end while OBS was away still has to.
        self.requests.with(|requests| requests.retain(|request| request.kind == STOP_RECORDING));
    }

    fn message(&mut self, message: &Message) -> Next {
        match message {
            Message::Text(text) => {
                let Ok(message) = serde_json::from_str::<Value>(text) else { return Next::Stay };
                match message["op"].as_u64() {
                    Some(0) => return self.hello(&message["d"]),
                    Some(2) => self.identified = true,
                    Some(7) => self.answered(&message["d"]),
                    _ => {}
                }
                Next::Stay
            }
            Message::Close(Some(frame)) if FINAL.contains(&u16::from(frame.code)) => {
                let why = match u16::from(frame.code) {
                    4_009 => "the password is wrong".to_owned(),
                    code => format!("{} (code {code})", frame.reason.chars().take(100).collect::<String>()),
                };
                Next::End(format!("OBS has ended the connection: {why}"))
            }
            _ => Next::Stay,
        }
    }

    fn outgoing(&mut self, now: Instant) -> Option<Message> {
        if let Some(answer) = self.answers.pop() {
            return Some(answer);
        }
        if !self.identified {
            return None;
        }
        let due = self.requests.with(|requests| {
            let at = requests.iter().position(|request| request.due <= now)?;
            requests.remove(at)
        });
        let undone = || Request { due: now, kind: STOP_RECORDING, data: json!({}) };
        let due = due.or_else(|| (self.closes && self.unanswered == 0 && self.records).then(undone))?;
        self.count += 1;
        self.unanswered += 1;
        let request = json!({
            "op": 6,
            "d": { "requestType": due.kind, "requestId": self.count.to_string(), "requestData": due.data }
        });
        Some(Message::text(request.to_string()))
    }

    fn closing(&mut self, now: Instant) {
        self.closes = true;
        self.requests.with(|requests| {
            // A recording that begins now would never end.
            requests.retain(|request| !matches!(request.kind, START_RECORDING | START_REPLAY));
            requests.make_contiguous().sort_by_key(|request| request.due);
            for request in requests.iter_mut() {
                request.due = now;
            }
        });
    }

    fn is_done(&self) -> bool {
        let waits = self.requests.with(|requests| !requests.is_empty());
        !waits && self.answers.is_empty() && self.unanswered == 0 && !self.records
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_answered_as_the_protocol_says() {
        // Computed by hand with other tools: base64(sha256(base64(sha256(password + salt)) +
        // challenge)).
        let answer = authentication(
            "supersecretpassword",
            "lM1GncleQOaCu9lT1yeUZhFYnqhsLLP1G5lAGo3ixaI=",
            "+IxH4CnCiqpX1rM9scsNynZzbOe4KhDeYcTNS3PDaeY=",
        );
        assert_eq!(answer, "1Ct943GAT+6YQUUX47Ia/ncufilbe6+oD6lY+5kaCu4=");
    }
}
