//! NES Tetris as a library: what the game is, without the machine that runs it.
//!
//! The crate ends where memory ends: it takes bytes of RAM and buttons, never a console, a file or a
//! clock. So the same types serve a running console, a movie, a saved state and the model in Rust.
//!
//! ```
//! use tetris::Piece;
//!
//! let order: String = Piece::ALL.iter().map(|piece| piece.letter()).collect();
//! assert_eq!(order, "TJZOSLI");
//! assert_eq!(Piece::from_letter('z'), Some(Piece::Z));
//! ```

mod piece;

pub use piece::Piece;
