//! Every line of gilrs's database, of all systems that have a window: what each entry promises, and
//! what comes of the motion that it names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use super::*;
use crate::input::gamepad::{PadEvent, Seats};

const SYSTEMS: [&str; 3] = ["Linux", "Mac OS X", "Windows"];
const DEAD_ZONE: f32 = 0.5;

/// Returns the text of the database that gilrs comes with.
fn database() -> String {
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO")).args(arguments).output().expect("cargo starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let version = run(&["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("the host").to_owned();
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let metadata = run(&[
        "metadata",
        "--format-version=1",
        "--locked",
        "--filter-platform",
        &host,
        "--manifest-path",
        &manifest.display().to_string(),
    ]);
    let manifests = metadata.split("\"manifest_path\":\"").skip(1).filter_map(|part| part.split('"').next());
    let folders =
        manifests.filter_map(|path| Some(PathBuf::from(path.replace("\\\\", "\\")).parent()?.to_owned()));
    let is_gilrs = |folder: &PathBuf| {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        name == "gilrs" || name.strip_prefix("gilrs-").is_some_and(|rest| rest.starts_with(char::is_numeric))
    };
    let folder = folders.into_iter().find(is_gilrs).expect("gilrs is a dependency");
    fs::read_to_string(folder.join("SDL_GameControllerDB/gamecontrollerdb.txt")).expect("the database")
}

/// Returns the lines of the systems that have a window, with the system. The last of several with
/// the same identifier counts.
fn lines(database: &str) -> BTreeMap<(&'static str, &str), &str> {
    let mut lines = BTreeMap::new();
    for line in database.lines().filter(|line| !line.starts_with('#')) {
        let platform = line.split(',').find_map(|part| part.trim().strip_prefix("platform:"));
        let system = SYSTEMS.into_iter().find(|system| platform == Some(*system));
        if let (Some(system), Some(id)) = (system, line.split(',').next()) {
            lines.insert((system, id), line);
        }
    }
    lines
}

/// Returns the entries of a line that the library does not read rightly by itself.
fn odd_entries(line: &str) -> String {
    let usual_half = |key: &str, value: &str| match key {
        "dpleft" | "dpup" => value.starts_with("-a"),
        "dpright" | "dpdown" => value.starts_with("+a"),
        _ => false,
    };
    let turned = Quirks::of_line(line).hat.is_some();
    let odd = entries(line).filter(|(key, value)| {
        let Some((number, ..)) = axis(value) else { return turned && hat_direction(value).is_some() };
        let same: Vec<_> = entries(line)
            .filter(|(key, value)| {
                target(key).is_some() && axis(value).is_some_and(|(other, ..)| other == number)
            })
            .collect();
        let plain = same.iter().all(|(key, value)| {
            let (_, range, is_inverted) = axis(value).expect("it is one");
            Use { target: target(key).expect("it has one"), range, is_inverted }.is_plain()
        });
        let cross = same.len() == 2 && same.iter().all(|(key, value)| usual_half(key, value));
        target(key).is_some() && !cross && (same.len() > 1 || !plain)
    });
    odd.flat_map(|(key, value)| [",", key, ":", value]).collect()
}

/// With `MAXOUT_RECORD` set, it is written anew.
#[test]
fn the_list_of_quirks_is_that_of_the_database() {
    let database = database();
    let mut list = String::new();
    for ((system, id), line) in lines(&database) {
        let odd = odd_entries(line);
        if !odd.is_empty() {
            let _ = writeln!(list, "{id},{system}{odd}");
        }
    }
    if env::var_os("MAXOUT_RECORD").is_some() {
        let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/input/gamepad/quirks.txt");
        fs::write(place, list).expect("a file");
        return;
    }
    assert_eq!(LIST, list);
}

/// A line as the library reads it: the name of each axis, button and axis of the hat.
#[derive(Default)]
struct Library {
    axes: BTreeMap<u16, Target>,
    buttons: BTreeMap<u16, Target>,
    hat: [Option<Axis>; 2],
}

impl Library {
    /// gilrs 0.11.2, `Mapping::parse_sdl_mapping`: of several entries of an axis the last counts,
    /// whatever its range and direction.
    fn of(line: &str) -> Self {
        let mut library = Self::default();
        for (key, value) in entries(line) {
            let Some(target) = target(key) else { continue };
            if let Some((number, ..)) = axis(value) {
                library.axes.insert(number, target);
            } else if let Some(number) = value.strip_prefix('b') {
                library.buttons.insert(number.parse().expect("a number"), target);
            } else if let Some(direction) = hat_direction(value) {
                let name = match target {
                    Target::Axis(axis) => axis,
                    Target::Button(Button::DPadLeft | Button::DPadRight) => Axis::DPadX,
                    Target::Button(Button::DPadUp | Button::DPadDown) => Axis::DPadY,
                    Target::Button(_) => continue,
                };
                library.hat[direction % 2] = Some(name);
            }
        }
        library
    }

    /// Whether the name is one of a cross whose opposite name got lost.
    fn is_half_of_cross(&self, name: Button) -> bool {
        let opposite = match name {
            Button::DPadLeft => Button::DPadRight,
            Button::DPadRight => Button::DPadLeft,
            Button::DPadUp => Button::DPadDown,
            Button::DPadDown => Button::DPadUp,
            _ => return false,
        };
        !self.axes.values().chain(self.buttons.values()).any(|target| *target == Target::Button(opposite))
    }

    /// What it reports when axis `number` moves to `value`, right and down positive.
    fn axis(&self, number: u16, value: f32) -> Vec<Report> {
        match self.axes[&number] {
            Target::Axis(name) => {
                let value = if points_down(name) { -value } else { value };
                vec![Report::Axis { name, code: 0x3_0000 + u32::from(number), value, is_button: false }]
            }
            Target::Button(name) => {
                let (value, pair) = (f32::midpoint(value, 1.0), self.is_half_of_cross(name));
                let level = Report::Level { name, value, pair };
                let press =
                    |pressed| Report::Button { name, code: 0x3_0000 + u32::from(number), pressed, pair };
                match value {
                    0.75.. => vec![press(true), level],
                    ..0.65 => vec![press(false), level],
                    _ => vec![level],
                }
            }
        }
    }

    /// What it reports when button `number` goes down or up.
    fn button(&self, number: u16, pressed: bool) -> Vec<Report> {
        let code = 0x1_0000 + u32::from(number);
        vec![match self.buttons[&number] {
            Target::Button(name) => Report::Button { name, code, pressed, pair: false },
            Target::Axis(name) => {
                Report::Axis { name, code, value: f32::from(u8::from(pressed)), is_button: true }
            }
        }]
    }

    /// What it reports when the hat moves in `direction` or back.
    fn hat(&self, direction: usize, pushed: bool) -> Vec<Report> {
        let Some(name) = self.hat[direction % 2] else { return vec![] };
        let value = f32::from(u8::from(pushed)) * [-1.0, 1.0, 1.0, -1.0][direction]; // right and down positive
        let value = if points_down(name) { -value } else { value };
        vec![Report::Axis { name, code: 0x3_0010, value, is_button: false }]
    }
}

/// Returns what the pad holds after `reports`.
fn held(seats: &mut Seats, quirks: &Quirks, reports: Vec<Report>) -> Vec<PadInput> {
    for report in reports {
        for motion in quirks.motions(report) {
            seats.apply(PadEvent::Moved(0, motion), DEAD_ZONE, 2);
        }
    }
    seats.pads[0].held.clone()
}

/// The input that an entry promises when its axis moves to `value`, right and down positive.
fn promised(target: Target, value: f32) -> PadInput {
    match target {
        Target::Button(button) => PadInput::Press(button),
        Target::Axis(axis) => {
            let up_or_right = (value > 0.0) != points_down(axis);
            PadInput::Push(axis, if up_or_right { Side::Plus } else { Side::Minus })
        }
    }
}

fn opposite(input: PadInput) -> Option<PadInput> {
    Some(PadInput::Press(match input {
        PadInput::Press(Button::DPadLeft) => Button::DPadRight,
        PadInput::Press(Button::DPadRight) => Button::DPadLeft,
        PadInput::Press(Button::DPadUp) => Button::DPadDown,
        PadInput::Press(Button::DPadDown) => Button::DPadUp,
        PadInput::Push(axis, Side::Plus) => return Some(PadInput::Push(axis, Side::Minus)),
        PadInput::Push(axis, Side::Minus) => return Some(PadInput::Push(axis, Side::Plus)),
        _ => return None,
    }))
}

/// Moves each element that a line names, and compares with what the line says. Returns the number
/// of motions.
fn check(line: &str, quirks: &Quirks) -> usize {
    let library = Library::of(line);
    let mut motions = 0;
    let mut seats = Seats::default();
    seats.apply(PadEvent::Connected { pad: 0, name: "pad".into(), is_new: false }, DEAD_ZONE, 2);
    let mut compare = |there: Vec<Report>, back: Vec<Report>, expected: PadInput, entry: &str| {
        let now = held(&mut seats, quirks, there);
        assert!(now.contains(&expected), "{entry}: expected {expected}, found {now:?} in {line}");
        let wrong = opposite(expected).filter(|opposite| now.contains(opposite));
        assert_eq!(wrong, None, "{entry} in {line}");
        let after = held(&mut seats, quirks, back);
        assert!(!after.contains(&expected), "{entry}: {expected} stays in {line}");
        motions += 1;
    };
    for (key, value) in entries(line) {
        let Some(target) = target(key) else { continue };
        let entry = format!("{key}:{value}");
        if let Some((number, range, is_inverted)) = axis(value) {
            let sign = if is_inverted { -1.0 } else { 1.0 };
            let ways: &[(f32, f32)] = match (range, target) {
                (Range::Full, Target::Button(_)) => &[(1.0, -1.0)],
                (Range::Full, Target::Axis(_)) => &[(1.0, 0.0), (-1.0, 0.0)],
                (Range::Plus, _) => &[(1.0, 0.0)],
                (Range::Minus, _) => &[(-1.0, 0.0)],
            };
            for &(to, rest) in ways {
                let (there, back) = (library.axis(number, sign * to), library.axis(number, sign * rest));
                compare(there, back, promised(target, to), &entry);
            }
        } else if let Some(number) = value.strip_prefix('b') {
            let number: u16 = number.parse().expect("a number");
            let expected = match library.buttons[&number] {
                // Which half it is the library does not say, so that it goes by its code.
                Target::Axis(_) => PadInput::RawButton(0x1_0000 + u32::from(number)),
                Target::Button(button) => PadInput::Press(button),
            };
            compare(library.button(number, true), library.button(number, false), expected, &entry);
        } else if let Some(direction) = hat_direction(value) {
            let way = [-1.0, 1.0, 1.0, -1.0][direction];
            let (there, back) = (library.hat(direction, true), library.hat(direction, false));
            compare(there, back, promised(target, way), &entry);
        }
    }
    motions
}

#[test]
fn every_line_of_the_database_gives_the_buttons_that_it_names() {
    let database = database();
    let (mut count, mut motions) = ([0; 3], 0);
    for ((system, id), line) in lines(&database) {
        let list = LIST.lines().find(|line| line.starts_with(&format!("{id},{system},")));
        motions += check(line, &list.map(Quirks::of_line).unwrap_or_default());
        // A player may give the same line in SDL_GAMECONTROLLERCONFIG.
        check(line, &Quirks::of_line(line));
        count[SYSTEMS.iter().position(|other| *other == system).expect("one of them")] += 1;
    }
    assert!(count.iter().all(|&count| count > 200) && motions > 20_000, "{count:?}, {motions} motions");
}

#[test]
fn what_has_no_name_goes_by_its_code() {
    let quirks = Quirks::default();
    let button = Report::Button { name: Button::Unknown, code: 0x102C0, pressed: true, pair: false };
    assert_eq!(quirks.motions(button), [Motion::Button(PadInput::RawButton(0x102C0), true)]);
    let axis = Report::Axis { name: Axis::Unknown, code: 0x30028, value: -1.0, is_button: false };
    let sides = [Side::Minus, Side::Plus].map(|side| PadInput::RawAxis(0x30028, side));
    assert_eq!(quirks.motions(axis), [Motion::Level(sides[0], 1.0), Motion::Level(sides[1], -1.0)]);
}
