//! A game in memory, shown as the cartridge would show it.

mod scene;
mod screen;
mod terminal;

use std::path::Path;
use std::time::{Duration, Instant};

use ::ai::{Filter, Game, Walk};
use nes::Palette;
use scene::Scene;
use screen::Screen;
use tetris::{Feature, Piece, Placement};

use cli::error::Error;
use cli::game::known;
use cli::interrupt::Interrupt;
use cli::screenshot;

/// The part of a piece's time in which it moves; for the rest it lies where it locks.
const MOVING: f64 = 0.8;

/// A game and its picture, piece by piece.
struct Watched<'a, P> {
    game: &'a mut Game<P>,
    filter: Filter,
    scene: Scene,
    /// The way of the piece in play, spawn and place included.
    way: Vec<Placement>,
    over: bool,
}

impl<'a, P: Iterator<Item = Piece>> Watched<'a, P> {
    fn new(game: &'a mut Game<P>, filter: Filter) -> Self {
        let scene = Scene::new(game.board());
        Self { game, filter, scene, way: Vec::new(), over: false }
    }

    /// Decides on the next piece and puts it on its way; the one before locks. `false` where the
    /// game is over.
    fn step(&mut self) -> bool {
        self.settle();
        let board = *self.game.board();
        let (piece, next) = {
            let mut known = self.game.known();
            (known.next(), known.next())
        };
        let decision = if self.over { None } else { self.game.step() };
        let (Some(piece), Some(decision)) = (piece, decision) else {
            self.over = true;
            return false;
        };
        let walk = Walk::new(&board, piece, &self.filter);
        self.way = walk.path(decision.place).unwrap_or_else(|| vec![decision.place]);
        self.scene.begin(piece, next);
        true
    }

    /// Locks the piece in play, if there is one.
    fn settle(&mut self) {
        if let Some(&place) = self.way.last() {
            self.scene.lock(place, self.game.board());
            self.way.clear();
        }
    }

    /// Where the piece in play is after a part of its time.
    fn stand(&mut self, part: f64) -> &Scene {
        let last = self.way.len().saturating_sub(1);
        let at = (part.clamp(0.0, MOVING) / MOVING * last as f64) as usize;
        self.scene.place = self.way.get(at).copied();
        &self.scene
    }
}

/// How a game is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look<'a> {
    /// In this terminal, so many pieces a second; infinite for as many as there is time for.
    pub(super) terminal: Option<f64>,
    /// In a picture of its last board.
    pub(super) picture: Option<&'a Path>,
}

/// Plays the game to its end, or to so many pieces, or until the viewer has enough; answers whether
/// it is over.
pub(super) fn play<P: Iterator<Item = Piece>>(
    game: &mut Game<P>,
    filter: Filter,
    pieces: u64,
    look: Look<'_>,
    interrupt: &Interrupt,
) -> Result<bool, Error> {
    let mut watched = Watched::new(game, filter);
    match look.terminal {
        Some(speed) => in_terminal(&mut watched, speed, pieces, interrupt)?,
        None => {
            for _ in 0..pieces {
                interrupt.check()?;
                if !watched.step() {
                    break;
                }
            }
        }
    }
    watched.settle();
    if let Some(path) = look.picture {
        let mut screen = Screen::new(&known(None, None, Feature::Computer)?)?;
        screenshot::write(path, screen.show(watched.stand(1.0)), &Palette::ntsc())?;
    }
    Ok(watched.over)
}

fn in_terminal<P: Iterator<Item = Piece>>(
    watched: &mut Watched<'_, P>,
    speed: f64,
    pieces: u64,
    interrupt: &Interrupt,
) -> Result<(), Error> {
    /// What the pieces of a picture may take at most.
    const PATIENCE: Duration = Duration::from_millis(20);
    let mut screen = Screen::new(&known(None, None, Feature::Computer)?)?;
    // Pieces that there has been time for, and those that were begun.
    let (mut due, mut begun) = (0.0, 0u64);
    terminal::show(&Palette::ntsc(), interrupt, |seconds| {
        let started = Instant::now();
        due += seconds * speed.min(1e9);
        while begun as f64 <= due && begun < pieces && !watched.over && started.elapsed() < PATIENCE {
            begun += u64::from(watched.step());
        }
        // A piece that there was no time for is not made up for.
        due = due.min(begun as f64);
        if begun >= pieces && due >= begun as f64 {
            watched.settle();
        }
        let picture = screen.show(watched.stand(1.0 - (begun as f64 - due))).clone();
        let counted = watched.game.statistics();
        let state = if watched.over { ", game over" } else { "" };
        let (pieces, lines, clears) = (counted.pieces, counted.lines, counted.full_clears);
        (picture, format!("{pieces} pieces, {lines} lines, {clears} full clears{state}"))
    })
}

#[cfg(test)]
mod tests {
    use ::ai::{Evaluator, Searcher};
    use randomizers::Kind;
    use tetris::Playfield;

    use super::*;

    #[test]
    fn a_watched_game_is_the_game_and_its_picture_has_every_cell() {
        let searcher = Searcher::new(Evaluator::Article, Filter::None);
        let mut game = Game::new(Playfield::EMPTY, Kind::Uniform.seeded(3), 2, searcher);
        let mut alone = game.clone();
        let mut watched = Watched::new(&mut game, Filter::None);
        for _ in 0..300 {
            assert!(watched.step() && alone.step().is_some());
            let start = watched.stand(0.0).place.unwrap();
            assert_eq!((start.x, start.y), (5, 0));
            assert!(watched.stand(1.0).place.is_some());
            watched.settle();
            assert_eq!(watched.stand(1.0).board(), *alone.board());
        }
        assert_eq!(watched.game.statistics(), alone.statistics());
        let scene = watched.stand(1.0);
        assert_eq!(u64::from(scene.lines), alone.statistics().lines);
        assert_eq!(scene.counts.iter().sum::<u32>(), 300);
        assert_eq!(u32::from(scene.level), scene.lines / 10);
    }
}
