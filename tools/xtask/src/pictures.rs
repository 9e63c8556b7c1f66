//! `pictures`: the screenshots of the book, made by the program itself, so that they show what it
//! shows today.

use crate::screen::Screen;
use anyhow::{Context, Result, bail};
use first_run::install::{self, Purpose};
use first_run::workspace::Workspace;
use image::imageops::crop_imm;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// What `pictures` can be told.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask pictures                    all of them, into docs/pictures
  cargo xtask pictures --only home        one, after its page has changed
  cargo xtask stream --pictures FOLDER    the overlays, in a browser
  cargo xtask web --test --pictures FOLDER    the page for browsers")]
pub(crate) struct Arguments {
    /// Only this picture; may be given again.
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Where they go [default: docs/pictures].
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// A `maxout` that is built already.
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
}

/// The window, which begins at the corner of a larger display.
const WINDOW: (u32, u32) = (1280, 800);
const DISPLAY: (u32, u32) = (1600, 1000);

/// The settings of a session: a window of that size, no sound, a game worth looking at.
const SETTINGS: &str = "[picture]\nwindow-size = [1280, 800]\nwindow-place = [0, 0]\n\n[time]\npause-in-background = \
                        false\n\n[sound]\nmute = true\n\n[tetris]\nstart-level = 18\nseed = 7\ncomputer = \"points\"\ncomputer-taps = \
                        20\nthoughts = true\n";

/// The settings behind them for a program with sources.
const SOURCE_LAYOUT: &str = "\n[debugger]\nlayout = \"source\"\nhint = false\n";

