//! Scripts beside the built-in cartridge.
#![allow(dead_code, reason = "each test file takes what it needs")]

use nes::{Buttons, Cartridge, Config, Console, Devices, Extra, Held};
use nes_lua::{Folder, Output, Overlay, Power, Script, ScriptError};

pub(crate) use nes_testing::MAXOUT as IMAGE;

/// The slow build of it, which is known by its hash alone.
pub(crate) const SLOW: &[u8] = include_bytes!("../../../../../roms/maxout-slow.nes");

pub(crate) struct Rig {
    pub(crate) console: Console,
    pub(crate) script: Script,
    pub(crate) pads: [Buttons; 2],
    pub(crate) extra: Extra,
    pub(crate) files: tempfile::TempDir,
    pub(crate) overlay: Overlay,
}

impl Rig {
    pub(crate) fn new(source: &str) -> Self {
        Self::with(Script::load(source.as_bytes(), "test.lua").unwrap())
    }

    pub(crate) fn with(script: Script) -> Self {
        Self::on(IMAGE, script)
    }

    /// Beside another cartridge.
    pub(crate) fn on(image: &[u8], script: Script) -> Self {
        Self::powered_on(image, Config::default(), script)
    }

    /// With something else in the ports, from power-on.
    pub(crate) fn plugged(devices: Devices, source: &str) -> Self {
        let script = Script::load(source.as_bytes(), "test.lua").unwrap();
        Self::powered_on(IMAGE, Config { devices, ..Config::default() }, script)
    }

    fn powered_on(image: &[u8], config: Config, mut script: Script) -> Self {
        let cartridge = Cartridge::from_bytes(image).unwrap();
        let console = Console::new(cartridge.clone(), config);
        let header = *image.first_chunk().unwrap();
        script.insert(Power { cartridge, config, header });
        let files = tempfile::tempdir().unwrap();
        script.set_folder(Folder::new(files.path()));
        Self {
            console,
            script,
            pads: [Buttons::empty(); 2],
            extra: Extra::None,
            files,
            overlay: Overlay::default(),
        }
    }

    /// One frame.
    pub(crate) fn frame(&mut self) -> Result<(), ScriptError> {
        let held = Held { pads: self.pads, extra: self.extra };
        self.overlay = self.script.frame(&mut self.console, held)?.clone();
        Ok(())
    }

    /// Frames without an error.
    pub(crate) fn frames(&mut self, count: usize) -> &mut Self {
        (0..count).for_each(|_| self.frame().unwrap());
        self
    }

    /// What was printed since this was last asked.
    pub(crate) fn lines(&mut self) -> Vec<String> {
        let output = self.script.take_output().into_iter();
        output.map(|(Output::Line(text) | Output::Message(text))| text).collect()
    }

    /// The error that the script ends with, within so many frames.
    pub(crate) fn error(&mut self, frames: usize) -> ScriptError {
        (0..frames).find_map(|_| self.frame().err()).expect("a script that fails")
    }
}

/// Runs a script to its end and gives what it printed.
pub(crate) fn printed(source: &str) -> Vec<String> {
    let mut rig = Rig::new(source);
    for _ in 0..10_000 {
        if rig.script.is_done() {
            return rig.lines();
        }
        rig.frame().unwrap();
    }
    panic!("the script does not end");
}

/// The message of the error that a script ends with in its first frame.
pub(crate) fn message(source: &str) -> String {
    Rig::new(source).error(1).to_string()
}
