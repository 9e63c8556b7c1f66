//! Where the whole-machine tests find their ROMs.
//!
//! No ROM is in this repository. Public ones come with the pinned package `tetanes-core`, which
//! cargo has downloaded before a test runs; suites that no package brings are named by an
//! environment variable. Tests of the whole machine are a crate of their own because they need a
//! level above everything they test. A file that is missing is a failure by its name, never a test
//! that passes.
//!
//! ```
//! let image = maxout_tests::public_rom("cpu/nestest.nes");
//! assert_eq!(image[..4], *b"NES\x1A");
//! assert_eq!(image.len(), 24_592);
//! ```

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "a test reads its files")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const PACKAGE: &str = "tetanes-core";

/// The folder `test_roms` of the pinned package, as cargo has it on this machine.
///
/// # Panics
/// When cargo cannot say where the package is: there is nothing to test then.
pub fn public_roms() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let metadata = |offline: &[&str]| {
            Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
                .args(["metadata", "--format-version=1", "--all-features", "--manifest-path"])
                .arg(&manifest)
                .args(offline)
                .output()
        };
        let output = match metadata(&["--offline"]) {
            Ok(output) if output.status.success() => output,
            // Packages of other platforms may not have been downloaded.
            _ => metadata(&[]).expect("cargo metadata could not be started"),
        };
        assert!(
            output.status.success(),
            "cargo metadata failed: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let metadata: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
        let package = metadata["packages"]
            .as_array()
            .and_then(|packages| packages.iter().find(|package| package["name"] == PACKAGE));
        let manifest = package.and_then(|package| package["manifest_path"].as_str());
        let manifest =
            manifest.unwrap_or_else(|| panic!("no {PACKAGE} among the packages of tests/Cargo.toml"));
        Path::new(manifest).with_file_name("test_roms")
    })
}

/// The bytes of a ROM of the pinned package, named by its path in `test_roms`.
///
/// # Panics
/// When the file is not there.
pub fn public_rom(path: &str) -> Vec<u8> {
    read(&public_roms().join(path))
}

/// The folder or file that the environment variable `name` holds, for suites that no package
/// brings.
///
/// # Panics
/// When the variable is not set: the test was asked for by name, so it must not pass.
pub fn local(name: &str) -> PathBuf {
    std::env::var_os(name).map_or_else(|| panic!("set {name} to the path of the suite"), PathBuf::from)
}

/// The bytes of a file.
///
/// # Panics
/// When it cannot be read, with its name.
pub fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
