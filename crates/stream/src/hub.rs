//! One stream for many readers. A slow one loses lines and is told so; nobody waits for it.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::board::{Board, BoardError};
use crate::line::{
    Added, Hello, Line, Notice, RATE, StreamPlayer, UnknownEvent, event_name, json, known_event,
};
use crate::source::Update;
use crate::state::State;

/// Lines that wait for a reader, at most.
pub const QUEUE: usize = 512;
/// Names of events that a reader may choose by, at most.
const NAMES: usize = 64;

/// What a reader wants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wants {
    /// A `state` after every frame that changed it, and not only on demand.
    pub states: bool,
    /// Only these events; all if it is empty.
    pub only: Vec<String>,
    /// Only this player.
    pub player: Option<u8>,
}

impl Wants {
    /// What the words of an address's query ask for: `states=1`, `only=spawn,lock`, `player=2`.
    /// Others are ignored.
    ///
    /// # Errors
    /// A name that no event has.
    pub fn of_query(query: &str) -> Result<Self, UnknownEvent> {
        let mut wants = Self::default();
        for (name, value) in query.split('&').filter_map(|word| word.split_once('=')) {
            match name {
                "states" => wants.states = value == "1",
                "only" => {
                    wants.only = value.split(',').take(NAMES).map(known_event).collect::<Result<_, _>>()?;
                }
                "player" => wants.player = value.parse().ok(),
                _ => {}
            }
        }
        Ok(wants)
    }

    fn line(&self, player: u8, text: &str) -> bool {
        self.player.is_none_or(|wanted| wanted == player) && self.names(event_name(text))
    }

    /// Does it want lines of this event?
    fn names(&self, event: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|name| name == event)
    }
}

/// A line in a queue.
#[derive(Clone, Debug)]
struct Entry {
    text: Arc<str>,
    /// The player whose state it is: a newer one takes its place.
    state_of: Option<u8>,
}

#[derive(Debug)]
struct Queue {
    number: u64,
    wants: Wants,
    lines: VecDeque<Entry>,
    /// Lines lost since the last that was read.
    lost: u64,
    /// Lines lost in all.
    lost_ever: u64,
}

/// The last state of a player.
#[derive(Debug)]
struct Latest {
    player: u8,
    frame: u64,
    state: State,
    /// The last line with figures, if there was one.
    figures: Option<Arc<str>>,
}

#[derive(Debug, Default)]
struct Inner {
    hello: Arc<str>,
    /// What the host of a match has set, if anything.
    board: Option<Board>,
    /// Players, and how many frames a second their consoles have.
    rates: Vec<(u8, f64)>,
    latest: Vec<Latest>,
    queues: Vec<Queue>,
    readers: u64,
    published: u64,
    ended: bool,
}

/// The stream. Clones are the same stream.
#[derive(Clone, Debug, Default)]
pub struct Hub {
    inner: Arc<Mutex<Inner>>,
    changed: Arc<Condvar>,
}

impl Hub {
    /// A stream of these players' games.
    pub fn new(players: Vec<StreamPlayer>) -> Self {
        let hub = Self::default();
        hub.greet(players);
        hub
    }

    /// Others play from now on: every reader gets a `hello`.
    pub fn greet(&self, players: Vec<StreamPlayer>) {
        let mut inner = self.lock();
        inner.rates = players.iter().map(|player| (player.player, player.rate)).collect();
        inner.hello = Hello::of(players).json().into();
        inner.latest.clear();
        let hello = Entry { text: inner.hello.clone(), state_of: None };
        inner.queues.iter_mut().for_each(|queue| queue.push(hello.clone()));
        self.wake(inner);
    }

    /// The match as its host has set it.
    pub fn board(&self) -> Option<Board> {
        self.lock().board.clone()
    }

    /// The host of a match has changed it: every reader gets a line `match`, and later ones after
    /// `hello`.
    ///
    /// # Errors
    /// When the change is not understood.
    pub fn change_board(&self, change: &str) -> Result<Arc<str>, BoardError> {
        let mut inner = self.lock();
        let board = inner.board.clone().unwrap_or_default().changed(change)?;
        let line = board.line();
        inner.board = Some(board);
        for queue in inner.queues.iter_mut().filter(|queue| queue.wants.names("match")) {
            queue.push(Entry { text: line.clone(), state_of: None });
        }
        self.wake(inner);
        Ok(line)
    }

