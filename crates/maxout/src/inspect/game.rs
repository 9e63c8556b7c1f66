//! Which release of the game an image is of, and what works on it.

use std::io::Write;

use serde::Serialize;
use tetris::{Feature, Hashes, Profile, Release};

/// What is known of a cartridge of the family.
#[derive(Serialize)]
pub(super) struct Game {
    /// One of `Release::id`; `None` where only a profile knows the cartridge.
    release: Option<&'static str>,
    name: String,
    known_by: &'static str,
    /// What works and what does not, in a sentence.
    limits: &'static str,
    features: Vec<Works>,
}

/// A feature, and what it lacks.
#[derive(Serialize)]
#[allow(clippy::struct_field_names, reason = "the names are those of the JSON")]
struct Works {
    id: &'static str,
    subject: &'static str,
    at: &'static str,
    works: bool,
    missing: Vec<&'static str>,
}

/// What to do with a cartridge of which nothing is known.
const UNRECOGNISED: &str = "not recognised as Tetris: it plays, and features of the game are off";

impl Game {
    /// Of an image, with the profile that was given for it.
    pub(super) fn of(image: &[u8], given: Option<Profile>) -> Option<Self> {
        let release = Release::of_image(image);
        let is_given = given.is_some();
        let profile = given.or_else(|| release?.profile());
        let name = match &profile {
            Some(profile) => profile.name.clone(),
            None => release?.name().to_owned(),
        };
        let features = Feature::all().map(|feature| {
            let missing = profile.as_ref().map(|profile| profile.missing(feature));
            Works {
                id: feature.id(),
                subject: feature.subject(),
                at: feature.at(),
                works: missing.as_ref().is_some_and(Vec::is_empty),
                missing: missing.unwrap_or_default(),
            }
        });
        let (known_by, limits) = match release {
            _ if is_given => ("the profile that was given", "what the profile says is taken as it is"),
            Some(release) => (release.known_by(), release.limits()),
            None => return None,
        };
        Some(Self { release: release.map(Release::id), name, known_by, limits, features: features.collect() })
    }

    fn text(&self, out: &mut dyn Write) -> std::io::Result<()> {
        writeln!(out, "game        {}, by {}", self.name, self.known_by)?;
        writeln!(out, "            {}", self.limits)?;
        for (title, works) in [("works", true), ("is off", false)] {
            let features = self.features.iter().filter(|feature| feature.works == works);
            for (number, Works { subject, at, .. }) in features.enumerate() {
                writeln!(out, "{:<11} {subject}: {at}", if number == 0 { title } else { "" })?;
            }
        }
        Ok(())
    }
}

/// The game's part of the text.
pub(super) fn text(game: Option<&Game>, image: &[u8], out: &mut dyn Write) -> std::io::Result<()> {
    if let Some(game) = game {
        game.text(out)?;
    } else {
        writeln!(out, "game        {UNRECOGNISED}")?;
    }
    if game.is_none_or(|game| game.features.iter().any(|feature| !feature.works)) {
        writeln!(
            out,
            "profile     a file with sha1 = [\"{}\"]: docs/profiles.md",
            Hashes::of(image).contents
        )?;
    }
    Ok(())
}
