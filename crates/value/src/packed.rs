//! Nets in less room.
//!
//! A packed net is a net's file ([`crate::Net::from_bytes`]) whose floats stand in four planes, all
//! lowest bytes first, deflated: signs and exponents are much alike, and beside each other they
//! shrink. It begins with `MAXOUTVP`; header and the hash at the end are as in the other files.

use std::borrow::Cow;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use crate::file::{FileError, LENGTH, NET, check_length, open, seal, seal_bytes};
use crate::report::fnv;

const PACKED: &str = "MAXOUTVP";
/// Bytes of a net's floats.
const BODY: usize = 4 * LENGTH;

/// Returns whether bytes begin like a packed net.
pub(crate) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(PACKED.as_bytes())
}

/// Returns the file of a net in less room.
///
/// # Errors
/// When the bytes are no whole net.
pub fn pack(net: &[u8]) -> Result<Vec<u8>, FileError> {
    let net = unpack(net)?;
    let (header, body) = open(NET, &net)?;
    check_length(body.len(), BODY)?;
    let words = body.as_chunks::<4>().0;
    let planes: Vec<u8> = (0..4).flat_map(|byte| words.iter().map(move |word| word[byte])).collect();
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let packed = encoder.write_all(&planes).and_then(|()| encoder.finish());
    Ok(seal_bytes(PACKED, header, packed.map_err(|error| FileError::Packed(error.to_string()))?))
}

/// Returns the file of a net as it was before it was packed; other bytes are returned as they are.
///
/// # Errors
/// When the bytes begin like a packed net and are no whole one.
pub fn unpack(bytes: &[u8]) -> Result<Cow<'_, [u8]>, FileError> {
    if !is_packed(bytes) {
        return Ok(bytes.into());
    }
    let (header, packed) = open(PACKED, bytes)?;
    let mut planes = Vec::with_capacity(BODY);
    let most = BODY as u64 + 1;
    DeflateDecoder::new(packed)
        .take(most)
        .read_to_end(&mut planes)
        .map_err(|error| FileError::Packed(error.to_string()))?;
    check_length(planes.len(), BODY)?;
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
