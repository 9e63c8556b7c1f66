//! `maxout tetris legal`: the first screen, its two counters, and the way past them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use nes::{Buttons, Config, Palette};
use serde::Serialize;
use tetris::ram::game_mode::{LEGAL, TITLE, TYPE_MENU};
use tetris::{Feature, ram};

use super::stage::{Stage, start_at_times};
use cli::error::Error;
use cli::game::{Choice, Known};
use cli::{output, screenshot};

/// Show how long the first screen stays, and skip it.
///
/// Two counters run from 255 to 0, one after the other; Start cuts the second short, nothing the
/// first. With --skip both are written to as soon as they begin to run, as a script would. At the
/// title Start is pressed, for the menu.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  maxout tetris legal                    left alone
  maxout tetris legal --start            with Start pressed all the time
  maxout tetris legal --skip --out legal.png")]
pub(crate) struct Arguments {
    #[command(flatten)]
    cartridge: Choice,
    /// Press Start again and again.
    #[arg(long)]
    start: bool,
    /// Set the counters forward in RAM.
    #[arg(long)]
    skip: bool,
    /// Draw the screen as it stands when it is left, 256 x 240.
    #[arg(long, value_name = "OUT.png")]
    out: Option<PathBuf>,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

/// What the first screen did. Frames are counted from power-on.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Course {
    phases: Vec<Phase>,
    /// The first frame of the title.
    title: u64,
    /// The first frame of the menu behind it.
    menu: u64,
}

/// A counter that runs down.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Phase {
    /// Where it is in RAM.
    address: u16,
    /// What it begins with.
    from: u8,
    /// Its first and its last frame.
    first: u64,
    last: u64,
}

/// How somebody waits for the title.
#[derive(Clone, Copy)]
struct Waiting {
    start: bool,
    skip: bool,
}

/// Frames within which every cartridge shows its menu.
const LONGEST_WAY: u32 = 1_500;
/// Where a counter may be.
const COUNTERS: [ram::Variable; 2] = [ram::SLEEP_COUNTER, ram::TEMPORARIES];

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let game =
        arguments.cartridge.known_beside(Feature::Legal, &[], &[("--out", arguments.out.as_deref())])?;
    let &Arguments { start, skip, .. } = arguments;
    let course = course(&game, Waiting { start, skip }, arguments.out.as_deref())?;
    output::print(&course, arguments.json, |out| course.text(out))?;
    Ok(ExitCode::SUCCESS)
}

/// From power-on to the menu; the last frame of the first screen is drawn as `out`.
fn course(game: &Known, waiting: Waiting, out: Option<&Path>) -> Result<Course, Error> {
    let config = Config { video: out.is_some(), ..Config::default() };
    let mut stage = Stage::new(game, config);
    let mut course = Course::default();
    for number in 1..=LONGEST_WAY {
        let before = stage.memory();
        let picture = out
            .filter(|_| before[ram::GAME_MODE.at()] == LEGAL)
            .map(|_| stage.emulator.state().picture().clone());
        let presses = course.title > 0 || waiting.start;
        stage.frame(if presses { start_at_times(number) } else { Buttons::empty() });
        let frame = u64::from(number);
        match stage.byte(ram::GAME_MODE) {
            LEGAL => {
                let runs = course.count(&before, &stage.memory(), frame);
                if waiting.skip {
                    for counter in runs {
                        stage.poke(counter, &[1]);
                    }
                }
            }
            TITLE if course.title == 0 => {
                course.title = frame;
                if let (Some(path), Some(picture)) = (out, picture) {
                    screenshot::write(path, &picture, &Palette::ntsc())?;
                }
            }
            TYPE_MENU => {
                course.menu = frame;
                return Ok(course);
            }
            _ => {}
        }
    }
    Err(Error::NoMenu { frames: LONGEST_WAY.into(), mode: stage.byte(ram::GAME_MODE) })
}

impl Course {
    /// Notes counters that run; answers those that still do after the frame.
    fn count(&mut self, before: &[u8; 0x800], after: &[u8; 0x800], frame: u64) -> Vec<ram::Variable> {
        let mut runs = Vec::new();
        for counter in COUNTERS {
            let (from, to) = (before[counter.at()], after[counter.at()]);
            if from.checked_sub(1) != Some(to) {
                continue;
            }
            match self.phases.last_mut() {
                Some(phase)
                    if phase.address == counter.address && phase.last + 1 == frame && phase.from > from =>
                {
                    phase.last = frame;
                }
                _ => self.phases.push(Phase { address: counter.address, from, first: frame, last: frame }),
            }
            if to > 1 {
                runs.push(counter);
            }
        }
        runs
    }

    fn text(&self, out: &mut dyn Write) -> std::io::Result<()> {
        for Phase { address, from, first, last } in &self.phases {
            writeln!(out, "counter ${address:04X} from {from:>3}: frames {first} to {last}")?;
        }
        writeln!(out, "title from frame {}, menu from frame {}", self.title, self.menu)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cli::game::known;

    fn at(start: bool, skip: bool) -> Course {
        course(&known(None, None, Feature::Legal).unwrap(), Waiting { start, skip }, None).unwrap()
    }

    #[test]
    fn two_counters_run_from_255_one_after_the_other() {
        let left_alone = at(false, false);
        let lengths = left_alone.phases.iter().map(|phase| (phase.from, phase.last - phase.first + 1));
        // The second's last step to 0 is not seen: in the same frame the title begins.
        assert_eq!(lengths.collect::<Vec<_>>(), [(255, 255), (255, 254)]);
        assert!(left_alone.title > left_alone.phases[1].last);
    }

    #[test]
    fn start_cuts_the_second_short_and_not_the_first() {
        let (left_alone, pressed) = (at(false, false), at(true, false));
        assert_eq!(pressed.phases[0], left_alone.phases[0]);
        let saved = left_alone.title - pressed.title;
        assert!((200..=255).contains(&saved), "{saved} frames");
    }

    #[test]
    fn skipped_the_title_comes_within_a_few_frames() {
        let skipped = at(false, true);
        assert!(skipped.title - skipped.phases[0].first < 10, "{skipped:?}");
        assert_eq!(skipped.phases.len(), 2);
    }
}
