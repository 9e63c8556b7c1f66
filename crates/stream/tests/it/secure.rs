//! NestrisChamps over TLS.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ClientConfig, RootCertStore, ServerConfig, ServerConnection, StreamOwned};
use stream::nestris::{Champs, Site};
use stream::{Follower, Retry, Secret, Source, Status};
use tungstenite::Message;

use crate::rig::{Game, IMAGES, PATIENCE, until};

const CERTIFICATE: &[u8] = include_bytes!("tls/localhost.cert.der");
const KEY: &[u8] = include_bytes!("tls/localhost.key.der");
const QUICK: Retry = Retry { first: Duration::from_millis(30), longest: Duration::from_millis(60) };

#[test]
fn a_game_goes_over_tls_to_a_server_that_is_trusted_and_to_no_other() {
    let certificate = CertificateDer::from(CERTIFICATE);
    let key = PrivateKeyDer::try_from(KEY).unwrap();
    let server = ServerConfig::builder().with_no_client_auth();
    let server = Arc::new(server.with_single_cert(vec![certificate.clone()], key).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (sender, received) = channel();
    thread::spawn(move || {
        for tcp in listener.incoming().flatten() {
            let tls = StreamOwned::new(ServerConnection::new(Arc::clone(&server)).unwrap(), tcp);
            // Who does not trust the certificate hangs up.
            let Ok(mut socket) = tungstenite::accept(tls) else { continue };
            while let Ok(message) = socket.read() {
                if let Message::Binary(bytes) = message {
                    let _ = sender.send(bytes.len());
                }
            }
        }
    });
    let site = Site {
        server: format!("wss://localhost:{port}"),
        ..Site::of_secret(Secret::new("not-in-any-message".into()))
    };
    let stranger = Champs::connect(&site, 1, QUICK, None).unwrap();
    until("a refusal", || matches!(stranger.link().status(), Status::Lost(_)));
    let Status::Lost(reason) = stranger.link().status() else { unreachable!("seen above") };
    assert!(reason.contains("ertificate") && !reason.contains("not-in-any"), "{reason}");
    drop(stranger);

    let mut roots = RootCertStore::empty();
    roots.add(certificate).unwrap();
    let client = Arc::new(ClientConfig::builder().with_root_certificates(roots).with_no_client_auth());
    let mut champs = Champs::connect(&site, 1, QUICK, Some(client)).unwrap();
    until("a connection", || champs.link().status() == Status::Connected);
    let (mut source, mut game) = (Source::default(), Game::new(IMAGES[0], 1, 18));
    for _ in 0..100 {
        champs.update(&source.observe(&game.frame()));
    }
    for _ in 0..5 {
        assert_eq!(received.recv_timeout(PATIENCE).unwrap(), 73);
    }
}
