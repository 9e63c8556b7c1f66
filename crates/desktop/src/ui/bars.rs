//! The bar above the picture and the one below it: what is on, and which keys do what.

use egui::{Align2, Color32, Pos2, Rect, Vec2};

use crate::messages::status::{LinkStatus, RunState, Status};
use crate::ui::canvas::Canvas;
use crate::ui::reader;
use crate::ui::theme::{Type, icon};

/// A sign of something that goes on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chip {
    pub(crate) icon: &'static str,
    pub(crate) text: String,
    pub(crate) kind: ChipKind,
}

/// What a chip tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChipKind {
    Recording,
    Live,
    Quiet,
    Trouble,
}

impl ChipKind {
    fn colour(self, canvas: &Canvas) -> Color32 {
        let colours = &canvas.colours;
        match self {
            Self::Recording | Self::Trouble => colours.blunder,
            Self::Live => colours.best,
            Self::Quiet => colours.soft,
        }
    }
}

/// What can be clicked in a bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BarClick {
    Menu,
}

/// A key and what it does.
pub(crate) type Hint = (&'static str, String);

/// Returns the title of the game: its name, and notes on it.
pub(crate) fn title(status: &Status) -> (String, String) {
    let level = status.game.as_ref().map(|game| format!("level {}", game.level));
    let mut notes: Vec<String> = level.into_iter().collect();
    let mut name = match status.title.as_str() {
        "" => "Maxout".to_owned(),
        title => title.to_owned(),
    };
    if let Some(practice) = &status.practice {
        let mode = practice.mode.to_string();
        let value = mode.split_once('=').map_or(String::new(), |(_, value)| format!(" {value}"));
        name = format!("{}{value}", practice.mode.kind().title());
        if practice.tries > 1 {
            notes.push(format!("attempt {}", practice.tries));
        }
        if practice.replay.is_some() {
            notes.push("a kept game".into());
        }
    }
    if status.network.is_some() {
        name = "Online match".into();
    } else if status.versus.is_some() {
        name = "You against the computer".into();
    } else if status.computer {
        notes.push("the computer plays".into());
    }
    (name, notes.join(" · "))
}

/// Returns the signs of what goes on.
pub(crate) fn chips(status: &Status) -> Vec<Chip> {
    let time = |frames: u64| {
        let seconds = (frames as f64 / status.region.frame_rate()) as u64;
        format!("{}:{:02}", seconds / 60, seconds % 60)
    };
    let chip = |icon, text: String, kind| Chip { icon, text, kind };
    let mut chips = vec![];
    match status.run_state {
        RunState::Rewinding => chips.push(chip(icon::RESUME, "rewind".into(), ChipKind::Quiet)),
        RunState::FastForward => chips.push(chip(icon::SPEED, "fast-forward".into(), ChipKind::Quiet)),
        RunState::Paused => chips.push(chip(icon::PAUSE, "paused".into(), ChipKind::Quiet)),
        RunState::Running if status.speed != 100 => {
            chips.push(chip(icon::SPEED, format!("{} %", status.speed), ChipKind::Quiet));
        }
        RunState::Running => {}
    }
    if let Some(movie) = &status.movie {
        chips.push(match movie.length {
            Some(length) => {
                chip(icon::PLAY, format!("{} of {}", time(movie.frame), time(length)), ChipKind::Quiet)
            }
            None => chip(icon::RECORD, format!("FM2 {}", time(movie.frame)), ChipKind::Recording),
        });
    }
    chips.extend(status.recordings.iter().map(|one| {
        let ending = one.recording.extension().to_uppercase();
        chip(icon::RECORD, format!("{ending} {}", time(one.frames)), ChipKind::Recording)
    }));
    if let Some(network) = &status.network {
        chips.push(chip(icon::NETWORK, network.text.clone(), ChipKind::Live));
    }
    let stream = &status.stream;
    if stream.address.is_some() {
        let readers =
            if stream.readers == 1 { "1 reader".into() } else { format!("{} readers", stream.readers) };
        chips.push(chip(icon::BROADCAST, readers, ChipKind::Live));
    }
    let links = stream.nestrischamps.iter().map(|link| ("NestrisChamps", link));
    for (name, link) in links.chain(stream.obs.iter().map(|link| ("OBS", link))) {
        let kind = match link {
            LinkStatus::Connected => ChipKind::Live,
            LinkStatus::Connecting => ChipKind::Quiet,
            LinkStatus::Lost(_) | LinkStatus::Ended(_) => ChipKind::Trouble,
        };
        chips.push(chip(icon::BROADCAST, name.into(), kind));
    }
    if status.script.as_ref().is_some_and(|script| script.running) {
        chips.push(chip(icon::SCRIPT, "script".into(), ChipKind::Quiet));
    }
    chips
}

/// Draws the bar above the picture on the ground of the window. Returns what was clicked.
pub(crate) fn top(
    ui: &egui::Ui,
    canvas: &Canvas,
    area: Rect,
    status: &Status,
    is_muted: bool,
) -> Option<BarClick> {
    let colours = &canvas.colours;
    canvas.painter.hline(area.x_range(), area.bottom() - 0.5, egui::Stroke::new(1.0, colours.line));
    let word = canvas.line("Menu", Type::StrongLabel, colours.text, f32::INFINITY).size().x;
    let key = (35.0 + word + 9.0).max(76.0);
    let button =
        Rect::from_min_size(area.left_center() + Vec2::new(16.0, -13.0), Vec2::new(key + 38.0, 26.0));
    let response = ui.interact(button, egui::Id::new("menu button"), egui::Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, "Menu"));
    reader::control(ui.ctx(), response.id, false);
    canvas.fill(button, 6, if response.hovered() { colours.hover } else { colours.rail });
    canvas.outline(button, 6, 1.0, colours.line);
    canvas.icon(button.left_center() + Vec2::new(18.0, 0.0), icon::MENU, 16.0, colours.text);
    canvas.left(button.left_center() + Vec2::new(35.0, 0.0), "Menu", Type::StrongLabel, colours.text);
    canvas.key(button.left_center() + Vec2::new(key, 0.0), "Esc");
    let (name, notes) = title(status);
    let written =
        canvas.left(Pos2::new(button.right() + 12.0, area.center().y), &name, Type::Strong, colours.text);
    let notes =
        canvas.left(Pos2::new(written.right() + 10.0, area.center().y), &notes, Type::Body, colours.soft);
    let mut right = area.right() - 16.0;
    if let Some((sound, colour)) = match (is_muted, status.sound.is_some()) {
        (true, _) => Some((icon::MUTED, colours.faint)),
        (false, true) => Some((icon::SOUND, colours.soft)),
        (false, false) => Some((icon::MUTED, colours.blunder)),
    } {
        canvas.icon(Pos2::new(right - 9.0, area.center().y), sound, 18.0, colour);
        right -= 30.0;
    }
    if !status.pads.is_empty() {
        canvas.icon(Pos2::new(right - 9.0, area.center().y), icon::PAD, 18.0, colours.soft);
        right -= 30.0;
    }
    if status.fps > 0.0 && status.run_state == RunState::Running {
        let drawn = canvas.right(
            Pos2::new(right, area.center().y),
            &format!("{:.2}", status.fps),
            Type::Body,
            colours.faint,
        );
        right = drawn.left() - 16.0;
    }
    let all = chips(status);
    let width: f32 = all.iter().map(|chip| chip_width(canvas, chip) + 8.0).sum();
    let middle = area.center().x - width / 2.0;
    let left = middle.max(notes.right() + 16.0).min((right - width).max(notes.right() + 16.0));
    draw_chips(canvas, Pos2::new(left, area.center().y), &all, right);
    response.clicked().then_some(BarClick::Menu)
}

