//! The plan of the day, as the window's Home has it: what is due, and what the last games advise.

use practice::{Advice, Kept, Mode, PastGame, TapTable, seed_of_day};
use serde_json::json;

use crate::Machine;

/// What a plan looks at of a kept game that counts.
pub(crate) struct Past {
    mode: Mode,
    score: Option<u32>,
    lines: Option<u32>,
    tetris_rate: Option<f64>,
    taps: TapTable,
}

impl Past {
    /// Reads a kept game; none where it is none, or does not count.
    fn read(bytes: &[u8]) -> Option<Self> {
        let game = Kept::read(bytes).ok().filter(|game| game.standing().counts())?;
        let result = |name| game.result_of(name);
        Some(Self {
            mode: game.header.mode,
            score: result("score").and_then(|score| score.parse().ok()),
            lines: result("lines").and_then(|lines| lines.parse().ok()),
            tetris_rate: result("trt").and_then(|rate| rate.parse().ok()),
            taps: result("taps").and_then(|taps| taps.parse().ok()).unwrap_or_default(),
        })
    }
}

impl Machine {
    /// Takes a kept game into the plan, the latest first. Returns whether it counts there.
    pub fn plan_game(&mut self, bytes: &[u8]) -> bool {
        let past = Past::read(bytes);
        let counts = past.is_some();
        self.past.extend(past);
        counts
    }

    /// Returns the plan of a day, counted from 1 January 1970, UTC, as an object of JSON, and
    /// forgets the games that it was made of.
    pub fn plan(&mut self, today: u32) -> String {
        let past = std::mem::take(&mut self.past);
        let advice = Advice::of(past.iter().map(|game| PastGame {
            mode: game.mode,
            score: game.score,
            lines: game.lines,
            tetris_rate: game.tetris_rate,
            taps: &game.taps,
        }));
        let progress = &self.desk.progress;
        let seed = seed_of_day(today);
        json!({
            "streak": progress.streak(today),
            "daily": progress.daily(today),
            "due": self.desk.due(today),
            "advice": {
                "title": advice.to_string(),
                "reason": advice.reason.to_string(),
                "mode": advice.mode.to_string(),
                "level": advice.level,
            },
            "seed": { "mode": seed.to_string(), "name": format!("{:06X}", seed.value()) },
        })
        .to_string()
    }
}
