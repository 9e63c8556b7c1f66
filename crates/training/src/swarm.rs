//! Particle swarm optimisation.

use serde::{Deserialize, Serialize};
use tetris::SplitMix64;

use crate::Vector;
use crate::random;

/// Weight of a particle's velocity: 1 / (2 ln 2), as in the standard swarm (Clerc, SPSO 2011).
const INERTIA: f64 = 0.5 * std::f64::consts::LOG2_E;
/// Weights of a particle's own best place and of the swarm's: 1/2 + ln 2, of the same source.
const ATTRACTION: f64 = 0.5 + std::f64::consts::LN_2;

/// Particles that are drawn to the best places that they and the whole swarm have found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Swarm {
    chance: SplitMix64,
    places: Vec<Vector>,
    velocities: Vec<Vector>,
    /// By particle, the best place and its fitness.
    own: Vec<Option<(Vector, f64)>>,
}

impl Swarm {
    /// Particles at random places of the cube from -1 to 1.
    pub(crate) fn new(particles: usize, seed: u64) -> Self {
        let mut chance = random::sequence(seed);
        let places: Vec<_> = (0..particles).map(|_| random::cube(&mut chance)).collect();
        // Half the way to another random place.
        let velocities = places
            .iter()
            .map(|place| {
                let other: Vector = random::cube(&mut chance);
                std::array::from_fn(|at| 0.5 * (other[at] - place[at]))
            })
            .collect();
        Self { chance, velocities, own: vec![None; places.len()], places }
    }

    pub(crate) fn candidates(&self) -> &[Vector] {
        &self.places
    }

    /// The best place so far, and its fitness.
    pub(crate) fn best(&self) -> Option<(Vector, f64)> {
        self.own.iter().flatten().copied().reduce(|best, own| if own.1 > best.1 { own } else { best })
    }

    /// Moves every particle, given the fitness of each; higher is better.
    pub(crate) fn tell(&mut self, fitness: &[f64]) {
        for ((own, place), &fitness) in self.own.iter_mut().zip(&self.places).zip(fitness) {
            if own.is_none_or(|(_, best)| fitness > best) {
                *own = Some((*place, fitness));
            }
        }
        let Some((leader, _)) = self.best() else { return };
        for ((place, velocity), own) in self.places.iter_mut().zip(&mut self.velocities).zip(&self.own) {
            let own = own.map_or(*place, |(own, _)| own);
            for at in 0..place.len() {
                velocity[at] = INERTIA * velocity[at]
                    + ATTRACTION * self.chance.fraction() * (own[at] - place[at])
                    + ATTRACTION * self.chance.fraction() * (leader[at] - place[at]);
                place[at] += velocity[at];
            }
        }
    }
}
