//! The lines of the page for matches over the network.

use std::net::{Ipv4Addr, SocketAddr};

use super::rows::setting_rows;
use super::{Item, Row, Scene};
use crate::config::table::Setting;
use crate::emulation::network::PORT;
use crate::messages::command::NetworkCommand;
use crate::ui::field::Field;

pub(super) fn rows(scene: &Scene<'_>) -> Vec<Row> {
    let Some(status) = &scene.status.network else {
        let anywhere = SocketAddr::from((Ipv4Addr::UNSPECIFIED, PORT));
        let host = Row::new(Item::Match(NetworkCommand::Host(anywhere)), "Host");
        let join = Row::new(Item::JoinCopied, "Join the player at the address in the clipboard");
        let mut rows = vec![
            host.with(format!("port {PORT}"))
                .saying("waits for another player on this port; your level and pieces apply, and both need the same cartridge"),
            join.saying("copy it first, as bado-kimu-tapi-zolu@192.0.2.7: the host's window shows it"),
        ];
        rows.push(Row::field(Field::Address, scene));
        let host = scene.texts.address.trim();
        let can_join = !host.is_empty() && !host.contains(char::is_whitespace);
        let join = Item::Match(NetworkCommand::Join(host.to_owned()));
        let join = if can_join { Ok(join) } else { Err("no address yet") };
        let join = Row::if_possible(join, "Join the player at this address");
        rows.push(join);
        rows.extend(in_room(host));
        rows.push(Row::field(Field::Player(0), scene));
        let rules = [Setting::MatchKind, Setting::MatchBestOf];
        rows.extend(setting_rows(&rules, scene));
        rows.extend(setting_rows(&[Setting::StartLevel, Setting::Randomizer, Setting::Seed], scene));
        return rows;
    };
    let mut rows = vec![Row::new(Item::Match(NetworkCommand::Leave), "Leave the match")];
    rows.push(Row::new(Item::Text, "State").with(&status.text));
    if !status.waiting {
        let frames = |count: u64| if count == 1 { "1 frame".into() } else { format!("{count} frames") };
        let guessed = format!("{}, {:.0} ms", frames(status.guessed), milliseconds(status.guessed));
        let again = format!("{} times, by {} at most", status.rollbacks, frames(status.longest));
        rows.extend([
            Row::new(Item::Text, "Input delay").with(frames(status.delay)),
            Row::new(Item::Text, "Ping").with(guessed),
            Row::new(Item::Text, "Rollbacks").with(again),
        ]);
    }
    rows
}

/// The lines for a match in a room, by what the line of the address has: a code and the room's
/// server, or the server alone.
fn in_room(address: &str) -> [Row; 3] {
    let words = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
    let server = address.rsplit_once('@').map_or(address, |(_, server)| server);
    let both = address.split_once('@').is_some_and(|(code, server)| words(code) && words(server));
    let command = |can: bool, command: NetworkCommand, reason| {
        if can { Ok(Item::Match(command)) } else { Err(reason) }
    };
    let host = command(words(server), NetworkCommand::HostInRoom(server.to_owned()), "no room's address yet");
    let wanted = "wants CODE@ROOM above";
    let join = command(both, NetworkCommand::JoinInRoom(address.to_owned()), wanted);
    let watch = command(both, NetworkCommand::Watch(address.to_owned()), wanted);
    [
        Row::if_possible(host, "Host in the room at this address").saying(
            "a server of `maxout room`: neither player needs a port; you are told a code for the other",
        ),
        Row::if_possible(join, "Join the player in the room at this address")
            .saying("the host's code and the room, as bado-kimu-tapi-zolu@example.org"),
        Row::if_possible(watch, "Watch the match in the room at this address")
            .saying("the spectators' code and the room; the host sees it beside the players' code"),
    ]
}

fn milliseconds(frames: u64) -> f64 {
    1_000.0 * frames as f64 / crate::FRAME_RATE
}
