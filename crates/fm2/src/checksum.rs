//! How a file writes the MD5 of a cartridge: `base64:` and 24 letters, or `0x` and 32 digits.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The value of `romChecksum`.
pub(super) fn write(md5: [u8; 16]) -> String {
    format!("base64:{}", STANDARD.encode(md5))
}

/// The MD5 that `text` says; none where it says nothing, or nothing that can be read.
pub(super) fn read(text: &str) -> Option<[u8; 16]> {
    let text = text.trim();
    let bytes = match text.strip_prefix("base64:") {
        Some(text) => STANDARD.decode(text).ok()?,
        None => hexadecimal(text.strip_prefix("0x")?)?,
    };
    bytes.try_into().ok()
}

fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect();
    Some(digits?.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_is_read_in_both_of_fceuxs_forms() {
        let md5 = core::array::from_fn(|at| at as u8 * 0x11);
        assert_eq!(write(md5), "base64:ABEiM0RVZneImaq7zN3u/w==");
        assert_eq!(read(" base64:ABEiM0RVZneImaq7zN3u/w== "), Some(md5));
        assert_eq!(read("0x00112233445566778899AABBCCDDEEff"), Some(md5));
    }

    #[test]
    fn what_cannot_be_read_says_nothing() {
        for nothing in ["", "base64:", "base64:????", "0xZZ", "base64:AAAA", "0x", "ABEiM0RVZneImaq7zN3u/w=="]
        {
            assert_eq!(read(nothing), None, "{nothing:?}");
        }
    }
}
