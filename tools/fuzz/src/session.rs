//! A part of a long evening: the game as the window runs it, in real time and without the window,
//! with commands, sound devices and pads that come by chance. Then it is closed, and what it wrote
//! is looked at.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use cpu_time::ProcessTime;
use desktop::hostile::{DebugCommand, Pads, PracticeCommand, Recording, ScriptCommand, SoundDevice};
use desktop::{Command, Folders, Options, Running};
use nes::Buttons;
use nes_testing::Image;
use tetris::SplitMix64;

/// From one thing that is done to the next.
const STEP: Duration = Duration::from_millis(40);

/// Closing a session may take so much processor time: half a second for a script, and what there is
/// to write. One that waits for ever is an error of its own.
const CLOSING: Duration = Duration::from_secs(60);

/// Lines of the debugger's language.
const LINES: [&str; 6] = ["step 20", "frame 2", "break 0x8000", "delete", "back frame", "memory 0x400 64"];

/// A script that draws, reads and saves, and one that never ends a frame.
const SCRIPTS: [(&str, &str); 2] = [
    (
        "draws.lua",
        "local state = savestate.create() while true do gui.text(8, 8, memory.readbyte(0x58)) \
         if emu.framecount() % 200 == 0 then savestate.save(state) end emu.frameadvance() end",
    ),
    ("busy.lua", "while true do pcall(string.find, ('a'):rep(30000), ('.-'):rep(30) .. 'b') end"),
];

/// A session under way.
struct Evening<'a> {
    random: &'a mut SplitMix64,
    running: Running,
    folder: &'a Path,
    device: Option<(SoundDevice, u32)>,
    pads: Pads,
    recordings: u32,
}

/// Plays for `time`, closes, and looks at what there is. Returns the frames that were run.
///
/// # Errors
/// What is not as it has to be.
pub(crate) fn play(random: &mut SplitMix64, time: Duration) -> Result<u64> {
    let folder = tempfile::tempdir().context("a folder")?;
    let path = folder.path();
    for (name, source) in SCRIPTS {
        fs::write(path.join(name), source).context("a script")?;
    }
    let mut options = Options::new("", nes_testing::MAXOUT.to_vec()).in_folders(Folders::inside(path));
    options.prints = false;
    let running = Running::start(&options, |_| {})?;
    let (device, pads) = (None, Pads::default());
    let mut evening = Evening { random, running, folder: path, device, pads, recordings: 0 };
    let (begun, mut last) = (Instant::now(), Instant::now());
    while begun.elapsed() < time {
        thread::sleep(STEP);
        if let Some((device, rate)) = &mut evening.device {
            device.take((f64::from(*rate) * last.elapsed().as_secs_f64()) as usize);
        }
        last = Instant::now();
        evening.step();
    }
    evening.running.handle().send(Command::FastForward(false));
    let Evening { running, device, .. } = evening;
    drop(device);
    let closed = ProcessTime::now();
    let session = running.finish()?;
    if closed.elapsed() > CLOSING {
        bail!("closing took {:.1} s of work", closed.elapsed().as_secs_f64());
    }
    for message in &session.final_messages {
        if message.kind.is_error() && !message.text.contains("script") {
            bail!("at the end it says: {}", message.text);
        }
    }
    look_at(path)?;
    Ok(session.frames)
}

/// No draft is left anywhere, and every recording is whole.
fn look_at(folder: &Path) -> Result<()> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().with_context(|| folder.display().to_string())?.flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if name.starts_with(".maxout-") {
                bail!("the draft {} is left", path.display());
            }
            let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
            let length = bytes
                .get(4..8)
                .map(|length| u32::from_le_bytes([length[0], length[1], length[2], length[3]]));
            let is_whole = match path.extension().and_then(|ending| ending.to_str()) {
                Some("wav") => length.is_some_and(|length| length as usize + 8 == bytes.len()),
                Some("gif") => bytes.starts_with(b"GIF89a") && bytes.ends_with(b";"),
                Some("fm2") => nes::fm2::Movie::parse(&bytes).is_ok(),
                Some("mxgame") => practice::Kept::read(&bytes).is_ok_and(|game| game.lost == 0),
                _ => true,
            };
            if !is_whole {
                bail!("{} is not whole", path.display());
            }
        }
    }
    Ok(())
}

