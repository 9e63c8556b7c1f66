//! Nets of the player for points: those that are named, those of the settings, or those that came
//! with the program.

use std::env;
use std::path::{Path, PathBuf};

use ::value::Nets;

use crate::ai::value::read_nets;
use crate::error::Error;

/// The nets of a session, and what to warn of: nets that nobody named on the command line are no
/// reason not to play.
///
/// # Errors
/// When those that are named cannot be read.
#[cfg(feature = "window")]
pub(crate) fn for_session(named: &[PathBuf], set: &Path) -> Result<(Nets, Option<String>), Error> {
    if !named.is_empty() {
        return Ok((read_nets(named)?.0, None));
    }
    let Some(path) = unnamed(set) else { return Ok((Nets::default(), None)) };
    Ok(match read_nets(&[path]) {
        Ok((nets, _)) => (nets, None),
        Err(error) => (Nets::default(), Some(format!("the computer plays without nets: {error}"))),
    })
}

/// Finds the nets that no argument names: those of the settings, or of the package.
fn unnamed(set: &Path) -> Option<PathBuf> {
    let set = (!set.as_os_str().is_empty()).then(|| set.to_owned());
    set.or_else(|| beside(&env::current_exe().ok()?))
}

/// Returns the nets by which a command rates placements, and a hash of each: none of nets that are
/// not there. Nets that were found but cannot be read are told on standard error.
///
/// # Errors
/// When those that are named cannot be read.
pub(crate) fn for_rating(named: &[PathBuf]) -> Result<(Nets, Vec<String>), Error> {
    if !named.is_empty() {
        return read_nets(named);
    }
    let Some(path) = unnamed(&of_settings()) else { return Ok((Nets::default(), Vec::new())) };
    Ok(read_nets(&[path]).unwrap_or_else(|error| {
        tty::tell!("warning: rated without nets: {error}");
        (Nets::default(), Vec::new())
    }))
}

/// Returns the setting `tetris.nets` of the player.
#[cfg(feature = "window")]
fn of_settings() -> PathBuf {
    let options = desktop::Options::new("", Vec::new()).in_folders(desktop::Folders::of_player());
    options.settings.tetris.nets
}

/// A program without a window has no settings.
#[cfg(not(feature = "window"))]
fn of_settings() -> PathBuf {
    PathBuf::new()
}

/// Where the packages have their nets: in the program's own folder, as on Windows, or in the
/// `share` of its prefix.
fn beside(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?;
    let prefix = folder.parent().map(|prefix| prefix.join("share/maxout/nets"));
    [Some(folder.join("nets")), prefix].into_iter().flatten().find(|path| path.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nets of the repository.
    const NETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../value/nets");

    fn count(nets: &Nets) -> usize {
        nets.iter().flatten().count()
    }

    #[cfg(feature = "window")]
    #[test]
    fn nets_that_are_named_go_before_those_of_the_settings_and_must_be_there() {
        let nowhere = Path::new("no/such/nets");
        let (nets, warning) = for_session(&[NETS.into()], nowhere).unwrap();
        assert_eq!((count(&nets), warning), (4, None));
        assert!(for_session(&[nowhere.into()], Path::new(NETS)).is_err());
        let (nets, warning) = for_session(&[], Path::new(NETS)).unwrap();
        assert_eq!((count(&nets), warning), (4, None));
        let (nets, warning) = for_session(&[], nowhere).unwrap();
        assert!(count(&nets) == 0 && warning.unwrap().contains("no/such/nets"));
    }

    #[test]
    fn packages_have_their_nets_beside_the_program_or_below_its_prefix() {
        let root = tempfile::tempdir().unwrap();
        let program = root.path().join("bin/maxout");
        assert_eq!(beside(&program), None);
        let shared = root.path().join("share/maxout/nets");
        std::fs::create_dir_all(&shared).unwrap();
        assert_eq!(beside(&program), Some(shared));
        let own = root.path().join("bin/nets");
        std::fs::create_dir_all(&own).unwrap();
        assert_eq!(beside(&program), Some(own));
    }
}
