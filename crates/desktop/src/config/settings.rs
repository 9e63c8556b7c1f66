//! What a player can set: plain data, with what most want as the default.
//!
//! The configuration file loads and saves it; the machine's thread takes the parts that are its own
//! by [`Command`](crate::Command).

use std::path::PathBuf;

use emulator::{MatchKind, RewindLimits};
use nes::apu::Channel;
use nes::{Devices, Region};
use randomizers::Kind;
use serde::{Deserialize, Serialize};
use winit::keyboard::KeyCode;

pub(crate) use crate::config::look::LookSettings;
pub(crate) use crate::config::practice::PracticeSettings;
pub(crate) use crate::config::streaming::StreamSettings;
use crate::debugger::layout::{Layout, LayoutName};
use crate::input::actions::ActionBindings;
use crate::input::bindings::{Bindings, Device, PadInput};
use crate::video::render_settings::PictureSettings;

/// Everything that a player can set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct Settings {
    /// The picture and its windows.
    pub picture: PictureSettings,
    /// The window beside the picture.
    pub look: LookSettings,
    /// Speed and latency.
    pub time: TimeSettings,
    /// Sound.
    pub sound: SoundSettings,
    /// Keyboard and pads.
    pub input: InputSettings,
    /// How far back a rewind goes.
    pub rewind: RewindSettings,
    /// Movies, sound and video files.
    pub recording: RecordingSettings,
    /// Nintendo Tetris.
    pub tetris: TetrisSettings,
    /// Practice.
    pub practice: PracticeSettings,
    /// Streams for broadcasts.
    pub streaming: StreamSettings,
    /// The debugger's layouts.
    pub debugger: DebuggerSettings,
}

/// The highest level that the cartridges' own menus lead to.
pub(crate) const MOST_LEVEL: u8 = 19;

impl Settings {
    /// Returns the options of the next practice game. The start level is that of *Tetris*.
    pub(crate) fn practice_options(&self) -> practice::Options {
        practice::Options { level: self.tetris.start_level, ..self.practice.options() }
    }

    /// Sets the one start level that there is.
    pub(crate) fn set_start_level(&mut self, level: u8) {
        self.tetris.start_level = level;
        self.practice.options.retain(|word| !word.starts_with("level="));
    }

    /// Takes over what files of older versions said in another place: the start level of practice.
    pub(crate) fn adopt(&mut self) {
        if self.tetris.start_level == 0 {
            self.tetris.start_level = self.practice.options().level;
        }
    }
}

/// What sets the pace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sync {
    /// The sound device, and a timer without one: the console's own speed to the last digit.
    #[default]
    Sound,
    /// A display that waits for its picture, where its rate lies within 0.5 % of the console's:
    /// smooth, and so much off.
    Display,
}

/// Which console the window has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RegionChoice {
    /// The one that the cartridge was made for.
    #[default]
    Auto,
    /// 60.0988 frames a second.
    Ntsc,
    /// 50.0070 frames a second.
    Pal,
}

impl RegionChoice {
    /// Returns the region; `None` for the cartridge's.
    pub fn region(self) -> Option<Region> {
        match self {
            Self::Auto => None,
            Self::Ntsc => Some(Region::Ntsc),
            Self::Pal => Some(Region::Pal),
        }
    }
}

