//! What is answered: the best placements of a position, in the forms that clients expect.

mod forms;
mod position;

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use stream::server::Reply;
use tetris::{Piece, Placement, Playfield};
use value::{Child, Falling, Format, Mind, ODDS, Player, Reach, Speed, Worth, way_to, way_to_premove, ways};

use forms::one;
use position::Position;

const NONE: &str = "No legal moves";
/// Placements of a list, first ones of `engine`, and adjustments of each.
const LISTED: usize = 10;
const FIRST: usize = 5;
/// What can be asked of a position.
const CALLS: [&str; 13] = [
    "get-move",
    "get-move-cpp",
    "get-move-async",
    "get-move-async-cpp",
    "precompute",
    "precompute-sync",
    "engine",
    "engine-movelist",
    "engine-movelist-cpp",
    "engine-movelist-cpp-hybrid",
    "rate-move",
    "rate-move-cpp",
    "eval",
];
/// The order of pieces in an answer to `precompute`.
const ORDER: [Piece; 7] = [Piece::I, Piece::O, Piece::L, Piece::J, Piece::T, Piece::S, Piece::Z];

/// What was asked for and is to be fetched later: path and query.
pub type Later = Arc<Mutex<Option<(String, String)>>>;

/// Answers questions, one at a time.
#[derive(Debug)]
pub struct Answerer {
    mind: Mind,
    double_at_39: bool,
    scale: Scale,
    player: Option<(Format, Player)>,
    later: Later,
}

/// The unit of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Points.
    #[default]
    Points,
    /// Thousands of points, so that the limits that clients of `StackRabbit` have for mistakes, a
    /// few units, are a few thousand points.
    StackRabbit,
}

impl Scale {
    fn of(self, points: f32) -> f32 {
        match self {
            Self::Points => points,
            Self::StackRabbit => points / 1_000.0,
        }
    }
}

/// A placement, the buttons that lead to it, and what it is worth.
struct Move {
    way: Vec<u8>,
    child: Child,
    worth: Worth,
    value: f32,
}

/// What a position leads to.
struct Searched {
    format: Format,
    lines: u32,
    speed: Speed,
    moves: Vec<Move>,
}

fn text(status: u16, body: impl Into<String>) -> Reply {
    Reply { status, kind: "text/plain; charset=utf-8", body: body.into() }
}

fn unknown(call: &str) -> Reply {
    let call: String = call.chars().take(24).collect();
    text(404, format!("{call}: expected ping, version, async-result, {}", CALLS.join(", ")))
}

fn mean(worth: &Worth, piece: Piece) -> f32 {
    ODDS[piece as usize].iter().zip(worth).map(|(&odd, worth)| f32::from(odd) / 64.0 * worth).sum()
}

impl Answerer {
    /// An answerer that judges by `mind`. From level 39 on pieces fall two rows a frame if
    /// `double_at_39`. Those that share `later` answer each other's questions later.
    pub fn new(mind: Mind, double_at_39: bool, later: Later) -> Self {
        Self { mind, double_at_39, scale: Scale::default(), player: None, later }
    }

    /// The same with values in this unit.
    #[must_use]
    pub fn scaled(mut self, scale: Scale) -> Self {
        self.scale = scale;
        self
    }

    /// The answer to a path and what follows its `?`.
    pub fn answer(&mut self, path: &str, query: &str) -> Reply {
        let call = path.trim_start_matches('/');
        match call {
            "ping" => return text(200, "pong"),
            "version" => {
                let version = env!("CARGO_PKG_VERSION");
                let all = json!({ "jsVersion": version, "cppVersion": version, "maxout": version });
                return text(200, all.to_string());
            }
            "async-result" => {
                let asked = self.later.lock().unwrap_or_else(PoisonError::into_inner).clone();
                return match asked {
                    Some((call, query)) => self.answer(&call, &query),
                    None => text(404, "No previous async request has been made"),
                };
            }
            "rank-lookup" => return text(501, "rank-lookup: the ranks of surfaces are StackRabbit's own"),
            _ => {}
        }
        let position = match Position::parse(query) {
            Ok(position) => position,
            Err(wrong) if CALLS.contains(&call) => return text(400, wrong.to_string()),
            Err(_) => return unknown(call),
        };
        match call {
            "get-move" | "get-move-cpp" => text(200, self.get_move(&position)),
            "precompute-sync" => text(200, self.precompute(&position)),
            "get-move-async" | "get-move-async-cpp" | "precompute" => {
                // It is a matter of milliseconds, and is computed when it is fetched.
                let call = if call == "precompute" { "precompute-sync" } else { "get-move" };
                *self.later.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some((call.to_owned(), query.to_owned()));
                text(200, "Request accepted.")
            }
            "engine" => text(200, self.engine(&position).to_string()),
            "engine-movelist" | "engine-movelist-cpp" | "engine-movelist-cpp-hybrid" => {
                text(200, self.list(&position).to_string())
            }
            "rate-move" | "rate-move-cpp" => self.rate_move(&position),
            "eval" => {
                let (_, lines) = self.player(&position);
                let worth = self.player.as_mut().map(|(_, player)| player.worth(&position.board, lines));
                text(
                    200,
                    format!(
                        "{:.2}",
                        self.scale.of(worth.map_or(0.0, |worth| worth[position.piece as usize]))
                    ),
                )
            }
            other => unknown(other),
        }
    }

