//! What every line is, for programs that read them: JSON Schema and types of TypeScript, both from
//! the structs that are sent.

use std::fmt::Write;

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

use crate::board::Board;
use crate::line::{Hello, Line, Notice};

/// A line of a stream: one of these, told apart by `event`.
#[derive(JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "it is read for its schema alone")]
enum AnyLine<'a> {
    /// Of a player's game.
    Game(Line),
    /// The first one.
    Hello(Hello),
    /// Of a match.
    Match(Board),
    /// Of the stream itself.
    Stream(Notice<'a>),
}

/// Returns the JSON Schema (2020-12) of a line.
pub fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema: Value = settings.into_generator().into_root_schema_for::<AnyLine<'static>>().into();
    schema["title"] = "A line of a Maxout stream".into();
    schema
}

/// Returns the same as declarations of TypeScript.
pub fn typescript() -> String {
    let schema = schema();
    let mut text = String::from(
        "// The lines of a Maxout stream. Made from the structs that are sent: see docs/events.md.\n\n",
    );
    let of = |name: &str, schema: &Value| declaration(name, schema);
    text += &of("AnyLine", &schema);
    for (name, schema) in schema["$defs"].as_object().into_iter().flatten() {
        text += &of(name, schema);
    }
    text
}

fn declaration(name: &str, schema: &Value) -> String {
    format!("{}export type {} = {};\n\n", comment(schema, 0), named(name), of(schema, 0))
}

/// The name of a type: some are those of events.
fn named(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

/// The description of a schema as a comment.
fn comment(schema: &Value, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    match schema["description"].as_str() {
        Some(text) => format!("{indent}/** {} */\n", text.split_whitespace().collect::<Vec<_>>().join(" ")),
        None => String::new(),
    }
}

/// The type of a schema.
fn of(schema: &Value, depth: usize) -> String {
    let Some(fields) = schema.as_object() else { return "unknown".into() };
    let parts: Vec<String> = [
        fields.get("$ref").and_then(Value::as_str).map(|path| named(path.rsplit('/').next().unwrap_or(path))),
        fields.get("const").map(Value::to_string),
        fields
            .get("enum")
            .and_then(Value::as_array)
            .map(|values| either(values.iter().map(Value::to_string))),
        any_of(fields, depth),
        typed(fields, depth),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() { "unknown".into() } else { parts.join(" & ") }
}

fn either(values: impl Iterator<Item = String>) -> String {
    let values: Vec<_> = values.collect();
    if values.len() == 1 { values.concat() } else { format!("({})", values.join(" | ")) }
}

fn any_of(fields: &Map<String, Value>, depth: usize) -> Option<String> {
    let all = ["oneOf", "anyOf"].iter().filter_map(|name| fields.get(*name)?.as_array());
    let all: Vec<String> = all.map(|values| either(values.iter().map(|value| of(value, depth)))).collect();
    (!all.is_empty()).then(|| all.join(" & "))
}

/// The type that `type` says; none beside a constant, which says more.
fn typed(fields: &Map<String, Value>, depth: usize) -> Option<String> {
    if fields.contains_key("const") || fields.contains_key("enum") {
        return None;
    }
    let one = |name: &str| match name {
        "object" => object(fields, depth),
        "array" => array(fields, depth),
        "integer" | "number" => "number".to_owned(),
        other => other.to_owned(), // string, boolean and null are called alike
    };
    match fields.get("type")? {
        Value::String(name) => Some(one(name)),
        Value::Array(names) => Some(either(names.iter().filter_map(Value::as_str).map(one))),
        _ => None,
    }
}

fn array(fields: &Map<String, Value>, depth: usize) -> String {
    let item = fields.get("items").map_or_else(|| "unknown".into(), |item| of(item, depth));
    let bound = |name: &str| fields.get(name).and_then(Value::as_u64);
    match (bound("minItems"), bound("maxItems")) {
        (Some(least), Some(most)) if least == most && most <= 8 => {
            format!("[{}]", vec![item; most as usize].join(", "))
        }
        _ => format!("{item}[]"),
    }
}

fn object(fields: &Map<String, Value>, depth: usize) -> String {
    let required: Vec<&str> = fields
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let indent = "  ".repeat(depth + 1);
    let mut text = String::from("{\n");
    for (name, schema) in fields.get("properties").and_then(Value::as_object).into_iter().flatten() {
        text += &comment(schema, depth + 1);
        let optional = if required.contains(&name.as_str()) { "" } else { "?" };
        let plain = name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
        let key = if plain { name.clone() } else { format!("\"{name}\"") };
        // Writing into a string does not fail.
        let _ = writeln!(text, "{indent}{key}{optional}: {};", of(schema, depth + 1));
    }
    format!("{text}{}}}", "  ".repeat(depth))
}