    /// Hands on what a frame brought.
    pub fn publish(&self, update: &Update) {
        let mut inner = self.lock();
        for line in &update.lines {
            inner.push(line);
        }
        let Update { player, frame, state, .. } = update;
        let latest = inner.latest.iter_mut().find(|latest| latest.player == *player);
        let changed = latest.as_ref().is_none_or(|latest| latest.state != *state);
        match latest {
            Some(latest) => {
                latest.frame = *frame;
                if changed {
                    latest.state.clone_from(state);
                }
            }
            None => inner.latest.push(Latest {
                player: *player,
                frame: *frame,
                state: state.clone(),
                figures: None,
            }),
        }
        inner.keep_figures(update);
        if changed && !update.sought && inner.queues.iter().any(|queue| queue.wants.states) {
            let text: Arc<str> = state_line(*player, *frame, state, inner.rate(*player)).into();
            for queue in inner.queues.iter_mut().filter(|queue| queue.wants.states) {
                if queue.wants.player.is_none_or(|wanted| wanted == *player) {
                    queue.push_state(*player, &text);
                }
            }
        }
        if changed || !update.lines.is_empty() {
            self.wake(inner);
        }
    }

    /// Hands on one line.
    pub fn say(&self, line: &Line) {
        let mut inner = self.lock();
        inner.push(line);
        self.wake(inner);
    }

    /// Nothing more comes.
    pub fn end(&self) {
        let mut inner = self.lock();
        if inner.ended {
            return;
        }
        inner.ended = true;
        let end = Entry { text: json(&Notice::End {}).into(), state_of: None };
        inner.queues.iter_mut().for_each(|queue| queue.push(end.clone()));
        self.wake(inner);
    }

    /// Frames a second of a player's console.
    pub(crate) fn rate(&self, player: u8) -> f64 {
        self.lock().rate(player)
    }

    /// Has it ended?
    pub fn has_ended(&self) -> bool {
        self.lock().ended
    }

    /// The first line.
    pub fn hello(&self) -> Arc<str> {
        self.lock().hello.clone()
    }

    /// The state of each player now, and the last figures, a line each.
    pub fn states(&self) -> Vec<Arc<str>> {
        self.lock().states(&Wants::default()).into_iter().map(|entry| entry.text).collect()
    }

    /// A reader from now on; its first lines are `hello` and the states.
    pub fn reader(&self, wants: Wants) -> Reader {
        let mut inner = self.lock();
        inner.readers += 1;
        let number = inner.readers;
        let hello = Entry { text: inner.hello.clone(), state_of: None };
        let mut lines = VecDeque::from([hello]);
        if let Some(board) = inner.board.as_ref().filter(|_| wants.names("match")) {
            lines.push_back(Entry { text: board.line(), state_of: None });
        }
        lines.extend(inner.states(&wants));
        inner.queues.push(Queue { number, wants, lines, lost: 0, lost_ever: 0 });
        drop(inner);
        Reader { hub: self.clone(), number }
    }

    /// How many read.
    pub fn readers(&self) -> usize {
        self.lock().queues.len()
    }

    /// Lines that wait for readers.
    pub fn waiting(&self) -> usize {
        self.lock().queues.iter().map(|queue| queue.lines.len()).sum()
    }

    /// Ends the waits of all who wait.
    pub(crate) fn wake_readers(&self) {
        self.wake(self.lock());
    }

    /// Waits until more was published than `seen` says, at most so long, and says how much.
    pub(crate) fn wait(&self, seen: u64, longest: Duration) -> u64 {
        let inner = self.lock();
        let unchanged = |inner: &mut Inner| inner.published == seen && !inner.ended;
        let waited = self.changed.wait_timeout_while(inner, longest, unchanged);
        waited.unwrap_or_else(PoisonError::into_inner).0.published
    }

    /// A panic in another thread leaves the queues whole: each change is one push or one pop.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self, mut inner: MutexGuard<'_, Inner>) {
        inner.published += 1;
        drop(inner);
        self.changed.notify_all();
    }
}

impl Inner {
    /// See [`Hub::rate`].
    fn rate(&self, player: u8) -> f64 {
        self.rates.iter().find(|(known, _)| *known == player).map_or(RATE, |&(_, rate)| rate)
    }

    fn push(&mut self, line: &Line) {
        if self.queues.is_empty() {
            return;
        }
        let text: Arc<str> = line.json().into();
        let is_state = matches!(line.body, crate::Body::Stream(Added::State(_)));
        let entry = Entry { text: text.clone(), state_of: is_state.then_some(line.player) };
        for queue in self.queues.iter_mut().filter(|queue| queue.wants.line(line.player, &text)) {
            queue.push(entry.clone());
        }
    }

    /// Keeps the figures for whoever comes later.
    fn keep_figures(&mut self, update: &Update) {
        let is_figures = |line: &&Line| matches!(line.body, crate::Body::Stream(Added::Statistics(_)));
        let Some(line) = update.lines.iter().rev().find(is_figures) else { return };
        if let Some(latest) = self.latest.iter_mut().find(|latest| latest.player == update.player) {
            latest.figures = Some(line.json().into());
        }
    }

