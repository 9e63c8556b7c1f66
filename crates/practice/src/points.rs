//! What a placement costs in points: a player for points goes on from both boards.

use ai::Placement;
use nes::Region;
use tetris::rules::frames_per_row;
use tetris::{Piece, SplitMix64};
use value::{
    Child, Format, Linear, Mind, NetMind, Nets, Place, Player, Speed, Taps, WeightsFile, deal_by_odds, level,
    points,
};

use crate::coach::{Review, worst};
use crate::log::{Log, Played};
use crate::steer::Hands;

/// Frames after which no next piece is known: the longest reaction of a format.
const NEVER: u16 = 61;
/// Lines that are played on, and pieces that they take at most. What counts is how the same number
/// of lines is cleared: within a number of pieces a board with more in stock would look the better.
const LINES: u32 = 40;
const PIECES: usize = 300;

/// Hands that no format has.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the coach in points: expected 10 taps a second and more, found {0}")]
pub struct TooSlow(pub f64);

/// What a placement costs.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Loss {
    /// Points that the better place makes more over the next forty lines, in the mean.
    pub points: f64,
    /// The standard error of that.
    pub error: f64,
}

/// Lines from which on nets know no game of a cartridge: the net of level 39 is one of two rows a
/// frame.
const END_OF_NETS: u32 = Speed::LINES[Speed::L39 as usize];

/// Rates placements in points, for hands of a certain speed.
#[derive(Clone, Debug)]
pub struct PointsCoach {
    format: Format,
    player: Player,
    by_nets: bool,
}

impl PointsCoach {
    /// A coach for these hands, or for the fastest format that is not faster.
    ///
    /// # Errors
    /// When they are slower than every format.
    pub fn new(hands: Hands) -> Result<Self, TooSlow> {
        Self::by(hands, None)
    }