    /// Makes the player for the hands of a position; out: format, and lines that have its speed.
    fn player(&mut self, position: &Position) -> (Format, u32) {
        let (format, lines) = position.terms(self.double_at_39);
        if self.player.as_ref().is_none_or(|(made, _)| *made != format) {
            self.player = Some((format, Player::new(&format, self.mind.clone())));
        }
        (format, lines)
    }

    /// All placements, the best first: by the next piece if it is known, else by the mean.
    fn search(&mut self, position: &Position) -> Searched {
        let (format, lines) = self.player(position);
        let speed = format.speed(lines);
        let frames_per_row = [3, 2, 1, 1][speed as usize];
        let (orientation, at, timer) = position.at(frames_per_row);
        let (waits, taps) = position.taps();
        let mut found = Searched { format, lines, speed, moves: Vec::new() };
        if let Some(mut falling) = Falling::at(&position.board, orientation, at, speed, timer) {
            let mut before = Vec::new();
            while before.len() < waits as usize && !falling.is_locked() {
                falling.step(0);
                before.push(0);
            }
            found.moves = self.rated(position, lines, &falling, &before, &Format { taps, ..format });
        }
        found
    }

    fn rated(
        &mut self,
        position: &Position,
        lines: u32,
        falling: &Falling,
        before: &[u8],
        format: &Format,
    ) -> Vec<Move> {
        let ways = ways(falling, format);
        let Some((_, player)) = &mut self.player else { return Vec::new() };
        let places = ways.iter().map(|&(place, _)| place);
        let rated = player.rate(&position.board, lines, position.piece, places);
        let mut moves: Vec<Move> = ways
            .into_iter()
            .zip(rated)
            .map(|((_, way), (child, worth))| {
                let value = match position.next {
                    Some(next) => worth[next as usize],
                    None => mean(&worth, position.piece),
                };
                Move { way: [before, &way[..]].concat(), child, worth, value }
            })
            .collect();
        moves.sort_by(|one, other| other.value.total_cmp(&one.value));
        moves
    }

    fn get_move(&mut self, position: &Position) -> String {
        let searched = self.search(position);
        searched.moves.first().map_or_else(|| NONE.to_owned(), |best| one(position, &best.child, &best.way))
    }

    fn rate_move(&mut self, position: &Position) -> Reply {
        let Some(second) = position.second else {
            return text(400, "secondBoard: expected the board after the placement, found none");
        };
        let moves = self.search(position).moves;
        if moves.is_empty() {
            return text(200, NONE);
        }
        let scale = self.scale;
        let rating = |of: &dyn Fn(&Move) -> f32| {
            let of = |found: &Move| scale.of(of(found));
            let same = moves.iter().filter(|found| found.child.board == second).map(of).reduce(f32::max);
            let own = same.map_or_else(|| "Unknown score".to_owned(), |value| format!("{value:.2}"));
            let best = moves.iter().map(of).fold(f32::NEG_INFINITY, f32::max);
            (own, format!("{best:.2}"))
        };
        let (own, best) = rating(&|found| mean(&found.worth, position.piece));
        let mut answer = json!({ "playerMoveNoAdjustment": own, "bestMoveNoAdjustment": best });
        if let Some(next) = position.next {
            let (own, best) = rating(&|found| found.worth[next as usize]);
            answer["playerMoveAfterAdjustment"] = json!(own);
            answer["bestMoveAfterAdjustment"] = json!(best);
        }
        text(200, answer.to_string())
    }

    fn list(&mut self, position: &Position) -> Value {
        let searched = self.search(position);
        let listed = searched.moves.iter().take(LISTED).filter_map(|found| {
            let child = &found.child;
            let further = match position.next {
                Some(_) => Vec::new(),
                None => self.further(&searched, child, found.child.cleared),
            };
            let (place, value) = (child.place, self.scale.of(found.value));
            let first = forms::short(place, Some(&found.way), value, &further);
            match position.next {
                // Where the next piece has no place, the game is over, and nothing is listed.
                Some(next) => self.follow_up(&searched, child, next, true).map(|then| json!([first, then])),
                None => Some(first),
            }
        });
        listed.collect()
    }

    /// The best placement of a piece on a board so many lines later: what it leads to and its
    /// value.
    fn best(
        &mut self,
        searched: &Searched,
        board: &Playfield,
        cleared: u32,
        piece: Piece,
    ) -> Option<(Child, f32)> {
        let lines = searched.lines + cleared;
        let mut reach = Reach::new(&Format { delay: 61, ..searched.format });
        let targets = reach.find(board, piece, searched.speed);
        let places: Vec<Placement> =
            targets.iter().filter(|target| target.at_once).map(|target| target.place).collect();
        let (_, player) = self.player.as_mut()?;
        let rated = player.rate(board, lines, piece, places.into_iter()).into_iter();
        rated
            .map(|(child, worth)| (child, mean(&worth, piece)))
            .reduce(|best, found| if found.1 > best.1 { found } else { best })
    }

