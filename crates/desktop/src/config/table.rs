//! One row for each setting: its key in the file, what the file says about it, and how a menu shows
//! and changes it.

use nes::Devices;
use nes::apu::Channel;

use randomizers::Kind as Randomizer;

use crate::config::look::TypeSize;
use crate::config::settings::{ComputerStyle, MISDROPS, MatchStyle, Opposites, RegionChoice, Settings, Sync};
use crate::config::streaming::{PORT_PLACES, place_of, port_at};
use crate::ui::theme::Theme;
use crate::video::filter::Filter;
use crate::video::viewport::{Aspect, Crop, Scaling};

/// A setting as the file and the menus know it.
pub(crate) struct Row {
    /// Its key in the file, with the tables that it is in.
    pub(crate) key: &'static str,
    /// Its name in menus.
    label: &'static str,
    /// The comment above it in the file.
    pub(crate) help: &'static str,
    kind: Kind,
}

/// The values that a menu can give a setting.
enum Kind {
    /// One of a few values. After the last comes the first.
    Choice { names: &'static [&'static str], get: fn(&Settings) -> usize, set: fn(&mut Settings, usize) },
    /// A number from `low` to `high`.
    Number {
        low: i64,
        high: i64,
        step: i64,
        get: fn(&Settings) -> i64,
        set: fn(&mut Settings, i64),
        text: fn(i64) -> String,
    },
}

macro_rules! choice {
    ($($field:ident).+, $($value:expr => $name:expr),+) => {
        Kind::Choice {
            names: &[$($name),+],
            get: |settings| [$($value),+].iter().position(|value| *value == settings.$($field).+).unwrap_or(0),
            set: |settings, at| settings.$($field).+ = [$($value),+][at],
        }
    };
}

macro_rules! switch {
    ($($field:ident).+) => { choice!($($field).+, false => "off", true => "on") };
}

macro_rules! number {
    ($($field:ident).+, $low:expr, $high:expr, $step:expr, $text:expr) => {
        Kind::Number {
            low: $low,
            high: $high,
            step: $step,
            get: |settings| settings.$($field).+ as i64,
            set: |settings, value| settings.$($field).+ = value as _,
            text: $text,
        }
    };
}

macro_rules! crop {
    ($side:ident) => {
        number!(picture.crop.$side, 0, Crop::MOST as i64, 1, |dots| format!("{dots} pixels"))
    };
}

macro_rules! channel {
    ($channel:expr) => {
        Kind::Choice {
            names: &["off", "on"],
            get: |settings| usize::from(!settings.sound.muted_channels.contains(&$channel)),
            set: |settings, on| {
                settings.sound.muted_channels.retain(|&other| other != $channel);
                settings.sound.muted_channels.extend((on == 0).then_some($channel));
            },
        }
    };
}

macro_rules! table {
    ($($setting:ident: $key:literal, $label:literal, $kind:expr, $help:literal;)+) => {
        /// A setting that menus show.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Setting {
            $($setting,)+
        }

        impl Setting {
            /// All of them.
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$setting),+];
        }

        /// The rows in the order of [`Setting`].
        pub(crate) static TABLE: &[Row] = &[$(Row { key: $key, label: $label, help: $help, kind: $kind }),+];
    };
}

