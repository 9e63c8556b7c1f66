//! Help texts, laid out for any width.
//!
//! clap joins the lines of doc comments into paragraphs, but prints `after_help` line by line. Left
//! to itself it would break lines that the source has broken already, and put the end of an example
//! below its beginning.

use clap::{Arg, Command};

/// The narrowest terminal that help is laid out for.
const NARROW: usize = 80;

/// Columns by which the continuation of an example is indented.
const HANGING: &str = "      ";

/// Commands for research, with all below them: their options are not promised to stay
/// (docs/stability.md).
pub(crate) const UNSTABLE: [&str; 3] = ["ai", "randomizer", "tetris"];

/// What is said of them.
const NOTE: &str = "Unstable: a later version may change this command and its options.";

/// Options from which on a command has them under headings.
const MANY: usize = 12;

/// Headings, and the options that stand under them wherever there are many.
const HEADINGS: &[(&str, &[&str])] = &[
    (
        "Console",
        &[
            "phase",
            "apu-alignment",
            "ram-fill",
            "region",
            "mmc3",
            "oam-decay",
            "palette-corruption",
            "no-ppu-reset",
            "strict-ppu-start",
            "ane-magic",
            "sha-without-a",
        ],
    ),
    ("Input", &["input", "movie", "press", "position", "load-state", "state", "game", "lua"]),
    ("Length", &["frames", "games", "minutes", "rounds", "generations", "exit-after-frames", "quit-at-end"]),
    (
        "Player",
        &[
            "player",
            "format",
            "net",
            "weights",
            "el-tetris",
            "ahead",
            "narrow",
            "guided",
            "caution",
            "evaluator",
            "filter",
            "computer",
        ],
    ),
    (
        "Training",
        &[
            "method",
            "fitness",
            "candidates",
            "sigma",
            "taught",
            "begin",
            "after",
            "lead",
            "rate",
            "halving",
            "lambda",
            "exploration",
            "looked-at",
            "well",
            "by-weights",
            "passes",
            "average",
            "memory",
        ],
    ),
    ("Threads and checkpoints", &["threads", "jobs", "checkpoint", "resume", "rate-with"]),
    (
        "Output",
        &[
            "json",
            "out",
            "screenshot",
            "wav",
            "no-video",
            "no-sound",
            "dump-ram",
            "save-state",
            "state-out",
            "movie-out",
            "pieces-out",
            "junit",
            "report",
            "quiet",
            "progress",
            "keep",
            "palette",
            "verify",
        ],
    ),
];

/// Lays out the help of a command and of all commands below it: options under headings, and the
/// text after them.
pub(crate) fn laid_out(command: Command) -> Command {
    lay_out(command, false)
}

fn lay_out(mut command: Command, unstable: bool) -> Command {
    let unstable = unstable || UNSTABLE.contains(&command.get_name());
    let text = command.get_after_help().map(ToString::to_string);
    let notes = text.into_iter().chain(unstable.then(|| NOTE.to_owned()));
    let notes = notes.collect::<Vec<_>>().join("\n\n");
    if !notes.is_empty() {
        command = command.after_help(paragraphs(&notes));
    }
    if command.get_opts().count() >= MANY {
        command = command.mut_args(under_heading);
    }
    command.mut_subcommands(|inner| lay_out(inner, unstable))
}

/// An option under its heading, unless its own definition names one.
fn under_heading(argument: Arg) -> Arg {
    let heading = argument.get_long().filter(|_| argument.get_help_heading().is_none()).and_then(|long| {
        HEADINGS.iter().find(|(_, options)| options.contains(&long)).map(|(heading, _)| *heading)
    });
    match heading {
        Some(heading) => argument.help_heading(heading),
        None => argument,
    }
}

/// Joins the lines of each paragraph, and breaks examples that a narrow terminal could not hold.
/// Indented lines are examples and tables, and begin a line each; so does whatever follows them.
fn paragraphs(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let prose = !line.is_empty() && !line.starts_with(' ') && !line.contains("   ");
        match lines.last_mut() {
            Some(last) if prose && open => {
                last.push(' ');
                last.push_str(line);
            }
            _ if line.starts_with(' ') => lines.extend(example(line)),
            _ => lines.push(line.to_owned()),
        }
        open = prose;
    }
    lines.join("\n")
}

/// An indented line. If it is too long, its comment (after three spaces) goes below it, and a
/// command that is still too long is continued as a shell reads it.
fn example(line: &str) -> Vec<String> {
    let text = line.trim_start();
    let indent = &line[..line.len() - text.len()];
    if line.chars().count() <= NARROW {
        return vec![line.to_owned()];
    }
    let (command, comment) = text.split_once("   ").unwrap_or((text, ""));
    let mut lines = Vec::new();
    let mut current = String::new();
    for part in parts(command) {
        // Two columns are for the space and the backslash of a line that goes on.
        if !current.is_empty() && current.chars().count() + 1 + part.chars().count() + 2 > NARROW {
            lines.push(format!("{current} \\"));
            current.clear();
        }
        let before = match (current.is_empty(), lines.is_empty()) {
            (false, _) => " ".to_owned(),
            (true, true) => indent.to_owned(),
            (true, false) => format!("{indent}{HANGING}"),
        };
        current.push_str(&before);
        current.push_str(&part);
    }
    lines.push(current);
    if !comment.is_empty() {
        lines.push(format!("{indent}{HANGING}{}", comment.trim_start()));
    }
    lines
}

