//! The computer on a console of its own, against the player.

use autopilot::{Autopilot, Hands, Nets, Settings};
use nes::{Buttons, Cartridge, Config, Console, Frame};
use practice::{Rise, Side};
use serde_json::{Value, json};
use tetris::{Profile, View};

/// Frames in which the computer gets into its game.
const WAY_IN: u32 = 5_000;
/// Frames of the level menu that other pieces come from.
const MOMENTS: u64 = 240;

/// A computer that begins a game whenever the player does.
pub(crate) struct Rival {
    profile: Profile,
    cartridge: Cartridge,
    hertz: u8,
    other: Option<Other>,
    player: Side,
    /// How the last game ended: `won`, `lost`, or nothing.
    outcome: &'static str,
    /// Lines of both at its end.
    last: [u32; 2],
}

struct Other {
    console: Console,
    autopilot: Autopilot,
    side: Side,
}

impl Rival {
    /// On the same cartridge, tapping so many times a second.
    pub(crate) fn new(profile: Profile, cartridge: Cartridge, hertz: u8) -> Self {
        Self { profile, cartridge, hertz, other: None, player: Side::default(), outcome: "", last: [0; 2] }
    }

    /// The computer's screen, while a game is on.
    pub(crate) fn picture(&self) -> Option<&Frame> {
        self.other.as_ref().map(|other| other.console.picture())
    }

    /// The player's console has run a frame: the computer's does too. Returns rows that have come
    /// up for the player.
    pub(crate) fn frame(&mut self, console: &mut Console) -> Option<Rise> {
        let happened = self.player.look(console, &self.profile);
        if happened.begun {
            let level = View::new(&self.profile.as_mapped(console.ram())).level();
            self.other = self.begin(level, console.frame_number());
            self.outcome = "";
            return None;
        }
        if happened.over {
            self.end("lost");
        } else if !self.player.playing {
            self.end("");
        }
        let paused = View::new(&self.profile.as_mapped(console.ram())).is_paused();
        let other = self.other.as_mut().filter(|_| !paused)?;
        other.side.pending += happened.sent;
        self.player.sent += happened.sent as u32;
        let theirs = other.frame(&self.profile);
        self.player.pending += theirs.sent;
        other.side.sent += theirs.sent as u32;
        if theirs.over {
            self.end("won");
            return None;
        }
        self.player.rise(console, &self.profile);
        self.player.risen.take()
    }

    fn end(&mut self, outcome: &'static str) {
        if let Some(other) = self.other.take() {
            (self.outcome, self.last) = (outcome, [self.player.lines, other.side.lines]);
        }
    }

    /// The computer at the start of a game at `level`; another moment gives it other pieces.
    fn begin(&self, level: u8, moment: u64) -> Option<Other> {
        let config = Config { video: false, ..Config::default() };
        let settings =
            Settings { level: level.min(19), wait: (moment % MOMENTS) as u32, ..Settings::default() };
        let hands = Hands { hertz: self.hertz, reaction: 0, ..Hands::default() };
        let mut other = Other {
            console: Console::new(self.cartridge.clone(), config),
            autopilot: Autopilot::with_hands(self.profile.clone(), settings, hands, &Nets::default()),
            side: Side::default(),
        };
        let begun = (0..WAY_IN).any(|_| other.frame(&self.profile).begun);
        other.console.set_video(true);
        begun.then_some(other)
    }

    /// How it stands, as JSON.
    pub(crate) fn status(&self) -> Value {
        let other = self.other.as_ref().map(|other| &other.side);
        let lines = other.map_or(self.last, |other| [self.player.lines, other.lines]);
        json!({
            "playing": other.is_some(),
            "outcome": self.outcome,
            "lines": lines,
            "sent": [self.player.sent, other.map_or(0, |other| other.sent)],
        })
    }
}

impl Other {
    fn frame(&mut self, profile: &Profile) -> practice::Happened {
        let buttons = self.autopilot.action(&self.console).buttons;
        let _ = self.console.run_frame(&mut [buttons, Buttons::empty()], &mut ());
        let happened = self.side.look(&self.console, profile);
        self.side.rise(&mut self.console, profile);
        happened
    }
}