table! {
    Filter: "picture.filter", "Filter",
        choice!(picture.filter, Filter::None => "none", Filter::Scanlines => "scanlines",
            Filter::Crt => "CRT", Filter::Composite => "NTSC composite"),
        "\"none\", \"scanlines\", \"crt\" or \"composite\".";
    Scaling: "picture.scaling", "Scaling",
        choice!(picture.scaling, Scaling::Whole => "integer scaling", Scaling::Fit => "fit to window"),
        "\"whole\" for integer scaling, or \"fit\": as large as the window allows.";
    Aspect: "picture.aspect", "Pixel aspect ratio",
        choice!(picture.aspect, Aspect::Square => "square", Aspect::Television => "8:7 (PAL: 18:13), as on a television"),
        "\"square\", or \"television\": pixels with an aspect ratio of 8:7, on PAL 18:13.";
    Fullscreen: "picture.fullscreen", "Full screen", switch!(picture.fullscreen),
        "Start in full screen.";
    StartScale: "picture.scale", "Initial window size",
        Kind::Number {
            low: 1,
            high: 16,
            step: 1,
            get: |settings| settings.picture.scale.into(),
            set: |settings, scale| {
                settings.picture.scale = scale as u8;
                settings.picture.window_size.clear();
            },
            text: |scale| format!("{scale} x"),
        },
        "Window pixels per scanline at startup, 1 to 16. Used while picture.window-size is [].";
    Hue: "picture.hue", "Hue", number!(picture.hue, -45, 45, 5, |degrees| format!("{degrees} degrees")),
        "Television tint in degrees, -45 to 45. Does not affect a palette file.";
    Saturation: "picture.saturation", "Saturation", number!(picture.saturation, 0, 200, 10, percent),
        "Television colour in percent, 0 to 200. Does not affect a palette file.";
    OverscanLeft: "picture.crop.left", "Left", crop!(left), "";
    OverscanRight: "picture.crop.right", "Right", crop!(right), "";
    OverscanTop: "picture.crop.top", "Top", crop!(top), "";
    OverscanBottom: "picture.crop.bottom", "Bottom", crop!(bottom), "";
    InputDisplay: "picture.input-display", "Input display", switch!(picture.input_display),
        "Show which buttons are pressed.";
    Theme: "look.theme", "Theme", choice!(look.theme, Theme::Dark => "dark", Theme::Light => "light"),
        "\"dark\" or \"light\".";
    TypeSize: "look.type-size", "Text size",
        choice!(look.type_size, TypeSize::Small => "small", TypeSize::Normal => "normal", TypeSize::Large => "large"),
        "\"small\", \"normal\" or \"large\".";
    LeftRail: "look.left-rail", "Left rail", switch!(look.left_rail),
        "Show statistics left of the picture, or below it in a narrow window.";
    RightRail: "look.right-rail", "Right rail", switch!(look.right_rail),
        "Show statistics right of the picture.";
    HomeAtStart: "look.home", "Home at startup", switch!(look.home),
        "Show Home when Maxout starts without a file.";
    CleanFeed: "picture.clean-feed", "Clean feed window",
        number!(picture.clean_feed, 0, 8, 1, |scale| if scale == 0 { "off".into() } else { format!("{scale} x") }),
        "Window pixels per console pixel in a second window for recording software, 1 to 8. 0: no window.";
    CleanFeedInput: "picture.clean-feed-input", "Input display in the clean feed", switch!(picture.clean_feed_input),
        "Also show the buttons in the second window.";
    Volume: "sound.volume", "Volume", number!(sound.volume, 0, 100, 5, percent), "Percent, 0 to 100.";
    Mute: "sound.mute", "Sound", choice!(sound.mute, true => "off", false => "on"), "All sound, on or off. In the file, true is off.";
    Pulse1: "sound.muted-channels", "Pulse 1", channel!(Channel::Pulse1),
        "Any of \"pulse1\", \"pulse2\", \"triangle\", \"noise\", \"dmc\".";
    Pulse2: "sound.muted-channels", "Pulse 2", channel!(Channel::Pulse2), "";
    Triangle: "sound.muted-channels", "Triangle", channel!(Channel::Triangle), "";
    Noise: "sound.muted-channels", "Noise", channel!(Channel::Noise), "";
    Dmc: "sound.muted-channels", "Samples (DMC)", channel!(Channel::Dmc), "";
    SoundLatency: "sound.latency", "Audio latency",
        number!(sound.latency, 10, 100, 5, |milliseconds| format!("{milliseconds} ms")),
        "Milliseconds from the console to the sound device, 10 to 100.";
    Speed: "time.speed", "Speed", number!(time.speed, 10, 200, 10, percent),
        "Percent of the console's speed, 10 to 200. The pitch does not change.";
    RunAhead: "time.run-ahead", "Run-ahead",
        number!(time.run_ahead, 0, 2, 1, |frames| match frames {
            0 => "off".into(),
            1 => "1 frame".into(),
            frames => format!("{frames} frames"),
        }),
        "Frames to run ahead, 0 to 2. The game responds that many frames sooner.";
    Sync: "time.sync", "Sync to", choice!(time.sync, Sync::Sound => "audio", Sync::Display => "display"),
        "What sets the pace: \"sound\", or \"display\" if the display waits for its picture.";
    Region: "time.region", "Region from the next power-on",
        choice!(time.region, RegionChoice::Auto => "the cartridge's", RegionChoice::Ntsc => "NTSC",
            RegionChoice::Pal => "PAL"),
        "\"auto\" (the cartridge's), \"ntsc\" or \"pal\". Takes effect at the next power-on.";
    Ports: "time.ports", "Controllers from the next power-on",
        choice!(time.ports, Devices::Pads => "two pads", Devices::Famicom => "Famicom, with microphone",
            Devices::FourScore => "Four Score", Devices::FamicomFour => "Famicom, four pads", Devices::Zapper => "Zapper"),
        "\"pads\", \"famicom\" (Start of the second pad is its microphone), \"four-score\", \"famicom-four\" or \"zapper\".";
    PauseInBackground: "time.pause-in-background", "Pause in the background", switch!(time.pause_in_background),
        "Pause while another window has the focus. Online matches and the computer player continue.";
    StrictPpuStart: "time.strict-ppu-start", "Strict PPU start from the next power-on", switch!(time.strict_ppu_start),
        "Ignore writes to $2000, $2001, $2005 and $2006 until the first vertical blank has ended, as after a reset.";
    DeadZone: "input.dead-zone", "Stick dead zone",
        Kind::Number {
            low: 5,
            high: 95,
            step: 5,
            get: |settings| (100.0 * settings.input.dead_zone).round() as i64,
            set: |settings, percent| settings.input.dead_zone = percent as f32 / 100.0,
            text: percent,
        },
        "How far a stick must be pushed to count, 0.05 to 0.95.";
    Opposites: "input.opposites", "Left and right together",
        choice!(input.opposites, Opposites::Raw => "both count", Opposites::Neutral => "neither counts",
            Opposites::LastWins => "the last one wins"),
        "Left and right held together: \"raw\" (both), \"neutral\" (neither) or \"last-wins\".";
    GoofyFoot: "input.goofy-foot", "Goofy foot", switch!(input.goofy_foot),
        "Swap A and B, Select and Start, and opposite directions.";
    TurboFrames: "input.turbo-frames", "Turbo period",
        number!(input.turbo_frames, 1, 30, 1, |frames| format!("{frames} on, {frames} off")),
        "Frames for which a turbo button is pressed, and then released, 1 to 30.";
    RewindSeconds: "rewind.seconds", "Rewind buffer",
        number!(rewind.seconds, 0, 600, 30, |seconds| if seconds == 0 { "off".into() } else { format!("{seconds} s") }),
        "Seconds that can be rewound. 0: no rewind.";
    StartLevel: "tetris.start-level", "Start level",
        Kind::Number {
            low: 0,
            high: 255,
            step: 1,
            get: |settings| settings.tetris.start_level.into(),
            set: |settings, level| settings.set_start_level(level as u8),
            text: |level| level.to_string(),
        },
        "Level at which a new game starts, in practice or not, 0 to 255. The game's own menu ends at 19; a higher level\n\
         starts in practice.";
    Randomizer: "tetris.randomizer", "Pieces",
        Kind::Number {
            low: 0,
            high: Randomizer::ALL.len() as i64,
            step: 1,
            get: |settings| {
                let place = |kind| Randomizer::ALL.iter().position(|other| *other == kind);
                settings.tetris.randomizer.and_then(place).map_or(0, |place| place as i64 + 1)
            },
            set: |settings, number| {
                settings.tetris.randomizer = number.checked_sub(1).and_then(|at| Randomizer::ALL.get(at as usize)).copied();
            },
            text: |number| match number.checked_sub(1).and_then(|at| Randomizer::ALL.get(at as usize)) {
                Some(kind) => kind.name().into(),
                None => "the game's own".into(),
            },
        },
        "Piece randomizer of a new game: a name from `maxout randomizer list`. \"\" for the game's own.";
    Seed: "tetris.seed", "Seed of the pieces",
        number!(tetris.seed, 0, 9999, 1, |seed| if seed == 0 { "random".into() } else { seed.to_string() }),
        "Seed of the randomizer, 1 to 9999. 0: a new one for each game.";
    Computer: "tetris.computer", "Computer's style",
        choice!(tetris.computer, ComputerStyle::Stacking => "stacks for tetrises",
            ComputerStyle::Survival => "survives, line by line", ComputerStyle::Points => "plays for points"),
        "\"stacking\" (for tetrises), \"survival\" (line by line) or \"points\" (with the hands of a person).";
    MatchKind: "tetris.match-kind", "Kind of match",
        choice!(tetris.match_kind, MatchStyle::Garbage => "garbage rows", MatchStyle::Score => "higher score",
            MatchStyle::LastAlive => "last to top out", MatchStyle::ChaseDown => "score with a chase-down",
            MatchStyle::Lines => "first to 40 lines"),
        "How a game of a match that you host is won: \"garbage\", \"score\", \"last-alive\", \"chase-down\" or \"lines\".";
    MatchBestOf: "tetris.match-best-of", "Best of",
        number!(tetris.match_best_of, 1, 9, 2, |games| if games == 1 { "1 game".into() } else { format!("{games} games") }),
        "Games in a match that you host or play against the computer, 1 to 9. More than half of them win it.";
    ComputerTaps: "tetris.computer-taps", "Its taps a second",
        choice!(tetris.computer_taps, 10 => "10 Hz", 12 => "12 Hz", 15 => "15 Hz", 20 => "20 Hz", 24 => "24 Hz",
            30 => "30 Hz"),
        "Taps a second of the style \"points\": 10, 12, 15, 20, 24 or 30.";
    ComputerReaction: "tetris.computer-reaction", "Its reaction",
        number!(tetris.computer_reaction, 0, 60, 6, |frames| format!("{frames} frames")),
        "Frames until the style \"points\" acts on the next piece, 0 to 60.";
    ComputerMisdrops: "tetris.computer-misdrops", "Its misdrops",
        Kind::Number {
            low: 0,
            high: MISDROPS.len() as i64 - 1,
            step: 1,
            // A table of the file's own is called after the one that it comes nearest to from
            // above.
            get: |settings| {
                let [.., most] = settings.tetris.computer_misdrops;
                MISDROPS.iter().rposition(|table| table[5] <= most).unwrap_or(0) as i64
            },
            set: |settings, at| settings.tetris.computer_misdrops = MISDROPS[at as usize],
            text: |at| ["none", "few", "some", "many"][at as usize].into(),
        },
        "Percent of pieces that the style \"points\" drops one column short, by columns to travel, 0 to 5.";
    ComputerAggression: "tetris.computer-aggression", "Its aggression",
        number!(tetris.computer_aggression, 0, 100, 10, |percent| format!("{percent} %")),
        "How much the style \"points\" waits for tetrises, 0 to 100: at 0 it clears whatever it can.";
    Thoughts: "tetris.thoughts", "Show its thinking", switch!(tetris.thoughts),
        "Show the placements that the style \"points\" considers, over its playfield.";
    SamePieces: "tetris.same-pieces", "Same pieces for both", switch!(tetris.same_pieces),
        "Deal the computer the same pieces as you in versus mode.";
    KeepGames: "tetris.keep-games", "Keep games", switch!(tetris.keep_games),
        "Keep games, to list, replay and review them.";
    PracticePanel: "practice.panel", "Card: mode", switch!(practice.panel), "Show a card with the pace, the count or the attempt in practice.";
    PanelTaps: "practice.taps", "Card: taps", switch!(practice.taps), "Show a card with your taps a second.";
    PanelDas: "practice.das", "Card: DAS", switch!(practice.das),
        "Show a card with the DAS counter.";
    PanelFigures: "practice.figures", "Cards: tetris rate and clears", switch!(practice.figures),
        "Show cards with the tetris rate and the clears.";
    PanelStack: "practice.stack", "Cards: stack, drought, odds", switch!(practice.stack),
        "Show cards with the stack, the drought and the odds of the next pieces.";
    PanelFinesse: "practice.finesse", "Card: finesse", switch!(practice.finesse),
        "Show a card with extra shifts and rotations.";
    CoachHertz: "practice.hertz", "Your taps a second",
        number!(practice.hertz, 5, 30, 1, |hertz| format!("{hertz} Hz")),
        "Your tapping speed in taps a second, 5 to 30, for the coach.";
    CoachReaction: "practice.reaction", "Your reaction",
        number!(practice.reaction, 0, 60, 1, |frames| format!("{frames} frames")),
        "Frames from the spawn to your first tap, 0 to 60, for the coach.";
    StreamServe: "streaming.serve", "Start with Maxout", switch!(streaming.serve),
        "Start the stream's local server with Maxout.";
    StreamPort: "streaming.port", "Port",
        Kind::Number {
            low: 0,
            high: PORT_PLACES,
            step: 1,
            get: |settings| place_of(settings.streaming.port),
            set: |settings, place| settings.streaming.port = port_at(place),
            text: |place| if place == 0 { "any free port".into() } else { port_at(place).to_string() },
        },
        "Port of the stream's local server, to which OBS connects. 0: any free port.";
    VideoScale: "recording.scale", "Video scale", number!(recording.scale, 1, 8, 1, |scale| format!("{scale} x")),
        "Video pixels per console pixel, 1 to 8.";
}

