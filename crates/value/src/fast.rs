//! Shortcuts, each beside the test that proves it equal to its definition.

pub(crate) mod sweep;
pub(crate) mod walk;
