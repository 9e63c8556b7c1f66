//! `maxout completions` and `maxout man`: the command line as shells and manual pages know it.

use std::path::PathBuf;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use draft::Draft;

use cli::error::{Error, writing};
use cli::output;

/// Print shell completions.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout completions bash > ~/.local/share/bash-completion/completions/maxout
  maxout completions zsh > ~/.zfunc/_maxout
  maxout completions fish > ~/.config/fish/completions/maxout.fish")]
pub(crate) struct Completions {
    shell: Shell,
}

/// Print the manual page, or write one page per command to a folder.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout man | man -l -
  maxout man ~/.local/share/man/man1")]
pub(crate) struct Manual {
    /// Folder for maxout.1, maxout-run.1 and so on; it is made if it is not there.
    folder: Option<PathBuf>,
}

pub(crate) fn completions(arguments: &Completions) -> Result<(), Error> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::Arguments::command(), "maxout", &mut script);
    output::bytes(&script)
}

pub(crate) fn manual(arguments: &Manual) -> Result<(), Error> {
    let mut command = crate::help::laid_out(crate::Arguments::command()).disable_help_subcommand(true);
    command.build();
    let Some(folder) = &arguments.folder else { return output::bytes(&page(&command).1) };
    std::fs::create_dir_all(folder).map_err(|error| writing(folder, error))?;
    let mut commands = vec![&command];
    while let Some(command) = commands.pop() {
        let (name, page) = page(command);
        Draft::write_file(&folder.join(name), &page)?;
        commands.extend(command.get_subcommands());
    }
    Ok(())
}

/// Whose page it is: a command of ours has no version of its own.
const SOURCE: &str = concat!("maxout ", env!("CARGO_PKG_VERSION"));

/// The name and the text of a command's page.
fn page(command: &clap::Command) -> (String, Vec<u8>) {
    let (man, mut text) = (Man::new(command.clone()).source(SOURCE), Vec::new());
    // Writing to memory does not fail.
    let _ = man.render(&mut text);
    (man.get_filename(), text)
}