/// Tables of the file, and keys that no menu shows as a row: key and comment.
pub(crate) const FILE_ONLY: &[(&str, &str)] = &[
    ("picture", "The picture and the windows that show it."),
    (
        "picture.clean-feed-place",
        "Last position of the clean feed window, x and y in screen pixels. []: the system chooses.",
    ),
    (
        "picture.window-size",
        "Last size of the window, width and height in pixels. []: picture.scale applies.",
    ),
    (
        "picture.window-place",
        "Last position of the window, x and y in screen pixels. []: the system chooses.",
    ),
    ("look", "The window around the picture: theme, text size, rails."),
    ("picture.crop", "Overscan: pixels cut off at each side, 0 to 64."),
    ("picture.palette", "A palette file (.pal, 64 or 512 colours); \"\" for the colours of a television."),
    ("time", "Speed and latency."),
    ("sound", "Sound."),
    ("input", "Keyboard and gamepads."),
    ("input.known-pads", "Gamepads that Home has already asked you about."),
    (
        "input.players",
        "A list of names for each button: keys by their position on a US keyboard (\"KeyX\", \"ArrowLeft\"),\n\
         gamepad buttons (\"South\", \"DPadUp\") or pushed axes (\"LeftStickX-\").",
    ),
    ("input.players.keys", ""),
    (
        "input.actions",
        "Keys and buttons of practice actions, in addition to the shortcuts, named as above. If one has several uses,\n\
         the game's button comes first, then the practice action, then the shortcut.",
    ),
    ("input.actions.keys", ""),
    ("input.actions.pad", ""),
    ("input.players.pad", ""),
    ("rewind", "How far back a rewind goes."),
    ("rewind.megabytes", "Memory limit of the rewind buffer, in MiB."),
    ("recording", "Movies, sound and video files."),
    ("recording.author", "Your name in movies; \"\" for none."),
    ("recording.ffmpeg", "The program that encodes MP4."),
    ("tetris", "Nintendo Tetris: the next new game, and how the computer plays."),
    (
        "tetris.nets",
        "Networks of the style \"points\" and of the coach: a folder or a file. \"\" for the built-in ones.",
    ),
    ("practice", "Practice modes, and the cards beside the picture."),
    (
        "practice.modes",
        "Modes with a number other than the default: [\"garbage=4\"]. `maxout practice --list` lists them all.",
    ),
    ("practice.options", "Options of the next practice game: [\"level=18\", \"das-only\"]."),
    ("streaming", "Streams for broadcasts (docs/streaming.md)."),
    ("streaming.names", "Player names in overlays: [\"Ada\", \"Ben\"]."),
    (
        "streaming.connections",
        "The file with secrets, rooms and rules for NestrisChamps and OBS; \"\" for stream.toml beside this file.",
    ),
    ("debugger", "The debugger (F1)."),
    ("debugger.layout", "The current layout: \"playing\", \"code\", \"source\" or \"pictures\"."),
    (
        "debugger.playing",
        "Panel positions of each layout, with sizes in points. \"\" for the default layout. Example:\n\
         \"row(picture, 430 column(400 code, 220 tabs(breakpoints, *watches)))\".",
    ),
    ("debugger.code", ""),
    ("debugger.source", ""),
    ("debugger.pictures", ""),
    ("debugger.hint", "Show the hint about moving panels."),
];

