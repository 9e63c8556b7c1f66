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

/// What a router says of a lease that is to end, if it keeps ports for good alone.
const FOR_GOOD: &str = "<?xml version=\"1.0\"?><s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><s:Fault>\
     <faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>\
     <UPnPError xmlns=\"urn:schemas-upnp-org:control-1-0\"><errorCode>725</errorCode>\
     <errorDescription>OnlyPermanentLeasesSupported</errorDescription></UPnPError></detail></s:Fault></s:Body>\
     </s:Envelope>";

/// Answers a request. `outside` is the router's own address; `for_good` tells that it knows no
/// lease that ends.
fn serve(mut tcp: TcpStream, outside: &str, for_good: bool, asked: &Asked) {
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
            let refuses = for_good && name.starts_with("Add") && !text.contains("<NewLeaseDuration>0<");
            asked.lock().unwrap().push(text);
            if refuses {
                let head =
                    "HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/xml\r\nConnection: close";
                let _ = write!(tcp, "{head}\r\nContent-Length: {}\r\n\r\n{FOR_GOOD}", FOR_GOOD.len());
                return;
            }
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
    router_of(outside, false)
}

fn router_of(outside: &'static str, for_good: bool) -> (GatewayOptions, Asked) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let asked = Asked::default();
    let told = Arc::clone(&asked);
    thread::spawn(move || listener.incoming().flatten().for_each(|tcp| serve(tcp, outside, for_good, &told)));
    let search = UdpSocket::bind("127.0.0.1:0").unwrap();
    let options = GatewayOptions {
        search: search.local_addr().unwrap(),
        own: SocketAddr::from(([127, 0, 0, 1], 0)),
        patience: Duration::from_secs(20),
        router: None,
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
    // The router does not say how long it keeps the port.
    let mut port = port;
    assert_eq!(port.renewal(), Some(Duration::from_secs(1_800)));
    port.renew().unwrap();
    assert_eq!(asked.lock().unwrap().iter().filter(|text| text.contains("AddPortMapping")).count(), 2);
    drop(port);
    let closed = asked.lock().unwrap().last().cloned().unwrap();
    assert!(closed.contains("DeletePortMapping") && closed.contains("<NewExternalPort>5051<"), "{closed}");
}

#[test]
fn a_router_that_keeps_ports_for_good_is_asked_for_that_and_not_again() {
    let (options, asked) = router_of("198.51.100.7", true);
    let mut port = OpenPort::ask(INSIDE, options).unwrap();
    let leases = || {
        let asked = asked.lock().unwrap();
        let of = |text: &String| Some(text.split_once("<NewLeaseDuration>")?.1.split('<').next()?.to_owned());
        asked.iter().filter_map(of).collect::<Vec<_>>()
    };
    assert_eq!((leases(), port.renewal()), (vec!["14400".to_owned(), "0".to_owned()], None));
    port.renew().unwrap();
    assert_eq!(leases().len(), 2);
    drop(port);
    assert!(asked.lock().unwrap().last().unwrap().contains("DeletePortMapping"));
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
        router: None,
    };
    let begun = Instant::now();
    assert!(matches!(OpenPort::ask(INSIDE, options), Err(NoPort::Silent(_))));
    assert!(begun.elapsed() < Duration::from_secs(20));
}

/// A router at an address of this computer, at the port of PCP and NAT-PMP, which every address of
/// 127.0.0.0/8 has here. It speaks PCP, or NAT-PMP alone.
#[cfg(target_os = "linux")]
mod mapping {
    use super::*;

    /// What it was asked for: the protocol, the lease and both ports.
    type Asked = Arc<Mutex<Vec<(u8, u32, [u16; 2])>>>;

    fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
        bytes[at..at + N].try_into().unwrap()
    }

    /// Answers a question. `outside` is the router's own address, and it grants `most` seconds; the
    /// port outside is one higher than the one that is asked for.
    fn answer(bytes: &[u8], has_pcp: bool, most: u32, outside: [u8; 4], asked: &Asked) -> Vec<u8> {
        let word = |at| u16::from_be_bytes(number(bytes, at));
        let ask = |protocol, lease, ports: [u16; 2]| asked.lock().unwrap().push((protocol, lease, ports));
        match (bytes[0], bytes[1], bytes.len()) {
            // PCP, MAP: header of 24 bytes, then nonce, protocol, ports and address (RFC 6887,
            // 11.1).
            (2, 1, 60) if has_pcp => {
                let lease = u32::from_be_bytes(number(bytes, 4));
                ask(bytes[36], lease, [word(40), word(42)]);
                let mut head = vec![2, 0x81, 0, 0];
                head.extend(lease.min(most).to_be_bytes());
                head.extend([0; 16]);
                head.extend(&bytes[24..42]);
                head.extend((word(40) + 1).to_be_bytes());
                head.extend([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]);
                [head, outside.to_vec()].concat()
            }
            // Another version (RFC 6886, 3.5): it speaks 0.
            (2, _, _) => vec![0, 0x80 | bytes[1], 0, 1, 0, 0, 0, 9],
            // NAT-PMP: the address outside, and a port of UDP.
            (0, 0, 2) => [vec![0, 0x80, 0, 0, 0, 0, 0, 9], outside.to_vec()].concat(),
            (0, 1, 12) => {
                let lease = u32::from_be_bytes(number(bytes, 8));
                ask(17, lease, [word(4), word(6)]);
                let mut reply = vec![0, 0x81, 0, 0, 0, 0, 0, 9];
                reply.extend(&bytes[4..6]);
                reply.extend((if lease > 0 { word(4) + 1 } else { 0 }).to_be_bytes());
                reply.extend(lease.min(most).to_be_bytes());
                reply
            }
            strange => panic!("{strange:?}: {bytes:02X?}"),
        }
    }

    fn router(last: u8, has_pcp: bool, outside: [u8; 4]) -> (GatewayOptions, Asked) {
        router_of(last, has_pcp, u32::MAX, outside)
    }

    fn router_of(last: u8, has_pcp: bool, most: u32, outside: [u8; 4]) -> (GatewayOptions, Asked) {
        let address = Ipv4Addr::new(127, 77, 0, last);
        let socket = UdpSocket::bind((address, 5_351)).unwrap();
        let asked = Asked::default();
        let told = Arc::clone(&asked);
        thread::spawn(move || {
            let mut bytes = [0; 1_100];
            while let Ok((length, from)) = socket.recv_from(&mut bytes) {
                let _ = socket.send_to(&answer(&bytes[..length], has_pcp, most, outside, &told), from);
            }
        });
        (silent(Some(address)), asked)
    }

    /// Options for a network where nobody speaks `UPnP`.
    fn silent(router: Option<Ipv4Addr>) -> GatewayOptions {
        let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
        GatewayOptions {
            router: router.map(Into::into),
            search: silent.local_addr().unwrap(),
            own: SocketAddr::from(([127, 0, 0, 1], 0)),
            patience: Duration::from_secs(2),
        }
    }

    #[test]
    fn a_port_is_opened_by_pcp_and_by_nat_pmp_and_closed_again() {
        for (last, has_pcp, protocol) in [(2, true, "PCP"), (3, false, "NAT-PMP")] {
            let (options, asked) = router(last, has_pcp, [198, 51, 100, 7]);
            let port = OpenPort::ask(INSIDE, options).unwrap();
            assert_eq!((port.protocol(), port.outside()), (protocol, "198.51.100.7:5052".parse().unwrap()));
            assert_eq!(*asked.lock().unwrap(), [(17, 14_400, [5_051, 5_051])]);
            drop(port);
            let closed = asked.lock().unwrap().last().copied().unwrap();
            assert_eq!((closed.0, closed.1, closed.2[0]), (17, 0, 5_051), "{protocol}");
        }
    }

    #[test]
    fn what_is_granted_for_a_short_time_is_to_be_renewed_at_half_of_it() {
        for (last, has_pcp) in [(10, true), (11, false)] {
            for (at, (most, renewal)) in
                [(3_600, Some(1_800)), (90, Some(45)), (10, Some(30)), (0, None)].into_iter().enumerate()
            {
                let (options, asked) = router_of(last + 2 * at as u8, has_pcp, most, [198, 51, 100, 7]);
                let mut port = OpenPort::ask(INSIDE, options).unwrap();
                assert_eq!(port.renewal(), renewal.map(Duration::from_secs), "{most}");
                for _ in 0..3 {
                    port.renew().unwrap();
                }
                let leases: Vec<u32> = asked.lock().unwrap().iter().map(|(_, lease, _)| *lease).collect();
                let renewed = if most == 0 { vec![] } else { vec![most; 3] };
                assert_eq!(leases, [vec![14_400], renewed].concat());
                assert_eq!(port.outside(), "198.51.100.7:5052".parse().unwrap());
            }
        }
    }

    #[test]
    fn a_router_behind_another_one_is_named_and_its_port_is_closed() {
        for (last, has_pcp) in [(4, true), (5, false)] {
            let (options, asked) = router(last, has_pcp, [10, 0, 0, 1]);
            let refused = OpenPort::ask(INSIDE, options);
            assert!(matches!(refused, Err(NoPort::Hidden(outside)) if outside.to_string() == "10.0.0.1"));
            assert_eq!(asked.lock().unwrap().last().unwrap().1, 0);
        }
    }

    #[test]
    fn a_router_that_says_nothing_or_nonsense_is_given_up_and_upnp_is_tried() {
        let address = Ipv4Addr::new(127, 77, 0, 6);
        let socket = UdpSocket::bind((address, 5_351)).unwrap();
        let (mut options, _) = super::router("198.51.100.7");
        (options.router, options.patience) = (Some(address.into()), Duration::from_millis(800));
        assert_eq!(OpenPort::ask(INSIDE, options).unwrap().protocol(), "UPnP");
        thread::spawn(move || {
            let (mut bytes, mut count) = ([0; 1_100], 0);
            while let Ok((length, from)) = socket.recv_from(&mut bytes) {
                count += 1;
                let nonsense = [vec![2, 0x81, 0, 0], vec![0xFF; length * count % 1_000]].concat();
                let _ = socket.send_to(&nonsense, from);
            }
        });
        assert_eq!(OpenPort::ask(INSIDE, options).unwrap().protocol(), "UPnP");
    }
}
