//! The suites, and a run of one.

use super::notes::Notes;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The package that brings public test ROMs to any machine that has cargo.
pub(super) const PINNED_PACKAGE: &str = "tetanes-core";

/// A suite of public test ROMs.
pub(super) struct Suite {
    /// Name of its data file and in the notes.
    pub(super) key: &'static str,
    pub(super) title: &'static str,
    /// Where it comes from.
    pub(super) source: &'static str,
    /// CPU/PPU phases that it is run at.
    phases: &'static [u8],
    /// Does its manifest name every ROM that is run, and not only those of which something has to
    /// be known?
    whole_manifest: bool,
    /// Does this folder hold it?
    pub(super) recognise: fn(&Path) -> bool,
}

/// Every suite, in the document's order.
pub(super) const SUITES: &[Suite] = &[
    Suite {
        key: "accuracy-coin",
        title: "AccuracyCoin",
        source: "github.com/100thCoin/AccuracyCoin",
        phases: &[0, 1, 2, 3],
        whole_manifest: false,
        recognise: |folder| folder.join("AccuracyCoin.nes").is_file(),
    },
    Suite {
        key: "nes-test-roms",
        title: "nes-test-roms",
        source: "github.com/christopherpow/nes-test-roms",
        phases: &[0],
        whole_manifest: true,
        recognise: |folder| {
            folder.join("instr_test-v5").is_dir() && folder.join("cpu_interrupts_v2").is_dir()
        },
    },
    Suite {
        key: "holy-mapperel",
        title: "Holy Mapperel",
        source: "github.com/pinobatch/holy-mapperel, its images built from source",
        phases: &[0],
        whole_manifest: false,
        recognise: |folder| {
            images(folder).is_ok_and(|images| {
                images.iter().any(|image| ["M0_", "M1_"].iter().any(|start| name(image).starts_with(start)))
            })
        },
    },
    Suite {
        key: "pinned",
        title: "ROMs of the pinned package",
        source: "test_roms/ of the cargo package tetanes-core 0.17.0, on every machine that has cargo",
        phases: &[0],
        whole_manifest: false,
        recognise: |_| false,
    },
];

/// The suite that needs no copy of its own.
pub(super) const PINNED: &Suite = &SUITES[3];

/// What one ROM came to: what `maxout test --json` says, and where it was run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RomResult {
    /// Path in the suite, with `/`.
    pub(super) rom: String,
    /// CPU/PPU phase at power-on.
    #[serde(default)]
    pub(super) phase: u8,
    /// `pass`, `fail`, `timeout`, `unknown` or `error`.
    pub(super) verdict: String,
    /// Parts that passed, and all of them.
    pub(super) passed: u32,
    pub(super) total: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) failures: Vec<Failure>,
    pub(super) frames: u32,
    /// What the ROM wrote; kept only where it did not pass.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) text: String,
}

/// A part that did not pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Failure {
    pub(super) name: String,
    pub(super) code: String,
}

/// The verdict on a ROM that was not run because of a note.
const EXCLUDED: &str = "excluded";

impl RomResult {
    /// Did everything in it pass?
    pub(super) fn passes(&self) -> bool {
        self.verdict == "pass"
    }

    /// Was it run, to be judged?
    pub(super) fn judged(&self) -> bool {
        self.verdict != EXCLUDED
    }
}

impl Suite {
    /// Name of the data file.
    pub(super) fn file(&self) -> String {
        format!("{}.json", self.key)
    }

    /// Runs the ROMs of the suite in `folder` at every phase: those that its manifest lists
    /// (docs/accuracy/manifests) if that is whole, or else all, without those that the notes
    /// exclude.
    ///
    /// # Errors
    /// When the folder or the manifest cannot be read, or maxout fails or is not understood.
    pub(super) fn run(
        &self,
        maxout: &Path,
        folder: &Path,
        data: &Path,
        notes: &Notes,
    ) -> Result<Vec<RomResult>> {
        let manifest = data.join("manifests").join(self.file());
        let all = if self.whole_manifest && manifest.is_file() {
            listed(&manifest, folder)?
        } else {
            images(folder)?
        };
        let (excluded, images): (Vec<PathBuf>, Vec<PathBuf>) = all.into_iter().partition(|image| {
            notes.on_rom(self.key, &relative(folder, image)).is_some_and(|note| note.excluded)
        });
        let mut outcomes = Vec::new();
        for &phase in self.phases {
            let mut command = Command::new(maxout);
            command.args(["test", "--json", "--phase", &phase.to_string()]);
            if manifest.is_file() {
                command.arg("--manifest").arg(&manifest);
            }
            let output = command
                .args(&images)
                .stderr(Stdio::inherit())
                .output()
                .with_context(|| format!("{} could not be started", maxout.display()))?;
            let text = String::from_utf8_lossy(&output.stdout);
            for line in text.lines().filter(|line| line.starts_with('{')) {
                let outcome: RomResult =
                    serde_json::from_str(line).with_context(|| format!("not understood: {line}"))?;
                outcomes.push(tidied(outcome, folder, phase));
            }
            let answers = outcomes.iter().filter(|outcome: &&RomResult| outcome.phase == phase).count();
            if answers != images.len() {
                bail!("maxout test answered for {answers} of {} ROMs", images.len());
            }
        }
        outcomes.extend(excluded.iter().map(|image| RomResult {
            rom: relative(folder, image),
            verdict: EXCLUDED.to_owned(),
            ..RomResult::default()
        }));
        outcomes.sort_by(|left, right| (&left.rom, left.phase).cmp(&(&right.rom, right.phase)));
        Ok(outcomes)
    }
}

