//! The licences of what is inside the program: every package that it is linked from, and the texts
//! of their licences as they lie in the packages.
//!
//! cargo-about 0.9 was tried instead, with `ignore-build-dependencies` and without the network. It
//! takes the licences of files from their text, 201 of them in this program, and writes them by a
//! template. It leaves out Lua's, whose sources come by a package that is built for the build, the
//! SIL Open Font License of the fonts, and the notices beside licences, all of which have to go
//! with the program. It would also be a tool to build first, and a run of it took 137 s of
//! processor time.

use anyhow::{Context, Result, bail};
use first_run::workspace::Workspace;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Beginnings of the names of files that hold a licence or what has to be said with it.
const NAMES: &[&str] = &["licen", "copying", "copyright", "notice", "unlicense", "ofl", "ufl"];

/// Packages that are built for the build and end up in the program all the same: sources in C.
const COMPILED_IN: &str = "-src";

/// Licences that do not ask for their text in a program; Boost's asks for it with sources only.
const WITHOUT_TEXT: &[&str] = &["0BSD", "BSL-1.0", "CC0-1.0", "Unlicense"];

/// What cargo says of a build.
#[derive(Deserialize)]
pub(super) struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

/// A package of it.
#[derive(Deserialize)]
pub(super) struct Package {
    id: String,
    pub(super) name: String,
    pub(super) version: String,
    pub(super) license: Option<String>,
    repository: Option<String>,
    /// Where it comes from; nowhere else if it is ours.
    pub(super) source: Option<String>,
    manifest_path: PathBuf,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Arrow>,
}

#[derive(Deserialize)]
struct Arrow {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    kind: Option<String>,
}

/// The text of the notices of a package of ours, built with these features for a target.
///
/// # Errors
/// When cargo cannot say what the program is linked from, or a package has neither a text nor a
/// licence with a known one.
pub(crate) fn text(workspace: &Workspace, package: &str, features: &[&str], target: &str) -> Result<String> {
    let metadata = metadata(workspace, features, target)?;
    let packages = sorted(&metadata, package)?;

    let mut out = String::from(
        "Maxout is under MIT or Apache-2.0, as you like. The program holds packages of others, each under the licence\n\
         that is named. The texts follow, each with the packages that it comes from. Rust's standard library, which is\n\
         under MIT or Apache-2.0, is in the program as well (https://www.rust-lang.org).\n\n",
    );
    // A text, and who brings it. Line ends and spaces at the end of a line do not make two texts of
    // one.
    let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let (ours, packages): (Vec<_>, Vec<_>) =
        packages.into_iter().partition(|package| package.source.is_none());
    for package in ours {
        // Fonts that lie in a package of ours.
        let assets = package.manifest_path.parent().context("a manifest without a folder")?.join("assets");
        for text in if assets.is_dir() { licences(&assets)? } else { vec![] } {
            let name = format!("fonts of {}", package.name);
            let _ = writeln!(out, "{name}: OFL-1.1");
            texts.entry(text.trim().to_owned()).or_default().insert(name);
        }
    }
    for package in packages {
        let Package { name, version, license, repository, .. } = package;
        let license = license.as_deref().unwrap_or("see below");
        let _ = writeln!(out, "{name} {version}: {license} ({})", repository.as_deref().unwrap_or("-"));
        let mut found = licences(package.manifest_path.parent().context("a manifest without a folder")?)?;
        if found.is_empty() && !WITHOUT_TEXT.contains(&license) {
            found.push(standard(&workspace.root, license).with_context(|| {
                format!("{name} {version} ({license}) has no text of its licence, and none is known here")
            })?);
        }
        for text in found {
            let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
            let holders = texts.entry(lines.join("\n").trim_matches('\n').to_owned()).or_default();
            holders.insert(format!("{name} {version}"));
        }
    }
    for (text, holders) in texts {
        let holders: Vec<String> = holders.into_iter().collect();
        let _ = write!(out, "\n{}\n{}\n\n{text}\n", "=".repeat(80), holders.join(", "));
    }
    Ok(out)
}

/// What cargo says of a build with these features for a target.
///
/// # Errors
/// When it cannot be run, fails, or prints what is not understood.
pub(super) fn metadata(workspace: &Workspace, features: &[&str], target: &str) -> Result<Metadata> {
    let output = workspace
        .cargo(&["metadata", "--format-version=1", "--locked", "--filter-platform", target])
        .args(features)
        .output()
        .context("cargo metadata could not be started")?;
    if !output.status.success() {
        bail!("cargo metadata failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    serde_json::from_slice(&output.stdout).context("cargo metadata printed something unexpected")
}

/// The packages that a package of ours is linked from, by name and version.
///
/// # Errors
/// When cargo does not describe one of them.
pub(super) fn sorted<'a>(metadata: &'a Metadata, ours: &str) -> Result<Vec<&'a Package>> {
    let mut packages = inside(metadata, ours)?;
    packages.sort_by_key(|package| (&package.name, &package.version));
    Ok(packages)
}

