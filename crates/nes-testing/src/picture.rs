//! Pictures that are compared with those of files.

/// Returns how many of the pixels of two pictures, of four bytes each, differ by more than `near`
/// in a part of their colour; none if the pictures have other sizes. A crate of its own compares
/// them, because those that draw them are not optimised where they are tested.
#[must_use]
pub fn differing_pixels(one: &[u8], other: &[u8], near: u8) -> Option<usize> {
    if one.len() != other.len() {
        return None;
    }
    let (mut count, mut start) = (0, 0);
    // A plain loop: where tests run, iterators are not inlined, and take four times as long.
    while start + 4 <= one.len() {
        let mut part = start;
        while part < start + 4 {
            if one[part].abs_diff(other[part]) > near {
                count += 1;
                break;
            }
            part += 1;
        }
        start += 4;
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_differ_by_the_part_that_is_furthest_off() {
        let one = [10, 20, 30, 255, 0, 0, 0, 255];
        assert_eq!(differing_pixels(&one, &one, 0), Some(0));
        assert_eq!(differing_pixels(&one, &[10, 20, 33, 255, 0, 0, 0, 255], 3), Some(0));
        assert_eq!(differing_pixels(&one, &[14, 20, 30, 255, 0, 9, 0, 255], 3), Some(2));
        assert_eq!(differing_pixels(&one, &one[..4], 3), None);
    }
}
