//! Rules: when something happens in the game, OBS does something.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tetris::events::{Event, Mode};
use tetris::scoring::DROUGHT;

use crate::{Secret, State, Update};

/// OBS and what it is to do, as settings have it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObsSettings {
    /// Where it listens.
    #[serde(default = "usual_address")]
    pub address: String,
    /// Its password, if it asks for one.
    #[serde(default)]
    pub password: Option<Secret>,
    /// What it is to do.
    #[serde(default, rename = "rule")]
    pub rules: Vec<Rule>,
}

fn usual_address() -> String {
    "ws://127.0.0.1:4455".to_owned()
}

/// When something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// Four rows are completed.
    Tetris,
    /// The stack reaches the top.
    TopOut,
    /// A game begins; the demo does not count.
    GameStart,
    /// A game is over.
    GameOver,
    /// The level goes up.
    LevelUp,
    /// Another screen comes: see [`Rule::mode`].
    Mode,
    /// A drought begins: the thirteenth piece without an I comes in.
    Drought,
    /// A game has the first place of the cartridge's table.
    Record,
    /// Maxout ends, or the rules are turned off.
    Quit,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// The replay buffer is saved.
    SaveReplay,
    /// The replay buffer begins; one that runs goes on.
    StartReplay,
    /// The source of [`Rule::source`] shows [`Rule::text`].
    Text,
    /// The recording gets a chapter with the name of [`Rule::name`].
    Chapter,
    /// The scene of [`Rule::name`] is shown.
    Scene,
    /// The recording begins.
    StartRecording,
    /// The recording ends.
    StopRecording,
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// When.
    pub when: Moment,
    /// What.
    #[serde(rename = "do")]
    pub action: Action,
    /// In whose game, from 1; in anybody's if it is left out.
    #[serde(default)]
    pub player: Option<u8>,
    /// Which screen, of a rule for `mode`; any if it is left out.
    #[serde(default)]
    pub mode: Option<Mode>,
    /// The scene, or the chapter, in which `{level}`, `{score}`, `{lines}`, `{drought}` and
    /// `{player}` are filled in.
    #[serde(default)]
    pub name: Option<String>,
    /// The name of a text source in OBS, for `text`.
    #[serde(default)]
    pub source: Option<String>,
    /// What it shows, with the same filled in.
    #[serde(default)]
    pub text: Option<String>,
    /// Seconds after which it is done, so that a replay has what follows; at most 60.
    #[serde(default)]
    pub after: f64,
}

/// What is wrong with a rule.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum RuleError {
    /// A scene without a name.
    #[error("rule {0} of OBS: `do = \"scene\"` expects `name = \"…\"`, the scene")]
    NoScene(usize),
    /// A text without its source, or a source without its text.
    #[error("rule {0} of OBS: `do = \"text\"`, `source = \"…\"` and `text = \"…\"` belong together")]
    Text(usize),
    /// Something begins when everything ends.
    #[error("rule {0} of OBS: nothing begins at `when = \"quit\"`")]
    Quit(usize),
    /// A mode where none belongs.
    #[error("rule {0} of OBS: `mode` belongs to `when = \"mode\"`")]
    Mode(usize),
    /// A time that is none.
    #[error("rule {0} of OBS: `after`: expected 0 to 60 seconds")]
    After(usize),
    /// The address is none.
    #[error("the address of OBS: expected ws://HOST:PORT, found {0:?}")]
    Address(String),
}

/// Requests that are looked at on their way.
pub(super) const CHAPTER: &str = "CreateRecordChapter";
pub(super) const START_REPLAY: &str = "StartReplayBuffer";
pub(super) const SAVE_REPLAY: &str = "SaveReplayBuffer";
pub(super) const START_RECORDING: &str = "StartRecord";
pub(super) const STOP_RECORDING: &str = "StopRecord";

impl ObsSettings {
    /// # Errors
    /// The first thing that is wrong, rules being counted from 1.
    pub(super) fn check(&self) -> Result<(), RuleError> {
        if !self.address.starts_with("ws://") && !self.address.starts_with("wss://") {
            return Err(RuleError::Address(self.address.clone()));
        }
        for (number, rule) in (1..).zip(&self.rules) {
            if rule.action == Action::Scene && rule.name.is_none() {
                return Err(RuleError::NoScene(number));
            }
            let is_text = rule.action == Action::Text;
            if [rule.source.is_some(), rule.text.is_some()] != [is_text; 2] {
                return Err(RuleError::Text(number));
            }
            let begins = matches!(rule.action, Action::StartRecording | Action::StartReplay);
            if rule.when == Moment::Quit && begins {
                return Err(RuleError::Quit(number));
            }
            if rule.mode.is_some() && rule.when != Moment::Mode {
                return Err(RuleError::Mode(number));
            }
            if !(0.0..=60.0).contains(&rule.after) {
                return Err(RuleError::After(number));
            }
        }
        Ok(())
    }

