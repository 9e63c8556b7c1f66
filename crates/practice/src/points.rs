//! What a placement costs in points: a player for points goes on from both boards.

use std::fmt;

use nes::Region;
use tetris::rules::frames_per_row;
use tetris::{Piece, Placement, Playfield, SplitMix64};
use value::{Child, Format, Linear, NetMind, Nets, Pace, Player, Taps, WeightsFile, deal_by_odds, points};

use crate::coach::{Review, worst};
use crate::log::{Log, Played};
use crate::steer::TapHands;

/// Frames after which no next piece is known: the longest reaction of a format.
const NEVER: u16 = 61;
/// Lines that are played on, and pieces that they take at most. What counts is how the same number
/// of lines is cleared: within a number of pieces a board with more in stock would look the better.
const LINES: u32 = 40;
const PIECES: usize = 300;

/// Why a placement has no rating by the player for points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Unrated {
    /// The console was no NTSC console: the taps of the formats are counted in its frames.
    Console,
    /// Pieces fell at another speed than an NTSC cartridge has at that level.
    Gravity,
}

impl fmt::Display for Unrated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Console => "the player for points knows NTSC consoles only, and this is a game on PAL",
            Self::Gravity => "their pieces fell at another speed than the NTSC game's, as with pal=on",
        })
    }
}

impl Unrated {
    /// All reasons.
    const ALL: [Self; 2] = [Self::Console, Self::Gravity];
}

/// What a placement costs.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Loss {
    /// Points that the better place makes more over the next forty lines, in the mean.
    pub points: f64,
    /// The standard error of that.
    pub error: f64,
}

/// Rates placements in points, for hands of a certain speed.
///
/// A game from any level is rated as one from level 18 that is as far from the next speed: see
/// [`Pace`]. Levels below 18 are rated by the speed and the points of level 18.
#[derive(Clone, Debug)]
pub struct PointsCoach {
    format: Format,
    player: Player,
}

impl PointsCoach {
    /// A coach for these hands, whose player judges by the built-in weights.
    pub fn new(hands: TapHands) -> Self {
        Self::by(hands, None)
    }

    /// A coach whose player judges by nets at the speeds that have one. Costs are in points there.
    /// The nets learned by the taps and the reaction of their own format; the places that the hands
    /// reach are those of the hands.
    pub fn with_nets(hands: TapHands, nets: Nets) -> Self {
        Self::by(hands, Some(nets))
    }

    fn by(hands: TapHands, nets: Option<Nets>) -> Self {
        let format = Format {
            taps: Taps::of_hands(hands.hertz),
            delay: hands.reaction.min(NEVER).into(),
            lines: if nets.is_some() { Format::HEADLINE.lines } else { u32::MAX },
            double_at_39: false,
        };
        let linear = Linear::by_speed(&format, WeightsFile::built_in().weights);
        let mind = match nets {
            Some(nets) => NetMind::new(nets, linear).into(),
            None => linear.into(),
        };
        Self { format, player: Player::new(&format, mind) }
    }

    /// The format's name: how fast it taps, and from which frame on the next piece is known.
    pub fn format(&self) -> String {
        self.format.to_string()
    }

    /// The speed of a piece, and the lines of a game from level 18 that is as far from the next.
    ///
    /// # Errors
    /// When no format has such pieces.
    pub fn pace(played: &Played) -> Result<Pace, Unrated> {
        if played.region != Region::Ntsc {
            return Err(Unrated::Console);
        }
        if played.frames_per_row != frames_per_row(played.level) {
            return Err(Unrated::Gravity);
        }
        Ok(Pace::of(played.level, played.lines, frames_per_row))
    }

