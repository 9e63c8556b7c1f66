//! Games in which a test presses buttons: a plain one of its own, and the model of the game's
//! rules.

use nes_testing::model;
use tetris::ram::play_state::{ACTIVE, LOCK};
use tetris::rules::Game;
use tetris::{Orientation, Piece, Placement, Playfield, View, buttons};
use value::Speed;

/// A piece in the air, frame by frame.
pub(crate) trait Machine: Copy {
    /// One frame.
    fn step(&mut self, held: u8);
    /// Column and orientation.
    fn pose(&self) -> (i32, Orientation);
    /// Where the piece has locked.
    fn locked(&self) -> Option<Placement>;
}

/// Cells one by one, in the order shift, turn, drop.
#[derive(Clone, Copy)]
pub(crate) struct Plain {
    cells: [[bool; 10]; 20],
    x: i32,
    y: i32,
    orientation: Orientation,
    frame: u32,
    speed: Speed,
    locked: bool,
}

impl Plain {
    pub(crate) fn new(board: &Playfield, piece: Piece, speed: Speed) -> Self {
        let rows = board.rows();
        let cells = std::array::from_fn(|y| std::array::from_fn(|x| rows[y] >> x & 1 == 1));
        let mut plain = Self {
            cells,
            x: 5,
            y: 0,
            orientation: Orientation::spawn(piece),
            frame: 0,
            speed,
            locked: false,
        };
        plain.locked = !plain.fits(5, 0, plain.orientation);
        plain
    }

    fn fits(&self, x: i32, y: i32, orientation: Orientation) -> bool {
        orientation.cells().iter().all(|cell| {
            let (x, y) = (x + i32::from(cell.column), y + i32::from(cell.row));
            (0..10).contains(&x) && y < 20 && (y < 0 || !self.cells[y as usize][x as usize])
        })
    }
}

impl Machine for Plain {
    fn step(&mut self, held: u8) {
        let x = self.x - i32::from(held & buttons::LEFT != 0) + i32::from(held & buttons::RIGHT != 0);
        if self.fits(x, self.y, self.orientation) {
            self.x = x;
        }
        let turned = match held & (buttons::A | buttons::B) {
            buttons::A => self.orientation.clockwise(),
            buttons::B => self.orientation.counterclockwise(),
            _ => self.orientation,
        };
        if self.fits(self.x, self.y, turned) {
            self.orientation = turned;
        }
        let falls = match self.speed {
            Speed::L18 => u32::from(self.frame % 3 == 2),
            Speed::L19 => u32::from(self.frame % 2 == 1),
            Speed::L29 => 1,
            Speed::L39 => 2,
        };
        for _ in 0..falls {
            if !self.locked && self.fits(self.x, self.y + 1, self.orientation) {
                self.y += 1;
            } else {
                self.locked = true;
            }
        }
        self.frame += 1;
    }

    fn pose(&self) -> (i32, Orientation) {
        (self.x, self.orientation)
    }

    fn locked(&self) -> Option<Placement> {
        self.locked.then_some(Placement { orientation: self.orientation, x: self.x as u8, y: self.y as u8 })
    }
}

/// The model of the game's rules, in its own memory.
#[derive(Clone, Copy)]
pub(crate) struct Model {
    game: Game<'static>,
    pose: (u8, u8, Orientation),
    locked: bool,
}

impl Model {
    /// In a game of level 0, some piece in the air.
    pub(crate) fn power_on() -> Self {
        Self { game: model::in_play(), pose: (5, 0, Orientation::HIDDEN), locked: false }
    }

    /// The same with another board, and a piece that has just appeared. None where it does not fit.
    pub(crate) fn spawned(&self, board: &Playfield, piece: Piece, level: u8) -> Option<Self> {
        Plain::new(board, piece, Speed::L18).locked().is_none().then(|| self.with(board, piece, level))
    }

    fn with(&self, board: &Playfield, piece: Piece, level: u8) -> Self {
        let mut model = *self;
        model::set(&mut model.game, &board.rows(), piece, level);
        model.look();
        model
    }

    fn look(&mut self) {
        let memory = self.game.memory();
        let view = View::new(memory.ram());
        self.pose = (view.column(), view.row(), view.orientation().unwrap());
        self.locked = view.play_state() == LOCK;
        assert!(self.locked || view.play_state() == ACTIVE);
    }
}

impl Machine for Model {
    fn step(&mut self, held: u8) {
        self.game.step(held);
        self.look();
    }

    fn pose(&self) -> (i32, Orientation) {
        (self.pose.0.into(), self.pose.2)
    }

    fn locked(&self) -> Option<Placement> {
        let (x, y, orientation) = self.pose;
        self.locked.then_some(Placement { orientation, x, y })
    }
}
