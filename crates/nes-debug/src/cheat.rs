//! Game Genie codes: a byte of the program is another one.

use nes::Console;
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

    /// Where in PRG-ROM the bytes lie that the code means: each that any bank can show at its address, for the code is
    /// in front of the cartridge and knows no banks.
    pub fn places(&self, console: &Console) -> Vec<usize> {
        let prg = console.board.cartridge().prg_rom();
        let window = prg.len().clamp(1, 0x8000);
        let offset = usize::from(self.address & 0x7FFF) % window;
        // Boards switch 16 or 32 KiB; one whose whole program lies in the window has a single place.
        let step = if prg.len() <= 0x8000 { window } else { 0x4000 };
        (offset % step..prg.len())
            .step_by(step)
            .filter(|&place| self.compare.is_none_or(|compare| prg[place] == compare))
            .collect()
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
