//! A console that counts its frames against a limit.

use nes::{Buttons, Cartridge, Config, Console};

use crate::Options;

/// The console under test, with the frames it may still use.
pub(crate) struct Rig {
    pub(crate) console: Console,
    frames: u32,
    limit: u32,
}

impl Rig {
    /// A console just powered on, with at most `limit` frames to run (the caller's limit wins).
    pub(crate) fn new(cartridge: Cartridge, options: &Options, limit: u32) -> Self {
        let config = Config {
            phase: options.phase,
            apu_alignment: options.apu_alignment,
            ram_fill: options.ram_fill.into(),
            region: options.region,
            mmc3: options.mmc3,
            quirks: options.quirks,
            unstable: options.unstable,
            ..Config::default()
        };
        Self { console: Console::new(cartridge, config), frames: 0, limit: options.frames.unwrap_or(limit) }
    }

    /// Runs one frame with `pad` held on port 1; false when the frames are used up.
    pub(crate) fn frame(&mut self, pad: Buttons) -> bool {
        if self.frames >= self.limit {
            return false;
        }
        let _ = self.console.run_frame(&mut [pad, Buttons::empty()], &mut ());
        self.frames += 1;
        true
    }

    /// Runs frames without input until `done` is true of the console; false if the frames, or
    /// `within` of them, run out first.
    pub(crate) fn until(&mut self, within: u32, mut done: impl FnMut(&Console) -> bool) -> bool {
        for _ in 0..within {
            if done(&self.console) {
                return true;
            }
            if !self.frame(Buttons::empty()) {
                return false;
            }
        }
        done(&self.console)
    }

    /// Frames run so far.
    pub(crate) fn frames(&self) -> u32 {
        self.frames
    }
}
