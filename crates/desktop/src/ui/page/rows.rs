//! The lines of each page.

use std::path::PathBuf;

use nes::Region;

use super::{Device, Item, Page, Row, Scene};
use crate::config::settings::{ComputerStyle, MOST_LEVEL};
use crate::config::table::Setting;
use crate::input::bindings::{Bindings, Control};
use crate::messages::command::{LAST_SESSION, Recording, ScriptCommand};
use crate::messages::status::ScriptStatus;
use crate::ui::names::{Named, control_name, when};
use crate::ui::shortcut::{self, Shortcut};

/// Returns the rows of the pause menu. Each keeps its place whatever is on.
pub(super) fn pause(scene: &Scene<'_>) -> Vec<Row> {
    let status = scene.status;
    let position = status.position.filter(|_| status.versus.is_none());
    let recent =
        if scene.recent.is_empty() { Err("nothing was played yet") } else { Ok(Item::Goto(Page::Recent)) };
    let crash = match status.crash {
        Some(crash) if crash.way_back => Ok(Item::BeforeCrash),
        Some(_) => Err("the rewind does not reach back"),
        None => Err("no crash"),
    };
    let last = match &status.last_session {
        Some(last) => {
            Row::new(Item::Load(LAST_SESSION), "Resume the last session").with(when(last.saved, scene.now))
        }
        None => Row::if_possible(Err("none"), "Resume the last session"),
    };
    vec![
        Row::new(Item::Resume, "Resume"),
        Row::new(Item::Goto(Page::Tetris), "Tetris"),
        Row::new(Item::Goto(Page::Save), "Save").key(Shortcut::Save),
        Row::new(Item::Goto(Page::Load), "Load").key(Shortcut::Load),
        Row::new(Item::Goto(Page::Open), "Open").key(Shortcut::Open),
        Row::if_possible(recent, "Recent"),
        Row::if_possible(position.map(Item::EditPosition).ok_or("no piece in play"), "Edit this position"),
        Row::new(Item::Goto(Page::Settings), "Settings"),
        Row::new(Item::Goto(Page::Record), "Record"),
        Row::new(Item::Goto(Page::Streaming), "Streaming"),
        Row::new(Item::Goto(Page::Script), "Script"),
        Row::new(Item::Debugger, "Debugger").key(Shortcut::Debugger),
        Row::new(Item::Goto(Page::Reset), "Reset").key(Shortcut::Reset),
        Row::new(Item::Goto(Page::Help), "Keys").key(Shortcut::Help),
        Row::if_possible(crash, "Back to before the crash"),
        last,
        Row::new(Item::Quit, "Quit").key(Shortcut::Quit),
    ]
}

/// Returns what there is for Nintendo Tetris and the built-in game.
pub(super) fn tetris(scene: &Scene<'_>) -> Vec<Row> {
    let status = scene.status;
    // The cartridge's own menu ends there.
    let begin = if scene.settings.tetris.start_level > MOST_LEVEL && status.versus.is_none() {
        Item::Practise(practice::Kind::Tetris)
    } else {
        Item::NewGame
    };
    let mut rows = vec![Row::new(begin, "New game").key(Shortcut::NewGame)];
    rows.extend(setting_rows(&[Setting::StartLevel, Setting::Randomizer, Setting::Seed], scene));
    let computer = if status.computer { "Play yourself" } else { "Let the computer play" };
    rows.push(Row::new(Item::Computer(!status.computer), computer).key(Shortcut::Computer));
    rows.extend(setting_rows(&[Setting::Computer], scene));
    let of_points = [
        Setting::ComputerTaps,
        Setting::ComputerReaction,
        Setting::ComputerMisdrops,
        Setting::ComputerAggression,
        Setting::Thoughts,
    ];
    if scene.settings.tetris.computer == ComputerStyle::Points {
        rows.extend(setting_rows(&of_points, scene));
    } else {
        rows.extend(
            of_points.map(|setting| Row::if_possible(Err("when it plays for points"), setting.label())),
        );
    }
    rows.push(match status.versus {
        None => Row::new(Item::Versus(true), "Play against the computer"),
        Some(_) => Row::new(Item::Versus(false), "Play alone"),
    });
    let row = Row::new(Item::Goto(Page::Match), "Play over the network");
    let state = status.network.as_ref().map(|network| network.text.clone());
    rows.push(row.with(state.unwrap_or_default()));
    rows.extend(setting_rows(&[Setting::SamePieces, Setting::InputDisplay], scene));
    let row = Row::new(Item::Goto(Page::Practice), "Practice");
    rows.insert(1, row.saying("modes, taking pieces back, kept games"));
    rows
}

pub(super) fn settings() -> Vec<Row> {
    vec![
        Row::new(Item::Goto(Page::Picture), "Picture"),
        Row::new(Item::Goto(Page::Sound), "Sound"),
        Row::new(Item::Goto(Page::Time), "Speed and latency"),
        Row::new(Item::Goto(Page::Input), "Keyboard and gamepads"),
    ]
}

pub(super) fn slot_row(item: Item, slot: usize, scene: &Scene<'_>) -> Row {
    let row = Row::new(item, format!("Slot {slot}"));
    match &scene.status.slots[slot] {
        Some(saved) => row.with(format!("{} · frame {}", when(saved.saved, scene.now), saved.frame)),
        None => row.with("empty"),
    }
}

