//! A player's game as lines.

use tetris::events::{Event, Record, Watcher};
use tetris::{Profile, View};

use crate::figures::{Figures, History};
use crate::line::{Added, Line, RATE};
use crate::screen::Screen;
use crate::state::State;

/// The RAM of a console after a frame.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Which player, from 1.
    pub player: u8,
    /// Frames since power-on.
    pub frame: u64,
    /// RAM with everything where the map says.
    pub ram: [u8; 0x800],
    /// The score, beyond six digits where the cartridge counts so far.
    pub score: u32,
}

impl Snapshot {
    /// The RAM of a console with the cartridge of `profile`.
    pub fn of(player: u8, frame: u64, profile: &Profile, machine: &[u8; 0x800]) -> Self {
        Self { player, frame, ram: profile.as_mapped(machine), score: profile.score(machine) }
    }
}

/// What a frame brought.
#[derive(Clone, Debug)]
pub struct Update {
    /// Which player, from 1.
    pub player: u8,
    /// Frames since power-on.
    pub frame: u64,
    /// The lines, in the order of the events.
    pub lines: Vec<Line>,
    /// The game after it.
    pub state: State,
    /// Was the game elsewhere before?
    pub sought: bool,
    /// Pieces since the last I.
    pub drought: u32,
}

/// Makes lines of a player's RAM, frame by frame.
#[derive(Clone, Debug)]
pub struct Source {
    /// Frames a second of the console.
    rate: f64,
    watcher: Watcher,
    screen: Screen,
    figures: Figures,
    history: History,
    last: Option<u64>,
    seeking: bool,
    spawn_das: Option<u8>,
}

impl Default for Source {
    fn default() -> Self {
        Self {
            rate: RATE,
            watcher: Watcher::default(),
            screen: Screen::default(),
            figures: Figures::default(),
            history: History::default(),
            last: None,
            seeking: false,
            spawn_das: None,
        }
    }
}

impl Source {
    /// The console has so many frames a second from now on.
    pub fn set_rate(&mut self, rate: f64) {
        self.rate = rate;
    }

    /// The game goes on elsewhere with the next snapshot: a state was loaded, or frames were taken
    /// back. A frame number that does not follow the last says the same by itself.
    pub fn seek(&mut self) {
        self.seeking = true;
    }

    /// Takes in the next frame.
    pub fn observe(&mut self, snapshot: &Snapshot) -> Update {
        let Snapshot { player, frame, ref ram, score } = *snapshot;
        let view = View::new(ram);
        let mut lines = Vec::new();
        let before = self.last.replace(frame);
        let sought = self.is_elsewhere(before, frame);
        if sought {
            self.watcher = Watcher::default();
            self.screen.forget();
            self.spawn_das = None;
            self.figures = self.history.back_to(frame, view);
            lines.push(Line::added(player, frame, Added::Seek { from: before.unwrap_or(frame) }));
        } else if before.is_none() {
            self.figures = Figures::begin_within(view);
        }
        let mut records = self.watcher.observe(frame, ram);
        let mut changed = false;
        for Record { event, .. } in &mut records {
            changed |= self.figures.take(event, view, score);
            if let Event::Spawn { number, drought, das, .. } = event {
                (*number, *drought) = (self.figures.spawned(), self.figures.drought);
                self.spawn_das = Some(*das);
            }
        }
        changed |= self.figures.end_frame(view);
        if changed {
            self.history.keep(frame, &self.figures);
        }
        let field = self.screen.field(view, records.iter().map(|record| &record.event));
        for record in records {
            let counted =
                matches!(record.event, Event::Spawn { .. } | Event::TopOut { .. } | Event::GameOver { .. });
            lines.push(Line::of_record(player, record));
            if counted {
                lines.push(Line::added(player, frame, Added::Statistics(Box::new(self.figures.clone()))));
            }
        }
        let state = State::of(view, &field, score, self.spawn_das);
        if sought {
            lines.push(Line::added(player, frame, Added::Statistics(Box::new(self.figures.clone()))));
            lines.push(Line::added(player, frame, Added::State(Box::new(state.clone()))));
        }
        let lines = lines.into_iter().map(|line| line.at(self.rate)).collect();
        Update { player, frame, lines, state, sought, drought: self.figures.drought }
    }

    fn is_elsewhere(&mut self, before: Option<u64>, frame: u64) -> bool {
        let asked = std::mem::take(&mut self.seeking);
        // The same frame once more is a pause of the console.
        before.is_some_and(|before| asked || frame != before + 1 && frame != before)
    }
}
