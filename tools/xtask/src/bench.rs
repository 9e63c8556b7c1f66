//! Under construction.
use crate::workspace::Workspace;
use anyhow::Result;
use std::process::ExitCode;
#[derive(clap::Args)]
pub(crate) struct Arguments {}
pub(crate) fn run(_: &Workspace, _: &Arguments) -> Result<ExitCode> {
    Ok(ExitCode::SUCCESS)
}
