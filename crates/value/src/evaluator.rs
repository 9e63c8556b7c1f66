//! The evaluator that asks networks, one a speed.

use std::sync::Arc;

use crate::conditions::Conditions;
use crate::decide::{Child, Evaluator, Worth};
use crate::features::features;
use crate::format::{Format, Speed, points};
use crate::net::{ALIVE, FOUR, LANES, Net, Row, Sums, shares_beside, shares_of_four};
use crate::outlook::shown_odds;
use crate::outputs::Outputs;
use tetris::Playfield;

/// Nets by speed, the slowest first. Where one is missing, what remains is worth nothing.
pub type Nets = [Option<Arc<Net>>; 4];

/// Returns nets by speed. A net of a speed that has one already stands beside it, and is asked in
/// the formats whose tap speeds are nearer to those that it learned from; one that learned from
/// games in which rows came up is asked in duels ([`for_duels`]).
///
/// # Errors
/// The speed of two nets that learned from the same tap speed.
pub fn assemble(nets: impl IntoIterator<Item = (Net, Speed)>) -> Result<Nets, Speed> {
    let mut by_speed: [Vec<Net>; 4] = Default::default();
    for (net, speed) in nets {
        let known = &mut by_speed[speed as usize];
        if known.iter().any(|other| other.stands_for(&net)) {
            return Err(speed);
        }
        known.push(net);
    }
    Ok(by_speed.map(side_by_side))
}

/// Returns the nets with one more. It takes the place of a net of its speed that learned from one
/// of its tap speeds.
#[must_use]
pub fn with_net(mut nets: Nets, net: Net, speed: Speed) -> Nets {
    let mut known = nets[speed as usize].take().map_or_else(Vec::new, apart);
    known.retain(|other| !other.stands_for(&net));
    known.push(net);
    nets[speed as usize] = side_by_side(known);
    nets
}

/// Returns the nets that a duel asks: at each speed those that learned from games in which rows
/// came up, or all where none did.
#[must_use]
pub fn for_duels(nets: &Nets) -> Nets {
    let of_speed = |first: &Arc<Net>| {
        let mut found = std::iter::once(first).chain(&first.others).filter(|net| net.for_duels);
        match (found.next(), found.next()) {
            (None, _) => Some(Arc::clone(first)),
            (Some(only), None) if only.others.is_empty() => Some(Arc::clone(only)),
            _ => side_by_side(apart(Arc::clone(first)).into_iter().filter(|net| net.for_duels).collect()),
        }
    };
    nets.each_ref().map(|net| of_speed(net.as_ref()?))
}

/// Returns the nets of a speed one by one.
fn apart(first: Arc<Net>) -> Vec<Net> {
    let mut first = Arc::unwrap_or_clone(first);
    let others = std::mem::take(&mut first.others);
    std::iter::once(first).chain(others.into_iter().map(Arc::unwrap_or_clone)).collect()
}

/// Puts the nets of a speed together.
fn side_by_side(mut nets: Vec<Net>) -> Option<Arc<Net>> {
    // The one for the fastest hands first, in whatever order they were given.
    nets.sort_by_key(|net| (net.for_duels, net.taps.trailing_zeros()));
    let mut nets = nets.into_iter();
    let mut first = nets.next()?;
    first.others = nets.map(Arc::new).collect();
    Some(Arc::new(first))
}

/// Rates boards by nets. Of what comes after the speed of a decision only a share counts at the
/// slow speeds.
#[derive(Clone, Debug)]
pub struct NetEvaluator {
    format: Format,
    /// The number of its tap speed.
    taps: usize,
    nets: Nets,
    /// By speed: the biases of its net for the format's hands, and what its outputs mean; the usual
    /// where there is none.
    biases: [Row; 4],
    outputs: [Outputs; 4],
    parent: Sums,
    parent_speed: Option<Speed>,
    /// The speed of the decision, if there is one.
    deciding: Option<Speed>,
    well: f32,
    caution: f32,
    clearing: f32,
    /// Whether a tetris is worth what it scores, whatever the nets learned.
    plain: bool,
    odds: Vec<Worth>,
}

