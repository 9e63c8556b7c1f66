//! Nets of the player for points: those that are named, those of the settings, those that lie
//! beside the program, and otherwise those that are built in.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::value::{BUILT_IN_NETS, Net, NetSource, Nets, Provenance, assemble, net_hash};

use crate::error::{Error, reading, wrong};
use crate::image_file;

/// What the built-in nets and weights are called as arguments.
pub const BUILT_IN: &str = "built-in";

/// Why files are not the nets of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetsRefusal {
    /// A folder without nets.
    #[error("expected a net or a folder with .net files, found a folder without any")]
    None,
    /// Two nets for the same speed.
    #[error("a second net for {0:?} that learned from the same tap speed: expected one")]
    SameSpeed(::value::Speed),
}

/// A net of a file.
pub struct NetFile {
    /// The net.
    pub net: Arc<Net>,
    /// How it was trained.
    pub provenance: Provenance,
    /// FNV-1a of the whole file.
    pub hash: u64,
}

/// Reads the net of a file.
///
/// # Errors
/// When it cannot be read, or is no net.
pub fn read_net(path: &Path) -> Result<NetFile, Error> {
    let bytes = image_file::read(path)?;
    let (net, provenance) = Net::from_bytes(&bytes).map_err(|source| wrong(path)(source))?;
    Ok(NetFile { net: Arc::new(net), provenance, hash: net_hash(&bytes) })
}

/// The `.net` files of a folder, by name.
fn nets_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = folder.read_dir().map_err(|error| reading(folder, error))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "net") && path.is_file());
    files.sort();
    if files.is_empty() { Err(wrong(folder)(NetsRefusal::None)) } else { Ok(files) }
}

/// The nets of some files, and of all `.net` files of some folders, by the speeds and the tap
/// speeds that they say, and a hash of each.
///
/// # Errors
/// When one cannot be read, a folder has none, or two are for the same speed.
pub fn read_nets(paths: &[PathBuf]) -> Result<(Nets, Vec<String>), Error> {
    if let [only] = paths
        && only.as_os_str() == BUILT_IN
    {
        return Ok(built_in());
    }
    let (mut nets, mut hashes, mut last) = (Vec::new(), Vec::new(), PathBuf::new());
    for path in paths {
        for path in if path.is_dir() { nets_in(path)? } else { vec![path.clone()] } {
            let NetFile { net, provenance, hash } = read_net(&path)?;
            nets.push((Arc::unwrap_or_clone(net), provenance.speed));
            hashes.push(format!("{hash:016x}"));
            last = path;
        }
    }
    let nets = assemble(nets).map_err(|speed| wrong(&last)(NetsRefusal::SameSpeed(speed)))?;
    Ok((nets, hashes))
}

/// Returns the nets of a session, and a warning. Nets of the settings that cannot be read are no
/// reason not to play: the built-in ones are used. A speed without a net gets the built-in one.
///
/// # Errors
/// When those that are named cannot be read.
#[cfg(feature = "window")]
pub fn for_session(named: &[PathBuf], set: &Path) -> Result<(NetSource, Option<String>), Error> {
    let named = if named.is_empty() { None } else { Some(read_nets(named)?) };
    let found = named.map(Ok).or_else(|| unnamed(set).map(|path| read_nets(&[path])));
    Ok(match found {
        None => (NetSource::default(), None),
        Some(Ok(found)) => {
            let (nets, hashes) = completed(found);
            (NetSource::named(nets, hashes), None)
        }
        Some(Err(error)) => {
            (NetSource::default(), Some(format!("{error}; the computer plays by the built-in nets")))
        }
    })
}

/// Finds the nets that no argument names: those of the settings, or of a folder beside the program.
fn unnamed(set: &Path) -> Option<PathBuf> {
    let set = (!set.as_os_str().is_empty()).then(|| set.to_owned());
    set.or_else(|| beside(&env::current_exe().ok()?))
}

/// Returns the nets by which a command rates placements, one for each speed, and their hashes. A
/// speed without a net gets the built-in one. Nets that were found but cannot be read are reported
/// on standard error.
///
/// # Errors
/// When those that are named cannot be read.
pub fn for_rating(named: &[PathBuf]) -> Result<(Nets, Vec<String>), Error> {
    let found = if named.is_empty() {
        let found = unnamed(&of_settings()).map(|path| read_nets(&[path]));
        found.unwrap_or_else(|| Ok(Default::default())).unwrap_or_else(|error| {
            tty::tell!("warning: {error}; rated by the built-in nets");
            Default::default()
        })
    } else {
        read_nets(named)?
    };
    Ok(completed(found))
}

