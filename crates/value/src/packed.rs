//! Nets in less room.
//!
//! A packed net is a net's file ([`crate::Net::from_bytes`]) whose floats stand in four planes, all
//! lowest bytes first, deflated: signs and exponents are much alike, and beside each other they
//! shrink. It begins with `MAXOUTVP`; header and the hash at the end are as in the other files. A
//! packed small net begins with `MAXOUTVR`, and its body is deflated as it is.

use std::borrow::Cow;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::file::{FileError, LENGTH, NET, SMALL, SMALL_LENGTH, check_length, open, seal, seal_bytes};
use crate::report::fnv;

const PACKED: &str = "MAXOUTVP";
const PACKED_SMALL: &str = "MAXOUTVR";
/// Bytes of a net's floats.
const BODY: usize = 4 * LENGTH;

/// Returns whether bytes begin like a packed net.
pub(crate) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(PACKED.as_bytes()) || is_packed_small(bytes)
}

fn is_packed_small(bytes: &[u8]) -> bool {
    bytes.starts_with(PACKED_SMALL.as_bytes())
}

fn deflate(bytes: &[u8]) -> Result<Vec<u8>, FileError> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    packed.map_err(|error| FileError::Packed(error.to_string()))
}

/// Returns what was deflated, which has to have this length.
fn inflate(packed: &[u8], length: usize) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::with_capacity(length);
    DeflateDecoder::new(packed)
        .take(length as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| FileError::Packed(error.to_string()))?;
    check_length(bytes.len(), length)?;
    Ok(bytes)
}

/// Returns the file of a net in less room.
///
/// # Errors
/// When the bytes are no whole net.
pub fn pack(net: &[u8]) -> Result<Vec<u8>, FileError> {
    let net = unpack(net)?;
    if net.starts_with(SMALL.as_bytes()) {
        let (header, body) = open(SMALL, &net)?;
        check_length(body.len(), SMALL_LENGTH)?;
        return Ok(seal_bytes(PACKED_SMALL, header, deflate(body)?));
    }
    let (header, body) = open(NET, &net)?;
    check_length(body.len(), BODY)?;
    let words = body.as_chunks::<4>().0;
    let planes: Vec<u8> = (0..4).flat_map(|byte| words.iter().map(move |word| word[byte])).collect();
    Ok(seal_bytes(PACKED, header, deflate(&planes)?))
}

/// Returns the file of a net as it was before it was packed; other bytes are returned as they are.
///
/// # Errors
/// When the bytes begin like a packed net and are no whole one.
pub fn unpack(bytes: &[u8]) -> Result<Cow<'_, [u8]>, FileError> {
    if !is_packed(bytes) {
        return Ok(bytes.into());
    }
    if is_packed_small(bytes) {
        let (header, packed) = open(PACKED_SMALL, bytes)?;
        return Ok(seal_bytes(SMALL, header, inflate(packed, SMALL_LENGTH)?).into());
    }
    let (header, packed) = open(PACKED, bytes)?;
    let planes = inflate(packed, BODY)?;
    let words = (0..LENGTH).map(|at| std::array::from_fn(|byte| planes[byte * LENGTH + at]));
    Ok(seal(NET, header, words).into())
}

/// Returns the hash by which a net's file is known, packed or not: FNV-1a of its bytes before they
/// were packed. Bytes that are no net have that of the bytes.
pub fn net_hash(bytes: &[u8]) -> u64 {
    unpack(bytes).map_or_else(|_| fnv(bytes), |net| fnv(&net))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, Learner, Net, Outputs, Plan, Speed};

    fn net() -> Vec<u8> {
        let provenance = Learner::new(Plan::new(Format::HEADLINE, Speed::L19, 1)).provenance("packed");
        Net::random(Outputs::usual(Speed::L19), 7).to_bytes(&provenance)
    }

    #[test]
    fn a_packed_net_is_shorter_and_the_same() {
        let net = net();
        let packed = pack(&net).unwrap();
        assert!(packed.len() < net.len() * 9 / 10, "{} of {}", packed.len(), net.len());
        assert_eq!(unpack(&packed).unwrap(), net);
        assert_eq!(pack(&packed).unwrap(), packed, "once is enough");
        let (read, provenance) = Net::from_bytes(&packed).unwrap();
        assert_eq!((read.to_bytes(&provenance), net_hash(&packed)), (net.clone(), fnv(&net)));
    }

    #[test]
    fn a_rounded_net_is_nearly_the_same_and_shorter_when_it_is_packed() {
        let (net, provenance) = Net::from_bytes(&net()).unwrap();
        let rounded = net.rounded();
        let farthest = net
            .numbers()
            .zip(rounded.numbers())
            .map(|(number, rounded)| ((number - rounded) / number.abs().max(f32::MIN_POSITIVE)).abs())
            .fold(0.0, f32::max);
        // Half of the last of 15 bits behind the point.
        assert!(farthest > 0.0 && farthest <= 1.0 / 65_536.0, "{farthest}");
        assert_eq!(rounded.rounded(), rounded, "once is enough");
        let [whole, rounded] = [net, rounded].map(|net| pack(&net.to_bytes(&provenance)).unwrap().len());
        assert!(rounded < whole * 3 / 4, "{rounded} of {whole}");
    }

    #[test]
    fn a_small_net_is_packed_too() {
        let (net, provenance) = Net::from_bytes(&net()).unwrap();
        let small = net.to_small_bytes(&provenance);
        let packed = pack(&small).unwrap();
        assert!(packed.len() < small.len(), "{} of {}", packed.len(), small.len());
        assert_eq!(unpack(&packed).unwrap(), small);
        assert_eq!(pack(&packed).unwrap(), packed, "once is enough");
        let (read, provenance) = Net::from_bytes(&packed).unwrap();
        assert_eq!((read.to_small_bytes(&provenance), net_hash(&packed)), (small.clone(), fnv(&small)));
        let (header, body) = open(PACKED_SMALL, &packed).unwrap();
        for (body, expected) in [(&body[..body.len() / 2], "deflated"), (&[3, 0][..], "found 0")] {
            let damaged = seal_bytes(PACKED_SMALL, header, body.to_vec());
            let message = Net::from_bytes(&damaged).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn a_packed_net_that_is_damaged_or_holds_something_else_is_refused() {
        let packed = pack(&net()).unwrap();
        let (header, body) = open(PACKED, &packed).unwrap();
        for bytes in [&packed[..packed.len() - 1], &packed[..30], b"MAXOUTVP"] {
            assert!(Net::from_bytes(bytes).is_err());
        }
        for (body, expected) in [
            (&body[..body.len() / 2], "deflated"),
            (&[3, 0][..], "expected 12"),
            (&[0xFF; 40][..], "deflated"),
        ] {
            let message =
                Net::from_bytes(&seal_bytes(PACKED, header, body.to_vec())).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
        // More than a net has is not unpacked to its end.
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&vec![0; 40 << 20]).unwrap();
        let bomb = seal_bytes(PACKED, header, encoder.finish().unwrap());
        let message = Net::from_bytes(&bomb).unwrap_err().to_string();
        assert!(message.contains(&format!("found {}", BODY + 1)), "{message}");
    }
}
