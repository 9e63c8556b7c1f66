//! The overlays of `maxout stream` in a real browser, headless: what they show against what the
//! stream says, in every size; restarts; what a live page costs. It is the program behind `cargo
//! xtask stream`.

#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "front ends meet the outside world")]

mod devtools;
mod served;

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use devtools::Browser;
use serde_json::json;
use served::Served;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The overlays of `maxout stream` in headless Chromium.
#[derive(Parser)]
struct Arguments {
    /// Test them.
    #[arg(long)]
    test: bool,
    /// Write a picture of each layout, and of a replay, into this folder. The replay follows a game
    /// that is played in real time, a minute and a half.
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
    /// The browser.
    #[arg(long, value_name = "PROGRAM")]
    chromium: PathBuf,
    /// Maxout.
    #[arg(long, value_name = "PROGRAM")]
    program: PathBuf,
    /// The movie of a game on the built-in cartridge.
    #[arg(long, value_name = "FILE.fm2")]
    movie: PathBuf,
}

/// Layouts, each with the number of its players.
const LAYOUTS: [(&str, usize); 4] = [("one", 1), ("two", 2), ("stats", 1), ("commentator", 2)];
/// Sizes of a canvas: 16:9, OBS's own for a browser source, 4:3, and upright.
const SIZES: [(u32, u32); 7] =
    [(1_280, 720), (1_920, 1_080), (2_560, 1_440), (3_840, 2_160), (800, 600), (1_024, 768), (1_080, 1_920)];
/// Frame of the movie that is shown: in the middle of a game.
const FRAME: u32 = 3_000;
/// The movie's game in real time, and as long again.
const GAME: Duration = Duration::from_secs(200);
/// How long the live page is measured.
const MEASURED: Duration = Duration::from_secs(10);
/// A page's share of a processor, at most.
const SHARE: f64 = 0.05;

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let program = arguments.program.as_path();
    let movie = arguments.movie.to_str().context("the movie's path is no text")?;
    let frames = FRAME.to_string();
    let still = ["--input", movie, "--input", movie, "--frames", &frames, "--fast", "--stay"];
    let names = ["--name", "Ada", "--name", "Ben"];
    let mut browser = Browser::start(&arguments.chromium)?;
    if let Some(folder) = &arguments.pictures {
        let served = Served::start(program, &[&still[..], &names].concat(), 0)?;
        served.states()?; // the game stands still
        for (layout, _) in LAYOUTS {
            let mut page = browser.page(1_280, 720)?;
            page.open(&served.page(&format!("overlay?layout={layout}&background=dark")))?;
            page.until("globalThis.drawn > 0")?;
            let path = folder.join(format!("stream-{layout}.png"));
            std::fs::write(&path, page.screenshot()?).with_context(|| path.display().to_string())?;
            page.close()?;
        }
        replay_picture(&mut browser, program, movie, folder)?;
    }
    if arguments.test {
        shows_the_game(&mut browser, program, &[&still[..], &names].concat())?;
        comes_back(&mut browser, program, movie)?;
        replays(&mut browser, program, movie)?;
        is_cheap(&mut browser, program)?;
        println!("stream: every overlay shows the game");
    }
    Ok(())
}

/// Writes a picture of a replay: the movie's game is played to its end, in real time.
fn replay_picture(browser: &mut Browser, program: &Path, movie: &str, folder: &Path) -> Result<()> {
    let served = Served::start(program, &["--input", movie, "--stay", "--name", "Ada"], 0)?;
    let mut page = browser.page(1_280, 720)?;
    page.open(&served.page("overlay?layout=one&background=dark&replay=on"))?;
    let label = "document.querySelector('.replay').textContent";
    let begun = Instant::now();
    // While the page is being loaded there is nothing to ask.
    while !page.evaluate(&format!("{label}.startsWith('REPLAY')")).is_ok_and(|shown| shown == true) {
        ensure!(begun.elapsed() < GAME, "no replay is shown within {GAME:?}");
        std::thread::sleep(Duration::from_millis(200));
    }
    // Into the middle of the pieces before the tetris.
    std::thread::sleep(Duration::from_secs(4));
    let path = folder.join("stream-replay.png");
    std::fs::write(&path, page.screenshot()?).with_context(|| path.display().to_string())?;
    page.close()
}

