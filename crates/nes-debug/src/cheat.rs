//! Game Genie codes: a byte of the program is another one.

use std::collections::BTreeSet;

use nes::Cartridge;
use thiserror::Error;

/// The letters in the order of their values (NESdev: Game Genie).
const LETTERS: &str = "APZLGITYEOXUKSVN";

/// A code of six or eight letters, decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Genie {
    /// The CPU's address, `$8000` and up.
    pub address: u16,
    /// What is read there.
    pub value: u8,
    /// And only where this stands.
    pub compare: Option<u8>,
}

/// Why a word is no Game Genie code.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GenieError {
    /// Another number of letters.
    #[error("{code}: expected six or eight letters, found {found}")]
    Length {
        /// The word.
        code: String,
        /// Its letters.
        found: usize,
    },
    /// A letter that no code has.
    #[error("{code}: letter {place}, {letter:?}: expected one of {LETTERS}")]
    Letter {
        /// The word.
        code: String,
        /// Which one, from 1.
        place: usize,
        /// The letter.
        letter: char,
    },
}

impl Genie {
    /// Reads a code, in either case.
    ///
    /// # Errors
    /// Another number of letters, or one that no code has.
    ///
    /// ```
    /// let code = nes_debug::Genie::parse("SXIOPO")?;
    /// assert_eq!((code.address, code.value, code.compare), (0x91D9, 0xAD, None));
    /// # Ok::<(), nes_debug::GenieError>(())
    /// ```
    pub fn parse(code: &str) -> Result<Self, GenieError> {
        let found = code.chars().count();
        if found != 6 && found != 8 {
            return Err(GenieError::Length { code: code.chars().take(16).collect(), found });
        }
        let mut n = [0_u16; 8];
        for (index, letter) in code.chars().enumerate() {
            let value = LETTERS.chars().position(|known| known == letter.to_ascii_uppercase());
            let error = || GenieError::Letter { code: code.to_owned(), place: index + 1, letter };
            n[index] = value.ok_or_else(error)? as u16;
        }
        let address = 0x8000
            | (n[3] & 7) << 12
            | (n[5] & 7) << 8
            | (n[4] & 8) << 8
            | (n[2] & 7) << 4
            | (n[1] & 8) << 4
            | n[4] & 7
            | n[3] & 8;
        let byte = |a: u16, b: u16, last: u16| ((a & 7) << 4 | (b & 8) << 4 | last) as u8;
        let low = |a: u16, last: u16| a & 7 | last & 8;
        let (value, compare) = if found == 6 {
            (byte(n[1], n[0], low(n[0], n[5])), None)
        } else {
            (byte(n[1], n[0], low(n[0], n[7])), Some(byte(n[7], n[6], low(n[6], n[5]))))
        };
        Ok(Self { address, value, compare })
    }

    /// The code's letters.
    pub fn text(&self) -> String {
        let Self { address, value, compare } = *self;
        let (value, long) = (u16::from(value), compare.is_some());
        let compare = u16::from(compare.unwrap_or(0));
        let mut n = [
            value & 7 | value >> 4 & 8,
            value >> 4 & 7 | address >> 4 & 8,
            address >> 4 & 7 | u16::from(long) << 3,
            address >> 12 & 7 | address & 8,
            address & 7 | address >> 8 & 8,
            address >> 8 & 7 | value & 8,
            0,
            0,
        ];
        if long {
            n[5] = address >> 8 & 7 | compare & 8;
            n[6] = compare & 7 | compare >> 4 & 8;
            n[7] = compare >> 4 & 7 | value & 8;
        }
        let letters: Vec<char> = LETTERS.chars().collect();
        n[..if long { 8 } else { 6 }].iter().map(|&value| letters[usize::from(value)]).collect()
    }

    /// Where in PRG-ROM the bytes lie that the code means, ascending: each that a bank can show at
    /// its address, for the code is in front of the cartridge and knows no banks. An MMC1 is taken
    /// in the mode that it is in; and a bank that always lies at other addresses too is left alone,
    /// because the change would be seen there.
    pub fn places(&self, cartridge: &Cartridge) -> Vec<usize> {
        let prg = cartridge.prg_rom();
        let window = usize::from(self.address >> 13 & 3);
        let mappings = mappings(cartridge);
        let elsewhere = |bank: u32| {
            let fixed = |at: usize| at != window && mappings.iter().all(|mapping| mapping[at] == bank);
            mappings.iter().any(|mapping| mapping[window] != bank) && (0..4).any(fixed)
        };
        let banks: BTreeSet<u32> = mappings.iter().map(|mapping| mapping[window]).collect();
        let places = banks.into_iter().filter(|&bank| !elsewhere(bank));
        places
            .map(|bank| bank as usize + usize::from(self.address & 0x1FFF))
            .filter(|&place| {
                prg.get(place).is_some_and(|&byte| self.compare.is_none_or(|wanted| byte == wanted))
            })
            .collect()
    }
}

