//! FM2 movies: what is written is read, and anything else is an error with its place.

use fm2::{Commands, Fm2Error, FrameInput, Movie, RamInit, RomHashes, Warning};
use nes_controller::{Aim, Buttons, Devices, Extra};
use proptest::prelude::*;

const MOVIE: &str = "version 3\r\nemuVersion 20604\r\nrerecordCount 12\r\npalFlag 0\r\nromFilename game one\r\n\
    romChecksum base64:AAAA\r\nfourscore 0\r\nport0 1\r\nport1 1\r\nport2 0\r\ncomment author somebody\r\n\
    subtitle 2 look here\r\n|0|........|........||\r\n|0|........|........||\r\n|1|........|........||\r\n\
    |0|R..U...A|.......A||\r\n|0|........|........||\r\n|2|........|........||\r\n|0|RLDUTSBA|        ||\r\n";

fn parse(text: &str) -> Result<Movie, Fm2Error> {
    Movie::parse(text.as_bytes())
}

/// A movie of the shortest header and `lines`.
fn input(lines: &str) -> Result<Movie, Fm2Error> {
    parse(&format!("version 3\n{lines}"))
}

fn pads(first: Buttons, second: Buttons) -> FrameInput {
    FrameInput { pads: [first, second], ..FrameInput::default() }
}

#[test]
fn a_movie_is_read_line_by_line() {
    let movie = parse(MOVIE).unwrap();
    assert_eq!(movie.rom_filename, "game one");
    assert_eq!(movie.rom_checksum, "base64:AAAA");
    assert_eq!(movie.rerecord_count, 12);
    assert_eq!(movie.comments, ["author somebody"]);
    let fields = [("emuVersion", "20604"), ("subtitle", "2 look here")];
    assert_eq!(movie.fields, fields.map(|(key, value)| (key.to_owned(), value.to_owned())));
    assert!(!movie.older);
    let reset = FrameInput {
        commands: Commands::RESET,
        pads: [Buttons::RIGHT | Buttons::UP | Buttons::A, Buttons::A],
        ..FrameInput::default()
    };
    let power = FrameInput { commands: Commands::POWER, ..pads(Buttons::all(), Buttons::empty()) };
    assert_eq!(movie.frames, [FrameInput::default(), reset, FrameInput::default(), power]);
    assert_eq!(movie.frame(1), reset);
}

#[test]
fn nothing_is_held_past_the_end() {
    let movie = parse(MOVIE).unwrap();
    assert_eq!(movie.frame(4), FrameInput::default());
    assert_eq!(movie.frame(u64::MAX), FrameInput::default());
}

#[test]
fn what_was_read_is_kept_when_it_is_written_again() {
    let movie = parse(MOVIE).unwrap();
    let text = movie.to_string();
    assert_eq!(parse(&text).as_ref(), Ok(&movie));
    for line in ["emuVersion 20604", "subtitle 2 look here", "comment author somebody", "rerecordCount 12"] {
        assert!(text.lines().any(|written| written == line), "{line}: {text}");
    }
    assert_eq!(text.matches("comment emulator Maxout ").count(), 1);
    assert_eq!(movie.to_string(), parse(&text).unwrap().to_string(), "the mark does not pile up");
}

#[test]
fn a_port_without_a_pad_has_an_empty_field() {
    let movie = input("port1 0\n|0||||\n|0|.......A|||\n|0||\n").unwrap();
    assert_eq!(movie.frames, [pads(Buttons::A, Buttons::empty()), FrameInput::default()]);
}

/// Seeds 1002447 and 1088162 of the fuzzer's target `fm2`: `palFlag` was written without what made
/// it another key.
#[test]
fn a_key_that_ends_with_a_carriage_return_is_written_as_it_was_read() {
    let movie = Movie::parse(b"version 3\npalFlag\r 1\n|0|........|........||\n").unwrap();
    assert!(!movie.pal);
    let again = Movie::parse(movie.to_string().as_bytes()).unwrap();
    assert_eq!((&again.fields, again.pal), (&movie.fields, false));
    assert_eq!(again.to_string(), movie.to_string());
}

