//! How strong the computer is, as arguments.

use std::path::PathBuf;

use cli::unexpected::Unexpected;
#[cfg(feature = "window")]
use desktop::{ComputerStyle, TetrisSettings};
use value::Taps;

/// How strong the computer is. With any of these but --best-of it plays for points, with the hands
/// of a person; all but --net and --thoughts take --versus.
#[derive(clap::Args)]
#[command(next_help_heading = "Opponent")]
#[cfg_attr(not(feature = "window"), allow(dead_code, reason = "the window takes it"))]
pub(super) struct Opponent {
    /// Taps a second: 10, 12, 15, 20, 24 or 30 [default: the settings', 30].
    #[arg(long, value_name = "HZ", requires = "versus", value_parser = taps)]
    taps: Option<u8>,
    /// Frames until it acts on the next piece, 0 to 60 [default: the settings', 18].
    #[arg(long, value_name = "FRAMES", requires = "versus", value_parser = clap::value_parser!(u8).range(0..=60))]
    reaction: Option<u8>,
    /// Percent of its pieces that end one column short: one number for pieces that travel five
    /// columns (others in proportion), or six, for 0 to 5 columns of travel [default: the
    /// settings', 0].
    #[arg(long, value_name = "TABLE", requires = "versus", value_parser = misdrops)]
    misdrops: Option<[u8; 6]>,
    /// How much it waits for tetrises, in percent. 0: it clears whatever it can [default: the
    /// settings', 100].
    #[arg(long, value_name = "PERCENT", requires = "versus", value_parser = clap::value_parser!(u8).range(0..=100))]
    aggression: Option<u8>,
    /// Games in a match, 1 to 9; more than half win it [default: the settings', 1].
    #[arg(long, value_name = "GAMES", requires = "versus", value_parser = clap::value_parser!(u8).range(1..=9))]
    best_of: Option<u8>,
    /// Networks of the computer player and of the coach: a file, once for each speed, or a folder
    /// [default: the settings', or the built-in ones].
    #[arg(long = "net", value_name = "FILE|FOLDER")]
    pub(super) nets: Vec<PathBuf>,
    /// Show the places that it weighs, what they are worth, in points where nets say so, and where
    /// it goes by the next piece, against you or alone (C).
    #[arg(long)]
    thoughts: bool,
}

/// Reads a number of taps a second.
pub(crate) fn taps(text: &str) -> Result<u8, Unexpected> {
    let known = text.parse().ok().filter(|hertz| Taps::HERTZ.contains(hertz));
    known.ok_or(Unexpected::new("10, 12, 15, 20, 24 or 30 taps a second"))
}

fn misdrops(text: &str) -> Result<[u8; 6], Unexpected> {
    let percent = |word: &str| word.trim().parse::<u8>().ok().filter(|percent| *percent <= 100);
    let table: Option<Vec<u8>> = text.split(',').map(percent).collect();
    match table.as_deref() {
        Some(&[most]) => Ok(std::array::from_fn(|columns| (usize::from(most) * columns / 5) as u8)),
        Some(&[zero, one, two, three, four, five]) => Ok([zero, one, two, three, four, five]),
        _ => Err(Unexpected::new("a percentage, 0 to 100, or six with commas between them, as 0,1,2,4,8,12")),
    }
}

#[cfg(feature = "window")]
impl Opponent {
    /// Sets the computer as the command line has it.
    pub(super) fn apply(&self, tetris: &mut TetrisSettings) {
        let Self { taps, reaction, misdrops, aggression, best_of, ref nets, thoughts } = *self;
        let hands = taps.is_some() || reaction.is_some() || misdrops.is_some() || aggression.is_some();
        if hands || thoughts || !nets.is_empty() {
            tetris.computer = ComputerStyle::Points;
        }
        tetris.computer_taps = taps.unwrap_or(tetris.computer_taps);
        tetris.computer_reaction = reaction.unwrap_or(tetris.computer_reaction);
        tetris.computer_misdrops = misdrops.unwrap_or(tetris.computer_misdrops);
        tetris.computer_aggression = aggression.unwrap_or(tetris.computer_aggression);
        tetris.match_best_of = best_of.unwrap_or(tetris.match_best_of);
        tetris.thoughts |= thoughts;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misdrops_are_a_number_or_six() {
        assert_eq!(misdrops("10"), Ok([0, 2, 4, 6, 8, 10]));
        assert_eq!(misdrops("0, 1,2,4,8,100"), Ok([0, 1, 2, 4, 8, 100]));
        for text in ["", "101", "1,2", "1,2,3,4,5,6,7", "-1", "x"] {
            assert!(misdrops(text).unwrap_err().to_string().contains("0 to 100"), "{text}");
        }
        assert_eq!(taps("24"), Ok(24));
        assert!(taps("25").unwrap_err().to_string().contains("24 or 30"));
    }
}
