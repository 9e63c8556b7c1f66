//! What may be inside: licences of dependencies that are in the list, from the registry and from
//! nowhere else. This part needs no data of others; `cargo deny check` (deny.toml) also asks for
//! advisories.

use super::Finding;
use first_run::workspace::Workspace;
use spdx::{Expression, Licensee, ParseMode};

/// Licences under which everybody may pass on a program that holds the package. They ask for their
/// text, which the notices of `cargo xtask dist` have; MPL-2.0 asks for the sources of its files as
/// well, which the registry has. CDLA-Permissive-2.0 is a licence of data: `webpki-roots` holds
/// Mozilla's list of root certificates.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MPL-2.0",
    "OFL-1.1",
    "Ubuntu-font-1.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// How cargo writes where packages of the registry come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// A package, as far as its licence goes.
struct Dependency<'a> {
    name: &'a str,
    license: Option<&'a str>,
    source: &'a str,
}

/// Checks every package that is not ours.
pub(super) fn check(workspace: &Workspace) -> Vec<Finding> {
    let dependencies = workspace.packages().filter_map(|package| {
        let source = package.source.as_deref()?;
        Some(Dependency { name: &package.name, license: package.license.as_deref(), source })
    });
    dependencies.filter_map(|dependency| complaint(&dependency)).collect()
}

fn complaint(dependency: &Dependency<'_>) -> Option<Finding> {
    let Dependency { name, license, source } = *dependency;
    let finding = |message: String| Some(Finding::new("Cargo.toml", 0, format!("{name}: {message}")));
    if source != REGISTRY {
        return finding(format!("it comes from {source}: take a released version from the registry"));
    }
    let Some(license) = license else {
        return finding("it names no licence: look for another package".to_owned());
    };
    match Expression::parse_mode(license, ParseMode::LAX) {
        Err(error) => finding(format!("its licence is not understood: {}", error.reason)),
        Ok(expression) => {
            let allowed: Vec<Licensee> =
                ALLOWED.iter().filter_map(|name| Licensee::parse(name).ok()).collect();
            let fits = expression.evaluate(|asked| allowed.iter().any(|licence| licence.satisfies(asked)));
            if fits { None } else { finding(format!("{license} is not allowed (tidy/licences.rs)")) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complains(license: Option<&str>, source: &str) -> bool {
        complaint(&Dependency { name: "package", license, source }).is_some()
    }

    #[test]
    fn every_name_in_the_list_is_a_licence() {
        for name in ALLOWED {
            assert!(Licensee::parse(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn one_of_several_licences_is_enough_and_all_of_them_are_wanted_where_all_hold() {
        for license in [
            "MIT",
            "MIT/Apache-2.0",
            "Apache-2.0 / MIT",
            "MIT OR GPL-3.0-only",
            "(MIT OR Apache-2.0) AND OFL-1.1 AND Ubuntu-font-1.0",
            "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
        ] {
            assert!(!complains(Some(license), REGISTRY), "{license}");
        }
        for license in ["GPL-3.0-only", "MIT AND GPL-3.0-only", "LGPL-2.1-or-later", "no licence"] {
            assert!(complains(Some(license), REGISTRY), "{license}");
        }
        assert!(complains(None, REGISTRY));
    }

    #[test]
    fn a_package_from_elsewhere_is_a_finding() {
        assert!(complains(Some("MIT"), "git+https://example.org/package"));
    }
}