    /// A state for each player, and the last figures.
    fn states(&self, wants: &Wants) -> Vec<Entry> {
        let mut entries = Vec::new();
        for latest in &self.latest {
            if wants.player.is_some_and(|player| player != latest.player) {
                continue;
            }
            let rate = self.rate(latest.player);
            let text = state_line(latest.player, latest.frame, &latest.state, rate).into();
            entries.push(Entry { text, state_of: Some(latest.player) });
            let figures = latest.figures.iter().filter(|text| wants.line(latest.player, text));
            entries.extend(figures.map(|text| Entry { text: text.clone(), state_of: None }));
        }
        entries
    }

    fn queue(&mut self, number: u64) -> Option<&mut Queue> {
        self.queues.iter_mut().find(|queue| queue.number == number)
    }
}

impl Queue {
    fn push(&mut self, entry: Entry) {
        // Once something is lost, nothing comes until the reader was told.
        if self.lost > 0 || self.lines.len() >= QUEUE {
            self.lost += 1;
            self.lost_ever += 1;
        } else {
            self.lines.push_back(entry);
        }
    }

    /// A state for which nobody has waited yet is replaced, so that a slow reader sees the newest
    /// and loses nothing else.
    fn push_state(&mut self, player: u8, text: &Arc<str>) {
        match self.lines.back_mut().filter(|last| last.state_of == Some(player)) {
            Some(last) if self.lost == 0 => last.text = text.clone(),
            _ => self.push(Entry { text: text.clone(), state_of: Some(player) }),
        }
    }
}

fn state_line(player: u8, frame: u64, state: &State, rate: f64) -> String {
    Line::added(player, frame, Added::State(Box::new(state.clone()))).at(rate).json()
}

/// A reader of a stream. It leaves when it is dropped.
#[derive(Debug)]
pub struct Reader {
    hub: Hub,
    number: u64,
}

impl Reader {
    /// The next line, if there is one.
    pub fn next(&self) -> Option<Arc<str>> {
        let mut inner = self.hub.lock();
        let queue = inner.queue(self.number)?;
        if let Some(entry) = queue.lines.pop_front() {
            return Some(entry.text);
        }
        if queue.lost == 0 {
            return None;
        }
        let lines = std::mem::take(&mut queue.lost);
        let wants = queue.wants.clone();
        let mut states = VecDeque::from(inner.states(&wants));
        if inner.ended {
            states.push_back(Entry { text: json(&Notice::End {}).into(), state_of: None });
        }
        inner.queue(self.number)?.lines = states;
        Some(json(&Notice::Dropped { lines }).into())
    }

    /// The next line; waits for one, at most so long. `None` if none came, or if the stream has
    /// ended.
    pub fn wait(&self, longest: Duration) -> Option<Arc<str>> {
        let until = std::time::Instant::now() + longest;
        loop {
            let seen = self.hub.lock().published;
            if let Some(line) = self.next() {
                return Some(line);
            }
            let left = until.saturating_duration_since(std::time::Instant::now());
            if left.is_zero() || self.hub.has_ended() {
                return None;
            }
            self.hub.wait(seen, left);
        }
    }

    /// Writes all lines until the stream has ended, and flushes where no further one waits.
    ///
    /// # Errors
    /// What writing fails with.
    pub fn write_all(&self, out: impl Write) -> io::Result<()> {
        let mut out = io::BufWriter::new(out);
        loop {
            if let Some(line) = self.wait(Duration::from_millis(200)) {
                writeln!(out, "{line}")?;
                while let Some(line) = self.next() {
                    writeln!(out, "{line}")?;
                }
                out.flush()?;
            } else if self.is_over() {
                return Ok(());
            }
        }
    }

    /// Puts the states of now in line, as on connecting.
    pub fn ask_for_states(&self) {
        let mut inner = self.hub.lock();
        let Some(wants) = inner.queue(self.number).map(|queue| queue.wants.clone()) else { return };
        let states = inner.states(&wants);
        if let Some(queue) = inner.queue(self.number) {
            for entry in states {
                queue.push(entry);
            }
        }
    }

    /// Has the stream ended, and has it all been read?
    pub fn is_over(&self) -> bool {
        let mut inner = self.hub.lock();
        let ended = inner.ended;
        inner.queue(self.number).is_none_or(|queue| ended && queue.lines.is_empty() && queue.lost == 0)
    }

    /// Lines that were lost in all, because this reader was slow.
    pub fn lost(&self) -> u64 {
        self.hub.lock().queue(self.number).map_or(0, |queue| queue.lost_ever)
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.hub.lock().queues.retain(|queue| queue.number != self.number);
    }
}
