//! A server of files for this machine: what the page needs of a host, and no more.

use anyhow::{Context, Result};
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
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
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; \
         img-src 'self' data: blob:; style-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
    ),
];

/// The headers in the form that hosts of static pages read from a file `_headers`.
pub(super) fn headers_file() -> String {
    HEADERS.iter().fold("/*\n".to_owned(), |text, (name, value)| text + "  " + name + ": " + value + "\n")
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
        && let Err(error) = open(&address)
    {
        println!("no browser could be started ({error}): open the page yourself");
    }
    accept(&listener, folder, isolated);
    Ok(())
}

/// Opens a page in the user's browser.
fn open(address: &str) -> std::io::Result<()> {
    let (program, first): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(first).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    std::thread::spawn(move || child.wait());
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
    let mut first = String::new();
    reader.read_line(&mut first)?;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
    }
    let mut words = first.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let found = file(folder, target).and_then(|path| Some((std::fs::read(&path).ok()?, kind(&path))));
    let (status, kind, body) = match (method, found) {
        ("GET" | "HEAD", Some((body, kind))) => ("200 OK", kind, body),
        ("GET" | "HEAD", None) => ("404 Not Found", "text/plain", b"no such file\n".to_vec()),
        _ => ("405 Method Not Allowed", "text/plain", b"expected GET\n".to_vec()),
    };
    let mut head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\nConnection: close\r\n",
        body.len()
    );
    if isolated {
        for (name, value) in HEADERS {
            head.extend([name, ": ", value, "\r\n"]);
        }
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes())?;
    if method != "HEAD" {
        stream.write_all(&body)?;
    }
    stream.flush()
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
        }
        Ok(())
    }
}
