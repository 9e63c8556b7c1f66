//! Help of a tool that another program of this workspace carries out, read from that program's
//! sources: the fuzzer takes minutes to build, and its help should not.

use anyhow::{Context, Result};
use std::ffi::OsString;
use std::fmt::Write as _;

/// Columns up to which an entry and its text share a line.
const COLUMN: usize = 30;

/// Whether the options ask for help.
pub(crate) fn asks_for_help(options: &[OsString]) -> bool {
    options.iter().any(|option| option == "--help" || option == "-h")
}

/// The options of a struct of clap's, or the values of an enum, one entry a line.
///
/// # Errors
/// When the source has no such item.
pub(crate) fn list(source: &str, item: &str) -> Result<String> {
    let begins = |line: &str| {
        let words: Vec<&str> = line.trim_end_matches(" {").split_whitespace().collect();
        line.ends_with('{')
            && words.ends_with(&[item])
            && words.iter().any(|word| ["struct", "enum"].contains(word))
    };
    let mut lines = source.lines().skip_while(|line| !begins(line)).skip(1).peekable();
    lines.peek().with_context(|| format!("no {item} in the sources"))?;
    let (mut list, mut about, mut default, mut value) = (String::new(), String::new(), None, None);
    for line in lines.map(str::trim).take_while(|line| *line != "}") {
        if let Some(text) = line.strip_prefix("///") {
            about.push_str(text);
        } else if line.starts_with("#[") {
            default = setting(line, "default_value_t = ").or(default);
            value = setting(line, "value_name = \"").or(value);
        } else if let Some(entry) = entry(line, value.take()) {
            let default = default.take().map(|default| format!(" [default: {default}]")).unwrap_or_default();
            writeln!(list, "  {entry:<COLUMN$} {}{default}", about.trim())?;
            about.clear();
        }
    }
    Ok(list)
}

/// What follows a key in an attribute, up to the next comma, quote or bracket.
fn setting(line: &str, key: &str) -> Option<String> {
    let (_, rest) = line.split_once(key)?;
    rest.split([',', '"', ')']).next().map(ToOwned::to_owned)
}

/// An option by its field, or a value by its variant.
fn entry(line: &str, value: Option<String>) -> Option<String> {
    if let Some((field, kind)) = line.split_once(": ") {
        let option = field.replace('_', "-");
        let value = value.unwrap_or_else(|| option.to_uppercase());
        let takes = !kind.starts_with("bool");
        // The subcommand is no option.
        return (!kind.contains("Option<Long>"))
            .then(|| if takes { format!("--{option} <{value}>") } else { format!("--{option}") });
    }
    let variant = line.strip_suffix(',')?;
    let mut name = String::new();
    for letter in variant.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.extend(letter.to_lowercase());
    }
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_values_are_those_of_the_source() -> Result<()> {
        let source = "/// Not this.\nstruct Other {\n}\nstruct Arguments {\n    #[command(subcommand)]\n    command: Option<Long>,\n    \
                      /// Minutes to run,\n    /// shared.\n    #[arg(long, value_name = \"N\", default_value_t = 1.0)]\n    \
                      minutes: f64,\n    /// Only quirks.\n    #[arg(long)]\n    with_quirks: bool,\n}\n\npub(crate) enum Target {\n    \
                      /// Lua programs.\n    Lua,\n    /// Game Genie.\n    GameGenie,\n}\n";
        let options = list(source, "Arguments")?;
        assert_eq!(options.lines().count(), 2, "{options}");
        assert!(
            options.contains("--minutes <N>") && options.contains("Minutes to run, shared. [default: 1.0]")
        );
        assert!(options.contains("  --with-quirks  ") && options.contains("Only quirks."));
        let values = list(source, "Target")?;
        assert!(
            values.contains("  lua ") && values.contains("  game-genie ") && values.contains("Game Genie.")
        );
        assert!(list(source, "Gone").is_err());
        Ok(())
    }

    #[test]
    fn help_is_asked_for_by_either_word() {
        assert!(asks_for_help(&["--seed".into(), "-h".into()]) && asks_for_help(&["--help".into()]));
        assert!(!asks_for_help(&["--seed".into(), "1".into()]));
    }
}
