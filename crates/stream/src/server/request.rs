//! The head of an HTTP request.

use std::net::SocketAddr;

use tungstenite::handshake::derive_accept_key;

use super::Rules;

/// Bytes of a request's head, at most, and its headers.
pub(super) const LONGEST: usize = 8 * 1024;
const HEADERS: usize = 64;

/// Bytes of what is sent with a request, at most.
const LONGEST_BODY: usize = 4 * 1024;

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    /// As `Get`, but the answer is its head alone.
    Head,
    Post,
}

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: Method,
    /// What is sent with it.
    pub(super) body: Vec<u8>,
    /// The path, without what follows a `?`.
    pub(super) path: String,
    /// What follows it.
    pub(super) query: String,
    host: String,
    /// The page that asks, if one does.
    pub(super) origin: Option<String>,
    /// Whether a page of another server makes the browser ask for a part of itself, a picture for
    /// instance, or shows the answer in a frame.
    is_part_of_another: bool,
    /// Whether a page of another server leads here, by a link for instance.
    is_led_by_another: bool,
    bearer: Option<String>,
    /// The answer to the key of a WebSocket's handshake.
    pub(super) accept: Option<String>,
}

/// Why a request is refused: status and what to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refusal(pub(super) u16, pub(super) &'static str);

const NOT_HTTP: Refusal = Refusal(400, "expected an HTTP/1.1 request");
pub(super) const NOT_GET: Refusal = Refusal(405, "expected GET or HEAD; only /match takes POST");
const NO_LENGTH: Refusal = Refusal(411, "expected Content-Length");
const BODY_TOO_LONG: Refusal = Refusal(413, "expected at most 4 KiB");
const NO_TOKEN_SET: Refusal = Refusal(403, "nothing can be changed: start the stream with a token");
const TOO_LONG: Refusal = Refusal(431, "expected a head of at most 8 KiB");
const NO_HANDSHAKE: Refusal = Refusal(426, "expected a WebSocket handshake of version 13 with a key");
const FOREIGN_HOST: Refusal = Refusal(421, "expected the address of this server in Host");
const FOREIGN_ORIGIN: Refusal =
    Refusal(403, "this page may not read the stream: allow its origin when you start it");
const NO_TOKEN: Refusal = Refusal(401, "expected the token: add ?token=… to the address");

impl Request {
    /// The request that `bytes` begin with, and its length; `None` if it is not whole yet.
    pub(super) fn parse(bytes: &[u8]) -> Result<Option<(Self, usize)>, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let length = match request.parse(bytes) {
            Ok(httparse::Status::Complete(length)) => length,
            Ok(httparse::Status::Partial) if bytes.len() >= LONGEST => return Err(TOO_LONG),
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => return Err(TOO_LONG),
            Err(_) => return Err(NOT_HTTP),
        };
        let method = match request.method {
            Some("GET") => Method::Get,
            Some("HEAD") => Method::Head,
            Some("POST") => Method::Post,
            _ => return Err(NOT_GET),
        };
        let target = request.path.unwrap_or("/");
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let header = |name: &str| {
            let found = request.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
            found.and_then(|header| std::str::from_utf8(header.value).ok()).map(str::trim)
        };
        let sent = match header("Content-Length").map(str::parse::<usize>) {
            _ if method != Method::Post => 0,
            Some(Ok(sent)) if sent <= LONGEST_BODY => sent,
            Some(Ok(_)) => return Err(BODY_TOO_LONG),
            _ => return Err(NO_LENGTH),
        };
        let Some(body) = bytes.get(length..length + sent) else { return Ok(None) };
        let upgrade = header("Upgrade").is_some_and(|value| value.eq_ignore_ascii_case("websocket"));
        let accept = if upgrade {
            let key = header("Sec-WebSocket-Key").filter(|key| key.len() == 24);
            if header("Sec-WebSocket-Version") != Some("13") {
                return Err(NO_HANDSHAKE);
            }
            Some(derive_accept_key(key.ok_or(NO_HANDSHAKE)?.as_bytes()))
        } else {
            None
        };
        let foreign = header("Sec-Fetch-Site").is_some_and(|site| !matches!(site, "same-origin" | "none"));
        let leads = header("Sec-Fetch-Mode") == Some("navigate");
        let bearer = header("Authorization").and_then(|value| value.strip_prefix("Bearer "));
        // One that is no text is a page's all the same, and is refused as another's.
        let has_origin = request.headers.iter().any(|header| header.name.eq_ignore_ascii_case("Origin"));
        let origin = header("Origin").or(has_origin.then_some("?"));
        let request = Self {
            method,
            body: body.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            host: header("Host").unwrap_or_default().to_ascii_lowercase(),
            origin: origin.map(str::to_ascii_lowercase),
            is_part_of_another: foreign && !leads,
            is_led_by_another: foreign && leads,
            bearer: bearer.map(str::to_owned),
            accept,
        };
        Ok(Some((request, length + sent)))
    }

    /// A page of another server that has given itself this server's address by DNS asks for its own
    /// name; one that was loaded from elsewhere says so in `Origin`, or, where it asks for a
    /// picture or the like, the browser says so in `Sec-Fetch-Site`. All are refused. A link of
    /// another page may lead to the pages of a stream, and not to a service, for which the question
    /// is the act.
    pub(super) fn check_sender(&self, rules: &Rules) -> Result<(), Refusal> {
        if !is_own_host(&self.host, rules.address) {
            return Err(FOREIGN_HOST);
        }
        match &self.origin {
            Some(origin) if !is_own_origin(origin, &self.host, &rules.origins) => Err(FOREIGN_ORIGIN),
            None if self.is_part_of_another || self.is_led_by_another && rules.service.is_some() => {
                Err(FOREIGN_ORIGIN)
            }
            _ => Ok(()),
        }
    }

    /// May the sender change anything? Only with a token: without one, any program may read.
    pub(super) fn check_writer(&self, rules: &Rules) -> Result<(), Refusal> {
        if rules.token.is_none() { Err(NO_TOKEN_SET) } else { self.check_token(rules) }
    }

    /// Does the sender know the token, if there is one?
    pub(super) fn check_token(&self, rules: &Rules) -> Result<(), Refusal> {
        let Some(token) = &rules.token else { return Ok(()) };
        let of_query = self.query.split('&').find_map(|word| word.strip_prefix("token="));
        let given = of_query.or(self.bearer.as_deref()).unwrap_or_default();
        if token.is(given) { Ok(()) } else { Err(NO_TOKEN) }
    }
}

