//! Colours as scripts write them.

use nes::Palette;
use nes_script::Rgba;

pub(crate) const WHITE: Rgba = [0xFF; 4];

/// Names of colours (FCEUX documentation, "Lua functions": on colors).
const NAMES: &[(&str, u32)] = &[
    ("white", 0xFFFF_FFFF),
    ("black", 0x0000_00FF),
    ("clear", 0x0000_0000),
    ("gray", 0x7F7F_7FFF),
    ("grey", 0x7F7F_7FFF),
    ("red", 0xFF00_00FF),
    ("orange", 0xFF7F_00FF),
    ("yellow", 0xFFFF_00FF),
    ("chartreuse", 0x7FFF_00FF),
    ("green", 0x00FF_00FF),
    ("teal", 0x00FF_7FFF),
    ("cyan", 0x00FF_FFFF),
    ("blue", 0x0000_FFFF),
    ("purple", 0x7F00_FFFF),
    ("magenta", 0xFF00_FFFF),
];

/// The colour of a number: red in the highest of four bytes, opacity in the lowest.
pub(crate) fn number(value: i64) -> Rgba {
    (value as u32).to_be_bytes()
}

/// The colour of a text: a name, `#RRGGBB`, `#RRGGBBAA`, or `P0` to `P3F` of the console's
/// palette.
pub(crate) fn text(text: &str, palette: &Palette) -> Option<Rgba> {
    let lower = text.to_ascii_lowercase();
    if let Some(&(_, value)) = NAMES.iter().find(|(name, _)| *name == lower) {
        return Some(value.to_be_bytes());
    }
    if let Some(hex) = lower.strip_prefix('#') {
        if !hex.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let missing = 8usize.checked_sub(hex.len()).filter(|_| !hex.is_empty())?;
        let value = u32::from_str_radix(hex, 16).ok()? << (4 * missing);
        // Digits that are missing are zeros, and the opacity is full without its own, as in FCEUX.
        return Some((if missing >= 2 { value | 0xFF } else { value }).to_be_bytes());
    }
    let index = lower.strip_prefix('p').filter(|digits| matches!(digits.len(), 1 | 2))?;
    let index = u16::from_str_radix(index, 16).ok().filter(|&index| index < 0x40)?;
    let [r, g, b] = palette.rgb(index);
    Some([r, g, b, 0xFF])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_names_hexadecimal_digits_or_entries_of_the_palette() {
        let palette = Palette::ntsc();
        let parse = |name| text(name, &palette);
        assert_eq!(parse("Orange"), Some([0xFF, 0x7F, 0, 0xFF]));
        assert_eq!(parse("#102030"), Some([0x10, 0x20, 0x30, 0xFF]));
        assert_eq!(parse("#10203040"), Some([0x10, 0x20, 0x30, 0x40]));
        let [r, g, b] = palette.rgb(0x16);
        assert_eq!(parse("P16"), Some([r, g, b, 0xFF]));
        assert_eq!(parse("#12345"), Some([0x12, 0x34, 0x50, 0xFF]));
        assert_eq!(parse("P1"), parse("P01"));
        for wrong in ["", "#", "#123456789", "#+12345", "P40", "P", "P123", "purplish"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        assert_eq!(number(0xFF00_0080), [0xFF, 0, 0, 0x80]);
        assert_eq!(number(-1), WHITE);
    }
}
