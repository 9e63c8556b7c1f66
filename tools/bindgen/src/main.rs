//! Writes a module of the crate `web` as JavaScript takes it, with its script and types beside it:
//! `maxout-bindgen MODULE FOLDER`. `cargo xtask web` builds and runs it.

#![allow(clippy::disallowed_methods, reason = "a program reads its arguments")]

use anyhow::{Context as _, Result};
use std::env::args_os;
use std::path::PathBuf;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = args_os().skip(1).map(PathBuf::from);
    let usage = "expected a module and a folder";
    let (module, folder) = (arguments.next().context(usage)?, arguments.next().context(usage)?);
    let mut bindgen = Bindgen::new();
    bindgen.web(true)?.typescript(true).out_name("maxout").input_path(module);
    bindgen.remove_name_section(true).remove_producers_section(true);
    // The script finds the module beside itself, unless it is told of another.
    bindgen.omit_default_module_path(false);
    bindgen.generate(folder)
}
