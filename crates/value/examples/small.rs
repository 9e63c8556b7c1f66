//! Writes networks as small ones of the same names into a folder, as `maxout ai value convert
//! --small` does one by one: for builds that have no `maxout` yet.
//!
//!     cargo run --release -p value --example small -- FOLDER NET…

#![allow(clippy::disallowed_methods, reason = "an example reads and writes")]

use std::path::Path;

use value::Net;

fn main() {
    let mut arguments = std::env::args_os().skip(1);
    let folder = arguments.next().expect("a folder, and networks after it");
    for path in arguments {
        let path = Path::new(&path);
        let bytes = std::fs::read(path).expect("a network that can be read");
        let (net, provenance) = Net::from_bytes(&bytes).expect("a network");
        let name = path.file_name().expect("a file");
        std::fs::write(Path::new(&folder).join(name), net.to_small_bytes(&provenance)).expect("room for it");
    }
}
