//! A randomizer as a Markov chain, and what follows from it exactly.

use std::collections::HashMap;
use std::hash::Hash;

use tetris::Piece;

/// A randomizer whose generator is perfect: states, and in each the probability of every piece and
/// where it leads.
///
/// The state follows from the pieces dealt, so that the entropy of the deal is the entropy of the
/// pieces given the state. All values hold for a game that goes on for ever, [`Self::first`] for
/// its first piece.
#[derive(Clone, Debug)]
pub struct Chain {
    /// Probability and next state by piece number; the first row is the start of a game.
    rows: Vec<[(f64, u32); 7]>,
    /// Share of time in each state.
    stationary: Vec<f64>,
}

/// Distance between two steps at which the share of time in each state counts as settled.
const SETTLED: f64 = 1e-14;

impl Chain {
    /// The chain of the states that the start leads to.
    pub(crate) fn explore<S: Clone + Eq + Hash>(start: S, row: impl Fn(&S, Piece) -> (f64, S)) -> Self {
        let mut numbers = HashMap::from([(start.clone(), 0)]);
        let mut states = vec![start];
        let mut rows = Vec::new();
        while rows.len() < states.len() {
            let state = states[rows.len()].clone();
            rows.push(Piece::ALL.map(|piece| {
                let (probability, next) = row(&state, piece);
                if probability == 0.0 {
                    return (0.0, 0);
                }
                let number = *numbers.entry(next.clone()).or_insert_with(|| {
                    states.push(next);
                    states.len() as u32 - 1
                });
                (probability, number)
            }));
        }
        let mut chain = Self { stationary: vec![0.0; rows.len()], rows };
        chain.stationary[0] = 1.0;
        loop {
            // Half a step each time: bags go round in circles, and a whole step would never settle.
            let mut next = chain.after(&chain.stationary, |_| true);
            let mut distance = 0.0;
            for (share, next) in chain.stationary.iter().zip(&mut next) {
                *next = f64::midpoint(*share, *next);
                distance += (*next - share).abs();
            }
            chain.stationary = next;
            if distance < SETTLED {
                return chain;
            }
        }
    }

    /// Where the weights go in one step in which only these pieces are dealt.
    fn after(&self, weights: &[f64], dealt: impl Fn(Piece) -> bool) -> Vec<f64> {
        let mut next = vec![0.0; self.rows.len()];
        for (&weight, row) in weights.iter().zip(&self.rows) {
            if weight > 0.0 {
                for (&(probability, state), piece) in row.iter().zip(Piece::ALL) {
                    if dealt(piece) {
                        next[state as usize] += weight * probability;
                    }
                }
            }
        }
        next
    }

    /// Probability of each piece to be the first, in the game's order.
    pub fn first(&self) -> [f64; 7] {
        self.rows[0].map(|(probability, _)| probability)
    }

    /// Share of each piece, in the game's order.
    pub fn frequency(&self) -> [f64; 7] {
        self.pieces(&self.stationary)
    }

    fn pieces(&self, weights: &[f64]) -> [f64; 7] {
        let mut shares = [0.0; 7];
        for (weight, row) in weights.iter().zip(&self.rows) {
            for (share, (probability, _)) in shares.iter_mut().zip(row) {
                *share += weight * probability;
            }
        }
        shares
    }

    /// Probability of each piece after each, in the game's order: rows by the earlier piece.
    pub fn followers(&self) -> [[f64; 7]; 7] {
        Piece::ALL.map(|earlier| {
            let after = self.after(&self.stationary, |piece| piece == earlier);
            let total: f64 = after.iter().sum();
            self.pieces(&after).map(|share| share / total)
        })
    }

    /// Probability that a piece is the one before it again.
    pub fn repeat(&self) -> f64 {
        let frequency = self.frequency();
        self.followers().iter().enumerate().map(|(number, row)| frequency[number] * row[number]).sum()
    }

    /// Bits that each piece tells to one who knows everything before it.
    pub fn entropy_rate(&self) -> f64 {
        let bits =
            self.rows.iter().map(|row| row.iter().map(|&(probability, _)| surprise(probability)).sum());
        self.stationary.iter().zip(bits).map(|(share, bits): (_, f64)| share * bits).sum()
    }

    /// Bits that each piece tells to one who knows so many before it. The work grows sevenfold with
    /// each.
    pub fn conditional_entropy(&self, known: u32) -> f64 {
        let mut entropy = 0.0;
        let mut before = vec![self.stationary.clone()];
        for _ in 0..known {
            before = before
                .iter()
                .flat_map(|weights| Piece::ALL.map(|dealt| self.after(weights, |piece| piece == dealt)))
                .filter(|weights| weights.iter().any(|&weight| weight > 0.0))
                .collect();
        }
        for weights in before {
            let total: f64 = weights.iter().sum();
            entropy += self.pieces(&weights).map(|share| total * surprise(share / total)).iter().sum::<f64>();
        }
        entropy
    }

    /// Probability that at least so many other pieces come between two of this one, for 0 up to
    /// `longest`.
    pub fn droughts(&self, of: Piece, longest: usize) -> Vec<f64> {
        let after = self.after(&self.stationary, |piece| piece == of);
        self.survival(after, |piece| piece != of, longest)
    }

    /// Probability that a run of equal pieces has more than so many, for 0 up to `longest`, over
    /// all runs.
    pub fn floods(&self, longest: usize) -> Vec<f64> {
        let mut tail = vec![0.0; longest + 1];
        let mut runs = 0.0;
        for of in Piece::ALL {
            let before = self.after(&self.stationary, |piece| piece != of);
            let begun = self.after(&before, |piece| piece == of);
            let share: f64 = begun.iter().sum();
            runs += share;
            tail[0] += share;
            for (total, more) in
                tail[1..].iter_mut().zip(&self.survival(begun, |piece| piece == of, longest)[1..])
            {
                *total += share * more;
            }
        }
        tail.iter().map(|share| share / runs).collect()
    }

    /// Share of the weights that is left after 0, 1, 2 … steps in which only these pieces are
    /// dealt.
    fn survival(&self, mut weights: Vec<f64>, dealt: impl Fn(Piece) -> bool, steps: usize) -> Vec<f64> {
        let begun: f64 = weights.iter().sum();
        let mut left = vec![1.0];
        for _ in 0..steps {
            weights = self.after(&weights, &dealt);
            left.push(weights.iter().sum::<f64>() / begun);
        }
        left
    }
}

/// A probability's part of an entropy, in bits.
fn surprise(probability: f64) -> f64 {
    if probability > 0.0 { -probability * probability.log2() } else { 0.0 }
}
