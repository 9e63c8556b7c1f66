//! Networks at the levels that have one, weights at the others.

use tetris::{Piece, Playfield};

use crate::decide::{Child, Evaluator, Worth};
use crate::evaluator::{NetEvaluator, Nets};
use crate::format::{Format, Speed};
use crate::linear::Linear;
use crate::outputs::CAUTION;
use crate::search::{Candidates, Search};
use crate::weight_search::WeightSearch;

/// How a player evaluates by nets, and by weights at the speeds that have none.
#[derive(Clone, Debug)]
pub struct NetMind {
    /// By speed.
    pub nets: Nets,
    /// The weights.
    pub linear: Linear,
    /// For each next piece that is looked at, by speed, the number of boards for which it is; 0
    /// where it is not.
    pub breadths: Vec<[usize; 4]>,
    /// The number of boards that are evaluated more than two pieces deep, the best by two pieces;
    /// all of them if it is 0.
    pub narrow: usize,
    /// The number of boards that the networks evaluate, the best by the weights; all of them if it
    /// is 0.
    pub guided: usize,
    /// How much the odds of surviving a slow speed count, see [`NetEvaluator::with_caution`].
    pub caution: f32,
    /// Points added to each row of a clear that is no tetris; 0 to score the most.
    pub clearing: f32,
}

impl NetMind {
    /// Nets that are asked about every board of a piece.
    pub const fn new(nets: Nets, linear: Linear) -> Self {
        Self { nets, linear, breadths: Vec::new(), narrow: 0, guided: 0, caution: CAUTION, clearing: 0.0 }
    }
}

/// Returns the same breadths at every speed, or others from one on.
pub fn breadths_by_speed(breadths: &[usize], deeper: Option<(Speed, &[usize])>) -> Vec<[usize; 4]> {
    let most = deeper.map_or(0, |(_, deeper)| deeper.len()).max(breadths.len());
    let at = |speed: usize, piece: usize| {
        let deeper = deeper.filter(|(from, _)| speed >= *from as usize);
        deeper.map_or(breadths, |(_, deeper)| deeper).get(piece).copied().unwrap_or(0)
    };
    (0..most).map(|piece| std::array::from_fn(|speed| at(speed, piece))).collect()
}

/// A search by nets at the speeds that have one, by weights at the others.
#[derive(Clone, Debug)]
pub(crate) struct ByLevel {
    has_net: [bool; 4],
    nets: Option<Box<Search>>,
    weights: WeightSearch,
    /// Whether the search by networks makes the decision under way.
    by_nets: bool,
    /// What its values are multiplied by, so that they are about points. Decisions are the same.
    unit: f32,
}

impl ByLevel {
    /// Weights at all speeds.
    pub(crate) const fn weights(weights: WeightSearch) -> Self {
        Self { has_net: [false; 4], nets: None, weights, by_nets: false, unit: 1.0 }
    }

    /// Nets for games of a format.
    pub(crate) fn nets(format: &Format, mind: NetMind) -> Self {
        let NetMind { nets, linear, breadths, narrow, guided, caution, clearing } = mind;
        let to_nets = &format.to_nets();
        let has_net = std::array::from_fn(|speed| nets[speed].is_some());
        let evaluator = NetEvaluator::new(to_nets, nets).with_caution(caution).with_clearing(clearing);
        let candidates = Candidates::best(linear.clone(), guided);
        let search = Search::new(to_nets, evaluator, candidates, &breadths, narrow);
        let breadths: Vec<usize> = breadths.iter().map(|by_speed| by_speed[0]).collect();
        let weights = WeightSearch::new(format, linear, &breadths);
        Self { has_net, nets: Some(Box::new(search)), weights, by_nets: false, unit: 1.0 }
    }

    /// See [`Search::know`]. Weights look at every next piece.
    pub(crate) fn know(&mut self, next: Option<Piece>) {
        if let Some(search) = &mut self.nets {
            search.know(next);
        }
    }

    /// Returns whether a network evaluates boards at this number of lines.
    pub(crate) fn has_net(&self, lines: u32) -> bool {
        self.has_net[Speed::of_lines(lines) as usize]
    }

    fn now(&self) -> &dyn Evaluator {
        match &self.nets {
            Some(search) if self.by_nets => &**search,
            _ => &self.weights,
        }
    }

    fn now_mut(&mut self) -> &mut dyn Evaluator {
        match &mut self.nets {
            Some(search) if self.by_nets => &mut **search,
            _ => &mut self.weights,
        }
    }
}

impl Evaluator for ByLevel {
    fn begin(&mut self, board: &Playfield, lines: u32) {
        self.by_nets = self.has_net(lines);
        let nets = self.nets.as_mut().filter(|_| self.by_nets);
        self.unit = nets.map_or(1.0, |search| {
            let speed = Speed::of_lines(lines);
            search.settle(speed);
            search.unit(speed)
        });
        self.now_mut().begin(board, lines);
    }

    fn rate(&mut self, child: &Child) -> Worth {
        let unit = self.unit;
        self.now_mut().rate(child).map(|worth| unit * worth)
    }

    fn rate_all(&mut self, children: &[Child], worths: &mut Vec<Worth>) {
        self.now_mut().rate_all(children, worths);
    }

    fn look_ahead(&mut self, piece: Piece, premoves: bool, children: &[Child], worths: &mut [Worth]) {
        self.now_mut().look_ahead(piece, premoves, children, worths);
        if self.unit < 1.0 {
            worths.iter_mut().flatten().for_each(|worth| *worth *= self.unit);
        }
    }

    fn lost(&self) -> f32 {
        self.now().lost()
    }

    fn odds(&self) -> &[Worth] {
        self.now().odds()
    }

    fn stake(&self) -> f32 {
        self.unit * self.now().stake()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::Decider;
    use crate::net::Net;
    use crate::outputs::Outputs;
    use std::sync::Arc;

    #[test]
    fn values_of_a_net_with_a_bonus_are_about_points() {
        let format = Format::HEADLINE;
        let decide = |bonus: f32, breadths: &[[usize; 4]]| {
            let mut nets = Nets::default();
            nets[0] = Some(Arc::new(Net::random(Outputs { bonus, ..Outputs::usual(Speed::L18) }, 5)));
            let mind =
                NetMind { breadths: breadths.to_vec(), ..NetMind::new(nets, Linear::built_in(&format)) };
            let mut evaluator = ByLevel::nets(&format, mind);
            Decider::new(&format).decide(&mut evaluator, &Playfield::EMPTY, 0, Piece::T).expect("a place")
        };
        for breadths in [&[][..], &[[3; 4]]] {
            // On an empty board no piece clears four rows, so that nothing else differs.
            let (usual, weighed) = (decide(0.0, breadths), decide(1.0, breadths));
            assert_eq!(weighed.targets, usual.targets, "{breadths:?}");
            assert!((2.0 * weighed.value - usual.value).abs() < 1.0, "{weighed:?}, {usual:?}");
            assert!((2.0 * weighed.points - usual.points).abs() < 1.0, "{weighed:?}, {usual:?}");
        }
    }
}
