//! `maxout randomizer deal`: pieces as letters on one line.

use std::io::{BufWriter, Write};

use randomizers::{Dealer, GameOver, Randomizer, Sega};
use serde::Serialize;
use tetris::Piece;

use super::deck::Deck;
use cli::error::Error;
use cli::interrupt::Interrupt;

/// Print the letters of the pieces on one line.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout randomizer deal tgm3 --seed 7 -n 35
  maxout randomizer deal sps --seed 12AB34 -n 200
  maxout randomizer deal tetrio-7bag --seed 1366895827 --no-szo=back -n 14
  maxout randomizer deal sega --seed 0 --game 2 --monkey -n 1000
  maxout randomizer deal nes --seed 5000 -n 10 --json | jq .state > state.json
  maxout randomizer deal --state state.json -n 10")]
pub(crate) struct Arguments {
    #[command(flatten)]
    deck: Deck,
    /// Pieces to deal.
    #[arg(short = 'n', long = "pieces", value_name = "N", default_value_t = 100)]
    pieces: u64,
    /// Print one JSON object: kind, seed, pieces, the state to go on from, and of sega the seeds of
    /// the next game.
    #[arg(long)]
    json: bool,
}

/// What follows the pieces in the JSON object.
#[derive(Serialize)]
struct After<'a> {
    state: &'a Dealer,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_seed: Option<NextSeed>,
}

/// What a game over of Sega's cabinet leaves in memory.
#[derive(Serialize)]
struct NextSeed {
    start: u32,
    monkey: u32,
}

impl NextSeed {
    fn new(sega: &Sega) -> Self {
        Self { start: sega.next_seed(GameOver::Skipped), monkey: sega.next_seed(GameOver::Monkey) }
    }
}

/// Pieces between two looks at whether Ctrl-C was pressed.
const PORTION: u64 = 1 << 16;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let mut dealer = arguments.deck.dealer()?;
    let interrupt = Interrupt::listen();
    let mut out = BufWriter::new(std::io::stdout().lock());
    if arguments.json {
        let kind = text(&dealer.kind())?;
        let seed = text(&arguments.deck.seed())?;
        write!(out, r#"{{"kind":{kind},"seed":{seed},"pieces":""#).map_err(Error::Output)?;
    }
    let mut left = arguments.pieces;
    while left > 0 {
        interrupt.check()?;
        let portion = left.min(PORTION);
        let letters: String = dealer.by_ref().take(portion as usize).map(Piece::letter).collect();
        out.write_all(letters.as_bytes()).map_err(Error::Output)?;
        left -= portion;
    }
    if arguments.json {
        let next_seed = if let Dealer::Sega(sega) = &dealer { Some(NextSeed::new(sega)) } else { None };
        let after = text(&After { state: &dealer, next_seed })?;
        write!(out, r#"",{}"#, after.trim_start_matches('{')).map_err(Error::Output)?;
    }
    writeln!(out).and_then(|()| out.flush()).map_err(Error::Output)
}

fn text(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Output(error.into()))
}
