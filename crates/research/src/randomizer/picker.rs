//! The picker of NES Tetris: the article's table of its bias, and the probabilities that follow.

use randomizers::nes::{SPAWN_ORIENTATIONS, article_probabilities, bias_counts, bias_table};
use randomizers::{Kind, Summary};
use serde::Serialize;
use tetris::Piece;

use super::table::{Table, percent};

/// What is known of the picker's bias. Arrays of seven are in the game's order, T J Z O S L I.
#[derive(Serialize)]
pub(crate) struct Picker {
    /// Letters by the three random bits and the prior piece.
    bias: [String; 8],
    /// How often each piece is in it, of 56.
    counts: [u32; 7],
    /// The article's probabilities.
    article: [f64; 7],
    /// With independent rolls, and the prior piece as it comes.
    independent: [f64; 7],
    /// As the game picks.
    game: Option<[f64; 7]>,
}

impl Picker {
    pub(crate) fn new() -> Self {
        Self {
            bias: bias_table().map(|row| row.iter().map(|piece| piece.letter()).collect()),
            counts: bias_counts(),
            article: article_probabilities(),
            independent: Kind::independent_rolls().frequency(),
            game: Kind::Nes.chain().map(|chain| chain.frequency()),
        }
    }

    /// Two tables: the biased path, and what comes of it beside what was measured.
    pub(crate) fn text(&self, measured: &Summary) -> String {
        let mut bias = Table::default();
        let orientations = SPAWN_ORIENTATIONS[..7].iter().map(|orientation| format!("${orientation:02X}"));
        bias.row(std::iter::once("second roll: bits \\ prior".to_owned()).chain(orientations));
        for (bits, row) in self.bias.iter().enumerate() {
            bias.row(std::iter::once(bits.to_string()).chain(row.chars().map(String::from)));
        }
        let mut shares = Table::default();
        shares.row(["picks, %", "of 56", "the article", "independent rolls", "the game", "measured"]);
        for (number, piece) in Piece::ALL.into_iter().enumerate() {
            shares.row([
                piece.to_string(),
                self.counts[number].to_string(),
                percent(self.article[number]),
                percent(self.independent[number]),
                self.game.map_or_else(String::new, |game| percent(game[number])),
                percent(measured.frequency[number].value),
            ]);
        }
        format!("{}\n{}", bias.text(), shares.text())
    }
}
