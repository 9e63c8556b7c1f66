use super::*;

type Sent = Vec<(SocketAddr, Vec<u8>)>;

fn at(port: u16) -> SocketAddr {
    SocketAddr::from(([192, 0, 2, 1], port))
}

fn take(relay: &mut Relay, from: u16, letter: &Letter<'_>, now: u64) -> Sent {
    let mut sent = Sent::new();
    relay.take(at(from), &letter.bytes(), Duration::from_millis(now), &mut |to, bytes| {
        sent.push((to, bytes.to_vec()));
    });
    sent
}

fn enter(relay: &mut Relay, from: u16, room: u64, client: u64, role: Role, pass: u64, now: u64) -> Vec<u8> {
    let mut cookie = 0;
    for _ in 0..2 {
        let local = vec![at(from + 1_000)];
        let letter = Letter::Enter { room, client, cookie, role, hidden: from == 6, pass, local };
        let mut sent = take(relay, from, &letter, now);
        let (to, bytes) = sent.pop().expect("an answer");
        assert!(to == at(from) && sent.is_empty() && bytes.len() <= ENTER, "no more than was sent");
        match Letter::read(&bytes) {
            Some(Letter::Entered { cookie: told, .. }) if told != cookie => cookie = told,
            _ => return bytes,
        }
    }
    panic!("the cookie changes");
}

#[test]
fn two_players_meet_and_a_third_is_told() {
    let mut relay = Relay::new(RelayLimits::default(), None);
    let closed = enter(&mut relay, 2, 7, 20, Role::Guest, 0, 0);
    assert_eq!(Letter::read(&closed), Some(Letter::Refused(NoEntry::Closed)));
    enter(&mut relay, 1, 7, 10, Role::Host, 0, 0);
    let met = enter(&mut relay, 2, 7, 20, Role::Guest, 0, 0);
    let Some(Letter::Entered { own, peers, .. }) = Letter::read(&met) else { panic!("{met:?}") };
    assert_eq!((own, peers), (at(2), vec![at(1), at(1_001)]));
    let third = enter(&mut relay, 3, 7, 30, Role::Guest, 0, 0);
    assert_eq!(Letter::read(&third), Some(Letter::Refused(NoEntry::Full)));
    // One that hides its addresses is told the other's, and the reverse not.
    enter(&mut relay, 6, 8, 60, Role::Host, 0, 0);
    let met = enter(&mut relay, 2, 8, 20, Role::Guest, 0, 0);
    assert!(matches!(Letter::read(&met), Some(Letter::Entered { peers, .. }) if peers.is_empty()));
    // What one says goes to the other, and what a stranger says to nobody.
    let pass = |client| Letter::Pass { room: 7, client, load: b"hello" };
    assert_eq!(take(&mut relay, 1, &pass(10), 0), [(at(2), Letter::Passed(b"hello").bytes())]);
    assert_eq!(take(&mut relay, 2, &pass(20), 0), [(at(1), Letter::Passed(b"hello").bytes())]);
    for (from, client) in [(3, 30), (3, 20), (1, 20)] {
        assert!(take(&mut relay, from, &pass(client), 0).is_empty());
    }
    // The same player comes from another address, as after a cut; then the seat is free.
    enter(&mut relay, 5, 7, 20, Role::Guest, 0, 50_000);
    enter(&mut relay, 1, 7, 10, Role::Host, 0, 50_000);
    assert_eq!(take(&mut relay, 1, &pass(10), 50_000), [(at(5), Letter::Passed(b"hello").bytes())]);
    enter(&mut relay, 1, 7, 10, Role::Host, 0, 145_000);
    let later = enter(&mut relay, 3, 7, 30, Role::Guest, 0, 145_000);
    assert!(matches!(Letter::read(&later), Some(Letter::Entered { .. })));
    take(&mut relay, 9, &pass(1), 400_000);
    assert_eq!(relay.count(), [0, 0], "rooms in which nothing is heard are closed");
}

#[test]
fn everything_has_a_bound() {
    let limits = RelayLimits { rooms: 2, watchers: 3 };
    let mut relay = Relay::new(limits, Some("a token of the owner"));
    let pass = pass_of(Some("a token of the owner"));
    let refused = enter(&mut relay, 1, 1, 1, Role::Host, 0, 0);
    assert_eq!(Letter::read(&refused), Some(Letter::Refused(NoEntry::Token)));
    for room in [1, 2] {
        enter(&mut relay, room as u16, room, room, Role::Host, pass, 0);
    }
    let refused = enter(&mut relay, 3, 3, 3, Role::Host, pass, 0);
    assert_eq!(Letter::read(&refused), Some(Letter::Refused(NoEntry::NoRoom)));
    for watcher in 10..13 {
        enter(&mut relay, watcher, 1, watcher.into(), Role::Watcher, 0, 0);
    }
    let refused = enter(&mut relay, 14, 1, 14, Role::Watcher, 0, 0);
    assert_eq!(Letter::read(&refused), Some(Letter::Refused(NoEntry::Crowded)));
    // Parts go to all who watch, and one that was missed is had again.
    let publish = |part| Letter::Publish { room: 1, client: 1, part, load: b"part" };
    let sent = take(&mut relay, 1, &publish(0), 0);
    assert_eq!(sent.len(), 4, "three who watch, and the host is told");
    assert_eq!(sent[3], (at(1), Letter::Kept(1).bytes()));
    for part in [0, 2, 10_000] {
        let sent = take(&mut relay, 1, &publish(part), 0);
        assert_eq!(sent, [(at(1), Letter::Kept(1).bytes())], "known, or not the next one");
    }
    let long = Letter::Publish { room: 1, client: 1, part: 1, load: &[0; LONGEST_PART + 1] };
    assert_eq!(take(&mut relay, 1, &long, 0).len(), 1);
    assert!(take(&mut relay, 10, &publish(1), 0).is_empty(), "a watcher says nothing");
    let want = |part| Letter::Want { room: 1, client: 12, part };
    assert_eq!(
        take(&mut relay, 12, &want(0), 0),
        [(at(12), Letter::Published { part: 0, load: b"part" }.bytes())]
    );
    assert!(take(&mut relay, 12, &want(1), 0).is_empty());
    enter(&mut relay, 40, 1, 40, Role::Guest, 0, 0);
    let carried = (0..2_000)
        .filter(|_| !take(&mut relay, 1, &Letter::Pass { room: 1, client: 1, load: &[0; 64] }, 1).is_empty());
    assert!((1..=600).contains(&carried.count()), "so many messages a second");
    assert!(Letter::read(&Letter::Passed(&[0; 481]).bytes()).is_none());
}

