//! A training of several nets as one plan: stages, what each begins with, and from which seed.
//!
//! A plan is text (TOML in `crates/value/plans`); this module knows neither files nor threads.
//! Every stage has a seed of its own, which follows from the plan's seed and from all that the
//! stage depends on: another setting, or another net to begin with, is another training.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tetris::SplitMix64;

use crate::format::{Format, Speed};
use crate::learner::{Learner, Plan};
use crate::net::Net;
use crate::outputs::Outputs;
use crate::report::fnv;

/// Stages of training, in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curriculum {
    /// Random seed of the whole.
    pub seed: u64,
    /// The stages. Each may refer to those before it.
    #[serde(rename = "stage")]
    pub stages: Vec<Stage>,
}

/// A stage: one training of the net of one speed. A setting that is not given is that of
/// [`Plan::new`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    /// Its name, of small letters, digits and hyphens: its files have it.
    pub name: String,
    /// The level with which its speed begins: 18, 19, 29 or 39.
    pub level: u32,
    /// Rounds.
    pub rounds: u32,
    /// The formats whose taps are played, each as often. One that is named twice is played twice as
    /// often.
    #[serde(with = "crate::format::names")]
    pub formats: Vec<Format>,
    /// The formats in whose tap speeds the net is asked, where they are fewer.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "crate::format::names")]
    pub asked: Vec<Format>,
    /// The net to begin with, a stage or a file; random weights if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begin: Option<Source>,
    /// The nets of later speeds, stages or files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<Source>,
    /// The stage on whose last boards games begin: one of the speed before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inherit: Option<String>,
    /// See [`Plan::outputs`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs: Option<Outputs>,
    /// See [`Plan`], and so with all others.
    #[serde(flatten)]
    pub settings: BTreeMap<String, Setting>,
}

/// A number or a switch of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Setting {
    /// A switch.
    Switch(bool),
    /// A count.
    Count(u32),
    /// A number.
    Number(f32),
}

/// Where a net comes from: the name of a stage, or of a file, which has a dot.
pub type Source = String;

/// A plan that cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stage {stage}: expected {expected}, found {found}")]
pub struct CurriculumError {
    /// The name of the stage, or its number.
    pub stage: String,
    /// What was expected.
    pub expected: &'static str,
    /// What was found.
    pub found: String,
}

/// Returns whether the source of a net is a file, and not a stage.
pub fn is_file(source: &str) -> bool {
    source.contains('.')
}

impl Curriculum {
    /// Checks that every stage can be trained once those before it are.
    ///
    /// # Errors
    /// At the first stage that cannot.
    pub fn check(&self) -> Result<(), CurriculumError> {
        for (number, stage) in self.stages.iter().enumerate() {
            let Stage { name, begin, after, inherit, formats, .. } = stage;
            let wrong = |expected, found: &dyn ToString| {
                Err(CurriculumError { stage: name.clone(), expected, found: found.to_string() })
            };
            let fits = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
            if name.is_empty() || name.len() > 60 || !name.chars().all(fits) {
                let stage = (number + 1).to_string();
                let expected = "a name of 1 to 60 small letters, digits and hyphens";
                return Err(CurriculumError { stage, expected, found: format!("`{name}`") });
            }
            let before = &self.stages[..number];
            let known = |wanted: &str| before.iter().find(|stage| stage.name == wanted);
            if known(name).is_some() {
                return wrong("a name that no stage before it has", name);
            }
            let speed = stage.speed()?;
            for source in begin.iter().chain(after).filter(|source| !is_file(source)) {
                if known(source).is_none() {
                    return wrong("a stage before it, or a file with a dot in its name", source);
                }
            }
            let mut later = Vec::new();
            for source in after.iter().filter_map(|source| known(source)) {
                if source.speed()? <= speed || later.contains(&source.level) {
                    return wrong("nets of later speeds, one of each, in `after`", &source.name);
                }
                later.push(source.level);
            }
            if let Some(wanted) = inherit {
                let Some(other) = known(wanted) else { return wrong("a stage before it", wanted) };
                if other.speed()? as usize + 1 != speed as usize {
                    return wrong("a stage of the speed before it, to inherit boards from", wanted);
                }
            }
            if formats.is_empty() || formats.iter().any(|format| format.lines != formats[0].lines) {
                return wrong("formats that end with as many lines", &formats.len());
            }
            if stage.rounds == 0 {
                return wrong("one round or more", &0);
            }
            if let Some(outputs) = stage.outputs.filter(|outputs| !outputs.is_valid()) {
                return wrong("finite scales and a share from 0 to 1", &format!("{outputs:?}"));
            }
            stage.plan(self.seed)?;
        }
        Ok(())
    }

