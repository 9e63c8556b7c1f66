//! The searches beside the records of the article's program, and beside each other. One binary,
//! because each costs its build.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test reads its files")]

mod golden;
mod oracle;
mod timed;
