//! Archives, request heads, and files of trainings.

use std::io::{Cursor, Write};

use training::{Method, Objective, Trainer, Trial};
use value::{Format, Learner, Plan, Speed};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::bytes::{mutate, mutate_text};
use crate::choices::Choices;
use crate::reached::reached;

/// The most that is unpacked.
const LIMIT: u64 = 1 << 20;

/// An archive with a ROM and a text, one packed and one not.
pub(crate) fn archive() -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(vec![]));
    let packed = SimpleFileOptions::default();
    let stored = packed.compression_method(zip::CompressionMethod::Stored);
    for (name, bytes, options) in
        [("game.nes", &nes_testing::MAXOUT[..2_000], packed), ("read.txt", &b"text"[..], stored)]
    {
        writer.start_file(name, options).expect("an entry");
        writer.write_all(bytes).expect("bytes");
    }
    writer.finish().expect("an archive").into_inner()
}

/// What is unpacked of a changed archive is no longer than it may be.
pub(crate) fn unpacked(random: &mut Choices, usual: &[u8]) {
    let mut bytes = usual.to_vec();
    if random.one_in(2) {
        mutate(&mut bytes, random);
    } else {
        // The heads of entries lie at the front, the folder of the archive at the end.
        for _ in 0..=random.below(4) {
            let reach = random.below(200.min(bytes.len() as u32)) as usize;
            let at = if random.one_in(3) { reach } else { bytes.len() - 1 - reach };
            bytes[at] = if random.one_in(2) { 0xFF } else { random.next_u64() as u8 };
        }
    }
    let length = bytes.len();
    if let Some(rom) = reached(draft::unpack_rom(bytes, LIMIT)) {
        assert!(rom.len() as u64 <= LIMIT.max(length as u64), "{} bytes of {length}", rom.len());
    }
}

const BIZHAWK: [(&str, &str); 4] = [
    (
        "Header.txt",
        "Platform NES\nCore NesHawk\nGameName x\nPAL 1\nSHA1 00\nMD5 00\nrerecordCount 1\nStartsFromSavestate False\n",
    ),
    ("Comments.txt", "one\ntwo\n"),
    ("SyncSettings.json", "{\"o\":{\"RegionOverride\":2,\"InitialWRamStatePattern\":[255,255]}}\n"),
    (
        "Input Log.txt",
        "[Input]\nLogKey:#Reset|Power|#P1 Up|P1 A|#P2 Start|P2 X|\n|..|UA|..|\n|r.|.A|S.|\n|.P|..|..|\n[/Input]\n",
    ),
];
const MESEN: [(&str, &str); 2] = [
    ("GameSettings.txt", "MovieFormatVersion 2\nGameFile x\nSHA1 00\nRegion PAL\nnes.ramPowerOnState 2\n"),
    ("Input.txt", "|..|........|........\n|R.|UDLRSsBA|U.......|.\n|.P|.......A|........\n"),
];

/// A movie of BizHawk's or Mesen's, of which a text is changed and packed again. What is read of it
/// is written and read once more.
pub(crate) fn movie(random: &mut Choices) {
    let files = if random.one_in(2) { &BIZHAWK[..] } else { &MESEN[..] };
    let mut writer = ZipWriter::new(Cursor::new(vec![]));
    for (name, text) in files {
        let text = if random.one_in(2) { mutate_text(text, random) } else { (*text).to_owned() };
        writer.start_file(*name, SimpleFileOptions::default()).expect("an entry");
        writer.write_all(text.as_bytes()).expect("bytes");
    }
    let mut bytes = writer.finish().expect("an archive").into_inner();
    if random.one_in(4) {
        mutate(&mut bytes, random);
    }
    if let Some(movie) = reached(movies::read(&bytes))
        && let Some(written) = reached(movies::write(movies::Kind::Bk2, &movie))
    {
        let again = movies::read(&written).expect("what is written can be read");
        assert_eq!(again.frames, movie.frames, "what is read again is the same");
    }
}

