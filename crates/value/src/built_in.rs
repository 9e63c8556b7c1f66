//! The nets that come with the program.

use std::sync::{Arc, OnceLock};

use crate::judge::Nets;

/// The files of the built-in nets, one for each speed, the slowest first.
#[cfg(feature = "built-in")]
pub const BUILT_IN_NETS: [&[u8]; 4] = [
    include_bytes!("../nets/l18.net"),
    include_bytes!("../nets/l19.net"),
    include_bytes!("../nets/l29.net"),
    include_bytes!("../nets/l39.net"),
];

/// Nets that are given, or the built-in ones, which are parsed when they are first asked for: none
/// without the feature `built-in`. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct NetSource(Arc<OnceLock<Nets>>);

impl NetSource {
    /// Returns the nets.
    pub fn get(&self) -> &Nets {
        self.0.get_or_init(built_in)
    }
}

#[cfg(feature = "built-in")]
fn built_in() -> Nets {
    BUILT_IN_NETS.map(|bytes| crate::net::Net::from_bytes(bytes).ok().map(|(net, _)| Arc::new(net)))
}

#[cfg(not(feature = "built-in"))]
fn built_in() -> Nets {
    Nets::default()
}

impl From<Nets> for NetSource {
    fn from(nets: Nets) -> Self {
        Self(Arc::new(OnceLock::from(nets)))
    }
}

#[cfg(all(test, feature = "built-in"))]
mod tests {
    use super::*;
    use crate::format::Speed;
    use crate::net::Net;

    #[test]
    fn the_built_in_nets_are_one_for_each_speed_and_parsed_only_when_asked_for() {
        let source = NetSource::default();
        assert!(source.0.get().is_none());
        let other = source.clone();
        assert!(other.get().iter().all(Option::is_some) && source.0.get().is_some());
        for (speed, bytes) in Speed::ALL.into_iter().zip(BUILT_IN_NETS) {
            assert_eq!(Net::from_bytes(bytes).unwrap().1.speed, speed);
        }
        let given = NetSource::from(Nets::default());
        assert!(given.get().iter().all(Option::is_none));
    }
}
