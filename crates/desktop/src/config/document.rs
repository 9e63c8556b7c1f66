//! Settings as a TOML document: which keys there are, what they mean, and how a document is changed
//! without touching what else is in it.

use toml_edit::{DocumentMut, Item, Table, TableLike, Value};

use crate::config::settings::Settings;
use crate::config::table::{FILE_ONLY, RETIRED, TABLE};

/// Returns the keys of `found` that are no settings, with their places in the text.
pub(super) fn strangers(found: &Table) -> Vec<(String, usize)> {
    let mut unknown = vec![];
    compare(found, canon(&Settings::default()).as_table(), "", &mut unknown);
    unknown
}

fn compare(found: &dyn TableLike, known: &dyn TableLike, path: &str, unknown: &mut Vec<(String, usize)>) {
    for (key, item) in found.iter() {
        let path = join(path, key);
        if RETIRED.contains(&path.as_str()) {
            continue;
        }
        let Some(known) = known.get(key) else {
            let place = found.key(key).and_then(toml_edit::Key::span);
            unknown.push((path, place.or(item.span()).map_or(0, |place| place.start)));
            continue;
        };
        for (found, known) in tables(item).into_iter().zip(tables(known)) {
            compare(found, known, &path, unknown);
        }
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.into() } else { format!("{path}.{key}") }
}

/// Returns the tables that `item` is, or is a list of.
fn tables(item: &Item) -> Vec<&dyn TableLike> {
    if let Some(table) = item.as_table_like() {
        return vec![table];
    }
    let of_tables = item.as_array_of_tables().into_iter().flatten().map(|table| table as &dyn TableLike);
    let of_values = item.as_array().into_iter().flatten();
    let inline = of_values.filter_map(Value::as_inline_table).map(|table| table as &dyn TableLike);
    of_tables.chain(inline).collect()
}

/// `settings` as TOML, lists of tables as `[[tables]]`.
fn canon(settings: &Settings) -> DocumentMut {
    let mut document = toml_edit::ser::to_document(settings).unwrap_or_default();
    for (_, item) in document.iter_mut() {
        expand(item);
    }
    document
}

/// Values that are tables as tables with a line of their own, and numbers as short as they can be.
fn expand(item: &mut Item) {
    let old = std::mem::take(item);
    *item = match old {
        Item::Value(Value::InlineTable(table)) => Item::Table(table.into_table()),
        Item::Value(Value::Array(list)) if !list.is_empty() && list.iter().all(Value::is_inline_table) => {
            Item::ArrayOfTables(
                list.into_iter()
                    .filter_map(|value| value.as_inline_table().cloned())
                    .map(toml_edit::InlineTable::into_table)
                    .collect(),
            )
        }
        Item::Value(Value::Float(number)) => {
            // Settings are single precision: 0.1 is not 0.10000000149.
            let short = (*number.value() as f32).to_string().parse().unwrap_or(*number.value());
            toml_edit::value(short)
        }
        other => other,
    };
    match item {
        Item::Table(table) => table.iter_mut().for_each(|(_, item)| expand(item)),
        Item::ArrayOfTables(list) => {
            list.iter_mut().for_each(|table| table.iter_mut().for_each(|(_, item)| expand(item)));
        }
        _ => {}
    }
}

/// `text`, which says `old`, changed to say `new`. With `all`, what is as it was is written down
/// too.
pub(super) fn edited(text: &str, old: &Settings, new: &Settings, all: bool) -> String {
    let Ok(mut document) = text.parse::<DocumentMut>() else { return text.to_owned() };
    let (old, new) = (canon(old), canon(new));
    change(document.as_table_mut(), old.as_table(), new.as_table(), "", all);
    let head =
        "# Maxout's settings. The menus write this file, and you may edit it. It is read at startup.\n";
    format!("{}{document}", if all { head } else { "" })
}

