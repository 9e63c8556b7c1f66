//! Matches over the network in the menu.

use super::*;
use crate::messages::command::NetworkCommand;

#[test]
fn the_line_of_the_address_hosts_joins_and_watches_in_a_room() {
    let mut room = Room::new();
    let commands = |room: &mut Room, address: &str| {
        room.state.menu.open(Page::Match);
        address.clone_into(&mut room.state.menu.texts.address);
        let rows = room.state.rows();
        let commands = rows.into_iter().filter_map(|row| match row.item {
            page::Item::Match(command) => Some(command),
            _ => None,
        });
        commands.filter(|command| !matches!(command, NetworkCommand::Host(_))).collect::<Vec<_>>()
    };
    assert_eq!(commands(&mut room, ""), []);
    assert_eq!(commands(&mut room, "two words@here"), [NetworkCommand::HostInRoom("here".into())]);
    let server = "example.org".to_owned();
    let hosts = NetworkCommand::HostInRoom(server.clone());
    assert_eq!(commands(&mut room, &server), [NetworkCommand::Join(server.clone()), hosts.clone()]);
    let at = format!("bado-kimu-tapi-zolu@{server}");
    let watch = NetworkCommand::Watch(at.clone());
    let all = [NetworkCommand::Join(at.clone()), hosts, NetworkCommand::JoinInRoom(at), watch.clone()];
    assert_eq!(commands(&mut room, &format!("bado-kimu-tapi-zolu@{server}")), all);
    // Enter on the last of them asks for it.
    let watches = |row: &page::Row| row.item == page::Item::Match(watch.clone());
    let number = room.state.rows().iter().position(watches).unwrap();
    room.state.menu.point(number);
    room.state.step(Step::Enter);
    assert!(room.sent().contains(&Command::Network(watch)));
}

#[test]
fn the_menu_over_a_match_does_not_say_that_it_is_paused() {
    let mut status = Status::default();
    assert_eq!(Page::Pause.heading(&status), "Paused");
    status.network = Some(crate::messages::status::NetworkStatus::default());
    assert_eq!(Page::Pause.heading(&status), "Menu – the match goes on");
}