/// What is plugged into the ports, in settings: by its name.
mod devices {
    use nes::Devices;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
    pub(super) fn serialize<S: Serializer>(devices: &Devices, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(devices.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Devices, D::Error> {
        let name = String::deserialize(from)?;
        Devices::from_name(&name).ok_or_else(|| {
            let names = Devices::ALL.map(Devices::name).join(", ");
            D::Error::custom(format!("expected one of {names}, found {name:?}"))
        })
    }
}

/// Speed and latency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct TimeSettings {
    /// Percent of the console's speed, 10–200.
    pub speed: u16,
    /// Frames to run ahead, 0–2. The games themselves show a press one frame late: 1 hides that.
    pub run_ahead: u8,
    /// What sets the pace.
    pub sync: Sync,
    /// Which console it is, from the next power-on.
    pub region: RegionChoice,
    /// What is plugged into the ports, from the next power-on.
    #[serde(with = "devices")]
    pub ports: Devices,
    /// Whether the game stands still while another window has the keyboard.
    pub pause_in_background: bool,
    /// Whether the PPU ignores early writes, from the next power-on.
    pub strict_ppu_start: bool,
}

impl Default for TimeSettings {
    fn default() -> Self {
        Self {
            speed: 100,
            run_ahead: 0,
            sync: Sync::Sound,
            region: RegionChoice::Auto,
            ports: Devices::Pads,
            pause_in_background: true,
            strict_ppu_start: false,
        }
    }
}

/// Sound.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct SoundSettings {
    /// 0–100.
    pub volume: u8,
    /// No sound. The device keeps the time all the same.
    pub mute: bool,
    /// Channels that are not heard.
    #[serde(with = "channel_names")]
    pub muted_channels: Vec<Channel>,
    /// Milliseconds from the console to the sound device, 10–100.
    pub latency: u16,
}

/// Channels by their names without spaces, as "pulse1" and "dmc".
mod channel_names {
    use nes::apu::Channel;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    fn name(channel: Channel) -> String {
        channel.name().to_ascii_lowercase().replace(' ', "")
    }

    pub(super) fn serialize<S: Serializer>(channels: &[Channel], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(channels.iter().map(|&channel| name(channel)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Channel>, D::Error> {
        let names = Vec::<String>::deserialize(deserializer)?.into_iter();
        let channels = names.map(|found| {
            let known = Channel::ALL.into_iter().find(|&channel| name(channel) == found);
            known.ok_or_else(|| {
                let names = Channel::ALL.map(name).join(", ");
                D::Error::custom(format!("expected one of {names}, found {found}"))
            })
        });
        channels.collect()
    }
}

impl Default for SoundSettings {
    fn default() -> Self {
        Self { volume: 100, mute: false, muted_channels: vec![], latency: 20 }
    }
}

/// What becomes of left and right, or up and down, held together, which the cross of a real pad
/// cannot do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opposites {
    /// Both reach the game, as wires would.
    Raw,
    /// Neither does.
    Neutral,
    /// The one pressed last does, and the first again when the last is let go.
    #[default]
    LastWins,
}

/// Keyboard and pads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct InputSettings {
    /// Both players.
    pub players: [PlayerSettings; 2],
    /// How far a stick must be pushed to count, 0.05–0.95.
    pub dead_zone: f32,
    /// What becomes of opposite directions.
    pub opposites: Opposites,
    /// Each button means its neighbour: A and B, Select and Start, up and down, left and right
    /// change places, as for a pad held the other way round.
    pub goofy_foot: bool,
    /// Frames that a turbo button is down, and then up, 1–30.
    pub turbo_frames: u8,
    /// Pads that the player was asked about, by the names that they give themselves.
    pub known_pads: Vec<String>,
    /// Keys and buttons of actions of practice.
    pub actions: ActionSettings,
}

/// Keys and buttons of actions, besides the shortcuts that the program comes with.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct ActionSettings {
    /// Keys, by place.
    pub keys: ActionBindings<KeyCode>,
    /// Buttons and sticks of any pad.
    pub pad: ActionBindings<PadInput>,
}

impl InputSettings {
    /// Gives the keys or the pad of a player what the program comes with, or takes away what is
    /// bound to actions (`None`).
    pub(crate) fn reset(&mut self, device: Device, player: Option<usize>) {
        match (device, player) {
            (Device::Keys, None) => self.actions.keys = ActionBindings::default(),
            (Device::Pad, None) => self.actions.pad = ActionBindings::default(),
            (Device::Pad, Some(player)) => self.players[player].pad = Bindings::pad(),
            (Device::Keys, Some(0)) => self.players[0].keys = Bindings::keyboard(),
            (Device::Keys, Some(player)) => self.players[player].keys = Bindings::second_keyboard(),
        }
    }
}