/// Keys that files of older versions have. They are read over without a word, and not written.
pub(crate) const RETIRED: &[&str] =
    &["debugger.panels", "practice.place", "practice.moved", "practice.points"];

fn percent(value: i64) -> String {
    format!("{value} %")
}

impl Setting {
    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// Returns its name in menus.
    pub(crate) fn label(self) -> &'static str {
        self.row().label
    }

    /// Returns its key in the file, with the tables that it is in.
    pub(crate) fn key(self) -> &'static str {
        self.row().key
    }

    /// Returns what the file says about it.
    pub(crate) fn help(self) -> &'static str {
        self.row().help
    }

    /// Returns the names of its values; `None` for a number.
    pub(crate) fn choices(self) -> Option<&'static [&'static str]> {
        match self.row().kind {
            Kind::Choice { names, .. } => Some(names),
            Kind::Number { .. } => None,
        }
    }

    /// Returns its value in words.
    pub(crate) fn value(self, settings: &Settings) -> String {
        match self.row().kind {
            Kind::Choice { names, get, .. } => names[get(settings)].into(),
            Kind::Number { get, text, .. } => text(get(settings)),
        }
    }

    /// Returns the least, the greatest and the present value of a number that can be typed; `None`
    /// for a choice, and for a number that stands for a name.
    pub(crate) fn number(self, settings: &Settings) -> Option<(i64, i64, i64)> {
        match self.row().kind {
            Kind::Number { .. } if matches!(self, Self::Randomizer | Self::ComputerMisdrops) => None,
            Kind::Number { .. } if self == Self::StreamPort => {
                Some((0, u16::MAX.into(), settings.streaming.port.into()))
            }
            Kind::Number { low, high, get, .. } => Some((low, high, get(settings))),
            Kind::Choice { .. } => None,
        }
    }

    /// Gives it a value that was typed, within its ends.
    pub(crate) fn put(self, settings: &mut Settings, value: i64) {
        match self.row().kind {
            Kind::Number { .. } if self == Self::StreamPort => settings.streaming.port = value as u16,
            Kind::Number { low, high, set, .. } => set(settings, value.clamp(low, high)),
            Kind::Choice { .. } => {}
        }
    }

    /// Moves its value up (`by` 1) or down (-1). A choice wraps around, a number stops at its ends.
    pub(crate) fn step(self, settings: &mut Settings, by: i32) {
        match self.row().kind {
            Kind::Choice { names, get, set } => {
                let next = (get(settings) as i32 + by).rem_euclid(names.len() as i32);
                set(settings, next as usize);
            }
            Kind::Number { low, high, step, get, set, .. } => {
                let next = get(settings) + step * i64::from(by);
                set(settings, next.clamp(low, high));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_changes_what_it_shows_and_nothing_that_another_shows() {
        for &setting in Setting::ALL {
            let (before, mut after) = (Settings::default(), Settings::default());
            let up = if matches!(setting, Setting::Volume | Setting::ComputerAggression) { -1 } else { 1 };
            setting.step(&mut after, up);
            for &other in Setting::ALL {
                let same = other.value(&before) == other.value(&after);
                assert_eq!(same, other != setting, "{setting:?} changed, {other:?} looked at");
            }
            setting.step(&mut after, -up);
            assert_eq!(before, after, "{setting:?} changed back");
        }
    }

    #[test]
    fn a_number_stops_at_its_ends_and_a_choice_comes_around() {
        for &setting in Setting::ALL {
            match setting.row().kind {
                Kind::Number { low, high, get, .. } => {
                    for (by, end) in [(1, high), (-1, low)] {
                        let mut settings = Settings::default();
                        (0..high - low).for_each(|_| setting.step(&mut settings, by));
                        assert_eq!(get(&settings), end, "{setting:?}");
                    }
                }
                Kind::Choice { names, .. } => {
                    let mut settings = Settings::default();
                    let seen: Vec<_> = names
                        .iter()
                        .map(|_| {
                            setting.step(&mut settings, 1);
                            setting.value(&settings)
                        })
                        .collect();
                    assert!(names.iter().all(|name| seen.iter().any(|seen| seen == name)), "{setting:?}");
                    assert_eq!(settings, Settings::default(), "{setting:?}");
                }
            }
        }
    }

    #[test]
    fn tetris_and_practice_have_one_start_level_and_old_files_keep_theirs() {
        let read = |text: &str| crate::config::ConfigFile::of_text("x".into(), text).0.unwrap();
        let level = |settings: &Settings| (settings.tetris.start_level, settings.practice_options().level);
        assert_eq!(level(&read("[practice]\noptions = [\"level=18\", \"goofy\"]\n")), (18, 18));
        assert_eq!(level(&read("[tetris]\nstart-level = 5\n[practice]\noptions = [\"level=18\"]\n")), (5, 5));
        let mut settings = read("[practice]\noptions = [\"level=18\", \"goofy\"]\n");
        Setting::StartLevel.put(&mut settings, 0);
        assert_eq!(
            (level(&settings), settings.practice.options.as_slice()),
            ((0, 0), &["goofy".to_owned()][..])
        );
        let text = crate::config::ConfigFile::edited_text("", &Settings::default(), &settings);
        assert_eq!(level(&read(&text)), (0, 0), "the old one does not come back");
    }

    #[test]
    fn rows_are_in_the_order_of_the_settings_and_no_label_is_there_twice() {
        assert_eq!((TABLE.len(), Setting::Filter.label()), (Setting::ALL.len(), "Filter"));
        for (at, row) in TABLE.iter().enumerate() {
            assert!(TABLE[..at].iter().all(|other| other.label != row.label), "{}", row.label);
        }
    }
}
