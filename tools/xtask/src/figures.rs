//! `figures`: the table of README, from the pages that hold the measurements. Those are drawn from
//! data or written by the commands that measure; this command measures nothing.

use anyhow::{Context, Result, bail};
use first_run::workspace::Workspace;
use std::fmt::Write;
use std::process::ExitCode;

/// What `figures` can be told.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  cargo xtask figures   after `cargo xtask accuracy` or `cargo xtask bench --write docs/performance.md`")]
pub(crate) struct Arguments {
    /// Write nothing; fail when the table differs from the pages.
    #[arg(long)]
    check: bool,
}

/// The document with the table, and what stands around it.
pub(crate) const DOCUMENT: &str = "README.md";
const BEGIN: &str = "<!-- figures: cargo xtask figures -->\n";
const END: &str = "<!-- end of figures -->\n";

/// Draws the table, or compares it.
///
/// # Errors
/// When a page cannot be read or does not hold a figure.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let (committed, drawn) = both(workspace)?;
    if arguments.check {
        let same = committed == drawn;
        println!(
            "{DOCUMENT}: the figures are {}",
            if same { "up to date" } else { "not those of the pages" }
        );
        return Ok(if same { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    std::fs::write(workspace.root.join(DOCUMENT), drawn)
        .with_context(|| format!("{DOCUMENT} cannot be written"))?;
    println!("{DOCUMENT}: figures written");
    Ok(ExitCode::SUCCESS)
}

/// What is wrong with the committed table, if it is not what the pages say.
///
/// # Errors
/// When a page cannot be read or does not hold a figure.
pub(crate) fn stale(workspace: &Workspace) -> Result<Option<String>> {
    let (committed, drawn) = both(workspace)?;
    Ok((committed != drawn)
        .then(|| "its figures are not those of the pages: run `cargo xtask figures`".to_owned()))
}

/// The document as it is, and as it should be.
fn both(workspace: &Workspace) -> Result<(String, String)> {
    let page = |path: &str| {
        std::fs::read_to_string(workspace.root.join(path)).with_context(|| format!("{path} cannot be read"))
    };
    let committed = page(DOCUMENT)?;
    let table = table(&page("docs/accuracy.md")?, &page("docs/performance.md")?, &page("docs/points.md")?)?;
    let drawn = replaced(&committed, &table)?;
    Ok((committed, drawn))
}

fn replaced(document: &str, table: &str) -> Result<String> {
    let parts = document.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let Some((before, after)) = parts else {
        bail!("{DOCUMENT}: expected the lines {} and {} around the figures", BEGIN.trim(), END.trim());
    };
    Ok(format!("{before}{BEGIN}{table}{END}{after}"))
}

/// The table, from three pages.
fn table(accuracy: &str, performance: &str, points: &str) -> Result<String> {
    let coin = rows(accuracy, "AccuracyCoin");
    let phases = coin.len();
    let parts = coin.first().and_then(|row| row.get(2)).context("docs/accuracy.md: no row AccuracyCoin")?;
    if coin.iter().any(|row| row.get(2) != Some(parts)) {
        bail!("docs/accuracy.md: AccuracyCoin differs by phase, and README has one figure for all");
    }
    let speed = first(performance, "built-in cartridge", "docs/performance.md")?;
    let [_, _, maxout, _, _, _, peer, ..] = speed.as_slice() else {
        bail!("docs/performance.md: expected a speed of Maxout and one of the peer");
    };
    let name = performance
        .lines()
        .find_map(|line| line.split('|').map(str::trim).find(|cell| cell.starts_with("tetanes-core ")))
        .context("docs/performance.md: no column of the peer")?;
    let score = first(points, "mean score", "docs/points.md")?;
    let games = first(points, "games", "docs/points.md")?;
    let command = points
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with("maxout ai value play"))
        .context("docs/points.md: no command")?;
    let of =
        |cells: &[String], column: usize| cells.get(column).cloned().unwrap_or_default().replace('*', "");

    let mut table = String::from("| what | result | command |\n|---|---|---|\n");
    writeln!(
        table,
        "| AccuracyCoin | {parts}, on each of {phases} CPU/PPU phases | `cargo xtask accuracy --suite-dir …` |"
    )?;
    for (suite, title, command) in [
        ("nes-test-roms", "nes-test-roms with a readable result", "the same"),
        ("Holy Mapperel", "Holy Mapperel, of the mappers here", "the same"),
        ("ROMs of the pinned package", "test ROMs that come with cargo", "`cargo xtask accuracy --check`"),
    ] {
        let row = first(accuracy, suite, "docs/accuracy.md")?;
        writeln!(table, "| {title} | {} | {command} |", of(&row, 1))?;
    }
    let (fast, slow) = (grouped(maxout), grouped(peer));
    writeln!(
        table,
        "| frames per CPU second with picture and sound | {fast} ({name}: {slow}) | `cargo xtask bench` |"
    )?;
    writeln!(
        table,
        "| mean score, 30 taps a second, {} games | {} points | `{command}` |",
        of(&games, 1),
        of(&score, 1)
    )?;
    Ok(table)
}

/// Rows of tables whose first cell is this.
fn rows(page: &str, first: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| {
        let inner = line.strip_prefix("| ")?.strip_suffix('|')?;
        Some(inner.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>())
    };
    page.lines().filter_map(cells).filter(|cells| cells.first().is_some_and(|cell| cell == first)).collect()
}

fn first(page: &str, name: &str, path: &str) -> Result<Vec<String>> {
    rows(page, name).into_iter().next().with_context(|| format!("{path}: no row {name}"))
}

/// A whole number with commas.
fn grouped(number: &str) -> String {
    let mut text = String::new();
    for (index, digit) in number.chars().enumerate() {
        if index > 0 && (number.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACCURACY: &str = "| AccuracyCoin | 1 of 1 | 9 of 9 | 0 |\n| AccuracyCoin | 1 of 1 | 9 of 9 | 1 |\n| nes-test-roms | 5 of 6 | 7 of \
                            8 | 0 |\n| Holy Mapperel | 2 of 2 | 2 of 2 | 0 |\n| ROMs of the pinned package | 3 of 3 | 3 of 3 | 0 |\n";
    const SPEED: &str = "| ROM | frames | Maxout | a | b | c | tetanes-core 0.1.0 | ratio |\n| built-in cartridge | 60 | 42363 | 1 | 2 | 3 | 879 | 48 |\n";
    const POINTS: &str =
        "    maxout ai value play --games 20\n\n| mean score | **2,565,368** | 1 |\n| games | 2,000 | 2 |\n";

    #[test]
    fn the_table_has_what_the_pages_say() -> Result<()> {
        let table = table(ACCURACY, SPEED, POINTS)?;
        for part in [
            "9 of 9, on each of 2 CPU/PPU phases",
            "result | 5 of 6 |",
            "42,363 (tetanes-core 0.1.0: 879)",
            "2,000 games | 2,565,368 points | `maxout ai value play --games 20`",
        ] {
            assert!(table.contains(part), "{part}: {table}");
        }
        let document = format!("# A\n{BEGIN}old\n{END}rest\n");
        assert_eq!(replaced(&document, &table)?, format!("# A\n{BEGIN}{table}{END}rest\n"));
        Ok(())
    }

    #[test]
    fn a_page_without_its_figure_is_told_by_name() {
        for (pages, name) in [
            (["", SPEED, POINTS], "accuracy"),
            ([ACCURACY, "", POINTS], "performance"),
            ([ACCURACY, SPEED, ""], "points"),
        ] {
            let error = table(pages[0], pages[1], pages[2]).expect_err("a figure is missing").to_string();
            assert!(error.contains(name), "{error}");
        }
        let differs = ACCURACY.replacen("9 of 9", "8 of 9", 1);
        assert!(table(&differs, SPEED, POINTS).is_err());
        assert!(replaced("# A\n", "x").is_err());
    }
}
