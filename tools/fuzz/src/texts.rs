//! Texts that people write or exchange: commands and expressions of the debugger, symbols, codes,
//! formulas, seeds, manifests, positions. Each begins as one that is right.

use std::io;

use ai::Formula;
use nes::{Cartridge, Config};
use nes_conformance::{Manifest, Options};
use nes_debug::command::{COMMANDS, Command, CommandSession, FileError, Files};
use nes_debug::expression::Names;
use nes_debug::source::SourceLine;
use nes_debug::symbols::Format;
use nes_debug::{Debugger, Expression, Genie, Sources, Symbols};
use practice::{Mode, Position};
use randomizers::Kind;
use tetris::Profile;

use crate::bytes::{mutate, mutate_text};
use crate::choices::Choices;
use crate::reached::{came_to, reached, said};

const EXPRESSIONS: &[&str] = &[
    "x == 0x30 && [0x0044] > 28",
    "piece == I && level >= 29",
    "pc >= @lock && {0xFFFA} == @nmi || !(flag.c ^ 1)",
    "ppu[0x3F00 + 4] != palette[0] % 3 << 2",
    "-1 < ~%1010 & $FF / 0b11 * (frame - cycle)",
    "value | address ^ is_write >> 1",
];

const FORMATS: [Format; 4] = [Format::Vice, Format::Ca65, Format::Fceux, Format::Mesen];

const SYMBOLS: &[&str] = &[
    "al 00C000 .reset\nal C:0066 .das\n",
    "version\tmajor=2,minor=0\nseg\tid=0,name=\"CODE\",start=0x008000,size=0x4000,ooffs=16\n\
     sym\tid=0,name=\"lock\",size=3,val=0x99A2,seg=0,type=lab\n",
    "version\tmajor=2,minor=0\nfile\tid=0,name=\"a,b.c\",size=1,mtime=0x1,mod=0\nfile\tid=1,name=\"a.s\",size=1,mtime=0x1,mod=0\n\
     line\tid=0,file=0,line=3,type=1,span=0\nline\tid=1,file=0,line=4,type=1,span=1+2\nline\tid=2,file=1,line=9,span=0\n\
     seg\tid=0,name=\"CODE\",start=0x008000,size=0x4000,type=ro,ooffs=16\nseg\tid=1,name=\"ZP\",start=0x000010,size=0x0010,type=rw\n\
     span\tid=0,seg=0,start=0,size=3\nspan\tid=1,seg=0,start=3,size=2\nspan\tid=2,seg=0,start=9,size=20\nspan\tid=3,seg=0,start=0,size=29\n\
     scope\tid=0,name=\"\",mod=0,size=29,span=3\nscope\tid=1,name=\"_main\",mod=0,type=scope,size=29,parent=0,sym=0,span=3\n\
     csym\tid=0,name=\"main\",scope=1,type=0,sc=ext,sym=0\ncsym\tid=1,name=\"i\",scope=1,type=0,sc=auto,offs=-1\n\
     sym\tid=0,name=\"_main\",addrsize=absolute,size=29,scope=0,val=0x8000,seg=0,type=lab\n\
     sym\tid=1,name=\"sp\",addrsize=zeropage,size=2,scope=0,val=0x10,seg=1,type=lab\nsym\tid=2,name=\"_main\",type=imp,exp=0\n",
    "$0400/C8#playfield#the cells\n$C000#reset#\n",
    "P:1234:old:x\nNesInternalRam:0400-04C7:playfield:a\\nb\n",
];

const CODES: &[&str] = &["SXIOPO", "gossip", "ZEXPYGLA"];

const FORMULAS: &[&str] = &[
    "tetrises = -90\nwells = 9\nroughness = 2\n",
    "covered_rows = { weight = 3, power = 1.5, offset = -2, scale = \"log\" }\nlines = [{ weight = 1 }, { weight = 2 }]\n",
];

const SEEDS: &[&str] =
    &["0", "7", "000200", "$8988", "$8988:0A", "4294967295", "18446744073709551615", "0x10"];