/// Lines of heads: those of browsers, and wrong ones.
const LINES: [&str; 16] = [
    "Content-Length: 2",
    "Content-Length: 4097",
    "Host: 127.0.0.1:5050",
    "Host: LOCALHOST:5050",
    "Host: example.org",
    "Origin: https://example.org",
    "Origin: null",
    "Sec-Fetch-Site: cross-site",
    "Sec-Fetch-Mode: navigate",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Authorization: Bearer 0123456789abcdef",
    "Connection: keep-alive, Upgrade",
    " folded",
    "X: \u{e9}",
];

const TOKEN: &str = "0123456789abcdef";

/// A head is refused with a status of HTTP's, or its sender knows the token and names this server.
pub(crate) fn head(random: &mut Choices) {
    let path = random.pick(&[
        "/",
        "/events",
        "/?token=0123456789abcdef",
        "/?a=b&token=0123456789abcdef",
        "/%00",
        "*",
    ]);
    let method = random.pick(&["GET", "GET", "GET", "POST", "get"]);
    let mut text = format!("{method} {path} HTTP/1.1\r\n");
    for _ in 0..random.below(10) {
        text += random.pick(&LINES);
        text += random.pick(&["\r\n", "\r\n", "\r\n", "\n"]);
    }
    text += "\r\n";
    let mut bytes = if random.one_in(2) { mutate_text(&text, random) } else { text }.into_bytes();
    if random.one_in(4) {
        mutate(&mut bytes, random);
    }
    let status = stream::server::status_of(&bytes, TOKEN);
    let _ =
        reached(status.filter(|status| *status == 200).ok_or_else(|| format!("{status:?} {}", name(status))));
    match status {
        // A head of 8 KiB and a body of 4.
        None => assert!(bytes.len() < 12 * 1024, "{} bytes are waited for", bytes.len()),
        Some(200) => {
            let text = String::from_utf8_lossy(&bytes).to_lowercase();
            assert!(text.contains(TOKEN), "a stranger is served: {text:?}");
            assert!(["127.0.0.1:5050", "localhost:5050"].iter().any(|host| text.contains(host)), "{text:?}");
        }
        Some(status) => {
            assert!(matches!(status, 400 | 401 | 403 | 405 | 411 | 413 | 421 | 426 | 431), "{status}");
        }
    }
}

/// A word for each status, by which they are told apart.
fn name(status: Option<u16>) -> &'static str {
    match status {
        None => "waits",
        Some(400) => "malformed",
        Some(401) => "token",
        Some(403) => "origin",
        Some(405) => "method",
        Some(411) => "no length",
        Some(413) => "long body",
        Some(421) => "host",
        Some(426) => "handshake",
        Some(431) => "long",
        Some(_) => "served",
    }
}

/// A journal of a battery's RAM to change.
pub(crate) struct Journals {
    folder: tempfile::TempDir,
    records: Vec<Vec<u8>>,
    file: Vec<u8>,
}

impl Journals {
    const RAM: usize = 256;

    /// The journal of a few frames: both halves have a record, the newer one has entries.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let mut journal = draft::Journal::open(&path, b"fuzz", Self::RAM).expect("a journal");
        let mut ram = vec![0; Self::RAM];
        let mut records = Vec::new();
        for frame in 1..9_u8 {
            if frame < 3 {
                ram.fill(frame);
            }
            ram[usize::from(frame) * 20] = frame;
            journal.write(&[&ram]).expect("a record");
            records.push(ram.clone());
        }
        let file = std::fs::read(&path).expect("a file");
        Self { folder, records, file }
    }

    /// What is read of a changed file is a record that was written, and the file takes further
    /// ones.
    pub(crate) fn changed(&mut self, random: &mut Choices) {
        let path = self.folder.path().join("journal");
        let mut bytes = self.file.clone();
        let half = bytes.len() / 2;
        for _ in 0..=random.below(4) {
            // Most of a half is empty.
            let at = random.below(2) as usize * half + random.below(700) as usize;
            match random.below(4) {
                0 => bytes[at] = random.next_u64() as u8,
                1 => bytes[at] ^= 1 << random.below(8),
                2 => bytes[at..at + 8].fill(0xFF),
                _ => {
                    let from = random.below(2) as usize * half + random.below(700) as usize;
                    bytes.copy_within(from..from + 30, at);
                }
            }
        }
        if random.one_in(16) {
            bytes.truncate(random.below(bytes.len() as u32) as usize);
        }
        std::fs::write(&path, &bytes).expect("a file");
        let read = draft::Journal::read(&path, b"fuzz", Self::RAM);
        if let Some(record) = reached(read.ok_or_else(|| "none".to_owned())) {
            assert!(self.records.contains(&record), "a record that was never written: {record:?}");
        }
        let mut journal = draft::Journal::open(&path, b"fuzz", Self::RAM).expect("a journal");
        let record = [random.next_u64() as u8; Self::RAM];
        journal.write(&[&record]).expect("a record");
        assert_eq!(draft::Journal::read(&path, b"fuzz", Self::RAM).as_deref(), Some(&record[..]));
    }
}