/// The parts of a command between which a line may end: before an option, a pipe or a redirection,
/// and after a semicolon, but never within quotes.
fn parts(command: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut quoted = false;
    for word in command.split(' ') {
        let begins = word.starts_with(['-', '|', '<', '>']);
        match parts.last_mut() {
            Some(part) if quoted || !(begins || part.ends_with(';')) => {
                part.push(' ');
                part.push_str(word);
            }
            _ => parts.push(word.to_owned()),
        }
        quoted ^= word.matches('\'').count() % 2 == 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// What a command and all commands below it print for `--help` at a width, each with its name.
    fn printed(command: &mut Command, width: usize, pages: &mut Vec<(String, String)>) {
        let name = command.get_bin_name().unwrap_or("maxout").to_owned();
        let page = command.clone().term_width(width).render_long_help().to_string();
        pages.push((name, page));
        for inner in command.get_subcommands_mut() {
            printed(inner, width, pages);
        }
    }

    fn indent(line: &str) -> usize {
        line.len() - line.trim_start().len()
    }

    /// A line that begins by itself: an entry of a list, an example, a row of columns.
    fn begins(line: &str) -> bool {
        let text = line.trim_start();
        text.starts_with(['-', '[', '<']) || text.starts_with("maxout") || text.contains("  ")
    }

    /// Lines that end early although the next one goes on with the same paragraph, and could have
    /// begun there.
    fn torn(page: &str, width: usize) -> Vec<String> {
        let lines: Vec<&str> = page.lines().collect();
        let mut found = Vec::new();
        for pair in lines.windows(2) {
            let (line, next) = (pair[0], pair[1]);
            let together = !line.trim().is_empty() && !next.trim().is_empty() && indent(line) == indent(next);
            // Lines indented by two are commands, examples and files, which are not prose.
            if !together || indent(line) == 2 || begins(next) {
                continue;
            }
            let word = next.split_whitespace().next().unwrap_or_default();
            if line.chars().count() < 60 && line.chars().count() + 1 + word.chars().count() <= width {
                found.push(format!("{line}\n{next}"));
            }
        }
        found
    }

    #[test]
    fn no_line_of_any_help_is_torn_or_too_long_at_80_and_120_columns() {
        for width in [80, 120] {
            let mut command = laid_out(crate::Arguments::command());
            command.build();
            let mut pages = Vec::new();
            printed(&mut command, width, &mut pages);
            assert!(pages.len() > 50, "{} pages", pages.len());
            for (name, page) in &pages {
                let faults = torn(page, width);
                assert!(faults.is_empty(), "{name} at {width} columns:\n{}", faults.join("\n\n"));
                // clap wraps all but the usage.
                let long: Vec<&str> = page
                    .lines()
                    .filter(|line| !line.starts_with("Usage:") && line.chars().count() > width)
                    .collect();
                assert!(long.is_empty(), "{name} at {width} columns: {long:#?}");
            }
        }
    }

    #[test]
    fn every_command_has_an_example_many_options_have_headings_and_research_is_unstable() {
        let mut command = laid_out(crate::Arguments::command());
        command.build();
        let mut pages = Vec::new();
        printed(&mut command, 80, &mut pages);
        // clap's own command, and two that say all in their usage.
        pages.retain(|(name, _)| !name.split(' ').any(|word| word == "help"));
        let mut grouped = 0;
        for (name, page) in &pages {
            assert!(page.contains("\nExample"), "{name} has no example:\n{page}");
            let research = UNSTABLE.contains(&name.split(' ').nth(1).unwrap_or_default());
            assert_eq!(page.contains(NOTE), research, "{name}");
            let headings = HEADINGS.iter().filter(|(heading, _)| page.contains(&format!("\n{heading}:\n")));
            grouped += usize::from(headings.count() >= 2);
        }
        assert!(grouped >= 15, "{grouped} commands have headings");
    }

    #[test]
    fn every_heading_names_options_that_there_are() {
        let mut commands = vec![crate::Arguments::command()];
        let mut known = std::collections::BTreeSet::new();
        while let Some(command) = commands.pop() {
            known.extend(command.get_opts().filter_map(|option| option.get_long().map(ToOwned::to_owned)));
            commands.extend(command.get_subcommands().cloned());
        }
        for option in HEADINGS.iter().flat_map(|(_, options)| *options) {
            assert!(known.contains(*option), "--{option} is gone");
        }
    }

    #[test]
    fn no_example_of_any_help_is_wrapped_by_clap_at_80_columns() {
        let mut commands = vec![laid_out(crate::Arguments::command())];
        while let Some(command) = commands.pop() {
            let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let long: Vec<&str> = text
                .lines()
                .filter(|line| {
                    (line.starts_with(' ') || line.contains("   ")) && line.chars().count() > NARROW
                })
                .collect();
            assert!(long.is_empty(), "{}: {long:#?}", command.get_name());
            commands.extend(command.get_subcommands().cloned());
        }
    }

    #[test]
    fn a_paragraph_that_the_source_breaks_is_found_unless_it_is_laid_out() {
        let text = "First half of a sentence that the source breaks here\nand goes on here.\n\nExamples:\n  maxout\n";
        assert_eq!(torn(text, 80).len(), 1);
        assert!(torn(&paragraphs(text), 80).is_empty());
    }

    #[test]
    fn a_long_example_goes_on_as_a_shell_reads_it_with_its_comment_below() {
        let line = format!("  maxout {}   what it shows", "--option value ".repeat(6).trim_end());
        let lines = example(&line);
        assert_eq!(lines.len(), 3);
        assert!(lines[0].ends_with(" \\") && lines[2] == "        what it shows", "{lines:#?}");
        assert_eq!(example("  maxout   short"), ["  maxout   short"]);
        assert_eq!(parts("maxout --of 'a -b' x; maxout | y"), ["maxout", "--of 'a -b' x;", "maxout", "| y"]);
    }
}
