//! The randomizers beside the article's programs and figures. One binary, because each costs its
//! build.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test reads its files")]

mod figures;
mod golden;
mod seeds;
mod states;
