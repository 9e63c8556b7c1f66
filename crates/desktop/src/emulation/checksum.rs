//! The checksum by which a movie names its cartridge.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::{Digest, Md5};
use nes::Cartridge;

/// The largest ROM that is filled up: beyond it no header is believed.
const MOST: usize = 64 << 20;

/// Returns the `romChecksum` of the cartridge that `image` is of: `base64:` and the MD5 of PRG-ROM
/// and CHR-ROM, each filled up with $FF to the next power of two (FCEUX: `ines.cpp`, `movie.cpp`).
pub(crate) fn of(image: &[u8], cartridge: &Cartridge) -> String {
    let info = cartridge.info();
    let from = 16 + if info.trainer { 512 } else { 0 };
    let prg = from.min(image.len())..(from + info.prg_rom).min(image.len());
    let chr = prg.end..(prg.end + info.chr_rom).min(image.len());
    let mut hash = Md5::new();
    for rom in [&image[prg], &image[chr]] {
        hash.update(rom);
        let whole = if rom.is_empty() { 0 } else { rom.len().next_power_of_two().min(MOST) };
        hash.update(vec![0xFF; whole.saturating_sub(rom.len())]);
    }
    format!("base64:{}", STANDARD.encode(hash.finalize()))
}

/// Returns whether `written` in a movie may be `own`; a movie that says nothing, or what nobody can
/// read, may be of any.
pub(crate) fn fits(written: &str, own: &str) -> bool {
    let bytes = |text: &str| -> Option<Vec<u8>> {
        let bytes = match text.trim().strip_prefix("base64:") {
            Some(text) => STANDARD.decode(text).ok()?,
            None => hexadecimal(text.trim().strip_prefix("0x")?)?,
        };
        (bytes.len() == 16).then_some(bytes)
    };
    bytes(written).is_none_or(|written| Some(written) == bytes(own))
}

fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect();
    Some(digits?.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checksum(prg: usize, chr: usize) -> String {
        let mut image = vec![b'N', b'E', b'S', 0x1A, (prg >> 14) as u8, (chr >> 13) as u8, 0, 0];
        image.resize(16, 0);
        image.extend((0..prg + chr).map(|at| (at >> 8) as u8));
        of(&image, &Cartridge::from_bytes(&image).unwrap())
    }

    #[test]
    fn the_checksum_is_the_md5_of_both_roms_without_the_header() {
        // md5sum of the same bytes.
        assert_eq!(checksum(0x8000, 0x2000), "base64:fjIDancEZcezlaWWzcHTUw==");
        assert_eq!(checksum(0x8000, 0), "base64:AMlq7vBf68NqqraEtn690g==");
    }

    #[test]
    fn a_movie_of_another_cartridge_is_told_from_one_that_says_nothing() {
        let own = checksum(0x8000, 0x2000);
        assert!(fits(&own, &own) && !fits(&checksum(0x8000, 0), &own));
        for nothing in ["", "base64:", "base64:????", "0xZZ", "base64:AAAA"] {
            assert!(fits(nothing, &own), "{nothing:?}");
        }
        assert!(!fits("0x00112233445566778899aabbccddeeff", &own));
        assert!(fits("0x00112233445566778899AABBCCDDEEFF", "base64:ABEiM0RVZneImaq7zN3u/w=="));
    }
}
