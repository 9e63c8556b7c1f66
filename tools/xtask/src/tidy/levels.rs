//! Who may call whom.

use super::Finding;
use anyhow::{Context, Result};
use first_run::workspace::Workspace;

/// Every crate of the workspace by folder, and its level (docs/ARCHITECTURE.md). An arrow points to
/// a lower level only, so that chips, which share one, cannot name each other.
const LEVELS: &[(&str, &str, u8)] = &[
    ("nes-clock", "crates/nes-clock", 0),
    ("nes-state", "crates/nes-state", 0),
    ("tetris", "crates/tetris", 0),
    ("nes-cpu", "crates/nes-cpu", 1),
    ("nes-ppu", "crates/nes-ppu", 1),
    ("nes-apu", "crates/nes-apu", 1),
    ("nes-cartridge", "crates/nes-cartridge", 1),
    ("nes-controller", "crates/nes-controller", 1),
    ("randomizers", "crates/randomizers", 1),
    ("fm2", "crates/fm2", 2),
    ("movies", "crates/movies", 3),
    ("nes", "crates/nes", 3),
    ("ai", "crates/ai", 3),
    ("value", "crates/value", 3),
    ("nes-conformance", "crates/nes-conformance", 4),
    ("nes-debug", "crates/nes-debug", 4),
    ("nes-script", "crates/script", 4),
    ("nes-testing", "crates/nes-testing", 4),
    ("training", "crates/training", 4),
    ("notation", "crates/notation", 4),
    ("autopilot", "crates/autopilot", 4),
    ("dap", "crates/dap", 5),
    ("draft", "crates/draft", 5),
    ("fonts", "crates/fonts", 0),
    ("recording", "crates/recording", 0),
    ("tty", "crates/tty", 5),
    ("practice", "crates/practice", 5),
    ("review", "crates/review", 5),
    ("netplay", "crates/netplay", 5),
    ("stream", "crates/stream", 5),
    ("nes-lua", "crates/lua", 5),
    ("maxout-prove", "tools/prove", 5),
    ("maxout-fceux", "tools/fceux", 5),
    ("emulator", "crates/emulator", 6),
    ("puzzle", "crates/puzzle", 6),
    ("desktop", "crates/desktop", 7),
    ("maxout-python", "crates/python", 7),
    ("web", "crates/web", 7),
    ("libretro", "crates/libretro", 7),
    ("maxout-tests", "tests", 7),
    ("first-run", "tools/first-run", 6),
    ("xtask", "tools/xtask", 7),
    ("maxout-bench", "tools/bench", 7),
    ("maxout-attack", "tools/attack", 7),
    ("maxout-overlays", "tools/overlays", 7),
    ("cli", "crates/cli", 8),
    ("research", "crates/research", 9),
    ("maxout", "crates/maxout", 10),
    ("maxout-bindgen", "tools/bindgen", 10),
    ("maxout-fuzz", "tools/fuzz", 10),
];

/// Arrows between equals that are wanted: scripts write files whole, and the stream's tests compare
/// its figures with those of practice and stream a match.
const WANTED: &[(&str, &str)] = &[("nes-lua", "draft"), ("stream", "netplay"), ("stream", "practice")];

/// The crate whose interface is in C: its lints deny unsafe code, and these files alone allow it.
const SPEAKS_C: &str = "libretro";
const IN_C: &str = "crates/libretro/src/ffi";

/// What tests of any level may use.
const FOR_TESTS: &str = "nes-testing";

/// The lowest level that may meet the outside world.
const OUTSIDE: u8 = 5;

/// Crates of that level and above that do not meet it either.
const INSIDE: &[&str] = &["emulator", "puzzle", "review"];

/// Crates in which the compiler sees to it: without `std` there is no file and no clock.
const WITHOUT_STD: &[&str] = &[
    "nes-clock",
    "nes-state",
    "nes-cpu",
    "nes-ppu",
    "nes-apu",
    "nes-cartridge",
    "nes-controller",
    "fm2",
    "nes",
    "nes-conformance",
];

/// What a front end's root allows; see clippy.toml.
const OUTSIDE_LINTS: [&str; 2] = ["disallowed_methods", "disallowed_types"];

/// Packages whose only use is the outside world.
const OUTSIDE_PACKAGES: &[&str] =
    &["rand", "rand_core", "getrandom", "fastrand", "chrono", "time", "tempfile", "directories", "dirs"];

/// A member of the workspace, as far as levels care.
pub(super) struct Crate {
    name: String,
    folder: String,
    manifest: String,
    /// Names, and whether each is an ordinary dependency (not `dev` or `build`).
    dependencies: Vec<(String, bool)>,
}

