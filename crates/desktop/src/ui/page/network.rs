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
                .saying("waits for another player on this port; level and pieces are yours, and both need the same cartridge"),
            join.saying("copy it first, as bado-kimu-tepi-zolu@192.0.2.7: the host's computer shows it"),
        ];
        rows.push(Row::field(Field::Address, scene));
        let host = scene.texts.address.trim();
        let can_join = !host.is_empty() && !host.contains(char::is_whitespace);
        let join = Item::Match(NetworkCommand::Join(host.to_owned()));
        let join = if can_join { Ok(join) } else { Err("no address yet") };
        let join = Row::if_possible(join, "Join the player at this address");
        rows.push(join);
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
        let again = format!("{} times, {} at most", status.rollbacks, frames(status.longest));
        rows.extend([
            Row::new(Item::Text, "Input delay").with(frames(status.delay)),
            Row::new(Item::Text, "Ping").with(guessed),
            Row::new(Item::Text, "Rollbacks").with(again),
        ]);
    }
    rows
}

fn milliseconds(frames: u64) -> f64 {
    1_000.0 * frames as f64 / crate::FRAME_RATE
}