impl NetEvaluator {
    /// An evaluator for games of a format.
    pub fn new(format: &Format, nets: Nets) -> Self {
        let conditions = Conditions::of(format);
        let nets: Nets = nets.map(|net| net.map(|net| Arc::clone(net.suited(conditions))));
        let biases = nets.each_ref().map(|net| net.as_ref().map_or(Row::ZERO, |net| net.bias(conditions)));
        let outputs = Speed::ALL.map(|speed| {
            nets[speed as usize].as_ref().map_or_else(|| Outputs::usual(speed), |net| net.outputs)
        });
        Self {
            format: *format,
            taps: conditions.inputs()[0],
            nets,
            biases,
            outputs,
            parent: Sums::new(),
            parent_speed: None,
            deciding: None,
            well: 0.0,
            caution: 0.0,
            clearing: 0.0,
            plain: false,
            odds: Vec::new(),
        }
    }

    /// The same, whose ratings add the odds of reaching the end of a slow speed, times what the
    /// later speeds are worth beyond the share that counts as points, times `caution` (0 to 1).
    #[must_use]
    pub fn with_caution(self, caution: f32) -> Self {
        Self { caution, ..self }
    }

    /// The same, to whom each row of a clear that is no tetris is worth so many points more: a
    /// player that rather clears what it can than waits.
    #[must_use]
    pub fn with_clearing(self, clearing: f32) -> Self {
        Self { clearing, ..self }
    }

    /// The same, that expects points, to be shown and not to decide by: a tetris is worth what it
    /// scores, and what a net says is taken in its [`Outputs::unit`].
    #[must_use]
    pub fn in_points(self) -> Self {
        Self { plain: true, ..self }
    }

    /// See [`odds`].
    pub(crate) fn odds_from(&self, board: &Playfield, lines: u32) -> Option<[f32; 3]> {
        odds(&self.format, &self.nets, board, lines)
    }

    /// What a lock itself is worth: its points, and what clearing is worth beyond them.
    #[inline]
    pub(crate) fn of_lock(&self, child: &Child) -> f32 {
        match child.cleared {
            0 => 0.0,
            4 => {
                let points = points(4, child.lines);
                let deciding = self.deciding.filter(|_| !self.plain);
                points as f32 + deciding.map_or(0.0, |speed| self.outputs[speed as usize].bonus(4, points))
            }
            rows => points(rows, child.lines) as f32 + self.clearing * rows as f32,
        }
    }

    /// Points that certainty of reaching the end of a speed adds to a rating.
    pub(crate) fn stake_at(&self, speed: Speed) -> f32 {
        self.caution * self.outputs[speed as usize].stake()
    }

    /// Points that an output of 1 stands for, see [`Outputs::scale`].
    fn scale(&self, speed: Speed, to_go: u32) -> f32 {
        let outputs = &self.outputs[speed as usize];
        outputs.scale(to_go) * if self.plain { outputs.unit() } else { 1.0 }
    }

    /// Returns what the outputs of a speed's net mean; the usual where there is none.
    pub(crate) const fn outputs_at(&self, speed: Speed) -> &Outputs {
        &self.outputs[speed as usize]
    }

    /// Returns the format's tap speed by its number, the fastest of seven first.
    pub(crate) const fn taps(&self) -> usize {
        self.taps
    }

    /// Returns what a point is of a decision's values at a speed, see [`Outputs::unit`].
    pub(crate) fn unit(&self, speed: Speed) -> f32 {
        self.outputs[speed as usize].unit()
    }

    /// How much of what is worth something at one speed counts in a decision at another.
    pub(crate) fn counted(&self, deciding: Speed, speed: Speed) -> f32 {
        if deciding == speed {
            return 1.0;
        }
        // What the later speed counts more than it scores counts there alone.
        self.outputs[deciding as usize].share_of_later * if self.plain { 1.0 } else { self.unit(speed) }
    }

