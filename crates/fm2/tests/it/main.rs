//! Movies as FCEUX writes and reads them.

mod movies;