/// The workspace's members.
///
/// # Errors
/// When a manifest cannot be read.
pub(super) fn crates(workspace: &Workspace) -> Result<Vec<Crate>> {
    workspace
        .members()
        .map(|package| {
            let manifest = std::fs::read_to_string(&package.manifest_path)
                .with_context(|| format!("{} cannot be read", package.manifest_path.display()))?;
            let folder = package.folder();
            let folder = folder.strip_prefix(&workspace.root).unwrap_or(folder);
            Ok(Crate {
                name: package.name.clone(),
                folder: folder.to_string_lossy().replace('\\', "/"),
                manifest,
                dependencies: package
                    .dependencies
                    .iter()
                    .map(|dependency| (dependency.name.clone(), dependency.kind.is_none()))
                    .collect(),
            })
        })
        .collect()
}

/// Checks that a source below the front ends does not switch off what keeps the outside world out.
pub(super) fn check_source(path: &str, text: &str) -> Vec<Finding> {
    if path.starts_with("crates/libretro/src/") && !path.starts_with(IN_C) {
        let allowing = text.lines().enumerate().filter(|(_, line)| line.contains("unsafe_code"));
        let message = format!("{SPEAKS_C} has unsafe code in {IN_C}.rs alone");
        return allowing.map(|(index, _)| Finding::new(path, index + 1, message.clone())).collect();
    }
    let own = LEVELS.iter().find(|(_, folder, _)| path.starts_with(&format!("{folder}/src/")));
    let Some(&(name, folder, level)) = own.filter(|(name, _, level)| is_inside(name, *level)) else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if OUTSIDE_LINTS.iter().any(|lint| line.contains(lint)) {
            let message =
                format!("{name} (level {level}) may not allow this lint: the caller meets the outside world");
            findings.push(Finding::new(path, index + 1, message));
        }
    }
    let root = path == format!("{folder}/src/lib.rs");
    if root && WITHOUT_STD.contains(&name) && !text.contains("#![cfg_attr(not(test), no_std)]") {
        findings.push(Finding::new(
            path,
            0,
            format!("{name} is a crate without std: `#![cfg_attr(not(test), no_std)]`"),
        ));
    }
    findings
}

/// Returns whether a crate is kept from files, clocks and random sources.
fn is_inside(name: &str, level: u8) -> bool {
    level < OUTSIDE || INSIDE.contains(&name)
}

fn of_name(name: &str) -> Option<u8> {
    LEVELS.iter().find(|&&(crate_name, _, _)| crate_name == name).map(|&(_, _, level)| level)
}

/// Checks every crate's place and arrows, and that the map names it.
pub(super) fn check(crates: &[Crate], architecture: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in crates {
        let file = format!("{}/Cargo.toml", member.folder);
        let mut report = |needle: &str, message: String| {
            findings.push(Finding::new(&file, line_of(&member.manifest, needle), message));
        };
        let last = member.folder.rsplit('/').next().unwrap_or_default();
        if !architecture.contains(&format!("`{last}`"))
            && !architecture.contains(&format!("`{}`", member.folder))
        {
            report("name", format!("docs/ARCHITECTURE.md does not name `{last}`: say there what it holds"));
        }
        let own = member.name == SPEAKS_C && member.manifest.contains("[lints.rust]\nunsafe_code = \"deny\"");
        if !own && !member.manifest.contains("[lints]\nworkspace = true") {
            report(
                "[package]",
                "the workspace's lints do not apply: add `[lints]` with `workspace = true`".into(),
            );
        }
        let Some(level) = of_name(&member.name) else {
            report(
                "name",
                format!("{} has no level: add it to LEVELS in tools/xtask/src/tidy/levels.rs", member.name),
            );
            continue;
        };
        for (dependency, ordinary) in &member.dependencies {
            if let Some(below) = of_name(dependency) {
                let for_tests = dependency == FOR_TESTS && !ordinary;
                if below >= level && !for_tests && !WANTED.contains(&(&member.name, dependency)) {
                    let arrow =
                        format!("{} (level {level}) may not name {dependency} (level {below})", member.name);
                    report(dependency, format!("{arrow}: arrows point down; let the caller wire them"));
                }
            } else if *ordinary
                && is_inside(&member.name, level)
                && OUTSIDE_PACKAGES.contains(&dependency.as_str())
            {
                report(
                    dependency,
                    format!("{dependency} below level {OUTSIDE}: take the value as an argument"),
                );
            }
        }
    }
    findings
}

