//! The built-in cartridge keeps time and score as the game whose facts it takes over.
//!
//! Each test runs the cartridge itself in the console; a field, a piece or a level is set up by
//! poking RAM between two frames. Frames are counted from the first one in which the play runs.

mod lock;
mod movement;
mod pal;
mod random;
mod score;
mod screen;
mod tables;
mod versus;
mod whole_game;
