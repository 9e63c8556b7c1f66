//! Puzzles, and mistakes that are asked again: the desk of the crate `puzzle`, as JSON.

use puzzle::{Asked, Choice, Lesson, Move, Progress, Verdict};
use serde_json::{Value, json};
use tetris::{Piece, Placement, Playfield};

use crate::{Error, Machine};

/// Answers of which the page shows the rating.
const HISTORY: usize = 200;

impl Machine {
    /// Asks a puzzle: `daily`, `next`, `own`, `due` again, `another` of the same kind, `again` the
    /// one that was answered, a theme, or a link.
    /// `today` is the day, counted from 1 January 1970, UTC; `chance` draws among those that fit.
    ///
    /// # Errors
    /// When there is no such puzzle, or no net to judge with.
    pub fn ask_puzzle(&mut self, which: &str, today: u32, chance: u32) -> Result<(), Error> {
        let chance = u64::from(chance);
        match which {
            "daily" => self.desk.ask_daily(today)?,
            "next" => self.desk.ask_next(Choice::Any, today, chance)?,
            "own" => self.desk.ask_next(Choice::Own, today, chance)?,
            "due" => self.desk.ask_next(Choice::Due, today, chance)?,
            "another" => self.desk.ask_another(today, chance)?,
            "again" => self.desk.ask_again()?,
            _ => match which.parse() {
                Ok(theme) => self.desk.ask_next(Choice::Of(theme), today, chance)?,
                Err(_) => self.desk.ask_link(which)?,
            },
        }
        Ok(())
    }

    /// Moves the piece of the puzzle: see [`Move`] for the words. Returns whether something was
    /// done.
    ///
    /// # Errors
    /// When the piece cannot be placed there.
    pub fn step_puzzle(&mut self, step: &str, today: u32) -> Result<bool, Error> {
        Ok(self.desk.step(step_of(step)?, today)?)
    }

    /// Holds the piece of the puzzle where it covers a cell. Returns whether it can.
    pub fn point_puzzle(&mut self, column: i32, row: i32) -> bool {
        self.desk.point(column, row)
    }

    /// Returns the puzzle that is asked and the player's progress, an object of JSON.
    pub fn puzzle(&self, today: u32) -> String {
        let progress = &self.desk.progress;
        let (rating, deviation) = progress.rating();
        let history = progress.history();
        let answered: Vec<Value> = history[history.len().saturating_sub(HISTORY)..]
            .iter()
            .map(|solved| json!({ "day": solved.day, "grade": solved.grade, "rating": solved.rating, "daily": solved.daily }))
            .collect();
        json!({
            "rating": rating,
            "deviation": deviation,
            "streak": progress.streak(today),
            "due": self.desk.due(today),
            "count": self.desk.bank.puzzles.len(),
            "own": self.desk.own.puzzles.len(),
            "answered": history.len(),
            "history": answered,
            "daily": history.iter().any(|solved| solved.daily && solved.day == today),
            "themes": self.desk.bank.by_theme(),
            "asked": self.desk.asked.as_ref().map(|asked| asked_json(asked, progress)),
        })
        .to_string()
    }

    /// Returns the player's progress as JSON, to be kept.
    pub fn puzzle_progress(&self) -> String {
        serde_json::to_string(&self.desk.progress).unwrap_or_default()
    }

    /// Takes a progress that was kept, and reads the bank.
    ///
    /// # Errors
    /// When the text is none; the progress is as before then.
    pub fn set_puzzle_progress(&mut self, text: &str) -> Result<(), Error> {
        self.desk.open();
        if !text.is_empty() {
            let progress: Progress = serde_json::from_str(text)
                .map_err(|_| Error::Refused("the saved puzzle progress is damaged and was ignored"))?;
            self.desk.progress = progress;
        }
        Ok(())
    }

    /// Begins a lesson over the mistakes of the review.
    ///
    /// # Errors
    /// When there is no review, no mistake in it, or no net to judge with.
    pub fn begin_lesson(&mut self) -> Result<(), Error> {
        let review = self.review.as_ref().ok_or(Error::Refused("there is no review: review a game first"))?;
        let nets = self.desk.nets().get().clone();
        let lesson = Lesson::new(review.reviews(), review.hands(), nets)?;
        if lesson.asked().is_none() {
            return Err(Error::Refused("there is no mistake in this game"));
        }
        self.lesson = Some(lesson);
        Ok(())
    }

