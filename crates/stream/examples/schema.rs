//! Writes JSON Schema and types of TypeScript of a stream's lines into a folder: `cargo run -p
//! stream --example schema -- docs`.

#![allow(clippy::disallowed_methods, reason = "it writes files")]

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("expected a folder")?);
    let schema = serde_json::to_string_pretty(&stream::schema())?;
    std::fs::write(folder.join("stream.schema.json"), schema + "\n")?;
    std::fs::write(folder.join("stream.d.ts"), stream::typescript())?;
    Ok(())
}
