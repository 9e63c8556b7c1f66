//! A patch in IPS, which leaves the file that it is for alone.

/// The first bytes of a patch, and its last.
const HEADER: &[u8] = b"PATCH";
const FOOTER: &[u8] = b"EOF";
/// Bytes that a record can hold.
const LONGEST: usize = 0xFFFF;

/// What makes `new` of `old`, which is as long: a record of 24 bits of offset, 16 bits of length and the bytes for each
/// run of bytes that differ. Images of the game are far
/// shorter than the offset that reads as the footer.
pub(crate) fn ips(old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut patch = HEADER.to_vec();
    let mut at = 0;
    while at < new.len() {
        let differ = |(a, b): &(&u8, &u8)| a != b;
        let run = old[at..].iter().zip(&new[at..]).take_while(differ).count().min(LONGEST);
        if run > 0 {
            patch.extend(&(at as u32).to_be_bytes()[1..]);
            patch.extend((run as u16).to_be_bytes());
            patch.extend(&new[at..at + run]);
        }
        at += run.max(1);
    }
    patch.extend(FOOTER);
    patch
}

#[cfg(test)]
mod tests {
    use super::ips;

    #[test]
    fn a_record_holds_a_run_of_bytes_that_differ() {
        let old = [0; 0x300];
        let mut new = old;
        (new[1], new[2], new[0x2FF]) = (7, 8, 9);
        assert_eq!(ips(&old, &new), b"PATCH\x00\x00\x01\x00\x02\x07\x08\x00\x02\xFF\x00\x01\x09EOF");
        assert_eq!(ips(&old, &old), b"PATCHEOF");
    }
}
