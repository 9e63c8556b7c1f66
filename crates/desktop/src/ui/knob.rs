//! One setting as menus show and change it.

use nes::apu::Channel;

use crate::config::settings::{Opposites, Settings, Sync};
use crate::video::filter::Filter;
use crate::video::viewport::Crop;

/// A setting with a few values, changed by a step to the left or right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Knob {
    Filter,
    Scaling,
    Aspect,
    Fullscreen,
    StartScale,
    Hue,
    Saturation,
    Crop(Side),
    InputDisplay,
    CleanFeed,
    Volume,
    Mute,
    Channel(Channel),
    SoundLatency,
    Speed,
    RunAhead,
    Sync,
    DeadZone,
    Opposites,
    GoofyFoot,
    TurboFrames,
    RewindSeconds,
    VideoScale,
}

/// A side of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
    Top,
    Bottom,
}

impl Knob {
    /// What menus call it.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Filter => "Filter",
            Self::Scaling => "Size",
            Self::Aspect => "Pixels",
            Self::Fullscreen => "Full screen",
            Self::StartScale => "Size at the start",
            Self::Hue => "Tint",
            Self::Saturation => "Colour",
            Self::Crop(Side::Left) => "Cut off left",
            Self::Crop(Side::Right) => "Cut off right",
            Self::Crop(Side::Top) => "Cut off top",
            Self::Crop(Side::Bottom) => "Cut off bottom",
            Self::InputDisplay => "Show buttons",
            Self::CleanFeed => "Clean window for recording",
            Self::Volume => "Volume",
            Self::Mute => "Sound",
            Self::Channel(Channel::Pulse1) => "First pulse",
            Self::Channel(Channel::Pulse2) => "Second pulse",
            Self::Channel(Channel::Triangle) => "Triangle",
            Self::Channel(Channel::Noise) => "Noise",
            Self::Channel(Channel::Dmc) => "Samples (DMC)",
            Self::SoundLatency => "Latency",
            Self::Speed => "Speed",
            Self::RunAhead => "Run ahead",
            Self::Sync => "Pace",
            Self::DeadZone => "Dead zone of sticks",
            Self::Opposites => "Left and right together",
            Self::GoofyFoot => "Goofy foot",
            Self::TurboFrames => "Turbo, frames down and up",
            Self::RewindSeconds => "Rewind",
            Self::VideoScale => "Size of videos",
        }
    }

    /// Its value in words.
    pub(crate) fn value(self, settings: &Settings) -> String {
        let Settings { time, sound, input, picture, rewind, recording, debugger: _ } = settings;
        match self {
            Self::Filter => picture.filter.name().into(),
            Self::Scaling => match picture.scaling {
                crate::Scaling::Whole => "whole multiples".into(),
                crate::Scaling::Fit => "as large as fits".into(),
            },
            Self::Aspect => match picture.aspect {
                crate::Aspect::Square => "square".into(),
                crate::Aspect::Television => "8:7, as on television".into(),
            },
            Self::Fullscreen => on(picture.fullscreen),
            Self::StartScale => format!("{} x", picture.scale),
            Self::Hue => format!("{:+} degrees", picture.hue),
            Self::Saturation => format!("{} %", picture.saturation),
            Self::Crop(side) => format!("{} dots", cut(picture.crop, side)),
            Self::InputDisplay => on(picture.input_display),
            Self::CleanFeed => match picture.clean_feed {
                0 => "off".into(),
                scale => format!("{scale} x"),
            },
            Self::Volume => format!("{} %", sound.volume),
            Self::Mute => on(!sound.mute),
            Self::Channel(channel) => on(!sound.muted_channels.contains(&channel)),
            Self::SoundLatency => format!("{} ms", sound.latency),
            Self::Speed => format!("{} %", time.speed),
            Self::RunAhead => match time.run_ahead {
                0 => "off".into(),
                1 => "1 frame".into(),
                frames => format!("{frames} frames"),
            },
            Self::Sync => match time.sync {
                Sync::Sound => "by the sound device".into(),
                Sync::Display => "by the display".into(),
            },
            Self::DeadZone => format!("{:.0} %", 100.0 * input.dead_zone),
            Self::Opposites => match input.opposites {
                Opposites::Raw => "both".into(),
                Opposites::Neutral => "neither".into(),
                Opposites::LastWins => "the last pressed".into(),
            },
            Self::GoofyFoot => on(input.goofy_foot),
            Self::TurboFrames => input.turbo_frames.to_string(),
            Self::RewindSeconds => match rewind.seconds {
                0 => "off".into(),
                seconds => format!("{seconds} s"),
            },
            Self::VideoScale => format!("{} x", recording.scale),
        }
    }

    /// One step up (`1`) or down (`-1`). Lists of a few values go round, numbers stop at their ends.
    pub(crate) fn turn(self, settings: &mut Settings, by: i32) {
        let Settings { time, sound, input, picture, rewind, recording, debugger: _ } = settings;
        match self {
            Self::Filter => picture.filter = next(&Filter::ALL, picture.filter, by),
            Self::Scaling => picture.scaling = picture.scaling.toggled(),
            Self::Aspect => picture.aspect = picture.aspect.toggled(),
            Self::Fullscreen => picture.fullscreen ^= true,
            Self::StartScale => picture.scale = moved(picture.scale, by, 1, 16),
            Self::Hue => picture.hue = (i32::from(picture.hue) + 5 * by).clamp(-45, 45) as i8,
            Self::Saturation => picture.saturation = moved(picture.saturation, 10 * by, 0, 200),
            Self::Crop(side) => {
                let dots = cut_mut(&mut picture.crop, side);
                *dots = moved(*dots, by, 0, Crop::MOST.into());
            }
            Self::InputDisplay => picture.input_display ^= true,
            Self::CleanFeed => picture.clean_feed = moved(picture.clean_feed, by, 0, 8),
            Self::Volume => sound.volume = moved(sound.volume, 5 * by, 0, 100),
            Self::Mute => sound.mute ^= true,
            Self::Channel(channel) => {
                let muted = sound.muted_channels.contains(&channel);
                sound.muted_channels.retain(|&other| other != channel);
                if !muted {
                    sound.muted_channels.push(channel);
                }
            }
            Self::SoundLatency => sound.latency = moved(sound.latency, 5 * by, 10, 100),
            Self::Speed => time.speed = moved(time.speed, 10 * by, 10, 200),
            Self::RunAhead => time.run_ahead = moved(time.run_ahead, by, 0, 2),
            Self::Sync => time.sync = next(&[Sync::Sound, Sync::Display], time.sync, by),
            Self::DeadZone => {
                let percent = (100.0 * input.dead_zone).round() as i32 + 5 * by;
                input.dead_zone = percent.clamp(5, 95) as f32 / 100.0;
            }
            Self::Opposites => {
                let all = [Opposites::Raw, Opposites::Neutral, Opposites::LastWins];
                input.opposites = next(&all, input.opposites, by);
            }
            Self::GoofyFoot => input.goofy_foot ^= true,
            Self::TurboFrames => input.turbo_frames = moved(input.turbo_frames, by, 1, 30),
            Self::RewindSeconds => rewind.seconds = moved(rewind.seconds, 30 * by, 0, 600),
            Self::VideoScale => recording.scale = moved(recording.scale, by, 1, 8),
        }
    }
}

