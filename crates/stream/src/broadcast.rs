//! From the RAM of consoles to readers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use tetris::events::Record;

use crate::{Hub, Line, Snapshot, Source, StreamPlayer, Update};

/// Somebody who follows the game in the same thread, and must not wait for anything.
pub trait Follower: Send {
    /// Takes in what a frame brought.
    fn update(&mut self, update: &Update);
}

/// Players who can be told apart.
pub const PLAYERS: usize = 8;

/// Makes lines of snapshots, and hands them to the hub and to followers.
pub struct Broadcast {
    hub: Hub,
    sources: [Source; PLAYERS],
    followers: Vec<(&'static str, Box<dyn Follower>)>,
}

impl Broadcast {
    /// A stream into `hub`.
    pub fn new(hub: Hub) -> Self {
        Self { hub, sources: Default::default(), followers: Vec::new() }
    }

    /// With somebody who follows.
    #[must_use]
    pub fn with(mut self, follower: Box<dyn Follower>) -> Self {
        self.follow("", follower);
        self
    }

    /// Somebody follows from now on, until [`Broadcast::unfollow`] with the same `name`.
    pub fn follow(&mut self, name: &'static str, follower: Box<dyn Follower>) {
        self.followers.push((name, follower));
    }

    /// Those of that name follow no longer.
    pub fn unfollow(&mut self, name: &str) {
        self.followers.retain(|(other, _)| *other != name);
    }

    /// The hub.
    pub fn hub(&self) -> &Hub {
        &self.hub
    }

    /// Takes in a frame, and says what it brought. Snapshots of players beyond [`PLAYERS`] are
    /// those of the last.
    pub fn frame(&mut self, snapshot: &Snapshot) -> Update {
        let rate = self.hub.rate(snapshot.player);
        let source = self.source(snapshot.player);
        source.set_rate(rate);
        let update = source.observe(snapshot);
        self.hub.publish(&update);
        self.followers.iter_mut().for_each(|(_, follower)| follower.update(&update));
        update
    }

    /// The player's game goes on elsewhere.
    pub fn seek(&mut self, player: u8) {
        self.source(player).seek();
    }

    /// An event that RAM does not show: a crash.
    pub fn record(&mut self, player: u8, record: Record) -> Line {
        let line = Line::of_record(player, record).at(self.hub.rate(player));
        self.hub.say(&line);
        line
    }

    fn source(&mut self, player: u8) -> &mut Source {
        &mut self.sources[usize::from(player.saturating_sub(1)).min(PLAYERS - 1)]
    }
}

/// What goes to the thread of a feed.
enum Message {
    Frame(Box<Snapshot>),
    Seek(u8),
    Record(u8, Record),
    Greet(Vec<StreamPlayer>),
    Follow(&'static str, Box<dyn Follower>),
    Unfollow(&'static str),
}

/// Snapshots that may wait, about two seconds of one player's.
const WAITING: usize = 128;

/// A broadcast in a thread of its own, for a program that must not wait: none of its calls blocks.
///
/// ```
/// use stream::{Broadcast, Feed, Hub, StreamPlayer, Snapshot, Wants};
///
/// let player = StreamPlayer { player: 1, name: String::new(), cartridge: "Maxout".into(), rate: stream::RATE };
/// let hub = Hub::new(vec![player]);
/// let reader = hub.reader(Wants::default());
/// let mut feed = Feed::new(Broadcast::new(hub));
/// let profile = tetris::Profile::of_image(include_bytes!("../../../roms/maxout.nes")).ok_or("known")?;
/// feed.frame(Snapshot::of(1, 1, &profile, &[0; 0x800])); // once a frame, after it
/// feed.seek(1); // after a rewind or a loaded state
/// assert!(reader.next().is_some_and(|line| line.contains("hello")));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug)]
pub struct Feed {
    sender: Option<SyncSender<Message>>,
    /// Seeks that found the thread busy; they are asked for again before the next frame.
    owed: Vec<u8>,
    lost: Arc<AtomicU64>,
    worker: Option<thread::JoinHandle<()>>,
}

impl Feed {
    /// Starts the thread. It ends when the feed is dropped.
    pub fn new(broadcast: Broadcast) -> Self {
        let (sender, receiver) = sync_channel(WAITING);
        let worker = thread::Builder::new().name("stream".into()).spawn(move || follow(broadcast, &receiver));
        // Without a thread nothing is streamed, and the game goes on.
        Self { sender: Some(sender), owed: Vec::new(), lost: Arc::default(), worker: worker.ok() }
    }

    /// Hands on a frame. If the thread is two seconds behind, it is left out, and the stream says
    /// `seek` where it goes on.
    pub fn frame(&mut self, snapshot: Snapshot) {
        for player in std::mem::take(&mut self.owed) {
            self.seek(player);
        }
        let player = snapshot.player;
        if !self.send(Message::Frame(Box::new(snapshot))) {
            self.lost.fetch_add(1, Ordering::Relaxed);
            self.owe(player);
        }
    }

    /// The player's game goes on elsewhere with the next frame.
    pub fn seek(&mut self, player: u8) {
        if !self.send(Message::Seek(player)) {
            self.owe(player);
        }
    }

    /// An event that RAM does not show: a crash.
    pub fn record(&mut self, player: u8, record: Record) {
        self.send(Message::Record(player, record));
    }

    /// Others play from the next frame on, or on another cartridge: every reader gets a `hello`.
    /// Returns whether the thread has taken it; if not, it is two seconds behind.
    pub fn greet(&self, players: Vec<StreamPlayer>) -> bool {
        self.send(Message::Greet(players))
    }

    /// Somebody follows from now on, until [`Feed::unfollow`] with the same `name`. Returns as
    /// [`Feed::greet`].
    pub fn follow(&self, name: &'static str, follower: Box<dyn Follower>) -> bool {
        self.send(Message::Follow(name, follower))
    }

    /// Those of that name follow no longer. Returns as [`Feed::greet`].
    pub fn unfollow(&self, name: &'static str) -> bool {
        self.send(Message::Unfollow(name))
    }

    /// Frames that were left out.
    pub fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    fn owe(&mut self, player: u8) {
        if !self.owed.contains(&player) {
            self.owed.push(player);
        }
    }

    fn send(&self, message: Message) -> bool {
        self.sender.as_ref().is_some_and(|sender| sender.try_send(message).is_ok())
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(worker) = self.worker.take() {
            // It works through what waits, which is at most two seconds of the game, and then ends.
            let _ = worker.join();
        }
    }
}

fn follow(mut broadcast: Broadcast, receiver: &Receiver<Message>) {
    while let Ok(message) = receiver.recv() {
        match message {
            Message::Frame(snapshot) => {
                broadcast.frame(&snapshot);
            }
            Message::Seek(player) => broadcast.seek(player),
            Message::Record(player, record) => {
                broadcast.record(player, record);
            }
            Message::Greet(players) => broadcast.hub().greet(players),
            Message::Follow(name, follower) => broadcast.follow(name, follower),
            Message::Unfollow(name) => broadcast.unfollow(name),
        }
    }
}
