//! Learn from your mistakes: the mistakes of a review are asked again, one by one.

use review::{Class, Hands, NoNets, Reviewed, Reviewer};
use serde::{Deserialize, Serialize};
use tetris::rules::frames_per_row;
use tetris::{Piece, Placement, Playfield};
use value::{Nets, Pace};

use crate::cursor::Cursor;
use crate::judge::{AnswerError, Grade};

/// A better placement that was looked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Correction {
    /// The number of the piece in the game.
    pub number: u32,
    /// Where it was put now.
    pub place: Placement,
    /// How good that is.
    pub grade: Grade,
    /// Points that it costs beside the best placement.
    pub cost: f32,
    /// Points that the placement in the game cost.
    pub cost_in_game: f32,
    /// The best placement.
    pub best: Placement,
}

/// The mistakes and blunders of a game, with the one that is asked.
#[derive(Clone, Debug)]
pub struct Lesson {
    reviewer: Reviewer,
    mistakes: Vec<Reviewed>,
    at: usize,
    cursor: Option<Cursor>,
    corrections: Vec<Correction>,
    /// Whether the one that is asked has been answered.
    is_answered: bool,
}

impl Lesson {
    /// A lesson over the mistakes and blunders of a review that was made for these hands.
    ///
    /// # Errors
    /// When there are no nets to evaluate with.
    pub fn new(reviews: &[Reviewed], hands: Hands, nets: Nets) -> Result<Self, NoNets> {
        let is_mistake =
            |reviewed: &&Reviewed| reviewed.class >= Class::Mistake && piece_of(reviewed).is_some();
        let mut lesson = Self {
            reviewer: Reviewer::new(hands, nets)?,
            mistakes: reviews.iter().filter(is_mistake).cloned().collect(),
            at: 0,
            cursor: None,
            corrections: Vec::new(),
            is_answered: false,
        };
        lesson.ask();
        Ok(lesson)
    }

    /// Mistakes of the game.
    pub fn mistakes(&self) -> &[Reviewed] {
        &self.mistakes
    }

    /// The mistake that is asked; `None` when all were asked.
    pub fn asked(&self) -> Option<&Reviewed> {
        self.mistakes.get(self.at)
    }

    /// How many were asked before this one.
    pub const fn number(&self) -> usize {
        self.at
    }

    /// The board of the mistake that is asked.
    pub fn board(&self) -> Option<Playfield> {
        self.asked().map(|reviewed| Playfield::from_rows(&reviewed.rows))
    }

    /// The piece that is held, and where; `None` once it was placed.
    pub fn held(&self) -> Option<(Piece, Placement)> {
        let piece = piece_of(self.asked()?)?;
        let cursor = self.cursor.as_ref().filter(|_| !self.is_answered)?;
        Some((piece, cursor.place()))
    }

    /// What moves the piece over its legal places; `None` once it was placed.
    pub fn cursor(&mut self) -> Option<&mut Cursor> {
        self.cursor.as_mut().filter(|_| !self.is_answered)
    }

    /// The legal places of the piece that is asked, for these hands.
    pub fn places(&mut self) -> Vec<Placement> {
        let Some((board, lines, piece)) = self.position() else { return Vec::new() };
        self.reviewer.places(&board, lines, piece, None)
    }

    /// What came of the mistake that is asked, once it was answered.
    pub fn correction(&self) -> Option<&Correction> {
        self.corrections.last().filter(|_| self.is_answered)
    }

    /// What was answered so far, the last answer to each mistake.
    pub fn corrections(&self) -> &[Correction] {
        &self.corrections
    }

    /// How many answers were solved.
    pub fn solved(&self) -> usize {
        self.corrections.iter().filter(|correction| correction.grade == Grade::Solved).count()
    }

    /// Places the piece where it is held, and judges that.
    pub fn place(&mut self) -> Option<&Correction> {
        let (_, place) = self.held()?;
        self.answer(place).ok()
    }

    /// Judges a placement of the piece that is asked.
    ///
    /// # Errors
    /// When the hands do not get the piece there, or none is asked.
    pub fn answer(&mut self, place: Placement) -> Result<&Correction, AnswerError> {
        let unreachable = |piece| AnswerError::Unreachable(piece, place);
        let (board, lines, piece) =
            self.position().filter(|_| !self.is_answered).ok_or_else(|| unreachable(Piece::T))?;
        if !self.places().contains(&place) {
            return Err(unreachable(piece));
        }
        let asked = &self.mistakes[self.at];
        let next = asked.next.and_then(Piece::from_letter);
        let ranked = self.reviewer.rank(&board, lines, (piece, next), Some(place), true);
        let &(best, most) = ranked.first().ok_or(AnswerError::NoPlace(piece))?;
        let own = ranked.iter().find(|(child, _)| child.place == place).map_or(most, |(_, value)| *value);
        self.corrections.push(Correction {
            number: asked.number,
            place,
            grade: Grade::of(most - own, asked.level),
            cost: most - own,
            cost_in_game: asked.loss,
            best: best.place,
        });
        self.is_answered = true;
        self.corrections.last().ok_or(AnswerError::NoPlace(piece))
    }

    /// Asks the same mistake again, whose answer then no longer counts.
    pub fn again(&mut self) {
        if self.is_answered {
            self.corrections.pop();
            self.ask();
        }
    }

    /// Goes on to the next mistake, answered or not. Returns whether there is one.
    pub fn go_on(&mut self) -> bool {
        self.at = (self.at + 1).min(self.mistakes.len());
        self.ask();
        self.at < self.mistakes.len()
    }

    fn ask(&mut self) {
        self.is_answered = false;
        let places = self.places();
        self.cursor = self.board().and_then(|board| Cursor::new(places, &board));
    }

    /// Board, lines of a game from level 18 that is as far from the next speed, and piece.
    fn position(&self) -> Option<(Playfield, u32, Piece)> {
        let asked = self.asked()?;
        let lines = Pace::of(asked.level, asked.lines, frames_per_row).lines;
        Some((Playfield::from_rows(&asked.rows), lines, piece_of(asked)?))
    }
}

fn piece_of(reviewed: &Reviewed) -> Option<Piece> {
    Piece::from_letter(reviewed.piece)
}