    /// The requests that an update asks for. `level` is the player's level before it.
    pub(super) fn requests(&self, update: &Update, level: Option<u8>) -> Vec<Asked> {
        let events = update.lines.iter().filter_map(crate::Line::event);
        let each = events.flat_map(|event| {
            let due = self.rules.iter().filter(move |rule| rule.is_due(event, update.player, level));
            due.map(|rule| rule.request(&Figures::of(update)))
        });
        each.collect()
    }

    /// The requests of the rules for the end, at which the players' games stand like this.
    pub(super) fn requests_at_the_end(&self, games: &[Figures]) -> Vec<Asked> {
        let due = self.rules.iter().filter(|rule| rule.when == Moment::Quit);
        let game = |rule: &Rule| {
            let wanted = |figures: &&Figures| rule.player.is_none_or(|player| player == figures.player);
            games.iter().find(wanted).copied().unwrap_or_default()
        };
        due.map(|rule| rule.request(&game(rule))).collect()
    }
}

/// A request that a rule asks for.
#[derive(Debug)]
pub(super) struct Asked {
    /// How long after the moment.
    pub(super) after: Duration,
    pub(super) kind: &'static str,
    pub(super) data: Value,
}

/// What is filled in in names and texts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Figures {
    pub(super) player: u8,
    pub(super) level: u8,
    score: u32,
    lines: u32,
    drought: u32,
}

impl Figures {
    /// A player's game after an update.
    pub(super) fn of(update: &Update) -> Self {
        let State { level, score, lines, .. } = update.state;
        Self { player: update.player, level, score, lines, drought: update.drought }
    }

    fn fill_in(&self, text: &str) -> String {
        let names = ["{level}", "{score}", "{lines}", "{drought}", "{player}"];
        let values = [self.level.into(), self.score, self.lines, self.drought, self.player.into()];
        let fill = |text: String, (name, value): (&str, u32)| text.replace(name, &value.to_string());
        names.into_iter().zip(values).fold(text.to_owned(), fill)
    }
}

impl Rule {
    fn is_due(&self, event: &Event, player: u8, level: Option<u8>) -> bool {
        self.player.is_none_or(|wanted| wanted == player)
            && match (self.when, event) {
                (Moment::Tetris, Event::Clear { count, .. }) => *count == 4,
                (Moment::TopOut, Event::TopOut { .. })
                | (Moment::GameOver, Event::GameOver { .. })
                | (Moment::Record, Event::HighScore { place: 0, .. })
                | (Moment::GameStart, Event::GameStart { demo: false, .. }) => true,
                (Moment::LevelUp, Event::Level { level: now }) => level.is_some_and(|before| before < *now),
                (Moment::Mode, Event::Mode { to, .. }) => self.mode.is_none_or(|wanted| wanted == *to),
                (Moment::Drought, Event::Spawn { drought, .. }) => *drought == DROUGHT,
                _ => false,
            }
    }

    fn request(&self, figures: &Figures) -> Asked {
        let name = self.name.as_deref().map(|name| figures.fill_in(name));
        let (kind, data) = match self.action {
            Action::SaveReplay => (SAVE_REPLAY, json!({})),
            Action::StartReplay => (START_REPLAY, json!({})),
            Action::Text => {
                let text = self.text.as_deref().map(|text| figures.fill_in(text));
                // Other settings of the source stay as they are.
                (
                    "SetInputSettings",
                    json!({ "inputName": self.source, "inputSettings": { "text": text }, "overlay": true }),
                )
            }
            Action::Chapter => {
                (CHAPTER, name.map_or_else(|| json!({}), |name| json!({ "chapterName": name })))
            }
            Action::Scene => ("SetCurrentProgramScene", json!({ "sceneName": name })),
            Action::StartRecording => (START_RECORDING, json!({})),
            Action::StopRecording => (STOP_RECORDING, json!({})),
        };
        Asked { after: Duration::from_secs_f64(self.after), kind, data }
    }
}