    /// The same, whose player judges by nets, at the speeds that have one: costs of placements are
    /// points then too. What the nets know of taps and reactions is that of the format for which
    /// they were trained; what the hands reach is that of the hands.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn with_nets(hands: Hands, nets: Nets) -> Result<Self, TooSlow> {
        Self::by(hands, Some(nets))
    }

    /// The better one for these hands: by nets, if there are some for every speed of a cartridge
    /// and the hands are fast enough for them, and else by weights.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn best(hands: Hands, nets: Nets) -> Result<Self, TooSlow> {
        let weights = Self::new(hands)?;
        let suited = weights.format.taps.suit_nets() && nets.iter().take(3).all(Option::is_some);
        if suited { Self::with_nets(hands, nets) } else { Ok(weights) }
    }

    /// Do nets judge, and not weights?
    pub const fn by_nets(&self) -> bool {
        self.by_nets
    }

    fn by(hands: Hands, nets: Option<Nets>) -> Result<Self, TooSlow> {
        let known = Taps::HERTZ.into_iter().rfind(|&hertz| f64::from(hertz) <= hands.hertz);
        let hertz = known.ok_or(TooSlow(hands.hertz))?;
        let format = Format {
            taps: Taps::Hertz(hertz),
            delay: hands.reaction.min(NEVER).into(),
            lines: if nets.is_some() { Format::HEADLINE.lines } else { u32::MAX },
            double_at_39: false,
        };
        let linear = Linear::by_speed(&format, WeightsFile::built_in().weights);
        let by_nets = nets.is_some();
        let mind = match nets {
            Some(nets) => NetMind::new(nets, linear).into(),
            None => Mind::Linear(linear),
        };
        Ok(Self { format, player: Player::new(&format, mind), by_nets })
    }

    /// The format's name: how fast it taps, and from which frame on the next piece is known.
    pub fn format(&self) -> String {
        self.format.to_string()
    }

    /// Can the format say this placement? It knows an NTSC game from level 18 on, to 330 lines
    /// where nets judge.
    pub fn knows(&self, played: &Played) -> bool {
        (!self.by_nets || played.lines < END_OF_NETS)
            && level(played.lines) == u32::from(played.level)
            && (played.region, played.frames_per_row) == (Region::Ntsc, frames_per_row(played.level))
    }

    /// Are costs of placements at so many lines points, and not units of the player's weights?
    pub fn in_points(&self, lines: u32) -> bool {
        self.player.in_points(lines)
    }

    /// A placement beside the best, whose cost is in points, or in units of the player's weights;
    /// see [`Self::in_points`]. `None` where
    /// the piece did not lock, had nowhere to go, or is of a level that the format does not have.
    pub fn review(&mut self, played: &Played) -> Option<Review> {
        let chosen = Placement::try_from(played.place?).ok()?;
        if !self.knows(played) {
            return None;
        }
        let board = value::Board::from_rows(&played.rows);
        let choice = self.player.decide(&board, played.lines, played.piece)?;
        let next = played.next as usize;
        let at = choice.targets[next];
        let place = self.player.decider().children()[at].place;
        let best = Placement { x: place.x, y: place.y, orientation: place.orientation };
        let worth = self.player.decider().worths()[at][next];
        let chosen_place = Place { orientation: chosen.orientation, x: chosen.x, y: chosen.y };
        let rated = self.player.rate(&board, played.lines, played.piece, std::iter::once(chosen_place));
        let own = rated.first()?.1[next];
        let cost = f64::from(worth - own).max(0.0);
        Some(Review { number: played.number, chosen, best: if cost > 0.0 { best } else { chosen }, cost })
    }

    /// All placements of a game that the format can say.
    pub fn reviews(&mut self, log: &Log) -> Vec<Review> {
        log.pieces.iter().filter_map(|played| self.review(played)).collect()
    }

    /// What a placement costs: so many games of forty lines, with the same pieces from the chosen
    /// board and from the best.
    pub fn loss(&mut self, played: &Played, review: &Review, games: u32) -> Loss {
        let boards = [review.best, review.chosen].map(|place| after(played, place));
        let (mut sum, mut squares) = (0.0, 0.0);
        for game in 0..games.max(2) {
            let seed = SplitMix64::mix(u64::from(played.number) << 32 | u64::from(game));
            let [best, chosen] =
                boards.map(|child| self.go_on(&child, played.next, played.lines + LINES, seed));
            let difference = best - chosen;
            sum += difference;
            squares += difference * difference;
        }
        let count = f64::from(games.max(2));
        let mean = sum / count;
        let variance = (squares / count - mean * mean).max(0.0) * count / (count - 1.0);
        Loss { points: mean, error: (variance / count).sqrt() }
    }

    /// The placements of a game that cost most: as many as are asked for are found by the player's
    /// weights, and ordered by points. `go_on` is asked before each.
    pub fn worst(
        &mut self,
        log: &Log,
        reviews: &[Review],
        (count, games): (usize, u32),
        mut go_on: impl FnMut() -> bool,
    ) -> Vec<(Review, Loss)> {
        let mut dear = Vec::new();
        for review in worst(reviews, count) {
            let played = log.pieces.iter().find(|played| played.number == review.number);
            let Some(played) = played.filter(|_| go_on()) else { continue };
            dear.push((review.clone(), self.loss(played, review, games)));
        }
        dear.sort_by(|(one, first), (other, second)| {
            second.points.total_cmp(&first.points).then(one.number.cmp(&other.number))
        });
        dear
    }

    /// Points from a lock on, its own with them, to so many lines.
    fn go_on(&mut self, child: &Child, next: Piece, until: u32, seed: u64) -> f64 {
        let mut score = points(child.cleared, child.lines);
        let (mut board, mut lines) = (child.board, child.lines);
        // The odds of what follows the next piece are those of the game.
        let mut pieces = deal_by_odds(seed).skip_while(|&piece| piece != next).take(PIECES);
        let Some(mut piece) = pieces.next() else { return f64::from(score) };
        for next in pieces {
            if lines >= until.min(self.format.lines) {
                break;
            }
            let Some(choice) = self.player.decide(&board, lines, piece) else { break };
            let child = &self.player.decider().children()[choice.targets[next as usize]];
            if child.cleared > 0 {
                score += points(child.cleared, child.lines);
            }
            (board, lines, piece) = (child.board, child.lines, next);
        }
        f64::from(score)
    }
}