fn on(on: bool) -> String {
    if on { "on" } else { "off" }.into()
}

fn cut(crop: Crop, side: Side) -> u8 {
    match side {
        Side::Left => crop.left,
        Side::Right => crop.right,
        Side::Top => crop.top,
        Side::Bottom => crop.bottom,
    }
}

fn cut_mut(crop: &mut Crop, side: Side) -> &mut u8 {
    match side {
        Side::Left => &mut crop.left,
        Side::Right => &mut crop.right,
        Side::Top => &mut crop.top,
        Side::Bottom => &mut crop.bottom,
    }
}

/// `by` further, from `low` to `high`.
fn moved<T: Into<i64> + TryFrom<i64> + Copy>(value: T, by: i32, low: i64, high: i64) -> T {
    T::try_from((value.into() + i64::from(by)).clamp(low, high)).unwrap_or(value)
}

/// The value that lies `by` further in `all`, round and round.
fn next<T: PartialEq + Copy>(all: &[T], value: T, by: i32) -> T {
    let at = all.iter().position(|&other| other == value).unwrap_or(0) as i32;
    all[(at + by).rem_euclid(all.len() as i32) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Knob> {
        use Knob::*;
        let mut all = vec![
            Filter,
            Scaling,
            Aspect,
            Fullscreen,
            StartScale,
            Hue,
            Saturation,
            InputDisplay,
            CleanFeed,
            Volume,
            Mute,
            SoundLatency,
            Speed,
            RunAhead,
            Sync,
            DeadZone,
            Opposites,
            GoofyFoot,
            TurboFrames,
            RewindSeconds,
            VideoScale,
        ];
        all.extend([Side::Left, Side::Right, Side::Top, Side::Bottom].map(Crop));
        all.extend(super::Channel::ALL.map(Channel));
        all
    }

    #[test]
    fn every_knob_changes_what_it_shows_and_nothing_that_another_shows() {
        for knob in all() {
            let (before, mut after) = (Settings::default(), Settings::default());
            let up = if matches!(knob, Knob::Volume) { -1 } else { 1 };
            knob.turn(&mut after, up);
            for other in all() {
                let same = other.value(&before) == other.value(&after);
                assert_eq!(same, other != knob, "{knob:?} turned, {other:?} looked at");
            }
            knob.turn(&mut after, -up);
            assert_eq!(before, after, "{knob:?} turned back");
        }
    }

    #[test]
    fn no_knob_leaves_its_range() {
        for (knob, by) in all().into_iter().flat_map(|knob| [(knob, 1), (knob, -1)]) {
            let mut settings = Settings::default();
            for _ in 0..300 {
                knob.turn(&mut settings, by);
            }
            let picture = &settings.picture;
            assert!(
                (-45..=45).contains(&picture.hue) && picture.saturation <= 200 && picture.clean_feed <= 8
            );
            assert!((10..=200).contains(&settings.time.speed) && settings.time.run_ahead <= 2);
            assert!((10..=100).contains(&settings.sound.latency) && settings.sound.volume <= 100);
            assert!((0.05..=0.95).contains(&settings.input.dead_zone));
            assert!((1..=30).contains(&settings.input.turbo_frames));
        }
    }
}