fn chip_width(canvas: &Canvas, chip: &Chip) -> f32 {
    canvas.line(&chip.text, Type::Label, canvas.colours.text, f32::INFINITY).size().x + 37.0
}

/// Draws chips beside each other, as far as they fit.
pub(crate) fn draw_chips(canvas: &Canvas, at: Pos2, chips: &[Chip], right: f32) {
    let mut left = at.x;
    for chip in chips {
        if left + chip_width(canvas, chip) > right {
            break;
        }
        let area = canvas.chip(Pos2::new(left, at.y), chip.icon, &chip.text, chip.kind.colour(canvas));
        left = area.right() + 8.0;
    }
}

/// Draws keys with what they do from the left, and others up to the right, as far as they fit.
pub(crate) fn foot(canvas: &Canvas, area: Rect, left: &[Hint], right: &[Hint]) {
    let colours = &canvas.colours;
    canvas.painter.hline(area.x_range(), area.top() + 0.5, egui::Stroke::new(1.0, colours.line));
    let y = area.center().y;
    let width = |(key, words): &Hint| {
        let keys: f32 =
            key.split(' ').filter(|key| !key.is_empty()).map(|key| canvas.key_width(key) + 4.0).sum();
        keys + 4.0 + canvas.line(words, Type::Label, colours.soft, f32::INFINITY).size().x + 18.0
    };
    let draw = |at: f32, (key, words): &Hint| {
        let mut x = at;
        for key in key.split(' ').filter(|key| !key.is_empty()) {
            x += canvas.key(Pos2::new(x, y), key) + 4.0;
        }
        canvas.text_within(
            (Pos2::new(x + 4.0, y), Align2::LEFT_CENTER),
            words,
            (Type::Label, colours.soft),
            400.0,
        );
    };
    let mut end = area.right() - 16.0 + 18.0;
    for hint in right.iter().rev() {
        let at = end - width(hint);
        if at < area.left() + 0.4 * area.width() {
            break;
        }
        draw(at, hint);
        end = at;
    }
    let mut x = area.left() + 16.0;
    for hint in left {
        let wide = width(hint);
        if x + wide > end {
            break;
        }
        draw(x, hint);
        x += wide;
    }
}

