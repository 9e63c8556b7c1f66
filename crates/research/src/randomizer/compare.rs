//! `maxout randomizer compare`: randomizers side by side.

use randomizers::{Droughts, Floods, Kind, Sega, Summary};
use serde::Serialize;
use tetris::Piece;

use super::count::count;
use super::stats::Theory;
use super::table::{Table, interval, percent, rare};
use cli::error::Error;
use cli::interrupt::Interrupt;
use cli::output;

/// Count deals of several randomizers and print them side by side.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  maxout randomizer compare\n  \
                        maxout randomizer compare nes tetrio-classic --seed 7 -n 10000000")]
pub(crate) struct Arguments {
    /// Which randomizers; without any, all.
    kinds: Vec<Kind>,
    /// Number that seeds each of them.
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Pieces to count of each, at least 1,000; of sega its 1,000 are counted.
    #[arg(short = 'n', long = "pieces", value_name = "N", default_value_t = 1_000_000)]
    pieces: u64,
    /// Print one JSON array instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Column {
    kind: Kind,
    seed: u64,
    measured: Summary,
    theory: Option<Theory>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let kinds = if arguments.kinds.is_empty() { &Kind::ALL[..] } else { &arguments.kinds };
    let interrupt = Interrupt::listen();
    let columns = kinds
        .iter()
        .map(|&kind| {
            let pieces = if kind == Kind::Sega { u64::from(Sega::LENGTH) } else { arguments.pieces };
            let measured = count(&mut kind.seeded(arguments.seed), pieces, &interrupt)?;
            let theory = kind.chain().as_ref().map(Theory::new);
            Ok(Column { kind, seed: arguments.seed, measured, theory })
        })
        .collect::<Result<Vec<_>, Error>>()?;
    let Arguments { seed, pieces, .. } = arguments;
    output::print(&columns, arguments.json, |out| {
        write!(out, "seed {seed}, {pieces} pieces each, of sega 1000\n\n{}", table(&columns))
    })
}

/// A row for each randomizer.
fn table(columns: &[Column]) -> String {
    let mut table = Table::default();
    let pieces = Piece::ALL.map(|piece| format!("{piece}, %"));
    let mut head = vec![String::new()];
    head.extend(pieces);
    head.extend(["repeats, %", "95 %", "bits, 3 known", "bits, all known"].map(String::from));
    head.extend(["longest drought".to_owned(), format!("{}+, %", Droughts::LENGTHS[1])]);
    head.extend(["longest flood".to_owned(), format!("{}+, %", Floods::LENGTHS[1])]);
    table.row(head);
    for Column { kind, measured, theory, .. } in columns {
        let mut row = vec![kind.to_string()];
        row.extend(measured.frequency.map(|estimate| percent(estimate.value)));
        row.extend([percent(measured.repeats.value), interval(measured.repeats, percent)]);
        row.push(format!("{:.3}", measured.entropy[3].value));
        row.push(
            theory.as_ref().map_or_else(|| "-".to_owned(), |theory| format!("{:.3}", theory.entropy_rate)),
        );
        let longest = measured.droughts.iter().map(|droughts| droughts.longest).max().unwrap_or(0);
        let thirteen = measured.droughts.iter().map(|droughts| droughts.at_least[1].value).sum::<f64>() / 7.0;
        row.extend([longest.to_string(), rare(thirteen)]);
        row.extend([measured.floods.longest.to_string(), rare(measured.floods.at_least[1].value)]);
        table.row(row);
    }
    table.text()
}
