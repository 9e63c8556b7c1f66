//! The server, and readers who behave.

use std::io::{BufRead, BufReader};
use std::net::{IpAddr, Ipv4Addr};

use serde_json::json;
use stream::server::{Options, QUESTIONS, Reply, Server};
use stream::{Broadcast, Secret};
use tungstenite::Message;

use crate::rig::{Game, IMAGES, answer, hub, line, request, socket, until, value};

#[test]
fn a_game_is_read_over_a_web_socket_and_as_events_sent_by_the_server() {
    for image in IMAGES {
        let hub = hub(1);
        let server = Server::start(hub.clone(), Options::default()).unwrap();
        let address = server.address();
        assert_eq!(address.ip(), IpAddr::V4(Ipv4Addr::LOCALHOST));
        let mut broadcast = Broadcast::new(hub.clone());
        let mut game = Game::new(image, 1, 18);
        (0..1_500).for_each(|_| {
            broadcast.frame(&game.frame());
        });
        let mut web = socket(address, "/ws?only=spawn,lock");
        let mut events =
            BufReader::new(request(address, &format!("GET /events?only=lock HTTP/1.1\nHost: {address}\n\n")));
        until("two readers", || hub.readers() == 2);
        (0..600).for_each(|_| {
            broadcast.frame(&game.frame());
        });
        hub.end();
        let mut heard = Vec::new();
        while heard.last() != Some(&json!("end")) {
            heard.push(line(&mut web)["event"].clone());
        }
        assert_eq!(heard[..2], [json!("hello"), json!("state")]);
        let locks = heard.iter().filter(|event| **event == json!("lock")).count();
        assert!(
            locks > 2 && heard.iter().filter(|event| **event == json!("spawn")).count().abs_diff(locks) <= 1
        );
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            events.read_line(&mut head).unwrap();
        }
        assert!(head.starts_with("HTTP/1.1 200 OK") && head.contains("text/event-stream"), "{head}");
        let data =
            events.lines().map_while(Result::ok).filter_map(|text| text.strip_prefix("data: ").map(value));
        let data: Vec<_> = data.collect();
        assert_eq!(data.iter().filter(|line| line["event"] == "lock").count(), locks);
        assert_eq!(data.last().unwrap()["event"], "end");
    }
}