/// Returns the built-in nets and their hashes.
pub fn built_in() -> (Nets, Vec<String>) {
    completed(Default::default())
}

/// Returns nets and their hashes with the built-in net for each speed that has none.
fn completed((nets, mut hashes): (Nets, Vec<String>)) -> (Nets, Vec<String>) {
    for (speed, bytes) in BUILT_IN_NETS {
        if nets[speed as usize].is_none() {
            hashes.push(format!("{:016x}", net_hash(bytes)));
        }
    }
    if nets.iter().all(Option::is_some) {
        return (nets, hashes);
    }
    let mut built_in = NetSource::default().get().clone().into_iter();
    (nets.map(|net| net.or(built_in.next().flatten())), hashes)
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

/// Returns the folder of nets beside the program, if there is one: `nets` in its own folder, or
/// `share/maxout/nets` below its prefix.
fn beside(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?;
    let prefix = folder.parent().map(|prefix| prefix.join("share/maxout/nets"));
    [Some(folder.join("nets")), prefix].into_iter().flatten().find(|path| path.is_dir())
}

#[cfg(test)]
mod tests {
    use ::value::{Net, Outputs, Speed};

    use super::*;

    /// Returns a net as its file is read, with the taps for which it is asked.
    fn net_of_seed(seed: u64) -> Net {
        let net = Net::random(Outputs::usual(Speed::L19), seed);
        let (_, provenance) = Net::from_bytes(BUILT_IN_NETS[1].1).unwrap();
        Net::from_bytes(&net.to_bytes(&provenance)).unwrap().0
    }

    /// A folder with a net of level 19 alone.
    fn folder_of_one(net: &Net) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let (_, provenance) = Net::from_bytes(BUILT_IN_NETS[1].1).unwrap();
        std::fs::write(folder.path().join("own.net"), net.to_bytes(&provenance)).unwrap();
        folder
    }

    #[test]
    fn placements_are_rated_by_the_named_nets_and_at_other_speeds_by_the_built_in_ones() {
        let own = net_of_seed(7);
        let folder = folder_of_one(&own);
        let built_in = NetSource::default();
        let (nets, hashes) = for_rating(&[folder.path().into()]).unwrap();
        assert_eq!(nets[1].as_deref(), Some(&own));
        for speed in [0, 2, 3] {
            assert_eq!(nets[speed], built_in.get()[speed]);
        }
        // The built-in ones of level 19 are not asked beside the named one.
        let others = BUILT_IN_NETS.iter().filter(|(speed, _)| *speed != Speed::L19).count();
        assert_eq!(hashes.len(), 1 + others);
        assert!(for_rating(&["no/such/nets".into()]).is_err());
    }

    #[cfg(feature = "window")]
    #[test]
    fn nets_that_are_named_go_before_those_of_the_settings_and_those_before_the_built_in_ones() {
        let [named, set] = [net_of_seed(7), net_of_seed(8)];
        let folders = [&named, &set].map(folder_of_one);
        let [first, second] = [&folders[0], &folders[1]].map(tempfile::TempDir::path);
        let nowhere = Path::new("no/such/nets");
        let net_of = |named: &[PathBuf], set: &Path| {
            let (nets, warning) = for_session(named, set).unwrap();
            assert!(nets.get().iter().all(Option::is_some));
            (Net::clone(nets.get()[1].as_ref().unwrap()), warning)
        };
        assert_eq!(net_of(&[first.into()], second), (named, None));
        assert_eq!(net_of(&[], second), (set, None));
        let built_in = Net::clone(NetSource::default().get()[1].as_ref().unwrap());
        assert_eq!(net_of(&[], Path::new("")), (built_in.clone(), None));
        let (net, warning) = net_of(&[], nowhere);
        assert!(net == built_in && warning.unwrap().contains("no/such/nets"));
        assert!(for_session(&[nowhere.into()], second).is_err());
    }

    #[test]
    fn a_folder_of_nets_lies_beside_the_program_or_below_its_prefix() {
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