    /// How many placements of a game are not rated, by the reason.
    pub fn unrated(log: &Log) -> Vec<(Unrated, usize)> {
        let locked = || log.pieces.iter().filter(|played| played.place.is_some());
        let count = |reason| locked().filter(|played| Self::pace(played) == Err(reason)).count();
        let counts = Unrated::ALL.map(|reason| (reason, count(reason)));
        counts.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    /// Returns whether the cost of a placement is in points, and not in units of the player's
    /// weights.
    pub fn in_points(&self, played: &Played) -> bool {
        Self::pace(played).is_ok_and(|pace| self.player.in_points(pace.lines))
    }

    /// A placement beside the best, whose cost is in points, or in units of the player's weights;
    /// see [`Self::in_points`]. `None` where the piece did not lock, or has no rating: see
    /// [`Self::pace`].
    pub fn review(&mut self, played: &Played) -> Option<Review> {
        let chosen = Placement::try_from(played.place?).ok()?;
        let lines = Self::pace(played).ok()?.lines;
        let board = Playfield::from_rows(&played.rows);
        let Some(choice) = self.player.decide(&board, lines, played.piece) else {
            // Such hands reach no place at all.
            return Some(Review { number: played.number, chosen, best: chosen, cost: 0.0 });
        };
        let next = played.next as usize;
        let at = choice.targets[next];
        let best = self.player.decider().children()[at].place;
        let worth = self.player.decider().worths()[at][next];
        let rated = self.player.rate(&board, lines, played.piece, std::iter::once(chosen));
        let own = rated.first()?.1[next];
        let cost = f64::from(worth - own).max(0.0);
        Some(Review { number: played.number, chosen, best: if cost > 0.0 { best } else { chosen }, cost })
    }

    /// All placements of a game that have a rating.
    pub fn reviews(&mut self, log: &Log) -> Vec<Review> {
        log.pieces.iter().filter_map(|played| self.review(played)).collect()
    }

    /// What a placement costs: so many games of forty lines, with the same pieces from the chosen
    /// board and from the best.
    pub fn loss(&mut self, played: &Played, review: &Review, games: u32) -> Loss {
        let lines = Self::pace(played).map_or(played.lines, |pace| pace.lines);
        let boards = [review.best, review.chosen].map(|place| after(played, lines, place));
        let (mut sum, mut squares) = (0.0, 0.0);
        for game in 0..games.max(2) {
            let seed = SplitMix64::mix(u64::from(played.number) << 32 | u64::from(game));
            let [best, chosen] = boards.map(|child| self.go_on(&child, played.next, lines + LINES, seed));
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

/// The board after a lock with so many lines before it.
fn after(played: &Played, lines: u32, place: Placement) -> Child {
    let mut board = Playfield::from_rows(&played.rows);
    let cleared = board.lock(place);
    Child { board, place, cleared, lines: lines + cleared }
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
        let mut coach = PointsCoach::new(TapHands { hertz: 13.9, reaction: 18 });
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
    fn hands_of_any_speed_and_every_start_level_are_rated_and_what_is_no_ntsc_game_is_told() {
        assert_eq!(
            PointsCoach::new(TapHands { hertz: 60.0, reaction: 400 }).format(),
            "bt-30hz-61f-cartridge"
        );
        let mut slow = PointsCoach::new(TapHands { hertz: 8.0, reaction: 18 });
        assert!(slow.format().starts_with("bt-X.......X"), "{}", slow.format());
        let good = played(4, [9, 18, 0x11]);
        let across = played(4, [8, 15, 0x12]);
        for level in (0..30).chain([38, 39, 120, 255]) {
            let at_level = |played: &Played| {
                let lines = if level < 30 { 0 } else { 10 * u32::from(level) };
                Played { level, lines, frames_per_row: frames_per_row(level), ..played.clone() }
            };
            let [best, worse] = [&good, &across].map(|played| slow.review(&at_level(played)).unwrap());
            if level < 29 {
                assert!(best.cost == 0.0 && worse.cost > 0.0 && worse.best == best.chosen, "level {level}");
            } else {
                // Such hands do not reach the well there.
                assert!(best.cost == 0.0 && worse.best != best.chosen, "level {level}");
            }
        }
        let pal = Played { region: Region::Pal, frames_per_row: 2, ..good.clone() };
        let fast = Played { frames_per_row: 1, ..good.clone() };
        let flying = Played { place: None, ..pal.clone() };
        assert!(slow.review(&pal).is_none() && slow.review(&fast).is_none());
        let log = Log { pieces: vec![pal.clone(), good, fast, pal, flying], ..Log::default() };
        assert_eq!(PointsCoach::unrated(&log), [(Unrated::Console, 2), (Unrated::Gravity, 1)]);
        assert_eq!(slow.reviews(&log).len(), 1);
    }

    #[test]
    fn with_nets_costs_are_points_from_every_start_level() {
        let hands = TapHands { hertz: 30.0, reaction: 18 };
        let mut coach = PointsCoach::with_nets(hands, value::NetSource::default().get().clone());
        let across = played(8, [8, 11, 0x12]);
        let review = coach.review(&across).unwrap();
        // An I in the well is a tetris, 1,200 points a level; one across it covers the well.
        assert_eq!((review.best.x, review.best.orientation.id()), (9, 0x11));
        assert!(review.cost > 10_000.0 && coach.in_points(&across), "{review:?}");
        let loss = coach.loss(&across, &review, 200);
        assert!(loss.points > 2.0 * loss.error, "{loss:?}");
        for (level, lines) in [(0, 0), (9, 95), (15, 129), (19, 0), (28, 215), (29, 0), (38, 325), (39, 330)]
        {
            let other = Played { level, lines, frames_per_row: frames_per_row(level), ..across.clone() };
            let review = coach.review(&other).unwrap();
            assert_eq!((review.best.x, review.best.orientation.id()), (9, 0x11), "level {level}");
            assert!(review.cost > 5_000.0 && coach.in_points(&other), "level {level}: {review:?}");
        }
    }
}
