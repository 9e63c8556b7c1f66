//! Eight pixels at a time: pattern rows become palette values by masks instead of by lookups.

/// Eight pixels, the leftmost first.
pub(crate) type Pixels = [u16; 8];

/// For each byte all ones where its bit is set, bit 7 first.
static MASKS: [Pixels; 256] = {
    let mut table = [[0; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut pixel = 0;
        while pixel < 8 {
            table[bits][pixel] = if bits >> (7 - pixel) & 1 == 1 { 0xFFFF } else { 0 };
            pixel += 1;
        }
        bits += 1;
    }
    table
};

/// The four colours of a palette, arranged for [`PaletteLookup::row`].
#[derive(Clone, Copy, Default)]
pub(crate) struct PaletteLookup {
    /// Colour 0.
    base: Pixels,
    /// What the low plane changes in colour 0.
    low: Pixels,
    /// What the high plane changes in colour 0.
    high: Pixels,
    /// What both planes change beyond what each does.
    both: Pixels,
}

impl PaletteLookup {
    /// The palette whose entries begin at `first`; its colour 0 is the backdrop.
    pub(crate) fn of(palette: &[u8; 32], first: usize) -> Self {
        Self::new([0, first + 1, first + 2, first + 3].map(|entry| palette[entry]))
    }

    /// `colours` are the palette values 0–3.
    pub(crate) fn new(colours: [u8; 4]) -> Self {
        let [base, low, high, both] = colours.map(u16::from);
        Self {
            base: [base; 8],
            low: [base ^ low; 8],
            high: [base ^ high; 8],
            both: [base ^ low ^ high ^ both; 8],
        }
    }

    /// The pixels of a pattern row.
    #[inline]
    pub(crate) fn row(&self, [low, high]: [u8; 2]) -> Pixels {
        let (low, high) = (&MASKS[usize::from(low)], &MASKS[usize::from(high)]);
        core::array::from_fn(|i| {
            self.base[i]
                ^ (self.low[i] & low[i])
                ^ (self.high[i] & high[i])
                ^ (self.both[i] & low[i] & high[i])
        })
    }
}

/// Puts the pixels of `row` whose bits are set in `shown` over those of `under`.
#[inline]
pub(crate) fn put(under: &mut Pixels, row: &Pixels, shown: u8) {
    let mask = &MASKS[usize::from(shown)];
    for i in 0..8 {
        under[i] ^= (under[i] ^ row[i]) & mask[i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_shows_the_colour_that_its_two_planes_number() {
        let lookup = PaletteLookup::new([0x0F, 0x16, 0x2A, 0x30]);
        let pixels = lookup.row([0b0101_0011, 0b0011_0101]);
        assert_eq!(pixels, [0x0F, 0x16, 0x2A, 0x30, 0x0F, 0x2A, 0x16, 0x30]);
    }

    #[test]
    fn only_what_is_shown_covers_what_lies_below() {
        let mut under = [1; 8];
        put(&mut under, &[2; 8], 0b1000_0001);
        assert_eq!(under, [2, 1, 1, 1, 1, 1, 1, 2]);
    }
}
