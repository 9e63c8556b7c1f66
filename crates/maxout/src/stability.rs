//! What docs/stability.md promises of the command line: `tests/stable/command-line.txt` has every
//! command, option and value of version 1.0.0, and all of them are still there.

use std::collections::BTreeSet;
use std::{env, fs};

use clap::CommandFactory;

use super::Arguments;

/// A line for each command, each option and operand, and each value that an option lists. Hidden
/// ones count: a name that was replaced may stay as an alias.
fn describe(path: &str, command: &clap::Command, lines: &mut BTreeSet<String>) {
    for argument in command.get_arguments() {
        let mut names: Vec<String> = match argument.get_long() {
            Some(long) => vec![format!("--{long}")],
            None if argument.is_positional() => {
                vec![format!("operand {}", argument.get_index().unwrap_or(1))]
            }
            None => vec![],
        };
        let aliases = argument.get_all_aliases().unwrap_or_default();
        names.extend(aliases.iter().map(|alias| format!("--{alias}")));
        names.extend(argument.get_short().map(|letter| format!("-{letter}")));
        for name in names {
            for value in argument.get_possible_values() {
                lines.extend(value.get_name_and_aliases().map(|value| format!("{path} {name} {value}")));
            }
            lines.insert(format!("{path} {name}"));
        }
    }
    for inner in command.get_subcommands() {
        for name in std::iter::once(inner.get_name()).chain(inner.get_all_aliases()) {
            let path = format!("{path} {name}");
            describe(&path, inner, lines);
            lines.insert(path);
        }
    }
}

/// All but the commands for research, which are marked as unstable in their help.
///
/// With `MAXOUT_RECORD` set, what was added since is written down, too.
#[test]
fn the_command_line_of_version_1_is_still_there() {
    let mut command = Arguments::command();
    command.build();
    let mut now = BTreeSet::new();
    describe("maxout", &command, &mut now);
    // Without `help`, which clap adds to every command.
    now.retain(|line| !line.split(' ').any(|word| word == "help"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stable/command-line.txt");
    let known = fs::read_to_string(path).unwrap_or_default();
    let research = |line: &str| crate::help::UNSTABLE.contains(&line.split(' ').nth(1).unwrap_or_default());
    let gone: Vec<&str> = known.lines().filter(|line| !research(line) && !now.contains(*line)).collect();
    assert!(gone.is_empty(), "promised by docs/stability.md, and no longer there: {gone:#?}");
    if env::var_os("MAXOUT_RECORD").is_some() {
        fs::write(path, now.into_iter().collect::<Vec<_>>().join("\n") + "\n").expect("a file");
    } else {
        assert!(known.lines().count() > 500, "{path} is not whole");
    }
}