    /// Does a step of the lesson: one of [`Move`], `go-on` to the next mistake, or `again`. Returns
    /// whether something was done.
    ///
    /// # Errors
    /// When there is no such step, or no lesson.
    pub fn step_lesson(&mut self, step: &str) -> Result<bool, Error> {
        let lesson = self.lesson.as_mut().ok_or(Error::Refused("there is no lesson"))?;
        match step {
            "go-on" => return Ok(lesson.go_on()),
            "again" => lesson.again(),
            _ => match step_of(step)? {
                Move::Place => return Ok(lesson.place().is_some()),
                Move::TakeBack => return Ok(false),
                step => match lesson.cursor() {
                    Some(cursor) => cursor.go_to(step),
                    None => return Ok(false),
                },
            },
        }
        Ok(true)
    }

    /// Holds the piece of the lesson where it covers a cell. Returns whether it can.
    pub fn point_lesson(&mut self, column: i32, row: i32) -> bool {
        self.lesson.as_mut().and_then(Lesson::cursor).is_some_and(|cursor| cursor.point(column, row))
    }

    /// Returns the mistake that is asked, an object of JSON; `null` without a lesson.
    pub fn lesson(&self) -> String {
        self.lesson.as_ref().map_or_else(|| "null".into(), |lesson| lesson_json(lesson).to_string())
    }
}

fn step_of(word: &str) -> Result<Move, Error> {
    word.parse().map_err(|_| {
        Error::Refused("expected left, right, clockwise, counterclockwise, other, place or take-back")
    })
}

fn asked_json(asked: &Asked, progress: &Progress) -> Value {
    let Asked { puzzle, first, verdict, is_daily, .. } = asked;
    let position = &puzzle.position;
    let held = asked.held();
    let shown = if verdict.is_some() { position.board } else { asked.board() };
    json!({
        "link": puzzle.link().text(),
        "rows": shown.rows(),
        "piece": position.piece.letter().to_string(),
        "next": position.next.letter().to_string(),
        "held": held.map(|(piece, place)| held_json(piece, place)),
        "isSecond": first.is_some(),
        "first": first.map(cells),
        "level": position.level,
        "lines": position.lines,
        "hertz": puzzle.hertz,
        "rating": progress.rating_of(puzzle),
        "themes": puzzle.themes.iter().map(|theme| theme.to_string()).collect::<Vec<_>>(),
        "daily": is_daily,
        "verdict": verdict.as_ref().map(verdict_json),
    })
}

fn held_json(piece: Piece, place: Placement) -> Value {
    json!({ "piece": piece.letter().to_string(), "cells": cells(place), "words": words(place) })
}

fn verdict_json(verdict: &Verdict) -> Value {
    let Verdict { grade, cost, costs, best, places, reasons } = verdict;
    json!({
        "grade": grade,
        "cost": cost,
        "costs": costs,
        "best": best.map(cells),
        "words": best.map(words),
        "places": places.iter().map(|cost| {
            json!({ "cells": cells(cost.place), "words": words(cost.place), "points": cost.points })
        }).collect::<Vec<_>>(),
        "reasons": reasons,
    })
}

fn lesson_json(lesson: &Lesson) -> Value {
    let held = lesson.held();
    json!({
        "number": lesson.number() + 1,
        "of": lesson.mistakes().len(),
        "solved": lesson.solved(),
        "rows": lesson.board().map(|board| Playfield::rows(&board)),
        "held": held.map(|(piece, place)| held_json(piece, place)),
        "asked": lesson.asked().map(|asked| json!({
            "number": asked.number,
            "piece": asked.piece.to_string(),
            "next": asked.next.map(String::from),
            "level": asked.level,
            "loss": asked.loss,
            "chosen": cells(asked.chosen.place),
            "best": cells(asked.best.place),
        })),
        "correction": lesson.correction().map(|correction| json!({
            "grade": correction.grade,
            "cost": correction.cost,
            "place": cells(correction.place),
        })),
    })
}

/// The cells of a place that are in the playfield, as column and row.
pub(crate) fn cells(place: Placement) -> Vec<(i32, i32)> {
    place.cells().into_iter().filter(|&(_, row)| row >= 0).collect()
}

/// A place in words, for those who cannot see the board.
fn words(place: Placement) -> String {
    format!("{}, row {}", place.columns_in_words(), place.lock_height() + 1)
}
