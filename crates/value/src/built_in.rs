//! The nets that come with the program.

use std::sync::{Arc, OnceLock};

use crate::evaluator::Nets;
#[cfg(feature = "built-in")]
use crate::format::Speed;

/// The files of the built-in nets and their speeds: one for each speed, the slowest first, those
/// for slow hands, and the one for duels. A static: a constant stands in the program once for each
/// crate that names it.
#[cfg(feature = "built-in")]
pub static BUILT_IN_NETS: [(Speed, &[u8]); 13] = [
    (Speed::L18, include_bytes!("../nets/l18.net")),
    (Speed::L19, include_bytes!("../nets/l19.net")),
    (Speed::L29, include_bytes!("../nets/l29.net")),
    (Speed::L39, include_bytes!("../nets/l39.net")),
    (Speed::L18, include_bytes!("../nets/l18-slow.net")),
    (Speed::L18, include_bytes!("../nets/l18-slower.net")),
    (Speed::L19, include_bytes!("../nets/l19-slow.net")),
    (Speed::L19, include_bytes!("../nets/l19-slower.net")),
    (Speed::L29, include_bytes!("../nets/l29-24.net")),
    (Speed::L29, include_bytes!("../nets/l29-slow.net")),
    (Speed::L29, include_bytes!("../nets/l29-slower.net")),
    (Speed::L39, include_bytes!("../nets/l39-slow.net")),
    (Speed::L18, include_bytes!("../nets/l18-duel.net")),
];

/// Nets that are given, or the built-in ones, which are parsed when they are first asked for: none
/// without the feature `built-in`. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct NetSource {
    nets: Arc<OnceLock<Nets>>,
    /// Hashes of the files of nets that were given.
    hashes: Option<Arc<[String]>>,
}

impl NetSource {
    /// Returns the nets.
    pub fn get(&self) -> &Nets {
        self.nets.get_or_init(built_in)
    }

    /// Returns nets that were given, with the hashes of their files.
    pub fn named(nets: Nets, hashes: Vec<String>) -> Self {
        Self { hashes: Some(hashes.into()), ..nets.into() }
    }

    /// Returns the hashes of the nets' files, by which what they evaluated is known again; none if
    /// nobody knows them.
    pub fn hashes(&self) -> Vec<String> {
        self.hashes.as_ref().map_or_else(built_in_hashes, |hashes| hashes.to_vec())
    }
}

#[cfg(feature = "built-in")]
fn built_in() -> Nets {
    let read = |&(speed, bytes): &(Speed, &[u8])| Some((crate::net::Net::from_bytes(bytes).ok()?.0, speed));
    // A test sees that all can be read and none stands in another's place.
    crate::evaluator::assemble(BUILT_IN_NETS.iter().filter_map(read)).unwrap_or_default()
}

#[cfg(not(feature = "built-in"))]
fn built_in() -> Nets {
    Nets::default()
}

#[cfg(feature = "built-in")]
fn built_in_hashes() -> Vec<String> {
    BUILT_IN_NETS.iter().map(|(_, bytes)| format!("{:016x}", crate::net_hash(bytes))).collect()
}

#[cfg(not(feature = "built-in"))]
const fn built_in_hashes() -> Vec<String> {
    Vec::new()
}

impl From<Nets> for NetSource {
    fn from(nets: Nets) -> Self {
        Self { nets: Arc::new(OnceLock::from(nets)), hashes: Some([].into()) }
    }
}

#[cfg(all(test, feature = "built-in"))]
mod tests {
    use super::*;
    use crate::evaluator::for_duels;
    use crate::net::Net;

    #[test]
    fn the_built_in_nets_are_one_for_each_speed_and_parsed_only_when_asked_for() {
        let source = NetSource::default();
        assert!(source.nets.get().is_none());
        let other = source.clone();
        assert!(other.get().iter().all(Option::is_some) && source.nets.get().is_some());
        for (speed, bytes) in BUILT_IN_NETS {
            assert_eq!(Net::from_bytes(bytes).unwrap().1.speed, speed);
        }
        let beside: Vec<usize> = other.get().iter().flatten().map(|net| net.others.len()).collect();
        assert_eq!(beside, [3, 2, 3, 1]);
        assert_eq!(
            for_duels(other.get()).each_ref().map(|net| net.as_ref().unwrap().others.len()),
            [0, 2, 3, 1]
        );
        let given = NetSource::from(Nets::default());
        assert!(given.get().iter().all(Option::is_none) && given.hashes().is_empty());
        assert_eq!((source.hashes().len(), source.hashes()[0].len()), (13, 16));
        assert_eq!(NetSource::named(Nets::default(), vec!["a".into()]).hashes(), ["a"]);
    }
}
