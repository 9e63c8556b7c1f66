//! `article`: every command of docs/article.md, and a page of what came out.

use crate::test::linted;
use anyhow::{Context, Result, bail};
use first_run::workspace::Workspace;
use html_escape::encode_double_quoted_attribute as escaped;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};

/// The page whose commands are run.
const PAGE: &str = "docs/article.md";
/// Other shapes and tiles, which a command of the page reads.
const SKIN: (&str, &str) =
    ("skin.toml", "[orientations]\n0A = { cells = [[0, -2], [0, 1], [1, -2], [1, 1]] }\n");
/// Endings of files that a page shows as pictures.
const PICTURES: [&str; 2] = ["png", "svg"];

/// A row of the page.
#[derive(Debug, PartialEq, Eq)]
struct Row<'a> {
    claim: &'a str,
    command: &'a str,
    result: &'a str,
}

/// Runs the commands of the page in a folder under `target/`, and writes a page of what came out.
///
/// # Errors
/// When the page cannot be read, or a command fails.
pub(crate) fn run(workspace: &Workspace) -> Result<ExitCode> {
    let text = std::fs::read_to_string(workspace.root.join(PAGE))
        .with_context(|| format!("{PAGE} cannot be read"))?;
    let rows = rows(&text);
    if rows.is_empty() {
        bail!("{PAGE}: expected a table with commands of `maxout`, found none");
    }
    let status = linted(workspace, &["build", "--workspace", "--bin", "maxout"]).status();
    if !status.context("cargo build could not be started")?.success() {
        bail!("cargo build failed");
    }
    let program = workspace.target().join(format!("debug/maxout{}", std::env::consts::EXE_SUFFIX));
    let folder = workspace.built("article");
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .with_context(|| format!("{} cannot be emptied", folder.display()))?;
    }
    std::fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    write(&folder.join(SKIN.0), SKIN.1)?;
    let mut page = String::from(
        "<!doctype html><meta charset=utf-8><title>The article, row by row</title>\n\
         <style>body{font:16px sans-serif;margin:2em;max-width:60em}pre{overflow:auto;max-height:20em;background:#eee;padding:1em}\
         img{max-width:100%}</style>\n<h1>The article, row by row</h1>\n",
    );
    for (number, row) in rows.iter().enumerate() {
        println!("article: {}", row.command);
        let words: Vec<&str> = row.command.split_whitespace().skip(1).collect();
        let output = Command::new(&program).current_dir(&folder).args(&words).output();
        let output = output.with_context(|| format!("{} could not be started", program.display()))?;
        if !output.status.success() {
            bail!("{} failed: {}", row.command, String::from_utf8_lossy(&output.stderr).trim());
        }
        let printed = String::from_utf8_lossy(&output.stdout);
        write(&folder.join(format!("{:02}.txt", number + 1)), &printed)?;
        let files: Vec<&str> = words.iter().copied().filter(|word| is_picture(word)).collect();
        page.push_str(&section(row, &printed, &files));
    }
    let index = folder.join("index.html");
    write(&index, &page)?;
    println!("article: {}", index.display());
    Ok(ExitCode::SUCCESS)
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}

/// The rows of the table whose second cell is a command of the program.
fn rows(text: &str) -> Vec<Row<'_>> {
    text.lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim);
            let (claim, command, result) = (cells.next()?, cells.next()?, cells.next()?);
            let command = command.strip_prefix('`')?.strip_suffix('`')?;
            command.starts_with("maxout ").then_some(Row { claim, command, result })
        })
        .collect()
}

fn is_picture(word: &str) -> bool {
    Path::new(word).extension().is_some_and(|kind| PICTURES.iter().any(|picture| kind == *picture))
}

/// What the page says of a row.
fn section(row: &Row<'_>, printed: &str, pictures: &[&str]) -> String {
    let Row { claim, command, result } = row;
    let mut html = format!(
        "<h2>{}</h2>\n<p><code>{}</code></p>\n<p>{}</p>\n",
        escaped(claim),
        escaped(command),
        escaped(result)
    );
    for picture in pictures {
        // A string takes everything.
        let _ = writeln!(html, "<p><img src=\"{0}\" alt=\"{0}\"></p>", escaped(picture));
    }
    if !printed.trim().is_empty() {
        let _ = writeln!(html, "<pre>{}</pre>", escaped(printed));
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_with_a_command_and_the_page_has_them() {
        let text = "| a | command | c |\n|---|---|---|\n| x & y | `maxout tetris levels --out a.png` | all |\n| z | no | |\n";
        let rows = rows(text);
        let wanted = Row { claim: "x & y", command: "maxout tetris levels --out a.png", result: "all" };
        assert_eq!(rows, [wanted]);
        let html = section(&rows[0], "1 < 2", &["a.png"]);
        assert!(
            html.contains("x &amp; y") && html.contains("1 &lt; 2") && html.contains("<img src=\"a.png\"")
        );
        assert!(is_picture("a.svg") && !is_picture("--png") && !is_picture("levels"));
        let page = include_str!("../../../docs/article.md");
        assert!(super::rows(page).len() >= 20);
    }
}