#[test]
fn the_length_key_ends_the_movie_early() {
    assert_eq!(input("length 2\n|0||||\n|0||||\n|0||||\n").unwrap().frames.len(), 1);
    assert_eq!(input("length 0\n|0||||\n|0||||\n").unwrap().frames.len(), 0);
    assert_eq!(input("length -1\n|0||||\n|0||||\n").unwrap().frames.len(), 1);
    assert_eq!(input("length 99999999999\n|0||||\n|0||||\n").unwrap().frames.len(), 1);
}

#[test]
fn a_binary_movie_is_the_same_movie() {
    let header = "version 3\nromFilename game\nport0 1\nport1 1\n";
    let text = format!("{header}|0|||\n|0|R.......|.......A||\n|1|||\n|0|.L......|......B.||\n");
    let bytes =
        [format!("{header}binary 1\n|").as_bytes(), &[0, 0, 0, 0, 0x80, 0x01, 1, 0, 0, 0, 0x40, 0x02]]
            .concat();
    let expected = parse(&text).unwrap();
    assert_eq!(expected.frames.len(), 2);
    assert_eq!(Movie::parse(&bytes).as_ref(), Ok(&expected));
    assert_eq!(Movie::parse(&[&bytes[..], &[0, 1]].concat()), Ok(expected), "a part of a record is none");
    let lines = String::from_utf8_lossy(&bytes[..header.len() + 9]).replace('\n', "\r\n");
    let with_returns = [lines.as_bytes(), &bytes[header.len() + 9..]].concat();
    assert_eq!(Movie::parse(&with_returns), Movie::parse(&bytes));
    let one_pad = [&b"version 3\nport1 0\nbinary 1\n|"[..], &[0, 0, 0, 0x01, 0, 0x80]].concat();
    let (a, right, none) = (Buttons::A, Buttons::RIGHT, Buttons::empty());
    assert_eq!(Movie::parse(&one_pad).unwrap().frames, [pads(a, none), pads(right, none)]);
    let short = [&b"version 3\nlength 2\nport1 0\nbinary 1\n|"[..], &[0, 0, 0, 0x01, 0, 0x80]].concat();
    assert_eq!(Movie::parse(&short).unwrap().frames, [pads(a, none)]);
}

/// A movie with these devices, and the lines of its second frame on.
fn with(devices: &str, lines: &str) -> Movie {
    input(&format!("{devices}\n|0|\n{lines}")).unwrap()
}

#[test]
fn a_four_score_has_four_pads_a_line_and_four_bytes_a_record() {
    let movie = with("fourscore 1", "|0|.......A|......B.|R.......|.L......||\n|0|||||\n");
    assert_eq!(movie.devices, Devices::FourScore);
    let extra = Extra::Pads([Buttons::RIGHT, Buttons::LEFT]);
    let first = FrameInput { extra, ..pads(Buttons::A, Buttons::B) };
    assert_eq!(movie.frames, [first, FrameInput::default()]);
    assert!(movie.to_string().contains("|0|.......A|......B.|R.......|.L......||\n"));
    let records = [&b"version 3\nfourscore 1\nbinary 1\n|"[..], &[0; 5], &[0, 1, 2, 0x80, 0x40], &[0; 5]];
    assert_eq!(Movie::parse(&records.concat()).unwrap().frames, movie.frames);
    // The adapter of a Famicom has the same lines.
    let famicom = with("fourscore 1\nport2 3", "|0|.......A|......B.|R.......|.L......||\n|0|||||\n");
    assert_eq!((famicom.devices, &famicom.frames), (Devices::FamicomFour, &movie.frames));
    assert_eq!(parse(&famicom.to_string()), Ok(famicom));
}

