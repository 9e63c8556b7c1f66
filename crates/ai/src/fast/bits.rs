//! Bits counted over several words at once, in plain arithmetic that every vector unit has.
//!
//! A word's bits are first counted in its nibbles; nibbles of several words add up before they are
//! folded together. Three words shrink to two beforehand, as in a full adder: what is counted once,
//! and what is counted twice.

/// Solid and well cells of up to six neighbouring columns. Of four rows of them no nibble holds
/// more than 12: a column with an open well of two rows leaves none of those rows to its
/// neighbours.
#[inline(always)]
pub(crate) const fn wells<const COUNTS: bool>(masks: [u32; 6]) -> u32 {
    if COUNTS {
        return count(masks);
    }
    let [a, b, c, d, e, f] = masks;
    let (ones, twos) = add(a, b, c);
    let (ones, more) = add(ones, d, e);
    fold(bytes(nibbles(ones) + nibbles(f) + 2 * (nibbles(twos) + nibbles(more))))
}

/// Bits of four words without two neighbouring bits.
#[inline(always)]
pub(crate) const fn holes<const COUNTS: bool>(masks: [u32; 4]) -> u32 {
    if COUNTS {
        return count(masks);
    }
    let [a, b, c, d] = masks;
    let three = pairs(a) + pairs(b) + pairs(c);
    fold(bytes(quads(three) + quads(pairs(d))))
}

/// Bits of five words, and `times` (at most 2) the bits of one more.
#[inline(always)]
pub(crate) const fn changes<const COUNTS: bool>(masks: [u32; 5], more: u32, times: u32) -> u32 {
    if COUNTS {
        return count(masks) + times * more.count_ones();
    }
    let [a, b, c, d, e] = masks;
    let (ones, twos) = add(a, b, c);
    let (ones, others) = add(ones, d, e);
    let more = nibbles(more);
    let ones = nibbles(ones) + (times & 1) * more;
    let twos = nibbles(twos) + nibbles(others) + (times >> 1) * more;
    fold(bytes(ones) + 2 * bytes(twos))
}

/// Bits of all the words.
#[inline(always)]
const fn count<const N: usize>(masks: [u32; N]) -> u32 {
    let (mut sum, mut k) = (0, 0);
    while k < N {
        sum += masks[k].count_ones();
        k += 1;
    }
    sum
}

/// Bits that are set in an odd number of three words, and bits that are set in two or three.
#[inline(always)]
const fn add(a: u32, b: u32, c: u32) -> (u32, u32) {
    (a ^ b ^ c, a & b | c & (a ^ b))
}

/// For words without neighbouring bits: each pair of bits as a number.
#[inline(always)]
const fn pairs(word: u32) -> u32 {
    (word | word >> 1) & 0x5555_5555
}

/// Numbers of two bits as sums of four.
#[inline(always)]
const fn quads(word: u32) -> u32 {
    (word & 0x3333_3333) + (word >> 2 & 0x3333_3333)
}

/// The bits of each nibble, counted.
#[inline(always)]
const fn nibbles(word: u32) -> u32 {
    quads(word - (word >> 1 & 0x5555_5555))
}

/// Nibbles added up in pairs.
#[inline(always)]
const fn bytes(word: u32) -> u32 {
    (word & 0x0F0F_0F0F) + (word >> 4 & 0x0F0F_0F0F)
}

/// The sum of the three lower bytes: there are twenty rows.
#[inline(always)]
const fn fold(word: u32) -> u32 {
    (word + (word >> 8) + (word >> 16)) & 0xFF
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evaluate;

    proptest! {
        #[test]
        fn sums_are_those_of_single_words(columns in prop::array::uniform8(0u32..1 << 20), times in 0u32..3) {
            let well: [u32; 6] =
                std::array::from_fn(|k| evaluate::well_cells(columns[k], columns[k + 1], columns[k + 2]));
            prop_assert_eq!(wells::<false>(well), well.iter().map(|mask| mask.count_ones()).sum::<u32>());
            let tops: [u32; 4] = std::array::from_fn(|k| evaluate::hole_tops(columns[k]));
            prop_assert_eq!(holes::<false>(tops), tops.iter().map(|mask| mask.count_ones()).sum::<u32>());
            let edges: [u32; 5] = std::array::from_fn(|k| columns[k]);
            let sum = edges.iter().map(|mask| mask.count_ones()).sum::<u32>();
            prop_assert_eq!(changes::<false>(edges, columns[7], times), sum + times * columns[7].count_ones());
        }
    }

    #[test]
    fn the_fullest_nibbles_of_wells_do_not_overflow() {
        for tall in [0b0101_0101, 0b1010_1010, 0b1111_1111u32, 0] {
            for height in 0..=20 {
                let columns: [u32; 8] = std::array::from_fn(|k| {
                    if tall >> k & 1 == 1 { 0xFFFFF } else { 0xFFFFF << height & 0xFFFFF }
                });
                let well: [u32; 6] =
                    std::array::from_fn(|k| evaluate::well_cells(columns[k], columns[k + 1], columns[k + 2]));
                assert_eq!(wells::<false>(well), well.iter().map(|mask| mask.count_ones()).sum::<u32>());
            }
        }
    }
}
