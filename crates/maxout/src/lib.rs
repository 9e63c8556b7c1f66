//! What of the command line is tested from outside: the answers of `maxout ai serve`, which any
//! program and any page on this machine may ask for, and what they say of a text that is not
//! understood. Everything else is the binary's own.

pub mod answers;
pub mod unexpected;
