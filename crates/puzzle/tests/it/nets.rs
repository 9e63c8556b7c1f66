//! The nets of the repository.

use std::sync::Arc;

use value::{Net, Nets};

pub(crate) fn nets() -> Nets {
    let files: [&[u8]; 4] = [
        include_bytes!("../../../value/nets/l18.net"),
        include_bytes!("../../../value/nets/l19.net"),
        include_bytes!("../../../value/nets/l29.net"),
        include_bytes!("../../../value/nets/l39.net"),
    ];
    files.map(|bytes| Some(Arc::new(Net::from_bytes(bytes).unwrap().0)))
}
