//! Every package that a manifest asks for is named somewhere in the sources beside it.

use super::Finding;
use super::tree::File;
use first_run::workspace::Workspace;

/// Packages that are asked for and named nowhere, with the reason.
const WANTED: &[(&str, &str)] = &[
    // Its package has test ROMs, which are read as files.
    ("maxout-tests", "tetanes-core"),
    // Named for its version, which `url` takes over.
    ("netplay", "idna_adapter"),
];

/// Checks the manifests of all members.
pub(super) fn check(workspace: &Workspace, tree: &[File]) -> Vec<Finding> {
    let mut findings = vec![];
    for package in workspace.members() {
        let folder = package.folder().strip_prefix(&workspace.root).unwrap_or(package.folder());
        let folder = folder.to_string_lossy().replace('\\', "/") + "/";
        let sources = tree.iter().filter(|file| file.extension() == "rs" && file.path.starts_with(&folder));
        let sources: Vec<&str> = sources.filter_map(File::text).collect();
        let mut names: Vec<&str> = package.dependencies.iter().map(|asked| asked.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let identifier = identifier(workspace, name);
            let is_wanted = WANTED.contains(&(package.name.as_str(), name));
            if !is_wanted && !sources.iter().any(|source| names_it(source, &identifier)) {
                let file = format!("{folder}Cargo.toml");
                findings.push(Finding::new(
                    &file,
                    0,
                    format!("{name} is asked for and used nowhere: remove it"),
                ));
            }
        }
    }
    findings
}

/// What sources call a package: its library's name.
fn identifier(workspace: &Workspace, package: &str) -> String {
    let is_library = |kind: &[String]| kind.iter().any(|kind| kind.contains("lib") || kind == "proc-macro");
    let library = workspace
        .package(package)
        .ok()
        .and_then(|package| package.targets.iter().find(|target| is_library(&target.kind)))
        .map(|target| target.name.as_str());
    library.unwrap_or(package).replace('-', "_")
}

/// Does a source have this identifier, whole?
fn names_it(source: &str, identifier: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    source.match_indices(identifier).any(|(at, _)| {
        !source[..at].ends_with(is_part) && !source[at + identifier.len()..].starts_with(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_counts_where_it_is_whole() {
        assert!(names_it("use nes::Console;", "nes"));
        assert!(names_it("nes", "nes"));
        for other in ["use nes_apu::Apu;", "lines", "anes", "nes2", ""] {
            assert!(!names_it(other, "nes"), "{other}");
        }
    }
}