const MANIFEST: &str = "{\"roms\": [{\"path\": \"a/b.nes\", \"report\": \"screen\", \"expected\": \"1A2B3C4D\", \
                        \"frame_budget\": 600}, {\"path\": \"c.nes\"}]}";

const POSITION: &str = "1 80201FFBFF T I 19 134 1234567 10 8988 7 4660";

/// A stream's settings; the secret is nobody's.
const CONNECTIONS: &str = "[[nestrischamps]]\nsecret = \"abcdefgh\"\nroom = \"x\"\n[obs]\naddress = \
                           \"127.0.0.1:4455\"\npassword = \"secret\"\n[[obs.rules]]\nwhen = \"game_start\"\ndo = \
                           \"save_replay\"\nafter = 2.5\nplayer = 1\n";

const SEQUENCES: &[&str] = &[
    "TJZOSLI",
    "--randomizer tgm3 --seed 7",
    "--randomizer nes --seed 8988",
    "--randomizer sps --seed 000200",
];

/// Where a net comes from, as its file begins.
const NET: &str = "{\"version\":1,\"shape\":[200,64,32],\"format\":\"ntsc\",\"speed\":1,\"seed\":1,\"rounds\":1,\
                   \"samples\":1,\"notes\":\"\"}";

fn one<'a>(random: &mut Choices, of: &[&'a str]) -> &'a str {
    of[random.below(of.len() as u32) as usize]
}

/// Three of four times the text is changed.
fn changed(random: &mut Choices, text: &str) -> String {
    if random.below(4) == 0 { text.to_owned() } else { mutate_text(text, random) }
}

/// What a session of the debugger reads and writes, in memory.
#[derive(Default)]
pub(crate) struct Disk(Vec<(String, Vec<u8>)>);

impl Disk {
    /// One with these texts.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect())
    }
}

/// The most bytes that one command may write.
const LARGEST: usize = 64 << 20;

impl Files for Disk {
    fn read(&mut self, name: &str) -> Result<Vec<u8>, FileError> {
        let found = self.0.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| FileError(format!("{name}: no such file")))
    }

    fn write(
        &mut self,
        name: &str,
        fill: &mut dyn FnMut(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), FileError> {
        let mut bytes = Vec::new();
        fill(&mut bytes).map_err(|error| FileError(error.to_string()))?;
        assert!(bytes.len() <= LARGEST, "{} bytes written to {name}", bytes.len());
        self.0.push((name.to_owned(), bytes));
        Ok(())
    }
}

/// A session of the debugger with the built-in cartridge.
pub(crate) struct Commands {
    examples: Vec<&'static str>,
}

/// Lines that a session has, and frames that each may run.
const LINES: u32 = 6;
const FRAMES: u32 = 2;

impl Commands {
    pub(crate) fn new() -> Self {
        Self { examples: COMMANDS.iter().flat_map(|command| command.examples.lines()).collect() }
    }

    /// Says the examples of the language's own help, most of them changed, one after the other.
    pub(crate) fn run(&mut self, random: &mut Choices) {
        let image = nes_testing::MAXOUT;
        let cartridge = Cartridge::from_bytes(image).expect("the built-in cartridge");
        let config = Config { video: false, ..Config::default() };
        let debugger = Debugger::new(cartridge, config, Profile::of_image(image));
        let mut session = CommandSession::new(debugger, image.to_vec());
        let mut disk = Disk::default();
        for _ in 0..=random.below(LINES) {
            let example = self.examples[random.below(self.examples.len() as u32) as usize];
            let mut line = changed(random, example);
            if random.below(8) == 0 {
                line.push(' ');
                let expression = one(random, EXPRESSIONS);
                line.push_str(&changed(random, expression));
            }
            let mut left = FRAMES;
            let mut goes_on = || {
                left = left.saturating_sub(1);
                left > 0
            };
            if reached(session.execute(&line, &mut disk, &mut goes_on)).is_some_and(|reply| {
                let name = line.split_whitespace().next().and_then(Command::of_name).map(|known| known.name);
                came_to(format!(
                    "{} {}",
                    name.unwrap_or("nothing"),
                    if reply.failed { "failed" } else { "done" }
                ));
                reply.quits
            }) {
                break;
            }
        }
    }
}

