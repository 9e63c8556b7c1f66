//! The commands of the search through RAM.

use super::words::Words;
use super::{CommandError, Desk, Reply, Session};
use crate::search::{Criterion, Search};

pub(super) fn search(session: &mut Session, words: &mut Words, _: &mut Desk) -> Result<Reply, CommandError> {
    let expected = "new, list, changed, unchanged, greater, less, by N, = N, or != N";
    let usage = |column| CommandError::Usage { column, expected, command: "search" };
    let console = session.debugger.console().clone();
    let column = words.column();
    let word = words.word().unwrap_or("list");
    let number = |words: &mut Words| -> Result<u8, CommandError> {
        Ok(words.value(&session.debugger.names(), &session.debugger.scene())? as u8)
    };
    let criterion = match word {
        "new" => {
            let search = Search::new(&console);
            let text = format!("{} bytes are possible", search.candidates().len());
            session.search = Some(search);
            return Ok(Reply::text(text));
        }
        "list" => None,
        "changed" => Some(Criterion::Changed),
        "unchanged" => Some(Criterion::Unchanged),
        "greater" => Some(Criterion::Greater),
        "less" => Some(Criterion::Less),
        "by" => Some(Criterion::By(number(words)?)),
        "=" | "==" => Some(Criterion::Equal(number(words)?)),
        "!=" => Some(Criterion::Unequal(number(words)?)),
        _ => return Err(usage(column)),
    };
    let search = session.search.as_mut().ok_or(CommandError::NoSearch)?;
    if let Some(criterion) = criterion {
        search.keep(&console, criterion);
    }
    let found = search.candidates();
    let mut lines = vec![format!("{} bytes are possible", found.len())];
    let shown = if criterion.is_none() { 256 } else { 16 };
    lines.extend(found.iter().take(shown).map(|&(address, value)| {
        format!("${address:04X} = ${value:02X} ({value})  {}", session.debugger.symbols.text(address))
    }));
    if found.len() > shown {
        lines.push("…".to_owned());
    }
    Ok(Reply::text(lines.join("\n")))
}