/// The board after a lock.
fn after(played: &Played, place: Placement) -> Child {
    let mut board = value::Board::from_rows(&played.rows);
    let place = Place { orientation: place.orientation, x: place.x, y: place.y };
    let cleared = board.lock(place);
    Child { board, place, cleared, lines: played.lines + cleared }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An I over a stack of so many rows with a well at the right.
    fn played(height: usize, place: [u8; 3]) -> Played {
        let mut rows = [0; 20];
        rows[20 - height..].fill(0x1FF);
        Played {
            rows,
            level: 18,
            frames_per_row: 3,
            lines: 40,
            place: Some(place),
            ..Played::first(Piece::I)
        }
    }

    #[test]
    fn an_i_across_the_well_is_worse_than_one_in_it_and_on_a_high_stack_costs_points() {
        let mut coach = PointsCoach::new(Hands { hertz: 13.9, reaction: 18 }).unwrap();
        assert_eq!(coach.format(), "bt-12hz-18f-cartridge");
        let good = coach.review(&played(4, [9, 18, 0x11])).unwrap();
        assert_eq!((good.cost, good.best), (0.0, good.chosen));
        let nothing = coach.loss(&played(4, [9, 18, 0x11]), &good, 5);
        assert_eq!((nothing.points, nothing.error), (0.0, 0.0), "the same games from the same board");
        let across = played(4, [8, 15, 0x12]);
        let bad = coach.review(&across).unwrap();
        assert_eq!(bad.best, good.chosen);
        let high = played(12, [8, 7, 0x12]);
        let worse = coach.review(&high).unwrap();
        let loss = coach.loss(&high, &worse, 60);
        assert!(loss.points > loss.error && loss.error > 0.0, "{loss:?}");
        let log = Log { pieces: vec![across], ..Log::default() };
        let reviews = coach.reviews(&log);
        let found = coach.worst(&log, &reviews, (10, 12), || true);
        let loss = coach.loss(&log.pieces[0], &bad, 12);
        assert_eq!(found, [(bad, loss)]);
        assert_eq!(coach.worst(&log, &reviews, (10, 12), || false), []);
    }

    #[test]
    fn what_no_format_has_is_not_rated() {
        assert_eq!(PointsCoach::new(Hands { hertz: 9.9, reaction: 0 }).unwrap_err(), TooSlow(9.9));
        let mut coach = PointsCoach::new(Hands { hertz: 60.0, reaction: 400 }).unwrap();
        assert_eq!(coach.format(), "bt-30hz-61f-cartridge");
        let early = Played { level: 5, ..played(4, [9, 18, 0x11]) };
        assert!(coach.review(&early).is_none() && !coach.knows(&early));
        let good = played(4, [9, 18, 0x11]);
        let pal = Played { region: Region::Pal, frames_per_row: 2, ..good.clone() };
        assert!(coach.knows(&good) && !coach.knows(&pal) && coach.review(&pal).is_none());
    }

    #[test]
    fn with_nets_costs_are_points_to_330_lines() {
        let files: [&[u8]; 4] = [
            include_bytes!("../../value/nets/l18.net"),
            include_bytes!("../../value/nets/l19.net"),
            include_bytes!("../../value/nets/l29.net"),
            include_bytes!("../../value/nets/l39.net"),
        ];
        let nets = files.map(|bytes| Some(std::sync::Arc::new(value::Net::from_bytes(bytes).unwrap().0)));
        let hands = Hands { hertz: 30.0, reaction: 18 };
        let mut coach = PointsCoach::with_nets(hands, nets).unwrap();
        let across = played(8, [8, 11, 0x12]);
        let review = coach.review(&across).unwrap();
        // An I in the well is a tetris, 1,200 points a level; one across it covers the well.
        assert_eq!((review.best.x, review.best.orientation.id()), (9, 0x11));
        assert!(review.cost > 10_000.0 && coach.in_points(across.lines), "{review:?}");
        let loss = coach.loss(&across, &review, 200);
        assert!(loss.points > 2.0 * loss.error, "{loss:?}");
        let late = Played { lines: 330, level: 39, frames_per_row: 1, ..across };
        assert!(!coach.knows(&late) && PointsCoach::new(hands).unwrap().knows(&late));
    }
}