pub(super) fn open(scene: &Scene<'_>) -> Vec<Row> {
    let folder = scene.folder;
    let dialog = scene.dialog.then(|| Row::new(Item::Dialog, "Choose in the desktop's own dialog"));
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

pub(super) fn recent(paths: &[PathBuf]) -> Vec<Row> {
    let mut rows = vec![Row::new(Item::BuiltIn, "Maxout").with("the built-in cartridge")];
    rows.extend(paths.iter().map(|path| {
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
            "left, right or digits: change · R or Select: draw one"
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
    let row = Row::new(Item::OpenSound, "Open sound again");
    rows.push(
        row.saying("looks for the system's sound device at once; without this it does so every five seconds"),
    );
    rows
}

pub(super) fn time(scene: &Scene<'_>) -> Vec<Row> {
    let mut rows = setting_rows(
        &[
            Setting::Speed,
            Setting::RunAhead,
            Setting::Sync,
            Setting::Region,
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

pub(super) fn input(scene: &Scene<'_>) -> Vec<Row> {
    let mut rows = vec![];
    for player in 0..2 {
        for device in [Device::Keys, Device::Pad] {
            let page = Page::Remap(device, player);
            rows.push(Row::new(Item::Goto(page), page.title()));
        }
    }
    rows.extend(setting_rows(
        &[Setting::DeadZone, Setting::Opposites, Setting::GoofyFoot, Setting::TurboFrames],
        scene,
    ));
    rows.extend(scene.status.pads.iter().map(|pad| {
        let seat =
            pad.player.map_or("waiting for a free port".into(), |player| format!("player {}", player + 1));
        Row::new(Item::Text, &pad.name).with(seat)
    }));
    if scene.status.pads.is_empty() {
        rows.push(Row::new(Item::Text, "No gamepad is connected"));
    }
    rows
}

pub(super) fn remap(device: Device, player: usize, scene: &Scene<'_>) -> Vec<Row> {
    let set = &scene.settings.input.players[player];
    let pad = scene.status.pads.iter().find(|pad| pad.player == Some(player));
    let mut rows: Vec<Row> = Control::ALL
        .iter()
        .map(|&control| {
            let (names, lit) = match device {
                Device::Keys => (names(&set.keys, control), holds(&set.keys, control, scene.keys)),
                Device::Pad => {
                    let held = pad.map_or(&[][..], |pad| &pad.held);
                    (names(&set.pad, control), holds(&set.pad, control, held))
                }
            };
            let value = if names.is_empty() { "–".into() } else { names.join(", ") };
            Row { lit, ..Row::new(Item::Bind(device, player, control), control_name(control)).with(value) }
        })
        .collect();
    rows.push(Row::new(Item::DefaultBindings(device, player), "Reset to defaults"));
    let held: Vec<String> = match device {
        Device::Keys => scene.keys.iter().map(Named::name).collect(),
        Device::Pad => pad.iter().flat_map(|pad| &pad.held).map(ToString::to_string).collect(),
    };
    rows.push(Row::new(Item::Text, "Held now").with(held.join(", ")));
    if device == Device::Pad {
        rows.push(match pad {
            Some(pad) => Row::new(Item::Text, &pad.name)
                .with(format!("stick {:+.2}, {:+.2}", pad.stick[0], pad.stick[1])),
            None => Row::new(Item::Text, "No gamepad is connected for this player"),
        });
    }
    rows
}

pub(super) fn names<T: PartialEq + Named>(bindings: &Bindings<T>, control: Control) -> Vec<String> {
    bindings.of(control).iter().map(Named::name).collect()
}

pub(super) fn holds<T: PartialEq>(bindings: &Bindings<T>, control: Control, held: &[T]) -> bool {
    bindings.of(control).iter().any(|bound| held.contains(bound))
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
        rows.push(Row::new(Item::StopMovie, "Stop the movie and play on from here").with(value));
        let row = Row::new(Item::ContinueMovie, "Stop it, play on, and record a new movie");
        rows.push(row);
    }
    let minutes = status.movie_frames as f64 / status.region.frame_rate() / 60.0;
    rows.push(match status.movie_frames {
        0 => Row::new(Item::Text, "This game cannot be saved as a movie: more than buttons changed it"),
        _ => Row::new(Item::SaveMovie, "Save everything since power-on as a movie (FM2)")
            .with(format!("{minutes:.1} minutes")),
    });
    rows.extend(setting_rows(&[Setting::VideoScale], scene));
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
pub(super) fn game_keys(player: usize, scene: &Scene<'_>) -> impl Iterator<Item = Row> {
    let keys = &scene.settings.input.players[player].keys;
    let bound = Control::ALL.iter().copied().filter(|&control| !keys.of(control).is_empty());
    bound.map(|control| Row::new(Item::Text, names(keys, control).join(", ")).with(control_name(control)))
}

/// Returns what someone who has never played needs: the game's keys, and how to find the others.
pub(crate) fn welcome(scene: &Scene<'_>) -> Vec<Row> {
    let keys = ["Esc", "F2", "P", "F5, F8", "C"];
    let shortcuts = shortcut::TABLE.iter().filter(|line| keys.contains(&line.keys));
    let shortcuts = shortcuts.map(|line| Row::new(Item::Text, line.keys).with(line.meaning));
    let practice = Row::new(Item::Text, "Esc, Tetris").with("new game, practice, versus");
    game_keys(0, scene).chain(shortcuts).chain([practice]).collect()
}