/// Every layout in every size shows the state that the server has, whole, on a transparent ground.
fn shows_the_game(browser: &mut Browser, program: &Path, options: &[&str]) -> Result<()> {
    let served = Served::start(program, options, 0)?;
    let states = served.states()?;
    ensure!(states.len() == 2, "{} states, expected two players'", states.len());
    for (width, height) in SIZES {
        for (layout, players) in LAYOUTS {
            let mut page = browser.page(width, height)?;
            page.open(&served.page(&format!("overlay?layout={layout}")))?;
            page.until("globalThis.drawn > 0")?;
            let place = format!("{layout} at {width}x{height}");
            let outside = page.evaluate(
                "[...document.querySelectorAll('.panel, .box, .name, .lead, canvas')].filter(part => { const r = part.getBoundingClientRect(); \
                 return r.left < 0 || r.top < 0 || r.right > innerWidth || r.bottom > innerHeight || r.width < 10; })\
                 .map(part => part.className).join()",
            )?;
            ensure!(outside == json!(""), "{place}: {outside} lies outside of the page");
            for (number, state) in states.iter().enumerate().take(players) {
                if layout == "stats" {
                    let text = page.evaluate("document.querySelector('.count .value').textContent")?;
                    ensure!(
                        text == json!(state["counts"]["T"].to_string()),
                        "{place}: {text} pieces T, the stream has {}",
                        state["counts"]["T"]
                    );
                    continue;
                }
                if layout == "commentator" {
                    let text = format!(
                        "document.querySelectorAll('.panel')[{number}].querySelector('.row .value').textContent"
                    );
                    let text = page.evaluate(&text)?;
                    let score = text.as_str().unwrap_or_default().replace(',', "");
                    let expected = state["score"].to_string();
                    ensure!(score == expected, "{place}: score {score}, and the stream has {expected}");
                    continue;
                }
                let seen = page.evaluate(&cells_of(number))?;
                let expected = served::cells(state)?;
                ensure!(
                    seen == json!(expected),
                    "{place}: the field shows\n{seen}\nand the stream has\n{expected}"
                );
                let score = page
                    .evaluate(&format!("document.querySelectorAll('.score .value')[{number}].textContent"))?;
                let score = score.as_str().unwrap_or_default().replace(',', "");
                let expected = state["score"].to_string();
                ensure!(score == expected, "{place}: score {score}, and the stream has {expected}");
            }
            let picture = image::load_from_memory(&page.screenshot()?)?.to_rgba8();
            ensure!(picture.dimensions() == (width, height), "{place}: {:?}", picture.dimensions());
            ensure!(picture.get_pixel(1, 1).0[3] == 0, "{place}: the ground is not transparent");
            if matches!(layout, "one" | "two") {
                for (number, state) in states.iter().enumerate().take(players) {
                    let seen = cells_seen(&picture, &page.evaluate(&place_of(number))?)?;
                    let expected = served::cells(state)?;
                    ensure!(
                        seen == expected,
                        "{place}: the picture has\n{seen}\nand the stream has\n{expected}"
                    );
                }
            }
            let painted = picture.pixels().filter(|pixel| pixel.0[3] > 0).count();
            ensure!(painted > 10_000, "{place}: {painted} pixels are painted");
            page.close()?;
            println!("{place}: shows the game");
        }
    }
    Ok(())
}

/// The cells of the field that are painted, as a text of `x` and `.`.
fn cells_of(number: usize) -> String {
    format!(
        "(() => {{ const canvas = document.querySelectorAll('.field canvas')[{number}]; \
         const context = canvas.getContext('2d'); const size = canvas.width / 10; \
         return Array.from({{ length: 200 }}, (_, cell) => context.getImageData(Math.floor((cell % 10 + 0.4) * size), \
         Math.floor((Math.floor(cell / 10) + 0.4) * size), 1, 1).data[3] > 0 ? 'x' : '.').join(''); }})()"
    )
}

/// Where a playfield is on the page: left, top, width and height in pixels.
fn place_of(number: usize) -> String {
    format!(
        "(() => {{ const place = document.querySelectorAll('.field canvas')[{number}].getBoundingClientRect(); \
         return [place.left, place.top, place.width, place.height]; }})()"
    )
}

/// The cells that a picture of the page shows, as a text of `x` and `.`. The playfield is drawn
/// outside the page's own frames, so what its canvas holds is not all that has to be right.
fn cells_seen(picture: &image::RgbaImage, place: &serde_json::Value) -> Result<String> {
    let numbers: Vec<f64> =
        place.as_array().context("a place")?.iter().filter_map(serde_json::Value::as_f64).collect();
    let [left, top, width, height] = numbers[..] else { bail!("{place}: expected four numbers") };
    let cells = (0..200).map(|cell| {
        let (column, row) = (f64::from(cell % 10), f64::from(cell / 10));
        let x = left + (column + 0.4) * width / 10.0;
        let y = top + (row + 0.4) * height / 20.0;
        // A tile is opaque, and the ground between is not.
        let pixel = picture.get_pixel(x as u32, y as u32).0;
        if pixel[3] == 255 { 'x' } else { '.' }
    });
    Ok(cells.collect())
}