impl Evening<'_> {
    fn below(&mut self, limit: u32) -> u32 {
        self.random.below(limit)
    }

    fn send(&self, command: Command) {
        self.running.handle().send(command);
    }

    /// Other buttons, mostly; now and then something that a player or a device does.
    fn step(&mut self) {
        if self.below(4) == 0 {
            let held = Buttons::from_bits_retain(self.random.next_u64() as u8) - Buttons::SELECT;
            let held = if self.below(10) == 0 { held } else { held - Buttons::START };
            self.running.handle().hold(0, held);
        }
        if self.below(6) != 0 {
            return;
        }
        let slot = self.below(3) as usize;
        let on = self.below(2) == 0;
        match self.below(30) {
            0..3 => self.send(Command::SaveSlot(slot)),
            3..5 => self.send(Command::LoadSlot(slot)),
            5..8 => self.send(Command::Rewind(on)),
            8 => self.send(Command::FastForward(on && slot == 0)),
            9 => self.send(if on { Command::Pause } else { Command::Resume }),
            10 => self.send(Command::FrameAdvance),
            11 => {
                let speed = 50 + self.below(150) as u16;
                self.send(Command::Speed(speed));
            }
            12..15 => self.record(on),
            15 => self.send([Command::Reset, Command::PowerCycle, Command::NewGame][slot].clone()),
            16 => self.insert(slot),
            17..20 => self.practise(slot),
            20 => self.send(Command::LetComputerPlay(on)),
            21 => self.send(Command::Versus(on && slot == 0)),
            22 => self.script(on),
            23 => self.debug(slot),
            24 => self.send(Command::RunAhead(slot as u8)),
            25..27 => {
                let rate = [44_100, 48_000, 96_000][slot];
                self.device = None;
                self.device = on.then(|| (SoundDevice::plug_in(&self.running, rate), rate));
            }
            27 => self.pads.plug(&self.running, slot, on),
            _ => {
                let button = self.below(6) as usize;
                self.pads.press(&self.running, slot, button, on);
            }
        }
        // What stands still is no test.
        if self.below(8) == 0 {
            self.send(Command::Resume);
        }
    }

    fn record(&mut self, on: bool) {
        let recording = [Recording::Movie, Recording::Wave, Recording::Gif][self.below(3) as usize];
        if on {
            self.recordings += 1;
            let name = format!("{}.{}", self.recordings, recording.extension());
            self.send(Command::Record(recording, self.folder.join(name)));
        } else {
            self.send(Command::StopRecording(recording));
        }
    }

    /// The built-in cartridge, the same under another name, or one with a battery.
    fn insert(&mut self, which: usize) {
        let (title, image) = match which {
            0 => (String::new(), nes_testing::MAXOUT.to_vec()),
            1 => ("other".to_owned(), nes_testing::MAXOUT.to_vec()),
            _ => {
                // INC $6000, JMP to it.
                let code = [0xEE, 0x00, 0x60, 0x4C, 0x00, 0x80];
                ("battery".to_owned(), Image::nrom(&code).with(6, 2).bytes())
            }
        };
        self.send(Command::Insert(title, image));
    }

    fn practise(&mut self, which: usize) {
        let kinds = practice::Kind::ALL;
        let kind = kinds[self.below(kinds.len() as u32) as usize];
        let other_luck = self.below(2) == 0;
        let begin = PracticeCommand::Begin {
            mode: kind.usual(),
            options: practice::Options::default(),
            position: None,
        };
        let command = match (which, self.below(4)) {
            (0, _) => begin,
            (1, _) => PracticeCommand::Undo { other_luck },
            (_, 0) => PracticeCommand::Mark,
            (_, 1) => PracticeCommand::Retry { other_luck },
            (_, 2) => PracticeCommand::Review { hertz: 12, reaction: 10 },
            _ => PracticeCommand::End,
        };
        self.send(Command::Practice(command));
    }

    fn script(&mut self, on: bool) {
        let name = SCRIPTS[usize::from(self.below(12) == 0)].0;
        let run = ScriptCommand::Run(self.folder.join(name));
        self.send(Command::Script(if on { run } else { ScriptCommand::Stop }));
    }

    fn debug(&mut self, which: usize) {
        let line = LINES[self.below(LINES.len() as u32) as usize];
        self.send(Command::Debug(match which {
            0 => DebugCommand::Open,
            1 => DebugCommand::Execute(line.to_owned()),
            _ => DebugCommand::Close,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_seconds_of_an_evening_leave_nothing_half_done() {
        let frames = play(&mut SplitMix64::new(5), Duration::from_secs(4));
        assert!(frames.as_ref().is_ok_and(|frames| *frames > 0), "{frames:?}");
    }
}