    /// The best placement of each piece that may come after a placement, so many lines later.
    fn further(&mut self, searched: &Searched, child: &Child, cleared: u32) -> Vec<Value> {
        let odds = ODDS[child.place.orientation.piece().map_or(0, |piece| piece as usize)];
        let mut lines = Vec::new();
        for (piece, odds) in Piece::ALL.into_iter().zip(odds) {
            if let Some((then, value)) = self.best(searched, &child.board, cleared, piece) {
                let probability = f32::from(odds) / 64.0;
                lines.push(forms::line(piece, probability, then.place, self.scale.of(value)));
            }
        }
        lines
    }

    /// The best placement of the next piece, and if asked for of each that may come after it; none
    /// where there is no place.
    fn follow_up(&mut self, searched: &Searched, child: &Child, next: Piece, goes_on: bool) -> Option<Value> {
        let (then, value) = self.best(searched, &child.board, child.cleared, next)?;
        let further =
            if goes_on { self.further(searched, &then, child.cleared + then.cleared) } else { Vec::new() };
        Some(forms::short(then.place, None, self.scale.of(value), &further))
    }

    /// The first placements, and where each can still go once the next piece is known.
    fn engine(&mut self, position: &Position) -> Value {
        let searched = self.search(&position.without_next());
        let mut all = Vec::new();
        for found in searched.moves.iter().take(FIRST) {
            let adjusted = self.adjusted(position, &searched, found);
            let listed = adjusted.iter().take(LISTED).map(|adjusted| {
                let mut one = forms::long(
                    position.piece,
                    adjusted.child.place,
                    &adjusted.way,
                    self.scale.of(adjusted.value),
                );
                let follow_up = position.next.and_then(|next| {
                    let mut follow_up = self.follow_up(&searched, &adjusted.child, next, false)?;
                    follow_up["piece"] = json!(next.letter().to_string());
                    follow_up["inputSequence"] = json!("");
                    Some(follow_up)
                });
                one["followUp"] = json!(follow_up);
                one
            });
            let listed: Vec<Value> = listed.collect();
            let mut one =
                forms::long(position.piece, found.child.place, &found.way, self.scale.of(found.value));
            one["adjustments"] = json!(listed);
            all.push(one);
        }
        json!(all)
    }

    /// Placements at least as good as the first one, from where the piece is when the next is
    /// known.
    fn adjusted(&mut self, position: &Position, searched: &Searched, first: &Move) -> Vec<Move> {
        let Some(next) = position.next else { return Vec::new() };
        let frames_per_row = [3, 2, 1, 1][searched.speed as usize];
        let (orientation, at, timer) = position.at(frames_per_row);
        let Some(mut falling) = Falling::at(&position.board, orientation, at, searched.speed, timer) else {
            return Vec::new();
        };
        for &held in first.way.iter().take(position.reaction as usize) {
            falling.step(held);
        }
        if falling.is_locked() {
            return Vec::new();
        }
        let mut moves = self.rated(position, searched.lines, &falling, &[], &searched.format);
        moves.retain(|found| found.value >= first.worth[next as usize]);
        moves
    }

    /// A placement, and what is to be done after the reaction time for each next piece.
    fn precompute(&mut self, position: &Position) -> String {
        let (format, lines) = self.player(position);
        let speed = format.speed(lines);
        let (Some(falling), Some((_, player))) =
            (Falling::new(&position.board, position.piece, speed, 0), &mut self.player)
        else {
            return NONE.to_owned();
        };
        let Some(choice) = player.decide(&position.board, lines, position.piece) else {
            return NONE.to_owned();
        };
        let decider = player.decider();
        let child = |number: usize| &decider.children()[number];
        let reaction = position.reaction as usize;
        let (before, later) = match choice.premove {
            Some(number) => match way_to_premove(&falling, &format, decider.reach().premoves()[number]) {
                Some((before, later)) => (before, later),
                None => return NONE.to_owned(),
            },
            None => (Vec::new(), falling),
        };
        let way = |number: usize| {
            let after = way_to(&later, &format, child(number).place).unwrap_or_default();
            let whole = [&before[..], &after[..]].concat();
            // The first tap that knows the next piece may come later than the end of the reaction
            // time.
            let rest: Vec<u8> = whole.iter().skip(reaction).copied().collect();
            (whole, rest)
        };
        let reached = |number: &usize| match choice.premove {
            Some(premove) => decider.reach().targets()[*number].premoves >> premove & 1 == 1,
            None => *number == choice.targets[0],
        };
        let default = (0..decider.children().len()).filter(reached).max_by(|one, other| {
            let of = |number: &usize| mean(&decider.worths()[*number], position.piece);
            of(one).total_cmp(&of(other))
        });
        let default = default.unwrap_or(choice.targets[0]);
        let mut lines = vec![format!("Default:{}", one(position, child(default), &way(default).0))];
        for next in ORDER {
            let number = choice.targets[next as usize];
            lines.push(format!("{next}:{}", one(position, child(number), &way(number).1)));
        }
        lines.join("\n")
    }
}