fn change(target: &mut dyn TableLike, old: &Table, new: &Table, path: &str, all: bool) {
    for (key, item) in new {
        let path = join(path, key);
        let before = old.get(key);
        let same = before.is_some_and(|before| equal(before, item));
        if same && !all {
            continue;
        }
        match (target.get_mut(key), item) {
            (Some(target), Item::Table(new)) if target.is_table_like() => {
                if let (Some(target), Some(Item::Table(old))) = (target.as_table_like_mut(), before) {
                    change(target, old, new, &path, all);
                }
            }
            (Some(Item::ArrayOfTables(target)), Item::ArrayOfTables(new)) if target.len() == new.len() => {
                let old = before.and_then(Item::as_array_of_tables).into_iter().flatten();
                for ((target, new), old) in target.iter_mut().zip(new).zip(old) {
                    change(target, old, new, &path, all);
                }
            }
            (Some(target), _) => {
                let decor = target.as_value().map(|value| value.decor().clone());
                *target = item.clone();
                if let (Some(decor), Some(value)) = (decor, target.as_value_mut()) {
                    *value.decor_mut() = decor;
                }
            }
            (None, Item::Table(new)) => {
                let mut table = Table::new();
                table.decor_mut().set_prefix(format!("\n{}", comment(&path)));
                if let Some(Item::Table(old)) = before {
                    change(&mut table, old, new, &path, all);
                }
                target.insert(key, Item::Table(table));
            }
            (None, _) => {
                let mut item = item.clone();
                explain(&mut item, &path);
                let is_value = item.is_value();
                target.insert(key, item);
                if let Some(mut key) = target.key_mut(key)
                    && is_value
                {
                    key.leaf_decor_mut().set_prefix(comment(&path));
                }
            }
        }
    }
}

/// Returns whether two items of [`canon`] say the same.
fn equal(one: &Item, other: &Item) -> bool {
    let same = |one: &Table, other: &Table| {
        one.len() == other.len()
            && one.iter().all(|(key, item)| other.get(key).is_some_and(|other| equal(item, other)))
    };
    match (one, other) {
        (Item::Table(one), Item::Table(other)) => same(one, other),
        (Item::ArrayOfTables(one), Item::ArrayOfTables(other)) => {
            one.len() == other.len() && one.iter().zip(other.iter()).all(|(one, other)| same(one, other))
        }
        _ => one.to_string() == other.to_string(),
    }
}

/// Puts the meanings above all keys in `item`, which is new.
fn explain(item: &mut Item, path: &str) {
    let line = comment(path);
    match item {
        Item::Table(table) => {
            table.decor_mut().set_prefix(format!("\n{line}"));
            explain_keys(table, path);
        }
        Item::ArrayOfTables(list) => {
            for (number, table) in list.iter_mut().enumerate() {
                table.decor_mut().set_prefix(format!(
                    "\n{}# Player {}\n",
                    if number == 0 { &line } else { "" },
                    number + 1
                ));
                explain_keys(table, path);
            }
        }
        _ => {}
    }
}

fn explain_keys(table: &mut Table, path: &str) {
    for (mut key, item) in table.iter_mut() {
        let path = join(path, key.get());
        let line = comment(&path);
        if item.is_value() && !line.is_empty() {
            key.leaf_decor_mut().set_prefix(line);
        }
        explain(item, &path);
    }
}

fn comment(path: &str) -> String {
    let rows = TABLE.iter().map(|row| (row.key, row.help));
    let help =
        FILE_ONLY.iter().copied().chain(rows).find(|(key, _)| *key == path).map_or("", |(_, help)| help);
    help.lines().flat_map(|line| ["# ", line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(table: &dyn TableLike, path: &str, all: &mut Vec<String>) {
        for (key, item) in table.iter() {
            let path = join(path, key);
            if !all.contains(&path) {
                all.push(path.clone());
            }
            for table in tables(item) {
                keys(table, &path, all);
            }
        }
    }

    #[test]
    fn every_key_is_explained_and_no_other() {
        let mut found = vec![];
        keys(canon(&Settings::default()).as_table(), "", &mut found);
        // What is bound to a button explains itself.
        found.retain(|key| {
            !["input.players.keys.", "input.players.pad.", "input.actions.keys.", "input.actions.pad."]
                .iter()
                .any(|table| key.starts_with(table))
        });
        let rows = TABLE.iter().map(|row| row.key);
        let mut explained: Vec<&str> = FILE_ONLY.iter().map(|(key, _)| *key).chain(rows).collect();
        found.sort();
        explained.sort_unstable();
        explained.dedup(); // the channels share a key
        assert_eq!(found, explained);
    }
}
