//! A router that is asked to let a player in: a small one of our own, on loopback.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpListener, TcpStream, UdpSocket};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use netplay::{GatewayOptions, NoPort, OpenPort};

const SERVICE: &str = "urn:schemas-upnp-org:service:WANIPConnection:1";
const INSIDE: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(192, 0, 2, 5), 5_051);

/// What it was asked for: the actions with what they say.
type Asked = Arc<Mutex<Vec<String>>>;

fn description() -> String {
    format!(
        "<?xml version=\"1.0\"?><root xmlns=\"urn:schemas-upnp-org:device-1-0\"><device>\
         <deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType><deviceList><device>\
         <deviceType>urn:schemas-upnp-org:device:WANDevice:1</deviceType><deviceList><device>\
         <deviceType>urn:schemas-upnp-org:device:WANConnectionDevice:1</deviceType><serviceList><service>\
         <serviceType>{SERVICE}</serviceType><controlURL>/control</controlURL><SCPDURL>/actions</SCPDURL>\
         </service></serviceList></device></deviceList></device></deviceList></device></root>"
    )
}

fn actions() -> String {
    let action = |name: &str, arguments: &[&str]| {
        let arguments: Vec<String> = arguments
            .iter()
            .map(|name| format!("<argument><name>{name}</name><direction>in</direction></argument>"))
            .collect();
        let arguments = arguments.concat();
        format!("<action><name>{name}</name><argumentList>{arguments}</argumentList></action>")
    };
    let port = ["NewRemoteHost", "NewExternalPort", "NewProtocol"];
    let mapping = [
        "NewInternalPort",
        "NewInternalClient",
        "NewEnabled",
        "NewPortMappingDescription",
        "NewLeaseDuration",
    ];
    format!(
        "<?xml version=\"1.0\"?><scpd xmlns=\"urn:schemas-upnp-org:service-1-0\"><actionList>{}{}{}</actionList></scpd>",
        action("GetExternalIPAddress", &[]),
        action("AddPortMapping", &[&port[..], &mapping].concat()),
        action("DeletePortMapping", &port),
    )
}

fn reply(name: &str, inside: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body>\
         <u:{name}Response xmlns:u=\"{SERVICE}\">{inside}</u:{name}Response></s:Body></s:Envelope>"
    )
}

/// Answers a request. `outside` is the router's own address.
fn serve(mut tcp: TcpStream, outside: &str, asked: &Asked) {
    let (mut bytes, mut part) = (Vec::new(), [0; 4_096]);
    let text = loop {
        let Ok(read) = tcp.read(&mut part) else { return };
        bytes.extend(&part[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let length = text.lines().find_map(|line| {
            line.to_ascii_lowercase()
                .strip_prefix("content-length:")
                .and_then(|length| length.trim().parse().ok())
        });
        let body = text.split_once("\r\n\r\n").map(|(_, body)| body.len());
        if read == 0 || body.is_some_and(|body| body >= length.unwrap_or(0)) {
            break text;
        }
    };
    let body = match text.split(' ').nth(1) {
        Some("/description") => description(),
        Some("/actions") => actions(),
        _ => {
            let name = ["GetExternalIPAddress", "AddPortMapping", "DeletePortMapping"]
                .into_iter()
                .find(|name| text.contains(&format!("#{name}")));
            let name = name.expect("an action");
            asked.lock().unwrap().push(text);
            let ip = format!("<NewExternalIPAddress>{outside}</NewExternalIPAddress>");
            reply(name, if name.starts_with("Get") { &ip } else { "" })
        }
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = tcp.write_all((head + &body).as_bytes());
}

/// A router at an address of this computer.
fn router(outside: &'static str) -> (GatewayOptions, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let asked = Asked::default();
    let told = Arc::clone(&asked);
    thread::spawn(move || listener.incoming().flatten().for_each(|tcp| serve(tcp, outside, &told)));
    let search = UdpSocket::bind("127.0.0.1:0").unwrap();
    let options = GatewayOptions {
        search: search.local_addr().unwrap(),
        own: SocketAddr::from(([127, 0, 0, 1], 0)),
        patience: Duration::from_secs(20),
    };
    thread::spawn(move || {
        let mut bytes = [0; 2_048];
        while let Ok((_, from)) = search.recv_from(&mut bytes) {
            let answer =
                format!("HTTP/1.1 200 OK\r\nST: {SERVICE}\r\nLOCATION: http://{address}/description\r\n\r\n");
            let _ = search.send_to(answer.as_bytes(), from);
        }
    });
    (options, asked)
}

#[test]
fn a_router_opens_the_port_and_closes_it_again() {
    let (options, asked) = router("198.51.100.7");
    let port = OpenPort::ask(INSIDE, options).unwrap();
    assert_eq!(port.outside(), "198.51.100.7:5051".parse().unwrap());
    let opened = asked.lock().unwrap().last().cloned().unwrap();
    for words in [
        "AddPortMapping",
        "<NewExternalPort>5051<",
        "<NewInternalPort>5051<",
        "<NewInternalClient>192.0.2.5<",
        "<NewProtocol>UDP<",
        "<NewLeaseDuration>14400<",
    ] {
        assert!(opened.contains(words), "{words}: {opened}");
    }
    drop(port);
    let closed = asked.lock().unwrap().last().cloned().unwrap();
    assert!(closed.contains("DeletePortMapping") && closed.contains("<NewExternalPort>5051<"), "{closed}");
}

#[test]
fn a_router_behind_another_one_is_of_no_use_and_one_that_is_not_there_is_not_waited_for() {
    for outside in ["192.168.0.2", "10.0.0.1", "100.64.3.4"] {
        let (options, asked) = router(outside);
        assert!(matches!(OpenPort::ask(INSIDE, options), Err(NoPort::Hidden(_))));
        assert!(asked.lock().unwrap().iter().all(|text| !text.contains("AddPortMapping")));
    }
    let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
    let options = GatewayOptions {
        search: silent.local_addr().unwrap(),
        own: SocketAddr::from(([127, 0, 0, 1], 0)),
        patience: Duration::from_millis(200),
    };
    let begun = Instant::now();
    assert!(matches!(OpenPort::ask(INSIDE, options), Err(NoPort::Silent(_))));
    assert!(begun.elapsed() < Duration::from_secs(20));
}
