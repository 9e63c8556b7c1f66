//! Placement by placement.

use notation::Turn;
use serde::{Deserialize, Serialize};
use tetris::rules::frames_per_row;
use tetris::{Piece, Placement, Playfield};
use value::{
    Child, Format, Linear, Mind, NetMind, Nets, ODDS, Pace, Player, Reach, Speed, WeightsFile, odds,
};

use crate::class::{Class, accuracy};
use crate::hands::Hands;
use crate::kind::Kind;

/// More boards than a piece has places.
const EVERY: usize = 1_000;
/// Boards of a placement that are looked at a piece deeper, those that were chosen not counted, and
/// boards of the next piece.
const DEEPER: usize = 8;
const BREADTH: usize = 6;

/// No net is there to evaluate with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a review needs nets for levels 18, 19 and 29: name them with --net, or install the package's")]
pub struct NoNets;

/// A placement that was looked at, and what it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// Where the piece goes.
    pub place: Placement,
    /// Points of the lock and of what comes after it, what the odds of surviving a slow speed add
    /// included.
    pub value: f32,
    /// The odds to come to levels 19, 29 and 39 afterwards; 1 for those that are reached.
    pub odds: [f32; 3],
    /// Where the next piece goes best after it; `None` if the next piece is not known, or fits
    /// nowhere.
    pub then: Option<Placement>,
}

/// A placement beside the best one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reviewed {
    /// Number of the piece.
    pub number: u32,
    /// Its letter.
    pub piece: char,
    /// The next one's, if it was known.
    pub next: Option<char>,
    /// Level before it.
    pub level: u8,
    /// Lines before it.
    pub lines: u32,
    /// Score before it, if it was known.
    pub score: Option<u32>,
    /// Rows that it cleared.
    pub cleared: u32,
    /// The rows of the board before it from the top, bit 0 the leftmost cell.
    pub rows: [u16; 20],
    /// Points that are to be expected of the rest of the game before it, by the best placements.
    pub expected: f32,
    /// What was done.
    pub chosen: Choice,
    /// What is best; the same as `chosen` where nothing is better.
    pub best: Choice,
    /// Points lost.
    pub loss: f32,
    /// Odds lost of reaching the next faster speed, 0 to 1.
    pub odds_lost: f32,
    /// How good it is.
    pub class: Class,
    /// What is wrong with it, if it is an inaccuracy or worse.
    pub kind: Option<Kind>,
    /// 0 to 1.
    pub accuracy: f64,
    /// Can the taps of the hands bring the piece where it went?
    pub reachable: bool,
    /// Is its speed and are its points those of a game from level 18? Levels below 18 are rated as
    /// that.
    pub is_level: bool,
    /// A link that carries the placement.
    pub link: String,
}

/// Reviews placements, for hands of a certain speed.
#[derive(Clone, Debug)]
pub struct Reviewer {
    hands: Hands,
    format: Format,
    nets: Nets,
    /// Two pieces deep, and three.
    players: [Player; 2],
    /// Which counts all points alike.
    outlook: Player,
    reach: Reach,
}

impl Reviewer {
    /// A reviewer for these hands.
    ///
    /// # Errors
    /// When there is no net for the speeds of levels 18, 19 and 29.
    pub fn new(hands: Hands, nets: Nets) -> Result<Self, NoNets> {
        if nets.iter().take(3).any(Option::is_none) {
            return Err(NoNets);
        }
        let format = hands.format();
        let linear = Linear::by_speed(&format, WeightsFile::built_in().weights);
        let mind = |breadths: &[[usize; 4]], caution: Option<f32>| {
            let mind = NetMind::new(nets.clone(), linear.clone());
            let caution = caution.unwrap_or(mind.caution);
            Mind::from(NetMind { breadths: breadths.to_vec(), caution, ..mind })
        };
        Ok(Self {
            hands,
            format,
            players: [&[[EVERY; 4]][..], &[[EVERY; 4], [BREADTH; 4]]]
                .map(|breadths| Player::new(&format, mind(breadths, None))),
            outlook: Player::new(&format, mind(&[], Some(1.0))),
            reach: Reach::new(&format),
            nets,
        })
    }

    /// The terms of the hands.
    pub const fn format(&self) -> &Format {
        &self.format
    }

    /// Reviews of placements as they come.
    pub fn reviews<'a>(&'a mut self, turns: &'a [Turn]) -> impl Iterator<Item = Reviewed> + 'a {
        turns.iter().map(|turn| self.review(turn))
    }

    /// What the places of a piece come to that the hands reach, the best first, one piece beyond
    /// the next known one, or two. What `more` names is there, too, reached or not.
    pub fn rank(
        &mut self,
        board: &Playfield,
        lines: u32,
        (piece, next): (Piece, Option<Piece>),
        more: Option<Placement>,
        deeper: bool,
    ) -> Vec<(Child, f32)> {
        let places = self.places(board, lines, piece, more);
        let mut ranked = self.rate(0, board, lines, (piece, next), &places);
        sort(&mut ranked);
        if deeper {
            let mut best: Vec<Placement> = ranked.iter().take(DEEPER).map(|(child, _)| child.place).collect();
            best.extend(more.filter(|more| !best.contains(more)));
            ranked = self.rate(1, board, lines, (piece, next), &best);
            sort(&mut ranked);
        }
        ranked
    }

