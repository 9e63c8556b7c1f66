//! The modes and the options.

use practice::{Kind, Options};
use serde::Serialize;

use cli::error::Error;
use cli::output;

#[derive(Serialize)]
struct Listed {
    modes: Vec<Mode>,
    options: Vec<Choice>,
}

#[derive(Serialize)]
struct Mode {
    name: &'static str,
    about: &'static str,
    /// Without a number it has none of these.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    most: Option<u32>,
    usual: String,
}

#[derive(Serialize)]
struct Choice {
    name: &'static str,
    takes: &'static str,
}

pub(super) fn print(json: bool) -> Result<(), Error> {
    let modes = Kind::ALL.iter().map(|&kind| {
        let (values, numbered) = (kind.values(), !kind.values().is_empty());
        Mode {
            name: kind.name(),
            about: kind.about(),
            value: numbered.then(|| kind.value()),
            least: numbered.then(|| *values.start()),
            most: numbered.then(|| *values.end()),
            usual: kind.usual().to_string(),
        }
    });
    let options = Options::NAMES.map(|(name, takes)| Choice { name, takes });
    let listed = Listed { modes: modes.collect(), options: options.into() };
    output::print(&listed, json, |out| {
        for mode in &listed.modes {
            let range = match (mode.least, mode.most) {
                (Some(_), Some(_)) if mode.name == "seed" => "=000200..FFFFFF".to_owned(),
                (Some(least), Some(most)) => format!("={least}..{most}"),
                _ => String::new(),
            };
            writeln!(out, "{:<23} {}", format!("{}{range}", mode.name), mode.about)?;
            if let Some(value) = mode.value {
                writeln!(out, "{:<23}   {value}; usually {}", "", mode.usual)?;
            }
        }
        writeln!(out, "\noptions (--option NAME=VALUE)")?;
        listed.options.iter().try_for_each(|option| writeln!(out, "  {:<21} {}", option.name, option.takes))
    })
}
