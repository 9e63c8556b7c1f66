//! The folder: scripts, modules, icons, the list of files for use without a network, headers for
//! hosts.

use super::server;
use super::toolchain::TARGET;
use crate::dist::{NOTICES, icon, notices};
use anyhow::{Context, Result, bail, ensure};
use first_run::workspace::Workspace;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha1::{Digest, Sha1};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use tempfile::TempDir;

/// The most that a host sends at the first visit, compressed by gzip; brotli takes a quarter less,
/// and the scenario `weight` holds that to 1,000,000.
pub(super) const MOST: usize = 1_320_000;
/// The nets of the repository, which the page loads when it first needs them, as small nets.
const NETS: [&str; 13] = [
    "l18",
    "l18-duel",
    "l18-slow",
    "l18-slower",
    "l19",
    "l19-slow",
    "l19-slower",
    "l29",
    "l29-24",
    "l29-slow",
    "l29-slower",
    "l39",
    "l39-slow",
];
/// The module for browsers without SIMD.
const PLAIN: &str = "maxout-plain_bg.wasm";
/// Width and height of the picture that other sites show beside a link.
const CARD: (u32, u32) = (1200, 630);
/// What the type checker alone reads.
const TYPES: &str = ".d.ts";

/// Where the page will be: an address that ends in `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address(String);

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// When it is not one of http or https, or has characters that no address has.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/:%".contains(&byte);
        ensure!(
            rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/') && rest.bytes().all(is_plain)),
            "expected an address as https://example.org/maxout/, found {text}"
        );
        let is_whole = text.ends_with('/');
        Ok(Self(if is_whole { text.to_owned() } else { format!("{text}/") }))
    }
}

/// The page with the whole addresses of itself and of its picture, as other sites want them.
fn addressed(index: &str, address: &Address) -> Result<String> {
    let picture = r#"<meta property="og:image" content="card.png">"#;
    ensure!(index.matches(picture).count() == 1, "index.html names no picture for other sites");
    let Address(address) = address;
    let (width, height) = CARD;
    let tags = format!(
        r#"<meta property="og:image" content="{address}card.png">
<meta property="og:image:width" content="{width}">
<meta property="og:image:height" content="{height}">
<meta property="og:url" content="{address}">
<link rel="canonical" href="{address}">"#
    );
    Ok(index.replacen(picture, &tags, 1))
}