impl Default for InputSettings {
    fn default() -> Self {
        let first = PlayerSettings { keys: Bindings::keyboard(), pad: Bindings::pad() };
        let second = PlayerSettings { keys: Bindings::second_keyboard(), pad: Bindings::pad() };
        Self {
            players: [first, second],
            dead_zone: 0.5,
            opposites: Opposites::default(),
            goofy_foot: false,
            turbo_frames: 2,
            known_pads: vec![],
            actions: ActionSettings::default(),
        }
    }
}

/// One player's keys and pad.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct PlayerSettings {
    /// Keys, by place.
    pub keys: Bindings<KeyCode>,
    /// Buttons and sticks of the pad.
    pub pad: Bindings<PadInput>,
}

/// How far back a rewind goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct RewindSettings {
    /// Seconds, 0 (off) to 3600.
    pub seconds: u32,
    /// MiB that it may take; then the oldest seconds are forgotten.
    pub megabytes: u32,
}

impl From<RewindSettings> for RewindLimits {
    fn from(RewindSettings { seconds, megabytes }: RewindSettings) -> Self {
        Self { seconds, megabytes }
    }
}

impl Default for RewindSettings {
    fn default() -> Self {
        Self { seconds: 120, megabytes: 64 }
    }
}

/// Movies, sound and video files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct RecordingSettings {
    /// The name in `comment author` of a movie; empty for none.
    pub author: String,
    /// The program that encodes MP4.
    pub ffmpeg: String,
    /// Pixels of a video to a dot, 1–8.
    pub scale: u8,
}

impl Default for RecordingSettings {
    fn default() -> Self {
        Self { author: String::new(), ffmpeg: "ffmpeg".into(), scale: 3 }
    }
}

/// How the computer rates boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ComputerStyle {
    /// It builds for tetrises, as fast as the game lets it.
    Stacking,
    /// It clears whatever it can, and plays for lines: the article's player.
    Survival,
    /// It plays for points by the taps and the reaction of a person: the strongest, at 30 taps a
    /// second.
    #[default]
    Points,
}

/// What decides a game of a match that is hosted from the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MatchStyle {
    /// Rows that go over.
    #[default]
    Garbage,
    /// The higher score.
    Score,
    /// Who tops out last.
    LastAlive,
    /// The higher score, with a chase-down.
    ChaseDown,
    /// Forty lines first.
    Lines,
}

impl MatchStyle {
    /// Returns the kind of match.
    pub(crate) fn kind(self) -> MatchKind {
        match self {
            Self::Garbage => MatchKind::Garbage,
            Self::Score => MatchKind::Score,
            Self::LastAlive => MatchKind::LastAlive,
            Self::ChaseDown => MatchKind::ChaseDown,
            Self::Lines => MatchKind::Lines(MatchKind::LINES),
        }
    }
}

/// Nintendo Tetris: the next new game, and how the computer plays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct TetrisSettings {
    /// The level at which a new game starts, in practice or not, 0–255.
    pub start_level: u8,
    /// What deals the pieces of a new game; none for the game itself.
    #[serde(with = "randomizer_name")]
    pub randomizer: Option<Kind>,
    /// The randomizer's seed, 1–9999; 0 for another in each game.
    pub seed: u16,
    /// What decides a game of a match that is hosted.
    pub match_kind: MatchStyle,
    /// Games of a match, of which more than half win it, 1–9.
    pub match_best_of: u8,
    /// How the computer rates boards, alone and as an opponent.
    pub computer: ComputerStyle,
    /// Taps a second of the style `Points`: 10, 12, 15, 20, 24 or 30.
    pub computer_taps: u8,
    /// Frames until the style `Points` knows the next piece, 0–61.
    pub computer_reaction: u8,
    /// Percent of the pieces of the style `Points` that end a column short of their place, by the
    /// columns that they have to go, 0 to 5.
    pub computer_misdrops: [u8; 6],
    /// How much the style `Points` waits for tetrises, 0–100 percent.
    pub computer_aggression: u8,
    /// Nets that the style `Points` and the coach judge by: a file or a folder; empty for those
    /// that came with the program.
    pub nets: PathBuf,
    /// Whether what the style `Points` thinks of its pieces is shown.
    pub thoughts: bool,
    /// Whether the opponent gets the same pieces as the player.
    pub same_pieces: bool,
    /// Whether games are kept.
    pub keep_games: bool,
}

