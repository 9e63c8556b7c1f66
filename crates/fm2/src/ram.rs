//! What RAM holds at power-on, as a movie says it.

/// What RAM holds at power-on: FCEUX's `RAMInitOption`, and `RAMInitSeed` with the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RamInit {
    /// 0: four times `$00` and four times `$FF`, over and over.
    Stripes,
    /// 1: all `$FF`.
    Ones,
    /// 2: all `$00`, with which Maxout begins.
    #[default]
    Zeros,
    /// 3: what FCEUX's generator makes of this seed.
    Random(u32),
}

impl RamInit {
    /// The 2 KiB of RAM.
    pub fn bytes(self) -> [u8; 0x800] {
        match self {
            Self::Stripes => core::array::from_fn(|at| if at & 4 == 0 { 0x00 } else { 0xFF }),
            Self::Ones => [0xFF; 0x800],
            Self::Zeros => [0x00; 0x800],
            Self::Random(seed) => {
                let mut generator = Generator::new(seed);
                core::array::from_fn(|_| generator.next() as u8)
            }
        }
    }

    /// The option with this number and seed.
    pub(super) fn of_numbers(option: i64, seed: u32) -> Option<Self> {
        Some(match option {
            0 => Self::Stripes,
            1 => Self::Ones,
            2 => Self::Zeros,
            3 => Self::Random(seed),
            _ => return None,
        })
    }

    /// Its number and its seed.
    pub(super) fn numbers(self) -> (u8, u32) {
        match self {
            Self::Stripes => (0, 0),
            Self::Ones => (1, 0),
            Self::Zeros => (2, 0),
            Self::Random(seed) => (3, seed),
        }
    }
}

/// xoroshiro128+ (Blackman and Vigna, the constants of 2016), seeded by `SplitMix64`; both are in
/// the public domain.
struct Generator([u64; 2]);

impl Generator {
    fn new(seed: u32) -> Self {
        let mut state = u64::from(seed);
        Self(core::array::from_fn(|_| {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^ mixed >> 31
        }))
    }

    fn next(&mut self) -> u64 {
        let [a, b] = self.0;
        let mixed = a ^ b;
        self.0 = [a.rotate_left(55) ^ mixed ^ mixed << 14, mixed.rotate_left(36)];
        a.wrapping_add(b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ram_is_what_fceux_2_6_5_had_with_the_same_option() {
        let first = |init: RamInit| -> [u8; 8] { *init.bytes().first_chunk().unwrap() };
        let last = |init: RamInit| -> [u8; 4] { *init.bytes().last_chunk().unwrap() };
        assert_eq!(first(RamInit::Stripes), [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]);
        assert_eq!(last(RamInit::Stripes), [0xFF; 4]);
        assert_eq!(first(RamInit::Random(0)), [0xA3, 0xFA, 0xD5, 0x7C, 0xAB, 0xE0, 0x50, 0x2A]);
        assert_eq!(last(RamInit::Random(0)), [0x2B, 0x19, 0x51, 0x86]);
        assert_eq!(first(RamInit::Random(1)), [0x28, 0x66, 0x3A, 0xDE, 0xE8, 0x28, 0x63, 0x91]);
        assert_eq!(last(RamInit::Random(1)), [0x3A, 0x80, 0x88, 0x1D]);
        assert_eq!(first(RamInit::Random(685_102_564)), [0x7E, 0x6C, 0x35, 0x65, 0xB2, 0x67, 0x5B, 0xB4]);
    }
}
