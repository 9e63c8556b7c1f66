//! What the documents say of the lines, against the lines.

use std::collections::BTreeSet;

use serde_json::Value;
use stream::Source;
use tetris::events::Record;

use crate::rig::{Game, IMAGES, hub, value};

const EVENTS: &str = include_str!("../../../../docs/events.md");

/// The samples of the page, one a line.
fn samples() -> Vec<&'static str> {
    let (_, rest) = EVENTS.split_once("## A sample of each line").expect("the chapter");
    let block = rest.split("```json\n").nth(1).and_then(|block| block.split("```").next());
    block.expect("a block of samples").lines().collect()
}

/// Is a value what a schema of `root` says, in the words that these schemas use?
fn fits(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{what}: {value}"));
    if let Some(path) = schema["$ref"].as_str() {
        let name = path.rsplit('/').next().expect("a name");
        fits(root, &root["$defs"][name], value)?;
    }
    if schema.get("const").is_some_and(|only| only != value) {
        return wrong("another constant");
    }
    if schema["enum"].as_array().is_some_and(|values| !values.contains(value)) {
        return wrong("none of the names");
    }
    let types = match &schema["type"] {
        Value::String(name) => vec![name.as_str()],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => vec![],
    };
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        other => panic!("{other}"),
    };
    if !types.is_empty() && !types.into_iter().any(is) {
        return wrong("another type");
    }
    for name in ["anyOf", "oneOf"] {
        let Some(choices) = schema[name].as_array() else { continue };
        let found: Vec<_> = choices.iter().map(|choice| fits(root, choice, value)).collect();
        if !found.iter().any(Result::is_ok) {
            return Err(format!("{name}: {found:?}"));
        }
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.get(name).is_none() {
            return wrong(&format!("no {name}"));
        }
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        value.get(name).map_or(Ok(()), |value| fits(root, schema, value))?;
    }
    if let Some(values) = value.as_array().filter(|_| schema.get("items").is_some()) {
        values.iter().try_for_each(|value| fits(root, &schema["items"], value))?;
        let bound = |name: &str| schema[name].as_u64();
        let length = values.len() as u64;
        if bound("minItems").is_some_and(|least| length < least)
            || bound("maxItems").is_some_and(|most| length > most)
        {
            return wrong("another length");
        }
    }
    Ok(())
}

#[test]
fn schema_and_types_in_the_documents_are_those_of_the_structs() {
    let schema = serde_json::to_string_pretty(&stream::schema()).unwrap() + "\n";
    let again = "cargo run -p stream --example schema -- docs";
    assert!(schema == include_str!("../../../../docs/stream.schema.json"), "{again}");
    assert!(stream::typescript() == include_str!("../../../../docs/stream.d.ts"), "{again}");
}

#[test]
fn every_line_of_a_game_fits_the_schema() {
    let schema = stream::schema();
    for image in IMAGES {
        let (mut game, mut source) = (Game::new(image, 1, 9), Source::default());
        let mut kinds = BTreeSet::new();
        for _ in 0..2_500 {
            for line in source.observe(&game.frame()).lines {
                let line = value(&line.json());
                kinds.insert(line["event"].as_str().expect("a name").to_owned());
                fits(&schema, &schema, &line).unwrap_or_else(|error| panic!("{line}: {error}"));
            }
        }
        assert!(kinds.len() > 8, "{kinds:?}");
        let hello = value(&hub(2).hello());
        assert_eq!(fits(&schema, &schema, &hello), Ok(()));
    }
    for wrong in [
        r#"{"player":1,"frame":1,"ms":17,"event":"spwan"}"#,
        r#"{"player":1,"frame":1,"ms":17,"event":"level"}"#,
        r#"{"player":1,"frame":1,"ms":17,"event":"level","level":"9"}"#,
        r#"{"frame":1,"ms":17,"event":"level","level":9}"#,
    ] {
        assert!(fits(&schema, &schema, &value(wrong)).is_err(), "{wrong}");
    }
}

#[test]
fn the_page_has_a_sample_of_each_line() {
    let schema = stream::schema();
    let all = stream::known_event("nothing").unwrap_err().to_string();
    let (_, names) = all.split_once("expected ").expect("the names");
    let expected: BTreeSet<&str> = names.split(", ").collect();
    let mut seen = BTreeSet::new();
    for sample in samples() {
        let line = value(sample);
        fits(&schema, &schema, &line).unwrap_or_else(|error| panic!("{sample}: {error}"));
        assert!(seen.insert(line["event"].as_str().expect("a name").to_owned()), "twice: {sample}");
        // An event of the game has every field, and no other.
        if let Ok(Record { frame, event }) = serde_json::from_str(sample) {
            let written = serde_json::to_string(&Record { frame, event }).unwrap();
            let fields = |line: &Value| line.as_object().expect("fields").len();
            assert_eq!(fields(&value(&written)) + 2, fields(&line), "{sample}");
        }
    }
    assert_eq!(seen.iter().map(String::as_str).collect::<BTreeSet<_>>(), expected);
}