#[test]
fn a_state_is_had_on_demand() {
    let hub = hub(1);
    let server = Server::start(hub.clone(), Options::default()).unwrap();
    let mut broadcast = Broadcast::new(hub);
    let mut game = Game::new(IMAGES[0], 1, 0);
    let mut web = socket(server.address(), "/ws?only=end");
    assert_eq!(line(&mut web)["event"], "hello");
    broadcast.frame(&game.frame());
    web.send(Message::text(r#"{"request":"state"}"#)).unwrap();
    let state = line(&mut web);
    assert_eq!((&state["event"], &state["frame"]), (&json!("state"), &json!(1)));
    for wrong in
        [Message::text("{"), Message::text(r#"{"request":"coffee"}"#), Message::binary(vec![1, 2, 3])]
    {
        web.send(wrong).unwrap();
        let error = line(&mut web);
        assert!(
            error["event"] == "error"
                && error["message"].as_str().unwrap().contains(r#"{"request":"state"}"#)
        );
    }
    let text = answer(server.address(), &format!("GET /state HTTP/1.1\nHost: {}\n\n", server.address()));
    let body = text.split("\r\n\r\n").nth(1).unwrap();
    let events: Vec<_> = body.lines().map(|line| value(line)["event"].clone()).collect();
    assert_eq!(events, ["hello", "state"]);
}

#[test]
fn pages_are_served_whole_and_name_only_what_is_served() {
    let css = Some(".name { color: rebeccapurple; }".to_owned());
    let server = Server::start(hub(1), Options { css, ..Options::default() }).unwrap();
    let get = |path: &str| {
        answer(server.address(), &format!("GET {path} HTTP/1.1\nHost: {}\n\n", server.address()))
    };
    for (path, kind, word) in [
        ("/", "text/html", "overlay?layout=two"),
        ("/overlay?layout=two", "text/html", "overlay.js"),
        ("/overlay?layout=commentator", "text/html", "own.css"),
        ("/overlay.css", "text/css", "--u"),
        ("/own.css", "text/css", "rebeccapurple"),
        ("/overlay.js", "text/javascript", "./connection.js"),
        ("/connection.js", "text/javascript", "WebSocket"),
        ("/field.js", "text/javascript", "class Field"),
        ("/theme.js", "text/javascript", "colours"),
    ] {
        let page = get(path);
        assert!(
            page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains(kind) && page.contains(word),
            "{path}"
        );
        let (head, body) = page.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("Content-Length: {}", body.len())), "{path}");
        assert!(!body.contains("https://") && !body.contains("//cdn"), "{path} loads from elsewhere");
    }
    assert!(get("/nothing").starts_with("HTTP/1.1 404"));
    let refused = get("/overlay?layout=three");
    assert!(refused.starts_with("HTTP/1.1 400") && refused.contains("expected one, two, stats"), "{refused}");
    assert!(get("/../Cargo.toml").starts_with("HTTP/1.1 404"));
}

#[test]
fn a_head_is_the_answer_without_its_body() {
    let hub = hub(1);
    let server = Server::start(hub.clone(), Options::default()).unwrap();
    let address = server.address();
    for path in ["/", "/overlay?layout=two", "/state", "/match", "/events", "/nothing"] {
        let ask = |method: &str| answer(address, &format!("{method} {path} HTTP/1.1\nHost: {address}\n\n"));
        let head = ask("HEAD");
        assert!(head.ends_with("\r\n\r\n") && head.matches("\r\n\r\n").count() == 1, "{head}");
        if path != "/events" {
            let whole = ask("GET");
            assert!(whole.starts_with(&head), "{path}: {whole}");
        }
    }
    assert!(answer(address, &format!("DELETE / HTTP/1.1\nHost: {address}\n\n")).starts_with("HTTP/1.1 405"));
    assert_eq!(hub.readers(), 0, "a head is no reader");
}

#[test]
fn the_host_of_a_match_sets_names_wins_and_scene_with_the_token_alone() {
    let hub = hub(2);
    let token = "a-token-of-some-letters";
    let options = Options { token: Some(Secret::new(token.into())), ..Options::default() };
    let server = Server::start(hub.clone(), options).unwrap();
    let address = server.address();
    let post = |path: &str, more: &str, body: &str| {
        let length = body.len();
        let head = format!("POST {path} HTTP/1.1\nHost: {address}\nContent-Length: {length}\n{more}\n{body}");
        answer(address, &head)
    };
    let bearer = format!("Authorization: Bearer {token}\n");
    let mut web = socket(address, &format!("/ws?only=match&token={token}"));
    let change = r#"{"names":["Ada","Ben"],"wins":[1,0],"best_of":5,"scene":"two"}"#;
    assert!(post("/match", "", change).starts_with("HTTP/1.1 401"));
    assert!(
        post("/match", &format!("{bearer}Origin: http://evil.example\n"), change).starts_with("HTTP/1.1 403")
    );
    assert!(post("/state", &bearer, change).starts_with("HTTP/1.1 405"));
    assert!(post("/match", &bearer, r#"{"wins":"two"}"#).starts_with("HTTP/1.1 400"));
    assert_eq!(hub.board(), None);
    let set = post("/match", &bearer, change);
    assert!(set.starts_with("HTTP/1.1 200") && set.contains(r#""wins":[1,0]"#), "{set}");
    // Whoever reads has it, and whoever comes later.
    while line(&mut web)["event"] != json!("match") {}
    let mut late = socket(address, &format!("/ws?token={token}"));
    assert_eq!(line(&mut late)["event"], "hello");
    let known = line(&mut late);
    assert_eq!((&known["event"], &known["names"]), (&json!("match"), &json!(["Ada", "Ben"])));
    assert!(post("/match", &bearer, r#"{"wins":[1,1]}"#).starts_with("HTTP/1.1 200"));
    let changed = line(&mut late);
    assert_eq!((&changed["wins"], &changed["scene"]), (&json!([1, 1]), &json!("two")));
    // Without a token nothing can be changed by anybody.
    let open = Server::start(hub.clone(), Options::default()).unwrap();
    let address = open.address();
    let head = format!("POST /match HTTP/1.1\nHost: {address}\nContent-Length: 2\n\n{{}}");
    assert!(answer(address, &head).starts_with("HTTP/1.1 403"));
}

#[test]
fn who_is_not_allowed_is_refused_with_the_reason() {
    let token = Secret::new("a-token-of-some-letters".into());
    let open = Options { address: IpAddr::V4(Ipv4Addr::UNSPECIFIED), ..Options::default() };
    let error = Server::start(hub(1), open.clone()).unwrap_err().to_string();
    assert!(error.contains("0.0.0.0") && error.contains("--token"), "{error}");
    let short = Options { token: Some(Secret::new("short".into())), ..open };
    assert!(Server::start(hub(1), short).unwrap_err().to_string().contains("at least 16"));
    let server = Server::start(hub(1), Options { token: Some(token), ..Options::default() }).unwrap();
    let address = server.address();
    let get =
        |path: &str, more: &str| answer(address, &format!("GET {path} HTTP/1.1\nHost: {address}\n{more}\n"));
    assert!(get("/state", "").starts_with("HTTP/1.1 401"));
    assert!(get("/state?token=a-token-of-some-letterz", "").starts_with("HTTP/1.1 401"));
    assert!(get("/state?token=a-token-of-some-letters", "").starts_with("HTTP/1.1 200"));
    assert!(get("/state", "Authorization: Bearer a-token-of-some-letters\n").starts_with("HTTP/1.1 200"));
    assert!(
        get("/state?token=a-token-of-some-letters", "Origin: http://evil.example\n")
            .starts_with("HTTP/1.1 403")
    );
    assert!(answer(address, "GET /state HTTP/1.1\nHost: evil.example\n\n").starts_with("HTTP/1.1 421"));
    let refused = tungstenite::connect(format!("ws://{address}/ws")).unwrap_err();
    assert!(matches!(refused, tungstenite::Error::Http(answer) if answer.status() == 401));
    let again = Server::start(hub(1), Options { port: address.port(), ..Options::default() });
    assert!(again.unwrap_err().to_string().contains("is the port taken?"));
}

#[test]
fn questions_are_answered_by_a_pool_and_one_too_many_is_told_to_come_back() {
    let (begun, begins) = std::sync::mpsc::channel();
    let (release, held) = std::sync::mpsc::channel::<()>();
    let shared = std::sync::Arc::new(std::sync::Mutex::new((begun, held)));
    let answerer = move || {
        let shared = std::sync::Arc::clone(&shared);
        move |path: &str, query: &str| {
            if path == "/hold" {
                let (begun, held) = &*shared.lock().unwrap();
                begun.send(()).unwrap();
                held.recv().unwrap();
            }
            Some(Reply { status: 200, kind: "text/plain", body: format!("{path} {query}") })
        }
    };
    let server = Server::answer(Options::default(), 1, answerer).unwrap();
    let address = server.address();
    let head = |path: &str| format!("GET {path} HTTP/1.1\nHost: {address}\n\n");
    let plain = answer(address, &head("/one?two=3"));
    assert!(plain.starts_with("HTTP/1.1 200") && plain.ends_with("\r\n\r\n/one two=3"), "{plain}");
    // The one thread is held; the queue fills behind it.
    let first = request(address, &head("/hold"));
    begins.recv().unwrap();
    let waiting: Vec<_> = (0..QUESTIONS).map(|_| request(address, &head("/wait"))).collect();
    until("the queue is full", || answer_now(address, &head("/late")).starts_with("HTTP/1.1 503"));
    release.send(()).unwrap();
    for (stream, expected) in
        [first].into_iter().chain(waiting).zip(["/hold"].into_iter().chain(["/wait"; QUESTIONS]))
    {
        let text = std::io::read_to_string(stream).unwrap();
        assert!(text.starts_with("HTTP/1.1 200") && text.ends_with(&format!("{expected} ")), "{text}");
    }
}

#[test]
fn an_answer_that_breaks_off_costs_one_connection() {
    let answerer = || {
        let mut answered = 0;
        move |path: &str, _: &str| {
            answered += 1;
            let body = format!("{path}, number {answered}");
            (path != "/broken").then_some(Reply { status: 200, kind: "text/plain", body })
        }
    };
    let server = Server::answer(Options::default(), 1, answerer).unwrap();
    let address = server.address();
    let get = |path: &str| answer(address, &format!("GET {path} HTTP/1.1\nHost: {address}\n\n"));
    assert!(get("/one").ends_with("/one, number 1"));
    let broken = get("/broken");
    assert!(broken.starts_with("HTTP/1.1 500") && broken.contains("the answer broke off"), "{broken}");
    // The one thread goes on, with an answerer that has seen nothing of it.
    assert!(get("/two").ends_with("/two, number 1"));
}

/// What a server says at once, or nothing.
fn answer_now(address: std::net::SocketAddr, head: &str) -> String {
    let mut tcp = request(address, head);
    tcp.set_read_timeout(Some(std::time::Duration::from_millis(200))).unwrap();
    let mut part = [0; 64];
    let read = std::io::Read::read(&mut tcp, &mut part).unwrap_or(0);
    String::from_utf8_lossy(&part[..read]).into_owned()
}
