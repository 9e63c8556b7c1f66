//! The lines of each page.

use nes::Region;

use super::controls::names;
use super::{Item, Page, Row, Scene};
use crate::config::table::Setting;
use crate::input::bindings::Control;
use crate::messages::command::{LAST_SESSION, PracticeCommand, Recording, ScriptCommand};
use crate::messages::status::ScriptStatus;
use crate::ui::field::Field;
use crate::ui::names::{control_name, when};
use crate::ui::shortcut::{self, Shortcut};
use crate::ui::theme::icon;

/// Returns the rows of the pause menu. Each keeps its place whatever is on.
pub(super) fn pause(scene: &Scene<'_>) -> Vec<Row> {
    let status = scene.status;
    let position = status.position.filter(|_| status.versus.is_none());
    let practice = status.practice.as_ref();
    let act = |command, label: &str, shortcut: Shortcut| {
        let item = practice.map(|_| Item::Practice(command)).ok_or("in practice");
        let row = Row::if_possible(item, label);
        if practice.is_some() { row.key(shortcut) } else { row }
    };
    let marked = practice.is_some_and(|practice| practice.marks > 0);
    let retry = PracticeCommand::Retry { other_luck: false };
    let retry = if practice.is_some() && !marked {
        Row::if_possible(Err("no mark"), "Try the mark again")
    } else {
        act(retry, "Try the mark again", Shortcut::RetryPosition)
    };
    let computer = if status.computer { "Play yourself" } else { "Let the computer play" };
    let review = if status.can_review { Ok(Item::Goto(Page::Coach)) } else { Err("no game yet") };
    let undo = PracticeCommand::Undo { other_luck: false };
    vec![
        Row::new(Item::Resume, "Resume").key(Shortcut::Menu).icon(icon::PLAY),
        Row::new(Item::Goto(Page::Save), "Save a state…").key(Shortcut::Save).icon(icon::SAVE),
        Row::new(Item::Goto(Page::Load), "Load a state…").key(Shortcut::Load).icon(icon::LOAD),
        Row::new(Item::Screenshot, "Screenshot").key(Shortcut::Screenshot).icon(icon::SCREENSHOT),
        act(undo, "Take the piece back", Shortcut::UndoPiece).icon(icon::TAKE_BACK),
        retry.icon(icon::MARK),
        Row::new(Item::Again, "Start over").key(Shortcut::NewGame).icon(icon::RETRY),
        Row::new(Item::Goto(Page::Practice), "Another mode…").icon(icon::PRACTISE),
        Row::if_possible(position.map(Item::EditPosition).ok_or("no piece"), "Edit this position")
            .icon(icon::EDIT),
        Row::if_possible(review, "Review so far").icon(icon::SEARCH),
        Row::new(Item::Computer(!status.computer), computer).key(Shortcut::Computer).icon(icon::COMPUTER),
        Row::new(Item::Goto(Page::Record), "Record…").icon(icon::RECORD),
        Row::new(Item::Debugger, "Debugger").key(Shortcut::Debugger).icon(icon::DEBUGGER),
        Row::new(Item::Goto(Page::Reset), "Reset…").key(Shortcut::Reset).icon(icon::RESET),
        Row::new(Item::Goto(Page::Settings), "Settings").icon(icon::SETTINGS),
        Row::new(Item::Section(Page::Home), "Home").icon(icon::HOME),
        Row::new(Item::Quit, "Quit").key(Shortcut::Quit).icon(icon::QUIT),
    ]
}

/// Returns the row that leads to the state of the last session.
pub(super) fn last_session(scene: &Scene<'_>) -> Row {
    let row = match &scene.status.last_session {
        Some(last) => {
            Row::new(Item::Load(LAST_SESSION), "Resume the last session").with(when(last.saved, scene.now))
        }
        None => Row::if_possible(Err("none"), "Resume the last session"),
    };
    row.icon(icon::RESUME)
}

/// The groups of the settings: page, what is in it, icon.
pub(super) const SETTINGS: [(Page, &str, &str); 8] = [
    (Page::Picture, "filter, scaling, overscan, palette, clean feed", icon::PICTURE),
    (Page::Look, "theme, type size, rails and their cards", icon::LOOK),
    (Page::Sound, "volume, latency, channels, device", icon::SOUND),
    (Page::Time, "run-ahead, speed, region, rewind", icon::SPEED),
    (Page::Input, "keys and pads of both players", icon::PAD),
    (Page::Computer, "how it plays: style, taps, reaction", icon::COMPUTER),
    (Page::PracticeOptions, "start level, score display, caps, crash", icon::PRACTISE),
    (Page::Streaming, "local server, NestrisChamps, OBS", icon::BROADCAST),
];