/// A page comes back when the stream is restarted, and has the new game and nothing of the old one.
fn comes_back(browser: &mut Browser, program: &Path, movie: &str) -> Result<()> {
    let served = Served::start(program, &["--input", movie, "--frames", "1500", "--fast", "--stay"], 0)?;
    let mut page = browser.page(1_280, 720)?;
    page.open(&served.page("overlay?layout=one"))?;
    page.until("globalThis.drawn > 0")?;
    let port = served.port();
    drop(served);
    page.until("document.body.dataset.connected === 'false'")?;
    let served = Served::start(program, &["--input", movie, "--frames", "3000", "--fast", "--stay"], port)?;
    let state = served.states()?.into_iter().next().context("a state")?;
    let score = state["score"].as_u64().context("a score")?;
    page.until(&format!(
        "document.querySelector('.score .value').textContent.replaceAll(',', '') === '{score}'"
    ))?;
    page.until("document.querySelector('.rate .value').textContent !== '–'")?;
    drop(served);
    page.until("document.body.dataset.connected === 'false'")?;
    // The menu: no game, so no figures either.
    let _menu = Served::start(program, &["--input", movie, "--frames", "60", "--fast", "--stay"], port)?;
    page.until("document.body.dataset.connected === 'true'")?;
    page.until(
        "document.querySelector('.score .value').textContent === '0' && \
         document.querySelector('.rate .value').textContent === '–' && \
         document.querySelector('.drought .value').textContent === '–'",
    )?;
    println!("a page comes back after a restart, without figures of the game before");
    page.close()
}

/// After a game the page shows its tetrises and its end once more, from five pieces before, at half
/// speed, and what the next game brings ends that.
fn replays(browser: &mut Browser, program: &Path, movie: &str) -> Result<()> {
    let served = Served::start(program, &["--input", movie, "--frames", "3000", "--fast", "--stay"], 0)?;
    let mut page = browser.page(1_280, 720)?;
    served.states()?; // the game stands still: what follows are no states of its own
    page.open(&served.page("overlay?layout=one&replay=on"))?;
    page.until("globalThis.drawn > 0 && Boolean(globalThis.take)")?;
    // A game of thirty pieces, a state for each of ten steps of a piece; the twentieth makes a
    // tetris.
    page.evaluate(
        "globalThis.game = (pieces, more) => ({ event: 'state', player: 1, mode: 'game', phase: 'active', paused: false, \
         level: 18, lines: 10, score: 100 * pieces, next: 'T', next_hidden: false, piece: '?', orientation: null, cells: [], \
         field: Array(20).fill('..........'), counts: { T: pieces, J: 0, Z: 0, O: 0, S: 0, L: 0, I: 0 }, ...more }); \
         for (let step = 0; step < 300; step++) { const piece = 1 + Math.floor(step / 10); \
         globalThis.take(game(piece, { ms: 50 * step, lines: step < 200 ? 10 : 14 })); } \
         globalThis.take(game(30, { ms: 15000, lines: 14, phase: 'ended' }))",
    )?;
    let label = "document.querySelector('.replay').textContent";
    let shown = "document.querySelector('.score .value').textContent";
    page.until(&format!("{label} === 'REPLAY 1 OF 2' && {shown} === '1,600'"))?;
    let plan = page.evaluate(
        "(() => { const plan = globalThis.planned(1); const first = plan.filter(({ label }) => label.startsWith('REPLAY 1')); \
         return [first.at(0).state.counts.T, first.at(-1).state.counts.T, first.slice(0, -1).reduce((all, { stays }) => all + stays, 0), \
         first.at(-1).state.ms - first.at(0).state.ms]; })()",
    )?;
    // From the sixteenth piece to the first state of the twenty-first, in twice its time.
    ensure!(plan == json!([16, 21, 5_000, 2_500]), "{plan}");
    page.until(&format!("{label} === 'REPLAY 2 OF 2' && {shown} === '2,500'"))?;
    page.evaluate("globalThis.take(game(1, { ms: 16000 }))")?;
    page.until(&format!("{label} === '' && {shown} === '100'"))?;
    println!("after a game its tetrises and its end are shown once more, at half speed");
    page.close()
}

/// A live game costs a page little.
fn is_cheap(browser: &mut Browser, program: &Path) -> Result<()> {
    let served = Served::start(program, &["--player", "--level", "18"], 0)?;
    let mut page = browser.page(1_920, 1_080)?;
    page.open(&served.page("overlay?layout=one"))?;
    page.until("document.querySelector('.level .value').textContent === '18'")?;
    std::thread::sleep(Duration::from_secs(5)); // the menu is left
    let count = |page: &mut devtools::Page<'_>, name: &str| -> Result<f64> {
        page.evaluate(&format!("globalThis.{name}"))?.as_f64().context("a count")
    };
    let (begun, first, first_drawn) =
        (Instant::now(), count(&mut page, "updates")?, count(&mut page, "drawn")?);
    let before = page.renderer_time()?;
    std::thread::sleep(MEASURED);
    let seconds = begun.elapsed().as_secs_f64();
    let share = (page.renderer_time()? - before) / seconds;
    let rate = (count(&mut page, "updates")? - first) / seconds;
    let drawn = (count(&mut page, "drawn")? - first_drawn) / seconds;
    println!(
        "live: {rate:.1} updates a second, {drawn:.1} of them drawn, {:.1} % of a processor in the page's process",
        100.0 * share
    );
    if share > SHARE {
        bail!("expected at most {:.0} % of a processor", 100.0 * SHARE);
    }
    page.close()
}
