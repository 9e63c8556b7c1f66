//! FM2 movies: what is written is read, and anything else is an error with its line.

use nes_controller::Buttons;
use nes_controller::fm2::{Commands, Fm2Error, FrameInput, Movie};
use proptest::prelude::*;

const MOVIE: &str = "version 3\r\nemuVersion 20604\r\nrerecordCount 12\r\npalFlag 0\r\nromFilename game one\r\n\
    romChecksum base64:AAAA\r\nfourscore 0\r\nport0 1\r\nport1 1\r\nport2 0\r\ncomment author somebody\r\n\
    |0|........|........||\r\n|1|R..U...A|.......A||\r\n|2|RLDUTSBA|        ||\r\n";

fn parse(text: &str) -> Result<Movie, Fm2Error> {
    Movie::parse(text.as_bytes())
}

/// A movie of the shortest header and `lines`.
fn input(lines: &str) -> Result<Movie, Fm2Error> {
    parse(&format!("version 3\n{lines}"))
}

#[test]
fn a_movie_is_read_line_by_line() {
    let movie = parse(MOVIE).unwrap();
    assert_eq!(movie.rom_filename, "game one");
    assert_eq!(movie.rom_checksum, "base64:AAAA");
    assert_eq!(movie.rerecord_count, 12);
    assert_eq!(movie.comments, ["author somebody"]);
    assert_eq!(movie.fields, [("emuVersion".to_owned(), "20604".to_owned())]);
    assert_eq!(movie.frames.len(), 3);
    assert_eq!(movie.frame(0), FrameInput::default());
    let second = FrameInput {
        commands: Commands::RESET,
        pads: [Buttons::RIGHT | Buttons::UP | Buttons::A, Buttons::A],
    };
    assert_eq!(movie.frame(1), second);
    let third = FrameInput { commands: Commands::POWER, pads: [Buttons::all(), Buttons::empty()] };
    assert_eq!(movie.frame(2), third);
}

#[test]
fn nothing_is_held_past_the_end() {
    let movie = parse(MOVIE).unwrap();
    assert_eq!(movie.frame(3), FrameInput::default());
    assert_eq!(movie.frame(u64::MAX), FrameInput::default());
}

#[test]
fn a_port_without_a_pad_has_an_empty_field() {
    let movie = input("port1 0\n|0|.......A|||\n|0||\n").unwrap();
    assert_eq!(movie.frame(0).pads, [Buttons::A, Buttons::empty()]);
    assert_eq!(movie.frame(1).pads, [Buttons::empty(); 2]);
}

#[test]
fn the_length_key_ends_the_movie_early() {
    assert_eq!(input("length 1\n|0||||\n|0||||\n").unwrap().frames.len(), 1);
    assert_eq!(input("length -1\n|0||||\n|0||||\n").unwrap().frames.len(), 2);
    assert_eq!(input("length 99999999999\n|0||||\n").unwrap().frames.len(), 1);
}

#[test]
fn every_refusal_names_its_line() {
    let cases = [
        ("|0|........|........||", None),
        ("binary 1", Some("line 2: binary input is not supported")),
        ("binary yes", Some("line 2: expected a number for binary, found \"yes\"")),
        ("savestate base64:AA", Some("line 2: a start from a savestate")),
        ("palFlag 1", Some("line 2: a PAL movie")),
        ("FDS 1", Some("line 2: a Famicom Disk System movie")),
        ("fourscore 1", Some("line 2: the Four Score")),
        ("port0 2", Some("line 2: a device other than a standard pad")),
        ("port2 1", Some("line 2: a device at the expansion port")),
        ("rerecordCount -1", Some("line 2: expected a number for rerecordCount")),
        ("length x", Some("line 2: expected a number for length")),
        ("|4||||", Some("line 2: expected commands 0 to 3 (1 reset, 2 power), found \"4\"")),
        ("||||", Some("line 2: expected commands 0 to 3")),
        ("|0|.......|........||", Some("line 2: expected the 8 columns RLDUTSBA for pad 1, found 7 bytes")),
        ("|0|........|.........||", Some("line 2: expected the 8 columns RLDUTSBA for pad 2, found 9 bytes")),
        (
            "|0|........|........|1|",
            Some("line 2: expected |commands|pad 1|pad 2||, found further input \"1\""),
        ),
        ("|0||||\ncomment late", Some("line 3: expected a line of input")),
    ];
    for (lines, message) in cases {
        match (input(lines), message) {
            (Ok(_), None) => {}
            (Err(error), Some(message)) => {
                assert!(error.to_string().starts_with(message), "{lines}: {error}");
            }
            (result, _) => panic!("{lines}: {result:?}"),
        }
    }
}

#[test]
fn what_is_no_movie_is_told_apart_from_another_version() {
    for bytes in [&b""[..], b"\n", b"FCM\x1A", b"NES\x1A", b"comment x", b"\xFF\xFE"] {
        assert!(matches!(Movie::parse(bytes), Err(Fm2Error::NotAMovie { .. })), "{bytes:?}");
    }
    assert_eq!(parse("version 2\n"), Err(Fm2Error::Version { line: 1, found: "2".to_owned() }));
}

#[test]
fn a_header_ends() {
    assert!(input(&"a\n".repeat(9_000)).is_ok());
    assert_eq!(input(&"a\n".repeat(10_000)), Err(Fm2Error::LongHeader { limit: 10_000 }));
}

#[test]
fn an_error_quotes_only_the_start_of_a_long_line() {
    let error = Movie::parse(&vec![b'x'; 1 << 20]).unwrap_err();
    assert!(error.to_string().len() < 200);
}

fn frames() -> impl Strategy<Value = Vec<FrameInput>> {
    let frame = (0u8..4, any::<[u8; 2]>()).prop_map(|(commands, pads)| FrameInput {
        commands: Commands::from_bits_retain(commands),
        pads: pads.map(Buttons::from_bits_retain),
    });
    prop::collection::vec(frame, 0..40)
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        frames in frames(),
        rerecord_count: u64,
        rom_filename in "[^\r\n]{0,20}",
        comments in prop::collection::vec("[^\r\n]{0,20}", 0..4),
        value in "[^\r\n]{0,20}",
    ) {
        let movie = Movie {
            rom_filename,
            rom_checksum: "base64:AAAA".to_owned(),
            rerecord_count,
            comments,
            fields: vec![("guid".to_owned(), value)],
            frames,
        };
        prop_assert_eq!(parse(&movie.to_string()), Ok(movie));
    }

    #[test]
    fn any_bytes_are_a_movie_or_an_error(bytes: Vec<u8>) {
        let _ = Movie::parse(&bytes);
        let _ = Movie::parse(&[b"version 3\n", &bytes[..]].concat());
    }

    #[test]
    fn any_mutation_of_a_movie_is_a_movie_or_an_error(
        mutations in prop::collection::vec((0..MOVIE.len(), any::<u8>()), 1..8),
        end in 0..=MOVIE.len(),
    ) {
        let mut bytes = MOVIE.as_bytes().to_vec();
        for (index, byte) in mutations {
            bytes[index] = byte;
        }
        bytes.truncate(end);
        if let Ok(movie) = Movie::parse(&bytes) {
            prop_assert!(movie.frames.len() <= bytes.len());
            prop_assert_eq!(parse(&movie.to_string()), Ok(movie));
        }
    }
}
