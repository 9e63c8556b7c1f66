//! The lines of the page for streams.

use super::rows::setting_rows;
use super::{Item, Row, Scene};
use crate::config::table::Setting;
use crate::messages::command::StreamCommand;
use crate::messages::status::{LinkStatus, StreamStatus};
use crate::ui::field::Field;

pub(super) fn rows(scene: &Scene<'_>) -> Vec<Row> {
    let StreamStatus { address, readers, nestrischamps, obs, lost, players, .. } = &scene.status.stream;
    let switch = |command, label: &str, value: String| Row::new(Item::Stream(command), label).with(value);
    let served = address.as_ref().map_or_else(off, |address| match readers {
        1 => format!("{address} · 1 reader"),
        _ => format!("{address} · {readers} readers"),
    });
    let row = switch(StreamCommand::Serve(address.is_none()), "Local server", served);
    let mut rows =
        vec![row.saying("overlays for OBS's browser source, and lines of JSON, on this machine only")];
    if address.is_some() {
        rows.push(Row::new(Item::Stream(StreamCommand::Open), "Open the overlays in the browser"));
        let row = Row::new(Item::CopyAddress, "Copy the address");
        rows.push(
            row.saying("for OBS: Sources, Browser, and this address with overlay?layout=one behind it"),
        );
    }
    rows.extend(setting_rows(&[Setting::StreamPort, Setting::StreamServe], scene));
    rows.extend([0, 1].map(|player| Row::field(Field::Player(player), scene)));
    let sent = if nestrischamps.is_empty() { off() } else { all(nestrischamps) };
    let row = switch(StreamCommand::NestrisChamps(nestrischamps.is_empty()), "NestrisChamps", sent);
    rows.push(row.saying("ends your other connection there; the secret is in the file of connections"));
    let ruled = obs.as_ref().map_or_else(off, link);
    let row = switch(StreamCommand::Obs(obs.is_none()), "OBS by rules", ruled);
    rows.push(row.saying("replay buffer, chapters and scenes, by the rules in the file of connections"));
    let file = &scene.settings.streaming.connections;
    let file = if file.as_os_str().is_empty() {
        "stream.toml beside the settings".into()
    } else {
        file.display().to_string()
    };
    rows.push(Row::new(Item::Text, "File of connections").with(file));
    let is_on = address.is_some() || !nestrischamps.is_empty() || obs.is_some();
    if is_on {
        let what = match &players[..] {
            [] => "nothing: this cartridge is not recognised as Tetris".into(),
            [one] => one.clone(),
            players => format!("{}, two players", players[0]),
        };
        rows.push(Row::new(Item::Text, "Streamed").with(what));
    }
    if *lost > 0 {
        rows.push(Row::new(Item::Text, "Dropped frames").with(lost.to_string()));
    }
    rows
}

fn off() -> String {
    "off".into()
}

/// Returns what is said of several connections: of the worst, how it stands.
fn all(links: &[LinkStatus]) -> String {
    let worst = links.iter().find(|link| **link != LinkStatus::Connected).or(links.first());
    worst.map_or_else(off, link)
}

fn link(status: &LinkStatus) -> String {
    match status {
        LinkStatus::Connecting => "connecting".into(),
        LinkStatus::Connected => "connected".into(),
        LinkStatus::Lost(reason) => format!("{reason}; trying again"),
        LinkStatus::Ended(reason) => format!("ended: {reason}"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use stream::Secret;

    use super::*;
    use crate::config::settings::Settings;
    use crate::messages::status::Status;
    use crate::ui::field::Texts;
    use crate::ui::folder::Folder;

    fn shown(stream: StreamStatus) -> Vec<(Item, String)> {
        let (settings, folder) = (Settings::default(), Folder::default());
        let status = Status { stream, ..Status::default() };
        let scene = Scene {
            puzzles: &crate::ui::puzzle::PuzzleDesk::default(),
            sidebar: false,
            texts: &Texts::default(),
            settings: &settings,
            status: &status,
            recent: &[],
            folder: &folder,
            dialog: false,
            games: &[],
            shelf: &crate::ui::games::Shelf::default(),
            editor: &crate::ui::editor::Editor::default(),
            question: None,
            keys: &[],
            listening: None,
            now: SystemTime::UNIX_EPOCH,
        };
        rows(&scene).into_iter().map(|row| (row.item, format!("{}: {}", row.label, row.value))).collect()
    }

    #[test]
    fn everything_is_off_at_first_and_a_line_turns_it_on() {
        let rows = shown(StreamStatus::default());
        for (command, label) in [
            (StreamCommand::Serve(true), "Local server: off"),
            (StreamCommand::NestrisChamps(true), "NestrisChamps: off"),
            (StreamCommand::Obs(true), "OBS by rules: off"),
        ] {
            assert!(rows.contains(&(Item::Stream(command), label.into())), "{label} in {rows:?}");
        }
        assert!(rows.iter().all(|(item, _)| *item != Item::CopyAddress));
    }

    #[test]
    fn what_is_on_is_shown_as_it_stands_and_no_token_with_it() {
        let rows = shown(StreamStatus {
            address: Some("http://127.0.0.1:5050/".into()),
            whole_address: Some(Secret::new("http://127.0.0.1:5050/?token=hush".into())),
            readers: 2,
            nestrischamps: vec![LinkStatus::Connected, LinkStatus::Ended("kicked".into())],
            obs: Some(LinkStatus::Lost("nobody answers".into())),
            lost: 3,
            players: vec!["Maxout".into(); 2],
        });
        let lines: Vec<&str> = rows.iter().map(|(_, line)| line.as_str()).collect();
        for line in [
            "Local server: http://127.0.0.1:5050/ · 2 readers",
            "NestrisChamps: ended: kicked",
            "OBS by rules: nobody answers; trying again",
            "Streamed: Maxout, two players",
            "Dropped frames: 3",
        ] {
            assert!(lines.contains(&line), "{line} in {lines:?}");
        }
        assert!(!format!("{rows:?}").contains("hush"));
        let off =
            [StreamCommand::Serve(false), StreamCommand::NestrisChamps(false), StreamCommand::Obs(false)];
        assert!(off.into_iter().all(|off| rows.iter().any(|(item, _)| *item == Item::Stream(off))));
    }
}