/// What a session does before it is looked at.
enum Step {
    /// Presses a key, by its name in X.
    Key(&'static str),
    /// Goes to a page by the search of Ctrl+K.
    Page(&'static str),
    /// Types a command into the line that has the keyboard.
    Type(&'static str),
    /// Lets seconds pass.
    Wait(u64),
    /// Begins a game and lets the computer play it for these seconds.
    Computer(u64),
}

/// What the window begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// Nothing: it is Home.
    Alone,
    /// A kept game.
    Game,
    /// The program in C, with its debug file and its sources beside it.
    Homebrew,
}

/// A picture of the window.
struct Scene {
    name: &'static str,
    start: Start,
    steps: &'static [Step],
}

const SCENES: &[Scene] = &[
    Scene { name: "home", start: Start::Alone, steps: &[] },
    Scene { name: "play", start: Start::Alone, steps: &[Step::Computer(75)] },
    Scene { name: "practise", start: Start::Alone, steps: &[Step::Page("practise"), Step::Wait(2)] },
    Scene { name: "settings", start: Start::Alone, steps: &[Step::Page("speed and latency"), Step::Wait(2)] },
    Scene { name: "games", start: Start::Alone, steps: &[Step::Page("games"), Step::Wait(2)] },
    Scene {
        name: "taps",
        start: Start::Alone,
        steps: &[Step::Computer(30), Step::Page("taps"), Step::Wait(2)],
    },
    Scene {
        name: "menu",
        start: Start::Alone,
        steps: &[Step::Computer(40), Step::Key("Escape"), Step::Wait(2)],
    },
    Scene { name: "puzzles", start: Start::Alone, steps: &[Step::Page("puzzles"), Step::Wait(2)] },
    Scene { name: "position", start: Start::Alone, steps: &[Step::Page("position editor"), Step::Wait(2)] },
    Scene {
        name: "puzzle",
        start: Start::Alone,
        steps: &[Step::Page("next puzzle"), Step::Key("Return"), Step::Wait(8)],
    },
    Scene {
        name: "window-review",
        start: Start::Game,
        steps: &[
            Step::Wait(2),
            Step::Page("review so far"),
            Step::Key("Return"),
            Step::Wait(1),
            Step::Key("Return"),
            Step::Wait(45),
        ],
    },
    Scene { name: "slider", start: Start::Game, steps: &[Step::Wait(20), Step::Key("p"), Step::Wait(1)] },
    Scene {
        name: "debugger-code",
        start: Start::Alone,
        steps: &[Step::Key("Escape"), Step::Wait(2), Step::Key("F1"), Step::Wait(3)],
    },
    Scene {
        name: "debugger-source",
        start: Start::Homebrew,
        steps: &[
            Step::Wait(2),
            Step::Key("F1"),
            Step::Wait(2),
            Step::Type("break score.c:18"),
            Step::Type("run 600"),
            Step::Type("step source"),
            Step::Wait(2),
        ],
    },
];

/// Makes the pictures.
///
/// # Errors
/// When something is missing or does not start, or a name is not known.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<ExitCode> {
    let names: Vec<&str> = SCENES.iter().map(|scene| scene.name).chain([PAL]).collect();
    if let Some(unknown) = arguments.only.iter().find(|name| !names.contains(&name.as_str())) {
        bail!("{unknown} is no picture that is made here; those are {}", names.join(", "));
    }
    install::ensure(Purpose::Build, true)?;
    install::ensure(Purpose::Run, true)?;
    install::ensure(Purpose::Window, true)?;
    let program = match &arguments.program {
        Some(program) => program.canonicalize().with_context(|| format!("{}", program.display()))?,
        None => workspace.build("maxout", &["--release"])?,
    };
    let out = arguments.out.clone().unwrap_or_else(|| workspace.root.join("docs/pictures"));
    std::fs::create_dir_all(&out).with_context(|| format!("{}", out.display()))?;
    let wanted = |name: &str| arguments.only.is_empty() || arguments.only.iter().any(|only| only == name);
    for scene in SCENES.iter().filter(|scene| wanted(scene.name)) {
        let path = out.join(format!("{}.png", scene.name));
        picture(&workspace.root, &program, scene)?
            .save(&path)
            .with_context(|| format!("{} cannot be written", path.display()))?;
        println!("{}", path.display());
    }
    if wanted(PAL) {
        let path = out.join(format!("{PAL}.png"));
        let mut command = Command::new(&program);
        command.current_dir(&workspace.root).args(["ai", "run", "roms/maxout-pal.nes", "--level", "18"]);
        command.args(["--lines", "24", "--seed", "5", "--evaluator", "stacking", "--screenshot"]).arg(&path);
        succeed(&mut command)?;
        println!("{}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// The picture of a console alone, which needs no window.
const PAL: &str = "pal";

/// Starts a session of its own, carries out the steps, and takes the window's picture.
fn picture(root: &Path, program: &Path, scene: &Scene) -> Result<image::RgbImage> {
    let folder = tempfile::tempdir()?;
    let home = folder.path().join("home");
    std::fs::create_dir_all(home.join("games"))?;
    let layout = if scene.start == Start::Homebrew { SOURCE_LAYOUT } else { "" };
    std::fs::write(home.join("config.toml"), format!("{SETTINGS}{layout}"))?;
    let games = games(program, &home)?;
    let display = folder.path().join("display");
    std::fs::create_dir_all(&display)?;
    let screen = Screen::open(Command::new("Xvfb"), DISPLAY, &display, &display.to_string_lossy())?;
    let mut command = Command::new(program);
    command.arg("play").arg("--folder").arg(&home).env("DISPLAY", screen.name());
    command.env_remove("WAYLAND_DISPLAY").stdout(Stdio::null()).stderr(Stdio::null());
    match scene.start {
        Start::Alone => {}
        Start::Game => {
            command.args(games.last());
        }
        Start::Homebrew => {
            command.arg(homebrew(&root.join("roms"), &folder.path().join("project"))?);
        }
    }
    let mut session =
        Program(command.spawn().with_context(|| format!("{} could not be started", program.display()))?);
    screen.picture_of(&mut session.0)?;
    // No window manager gives it the keyboard.
    send(&screen, &["search", "--onlyvisible", "--name", "Maxout", "windowfocus"])?;
    // The notice that there is no sound device goes by itself.
    sleep(NOTICE);
    for step in scene.steps {
        match step {
            Step::Key(key) => send(&screen, &["key", key])?,
            Step::Wait(seconds) => sleep(Duration::from_secs(*seconds)),
            Step::Computer(seconds) => {
                for (key, wait) in [("Escape", 1), ("F6", 8), ("c", *seconds)] {
                    send(&screen, &["key", key])?;
                    sleep(Duration::from_secs(wait));
                }
            }
            Step::Type(line) => {
                send(&screen, &["type", "--delay", "60", line])?;
                sleep(BETWEEN);
                send(&screen, &["key", "Return"])?;
            }
            Step::Page(name) => {
                send(&screen, &["key", "ctrl+k"])?;
                sleep(BETWEEN);
                send(&screen, &["type", "--delay", "120", name])?;
                sleep(BETWEEN);
                send(&screen, &["key", "Return"])?;
            }
        }
        sleep(BETWEEN);
    }
    let whole = screen.picture()?;
    Ok(crop_imm(&whole, 0, 0, WINDOW.0, WINDOW.1).to_image())
}

/// How long a notice stands, and how long the window takes for a key on a busy machine.
const NOTICE: Duration = Duration::from_secs(8);
const BETWEEN: Duration = Duration::from_millis(700);

/// Games for the pages that show some, each by its seed.
fn games(program: &Path, home: &Path) -> Result<Vec<PathBuf>> {
    let folder = home.join("games");
    for (seed, pieces) in [("1", "55"), ("2", "90"), ("3", "70"), ("4", "120"), ("5", "160")] {
        let mut command = Command::new(program);
        command.args([
            "practice", "tetris", "--option", "level=18", "--seed", seed, "--pieces", pieces, "--keep",
        ]);
        succeed(command.arg(&folder))?;
        // Their names are their times, in seconds.
        sleep(Duration::from_secs(1));
    }
    let mut games = Vec::new();
    for entry in folder.read_dir()? {
        games.push(entry?.path());
    }
    games.sort();
    Ok(games)
}

/// Puts the program in C into `folder`, as its linker leaves it. Returns the ROM.
fn homebrew(roms: &Path, folder: &Path) -> Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    for ending in ["nes", "dbg"] {
        std::fs::copy(roms.join(format!("homebrew.{ending}")), folder.join(format!("game.{ending}")))?;
    }
    for entry in roms.join("homebrew").read_dir()? {
        let entry = entry?;
        std::fs::copy(entry.path(), folder.join(entry.file_name()))?;
    }
    Ok(folder.join("game.nes"))
}

/// A program that ends with this value.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        // What it keeps lies in a folder that goes as well.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn send(screen: &Screen, words: &[&str]) -> Result<()> {
    succeed(Command::new("xdotool").args(words).env("DISPLAY", screen.name()))
}

fn succeed(command: &mut Command) -> Result<()> {
    let output = command.output().with_context(|| format!("{command:?} could not be started"))?;
    if !output.status.success() {
        bail!("{command:?} failed ({}): {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_picture_that_is_made_is_in_the_repository_and_shown() -> Result<()> {
        let workspace = Workspace::load()?;
        let mut pages = String::new();
        for entry in workspace.root.join("docs").read_dir()? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "md") {
                pages += &std::fs::read_to_string(path)?;
            }
        }
        pages += &std::fs::read_to_string(workspace.root.join("roms/README.md"))?;
        for name in SCENES.iter().map(|scene| scene.name).chain([PAL]) {
            assert!(workspace.root.join(format!("docs/pictures/{name}.png")).is_file(), "{name}");
            assert!(pages.contains(&format!("pictures/{name}.png")), "{name} is on no page");
        }
        Ok(())
    }
}