/// First line that begins with the needle, from 1.
fn line_of(text: &str, needle: &str) -> usize {
    text.lines().position(|line| line.trim_start().starts_with(needle)).map_or(0, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, folder: &str, dependencies: &[(&str, bool)]) -> Crate {
        let lines: Vec<String> = dependencies.iter().map(|(name, _)| format!("{name} = \"1\"")).collect();
        let lines = lines.join("\n");
        Crate {
            name: name.into(),
            folder: folder.into(),
            manifest: format!(
                "[package]\nname = \"{name}\"\n[lints]\nworkspace = true\n[dependencies]\n{lines}"
            ),
            dependencies: dependencies.iter().map(|&(name, ordinary)| (name.to_owned(), ordinary)).collect(),
        }
    }

    fn findings(member: Crate) -> Vec<String> {
        check(&[member], "`nes` `nes-cpu` `desktop` `maxout` `new`").iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_arrow_down_is_fine_and_an_arrow_up_names_its_line() {
        assert!(findings(member("nes", "crates/nes", &[("nes-cpu", true), ("bitflags", true)])).is_empty());
        let up = findings(member("nes-cpu", "crates/nes-cpu", &[("nes", true)]));
        assert_eq!(up.len(), 1);
        assert!(
            up[0].starts_with("crates/nes-cpu/Cargo.toml:6: nes-cpu (level 1) may not name nes (level 3)"),
            "{up:?}"
        );
    }

    #[test]
    fn one_crate_has_lints_of_its_own_and_unsafe_code_in_one_place() {
        let lints = "[package]\nname = \"libretro\"\n[lints.rust]\nunsafe_code = \"deny\"\n";
        let own = |manifest: &str| Crate {
            manifest: manifest.into(),
            ..member("libretro", "crates/libretro", &[])
        };
        let of = |member: Crate| check(&[member], "`libretro`").len();
        assert_eq!(of(own(lints)), 0);
        assert_eq!(of(own(&lints.replace("deny", "allow"))), 1);
        assert_eq!(of(Crate { name: "desktop".into(), ..own(lints) }), 1);
        let allow = "#![allow(unsafe_code)]\n";
        assert!(check_source("crates/libretro/src/ffi.rs", allow).is_empty());
        assert_eq!(check_source("crates/libretro/src/core.rs", allow).len(), 1);
        assert!(check_source("crates/libretro/src/core.rs", "fn safe() {}\n").is_empty());
    }

    #[test]
    fn a_chip_may_not_name_another_chip_even_for_its_tests() {
        assert_eq!(findings(member("nes-cpu", "crates/nes-cpu", &[("nes-ppu", false)])).len(), 1);
    }

    #[test]
    fn tests_of_any_level_may_use_the_crate_for_tests_and_chips_may_not() {
        assert!(findings(member("nes-cpu", "crates/nes-cpu", &[("nes-testing", false)])).is_empty());
        assert_eq!(findings(member("nes-cpu", "crates/nes-cpu", &[("nes-testing", true)])).len(), 1);
    }

    #[test]
    fn the_command_line_may_call_the_window_and_not_the_other_way_round() {
        assert!(findings(member("maxout", "crates/maxout", &[("desktop", true)])).is_empty());
        assert_eq!(findings(member("desktop", "crates/desktop", &[("maxout", true)])).len(), 1);
    }

    #[test]
    fn a_crate_without_a_level_is_a_finding() {
        assert!(findings(member("new", "crates/new", &[]))[0].contains("has no level"));
    }

    #[test]
    fn a_crate_that_the_map_does_not_name_is_a_finding() {
        assert!(findings(member("nes-apu", "crates/nes-apu", &[]))[0].contains("does not name `nes-apu`"));
    }

    #[test]
    fn randomness_is_for_tests_only_below_the_front_ends() {
        assert_eq!(findings(member("nes", "crates/nes", &[("rand", true)])).len(), 1);
        assert!(findings(member("nes", "crates/nes", &[("rand", false)])).is_empty());
    }

    #[test]
    fn a_crate_below_the_front_ends_cannot_let_the_outside_world_in() {
        let allows = "#![allow(clippy::disallowed_methods)]\n";
        assert_eq!(check_source("crates/ai/src/lib.rs", allows).len(), 1);
        assert!(check_source("crates/desktop/src/lib.rs", allows).is_empty());
        assert!(check_source("crates/ai/tests/it/main.rs", allows).is_empty());
    }

    #[test]
    fn a_chip_is_a_crate_without_std() {
        assert_eq!(check_source("crates/nes-cpu/src/lib.rs", "mod cpu;\n").len(), 1);
        assert!(check_source("crates/nes-cpu/src/lib.rs", "#![cfg_attr(not(test), no_std)]\n").is_empty());
        assert!(check_source("crates/nes-cpu/src/cpu.rs", "struct Cpu;\n").is_empty());
    }
}
