//! What the page shows beside the picture, as JSON.

use autopilot::{Candidate, Thought, Unit};
use emulator::{Versus, VersusOutcome, VersusStatus};
use practice::{
    Item, Kind, Log, Options, Outcome, Session, Slot, Stack, Statistics, TapTable, Tone, last_taps,
    odds_after,
};
use serde_json::{Value, json};
use strum::VariantArray;
use tetris::Piece;

use crate::Machine;
use crate::viewer::Viewer;

/// Spawns of which the charge of the auto shift is shown.
const SPAWNS: usize = 16;

impl Machine {
    /// How it stands: cartridge, game, practice, viewer; an object of JSON. The page asks some ten
    /// times a second.
    pub fn status(&self) -> String {
        let info = self.cartridge().info();
        let mut status = json!({
            "frame": self.frame_number(),
            "name": self.name(),
            "known": self.profile.as_ref().map(|profile| profile.name.as_str()),
            "board": info.board,
            "mapper": info.mapper,
            "crc32": format!("{:08X}", info.crc32),
            "battery": info.battery,
            "rewind": self.emulator.frames_back() as f64 / self.frame_rate(),
            "region": if self.is_pal() { "PAL" } else { "NTSC" },
            "computer": self.has_computer(),
            "versus": self.versus.as_ref().map(versus),
            "movie": self.movie(),
            "checksum": self.checksum(),
            "thought": self.emulator.thought().filter(|_| self.has_computer()).map(|of| thought(&of)),
            "race": self.race.as_ref().map(|race| {
                let (lines, score, over) = race.standing();
                json!({ "lines": lines, "score": score, "over": over })
            }),
            "match": self.match_status(),
            "recording": self.recording_status(),
            "held": self.pads[0].bits(),
            "held2": self.pads[1].bits(),
        });
        if let Some(viewer) = &self.viewer {
            status["viewer"] = json!({ "frame": viewer.frame(), "length": viewer.length() });
            status["game"] = game(viewer.session(), [0; 2], viewer.log_so_far(), false);
        } else if let Some(on) = self.emulator.watched() {
            status["game"] =
                game(on.session(), [on.pieces_back(), on.marks().len()], on.log(), on.only_watches());
            status["game"]["serial"] = self.games.into();
        }
        status.to_string()
    }

    /// What happened since the last call, as an array of JSON in the form of `maxout tetris watch`.
    pub fn events(&mut self) -> String {
        let records = self.game.as_mut().map(crate::game::Game::take_events).unwrap_or_default();
        serde_json::to_string(&records).unwrap_or_else(|_| "[]".into())
    }

    /// Every mode and option, with what they take: an object of JSON.
    pub fn modes() -> String {
        let mode = |kind: &Kind| {
            let values = kind.values();
            json!({
                "name": kind.name(),
                "title": kind.title(),
                "purpose": kind.purpose(),
                "about": kind.about(),
                "value": kind.value(),
                "least": values.start(),
                "most": values.end(),
                "usual": kind.usual().to_string(),
            })
        };
        let option = |(name, about): &(&str, &str)| json!({ "name": name, "about": about });
        let modes: Vec<Value> = Kind::VARIANTS.iter().map(mode).collect();
        let options: Vec<Value> = Options::NAMES.iter().map(option).collect();
        let group = |group: &practice::Group| {
            let names: Vec<&str> = group.modes.iter().map(|(kind, ..)| kind.name()).collect();
            json!({ "name": group.name, "about": group.about, "modes": names })
        };
        let groups: Vec<Value> = practice::GROUPS.iter().map(group).collect();
        json!({ "modes": modes, "options": options, "groups": groups }).to_string()
    }

    /// What the viewer knows of its game: figures, taps, and the placements that cost most; an
    /// object of JSON.
    pub fn report(&self) -> String {
        self.viewer.as_ref().map_or_else(|| "{}".to_owned(), |viewer| report(viewer).to_string())
    }
}

