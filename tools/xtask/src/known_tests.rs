//! Every test of the workspace, read from the sources, because `cargo test -- --list` costs a build
//! of everything. A test in this file compares the result with what the compiled program lists.

use anyhow::{Context, Result};
use first_run::workspace::{Target, Workspace};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use std::path::{Path, PathBuf};

/// A function with `#[test]`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Test {
    /// Name of its package.
    pub(crate) package: String,
    /// What it is compiled into.
    pub(crate) target: Kind,
    /// Modules and function, as the test program lists them.
    pub(crate) path: String,
    /// The reason of its `#[ignore]`, empty without one; `None` if the test is not ignored.
    pub(crate) ignored: Option<String>,
    /// File that it is written in, from the workspace's root.
    pub(crate) file: String,
}

/// A kind of target that has tests.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// The library.
    Library,
    /// A program, by name.
    Program(String),
    /// A program of integration tests, by name.
    Integration(String),
}

impl Kind {
    fn of(target: &Target) -> Option<Self> {
        let is = |kind: &str| target.kind.iter().any(|own| own == kind);
        if !target.test {
            None
        } else if is("test") {
            Some(Self::Integration(target.name.clone()))
        } else if is("bin") {
            Some(Self::Program(target.name.clone()))
        } else if is("lib") || is("rlib") {
            Some(Self::Library)
        } else {
            None
        }
    }
}

/// Reads the tests of all members, by package, target and path.
///
/// # Errors
/// When a source cannot be read or is no Rust.
pub(crate) fn read(workspace: &Workspace) -> Result<Vec<Test>> {
    let mut tests = Vec::new();
    for package in workspace.members() {
        for target in &package.targets {
            let Some(kind) = Kind::of(target) else { continue };
            let mut reader = Reader { files: vec![], root: &workspace.root, macros: vec![], found: vec![] };
            reader.file(&target.src_path, true, "")?;
            tests.extend(reader.found.into_iter().map(|found| Test {
                package: package.name.clone(),
                target: kind.clone(),
                ..found
            }));
        }
    }
    tests.sort();
    Ok(tests)
}

/// Walks the modules of one target.
struct Reader<'a> {
    root: &'a Path,
    /// The files that are being read, the innermost last.
    files: Vec<PathBuf>,
    /// Macros that make a test of each name that they are given.
    macros: Vec<String>,
    found: Vec<Test>,
}