/// An outcome as it is kept: named within its suite, without the words of a pass.
fn tidied(outcome: RomResult, folder: &Path, phase: u8) -> RomResult {
    let rom = relative(folder, Path::new(&outcome.rom));
    let text = if outcome.passes() { String::new() } else { outcome.text.trim().to_owned() };
    RomResult { rom, phase, text, ..outcome }
}

/// A path within a folder, with `/`.
pub(super) fn relative(folder: &Path, path: &Path) -> String {
    path.strip_prefix(folder).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

fn name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The images of a manifest, as files of the folder.
fn listed(manifest: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
    #[derive(Deserialize)]
    struct Manifest {
        roms: Vec<Entry>,
    }
    #[derive(Deserialize)]
    struct Entry {
        path: String,
    }
    let text = std::fs::read_to_string(manifest)?;
    let manifest: Manifest =
        serde_json::from_str(&text).with_context(|| format!("{} is not understood", manifest.display()))?;
    Ok(manifest.roms.iter().map(|entry| folder.join(&entry.path)).collect())
}

/// Every cartridge image below a folder, sorted.
pub(super) fn images(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut images = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = folder.read_dir().with_context(|| format!("{} cannot be read", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("nes")) {
                images.push(path);
            }
        }
    }
    images.sort();
    Ok(images)
}

/// Reads a data file; nothing when the suite was never run.
///
/// # Errors
/// When it is not what is expected.
pub(super) fn read(file: &Path) -> Result<Vec<RomResult>> {
    match std::fs::read_to_string(file) {
        Ok(text) => {
            serde_json::from_str(&text).with_context(|| format!("{} is not understood", file.display()))
        }
        Err(_) => Ok(Vec::new()),
    }
}

/// A data file's text: one ROM a line, so that a change is a line of a diff.
///
/// # Errors
/// When it cannot be written as JSON.
pub(super) fn to_json(outcomes: &[RomResult]) -> Result<String> {
    let lines = outcomes.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
    Ok(format!("[\n{}\n]\n", lines.join(",\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_maxout_says_is_kept_under_the_suites_own_name() -> Result<()> {
        let line = r#"{"rom":"roms/cpu/a.nes","verdict":"pass","passed":1,"total":1,"failures":[],
                       "frames":9,"text":"All tests complete","method":"status6000"}"#;
        let outcome = tidied(serde_json::from_str(line)?, Path::new("roms"), 2);
        assert_eq!((outcome.rom.as_str(), outcome.phase, outcome.text.as_str()), ("cpu/a.nes", 2, ""));
        Ok(())
    }

    #[test]
    fn data_written_and_read_again_are_equal() -> Result<()> {
        let outcome = RomResult {
            rom: "a.nes".into(),
            verdict: "fail".into(),
            failures: vec![Failure { name: "part".into(), code: "3".into() }],
            text: "part\n3".into(),
            ..RomResult::default()
        };
        let outcomes = vec![outcome.clone(), RomResult { phase: 1, ..outcome }];
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("suite.json");
        std::fs::write(&file, to_json(&outcomes)?)?;
        assert_eq!(read(&file)?, outcomes);
        Ok(())
    }

    #[test]
    fn a_folder_is_known_by_what_lies_in_it() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let known = || SUITES.iter().find(|suite| (suite.recognise)(folder.path())).map(|suite| suite.key);
        assert_eq!(known(), None);
        std::fs::write(folder.path().join("M1_P128K_C8K.nes"), b"x")?;
        assert_eq!(known(), Some("holy-mapperel"));
        std::fs::write(folder.path().join("AccuracyCoin.nes"), b"x")?;
        assert_eq!(known(), Some("accuracy-coin"));
        Ok(())
    }

    #[test]
    fn the_pinned_suite_is_the_packages() {
        assert_eq!(PINNED.key, "pinned");
        assert!(PINNED.source.contains(PINNED_PACKAGE));
    }
}
