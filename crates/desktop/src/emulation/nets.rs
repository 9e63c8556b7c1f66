//! The nets of the repository, for tests.

use std::sync::Arc;

use autopilot::Nets;
use value::Net;

/// Returns the nets of all four speeds.
pub(crate) fn of_repository() -> Nets {
    let files: [&[u8]; 4] = [
        include_bytes!("../../../value/nets/l18.net"),
        include_bytes!("../../../value/nets/l19.net"),
        include_bytes!("../../../value/nets/l29.net"),
        include_bytes!("../../../value/nets/l39.net"),
    ];
    files.map(|bytes| Some(Arc::new(Net::from_bytes(bytes).unwrap().0)))
}