impl Reader<'_> {
    /// Reads a file whose modules lie beside it, if it `is_root` or a `mod.rs`, or in its folder.
    fn file(&mut self, path: &Path, is_root: bool, module: &str) -> Result<()> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let stream: TokenStream =
            text.parse().map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
        let own = is_root || path.file_name().is_some_and(|name| name == "mod.rs");
        let folder = if own { path.with_file_name("") } else { path.with_extension("") };
        self.files.push(path.to_owned());
        let read = self.tokens(stream, &folder, module);
        self.files.pop();
        read
    }

    fn tokens(&mut self, stream: TokenStream, folder: &Path, module: &str) -> Result<()> {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let (mut is_test, mut ignored) = (false, None);
        for (index, token) in tokens.iter().enumerate() {
            let next = |distance: usize| tokens.get(index + distance);
            match token {
                TokenTree::Punct(mark) if mark.as_char() == '#' => {
                    if let Some(TokenTree::Group(attribute)) = next(1) {
                        is_test |= word(attribute.stream().into_iter().next().as_ref()) == "test";
                        ignored = ignored.or_else(|| ignore_reason(attribute));
                    }
                }
                TokenTree::Ident(ident) if ident == "fn" => {
                    let name = word(next(1));
                    if std::mem::take(&mut is_test) && !name.is_empty() {
                        self.add(module, &name, ignored.take());
                    }
                    ignored = None;
                }
                TokenTree::Ident(ident) if ident == "mod" => {
                    let name = word(next(1));
                    let inner = if module.is_empty() { name.clone() } else { format!("{module}::{name}") };
                    match next(2) {
                        Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => {
                            self.tokens(body.stream(), &folder.join(&name), &inner)?;
                        }
                        Some(TokenTree::Punct(mark)) if mark.as_char() == ';' => {
                            let beside = folder.join(format!("{name}.rs"));
                            let inside = folder.join(&name).join("mod.rs");
                            self.file(if beside.is_file() { &beside } else { &inside }, false, &inner)?;
                        }
                        _ => {}
                    }
                }
                TokenTree::Ident(ident) if ident == "macro_rules" => {
                    if let Some(TokenTree::Group(body)) = next(3)
                        && makes_tests(body.stream())
                    {
                        self.macros.push(word(next(2)));
                    }
                }
                // What a macro is given: functions with their attributes, or their names alone.
                TokenTree::Ident(ident) if is_mark(next(1), '!') => {
                    let Some(TokenTree::Group(body)) = next(2) else { continue };
                    if self.macros.contains(&ident.to_string()) {
                        for token in body.stream() {
                            if let TokenTree::Ident(name) = token {
                                self.add(module, &name.to_string(), None);
                            }
                        }
                    } else {
                        self.tokens(body.stream(), folder, module)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn add(&mut self, module: &str, name: &str, ignored: Option<String>) {
        let path = if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") };
        let file = self.files.last().cloned().unwrap_or_default();
        let file = file.strip_prefix(self.root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let (package, target) = (String::new(), Kind::Library);
        self.found.push(Test { package, target, path, ignored, file });
    }
}

/// Text of an identifier; empty for anything else.
fn word(token: Option<&TokenTree>) -> String {
    match token {
        Some(TokenTree::Ident(ident)) => ident.to_string(),
        _ => String::new(),
    }
}

fn is_mark(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

/// The reason of `[ignore = "reason"]`, empty for `[ignore]`.
fn ignore_reason(attribute: &Group) -> Option<String> {
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    if word(tokens.first()) != "ignore" {
        return None;
    }
    let reason = match tokens.get(2) {
        Some(TokenTree::Literal(literal)) => literal.to_string(),
        _ => String::new(),
    };
    Some(reason.trim_matches('"').to_owned())
}

/// Does a macro write `#[test] fn $name`?
fn makes_tests(stream: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let named = |window: &[TokenTree]| {
        matches!(window, [TokenTree::Group(attribute), TokenTree::Ident(ident), TokenTree::Punct(mark)]
            if attribute.stream().to_string() == "test" && ident == "fn" && mark.as_char() == '$')
    };
    tokens.windows(3).any(named)
        || tokens
            .into_iter()
            .any(|token| matches!(token, TokenTree::Group(group) if makes_tests(group.stream())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// A test in a macro's argument and one by name only are read as well.
    #[test]
    fn modules_macros_and_reasons_are_read() -> Result<()> {
        let root = tempfile::tempdir()?;
        std::fs::create_dir_all(root.path().join("inner/deep"))?;
        let files = [
            (
                "lib.rs",
                r##"
                mod inner;
                /* #[test] fn none() {} */
                const TEXT: &str = "#[test] fn none() {}";
                macro_rules! rows { ($($name:ident $text:literal;)*) => { $(#[test] fn $name() {})* } }
                rows! { one "a"; two "b"; }
                proptest! { #[test] fn many(a in 0..9) {} }
                #[cfg(test)]
                mod tests { #[test] #[ignore = "minutes: cargo test"] fn slow() {} fn plain() {} }
                "##,
            ),
            ("inner.rs", "mod deep; #[test] pub fn shallow() {}"),
            ("inner/deep/mod.rs", "mod beside;"),
            ("inner/deep/beside.rs", "#[ignore] #[test] fn last() {}"),
        ];
        for (path, text) in files {
            std::fs::write(root.path().join(path), text)?;
        }
        let mut reader = Reader { files: vec![], root: root.path(), macros: vec![], found: vec![] };
        reader.file(&root.path().join("lib.rs"), true, "")?;
        let found: Vec<_> = reader.found.iter().map(|test| (test.path.as_str(), &*test.file)).collect();
        let expected = [
            ("inner::deep::beside::last", "inner/deep/beside.rs"),
            ("inner::shallow", "inner.rs"),
            ("one", "lib.rs"),
            ("two", "lib.rs"),
            ("many", "lib.rs"),
            ("tests::slow", "lib.rs"),
        ];
        assert_eq!(found, expected);
        let reasons: Vec<_> = reader.found.iter().filter_map(|test| test.ignored.as_deref()).collect();
        assert_eq!(reasons, ["", "minutes: cargo test"]);
        Ok(())
    }

    #[test]
    fn the_tests_of_this_program_are_those_that_it_lists() -> Result<()> {
        let output = Command::new(std::env::current_exe()?).arg("--list").output()?;
        let text = String::from_utf8(output.stdout)?;
        let mut listed: Vec<&str> = text.lines().filter_map(|line| line.strip_suffix(": test")).collect();
        listed.sort_unstable();
        let tests = read(&Workspace::load()?)?;
        let read: Vec<&str> =
            tests.iter().filter(|test| test.package == "xtask").map(|test| test.path.as_str()).collect();
        assert!(listed.len() > 50, "{listed:?}");
        assert_eq!(read, listed);
        Ok(())
    }
}
