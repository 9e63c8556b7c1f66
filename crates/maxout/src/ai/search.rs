//! `maxout ai search`: positions in, moves out, a line each.

use std::io::{BufRead, Read, Write, stdin, stdout};

use ::ai::{Answer, Board, Evaluator, Filter, answer};
use serde::Deserialize;
use serde::de::{Error as _, Unexpected};
use tetris::Piece;

use super::AiError;
use crate::error::Error;

/// Read positions, one JSON object a line, and answer each with the best move.
///
/// Every placement of the known pieces is searched, slides and spins included, without gravity; the best move is the
/// one whose best board has the lowest fitness, and of equals the first found.
#[derive(clap::Args)]
#[command(after_help = "\
A position:  {\"rows\": [20 numbers from the top, lowest bit leftmost], \"cur\": 4, \"next\": 6}
             T J Z O S L I are 0 to 6. Without \"next\" one piece is searched; \"then\": [0, 3] adds more.
An answer:   n_locks, locks [[x, y, orientation], …] in the order of the search, n_evals, and result: null where a
             piece has no room to spawn, or x, y, orient, fitness, lines, lock_height, wells, holes, col_trans,
             row_trans, second, tie_leaves, tie_first, path_len.

Examples:
  maxout ai search < positions.jsonl
  maxout ai search --filter well --json < positions.jsonl > moves.jsonl")]
pub(crate) struct Arguments {
    /// Places that the search may not visit: none; well, which keeps the rightmost column free for the I; pattern:FILE.png, a
    /// picture of 10 by 20 pixels to be laid from the bottom up; or several with + between them.
    #[arg(long, value_name = "FILTER", default_value_t, value_parser = super::choices::filter)]
    filter: Filter,
    /// How boards are rated: article, el-tetris, dellacherie, hunter, or a TOML file of measures and weights.
    #[arg(long, value_name = "EVALUATOR", default_value_t, value_parser = super::choices::evaluator)]
    evaluator: Evaluator,
    /// Print one JSON object a position instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Deserialize)]
struct Position {
    rows: Board,
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

/// Bytes of one position; a generous one takes a few hundred.
const LINE_LIMIT: u64 = 1 << 16;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let mut input = stdin().lock();
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let mut limited = input.by_ref().take(LINE_LIMIT);
        limited.read_until(b'\n', &mut bytes).map_err(AiError::Input)?;
        if bytes.is_empty() {
            break;
        }
        if bytes.len() as u64 == LINE_LIMIT && bytes.last() != Some(&b'\n') {
            return Err(AiError::LongLine { line, limit: LINE_LIMIT }.into());
        }
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let position: Position =
            serde_json::from_slice(&bytes).map_err(|source| AiError::Position { line, source })?;
        let pieces = position.pieces();
        let answer = answer(&position.rows, &pieces, &arguments.evaluator, &arguments.filter);
        // A line at a time, so that a program at the other end of two pipes can wait for it.
        let mut out = stdout().lock();
        if arguments.json {
            serde_json::to_writer(&mut out, &answer).map_err(|error| Error::Output(error.into()))?;
            writeln!(out)
        } else {
            writeln!(out, "{}", text(&pieces, &answer))
        }
        .map_err(Error::Output)?;
    }
    Ok(())
}

fn text(pieces: &[Piece], answer: &Answer) -> String {
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
