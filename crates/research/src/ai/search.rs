//! `maxout ai search`: positions in, moves out, a line each.

use ::ai::SearchResult;
use serde::Deserialize;
use serde::de::{Error as _, Unexpected};
use tetris::{Piece, Playfield};

use super::choices::PlayerChoice;
use super::{AiError, lines};
use cli::error::Error;
use cli::output;

/// Read positions, one JSON object per line, and print the best move for each.
///
/// Every placement of the known pieces is searched, slides and spins included, without gravity; the
/// best move is the one whose best board has the lowest fitness, and of equals the first found.
#[derive(clap::Args)]
#[command(after_help = "\
A position:
  {\"rows\": [20 numbers from the top, lowest bit leftmost], \"cur\": 4, \"next\": 6}

T J Z O S L I are 0 to 6. Without \"next\" one piece is searched; \"then\": [0, 3] adds more.

An answer has n_locks, locks [[x, y, orientation], …] in the order of the search, n_evals, and result. The result is null if a
piece has no room to spawn. Otherwise it has x, y, orient, fitness, lines, lock_height, wells, holes, col_trans, row_trans,
second, tie_leaves, tie_first and path_len.

Examples:
  maxout ai search < positions.jsonl
  maxout ai search --filter well --json < positions.jsonl > moves.jsonl")]
pub(crate) struct Arguments {
    #[command(flatten)]
    player: PlayerChoice,
    /// Print one JSON object a position instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Deserialize)]
struct Position {
    rows: Playfield,
    #[serde(deserialize_with = "piece")]
    cur: Piece,
    #[serde(default, deserialize_with = "some_piece")]
    next: Option<Piece>,
    #[serde(default)]
    then: Vec<Number>,
}

/// A piece by its number.
#[derive(Deserialize)]
struct Number(#[serde(deserialize_with = "piece")] Piece);

fn piece<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Piece, D::Error> {
    let number = u8::deserialize(deserializer)?;
    Piece::from_number(number)
        .ok_or_else(|| D::Error::invalid_value(Unexpected::Unsigned(number.into()), &"a piece from 0 to 6"))
}

fn some_piece<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Piece>, D::Error> {
    Ok(Option::<Number>::deserialize(deserializer)?.map(|number| number.0))
}

impl Position {
    fn pieces(&self) -> Vec<Piece> {
        let later = self.then.iter().map(|number| number.0);
        std::iter::once(self.cur).chain(self.next).chain(later).collect()
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let PlayerChoice { evaluator, filter } = &arguments.player;
    lines::each(|line, bytes| {
        let position: Position =
            serde_json::from_slice(bytes).map_err(|source| AiError::Position { line, source })?;
        let pieces = position.pieces();
        let answer = ::ai::search(&position.rows, &pieces, evaluator, filter);
        // A line at a time, so that a program at the other end of two pipes can wait for it.
        output::print(&answer, arguments.json, |out| writeln!(out, "{}", text(&pieces, &answer)))
    })
}

fn text(pieces: &[Piece], answer: &SearchResult) -> String {
    let letters: String = pieces.iter().map(|piece| piece.letter()).collect();
    let counts = format!("{} places, {} boards", answer.n_locks, answer.n_evals);
    match &answer.result {
        Some(best) => format!(
            "{letters}: column {}, row {}, orientation {}, {} moves; fitness {}; {counts}",
            best.x, best.y, best.orient, best.path_len, best.fitness
        ),
        None => format!("{letters}: no room to spawn; {counts}"),
    }
}
