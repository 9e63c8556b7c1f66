//! Files as others write them, and damaged ones.

use notation::ngf::{Damage, Frame, FrameError, Pieces, Recording, RecordingError, Version};
use tetris::{Piece, SplitMix64};

fn frames(count: u32) -> Vec<Frame> {
    let mut random = SplitMix64::new(7);
    let frame = |number: u32| {
        let mut known = |limit: u32| (!random.one_in(4)).then(|| random.below(limit));
        Frame {
            game: 3,
            ctime: number * 16,
            lines: known(500),
            level: known(60).map(|level| level as u8),
            score: known(2_000_000),
            pieces: Pieces {
                das: known(17).map(|das| das as u8),
                next: known(7).and_then(|piece| Piece::from_number(piece as u8)),
                spawn_das: known(17).map(|das| das as u8),
                current: known(7).and_then(|piece| Piece::from_number(piece as u8)),
            },
            counts: std::array::from_fn(|_| known(250)),
            cells: std::array::from_fn(|_| known(4).unwrap_or(0) as u8),
        }
    };
    (0..count).map(frame).collect()
}

fn recording(version: Version, frames: &[Frame]) -> Recording {
    let mut recording = Recording::new(version);
    for frame in frames {
        recording.push(frame);
    }
    recording
}

#[test]
fn what_is_written_in_any_version_is_read_again_packed_or_not() {
    let frames = frames(40);
    for version in [Version::V1, Version::V2, Version::V3] {
        let written = recording(version, &frames);
        for bytes in [written.plain().to_vec(), written.packed().unwrap()] {
            let read = Recording::read(&bytes).unwrap();
            assert_eq!((read.version(), read.damage(), read.len()), (version, None, 40));
            assert!(read.frames().eq(frames.iter().cloned()));
        }
    }
}

#[test]
fn a_damaged_file_is_read_up_to_the_frame_at_fault_which_is_named() {
    let frames = frames(40);
    let whole = recording(Version::V3, &frames);
    let plain = whole.plain();
    let cut = Recording::read(&plain[..10 * 73 + 5]).unwrap();
    assert_eq!(cut.damage(), Some(&Damage::Cut { frame: 11, expected: 73, found: 5 }));
    assert!(cut.frames().eq(frames[..10].iter().cloned()));
    let mut other = plain.to_vec();
    other[20 * 73] = 0x48;
    let other = Recording::read(&other).unwrap();
    assert_eq!(other.damage(), Some(&Damage::Version { frame: 21, expected: 3, found: 2 }));
    assert_eq!(other.len(), 20);
    let packed = whole.packed().unwrap();
    let torn = Recording::read(&packed[..packed.len() / 2]).unwrap();
    assert!(matches!(torn.damage(), Some(Damage::Gzip { .. })), "{torn:?}");
    assert!(torn.len() < 40 && torn.frames().eq(frames[..torn.len()].iter().cloned()));
    assert!(torn.damage().unwrap().to_string().contains(&format!("frame {}", torn.len())));
}

#[test]
fn a_file_without_a_frame_is_refused_and_the_message_says_what_was_found() {
    assert_eq!(Recording::read(&[]), Err(RecordingError::Empty));
    assert_eq!(Recording::read(&[0xE0; 80]), Err(RecordingError::First(FrameError::Version(7))));
    let short = Recording::read(&[0x68; 20]).unwrap_err().to_string();
    assert!(short.contains("frame 1") && short.contains("expected up to 73 bytes, found 20"), "{short}");
    assert!(matches!(Recording::read(&[0x1F, 0x8B, 0, 0]), Err(RecordingError::Gzip(_))));
    // Zeros without end, packed, are no frame, and take no memory beyond the bound.
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let mut block = vec![0; 1 << 20];
    block[0] = 0x68;
    for _ in 0..80 {
        std::io::Write::write_all(&mut packer, &block).unwrap();
        block[0] = 0;
    }
    let bomb = Recording::read(&packer.finish().unwrap()).unwrap();
    assert_eq!(bomb.len(), 1);
}
