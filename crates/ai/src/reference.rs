//! The definition of the search: one state after the other, in the article's order, to be read
//! beside it.
//!
//! `tests/it/golden.rs` compares it with the records of the article's own program; every faster
//! search is measured by it.

mod search;
mod walk;

pub use search::{Choice, SearchResult, search};
pub use walk::Walk;
