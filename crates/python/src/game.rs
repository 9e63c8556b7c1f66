//! What plays an environment's episode, and how it stands.

use tetris::ram::play_state;
use tetris::{HEIGHT, Piece, Placement, View, WIDTH};

use crate::board_game::BoardGame;
use crate::field::Field;
use crate::frames::Frames;
use crate::places::{Legal, Searches};
use crate::settings::{Act, Reach, Settings};

/// A game of one of the machines.
#[derive(Clone)]
pub(crate) enum Game {
    /// None yet.
    None,
    /// Of places.
    Board(Box<BoardGame>),
    /// Of frames.
    Frames(Frames),
}

/// How a game stands.
pub(crate) struct Shown {
    pub(crate) field: Field,
    pub(crate) piece: Option<Piece>,
    pub(crate) next: Option<Piece>,
    /// A piece in the air.
    pub(crate) place: Option<Placement>,
    pub(crate) das: u8,
    pub(crate) level: u8,
    pub(crate) lines: u32,
    pub(crate) score: u32,
}

impl Game {
    /// Returns score and lines.
    pub(crate) fn standing(&mut self) -> (u32, u32) {
        match self {
            Self::None => (0, 0),
            Self::Board(board) => (board.score, board.lines),
            Self::Frames(frames) => (frames.score(), View::new(frames.ram()).lines()),
        }
    }

    /// Returns whether the game is over.
    pub(crate) fn is_over(&mut self) -> bool {
        match self {
            Self::None => true,
            Self::Board(board) => board.over,
            Self::Frames(frames) => frames.is_over(),
        }
    }

    /// Finds the places of the piece in play.
    pub(crate) fn find_places(&mut self, settings: &Settings, searches: &mut Searches, places: &mut Legal) {
        if settings.act != Act::Place {
            return;
        }
        match self {
            Self::None => places.clear(),
            Self::Board(board) if settings.reach == Reach::Drop => {
                *places = Legal::Drops(if board.over { 0 } else { board.field.drops(board.piece) });
            }
            Self::Board(board) => {
                let places = places.list();
                if !board.over {
                    searches.on_board(settings.reach, &board.field, board.piece, board.level, places);
                }
            }
            Self::Frames(frames) => {
                let places = places.list();
                if !frames.is_over() {
                    searches.in_frames(settings.reach, frames, places);
                }
            }
        }
    }

    /// Returns how the game stands; `None` where there is none.
    pub(crate) fn shown(&mut self) -> Option<Shown> {
        match self {
            Self::None => None,
            Self::Board(board) => Some(Shown {
                field: board.field,
                piece: Some(board.piece),
                next: Some(board.next),
                place: Some(Placement::spawn(board.piece)),
                das: 0,
                level: board.level,
                lines: board.lines,
                score: board.score,
            }),
            Self::Frames(frames) => {
                let score = frames.score();
                let view = View::new(frames.ram());
                let active = view.play_state() == play_state::ACTIVE;
                let shown = view.orientation().filter(|_| active);
                Some(Shown {
                    field: Field::from_rows(&view.rows()),
                    piece: view.piece(),
                    next: view.next(),
                    place: shown.map(|orientation| Placement {
                        orientation,
                        x: view.column(),
                        y: view.row(),
                    }),
                    das: view.das(),
                    level: view.level(),
                    lines: view.lines(),
                    score,
                })
            }
        }
    }
}

impl Shown {
    /// Writes 20 rows of 10 cells: 0 free, 1 taken, 2 the piece in play.
    pub(crate) fn write_cells(&self, cells: &mut [u8]) {
        self.field.write_cells(cells);
        if let Some(place) = self.place {
            for (column, row) in place.cells() {
                if (0..WIDTH as i32).contains(&column) && (0..HEIGHT as i32).contains(&row) {
                    cells[row as usize * WIDTH + column as usize] = 2;
                }
            }
        }
    }
}