pub(crate) fn expression(random: &mut Choices, symbols: &Symbols) {
    let begin = one(random, EXPRESSIONS);
    let mut text = changed(random, begin);
    if random.below(20) == 0 {
        text = format!("{}{text}{}", "(".repeat(5_000), ")".repeat(5_000));
    }
    let parsed = Expression::parse(&text, &Names::new(symbols, true));
    if let Err(error) = &parsed {
        let end = text.chars().count() + 1;
        assert!((1..=end).contains(&error.column()), "column {} of {end} in {text:?}", error.column());
    }
    let _ = reached(parsed);
}

/// The code of each line is found by the line, and its variables by its function.
fn every_line(sources: &Sources, prg_rom: u32) {
    for file in 0..sources.files().len() {
        for line in sources.lines_with_code(file, 0, u32::MAX) {
            let line = SourceLine { file, line };
            assert_eq!(sources.next_with_code(line), Some(line));
            for spot in sources.spots(line) {
                let bank = spot.place.map_or(0, |place| place - place.min(u32::from(spot.address) & 0x1FFF));
                assert!(spot.place.is_none_or(|place| place < prg_rom), "{spot:?} beyond {prg_rom}");
                let _ = sources.line_at(spot.address, [bank; 4]);
                let _ = sources.function_at(spot.address, [bank; 4]);
            }
        }
    }
    for function in sources.functions() {
        let _ = sources.function(&function.name);
    }
}

/// What a file says is written in every format, and each can be read again.
pub(crate) fn symbols(random: &mut Choices) {
    let begin = one(random, SYMBOLS);
    let text = changed(random, begin);
    let prg_rom = [0, 0x4000, 0x8000, 0x40000][random.below(4) as usize];
    if let Some(sources) = reached(Sources::parse(&text, prg_rom)) {
        every_line(&sources, prg_rom as u32);
    }
    for format in FORMATS {
        let Some(read) = reached(format.read(&text, prg_rom)) else { continue };
        for other in FORMATS {
            let written = other.write(&read, prg_rom);
            let again = other.read(&written, prg_rom);
            assert!(again.is_ok(), "{other:?}: {again:?} of {written:?}, read from {text:?}");
        }
    }
}

/// A code that is read is written so that it is read again.
pub(crate) fn genie(random: &mut Choices) {
    let begin = one(random, CODES);
    if let Some(genie) = reached(Genie::parse(&changed(random, begin))) {
        assert_eq!(Genie::parse(&genie.text()).ok().as_ref(), Some(&genie), "{}", genie.text());
    }
}

pub(crate) fn formula(random: &mut Choices, boards: &[tetris::Playfield]) {
    let begin = one(random, FORMULAS);
    if let Some(formula) = reached(Formula::parse(&changed(random, begin))) {
        for board in boards {
            let _ = formula.rate(board, &ai::Tally::default());
        }
    }
}

/// A seed that is read deals pieces.
pub(crate) fn seed(random: &mut Choices) {
    let begin = one(random, SEEDS);
    let text = changed(random, begin);
    for kind in Kind::ALL {
        if let Some(dealer) = reached(kind.dealer(&text)) {
            assert_eq!(dealer.take(20).count(), 20, "{text:?}");
        }
    }
}

pub(crate) fn manifest(random: &mut Choices) {
    if let Some(manifest) = reached(serde_json::from_str::<Manifest>(&changed(random, MANIFEST))) {
        for path in ["a/b.nes", "x/c.nes", "", "/", "b.nes"] {
            let _ = manifest.entry(path).map(|entry| entry.apply(&Options::default()));
        }
    }
}

