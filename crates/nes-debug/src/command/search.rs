//! The commands of the search through RAM.

use super::words::Words;
use super::{CommandError, CommandSession, Desk, Reply};
use crate::search::{Criterion, Search};

const EXPECTED: &str = "new, list, changed, unchanged, greater, less, by N, = N, != N (and `since NAME` behind it), snapshot NAME, or snapshots";

/// Places that are listed with `list`, and after a look.
const LISTED: usize = 256;
const LOOKED: usize = 16;

pub(super) fn search(
    session: &mut CommandSession,
    words: &mut Words,
    _: &mut Desk,
) -> Result<Reply, CommandError> {
    let usage = |column, expected| CommandError::Usage { column, expected, command: "search" };
    let column = words.column();
    match words.word().unwrap_or("list") {
        "new" => {
            let search = session.search.insert(Search::new(session.debugger.console()));
            Ok(Reply::text(possible(search)))
        }
        "snapshot" => {
            let name = words.word().ok_or(usage(words.column(), "a name for the snapshot"))?;
            let look = Search::new(session.debugger.console());
            session.snapshots.insert(name.to_owned(), look);
            Ok(Reply::text(format!("snapshot {name}: `search changed since {name}` compares with it")))
        }
        "snapshots" => {
            let names: Vec<&str> = session.snapshots.keys().map(String::as_str).collect();
            Ok(Reply::text(if names.is_empty() { "no snapshots".to_owned() } else { names.join("\n") }))
        }
        "list" => {
            let search = session.search.as_ref().ok_or(CommandError::NoSearch)?;
            Ok(Reply::text(listed(session, search, LISTED)))
        }
        word => {
            let criterion = criterion(session, word, words)?.ok_or(usage(column, EXPECTED))?;
            let since = if words.take("since") {
                let column = words.column();
                Some((column, words.word().ok_or(usage(column, "the name of a snapshot"))?))
            } else {
                None
            };
            if !words.is_empty() {
                return Err(usage(words.column(), "`since` and the name of a snapshot, or nothing"));
            }
            look(session, criterion, since)
        }
    }
}

/// What a byte is to meet; `None` if the word is no criterion.
fn criterion(
    session: &CommandSession,
    word: &str,
    words: &mut Words,
) -> Result<Option<Criterion>, CommandError> {
    let mut number = || -> Result<u8, CommandError> {
        Ok(words.value(&session.debugger.names(), &session.debugger.scene())? as u8)
    };
    Ok(Some(match word {
        "changed" => Criterion::Changed,
        "unchanged" => Criterion::Unchanged,
        "greater" => Criterion::Greater,
        "less" => Criterion::Less,
        "by" => Criterion::By(number()?),
        "=" | "==" => Criterion::Equal(number()?),
        "!=" => Criterion::Unequal(number()?),
        _ => return Ok(None),
    }))
}

/// Keeps what meets the criterion, compared with the last look or with a snapshot, whose column and
/// name are given.
fn look(
    session: &mut CommandSession,
    criterion: Criterion,
    since: Option<(usize, &str)>,
) -> Result<Reply, CommandError> {
    let older = match since {
        None => None,
        Some((column, name)) => {
            Some(session.snapshots.get(name).ok_or_else(|| CommandError::NoSnapshot {
                column,
                name: name.to_owned(),
                known: session.snapshots.keys().cloned().collect::<Vec<_>>().join(", "),
            })?)
        }
    };
    let search = session.search.as_mut().ok_or(CommandError::NoSearch)?;
    search.against(session.debugger.console(), older, criterion);
    let search = search.clone();
    Ok(Reply::text(listed(session, &search, LOOKED)))
}

fn possible(search: &Search) -> String {
    match search.candidates().len() {
        1 => "1 byte is possible".to_owned(),
        count => format!("{count} bytes are possible"),
    }
}

/// How many bytes are possible, and the first of them.
fn listed(session: &CommandSession, search: &Search, shown: usize) -> String {
    let found = search.candidates();
    let mut lines = vec![possible(search)];
    lines.extend(found.iter().take(shown).map(|&(address, value)| {
        format!("${address:04X} = ${value:02X} ({value})  {}", session.debugger.symbols.text(address))
    }));
    if found.len() > shown {
        lines.push(format!("… and {} more", found.len() - shown));
    }
    lines.join("\n")
}