/// What can lie at `$8000`, `$A000`, `$C000` and `$E000` together: offsets in PRG-ROM of every
/// mapping that a write to the board's register of PRG banks makes.
fn mappings(cartridge: &Cartridge) -> Vec<[u32; 4]> {
    const BANK: u32 = 0x4000;
    const HALF: u32 = 0x4_0000;
    let length = cartridge.prg_rom().len() as u32;
    let banks = length / BANK;
    let pair = |lower: u32, upper: u32| [lower, lower + BANK / 2, upper, upper + BANK / 2];
    match cartridge.info().mapper {
        2 if banks > 2 => (0..banks).map(|bank| pair(bank * BANK, length - BANK)).collect(),
        7 => (0..banks / 2).map(|bank| pair(2 * bank * BANK, (2 * bank + 1) * BANK)).collect(),
        1 | 155 if banks > 2 => {
            let mut mappings = Vec::new();
            for bank in 0..16_u8 {
                let mut board = cartridge.clone();
                // Five bits, the lowest first (NESdev: MMC1); writes in cycles next to each other
                // would not count.
                for bit in 0..5_u8 {
                    board.write(0xFFFF, bank >> bit & 1, u64::MAX - 100 + 4 * u64::from(bit));
                }
                mappings.push(board.prg_banks());
            }
            if length > HALF {
                let other = mappings.clone().into_iter().map(|mapping| mapping.map(|at| at ^ HALF));
                mappings.extend(other);
            }
            mappings
        }
        _ => vec![cartridge.prg_banks()],
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn published_codes_are_decoded() {
        // NESdev: Game Genie; the codes for Super Mario Bros. and for Mega Man.
        let code = |text| Genie::parse(text).map(|code| (code.address, code.value, code.compare));
        assert_eq!(code("SXIOPO"), Ok((0x91D9, 0xAD, None)));
        assert_eq!(code("gossip"), Ok((0xD1DD, 0x14, None)));
        assert_eq!(code("ZEXPYGLA"), Ok((0x94A7, 0x02, Some(0x03))));
    }

    #[test]
    fn what_is_no_code_is_said() {
        assert_eq!(
            Genie::parse("SXI").unwrap_err().to_string(),
            "SXI: expected six or eight letters, found 3"
        );
        let error = Genie::parse("SXIBPO").unwrap_err().to_string();
        assert!(error.starts_with("SXIBPO: letter 4, 'B': expected one of "), "{error}");
    }

    /// A cartridge whose bytes are the numbers of their 16 KiB banks.
    fn cartridge(mapper: u8, banks: u8) -> Cartridge {
        let mut image = vec![0; 16 + usize::from(banks) * 0x4000];
        image[..8].copy_from_slice(&[b'N', b'E', b'S', 0x1A, banks, 0, mapper << 4, 0]);
        for (bank, bytes) in (0..).zip(image[16..].chunks_mut(0x4000)) {
            bytes.fill(bank);
        }
        Cartridge::from_bytes(&image).unwrap()
    }

    fn banks(mapper: u8, count: u8, address: u16, compare: Option<u8>) -> Vec<usize> {
        let places = Genie { address, value: 0x60, compare }.places(&cartridge(mapper, count));
        assert!(places.iter().all(|place| place & 0x3FFF == usize::from(address & 0x3FFF)), "{places:X?}");
        places.iter().map(|place| place >> 14).collect()
    }

    #[test]
    fn a_code_means_every_bank_that_can_lie_at_its_address() {
        assert_eq!((banks(0, 1, 0x8123, None), banks(0, 1, 0xC123, None)), (vec![0], vec![0]), "a mirror");
        assert_eq!((banks(0, 2, 0x8123, None), banks(0, 2, 0xE123, None)), (vec![0], vec![1]));
        // UxROM: the last bank is at $C000.
        assert_eq!(banks(2, 8, 0xA123, None), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(banks(2, 8, 0xC123, None), [7]);
        assert_eq!(banks(2, 8, 0x8123, Some(3)), [3], "where the compare value stands");
        // AxROM: 32 KiB at a time.
        assert_eq!(
            (banks(7, 8, 0x9123, None), banks(7, 8, 0xF123, None)),
            (vec![0, 2, 4, 6], vec![1, 3, 5, 7])
        );
        // MMC1 begins with its last bank at $C000.
        assert_eq!((banks(1, 8, 0x8123, None), banks(1, 8, 0xC123, None)), ((0..7).collect(), vec![7]));
        assert_eq!(banks(1, 2, 0xC123, None), [1]);
        assert_eq!(banks(1, 32, 0xC123, None), [15, 31], "two halves of 256 KiB");
    }

    #[test]
    fn an_mmc1_is_taken_in_the_mode_that_it_is_in() {
        let mut cartridge = cartridge(1, 8);
        let code = Genie { address: 0xC123, value: 0x60, compare: None };
        let mut control = |mode: u8| {
            for bit in 0..5_u8 {
                cartridge.write(0x8000, mode >> bit & 1, u64::from(mode) * 100 + 4 * u64::from(bit));
            }
            code.places(&cartridge).iter().map(|place| place >> 14).collect::<Vec<_>>()
        };
        assert_eq!(control(0x00), [1, 3, 5, 7], "32 KiB at a time");
        assert_eq!(control(0x08), [1, 2, 3, 4, 5, 6, 7], "the first at $8000");
        assert_eq!(control(0x0C), [7], "the last at $C000");
    }

    proptest! {
        #[test]
        fn letters_and_meaning_lead_to_each_other(address in 0x8000_u16.., value: u8, compare: Option<u8>) {
            let code = Genie { address, value, compare };
            prop_assert_eq!(Genie::parse(&code.text()), Ok(code));
        }

        #[test]
        fn no_word_makes_it_panic(word in ".{0,10}") {
            let _ = Genie::parse(&word);
        }
    }
}
