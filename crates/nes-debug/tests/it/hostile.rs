//! Texts from outside that were cut, swapped and overwritten: no panic, and an error's column lies
//! in the text.

use nes_debug::expression::Names;
use nes_debug::symbols::Format;
use nes_debug::{Expression, Genie, Sources, Symbols};
use tetris::SplitMix64;

/// Changes texts at random.
struct Mutator(SplitMix64);

impl Mutator {
    fn roll(&mut self, sides: usize) -> usize {
        self.0.below(sides as u32) as usize
    }

    /// `text` with a few characters taken out, doubled, or made others.
    fn mutate(&mut self, text: &str) -> String {
        let mut letters: Vec<char> = text.chars().collect();
        for _ in 0..=self.roll(4) {
            let at = self.roll(letters.len().max(1));
            let new = ['(', '[', '{', '$', '%', '@', '#', ':', '"', ',', '=', '0', 'é', '\u{0}', '\n', '~']
                [self.roll(16)];
            match self.roll(4) {
                0 if at < letters.len() => {
                    letters.remove(at);
                }
                1 if at < letters.len() => letters[at] = new,
                2 => letters.truncate(at),
                _ => letters.insert(at.min(letters.len()), new),
            }
        }
        letters.into_iter().collect()
    }
}

const EXPRESSIONS: [&str; 6] = [
    "x == 0x30 && [0x0044] > 28",
    "piece == I && level >= 29",
    "pc >= @lock && {0xFFFA} == @nmi || !(flag.c ^ 1)",
    "ppu[0x3F00 + 4] != palette[0] % 3 << 2",
    "-1 < ~%1010 & $FF / 0b11 * (frame - cycle)",
    "value | address ^ is_write >> 1",
];

const FILES: [(Format, &str); 5] = [
    (
        Format::Ca65,
        "version\tmajor=2,minor=0\nfile\tid=0,name=\"a,b.c\",size=1,mtime=0x1,mod=0\nfile\tid=1,name=\"a.s\",size=1,mtime=0x1,mod=0\n\
         line\tid=0,file=0,line=3,type=1,span=0\nline\tid=1,file=0,line=4,type=1,span=1+2\nline\tid=2,file=1,line=9,span=0\n\
         seg\tid=0,name=\"CODE\",start=0x008000,size=0x4000,type=ro,ooffs=16\nseg\tid=1,name=\"ZP\",start=0x000010,size=0x0010,type=rw\n\
         span\tid=0,seg=0,start=0,size=3\nspan\tid=1,seg=0,start=3,size=2\nspan\tid=2,seg=0,start=9,size=20\nspan\tid=3,seg=0,start=0,size=29\n\
         scope\tid=0,name=\"\",mod=0,size=29,span=3\nscope\tid=1,name=\"_main\",mod=0,type=scope,size=29,parent=0,sym=0,span=3\n\
         csym\tid=0,name=\"main\",scope=1,type=0,sc=ext,sym=0\ncsym\tid=1,name=\"i\",scope=1,type=0,sc=auto,offs=-1\n\
         sym\tid=0,name=\"_main\",addrsize=absolute,size=29,scope=0,val=0x8000,seg=0,type=lab\n\
         sym\tid=1,name=\"sp\",addrsize=zeropage,size=2,scope=0,val=0x10,seg=1,type=lab\nsym\tid=2,name=\"_main\",type=imp,exp=0\n",
    ),
    (Format::Vice, "al 00C000 .reset\nal C:0066 .das\n"),
    (Format::Ca65, "version\tmajor=2,minor=0\nsym\tid=0,name=\"lock\",size=3,val=0x99A2,type=lab\n"),
    (Format::Fceux, "$0400/C8#playfield#the cells\n$C000#reset#\n"),
    (Format::Mesen, "P:1234:old:x\nNesInternalRam:0400-04C7:playfield:a\\nb\n"),
];

const CODES: [&str; 3] = ["SXIOPO", "gossip", "ZEXPYGLA"];

fn mutations(count: usize, seed: u64) {
    let mut mutator = Mutator(SplitMix64::new(seed));
    let profile = tetris::Profile::parse("name = \"x\"\nsha1 = []\n").expect("a profile");
    let symbols = Symbols::of_game(&profile);
    let names = Names::new(&symbols, true);
    let mut accepted = 0;
    for _ in 0..count {
        let text = EXPRESSIONS[mutator.roll(EXPRESSIONS.len())];
        let text = mutator.mutate(text);
        match Expression::parse(&text, &names) {
            Ok(_) => accepted += 1,
            Err(error) => {
                let end = text.chars().count() + 1;
                assert!((1..=end).contains(&error.column()), "{text:?}: {error}");
            }
        }
        let (format, file) = FILES[mutator.roll(FILES.len())];
        let (text, prg_rom) = (mutator.mutate(file), [0, 0x4000, 0x8000, 0x40000][mutator.roll(4)]);
        let _ = format.read(&text, prg_rom);
        let _ = Sources::parse(&text, prg_rom);
        let code = CODES[mutator.roll(CODES.len())];
        let _ = Genie::parse(&mutator.mutate(code));
    }
    assert!(accepted > count / 50 && accepted < count, "{accepted} of {count} expressions were still ones");
}

#[test]
fn mutated_texts_are_errors_and_not_panics() {
    mutations(5_000, 0x9E37_79B9_7F4A_7C15);
}

#[test]
#[ignore = "a minute: cargo test --release -p nes-debug --test it hostile:: -- --ignored"]
fn a_million_mutated_texts_are_errors_and_not_panics() {
    mutations(1_000_000, 0xD1B5_4A32_D192_ED03);
}