pub(super) fn settings() -> Vec<Row> {
    let group = |(page, about, icon): (Page, &str, &'static str)| {
        Row::new(Item::Goto(page), page.title()).saying(about).icon(icon)
    };
    SETTINGS.into_iter().map(group).collect()
}

/// Theme, type, rails and their cards.
pub(super) const LOOK: [Setting; 12] = [
    Setting::Theme,
    Setting::TypeSize,
    Setting::LeftRail,
    Setting::RightRail,
    Setting::PracticePanel,
    Setting::PanelFigures,
    Setting::PanelStack,
    Setting::PanelDas,
    Setting::PanelTaps,
    Setting::PanelFinesse,
    Setting::InputDisplay,
    Setting::HomeAtStart,
];

pub(super) fn slot_row(item: Item, slot: usize, scene: &Scene<'_>) -> Row {
    let row = Row::new(item, format!("Slot {slot}"));
    match &scene.status.slots[slot] {
        Some(saved) => row.with(format!("{} · frame {}", when(saved.saved, scene.now), saved.frame)),
        None => row.with("empty"),
    }
}

pub(super) fn open(scene: &Scene<'_>) -> Vec<Row> {
    let folder = scene.folder;
    let dialog = scene.dialog.then(|| Row::new(Item::Dialog, "Use the desktop's file dialog"));
    let mut rows: Vec<Row> = dialog.into_iter().collect();
    rows.push(Row::new(Item::Text, folder.path.display().to_string()));
    rows.extend(folder.error.iter().map(|error| Row::new(Item::Text, error)));
    rows.extend(folder.entries.iter().map(|entry| {
        if entry.folder {
            Row::new(Item::Folder(entry.path.clone()), format!("{}/", entry.name))
        } else {
            Row::new(Item::File(entry.path.clone()), &entry.name)
        }
    }));
    rows
}

pub(super) fn recent(scene: &Scene<'_>) -> Vec<Row> {
    let mut rows = vec![Row::new(Item::BuiltIn, "Maxout").with("the built-in cartridge")];
    rows.extend(scene.recent.iter().map(|path| {
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
        let folder = path.parent().map(|folder| folder.display().to_string());
        Row::new(Item::File(path.clone()), name).with(folder.unwrap_or_default())
    }));
    rows
}

pub(super) const OVERSCAN: [Setting; 4] =
    [Setting::OverscanLeft, Setting::OverscanRight, Setting::OverscanTop, Setting::OverscanBottom];

const CHANNELS: [Setting; 5] =
    [Setting::Pulse1, Setting::Pulse2, Setting::Triangle, Setting::Noise, Setting::Dmc];

pub(super) fn setting_rows(settings: &[Setting], scene: &Scene<'_>) -> Vec<Row> {
    let row = |&setting: &Setting| {
        let help = if setting == Setting::Seed {
            "left, right or digits: change · R or Select: random"
        } else {
            ""
        };
        Row::new(Item::Setting(setting), setting.label()).with(setting.value(scene.settings)).saying(help)
    };
    settings.iter().map(row).collect()
}

pub(super) fn picture(scene: &Scene<'_>) -> Vec<Row> {
    let palette = &scene.settings.picture.palette;
    let mut rows =
        setting_rows(&[Setting::Filter, Setting::Scaling, Setting::Aspect, Setting::Fullscreen], scene);
    rows.push(Row::new(Item::Goto(Page::Overscan), "Overscan"));
    if palette.as_os_str().is_empty() {
        rows.extend(setting_rows(&[Setting::Hue, Setting::Saturation], scene));
        rows.push(Row::new(Item::Goto(Page::Open), "Palette").with("NTSC"));
    } else {
        let name = palette.file_name().unwrap_or(palette.as_os_str()).to_string_lossy().into_owned();
        rows.push(Row::new(Item::Goto(Page::Open), "Palette").with(name));
        rows.push(Row::new(Item::DefaultPalette, "Reset the palette"));
    }
    rows.extend(setting_rows(
        &[Setting::InputDisplay, Setting::CleanFeed, Setting::CleanFeedInput, Setting::StartScale],
        scene,
    ));
    rows.push(Row::new(Item::Screenshot, "Screenshot").key(Shortcut::Screenshot));
    rows
}

pub(super) fn sound(scene: &Scene<'_>) -> Vec<Row> {
    let mut rows = setting_rows(&[Setting::Mute, Setting::Volume, Setting::SoundLatency], scene);
    rows.extend(setting_rows(&CHANNELS, scene));
    rows.push(Row::new(Item::Text, "Device").with(match scene.status.sound {
        Some(sound) => {
            format!("{} Hz, {:.0} ms, {} gaps", sound.rate, sound.latency, sound.gaps)
        }
        None => "none".into(),
    }));
    let row = Row::new(Item::OpenSound, "Reconnect sound");
    rows.push(row.saying("looks for the system's sound device now instead of every five seconds"));
    rows
}