#[test]
fn a_zapper_is_where_fceux_says_and_pulled_as_long_as_fceux_counts() {
    let aim = |x, y, trigger| Extra::Zapper(Aim { x, y, trigger });
    let field = |text: &str| with("port1 2", &format!("|0|........|{text}||\n")).frames[0].extra;
    assert_eq!(field("128 100 1 5 1234567"), aim(128, 100, true));
    assert_eq!(field("128 100 1 0 1234567"), aim(128, 100, false), "held for longer");
    assert_eq!(field("007 239 1"), aim(7, 239, true), "of an old FCEUX");
    assert_eq!(field("128 100 2 3 0"), aim(128, 255, true), "past the screen");
    assert_eq!(field("000 255 0 0 0"), Extra::None);
    let movie = with("port1 2", "|0|.......A|128 100 1 5 99||\n");
    assert_eq!((movie.devices, movie.frames[0].pads[0]), (Devices::Zapper, Buttons::A));
    assert!(movie.to_string().contains("port1 2\n") && movie.to_string().contains("|128 100 1 1 0||\n"));
    let record = [0, 1, 128, 100, 1, 5, 9, 9, 9, 9, 9, 9, 9, 9];
    let records = [&b"version 3\nport1 2\nbinary 1\n|"[..], &[0; 14], &record].concat();
    assert_eq!(Movie::parse(&records).unwrap().frames, movie.frames);
}

#[test]
fn a_microphone_is_start_of_the_second_pad_and_that_pad_has_no_start() {
    let movie = with("microphone 1", "|0|....T...|....T..A||\n|0|||\n");
    let spoken = FrameInput { extra: Extra::Microphone, ..pads(Buttons::START, Buttons::A) };
    assert_eq!((movie.devices, &movie.frames[..]), (Devices::Famicom, &[spoken, FrameInput::default()][..]));
    assert_eq!(parse(&movie.to_string()).as_ref(), Ok(&movie));
    let silent = Movie { frames: vec![pads(Buttons::empty(), Buttons::all())], ..movie };
    assert_eq!(parse(&silent.to_string()).unwrap().frames[0].extra, Extra::None);
}

#[test]
fn ram_begins_as_the_header_says_and_striped_where_it_says_nothing() {
    let ram = |lines: &str| input(lines).map(|movie| movie.ram);
    assert_eq!(ram(""), Ok(RamInit::Stripes));
    assert_eq!(ram("RAMInitSeed 5\nRAMInitOption 0"), Ok(RamInit::Stripes));
    assert_eq!(ram("RAMInitOption 1"), Ok(RamInit::Ones));
    assert_eq!(ram("RAMInitOption 2"), Ok(RamInit::Zeros));
    assert_eq!(ram("RAMInitOption 3\nRAMInitSeed 4294967295"), Ok(RamInit::Random(u32::MAX)));
    assert_eq!(ram("RAMInitSeed -1\nRAMInitOption 3"), Ok(RamInit::Random(u32::MAX)));
}

/// What a Maxout wrote whose lines were the console's frames.
const OLDER: &str = "version 3\nrerecordCount 0\npalFlag 0\nport0 1\nport1 1\nport2 0\nromFilename maxout.nes\n\
    romChecksum base64:AAAA\ncomment author me\n|0|.......A|........||\n|1|......B.|........||\n";

#[test]
fn a_movie_of_an_older_maxout_is_read_as_it_was_recorded_and_says_so() {
    for text in
        [OLDER.to_owned(), OLDER.replace('\n', "\r\n"), OLDER.replace("romChecksum base64:AAAA\n", "")]
    {
        let movie = parse(&text).unwrap();
        assert!(movie.older);
        assert_eq!(movie.ram, RamInit::Zeros);
        let reset = FrameInput { commands: Commands::RESET, ..pads(Buttons::B, Buttons::empty()) };
        assert_eq!(movie.frames, [pads(Buttons::A, Buttons::empty()), reset]);
        assert_eq!(movie.warnings(&RomHashes::default()), [Warning::Older]);
        assert!(Warning::Older.to_string().contains("older Maxout"));
    }
}

#[test]
fn an_older_movie_becomes_a_present_one_of_the_same_frames() {
    let older = parse(OLDER).unwrap();
    let text = older.to_string();
    assert!(
        text.ends_with("|0|.......A|........||\n|1|.......A|........||\n|0|......B.|........||\n"),
        "{text}"
    );
    assert_eq!(parse(&text), Ok(Movie { older: false, ..older }));
}

