//! A server of files for this machine: what the page needs of a host, and no more.

use anyhow::{Context, Result};
use sha1::{Digest, Sha1};
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest request that is read, in bytes.
const LONGEST: u64 = 16 << 10;
/// How long a connection may say nothing.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a host should send with every file. The first two isolate the page, so that sound has
/// shared memory.
const HEADERS: [(&str, &str); 7] = [
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Embedder-Policy", "require-corp"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' ws: wss:; \
         img-src 'self' data: blob:; style-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
    ),
];

/// The page that other sites may have in a frame, and the script that puts it there.
const EMBEDDED: [&str; 2] = ["embed.html", "player.js"];

/// What a host should send with a file. Pages of other sites may embed two of them.
fn headers(file: &str) -> impl Iterator<Item = (&'static str, String)> {
    let is_embedded = EMBEDDED.contains(&file);
    // A module of another origin is only run if its host allows it.
    let shared = is_embedded.then(|| ("Access-Control-Allow-Origin", "*".to_owned()));
    let own = HEADERS.into_iter().map(move |(name, value)| {
        let value = match name {
            "Cross-Origin-Resource-Policy" if is_embedded => "cross-origin".to_owned(),
            _ if is_embedded => value.replace("frame-ancestors 'none'", "frame-ancestors *"),
            _ => value.to_owned(),
        };
        (name, value)
    });
    own.chain(shared)
}

/// The headers in the form that hosts of static pages read from a file `_headers`. Of two rules for
/// a file both hold, so that the ones for all are taken back first.
pub(super) fn headers_file() -> String {
    let lines = |path: &str, file: &str| {
        headers(file)
            .fold(format!("{path}\n"), |text, (name, value)| text + "  " + name + ": " + &value + "\n")
    };
    let mut text = lines("/*", "");
    for file in EMBEDDED {
        text.extend(["/", file, "\n  ! Content-Security-Policy\n  ! Cross-Origin-Resource-Policy\n"]);
        for (name, value) in headers(file)
            .filter(|(name, _)| name.starts_with("Cross-Origin-R") || name.starts_with("Content"))
        {
            text.extend(["  ", name, ": ", &value, "\n"]);
        }
    }
    text
}

/// Serves the folder until the program is stopped.
///
/// # Errors
/// When the port is taken.
pub(super) fn serve(folder: &Path, port: u16, isolated: bool) -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .with_context(|| format!("port {port} cannot be listened on; name another with --port"))?;
    let address = format!("http://127.0.0.1:{port}/");
    println!("{address}   Ctrl-C stops");
    // Who only reads the address, a test for example, wants no window.
    if std::io::stdout().is_terminal()
        && let Err(error) = open::that_detached(&address)
    {
        println!("no browser could be started ({error}): open the page yourself");
    }
    accept(&listener, folder, isolated);
    Ok(())
}

/// Serves the folder for as long as the program runs. Returns the port.
///
/// # Errors
/// When no port is free.
pub(super) fn start(folder: &Path, isolated: bool) -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no port can be listened on")?;
    let port = listener.local_addr()?.port();
    let folder = folder.to_owned();
    std::thread::spawn(move || accept(&listener, &folder, isolated));
    Ok(port)
}

fn accept(listener: &TcpListener, folder: &Path, isolated: bool) {
    for stream in listener.incoming().flatten() {
        let folder = folder.to_owned();
        // A browser that goes away is no error of ours.
        std::thread::spawn(move || drop(answer(&stream, &folder, isolated)));
    }
}

fn answer(mut stream: &TcpStream, folder: &Path, isolated: bool) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut reader = BufReader::new(stream.take(LONGEST));
    let (mut first, mut known) = (String::new(), None);
    reader.read_line(&mut first)?;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("If-None-Match")
        {
            known = Some(value.trim().to_owned());
        }
    }
    let mut words = first.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let found = file(folder, target).and_then(|path| Some((std::fs::read(&path).ok()?, kind(&path))));
    let tag = found.as_ref().map(|(body, _)| tag(body));
    let (status, kind, body) = match (method, found) {
        ("GET" | "HEAD", Some((_, kind))) if known.is_some() && known == tag => {
            ("304 Not Modified", kind, Vec::new())
        }
        ("GET" | "HEAD", Some((body, kind))) => ("200 OK", kind, body),
        ("GET" | "HEAD", None) => ("404 Not Found", "text/plain", b"no such file\n".to_vec()),
        _ => ("405 Method Not Allowed", "text/plain", b"expected GET\n".to_vec()),
    };
    let mut head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\nConnection: close\r\n",
        body.len()
    );
    if let Some(tag) = tag {
        head.extend(["ETag: ", &tag, "\r\n"]);
    }
    if isolated {
        let name = target.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
        for (name, value) in headers(name) {
            head.extend([name, ": ", &value, "\r\n"]);
        }
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    if method != "HEAD" {
        stream.write_all(&body)?;
    }
    stream.flush()
}

/// A name for the bytes of a file, by which a browser asks whether it has them.
fn tag(bytes: &[u8]) -> String {
    let hash = Sha1::digest(bytes);
    hash.iter().take(8).fold("\"".to_owned(), |text, byte| text + &format!("{byte:02x}")) + "\""
}

/// The file that a request names: directly in the folder, nowhere else.
fn file(folder: &Path, target: &str) -> Option<PathBuf> {
    let name = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let name = if name.is_empty() { "index.html" } else { name };
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    (plain && !name.starts_with('.')).then(|| folder.join(name))
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_folder_are_served() {
        let folder = Path::new("page");
        assert_eq!(file(folder, "/"), Some("page/index.html".into()));
        assert_eq!(file(folder, "/page.js?plain"), Some("page/page.js".into()));
        for target in ["/../Cargo.toml", "/a/b", "/.git", "page.js", "", "/%2e%2e", "/a\\b"] {
            assert_eq!(file(folder, target), None, "{target}");
        }
    }

    #[test]
    fn only_the_page_for_frames_may_be_in_one() {
        let policy =
            |file: &str| headers(file).find(|(name, _)| name.starts_with("Content")).map(|(_, value)| value);
        assert!(policy("index.html").is_some_and(|policy| policy.contains("frame-ancestors 'none'")));
        assert!(policy("embed.html").is_some_and(|policy| policy.contains("frame-ancestors *")));
        assert_eq!(headers_file().matches("frame-ancestors *").count(), 2);
    }

    #[test]
    fn a_page_is_sent_with_the_headers_that_isolate_it_and_a_bare_host_sends_none() -> Result<()> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("index.html"), "<p>here")?;
        for (isolated, expected) in [(true, 1), (false, 0)] {
            let port = start(folder.path(), isolated)?;
            let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
            stream.write_all(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")?;
            let mut text = String::new();
            stream.read_to_string(&mut text)?;
            assert!(text.starts_with("HTTP/1.1 200 OK\r\n") && text.ends_with("<p>here"), "{text}");
            assert_eq!(text.matches("Cross-Origin-Opener-Policy: same-origin").count(), expected);
            // What a browser has already does not come again.
            let tag = text.lines().find_map(|line| line.strip_prefix("ETag: ")).context("a tag")?;
            let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
            stream.write_all(format!("GET / HTTP/1.1\r\nIf-None-Match: {tag}\r\n\r\n").as_bytes())?;
            let mut text = String::new();
            stream.read_to_string(&mut text)?;
            assert!(text.starts_with("HTTP/1.1 304") && !text.ends_with("<p>here"), "{text}");
        }
        Ok(())
    }
}