    /// The places that the hands reach, and `more`.
    pub fn places(
        &mut self,
        board: &Playfield,
        lines: u32,
        piece: Piece,
        more: Option<Placement>,
    ) -> Vec<Placement> {
        let targets = self.reach.find(board, piece, self.format.speed(lines));
        let mut places: Vec<Placement> = targets.iter().map(|target| target.place).collect();
        places.extend(more.filter(|more| !places.contains(more)));
        places
    }

    fn rate(
        &mut self,
        depth: usize,
        board: &Playfield,
        lines: u32,
        (piece, next): (Piece, Option<Piece>),
        places: &[Placement],
    ) -> Vec<(Child, f32)> {
        let player = &mut self.players[depth];
        let places = places.iter().copied();
        if let Some(next) = next {
            return player.rate_with_next(board, lines, (piece, next), places);
        }
        let mean = |worth: &value::Worth| {
            let shares = ODDS[piece as usize].iter().map(|&share| f32::from(share) / 64.0);
            shares.zip(worth).map(|(share, worth)| share * worth).sum::<f32>()
        };
        let rated = player.rate(board, lines, piece, places).into_iter();
        rated.map(|(child, worth)| (child, mean(&worth))).collect()
    }

    /// The odds to come to levels 19, 29 and 39 from a board; 1 for those that are reached.
    pub fn odds(&self, board: &Playfield, lines: u32) -> [f32; 3] {
        odds(&self.format, &self.nets, board, lines).unwrap_or([0.0; 3])
    }

    /// Reviews a placement.
    pub fn review(&mut self, turn: &Turn) -> Reviewed {
        let pace = Pace::of(turn.level, turn.lines, frames_per_row);
        let (board, lines) = (&turn.board, pace.lines);
        let pieces = (turn.piece, turn.next);
        let reachable = !self.places(board, lines, turn.piece, None).is_empty()
            && self.reach.targets().iter().any(|target| target.place == turn.place);
        let ranked = self.rank(board, lines, pieces, Some(turn.place), true);
        let own = ranked.iter().find(|(child, _)| child.place == turn.place).copied();
        let own = own.unwrap_or_else(|| (child(board, lines, turn.place), 0.0));
        // Of equals the placement itself.
        let best = ranked.first().copied().filter(|(_, value)| *value > own.1).unwrap_or(own);
        let loss = best.1 - own.1;
        let chosen = self.choice(own, turn.next);
        let better = if loss > 0.0 { self.choice(best, turn.next) } else { chosen };
        let next_speed = (pace.speed as usize).min(Speed::ALL.len() - 2);
        let odds_lost = (better.odds[next_speed] - chosen.odds[next_speed]).max(0.0);
        let class = Class::of(loss, odds_lost, turn.level);
        let kind = class.is_worth_a_look().then(|| Kind::of(board, turn.piece, &own.0, &best.0));
        let decided = self.outlook.decide(board, lines, turn.piece);
        let outlook = decided.and_then(|choice| self.outlook.outlook(lines, turn.piece, &choice));
        Reviewed {
            number: turn.number,
            piece: turn.piece.letter(),
            next: turn.next.map(Piece::letter),
            level: turn.level,
            lines: turn.lines,
            score: turn.score,
            cleared: turn.cleared,
            rows: board.rows(),
            expected: outlook.map_or(0.0, |outlook| outlook.points),
            chosen,
            best: better,
            loss,
            odds_lost,
            class,
            kind,
            accuracy: accuracy(loss, turn.level),
            reachable,
            is_level: pace.is_level,
            link: turn.link(self.hands.hertz.round() as u8).text(),
        }
    }

    fn choice(&mut self, (child, value): (Child, f32), next: Option<Piece>) -> Choice {
        let then = next.and_then(|next| self.best_place(&child.board, child.lines, next));
        let odds = self.odds(&child.board, child.lines);
        Choice { place: child.place, value, odds, then }
    }

    /// Where a piece goes best, whatever comes next.
    fn best_place(&mut self, board: &Playfield, lines: u32, piece: Piece) -> Option<Placement> {
        let places = self.places(board, lines, piece, None);
        let player = &mut self.outlook;
        let shares = ODDS[piece as usize].map(|share| f32::from(share) / 64.0);
        let rated = player.rate(board, lines, piece, places.into_iter()).into_iter();
        let mean =
            |worth: &value::Worth| shares.iter().zip(worth).map(|(share, worth)| share * worth).sum::<f32>();
        let best =
            rated.map(|(child, worth)| (mean(&worth), child)).max_by(|one, other| one.0.total_cmp(&other.0));
        best.map(|(_, child)| child.place)
    }
}

fn child(board: &Playfield, lines: u32, place: Placement) -> Child {
    let mut after = *board;
    let cleared = after.lock(place);
    Child { board: after, place, cleared, lines: lines + cleared }
}

fn sort(ranked: &mut [(Child, f32)]) {
    ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
}