/// The page with all its scripts named at the top, so that a browser fetches them at once and not
/// those that one imports when it has read that one.
fn preloading(index: &str, files: &[(String, Vec<u8>)]) -> Result<String> {
    let link = |name: &str| format!(r#"<link rel="modulepreload" href="{name}">"#);
    let (first, mut names) = ("page.js", vec!["page.js".to_owned()]);
    let mut at = 0;
    while let Some(name) = names.get(at) {
        let found = files.iter().find(|(file, _)| file == name);
        let (_, bytes) = found.with_context(|| format!("{name}, which a script imports, is missing"))?;
        for import in imports(&String::from_utf8_lossy(bytes)) {
            if !names.contains(&import) {
                names.push(import);
            }
        }
        at += 1;
    }
    ensure!(index.matches(&link(first)).count() == 1, "index.html does not name its first script once");
    let links: Vec<String> = names.iter().map(|name| link(name)).collect();
    Ok(index.replacen(&link(first), &links.join("\n"), 1))
}

/// The scripts beside a script that it imports.
fn imports(script: &str) -> Vec<String> {
    let lines = script.lines().filter(|line| line.starts_with("import "));
    let names = lines.filter_map(|line| line.split_once("'./")?.1.split_once('\''));
    names.map(|(name, _)| name.to_owned()).collect()
}

/// Makes a folder empty. One that has anything but an earlier result, known by the file `mark`, is
/// left alone.
///
/// # Errors
/// When it has something else, or cannot be emptied.
pub(super) fn empty(folder: &Path, mark: &str) -> Result<()> {
    if folder.exists() {
        if !folder.join(mark).is_file() && fs::read_dir(folder)?.next().is_some() {
            bail!("{}: expected an empty folder or an earlier build", folder.display());
        }
        fs::remove_dir_all(folder).with_context(|| format!("{} cannot be emptied", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))
}

/// Writes the folder from the sources and the two modules.
///
/// # Errors
/// When a file cannot be read or written, or the two modules want different scripts.
pub(super) fn write(
    workspace: &Workspace,
    modules: &Path,
    out: &Path,
    address: Option<&Address>,
) -> Result<()> {
    empty(out, "maxout_bg.wasm")?;
    let read = |path: &Path| fs::read(path).with_context(|| format!("{} cannot be read", path.display()));
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let sources = workspace.root.join("crates/web/www");
    for entry in fs::read_dir(&sources).with_context(|| format!("{} cannot be read", sources.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.ends_with(TYPES) {
            files.push((name, read(&path)?));
        }
    }
    // One script serves both modules: it must not matter which of them it was made for.
    let script = read(&modules.join("simd/maxout.js"))?;
    if script != read(&modules.join("plain/maxout.js"))? {
        bail!("the modules with and without SIMD want different scripts: build both anew");
    }
    files.push(("maxout.js".into(), script));
    files.push(("maxout_bg.wasm".into(), read(&modules.join("simd/maxout_bg.wasm"))?));
    files.push((PLAIN.into(), read(&modules.join("plain/maxout_bg.wasm"))?));
    for (_, bytes) in
        files.iter_mut().filter(|(name, _)| Path::new(name).extension().is_some_and(|ending| ending == "js"))
    {
        let script = std::str::from_utf8(bytes).context("a script is not UTF-8")?;
        *bytes = without_comments(script).into_bytes();
    }
    let nets = small_nets(workspace)?;
    for name in NETS.map(|name| format!("{name}.net")) {
        let bytes = read(&nets.path().join(&name))?;
        files.push((name, bytes));
    }
    let index = files.iter().position(|(name, _)| name == "index.html").context("index.html is missing")?;
    let mut text = preloading(&String::from_utf8_lossy(&files[index].1), &files)?;
    if let Some(address) = address {
        text = addressed(&text, address)?;
    }
    let embedded = text.replacen("<html ", "<html data-embed ", 1);
    files[index].1 = text.into_bytes();
    files.push(("embed.html".into(), embedded.into_bytes()));
    files.push(("card.png".into(), card(&workspace.root.join("docs/pictures/web.png"))?));
    files.push(("icon.svg".into(), icon::svg().into_bytes()));
    for size in [192, 512] {
        files.push((format!("icon-{size}.png"), icon::png(size)?));
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        files.push((name.into(), read(&workspace.root.join(name))?));
    }
    let notices = notices::text(workspace, "web", &[], TARGET)?;
    files.push((NOTICES.into(), notices.into_bytes()));
    files.sort();
    finish_worker(&mut files)?;
    files.push(("_headers".into(), server::headers_file().into_bytes()));
    for (name, bytes) in &files {
        let path = out.join(name);
        fs::write(&path, bytes).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

/// Returns a script with its comment lines empty, so that every other line keeps its number. They
/// are a sixth of what the scripts of the page weigh compressed.
fn without_comments(script: &str) -> String {
    let (mut text, mut in_comment, mut in_template) = (String::with_capacity(script.len()), false, false);
    for line in script.lines() {
        let code = line.trim_start();
        let code = if in_template {
            line
        } else if in_comment || code.starts_with("/*") {
            let rest = code.split_once("*/").map(|(_, rest)| rest);
            in_comment = rest.is_none();
            rest.unwrap_or_default()
        } else if code.starts_with("//") {
            ""
        } else {
            line
        };
        text += code;
        text.push('\n');
        in_template ^= code.matches('`').count() % 2 == 1;
    }
    text
}

/// A folder with [`NETS`] as small nets. The crate of the nets makes them, in a program of its own:
/// with it in this one, every command would wait for the search to be compiled first.
fn small_nets(workspace: &Workspace) -> Result<TempDir> {
    let folder = TempDir::new().context("a folder for the nets of the page cannot be made")?;
    let mut command = workspace.cargo(&["run", "--quiet", "--package", "value", "--example", "small", "--"]);
    command.arg(folder.path());
    command.args(NETS.map(|name| format!("crates/value/nets/{name}.net")));
    let status = command.status().context("cargo could not be started")?;
    ensure!(status.success(), "the nets of the page could not be made small");
    Ok(folder)
}

/// The picture beside a link: the page, cut to the shape that other sites show.
fn card(picture: &Path) -> Result<Vec<u8>> {
    let picture = image::open(picture).with_context(|| format!("{} cannot be read", picture.display()))?;
    let (width, height) = CARD;
    let card = picture.resize_to_fill(width, height, image::imageops::FilterType::Triangle);
    let mut bytes = std::io::Cursor::new(Vec::new());
    card.write_to(&mut bytes, image::ImageFormat::Png)?;
    Ok(bytes.into_inner())
}

/// Is the file one of those that every visit needs?
fn is_of_every_visit(name: &str) -> bool {
    let is_on_demand = name.starts_with("LICENSE")
        || Path::new(name).extension().is_some_and(|ending| ending == "net")
        || [NOTICES, PLAIN, "card.png", "sw.js", "_headers", "embed.html", "player.js", "icon-512.png"]
            .contains(&name);
    !is_on_demand
}

/// Writes the list of files and its hash into the script that keeps them.
fn finish_worker(files: &mut [(String, Vec<u8>)]) -> Result<()> {
    let mut hash = Sha1::new();
    let mut names = vec!["./".to_owned()];
    for (name, bytes) in files.iter() {
        hash.update(name.as_bytes());
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
        if is_of_every_visit(name) {
            names.push(name.clone());
        }
    }
    let version = hash.finalize().iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    let worker = files.iter_mut().find(|(name, _)| name == "sw.js").context("sw.js is missing")?;
    let text = String::from_utf8_lossy(&worker.1)
        .replace("@VERSION@", &format!("maxout-{version:016x}"))
        .replace("'@FILES@'", &names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", "));
    worker.1 = text.into_bytes();
    Ok(())
}

/// Prints what the folder weighs. Returns what the first visit loads, in bytes compressed.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn report(out: &Path) -> Result<usize> {
    let mut all = Vec::new();
    for entry in
        fs::read_dir(out).with_context(|| format!("{} cannot be read: build it first", out.display()))?
    {
        let path = entry?.path();
        let bytes = fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        let mut packed = GzEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&bytes)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        all.push((packed.finish()?.len(), bytes.len(), name));
    }
    all.sort_unstable_by(|left, right| right.cmp(left));
    let sum = all.iter().filter(|(_, _, name)| is_of_every_visit(name)).map(|(packed, _, _)| packed).sum();
    for (packed, bytes, name) in &all {
        let when = if is_of_every_visit(name) { "" } else { "  on demand" };
        println!("{bytes:9} {packed:9}  {name}{when}");
    }
    println!("page: {} files, {sum} bytes compressed at the first visit, in {}", all.len(), out.display());
    Ok(sum)
}

/// Puts scripts and types together for the type checker.
///
/// # Errors
/// When a file cannot be copied.
pub(super) fn stage_types(sources: &Path, types: &Path, folder: &Path) -> Result<()> {
    let staged = folder.join("types");
    fs::create_dir_all(&staged).with_context(|| format!("{} cannot be made", staged.display()))?;
    let mut all: Vec<_> = fs::read_dir(sources)?.collect::<std::io::Result<Vec<_>>>()?;
    all.extend(fs::read_dir(types)?.collect::<std::io::Result<Vec<_>>>()?);
    for entry in all {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_script = path.extension().is_some_and(|ending| ending == "js");
        if is_script || name.ends_with(TYPES) {
            fs::copy(&path, staged.join(&name))
                .with_context(|| format!("{} cannot be copied", path.display()))?;
        }
    }
    let settings = r#"{
  "compilerOptions": {
    "allowJs": true, "checkJs": true, "noEmit": true, "strict": true, "skipLibCheck": true,
    "target": "es2022", "module": "es2022", "moduleResolution": "bundler",
    "lib": ["es2022", "dom", "dom.iterable", "webworker.importscripts"], "types": []
  },
  "include": ["types/*.js", "types/*.d.ts"],
  "exclude": ["types/maxout.js"]
}
"#;
    fs::write(folder.join("tsconfig.json"), settings).context("tsconfig.json cannot be written")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_script_that_a_script_imports_is_named_at_the_top_once() -> Result<()> {
        let index = r#"<link rel="modulepreload" href="page.js">"#;
        let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
        let mut files = vec![
            file("page.js", "import { a } from './a.js';\nimport * as b from './b.js';\nconst c = 'import';"),
            file("a.js", "import { b } from './b.js';"),
            file("b.js", "import './page.js';"),
            file("other.js", ""),
        ];
        let named = preloading(index, &files)?;
        let names: Vec<_> = named.lines().filter_map(|line| line.split('"').nth(3)).collect();
        assert_eq!(names, ["page.js", "a.js", "b.js"]);
        files.pop();
        files.remove(1);
        assert!(preloading(index, &files).is_err(), "one is missing");
        assert!(preloading("", &files).is_err());
        Ok(())
    }

    #[test]
    fn scripts_lose_their_comments_and_no_line() {
        let script = "// One.\nimport a from 'b'; // Two.\n/**\n * Three.\n */\nconst c = `\n// four\n/* five */\n`;\n  // `Six.\n\
                      /* Seven. */\n/** @type {any} */ (d).e = 'https://f';\n/* Eight\n nine */ g();\n";
        assert_eq!(
            without_comments(script),
            "\nimport a from 'b'; // Two.\n\n\n\nconst c = `\n// four\n/* five */\n`;\n\n\n (d).e = 'https://f';\n\n g();\n"
        );
    }

    #[test]
    fn all_that_load_the_networks_name_those_of_the_repository() -> Result<()> {
        let root = Workspace::load()?.root;
        let mut there = Vec::new();
        for entry in root.join("crates/value/nets").read_dir()? {
            there.push(entry?.file_name().to_string_lossy().trim_end_matches(".net").to_owned());
        }
        there.sort();
        assert_eq!(there, NETS);
        let named = format!("[{}]", NETS.map(|name| format!("'{name}'")).join(", "));
        for script in ["www/page.js", "npm/index.js", "browser/games.mjs"] {
            let text = fs::read_to_string(root.join("crates/web").join(script))?;
            // Where a line ends in the list does not matter.
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(text.contains(&named), "{script} does not name {named}");
        }
        Ok(())
    }

    #[test]
    fn other_sites_find_the_picture_by_its_whole_address() -> Result<()> {
        let index = fs::read_to_string(Workspace::load()?.root.join("crates/web/www/index.html"))?;
        let address = Address::parse("https://example.org/maxout")?;
        let page = addressed(&index, &address)?;
        assert!(page.contains(r#"<meta property="og:image" content="https://example.org/maxout/card.png">"#));
        assert!(page.contains(r#"<link rel="canonical" href="https://example.org/maxout/">"#));
        assert!(addressed(&page, &address).is_err(), "once is enough");
        for wrong in ["example.org", "https://", "https:///a", "ftp://example.org/", "https://a/\"><script>"]
        {
            assert!(Address::parse(wrong).is_err(), "{wrong}");
        }
        Ok(())
    }
}