/// Whether `Host` is a name of the server at this address. On an address of this machine alone only
/// its own names are: a page elsewhere may have led its name here by DNS.
pub fn is_own_host(host: &str, address: SocketAddr) -> bool {
    let host = host.to_ascii_lowercase();
    let (name, port) = name_and_port(&host);
    let own_name = matches!(name, "127.0.0.1" | "localhost" | "[::1]");
    !address.ip().is_loopback() || own_name && port == Some(address.port())
}

/// Whether a page of this `Origin` is the server's own, by its `Host`, or one of the allowed.
pub fn is_own_origin(origin: &str, host: &str, allowed: &[String]) -> bool {
    let own = origin.strip_prefix("http://").is_some_and(|name| name.eq_ignore_ascii_case(host));
    own || allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin))
}

/// For the fuzzer: the status with which a server at port 5050 of this machine, whose token is
/// given, answers a head; 200 where it is served, and none while it waits for more.
#[doc(hidden)]
pub fn status_of(head: &[u8], token: &str) -> Option<u16> {
    let rules = Rules {
        address: SocketAddr::from(([127, 0, 0, 1], 5050)),
        token: Some(crate::Secret::new(token.to_owned())),
        origins: vec!["https://example.org".to_owned()],
        service: None,
        css: None,
    };
    let checked = Request::parse(head).and_then(|request| {
        let Some((request, length)) = request else { return Ok(None) };
        assert!(length <= head.len(), "{length} bytes of {}", head.len());
        request.check_sender(&rules).and_then(|()| request.check_token(&rules)).map(|()| Some(200))
    });
    checked.unwrap_or_else(|Refusal(status, _)| Some(status))
}