/// The packages that a package of ours is linked from, ours among them.
fn inside<'a>(metadata: &'a Metadata, ours: &str) -> Result<Vec<&'a Package>> {
    let nodes: HashMap<&str, &Node> =
        metadata.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
    let packages: HashMap<&str, &Package> =
        metadata.packages.iter().map(|package| (package.id.as_str(), package)).collect();
    let root = metadata.packages.iter().find(|package| package.name == ours && package.source.is_none());
    let root = root.with_context(|| format!("{ours} is no package of this workspace"))?;
    let mut open = vec![root.id.as_str()];
    let mut seen: BTreeSet<&str> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        let node = nodes.get(id).with_context(|| format!("cargo names {id} and does not describe it"))?;
        for arrow in &node.deps {
            let package = packages[arrow.pkg.as_str()];
            let linked = arrow.dep_kinds.iter().any(|kind| match kind.kind.as_deref() {
                None => true,
                Some("build") => package.name.ends_with(COMPILED_IN),
                Some(_) => false,
            });
            if linked && seen.insert(&arrow.pkg) {
                open.push(&arrow.pkg);
            }
        }
    }
    Ok(seen.iter().map(|id| packages[id]).collect())
}

/// The texts of licences in a package: of its own folder, and of those two below it, where fonts
/// and sources in C have theirs.
fn licences(folder: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    let mut folders = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let entries = folder.read_dir().with_context(|| format!("{} cannot be read", folder.display()))?;
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
        paths.sort();
        for path in paths {
            let name =
                path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
            if path.is_dir() && depth < 2 && !matches!(name.as_str(), "tests" | "examples" | "benches") {
                folders.push((path, depth + 1));
            } else if path.is_file() && is_licence(&name) {
                texts.push(String::from_utf8_lossy(&std::fs::read(&path)?).into_owned());
            }
        }
    }
    Ok(texts)
}

/// Is this the name of a text that belongs to a licence? In small letters.
fn is_licence(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let source = matches!(extension, "rs" | "c" | "h" | "toml" | "py" | "html" | "json" | "yml");
    !source && NAMES.iter().any(|beginning| name.starts_with(beginning))
}

/// The text of a licence for packages that bring none: of those that they may be had under, the
/// first that is known.
fn standard(root: &Path, license: &str) -> Option<String> {
    let words: Vec<&str> = license.split(|letter: char| " /()".contains(letter)).collect();
    let file = match () {
        () if words.contains(&"AND") => return None,
        () if words.contains(&"Apache-2.0") => "LICENSE-APACHE",
        () if words.contains(&"MIT") => "LICENSE-MIT",
        () => return None,
    };
    let text = std::fs::read_to_string(root.join(file)).ok()?;
    // Whose it is, the line above the texts says: the copyright of ours is not theirs.
    Some(text.lines().filter(|line| !line.starts_with("Copyright (c)")).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_licences_are_known() {
        for name in ["license", "license-mit", "licence.md", "copying", "notice.txt", "ofl.txt", "unlicense"]
        {
            assert!(is_licence(name), "{name}");
        }
        for name in ["readme.md", "license.rs", "src", "copyright.h", "cargo.toml"] {
            assert!(!is_licence(name), "{name}");
        }
    }

    #[test]
    fn what_is_linked_is_inside_and_what_only_builds_or_tests_is_not() -> Result<()> {
        let package = |name: &str, source: &str| {
            format!(
                r#"{{"id": "{name}", "name": "{name}", "version": "1", "license": "MIT", "repository": null,
                   "source": {source}, "manifest_path": "{name}/Cargo.toml"}}"#
            )
        };
        let names = ["linked", "builds", "lua-src", "tests", "deep"];
        let packages: Vec<String> = std::iter::once(package("maxout", "null"))
            .chain(names.iter().map(|name| package(name, r#""registry""#)))
            .collect();
        let arrow = |to: &str, kind: &str| format!(r#"{{"pkg": "{to}", "dep_kinds": [{{"kind": {kind}}}]}}"#);
        let arrows = [
            arrow("linked", "null"),
            arrow("builds", r#""build""#),
            arrow("lua-src", r#""build""#),
            arrow("tests", r#""dev""#),
        ];
        let node = |id: &str, deps: String| format!(r#"{{"id": "{id}", "deps": [{deps}]}}"#);
        let mut nodes = vec![node("maxout", arrows.join(",")), node("linked", arrow("deep", "null"))];
        nodes.extend(["builds", "lua-src", "tests", "deep"].map(|id| node(id, String::new())));
        let json = format!(
            r#"{{"packages": [{}], "resolve": {{"nodes": [{}]}}}}"#,
            packages.join(","),
            nodes.join(",")
        );
        let metadata: Metadata = serde_json::from_str(&json)?;
        let mut inside: Vec<&str> =
            inside(&metadata, "maxout")?.iter().map(|package| package.name.as_str()).collect();
        inside.sort_unstable();
        assert_eq!(inside, ["deep", "linked", "lua-src", "maxout"]);
        Ok(())
    }

    #[test]
    fn the_fonts_of_the_window_bring_their_licence() -> Result<()> {
        let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/fonts/assets");
        let texts = licences(&assets)?;
        assert!(texts.iter().any(|text| text.contains("SIL Open Font License")), "{} texts", texts.len());
        Ok(())
    }

    #[test]
    fn a_package_without_a_text_gets_the_one_that_it_names() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let text = standard(&root, "MIT OR Apache-2.0").expect("a text");
        assert!(text.contains("Apache License"), "{text}");
        let text = standard(&root, "MIT").expect("a text");
        assert!(text.contains("WITHOUT WARRANTY") && !text.contains("Maxout"), "{text}");
        assert_eq!(standard(&root, "MPL-2.0"), None);
        assert_eq!(standard(&root, "MIT AND BSD-3-Clause"), None);
    }
}