/// Tables of misdrops that a menu offers: none, few, some, many.
pub(crate) const MISDROPS: [[u8; 6]; 4] =
    [[0; 6], [0, 0, 1, 1, 2, 4], [0, 1, 2, 4, 8, 12], [1, 3, 6, 12, 20, 30]];

impl Default for TetrisSettings {
    fn default() -> Self {
        Self {
            start_level: 0,
            randomizer: None,
            seed: 0,
            match_kind: MatchStyle::default(),
            match_best_of: 1,
            computer: ComputerStyle::default(),
            computer_taps: 30,
            computer_reaction: 18,
            computer_misdrops: MISDROPS[0],
            computer_aggression: 100,
            nets: PathBuf::new(),
            thoughts: false,
            same_pieces: false,
            keep_games: true,
        }
    }
}

/// Randomizers by their names, and no randomizer as "".
mod randomizer_name {
    use randomizers::Kind;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(
        clippy::ref_option,
        clippy::trivially_copy_pass_by_ref,
        reason = "serde hands fields over like this"
    )]
    pub(super) fn serialize<S: Serializer>(kind: &Option<Kind>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(kind.map_or("", Kind::name))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Kind>, D::Error> {
        let name = String::deserialize(deserializer)?;
        if name.is_empty() { Ok(None) } else { name.parse().map(Some).map_err(D::Error::custom) }
    }
}

/// The debugger's layouts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct DebuggerSettings {
    /// Which of them is shown.
    pub layout: LayoutName,
    /// Where panels are in the layout for playing; none for as it comes.
    #[serde(with = "layout_text")]
    pub playing: Option<Layout>,
    /// The same of the layout for code.
    #[serde(with = "layout_text")]
    pub code: Option<Layout>,
    /// The same of the layout for source files.
    #[serde(with = "layout_text")]
    pub source: Option<Layout>,
    /// The same of the layout for pictures.
    #[serde(with = "layout_text")]
    pub pictures: Option<Layout>,
    /// Whether it is said how panels are moved, until the player closes that.
    pub hint: bool,
}

impl Default for DebuggerSettings {
    fn default() -> Self {
        Self {
            layout: LayoutName::default(),
            playing: None,
            code: None,
            source: None,
            pictures: None,
            hint: true,
        }
    }
}

impl DebuggerSettings {
    /// Returns the layout that is shown, as the player left it.
    pub(crate) fn current(&self) -> Layout {
        let kept = match self.layout {
            LayoutName::Playing => &self.playing,
            LayoutName::Code => &self.code,
            LayoutName::Source => &self.source,
            LayoutName::Pictures => &self.pictures,
        };
        kept.clone().unwrap_or_else(|| self.layout.layout())
    }

    /// The player has changed the layout that is shown, or wants it as it came.
    pub(crate) fn keep(&mut self, layout: Option<Layout>) {
        let kept = match self.layout {
            LayoutName::Playing => &mut self.playing,
            LayoutName::Code => &mut self.code,
            LayoutName::Source => &mut self.source,
            LayoutName::Pictures => &mut self.pictures,
        };
        *kept = layout;
    }
}

/// A layout as a text, and none as "".
mod layout_text {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::debugger::layout::Layout;

    #[expect(clippy::ref_option, reason = "serde hands a field over in this way")]
    pub(super) fn serialize<S: Serializer>(
        layout: &Option<Layout>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match layout {
            Some(layout) => serializer.collect_str(layout),
            None => serializer.serialize_str(""),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Layout>, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.trim().is_empty() {
            Ok(None)
        } else {
            Layout::parse(&text).map(Some).map_err(D::Error::custom)
        }
    }
}