fn name_and_port(host: &str) -> (&str, Option<u16>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
        _ => (host, Some(80)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Secret;

    fn rules(address: &str, token: Option<&str>, origins: &[&str]) -> Rules {
        Rules {
            address: address.parse().unwrap(),
            token: token.map(|token| Secret::new(token.to_owned())),
            origins: origins.iter().map(|origin| (*origin).to_owned()).collect(),
            css: None,
            service: None,
        }
    }

    fn request(head: &str) -> Request {
        let text = format!("{}\r\n\r\n", head.replace('\n', "\r\n"));
        let (request, length) = Request::parse(text.as_bytes()).unwrap().unwrap();
        assert_eq!(length, text.len());
        request
    }

    #[test]
    fn a_page_that_is_not_ours_may_not_read() {
        let own = rules("127.0.0.1:5000", None, &["https://example.org", "null"]);
        let sent = |lines: &str| request(&format!("GET /ws HTTP/1.1\n{lines}")).check_sender(&own);
        assert_eq!(sent("Host: 127.0.0.1:5000"), Ok(()));
        assert_eq!(sent("Host: localhost:5000\nOrigin: http://localhost:5000"), Ok(()));
        assert_eq!(sent("Host: localhost:5000\nOrigin: https://EXAMPLE.org"), Ok(()));
        assert_eq!(sent("Host: localhost:5000\nOrigin: null"), Ok(()));
        assert_eq!(sent("Host: localhost:5000\nOrigin: http://localhost:5001"), Err(FOREIGN_ORIGIN));
        assert_eq!(sent("Host: localhost:5000\nOrigin: http://evil.example"), Err(FOREIGN_ORIGIN));
        // Its name leads here, by DNS.
        assert_eq!(sent("Host: evil.example:5000\nOrigin: http://evil.example:5000"), Err(FOREIGN_HOST));
        assert_eq!(sent("Host: 127.0.0.1"), Err(FOREIGN_HOST));
        // A picture or a script of another page has no `Origin`.
        let fetched = |site: &str, mode: &str| {
            sent(&format!("Host: 127.0.0.1:5000\nSec-Fetch-Site: {site}\nSec-Fetch-Mode: {mode}"))
        };
        for site in ["cross-site", "same-site", "anything"] {
            assert_eq!(fetched(site, "no-cors"), Err(FOREIGN_ORIGIN), "{site}");
            assert_eq!(fetched(site, "navigate"), Ok(()), "a link of {site} to the overlays");
        }
        assert_eq!(fetched("same-origin", "no-cors"), Ok(()));
        assert_eq!(fetched("none", "navigate"), Ok(()));
        let allowed = "Host: 127.0.0.1:5000\nOrigin: null\nSec-Fetch-Site: cross-site\nSec-Fetch-Mode: cors";
        assert_eq!(sent(allowed), Ok(()), "--origin null");
        let strange = b"GET / HTTP/1.1\r\nHost: 127.0.0.1:5000\r\nOrigin: http://\xFF\r\n\r\n";
        let (strange, _) = Request::parse(strange).unwrap().unwrap();
        assert_eq!(strange.check_sender(&own), Err(FOREIGN_ORIGIN));
        assert_eq!(sent("Accept: x"), Err(FOREIGN_HOST));
    }

    #[test]
    fn a_token_is_looked_for_in_the_address_and_in_the_head() {
        let open = rules("192.0.2.1:5000", Some("0123456789abcdef"), &[]);
        let sent = |head: &str| request(head).check_token(&open);
        assert_eq!(sent("GET /ws?a=b&token=0123456789abcdef HTTP/1.1"), Ok(()));
        assert_eq!(sent("GET /ws HTTP/1.1\nAuthorization: Bearer 0123456789abcdef"), Ok(()));
        for wrong in ["GET /ws HTTP/1.1", "GET /ws?token= HTTP/1.1", "GET /?token=0123456789abcdeF HTTP/1.1"]
        {
            assert_eq!(sent(wrong), Err(NO_TOKEN), "{wrong}");
        }
    }

    #[test]
    fn what_is_no_request_is_refused_and_what_is_half_of_one_waits() {
        assert_eq!(Request::parse(b"GET / HT"), Ok(None));
        assert_eq!(Request::parse(b"\x16\x03\x01\x02\x00"), Err(NOT_HTTP));
        assert_eq!(Request::parse(b"PUT / HTTP/1.1\r\n\r\n"), Err(NOT_GET));
        assert_eq!(Request::parse(b"POST / HTTP/1.1\r\n\r\n"), Err(NO_LENGTH));
        assert_eq!(Request::parse(b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"), Err(NO_LENGTH));
        assert_eq!(Request::parse(b"POST / HTTP/1.1\r\nContent-Length: 4097\r\n\r\n"), Err(BODY_TOO_LONG));
        let post = b"POST /match HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}more";
        assert_eq!(Request::parse(&post[..post.len() - 5]), Ok(None));
        let (whole, length) = Request::parse(post).unwrap().unwrap();
        assert_eq!((whole.method, &whole.body[..], length), (Method::Post, &b"{}"[..], post.len() - 4));
        assert_eq!(Request::parse(format!("GET /{}", "a".repeat(LONGEST)).as_bytes()), Err(TOO_LONG));
        assert_eq!(
            Request::parse(format!("GET / HTTP/1.1\r\n{}\r\n", "A: b\r\n".repeat(65)).as_bytes()),
            Err(TOO_LONG)
        );
        let old = b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\n\r\n";
        assert_eq!(Request::parse(old), Err(NO_HANDSHAKE));
    }
}
