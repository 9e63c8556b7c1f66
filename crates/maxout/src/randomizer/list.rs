//! `maxout randomizer list`: the kinds there are.

use std::io::Write;

use randomizers::Kind;
use serde::Serialize;

use crate::error::Error;

/// List the randomizers, what each does and what its seed looks like.
#[derive(clap::Args)]
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
    if arguments.json {
        return super::print_json(&entries);
    }
    let mut out = std::io::stdout().lock();
    for Entry { kind, summary, seed, .. } in &entries {
        writeln!(out, "{kind:<15} {summary}\n{:15} seed: {seed}", "").map_err(Error::Output)?;
    }
    Ok(())
}
