//! Machine code, put together byte by byte.

/// Cycles of a round of LDY #n; LDX #0; DEX; BNE; DEY; BNE, which takes one more in all.
const ROUND: u32 = 2 + 1279 + 5;

/// 6502 code that begins at an address.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    base: u16,
    pub(crate) bytes: Vec<u8>,
}

impl Code {
    pub(crate) fn new(base: u16) -> Self {
        Self { base, bytes: Vec::new() }
    }

    /// Where the next byte will be.
    pub(crate) fn here(&self) -> u16 {
        self.base.wrapping_add(self.bytes.len() as u16)
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// An opcode with an absolute address.
    pub(crate) fn absolute(&mut self, opcode: u8, address: u16) {
        let [low, high] = address.to_le_bytes();
        self.put(&[opcode, low, high]);
    }

    /// LDA #; STA.
    pub(crate) fn store(&mut self, address: u16, value: u8) {
        self.put(&[0xA9, value]);
        self.absolute(0x8D, address);
    }

    /// A branch back to `target`, which lies at most 126 bytes before its end.
    pub(crate) fn branch(&mut self, opcode: u8, target: u16) {
        let offset = target.wrapping_sub(self.here().wrapping_add(2));
        self.put(&[opcode, offset as u8]);
    }

    /// So many cycles, at least 2. X, Y and the flags are lost.
    pub(crate) fn pause(&mut self, cycles: u16) {
        let mut left = u32::from(cycles.max(2));
        let rounds = left.saturating_sub(3) / ROUND;
        if rounds > 0 {
            left -= 1 + rounds * ROUND;
            self.put(&[0xA0, rounds as u8]);
            let outer = self.here();
            self.put(&[0xA2, 0]);
            let inner = self.here();
            self.put(&[0xCA]);
            self.branch(0xD0, inner);
            self.put(&[0x88]);
            self.branch(0xD0, outer);
        }
        // LDX #n; DEX; BNE: 1 + 5n.
        let turns = (left.saturating_sub(3) / 5).min(256);
        if turns > 1 {
            left -= 1 + turns * 5;
            self.put(&[0xA2, turns as u8]);
            let here = self.here();
            self.put(&[0xCA]);
            self.branch(0xD0, here);
        }
        if left % 2 == 1 && left >= 3 {
            self.put(&[0x24, 0x00]);
            left -= 3;
        }
        for _ in 0..left / 2 {
            self.put(&[0xEA]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nes::{Buttons, Config};
    use nes_testing::Image;

    #[test]
    fn a_pause_takes_the_cycles_asked_for() {
        for cycles in (2..60).chain([255, 256, 1285, 1286, 1287, 1288, 1289, 1290, 1291, 2600, 5000]) {
            // The code starts at a page, so that no branch leaves one.
            let mut code = Code::new(0xC000);
            code.pause(cycles);
            let end = code.here();
            let image = Image::ines(0, 1, 1).put(0, &code.bytes).vectors(0xC000, 0xC000, 0xC000);
            let mut console = image.console(Config::default());
            let begin = console.cycle();
            while console.cpu.pc != end {
                let _ = console.step(&mut [Buttons::empty(); 2], &mut ());
            }
            assert_eq!(console.cycle() - begin, u64::from(cycles));
        }
    }
}