pub(super) fn time(scene: &Scene<'_>) -> Vec<Row> {
    let mut rows = setting_rows(
        &[
            Setting::Speed,
            Setting::RunAhead,
            Setting::Sync,
            Setting::Region,
            Setting::Ports,
            Setting::StrictPpuStart,
            Setting::RewindSeconds,
            Setting::PauseInBackground,
        ],
        scene,
    );
    let status = scene.status;
    let held =
        format!("{:.0} s, {:.1} MiB", status.rewind.as_secs_f64(), status.rewind_bytes as f64 / 1048576.0);
    rows.push(Row::new(Item::Text, "Rewind buffer in use").with(held));
    let name = match status.region {
        Region::Ntsc => "NTSC",
        Region::Pal => "PAL",
    };
    let console = format!("{name}, {:.4} frames a second", status.region.frame_rate());
    rows.push(Row::new(Item::Text, "Console").with(console));
    rows
}

pub(super) fn record(scene: &Scene<'_>) -> Vec<Row> {
    let status = scene.status;
    let mut rows: Vec<Row> = Recording::ALL
        .into_iter()
        .map(|recording| {
            let label = match recording {
                Recording::Movie => "Movie (FM2), from power-on",
                Recording::Wave => "Sound (WAV)",
                Recording::Video => "Video (MP4)",
                Recording::Gif => "Animation (GIF)",
            };
            let frames = match recording {
                Recording::Movie => {
                    status.movie.as_ref().filter(|movie| movie.length.is_none()).map(|movie| movie.frame)
                }
                _ => status.recordings.iter().find(|one| one.recording == recording).map(|one| one.frames),
            };
            let value = frames.map_or_else(|| "start".into(), |frames| format!("stop ({frames} frames)"));
            Row::new(Item::Record(recording), label).with(value)
        })
        .collect();
    if let Some(movie) = &status.movie
        && let Some(length) = movie.length
    {
        let value = format!("frame {} of {length}", movie.frame);
        rows.push(Row::new(Item::StopMovie, "Stop the movie and continue from here").with(value));
        let row = Row::new(Item::ContinueMovie, "Stop it, continue, and record a new movie");
        rows.push(row);
    }
    let minutes = status.movie_frames as f64 / status.region.frame_rate() / 60.0;
    rows.push(match status.movie_frames {
        0 => {
            Row::new(Item::Text, "This game cannot be saved as a movie: it was changed by more than buttons")
        }
        _ => Row::new(Item::SaveMovie, "Save everything since power-on as a movie (FM2)")
            .with(format!("{minutes:.1} minutes")),
    });
    rows.extend(setting_rows(&[Setting::VideoScale], scene));
    rows.push(Row::field(Field::Author, scene));
    rows
}

pub(super) fn script(scene: &Scene<'_>) -> Vec<Row> {
    let mut rows = vec![];
    if let Some(ScriptStatus { path, running, paused }) = &scene.status.script {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let state = match (running, paused) {
            (true, true) => "running, and has paused the game",
            (true, false) => "running",
            (false, _) => "not running",
        };
        rows.push(Row::new(Item::Text, name).with(state));
        rows.push(Row::new(Item::Script(ScriptCommand::Reload), "Reload and run"));
        if *running {
            rows.push(Row::new(Item::Script(ScriptCommand::Stop), "Stop"));
        }
    }
    rows.push(Row::new(Item::Goto(Page::Open), "Open a script (.lua)"));
    rows
}

pub(super) fn help(scene: &Scene<'_>) -> Vec<Row> {
    let second = game_keys(1, scene).map(|mut row| {
        row.value += " of player 2";
        row
    });
    let mut rows: Vec<Row> = game_keys(0, scene).chain(second).collect();
    rows.extend(shortcut::TABLE.iter().map(|line| Row::new(Item::Text, line.keys).with(line.meaning)));
    rows
}

/// Returns the keys of the game for `player`, 0 or 1.
pub(crate) fn game_keys(player: usize, scene: &Scene<'_>) -> impl Iterator<Item = Row> {
    let keys = &scene.settings.input.players[player].keys;
    let bound = Control::ALL.iter().copied().filter(|&control| !keys.of(control).is_empty());
    bound.map(|control| Row::new(Item::Text, names(keys, control).join(", ")).with(control_name(control)))
}

/// Returns what someone who has never played needs: the game's keys, and how to find the others.
pub(crate) fn welcome(scene: &Scene<'_>) -> Vec<Row> {
    let keys = ["Esc", "F2", "P", "F5, F8", "C"];
    let shortcuts = shortcut::TABLE.iter().filter(|line| keys.contains(&line.keys));
    let shortcuts = shortcuts.map(|line| Row::new(Item::Text, line.keys).with(line.meaning));
    game_keys(0, scene).chain(shortcuts).collect()
}
