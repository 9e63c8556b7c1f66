//! The commands of `maxout` for research: `ai`, `tetris` and `randomizer`.
//!
//! Their options may change with any version (docs/stability.md).

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

pub mod ai;
pub mod answers;
pub mod randomizer;
pub mod tetris;