    /// Returns what a stage follows. Its seed follows from the plan's seed, from all of the stage
    /// but its rounds, and from the identities of its sources in their order ([`Stage::sources`]):
    /// of a file the hash of its bytes, of a stage [`Stage::identity`].
    ///
    /// # Errors
    /// When a setting is none.
    pub fn plan(&self, stage: &Stage, sources: &[u64]) -> Result<Plan, CurriculumError> {
        let mut bytes =
            serde_json::to_vec(&Stage { rounds: 0, asked: Vec::new(), ..stage.clone() }).unwrap_or_default();
        bytes.extend(sources.iter().flat_map(|source| source.to_le_bytes()));
        stage.plan(SplitMix64::mix(self.seed ^ fnv(&bytes)))
    }
}

impl Stage {
    /// Returns its speed.
    ///
    /// # Errors
    /// When no speed begins with its level.
    pub fn speed(&self) -> Result<Speed, CurriculumError> {
        Speed::of_first_level(self.level).ok_or_else(|| CurriculumError {
            stage: self.name.clone(),
            expected: "level 18, 19, 29 or 39",
            found: self.level.to_string(),
        })
    }

    /// Returns the names of what it depends on: the net to begin with, those of later speeds, and
    /// the stage whose boards it inherits.
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        self.begin.iter().chain(&self.after).chain(&self.inherit)
    }

    /// Returns a number that tells the result of the stage from any other, by what it followed.
    pub fn identity(&self, plan: &Plan) -> u64 {
        SplitMix64::mix(plan.seed ^ u64::from(self.rounds))
    }

    /// Returns the training before its first round.
    pub fn learner(&self, plan: Plan, begin: Option<Net>, inherited: &[[u32; 10]]) -> Learner {
        let learner = match begin {
            Some(net) => Learner::from_net(plan, net),
            None => Learner::new(plan),
        };
        learner.inheriting(inherited)
    }

    fn plan(&self, seed: u64) -> Result<Plan, CurriculumError> {
        let speed = self.speed()?;
        let mut plan = Plan::new(Format::HEADLINE, speed, seed);
        plan.formats.clone_from(&self.formats);
        plan.outputs = self.outputs.unwrap_or_else(|| Outputs::usual(speed));
        plan.from_net = self.begin.is_some();
        for (name, &setting) in &self.settings {
            let wrong = |expected| CurriculumError {
                stage: self.name.clone(),
                expected,
                found: format!("{name} = {setting:?}"),
            };
            let count = |range: std::ops::RangeInclusive<u32>| match setting {
                Setting::Count(count) if range.contains(&count) => Ok(count),
                _ => Err(wrong("a whole number that is not out of range")),
            };
            let number = |least: f32, most: f32| {
                let number = match setting {
                    Setting::Count(count) => count as f32,
                    Setting::Number(number) => number,
                    Setting::Switch(_) => f32::NAN,
                };
                if (least..=most).contains(&number) {
                    Ok(number)
                } else {
                    Err(wrong("a number in its range"))
                }
            };
            match name.as_str() {
                "games" => plan.games = count(1..=1 << 20)?,
                "batch" => plan.batch = count(1..=1 << 20)?,
                "passes" => plan.passes = count(1..=1_000)?,
                "memory" => plan.memory = count(1..=1 << 25)?,
                "taught" => plan.taught = count(0..=1 << 20)?,
                "guided" => plan.guided = count(0..=1_000)?,
                "ahead" => plan.ahead = count(0..=1_000)?,
                "looked_at" => plan.looked_at = count(0..=1 << 20)?,
                "rate" => plan.rate = number(0.0, 1.0)?,
                "halving" => plan.halving = number(1.0, 1e9)?,
                "lambda" => plan.lambda = number(0.0, 1.0)?,
                "exploration" => plan.exploration = number(0.0, 1.0)?,
                "stumbling" => plan.stumbling = number(0.0, 1.0)?,
                "average" => plan.average = number(1.0, 1e6)?,
                "well" => plan.well = number(0.0, 1e6)?,
                "caution" => plan.caution = number(0.0, 1.0)?,
                "garbage" => plan.garbage = number(0.0, 4.0)?,
                "inherited" => plan.inherited = number(0.0, 1.0)?,
                "siblings" => plan.siblings = number(0.0, 100.0)?,
                "by_weights" => match setting {
                    Setting::Switch(switch) => plan.by_weights = switch,
                    _ => return Err(wrong("true or false")),
                },
                _ => return Err(wrong("a setting of a training")),
            }
        }
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plan of `crates/value/plans` that a test trains: four nets, each of a few rounds.
    fn small() -> Curriculum {
        toml::from_str(include_str!("../plans/small.toml")).unwrap()
    }

    #[test]
    fn the_plans_of_the_repository_can_be_followed() {
        for text in [
            include_str!("../plans/small.toml"),
            include_str!("../plans/four-nets.toml"),
            include_str!("../slow-hands.toml"),
            include_str!("../slow-hands-longer.toml"),
            include_str!("../duels.toml"),
            include_str!("../duels-longer.toml"),
            include_str!("../siblings-20-24.toml"),
            include_str!("../level-29-20.toml"),
            include_str!("../level-29-24.toml"),
        ] {
            let plan: Curriculum = toml::from_str(text).unwrap();
            plan.check().unwrap();
            let again: Curriculum = toml::from_str(&toml::to_string(&plan).unwrap()).unwrap();
            assert_eq!(again, plan);
        }
    }

    #[test]
    fn what_cannot_be_followed_is_refused_with_the_stage_and_the_reason() {
        let refused = |change: &dyn Fn(&mut Curriculum)| {
            let mut plan = small();
            change(&mut plan);
            plan.check().unwrap_err().to_string()
        };
        let set = |name: &'static str, setting: Setting| {
            refused(&move |plan: &mut Curriculum| {
                plan.stages[0].settings.insert(name.to_owned(), setting);
            })
        };
        let first = small().stages[0].name.clone();
        for (message, wanted) in [
            (refused(&|plan| plan.stages[1].name = plan.stages[0].name.clone()), "no stage before it"),
            (refused(&|plan| plan.stages[0].name = "../net".to_owned()), "small letters"),
            (refused(&|plan| plan.stages[0].begin = Some("later".to_owned())), "later"),
            (refused(&|plan| plan.stages[0].level = 20), "18, 19, 29 or 39"),
            (refused(&|plan| plan.stages[0].rounds = 0), "one round"),
            (refused(&|plan| plan.stages[0].formats.clear()), "formats"),
            (refused(&|plan| plan.stages[1].inherit = Some(plan.stages[0].name.clone())), "speed before"),
            (refused(&|plan| plan.stages[1].level = 39), "later speeds"),
            (set("rat", Setting::Count(1)), "rat = Count(1)"),
            (set("games", Setting::Count(0)), "games = Count(0)"),
            (set("games", Setting::Number(2.5)), "games"),
            (set("lambda", Setting::Number(1.5)), "lambda"),
            (set("rate", Setting::Number(f32::NAN)), "rate"),
            (set("by_weights", Setting::Count(1)), "true or false"),
            (set("siblings", Setting::Number(-1.0)), "siblings"),
        ] {
            assert!(message.contains(wanted), "{message}: expected {wanted}");
            assert!(message.contains("stage "), "{message}");
        }
        assert!(set("games", Setting::Count(0)).contains(&first));
    }

    #[test]
    fn a_seed_follows_from_all_that_a_stage_depends_on_but_its_own_rounds() {
        let plan = small();
        let stage = &plan.stages[1];
        let seed =
            |plan: &Curriculum, stage: &Stage, sources: &[u64]| plan.plan(stage, sources).unwrap().seed;
        let usual = seed(&plan, stage, &[1, 2]);
        assert_eq!(seed(&plan, &Stage { rounds: 99, ..stage.clone() }, &[1, 2]), usual);
        let other = Curriculum { seed: plan.seed + 1, ..plan.clone() };
        let mut set = stage.clone();
        set.settings.insert("passes".to_owned(), Setting::Count(7));
        for different in [
            seed(&other, stage, &[1, 2]),
            seed(&plan, &set, &[1, 2]),
            seed(&plan, stage, &[1, 3]),
            seed(&plan, stage, &[2, 1]),
            seed(&plan, &plan.stages[0], &[1, 2]),
        ] {
            assert_ne!(different, usual);
        }
        // A stage that goes on for longer is another one to those that begin with it.
        let followed = plan.plan(stage, &[]).unwrap();
        assert_ne!(stage.identity(&followed), Stage { rounds: 99, ..stage.clone() }.identity(&followed));
    }
}