    /// The same, to whom every cell of the rightmost column costs so many points at the speed of
    /// the decision: a player in training that keeps its well there until its net knows what it is
    /// worth.
    #[must_use]
    pub fn with_well(self, well: f32) -> Self {
        Self { well, ..self }
    }

    /// What the cells of the rightmost column cost.
    #[inline]
    fn cost(&self, board: &Playfield) -> f32 {
        if self.well == 0.0 { 0.0 } else { self.well * board.columns[9].count_ones() as f32 }
    }

    /// The speed of a game with so many lines, and the lines to its end: the features of a board
    /// know no other.
    fn stage(&self, lines: u32) -> (Speed, u32) {
        Speed::with_lines_to_go(lines, self.format.lines)
    }
}

/// The odds that a game comes to levels 19, 29 and 39 from a board, and 1 for those that it has
/// reached. What comes after the speed of the board is computed from an empty one; those of slow
/// hands at level 29 are corrected by games. None without the nets for it.
pub fn odds(format: &Format, nets: &Nets, board: &Playfield, lines: u32) -> Option<[f32; 3]> {
    let current = Speed::of_lines(lines);
    let conditions = Conditions::of(format);
    let (mut odds, mut so_far) = ([1.0; 3], 1.0);
    for speed in Speed::ALL.into_iter().filter(|&speed| speed >= current && speed < Speed::L39) {
        let (board, lines) =
            if speed == current { (board, lines) } else { (&Playfield::EMPTY, speed.first_line()) };
        let (_, to_go) = Speed::with_lines_to_go(lines, format.lines);
        let net = nets[speed as usize].as_ref()?.suited(conditions);
        so_far *= shown_odds(net.shares(conditions, &features(board, to_go))[ALIVE], speed, conditions);
        odds[speed as usize] = so_far;
    }
    Some(odds)
}

impl Evaluator for NetEvaluator {
    fn begin(&mut self, board: &Playfield, lines: u32) {
        let (speed, to_go) = self.stage(lines);
        (self.parent_speed, self.deciding) = (None, Some(speed));
        if let Some(net) = &self.nets[speed as usize] {
            self.parent.fill(net, &self.biases[speed as usize], &features(board, to_go));
            self.parent_speed = Some(speed);
        }
    }

    #[inline]
    fn rate(&mut self, child: &Child) -> Worth {
        self.rate_with_odds(child).0
    }

    fn odds(&self) -> &[Worth] {
        &self.odds
    }

    fn stake(&self) -> f32 {
        self.deciding.map_or(0.0, |speed| self.stake_at(speed))
    }

    fn rate_all(&mut self, children: &[Child], worths: &mut Vec<Worth>) {
        worths.clear();
        let mut odds = std::mem::take(&mut self.odds);
        odds.clear();
        self.rate_each(children, worths, &mut odds);
        self.odds = odds;
    }
}

impl NetEvaluator {
    /// Returns what a board is worth, and the odds of reaching the end of the speed.
    pub(crate) fn rate_with_odds(&self, child: &Child) -> (Worth, f32) {
        let points = self.of_lock(child);
        let (speed, to_go) = self.stage(child.lines);
        if child.lines >= self.format.lines {
            return ([points + self.stake(); 8], 1.0);
        }
        // A board of the next speed has reached the end of this one, whatever is known of it.
        let within = self.deciding.is_none_or(|deciding| deciding == speed);
        let Some(net) = &self.nets[speed as usize] else {
            return if within { ([points; 8], 0.0) } else { ([points + self.stake(); 8], 1.0) };
        };
        let cost = if self.deciding == Some(speed) { self.cost(&child.board) } else { 0.0 };
        let shares = if self.parent_speed == Some(speed) {
            shares_beside(net, &self.parent, &child.board, to_go)
        } else {
            net.shares_by(&self.biases[speed as usize], &features(&child.board, to_go))
        };
        let counted = self.deciding.map_or(1.0, |deciding| self.counted(deciding, speed));
        let scale = counted * self.scale(speed, to_go);
        let odds = if within { shares[ALIVE] } else { 1.0 };
        let sure = points - cost + self.stake() * odds;
        (shares.map(|share| sure + scale * share), odds)
    }