#[test]
fn connections_are_known_by_their_number_and_never_told_as_addresses() {
    for number in [0, 7, u64::MAX] {
        assert_eq!(connection_of_address(address_of_connection(number)), Some(number));
    }
    assert_eq!(connection_of_address(at(1)), None);
    assert_eq!(connection_of_address(SocketAddr::from(([0x2001, 0, 0, 0, 0, 0, 0, 7], 0))), None);
    let mut relay = Relay::new(RelayLimits::default(), None);
    enter(&mut relay, 1, 7, 10, Role::Host, 0, 0);
    let web = address_of_connection(3);
    let mut cookie = 0;
    for _ in 0..2 {
        let (role, local) = (Role::Guest, vec![at(9)]);
        let letter = Letter::Enter { room: 7, client: 20, cookie, role, hidden: false, pass: 0, local };
        let mut said = Vec::new();
        relay.take(web, &letter.bytes(), Duration::ZERO, &mut |_, bytes| said = bytes.to_vec());
        let Some(Letter::Entered { cookie: told, peers, .. }) = Letter::read(&said) else {
            panic!("{said:?}")
        };
        assert!(peers.is_empty());
        cookie = told;
    }
    let met = enter(&mut relay, 1, 7, 10, Role::Host, 0, 0);
    assert!(matches!(Letter::read(&met), Some(Letter::Entered { peers, .. }) if peers.is_empty()));
    let pass = Letter::Pass { room: 7, client: 10, load: b"hello" };
    assert_eq!(take(&mut relay, 1, &pass, 0), [(web, Letter::Passed(b"hello").bytes())]);
}

/// A host that sends all it may, and one who watches and asks for all it may.
#[test]
fn what_is_published_has_a_bound_in_time_and_in_bytes() {
    let mut relay = Relay::new(RelayLimits::default(), None);
    enter(&mut relay, 1, 1, 1, Role::Host, 0, 0);
    enter(&mut relay, 2, 1, 2, Role::Watcher, 0, 0);
    let mut part = 0;
    let mut publish = |relay: &mut Relay, now| {
        let letter = Letter::Publish { room: 1, client: 1, part, load: &[0; LONGEST_PART] };
        let taken = take(relay, 1, &letter, now).len() == 2;
        part += u32::from(taken);
        taken
    };
    assert_eq!((0..1_000).filter(|_| publish(&mut relay, 0)).count(), PUBLISHED as usize);
    let want = Letter::Want { room: 1, client: 2, part: 0 };
    let sent = (0..5_000).filter(|_| !take(&mut relay, 2, &want, 0).is_empty());
    assert_eq!(sent.count(), AGAIN as usize);
    for second in 1..600 {
        // Both stay, as far as the room knows.
        if second % 10 == 0 {
            enter(&mut relay, 2, 1, 2, Role::Watcher, 0, 1_000 * second);
        }
        (0..40).for_each(|_| {
            publish(&mut relay, 1_000 * second);
        });
    }
    assert_eq!(relay.rooms[&1].kept, KEPT_BYTES / LONGEST_PART * LONGEST_PART);
    // One who is silent is sent nothing.
    let letter = Letter::Publish { room: 1, client: 1, part: 0, load: b"" };
    assert_eq!(take(&mut relay, 1, &letter, 700_000).len(), 1);
}

#[test]
fn letters_are_read_as_they_are_written_and_half_ones_are_none() {
    let six = SocketAddr::from(([0x2001, 0xDB8, 0, 0, 0, 0, 0, 1], 9));
    let letters = [
        Letter::Enter {
            room: 1,
            client: 2,
            cookie: 3,
            role: Role::Watcher,
            hidden: true,
            pass: 4,
            local: vec![at(5), six],
        },
        Letter::Entered { cookie: 1, own: six, peers: vec![at(1), six], watchers: 9, parts: 5 },
        Letter::Refused(NoEntry::Crowded),
        Letter::Kept(7),
        Letter::Pass { room: 1, client: 2, load: b"x" },
        Letter::Published { part: 3, load: b"" },
        Letter::Want { room: 1, client: 2, part: 3 },
    ];
    for letter in letters {
        let bytes = letter.bytes();
        assert_eq!(Letter::read(&bytes), Some(letter));
        for length in 0..6 {
            assert_eq!(Letter::read(&bytes[..length]), None);
        }
    }
}
