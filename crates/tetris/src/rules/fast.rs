//! Shortcuts of the rules, as most frames of a game take them. `fast/tests.rs` compares each with
//! its definition, state for state.

mod frame;
mod outline;
#[cfg(test)]
mod tests;
