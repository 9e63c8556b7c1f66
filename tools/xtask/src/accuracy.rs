//! Under construction.
use crate::workspace::Workspace;
use anyhow::Result;
use std::process::ExitCode;
pub(crate) const DOCUMENT: &str = "docs/accuracy.md";
#[derive(clap::Args)]
pub(crate) struct Arguments {}
pub(crate) fn run(_: &Workspace, _: &Arguments) -> Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}
pub(crate) fn stale_document(_: &Workspace) -> Result<Option<String>> {
    Ok(None)
}