    fn rate_each(&self, children: &[Child], worths: &mut Vec<Worth>, odds: &mut Vec<Worth>) {
        let one = |child: &Child, worths: &mut Vec<Worth>, odds: &mut Vec<Worth>| {
            let (worth, alive) = self.rate_with_odds(child);
            worths.push(worth);
            odds.push([alive; LANES]);
        };
        let net = self.parent_speed.and_then(|speed| Some((speed, self.nets[speed as usize].clone()?)));
        let Some((speed, net)) = net else {
            for child in children {
                one(child, worths, odds);
            }
            return;
        };
        let (end, stake) = (speed.end(self.format.lines), self.stake());
        for children in children.chunks(FOUR) {
            if children.iter().any(|child| child.lines >= end) {
                for child in children {
                    one(child, worths, odds);
                }
                continue;
            }
            // A last row of fewer is filled up with the first.
            let child = |number: usize| children.get(number).unwrap_or(&children[0]);
            let boards = std::array::from_fn(|number| (&child(number).board, end - child(number).lines));
            let shares = shares_of_four(&net, &self.parent, boards);
            for (child, shares) in children.iter().zip(shares) {
                let points = self.of_lock(child);
                let scale = self.scale(speed, end - child.lines);
                let sure = points - self.cost(&child.board) + stake * shares[ALIVE];
                worths.push(shares.map(|share| sure + scale * share));
                odds.push([shares[ALIVE]; LANES]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tetris::{Orientation, Piece, Placement};

    #[test]
    fn of_what_comes_after_a_slow_speed_a_share_counts() {
        let format = Format::HEADLINE;
        let nets =
            Speed::ALL.map(|speed| Some(Arc::new(Net::random(Outputs::usual(speed), speed as u64 + 1))));
        let mut evaluator = NetEvaluator::new(&format, nets);
        let board = Playfield::EMPTY;
        let place = Placement { orientation: Orientation::spawn(Piece::T), x: 4, y: 18 };
        let mut rate = |from: Option<u32>, cleared: u32, lines: u32| {
            evaluator.deciding = None;
            if let Some(from) = from {
                evaluator.begin(&board, from);
            }
            evaluator.rate(&Child { board, place, cleared, lines })[0]
        };
        for (from, lines, share) in [(129, 130, 0.1), (229, 230, 0.25), (329, 330, 1.0)] {
            let of_lock = points(1, lines) as f32;
            let (later, counted) = (rate(None, 1, lines) - of_lock, rate(Some(from), 1, lines) - of_lock);
            assert!(later > 0.0 && (counted / later - share).abs() < 1e-3, "{from}: {counted} of {later}");
            // Within a speed nothing is left out.
            assert!((rate(Some(lines), 0, lines) - later).abs() < 1.0, "{lines}");
        }
    }

    #[test]
    fn with_a_bonus_a_tetris_weighs_more_and_what_is_shown_are_points() {
        let format = Format::HEADLINE;
        let with = |bonus: f32| {
            let mut nets = Nets::default();
            for speed in [Speed::L18, Speed::L19] {
                nets[speed as usize] =
                    Some(Arc::new(Net::random(Outputs { bonus, ..Outputs::usual(speed) }, speed as u64 + 1)));
            }
            NetEvaluator::new(&format, nets)
        };
        let board = Playfield::EMPTY;
        let place = Placement { orientation: Orientation::spawn(Piece::T), x: 4, y: 18 };
        let rate = |mut evaluator: NetEvaluator, from: u32, cleared: u32| {
            evaluator.begin(&board, from);
            evaluator.rate(&Child { board, place, cleared, lines: from + cleared })[0]
        };
        let near = |found: f32, expected: f32| (found - expected).abs() < 1.0;
        for (cleared, extra) in [(0, 0.0), (1, 0.0), (4, 3.0)] {
            let points = points(cleared, cleared) as f32;
            let (usual, weighed) = (rate(with(0.0), 0, cleared), rate(with(3.0), 0, cleared));
            assert!(near(weighed, usual + extra * points), "{cleared}: {weighed}, {usual}");
            let shown = rate(with(3.0).in_points(), 0, cleared);
            assert!(near(shown, points + (usual - points) / 4.0), "{cleared}: {shown}, {usual}");
        }
        // What comes at the next speed counts in points.
        let points = points(1, 130) as f32;
        let (usual, weighed) = (rate(with(0.0), 129, 1), rate(with(3.0), 129, 1));
        assert!(near(weighed, points + (usual - points) / 4.0), "{weighed}, {usual}");
    }

    #[test]
    fn a_net_for_other_hands_is_asked_in_their_formats_alone() {
        let usual = Outputs::usual(Speed::L19);
        let net = |seed, formats: &[&str]| {
            let formats: Vec<Format> = formats.iter().map(|name| name.parse().unwrap()).collect();
            let mut net = Net::random(usual, seed);
            net.taps = crate::file::taps(&formats);
            (net, Speed::L19)
        };
        let fast = || net(1, &["bt-30hz-18f", "bt-24hz-0f"]);
        let slow = || net(2, &["bt-15hz-18f", "bt-10hz-18f"]);
        for nets in [[fast(), slow()], [slow(), fast()]] {
            let nets = assemble(nets).unwrap();
            assert!(nets.iter().map(Option::is_some).eq([false, true, false, false]));
            for (name, seed) in [
                ("bt-30hz-61f", 1),
                ("bt-24hz-18f", 1),
                ("bt-20hz-18f", 1),
                ("bt-slow5-18f", 2),
                ("bt-15hz-0f-cartridge", 2),
                ("bt-12hz-18f", 2),
                ("bt-X......-18f", 2),
            ] {
                let evaluator = NetEvaluator::new(&name.parse().unwrap(), nets.clone());
                let asked = evaluator.nets[1].as_ref().unwrap();
                assert!(asked.first == Net::random(usual, seed).first, "{name}");
            }
        }
        // One by one it is the same, and one that comes again takes the other's place.
        let mut one_by_one = Nets::default();
        for (net, speed) in [slow(), fast(), net(3, &["bt-15hz-18f", "bt-10hz-18f"]), slow()] {
            one_by_one = with_net(one_by_one, net, speed);
        }
        assert!(one_by_one == assemble([fast(), slow()]).unwrap());
        assert_eq!(assemble([fast(), net(3, &["bt-24hz-18f"])]).unwrap_err(), Speed::L19);
        assert!(assemble([]).unwrap().iter().all(Option::is_none));
    }

    #[test]
    fn a_net_that_knows_rows_from_below_is_asked_in_duels_and_nowhere_else() {
        let format = Format::HEADLINE;
        let net = |seed, for_duels| {
            let mut net = Net::random(Outputs::usual(Speed::L18), seed);
            net.for_duels = for_duels;
            (net, Speed::L18)
        };
        let asked =
            |nets: &Nets| NetEvaluator::new(&format, nets.clone()).nets[0].as_ref().unwrap().first.clone();
        let first = |seed| net(seed, false).0.first;
        for both in [[net(1, false), net(2, true)], [net(2, true), net(1, false)]] {
            let nets = assemble(both).unwrap();
            assert!(asked(&nets) == first(1));
            assert!(asked(&for_duels(&nets)) == first(2));
            // One that comes later takes the place of the one of its kind.
            let nets = with_net(nets, net(3, true).0, Speed::L18);
            assert!(asked(&nets) == first(1) && asked(&for_duels(&nets)) == first(3));
        }
        let alone = assemble([net(1, false)]).unwrap();
        assert!(for_duels(&alone) == alone);
        assert_eq!(assemble([net(1, true), net(2, true)]).unwrap_err(), Speed::L18);
        // Its file says so.
        let plan = crate::Plan { garbage: 0.2, ..crate::Plan::new(format, Speed::L18, 1) };
        let provenance = crate::Learner::new(plan).provenance("");
        let (read, _) = Net::from_bytes(&net(2, false).0.to_small_bytes(&provenance)).unwrap();
        assert!(read.for_duels);
    }
}
