//! The 2 KiB of RAM, read as the game.

use crate::{Orientation, Piece, ram};

/// A look at RAM between two frames.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    ram: &'a [u8; 0x800],
}

impl<'a> View<'a> {
    /// `ram` is `$0000` to `$07FF`.
    pub const fn new(ram: &'a [u8; 0x800]) -> Self {
        Self { ram }
    }
    /// The byte at a place.
    pub fn byte(&self, place: ram::Place) -> u8 {
        self.ram[place.at()]
    }
    /// Game mode.
    pub fn game_mode(&self) -> u8 {
        self.byte(ram::GAME_MODE)
    }
    /// Level.
    pub fn level(&self) -> u8 {
        self.byte(ram::LEVEL)
    }
    /// In a game?
    pub fn in_game(&self) -> bool {
        self.game_mode() == 4
    }
    /// Next.
    pub fn next(&self) -> Option<Piece> {
        Orientation::from_id(self.byte(ram::NEXT_PIECE)).and_then(Orientation::piece)
    }
}
