//! `maxout randomizer list`: the kinds there are.

use randomizers::Kind;
use serde::Serialize;

use cli::error::Error;
use cli::output;

/// List the randomizers, what each does and what its seed looks like.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  maxout randomizer list --json")]
pub(crate) struct Arguments {
    /// Print one JSON array instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Entry {
    kind: Kind,
    summary: &'static str,
    seed: &'static str,
    longest_drought: Option<u32>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Error> {
    let entries = Kind::ALL.map(|kind| Entry {
        kind,
        summary: kind.summary(),
        seed: kind.seed_form(),
        longest_drought: kind.longest_drought(),
    });
    output::print(&entries, arguments.json, |out| {
        entries.iter().try_for_each(|Entry { kind, summary, seed, .. }| {
            writeln!(out, "{kind:<15} {summary}\n{:15} seed: {seed}", "")
        })
    })
}