/// Lines of SDL's database, and one of a player's own.
const MAPPINGS: &[&str] = &[
    "03000000260900008888000000010000,GameCube,a:b0,b:b2,dpdown:b9,lefttrigger:a4~,leftx:a0,lefty:a1~,platform:Linux,",
    "030000005e0400008e02000010010000,Pad,+leftx:+a0,-leftx:-a0,dpleft:-a0,dpright:+a0,dpup:h0.8,dpdown:h0.1,",
    "xinput,X,a:b0,righttrigger:+a5,leftshoulder:h0.2,platform:Windows",
];

/// A pad with a mapping that was changed reports numbers whatever stands in it.
pub(crate) fn mapping(random: &mut Choices) {
    let begin = one(random, MAPPINGS);
    let line = changed(random, begin);
    let reports = (0..random.below(20)).map(|_| random.next_u64()).collect::<Vec<_>>();
    came_to(desktop::hostile::mapping(&line, &reports));
}

/// Positions and modes: what is read is written as it was.
pub(crate) fn position(random: &mut Choices) {
    let words = changed(random, POSITION);
    // Half of them with a sum that fits, so that more than the sum is looked at.
    let text = match random.below(2) {
        0 => format!("{words} {:08X}", crc32fast::hash(words.as_bytes())),
        _ => words,
    };
    if let Some(position) = reached(text.parse::<Position>()) {
        assert_eq!(position.to_string().parse(), Ok(position), "{text:?}");
    }
    let begin = one(random, &["seed=0008A9", "tap-quantity=12", "cap=lines:330", "levels"]);
    let text = changed(random, begin);
    if let Some(mode) = reached(text.parse::<Mode>()) {
        assert_eq!(mode.to_string().parse(), Ok(mode), "{text:?}");
    }
    let _ = reached(practice::Options::default().set(&text));
}

pub(crate) fn settings(random: &mut Choices, usual: &str) {
    // A few lines of them: a change in a whole file would mostly be one in a comment.
    let lines: Vec<&str> = usual.lines().filter(|line| !line.starts_with('#')).collect();
    let begin = random.below(lines.len() as u32) as usize;
    let end = (begin + 1 + random.below(12) as usize).min(lines.len());
    let section = lines[..begin].iter().rfind(|line| line.starts_with('['));
    let text = [&[*section.unwrap_or(&"")][..], &lines[begin..end]].concat().join("\n");
    let warnings = desktop::hostile::settings(&changed(random, &text));
    for warning in warnings {
        said(&warning);
    }
}

pub(crate) fn connections(random: &mut Choices) {
    if let Some(settings) = reached(stream::Settings::parse(&changed(random, CONNECTIONS))) {
        let _ = settings.sites(None);
        let _ = settings.obs(None);
    }
}

/// The weights that come with the program.
pub(crate) fn usual_weights() -> String {
    include_str!("../../../crates/value/weights/linear.json").to_owned()
}

/// Weights as text, and files of nets, whose sums are mended: little is as long as a net has to be.
pub(crate) fn weights(random: &mut Choices, usual: &str) {
    let _ = reached(value::WeightsFile::parse(&changed(random, usual)));
    let header = changed(random, NET);
    for letters in ["MAXOUTVN", "MAXOUTVL"] {
        let mut bytes =
            [letters.as_bytes(), &(header.len() as u32).to_le_bytes(), header.as_bytes()].concat();
        bytes.extend((0..random.below(100)).map(|_| random.next_u64() as u8));
        if random.below(4) == 0 {
            mutate(&mut bytes, random);
        }
        bytes.extend(value::fnv(&bytes).to_le_bytes());
        let _ = reached(value::Net::from_bytes(&bytes));
        let _ = reached(value::Learner::from_bytes(&bytes));
    }
}

/// Pieces that are understood are dealt.
pub(crate) fn sequence(random: &mut Choices, profile: &Profile) {
    let begin = one(random, SEQUENCES);
    let _ = reached(practice::sequence(&changed(random, begin), profile.clone()));
}
