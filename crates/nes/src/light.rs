//! What a Zapper sees, and what a microphone hears: the lines of the ports beside those of pads.

use nes_controller::{Aim, Devices, Extra};
use nes_ppu::palette;

use crate::Mainboard;

/// Dots in each direction from where the Zapper points that its lens takes in. FCEUX has as many.
const LENS: usize = 4;

/// Lines for which the phosphor of a dot lights the Zapper after the beam has passed. On consoles
/// it is some 20 to 26, more for brighter dots (NESdev: Zapper).
const AFTERGLOW: u16 = 20;

/// The mean of the signal, black 0 and white 1, from which a dot counts as light. Unverified on a
/// console: between the greys $00 and $10.
const BRIGHT: f64 = 0.5;

/// Light is not detected: D3.
const DARK: u8 = 0x08;

/// The trigger is pulled: D4.
const TRIGGER: u8 = 0x10;

/// The microphone: D2.
const MICROPHONE: u8 = 0x04;

/// A voice, as the one bit that a console makes of it, changes after so many cycles, to the power
/// of two: 437 Hz.
const VOICE: u32 = 11;

impl Mainboard {
    /// Returns D2 to D4 of `port`.
    #[cold]
    pub(crate) fn device_lines(&mut self, port: usize, extra: Extra) -> u8 {
        match (self.ports.devices(), port) {
            (Devices::Zapper, 1) => {
                self.run_ppu();
                self.schedule();
                let aim = extra.aim();
                let trigger = if aim.trigger { TRIGGER } else { 0 };
                trigger | if self.sees_light(aim) { 0 } else { DARK }
            }
            (Devices::Famicom, 0) if extra == Extra::Microphone => {
                (self.cycle >> VOICE & 1) as u8 * MICROPHONE
            }
            _ => 0,
        }
    }

    /// Returns whether the beam has just drawn something bright where the Zapper points. In
    /// vertical blank it sees nothing, so that a state between two frames needs no picture.
    fn sees_light(&self, Aim { x, y, .. }: Aim) -> bool {
        let (line, dot) = (self.ppu.scanline(), self.ppu.dot());
        let around = |at: u8, end: usize| {
            let at = usize::from(at);
            at.saturating_sub(LENS)..(at + LENS + 1).min(end)
        };
        if usize::from(y) >= nes_ppu::Frame::HEIGHT || usize::from(line) >= nes_ppu::Frame::HEIGHT {
            return false;
        }
        around(y, nes_ppu::Frame::HEIGHT).any(|y| {
            let below = line.checked_sub(y as u16);
            below.is_some_and(|below| below <= AFTERGLOW)
                && around(x, nes_ppu::Frame::WIDTH).any(|x| {
                    // Dot 1 is the first of the picture.
                    (below != Some(0) || usize::from(dot) > x + 1) && is_bright(self.frame.line(y)[x])
                })
        })
    }
}

fn is_bright(pixel: u16) -> bool {
    let signal = (0..12).map(|sample| palette::signal(pixel.into(), sample));
    signal.sum::<f64>() / 12.0 > BRIGHT
}