#[test]
fn what_maxout_writes_and_what_fceux_writes_is_not_taken_for_an_older_one() {
    assert!(!parse(&Movie::default().to_string()).unwrap().older);
    assert!(!parse(MOVIE).unwrap().older);
    assert!(
        !parse(&OLDER.replace("comment author", "comment emulator Maxout 9\ncomment author")).unwrap().older
    );
}

#[test]
fn a_movie_of_another_cartridge_is_told_from_one_that_says_nothing() {
    let md5 = std::array::from_fn(|at| at as u8);
    let own = Movie::checksum_of(md5);
    let warnings = |checksum: &str| {
        Movie { rom_filename: "other".into(), rom_checksum: checksum.into(), ..Movie::default() }
            .warnings(&RomHashes { md5, ..RomHashes::default() })
    };
    for fitting in [&own, "0x000102030405060708090A0B0C0D0E0F", "", "base64:", "base64:????", "0xZZ"] {
        assert_eq!(warnings(fitting), [], "{fitting}");
    }
    let other = Movie::checksum_of([0xAA; 16]);
    let [warning] = &warnings(&other)[..] else { panic!("one warning") };
    let text = warning.to_string();
    assert!(text.contains(&own) && text.contains(&other) && text.contains("other"), "{text}");
}

#[test]
fn every_refusal_names_its_place() {
    let cases = [
        ("|0|........|........||", None),
        ("binary yes", Some("line 2: expected a number for binary, found \"yes\"")),
        ("palFlag 0\r\nFDS 0\r\nfourscore 0\r\nbinary 0\r\n|0|........|........||\r\n", None),
        ("savestate base64:AA", Some("line 2: a start from a savestate of FCEUX's is not supported; record")),
        ("palFlag yes", Some("line 2: expected a number for palFlag, found \"yes\"")),
        ("FDS 1", Some("line 2: a Famicom Disk System movie")),
        ("fourscore 1", None),
        ("port0 2", Some("line 2: the Zapper in the first port")),
        ("port1 9", Some("line 2: a device other than a pad or the Zapper")),
        ("port2 3", Some("line 2: a device at the expansion port is not supported; FCEUX records")),
        (
            "fourscore 1\n|0|........|........|.......||",
            Some("line 3: expected the 8 columns RLDUTSBA for pad 3"),
        ),
        ("port1 2\n|0|........|12 x 0||", Some("line 3: expected the Zapper's column, line and buttons")),
        ("port2 1", Some("line 2: a device at the expansion port")),
        ("port0 pad", Some("line 2: expected a number for port0, found \"pad\"")),
        ("microphone 1\n|0|....T...|........||", None),
        ("microphone 1\n|0|........|....T...||", None),
        ("fourscore 1\nmicrophone 1\n|0||....T...||||", Some("line 4: the microphone beside other devices")),
        ("RAMInitOption 4", Some("line 2: expected RAMInitOption 0 to 3, found 4")),
        ("RAMInitSeed x", Some("line 2: expected a number for RAMInitSeed")),
        ("rerecordCount -1", Some("line 2: expected a number for rerecordCount")),
        ("length x", Some("line 2: expected a number for length")),
        ("|4||||", Some("line 2: a disk that is put in (command 4)")),
        ("|8||||", Some("line 2: a disk that is turned over (command 8)")),
        ("|17||||", Some("line 2: a coin for a VS. System (command 16)")),
        ("|32||||", Some("line 2: expected commands 0 to 3 (1 reset, 2 power), found \"32\"")),
        ("||||", Some("line 2: expected commands 0 to 3")),
        ("|0|.......|........||", Some("line 2: expected the 8 columns RLDUTSBA for pad 1, found 7 bytes")),
        ("|0|........|.........||", Some("line 2: expected the 8 columns RLDUTSBA for pad 2, found 9 bytes")),
        (
            "|0|........|........|1|",
            Some("line 2: expected |commands|pad 1|pad 2||, found further input \"1\""),
        ),
        ("|0||||\n\ncomment late", Some("line 4: expected a line of input")),
        ("binary 1\n|\0\0\0\x04\0\0", Some("binary record 2: a disk that is put in (command 4)")),
        (
            "binary 1\n|\x40\0\0",
            Some("binary record 1: expected commands 0 to 3 (1 reset, 2 power), found \"64\""),
        ),
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
        ..FrameInput::default()
    });
    prop::collection::vec(frame, 0..40)
}

