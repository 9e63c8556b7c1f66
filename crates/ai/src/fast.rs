//! The fast search: whole sets of states as bitboards, many boards side by side in the lanes of a
//! vector.
//!
//! [`crate::reference`] is the definition. `tests/it/golden.rs` and `tests/it/oracle.rs` show that
//! both decide the same, to the last bit of the fitness: on the records of the article's program,
//! and on any board with any filter. The one policy that the definition does not have is
//! [`crate::Evaluator::Stacking`], which looks further ahead.

mod bits;
mod leaf_batch;
mod reachable;
mod reachable_lanes;
mod searcher;
mod stacking;
mod vectors;

pub use reachable::locks;
pub use searcher::{Decision, Searcher};
