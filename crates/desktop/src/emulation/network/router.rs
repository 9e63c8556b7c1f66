//! The router that is asked to let the other player in, and the port that it keeps open meanwhile.

use std::net::{SocketAddr, SocketAddrV4};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use netplay::{GatewayOptions, NoPort, OpenPort};

/// Until a router that has not renewed a port is asked again.
const AGAIN: Duration = Duration::from_secs(60);

/// A router that was asked. Dropped, the port is closed, which may take a while.
pub(super) struct Router {
    /// What the address outside is told with.
    code: String,
    /// A thread that waits for an answer.
    answer: Option<Receiver<Answer>>,
    port: Option<OpenPort>,
    /// When it is to be renewed, in the time of [`Router::turn`].
    due: Option<Duration>,
    /// The address outside that was told; none after a renewal that has failed.
    told: Option<SocketAddr>,
}

enum Answer {
    Opened(Result<OpenPort, NoPort>),
    Renewed(OpenPort, Result<(), NoPort>),
}

impl Router {
    /// Asks for a port, in a thread of its own. None if the system gives no thread.
    pub(super) fn ask(
        inside: SocketAddrV4,
        options: impl FnOnce() -> GatewayOptions + Send + 'static,
        code: String,
    ) -> Option<Self> {
        let answer = in_thread(move || Answer::Opened(OpenPort::ask(inside, options())))?;
        Some(Self { code, answer: Some(answer), port: None, due: None, told: None })
    }

    /// Takes an answer in, and has the port renewed when it is time for it. `now` is the time since
    /// any moment that stays the same. Returns what to tell the player.
    pub(super) fn turn(&mut self, now: Duration) -> Option<String> {
        if let Some(answer) = self.answer.as_ref().and_then(|answer| answer.try_recv().ok()) {
            self.answer = None;
            return self.take(answer, now);
        }
        if self.due.is_some_and(|due| due <= now)
            && let Some(mut port) = self.port.take()
        {
            self.due = None;
            // Without a thread the port is closed, as it would be when its time is over.
            self.answer = in_thread(move || {
                let renewed = port.renew();
                Answer::Renewed(port, renewed)
            });
        }
        None
    }

    fn take(&mut self, answer: Answer, now: Duration) -> Option<String> {
        let (port, renewed) = match answer {
            Answer::Opened(Ok(port)) => (port, Ok(())),
            Answer::Opened(Err(error)) => return Some(error.to_string()),
            Answer::Renewed(port, renewed) => (port, renewed),
        };
        let wait = port.renewal().map(|wait| if renewed.is_ok() { wait } else { AGAIN });
        self.due = wait.map(|wait| now + wait);
        let (outside, protocol) = (port.outside(), port.protocol());
        self.port = Some(port);
        let told = std::mem::replace(&mut self.told, renewed.is_ok().then_some(outside));
        match renewed {
            Ok(()) if told == Some(outside) => None,
            Ok(()) => {
                let code = &self.code;
                Some(format!("the router lets players in ({protocol}); they join as {code}{outside}"))
            }
            Err(error) => told.map(|_| error.to_string()),
        }
    }
}