fn ram() -> impl Strategy<Value = RamInit> {
    prop_oneof![
        Just(RamInit::Stripes),
        Just(RamInit::Ones),
        Just(RamInit::Zeros),
        any::<u32>().prop_map(RamInit::Random)
    ]
}

/// Every key that FCEUX 2.6.5 reads.
const KEYS: &[&str] = &[
    "version",
    "emuVersion",
    "rerecordCount",
    "palFlag",
    "romFilename",
    "romChecksum",
    "guid",
    "fourscore",
    "microphone",
    "port0",
    "port1",
    "port2",
    "FDS",
    "NewPPU",
    "RAMInitOption",
    "RAMInitSeed",
    "binary",
    "length",
    "comment",
    "subtitle",
    "savestate",
];

proptest! {
    #[test]
    fn what_is_written_is_read(
        frames in frames(),
        rerecord_count: u64,
        rom_filename in "[^\r\n]{0,20}",
        comments in prop::collection::vec("[^\r\n]{0,20}", 0..4),
        value in "[^\r\n]{0,20}",
        ram in ram(),
        pal: bool,
    ) {
        let movie = Movie {
            pal,
            rom_filename,
            rom_checksum: "base64:AAAA".to_owned(),
            rerecord_count,
            comments,
            fields: vec![("guid".to_owned(), value)],
            frames,
            ram,
            ..Movie::default()
        };
        prop_assert_eq!(parse(&movie.to_string()), Ok(movie));
    }

    #[test]
    fn any_bytes_are_a_movie_or_an_error(bytes: Vec<u8>) {
        let _ = Movie::parse(&bytes);
        let _ = Movie::parse(&[b"version 3\n", &bytes[..]].concat());
        let _ = Movie::parse(&[b"version 3\n|", &bytes[..]].concat());
        let _ = Movie::parse(&[b"version 3\nbinary 1\n|", &bytes[..]].concat());
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
            prop_assert_eq!(parse(&movie.to_string()), Ok(Movie { older: false, ..movie }));
        }
    }

    #[test]
    fn a_binary_movie_has_no_more_frames_than_bytes(
        ports in any::<[bool; 2]>(),
        length in any::<Option<i64>>(),
        bytes: Vec<u8>,
    ) {
        let length = length.map_or(String::new(), |length| format!("length {length}\n"));
        let [first, second] = ports.map(u8::from);
        let header = format!("version 3\nport0 {first}\nport1 {second}\n{length}binary 1\n|");
        if let Ok(movie) = Movie::parse(&[header.as_bytes(), &bytes[..]].concat()) {
            prop_assert!(movie.frames.len() <= bytes.len());
            prop_assert_eq!(parse(&movie.to_string()), Ok(movie));
        }
    }

    #[test]
    fn any_header_of_fceuxs_keys_is_a_movie_or_an_error(
        lines in prop::collection::vec((prop::sample::select(KEYS), "[ -~]{0,12}|-?[0-9]{1,20}"), 0..12),
        input in "(\\|[0-9]{0,3}\\|[RLDUTSBA. ]{0,9}\\|[RLDUTSBA. ]{0,9}\\|[0-9|]{0,3}\r?\n){0,8}",
    ) {
        let header = lines.iter().fold(String::new(), |all, (key, value)| all + key + " " + value + "\n");
        let text = format!("version 3\n{header}{input}");
        if let Ok(movie) = parse(&text) {
            prop_assert!(movie.frames.len() <= text.len());
        }
    }
}
