//! A game piece by piece: what statistics, trainers and the coach are made of.

use nes::Region;
use tetris::events::{Event, Record};
use tetris::ram::{self, play_state};
use tetris::{Piece, View, buttons};

use crate::Session;

/// A shift of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    /// Frames since the piece came in.
    pub frame: u16,
    /// -1 left, 1 right.
    pub side: i8,
    /// By itself, and not by a press.
    pub auto: bool,
}

/// Why the counter of the auto shift is not one more than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Charge {
    /// A press set it to 0.
    Tap,
    /// A shift against a wall or the stack filled it.
    Wall,
    /// It shifted, and goes on from its second delay.
    Shifted,
    /// Down is held with the direction: it stands still.
    Down,
}

/// A change of the counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Frames since the piece came in.
    pub frame: u16,
    /// The counter now.
    pub das: u8,
    /// Why.
    pub why: Charge,
}

/// A piece, from its spawn to its lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// Counted from 1.
    pub number: u32,
    /// The piece.
    pub piece: Piece,
    /// The next one.
    pub next: Piece,
    /// Frame of its spawn, and of its lock.
    pub frames: [u64; 2],
    /// The taken cells of each row from the top before it, bit 0 the leftmost.
    pub rows: [u16; 20],
    /// Level, lines and score before it.
    pub level: u8,
    /// Frames that it took to fall a row.
    pub frames_per_row: u8,
    /// The console's region, which says how many frames a second has.
    pub region: Region,
    /// See `level`.
    pub lines: u32,
    /// See `level`, without a limit.
    pub score: u32,
    /// Counter of the auto shift at its spawn.
    pub das: u8,
    /// Was the counter 0 in a frame of it?
    pub das_lost: bool,
    /// Random number register, spawn count and frame counter at its spawn.
    pub luck: (u16, u8, u16),
    /// Pivot and orientation of its lock; `None` while it is in the air.
    pub place: Option<[u8; 3]>,
    /// Rows that it cleared, and lines, level and score after it.
    pub cleared: u8,
    /// Frames of its turns, since it came in.
    pub turns: Vec<u16>,
    /// Its shifts.
    pub shifts: Vec<Shift>,
    /// What its counter did.
    pub changes: Vec<Change>,
}

#[cfg(test)]
impl Played {
    /// The first piece of a game at level 0 over an empty field, of which nothing is known yet.
    pub(crate) fn first(piece: Piece) -> Self {
        Self {
            number: 1,
            piece,
            next: Piece::T,
            frames: [0; 2],
            rows: [0; 20],
            level: 0,
            frames_per_row: 48,
            region: Region::Ntsc,
            lines: 0,
            score: 0,
            das: 0,
            das_lost: false,
            luck: (2, 0, 0),
            place: None,
            cleared: 0,
            turns: Vec::new(),
            shifts: Vec::new(),
            changes: Vec::new(),
        }
    }
}

/// All pieces of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// In their order.
    pub pieces: Vec<Played>,
    /// Level, lines and score at the end.
    pub last: (u8, u32, u32),
    /// The level of the start.
    pub start_level: u8,
    /// Counter of the auto shift in the last frame.
    pub(crate) das: u8,
}

impl Log {
    /// The region of the console that it was played on.
    pub fn region(&self) -> Region {
        self.pieces.first().map_or(Region::Ntsc, |played| played.region)
    }

    /// A game whose first piece has come in already, as [`crate::begin`] leaves it.
    pub fn begin(&mut self, frame: u64, session: &Session) {
        let view = session.view();
        let spawn = Event::Spawn {
            number: 1,
            piece: view.piece().into(),
            next: view.next().into(),
            drought: 0,
            das: view.das(),
            lfsr: view.lfsr(),
        };
        self.observe(frame, session, &[Record { frame, event: spawn }]);
    }

    /// Takes in a frame: what happened in it, and the session after it. A new game begins a new
    /// log.
    pub fn observe(&mut self, frame: u64, session: &Session, records: &[Record]) {
        let view = session.view();
        for record in records {
            match record.event {
                Event::Spawn { number, piece, next, das, lfsr, .. } => {
                    if number == 1 {
                        *self = Self { start_level: view.level(), ..Self::default() };
                    }
                    let (Some(piece), Some(next)) = (piece.piece(), next.piece()) else { continue };
                    self.pieces.push(Played {
                        number,
                        piece,
                        next,
                        frames: [frame; 2],
                        rows: view.rows(),
                        level: view.level(),
                        frames_per_row: session.frames_a_row(view.level()),
                        region: session.region(),
                        lines: view.lines(),
                        score: session.score(),
                        das,
                        das_lost: false,
                        luck: (lfsr, view.byte(ram::SPAWN_COUNT), view.frame_counter()),
                        place: None,
                        cleared: 0,
                        turns: Vec::new(),
                        shifts: Vec::new(),
                        changes: Vec::new(),
                    });
                    self.das = das;
                }
                Event::Shift { direction, auto, .. } => {
                    if let Some(played) = self.pieces.last_mut() {
                        played.shifts.push(Shift { frame: since(played, frame), side: direction, auto });
                    }
                }
                Event::Rotate { .. } => {
                    if let Some(played) = self.pieces.last_mut() {
                        played.turns.push(since(played, frame));
                    }
                }
                Event::Lock { orientation, column, row, .. } => {
                    if let Some(played) = self.pieces.last_mut() {
                        played.place = Some([column, row, orientation]);
                        played.frames[1] = frame;
                    }
                }
                Event::Clear { count, .. } => {
                    if let Some(played) = self.pieces.last_mut() {
                        played.cleared = count;
                    }
                }
                _ => {}
            }
        }
        if session.is_playing() {
            self.last = (session.level(), view.lines(), session.score());
            if view.play_state() == play_state::ACTIVE {
                self.follow_charge(frame, view);
            }
        }
    }

    /// The game went back to the end of `frame`: what came after it is forgotten.
    pub fn back(&mut self, frame: u64) {
        while self.pieces.pop_if(|played| played.frames[0] > frame).is_some() {}
        let Some(played) = self.pieces.last_mut() else { return };
        let kept = since(played, frame);
        played.turns.retain(|&frame| frame <= kept);
        played.shifts.retain(|shift| shift.frame <= kept);
        played.changes.retain(|change| change.frame <= kept);
        if played.frames[1] > frame {
            played.frames[1] = played.frames[0];
            (played.place, played.cleared) = (None, 0);
        }
    }

    fn follow_charge(&mut self, frame: u64, view: View) {
        let das = view.das();
        let before = std::mem::replace(&mut self.das, das);
        let Some(played) = self.pieces.last_mut() else { return };
        played.das_lost |= das == 0;
        let sides = buttons::LEFT | buttons::RIGHT;
        let (held, pressed) = (view.held(), view.byte(ram::PAD_PRESSED));
        let down = held & buttons::DOWN != 0 && held & sides != 0;
        let why = if down {
            Charge::Down
        } else if das == 0 && pressed & sides != 0 {
            Charge::Tap
        } else if das >= 16 && before != das {
            Charge::Wall
        } else if das < before {
            Charge::Shifted
        } else {
            return;
        };
        let last = played.changes.last().map(|change| change.why);
        if why != Charge::Down || last != Some(Charge::Down) {
            played.changes.push(Change { frame: since(played, frame), das, why });
        }
    }
}

fn since(played: &Played, frame: u64) -> u16 {
    (frame - played.frames[0]).min(u16::MAX.into()) as u16
}