/// How it stands against the computer.
fn versus(versus: &Versus) -> Value {
    let VersusStatus { lines, sent, scores: _ } = versus.status();
    let outcome = match versus.outcome() {
        outcome @ (VersusOutcome::Won | VersusOutcome::Lost) => outcome.name(),
        VersusOutcome::Open | VersusOutcome::Left => "",
    };
    json!({ "playing": versus.is_on(), "outcome": outcome, "lines": lines, "sent": sent })
}

fn stack(rows: &[u16; 20]) -> Value {
    let Stack { height, holes, ready, well, covered } = Stack::of(rows);
    json!({ "height": height, "holes": holes, "ready": ready, "well": well + 1, "covered": covered, "rows": rows })
}

/// `back` is how many pieces can be taken back, and how many positions are marked.
fn game(session: &Session, back: [usize; 2], log: &Log, watches: bool) -> Value {
    let outcome: &str = session.outcome().into();
    let mut texts = Vec::new();
    for item in session.overlay() {
        if let Item::Text { slot, text, tone } = item {
            let slot = match slot {
                Slot::Score => "score",
                Slot::Pace => "pace",
                Slot::Count => "count",
                Slot::Taps => "taps",
                Slot::Notice => "notice",
            };
            let tone = match tone {
                Tone::Plain => "plain",
                Tone::Good => "good",
                Tone::Bad => "bad",
            };
            texts.push(json!({ "slot": slot, "text": text, "tone": tone }));
        }
    }
    json!({
        "mode": session.mode().to_string(),
        "options": session.options().to_string(),
        "practice": !watches,
        "playing": session.is_playing(),
        "over": session.outcome() != Outcome::Playing,
        "outcome": outcome,
        "score": session.score(),
        "level": session.level(),
        "startLevel": log.start_level,
        "lines": log.last.1,
        "piece": log.pieces.last().map(|played| Piece::letter(played.piece).to_string()),
        "next": log.pieces.last().map(|played| Piece::letter(played.next).to_string()),
        "undo": back[0],
        "marks": back[1],
        "texts": texts,
        "statistics": Statistics::of(log),
        "stack": log.pieces.last().map(|played| stack(&played.rows)),
        "odds": log.pieces.last().map(|played| odds_after(played.next)),
        "das": log.pieces.iter().rev().take(SPAWNS).map(|played| played.das).collect::<Vec<_>>(),
        "taps": last_taps(log),
    })
}

fn report(viewer: &Viewer) -> Value {
    let log = viewer.log();
    let header = &viewer.game().header;
    let state = format!("{:016x}", viewer.state_hash());
    json!({
        "mode": header.mode.to_string(),
        "options": header.options.to_string(),
        "cartridge": header.cartridge,
        "frames": viewer.length(),
        "result": viewer.game().result,
        // A game that says its last state is proven by being played again to it.
        "verified": viewer.game().result_of("state").map(|claimed| claimed == state),
        "state": state,
        "score": log.last.2,
        "lines": log.last.1,
        "level": log.last.0,
        "startLevel": log.start_level,
        "pieces": log.pieces.len(),
        "statistics": Statistics::of(log),
        "taps": TapTable::of(log).to_string(),
    })
}

/// What the computer thinks of the piece in play.
fn thought(thought: &Thought) -> Value {
    let unit = match thought.unit {
        Unit::Weights => "weighted sum".to_owned(),
        Unit::Points => "expected points".to_owned(),
        Unit::PointsOfLevel(level) => format!("points as at level {level}"),
    };
    let candidate = |candidate: &Candidate| {
        json!({
            "place": candidate.place.to_string(),
            "cells": candidate.place.cells(),
            "value": candidate.value,
            "cleared": candidate.cleared,
        })
    };
    json!({
        "piece": thought.piece.letter().to_string(),
        "unit": unit,
        "candidates": thought.candidates.iter().map(candidate).collect::<Vec<_>>(),
        "odds": thought.outlook.and_then(|outlook| outlook.odds),
        "points": thought.outlook.map(|outlook| outlook.points),
        "misdrop": thought.misdrop,
        "waits": thought.waits,
    })
}