/// Returns the keys of a game that is on.
pub(crate) fn game_hints(status: &Status) -> (Vec<Hint>, Vec<Hint>) {
    let hint = |key: &'static str, words: &str| (key, words.to_owned());
    let rails = vec![hint("[", "Left rail"), hint("]", "Right rail")];
    // Nothing is taken back where another one plays as well.
    if status.network.is_some() {
        return (vec![hint("Esc", "Menu"), hint("F12", "Screenshot")], rails);
    }
    if status.versus.is_some() {
        return (vec![hint("P", "Pause"), hint("F6", "New game")], rails);
    }
    let mut left = vec![hint("P", "Pause")];
    match &status.practice {
        Some(practice) if practice.replay.is_some() => {
            left.extend([hint(", .", "Five seconds back, forward"), hint("A", "Play on from here")]);
        }
        Some(practice) => {
            left.extend([hint("U", "Take back"), hint("V", "Mark")]);
            if practice.marks > 0 {
                left.push(hint("E", "Try again"));
            }
            left.push(hint("F6", "Start over"));
        }
        None => left.extend([hint("F6", "New game"), hint("F5", "Save"), hint("F8", "Load")]),
    }
    left.push(hint("Q", "Rewind"));
    let computer = if status.computer { "Play yourself" } else { "Let the computer play" };
    (left, rails.into_iter().chain([hint("C", computer)]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::command::Recording;
    use crate::messages::status::{MovieStatus, RecordingStatus};

    #[test]
    fn what_goes_on_has_a_sign_each() {
        let mut status = Status { speed: 100, ..Status::default() };
        assert_eq!(chips(&status), []);
        let recording = |recording, frames| RecordingStatus { recording, path: "x".into(), frames };
        status.recordings = vec![recording(Recording::Video, 60 * 761), recording(Recording::Wave, 61)];
        status.movie = Some(MovieStatus { path: "m.fm2".into(), frame: 600, length: None });
        status.stream.address = Some("http://127.0.0.1:1".into());
        status.stream.readers = 2;
        status.run_state = RunState::Rewinding;
        let texts: Vec<String> = chips(&status).into_iter().map(|chip| chip.text).collect();
        assert_eq!(texts, ["rewind", "FM2 0:09", "MP4 12:39", "WAV 0:01", "2 readers"]);
    }

    #[test]
    fn in_a_game_for_two_no_key_is_named_that_does_nothing_there() {
        let keys = |status: &Status| {
            let (left, right) = game_hints(status);
            left.into_iter().chain(right).map(|(key, _)| key).collect::<Vec<_>>()
        };
        let mut status = Status::default();
        assert!(["F5", "F8", "Q", "C"].iter().all(|key| keys(&status).contains(key)));
        status.versus = Some(crate::messages::status::VersusStatus::default());
        assert_eq!(keys(&status), ["P", "F6", "[", "]"]);
        status.network = Some(crate::messages::status::NetworkStatus::default());
        assert_eq!(keys(&status), ["Esc", "F12", "[", "]"]);
    }

    #[test]
    fn the_title_is_the_mode_or_who_plays() {
        let mut status = Status::default();
        assert_eq!(title(&status), ("Maxout".into(), String::new()));
        status.computer = true;
        assert_eq!(title(&status).1, "the computer plays");
        status.versus = Some(crate::messages::status::VersusStatus::default());
        assert_eq!(title(&status).0, "You against the computer");
    }
}