/// Runs a question to the router in a thread of its own. A port that is granted after
/// the wait has ended is closed again.
fn in_thread(ask: impl FnOnce() -> Answer + Send + 'static) -> Option<Receiver<Answer>> {
    let (tell, told) = mpsc::channel();
    let ask = move || {
        let _ = tell.send(ask());
    };
    thread::Builder::new().name("router".into()).spawn(ask).is_ok().then_some(told)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::{Ipv4Addr, UdpSocket};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex};

    use super::*;

    const INSIDE: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(192, 0, 2, 5), 5_051);

    /// What a router was asked for, in seconds, and whether it answers: 0 not at all.
    #[derive(Default)]
    struct Told {
        leases: Mutex<Vec<u32>>,
        answers: AtomicUsize,
    }

    /// A router that speaks NAT-PMP and grants 200 seconds, at the port that every address of
    /// 127.0.0.0/8 has here.
    fn router(last: u8) -> (GatewayOptions, Arc<Told>) {
        let address = Ipv4Addr::new(127, 78, 0, last);
        let socket = UdpSocket::bind((address, 5_351)).unwrap();
        let told = Arc::new(Told { answers: 1.into(), ..Told::default() });
        let shared = Arc::clone(&told);
        thread::spawn(move || {
            let mut bytes = [0; 1_100];
            while let Ok((length, from)) = socket.recv_from(&mut bytes) {
                let head = |operation: u8| vec![0, 0x80 | operation, 0, 0, 0, 0, 0, 9];
                let reply = match (bytes[0], length) {
                    (0, 2) => [head(0), vec![198, 51, 100, 7]].concat(),
                    (0, 12) => {
                        let lease = u32::from_be_bytes(bytes[8..12].try_into().unwrap());
                        shared.leases.lock().unwrap().push(lease);
                        let granted = lease.min(200).to_be_bytes();
                        let outside = if lease > 0 { [19, 188] } else { [0; 2] };
                        [&head(1)[..], &bytes[4..6], &outside, &granted].concat()
                    }
                    _ => vec![0, 0x80 | bytes[1], 0, 1, 0, 0, 0, 9],
                };
                if shared.answers.load(Ordering::SeqCst) > 0 {
                    let _ = socket.send_to(&reply, from);
                }
            }
        });
        // Nothing answers UPnP there.
        let silent = UdpSocket::bind("127.0.0.1:0").unwrap();
        let options = GatewayOptions {
            router: Some(address.into()),
            search: silent.local_addr().unwrap(),
            own: SocketAddr::from(([127, 0, 0, 1], 0)),
            patience: Duration::from_secs(2),
        };
        (options, told)
    }

    /// Waits for the answer to a question that is under way.
    fn heard(router: &mut Router, now: u64) -> Option<String> {
        while router.answer.is_some() {
            if let Some(text) = router.turn(Duration::from_secs(now)) {
                return Some(text);
            }
            thread::sleep(Duration::from_millis(2));
        }
        None
    }

    #[test]
    fn a_port_that_is_granted_for_a_short_time_is_renewed_as_long_as_it_is_wanted() {
        let (options, told) = router(1);
        let asked = || told.leases.lock().unwrap().len();
        let mut router = Router::ask(INSIDE, move || options, "a-code@".to_owned()).unwrap();
        let text = heard(&mut router, 1_000).unwrap();
        assert!(text.ends_with("join as a-code@198.51.100.7:5052"), "{text}");
        assert_eq!((router.turn(Duration::from_secs(1_099)), router.answer.is_some()), (None, false));
        for (count, now) in [(2, 1_100), (3, 1_200), (4, 1_350)] {
            assert_eq!((router.turn(Duration::from_secs(now)), heard(&mut router, now)), (None, None));
            assert_eq!(asked(), count, "nothing is told of a renewal");
        }
        // The router says nothing any more, is asked again after a minute, and comes back.
        told.answers.store(0, Ordering::SeqCst);
        assert_eq!(router.turn(Duration::from_secs(1_450)), None);
        let text = heard(&mut router, 1_450).unwrap();
        assert!(text.starts_with("the router may close the port"), "{text}");
        assert_eq!((router.turn(Duration::from_secs(1_509)), router.answer.is_some()), (None, false));
        assert_eq!((router.turn(Duration::from_secs(1_510)), heard(&mut router, 1_510)), (None, None));
        told.answers.store(1, Ordering::SeqCst);
        assert_eq!(router.turn(Duration::from_secs(1_570)), None);
        assert!(heard(&mut router, 1_570).unwrap().contains("lets players in"));
        drop(router);
        assert_eq!(told.leases.lock().unwrap().last(), Some(&0), "it is closed again");
    }
}