/// Files of trainings to change.
pub(crate) struct Trainings {
    files: Vec<Vec<u8>>,
    checkpoints: Vec<String>,
}

impl Trainings {
    pub(crate) fn new() -> Self {
        let learner = Learner::new(Plan::new(Format::HEADLINE, Speed::L39, 1));
        let trial = Trial { games: 1, pieces: 5, ..Trial::new(Objective::Survival) };
        let checkpoints = [Method::Cma, Method::Pso].map(|method| {
            let mut trainer = Trainer::new(method, 4, trial.clone(), 7).expect("a trainer");
            let fitness: Vec<f64> = (0..trainer.candidates().len()).map(|at| at as f64).collect();
            trainer.tell(&fitness).expect("as many as asked");
            serde_json::to_string(&trainer).expect("text")
        });
        Self { files: vec![learner.to_bytes()], checkpoints: checkpoints.into() }
    }

    /// A file whose header or body is changed and whose checksum is right; what is read of it is
    /// written and read again. And a checkpoint, with which training goes on if it is read.
    pub(crate) fn changed(&self, random: &mut Choices) {
        let file = &self.files[random.below(self.files.len() as u32) as usize];
        // Letters, the header's length, the header, the body, a checksum.
        let length = u32::from_le_bytes([file[8], file[9], file[10], file[11]]) as usize;
        let header = String::from_utf8_lossy(&file[12..12 + length]).into_owned();
        let mut body = file[12 + length..file.len() - 8].to_vec();
        let header = if random.one_in(4) { header } else { numbers_changed(&header, random) };
        for _ in 0..random.below(4) {
            let at = random.below(body.len() as u32) as usize;
            body[at] = random.next_u64() as u8;
        }
        if random.one_in(4) {
            body.truncate(random.below(body.len() as u32) as usize);
        }
        let mut bytes = [&file[..8], &(header.len() as u32).to_le_bytes(), header.as_bytes(), &body].concat();
        bytes.extend(value::fnv(&bytes).to_le_bytes());
        if let Some(learner) = reached(Learner::from_bytes(&bytes)) {
            assert!(Learner::from_bytes(&learner.to_bytes()).is_ok(), "what is written can be read");
        }
        let _ = reached(value::Net::from_bytes(&bytes));
        let _ = reached(value::Assignment::from_bytes(&bytes));
        let _ = reached(value::Played::from_bytes(&bytes));
        let text = &self.checkpoints[random.below(self.checkpoints.len() as u32) as usize];
        let text = numbers_changed(text, random);
        if let Some(mut trainer) = reached(serde_json::from_str::<Trainer>(&text)) {
            let asked = trainer.candidates().len();
            if asked <= 1_000 {
                let _ = trainer.tell(&vec![1.0; asked]);
            }
        }
    }
}

/// A text of which a few numbers are others, or a few letters.
fn numbers_changed(text: &str, random: &mut Choices) -> String {
    if random.one_in(4) {
        return mutate_text(text, random);
    }
    let places: Vec<usize> =
        text.char_indices().filter(|(_, letter)| letter.is_ascii_digit()).map(|(at, _)| at).collect();
    let mut text = text.to_owned();
    let at = places[random.below(places.len() as u32) as usize];
    let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
    let numbers = ["0", "1", "18446744073709551615", "4294967296", "1e308", "-1", "null", "[]", "65536"];
    text.replace_range(at..at + digits, random.pick(&numbers));
    text
}
