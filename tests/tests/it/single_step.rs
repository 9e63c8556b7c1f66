//! The cases of `SingleStepTests`' `nes6502` (`65x02/nes6502/v1/*.json`, MIT), of which each has
//! registers and memory before and after an instruction and what is on the bus in each of its
//! cycles. The files are 1 GB and not kept here.

use std::path::{Path, PathBuf};

use maxout_tests::local;
use nes::cpu::{Access, Bus, Cpu, Lines, Status, Step, Unstable};
use serde::Deserialize;

/// Bits of P that are one in the register whatever was pushed, and that no register has.
const UNUSED: u8 = 0x20;
const BREAK: u8 = 0x10;

#[derive(Deserialize)]
struct Case {
    name: String,
    initial: Moment,
    r#final: Moment,
    cycles: Vec<(u16, u8, Direction)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Direction {
    Read,
    Write,
}

/// The machine between two instructions.
#[derive(Deserialize)]
struct Moment {
    pc: u16,
    s: u8,
    a: u8,
    x: u8,
    y: u8,
    p: u8,
    ram: Vec<(u16, u8)>,
}

struct Board {
    memory: Vec<u8>,
    cycles: Vec<(u16, u8, Direction)>,
}

impl Bus for Board {
    fn read(&mut self, address: u16, _: Access) -> u8 {
        let value = self.memory[usize::from(address)];
        self.cycles.push((address, value, Direction::Read));
        value
    }

    fn write(&mut self, address: u16, value: u8, _: Access) {
        self.memory[usize::from(address)] = value;
        self.cycles.push((address, value, Direction::Write));
    }

    fn lines(&mut self) -> Lines {
        Lines::empty()
    }

    fn acknowledge_nmi(&mut self) {}

    fn held(&self) -> bool {
        false
    }
}

/// Runs a case on a board whose memory is 0 but for what the case says, and cleans up behind it.
///
/// # Errors
/// What was expected and what was found.
fn run(case: &Case, board: &mut Board) -> Result<(), String> {
    // The set was made with $EE in both.
    let mut cpu = Cpu::new(Unstable { ane_magic: 0xEE, lxa_magic: 0xEE, ..Unstable::default() });
    let Moment { pc, s, a, x, y, p, ram } = &case.initial;
    (cpu.pc, cpu.sp, cpu.a, cpu.x, cpu.y) = (*pc, *s, *a, *x, *y);
    cpu.p = Status::from_bits_retain(p & !BREAK | UNUSED);
    for &(address, value) in ram {
        board.memory[usize::from(address)] = value;
    }
    board.cycles.clear();
    cpu.step(board);
    // A processor that has jammed goes on reading.
    while cpu.jammed && board.cycles.len() < case.cycles.len() && cpu.step(board) == Step::Jam {}
    let Moment { pc, s, a, x, y, p, ram } = &case.r#final;
    let registers = (*pc, *s, *a, *x, *y, p & !BREAK | UNUSED);
    let found = (cpu.pc, cpu.sp, cpu.a, cpu.x, cpu.y, cpu.p.bits());
    let wrong = ram.iter().find(|&&(address, value)| board.memory[usize::from(address)] != value).copied();
    let at = |address: u16| board.memory[usize::from(address)];
    let outcome = if board.cycles != case.cycles {
        Err(format!("{}: expected the cycles {:X?}, found {:X?}", case.name, case.cycles, board.cycles))
    } else if found != registers && !cpu.jammed {
        Err(format!("{}: expected PC, S, A, X, Y, P {registers:X?}, found {found:X?}", case.name))
    } else if let Some((address, value)) = wrong {
        Err(format!("{}: expected {value:02X} at {address:04X}, found {:02X}", case.name, at(address)))
    } else {
        Ok(())
    };
    let written = board.cycles.iter().map(|&(address, ..)| address);
    let touched: Vec<u16> = written.chain(case.initial.ram.iter().map(|&(address, _)| address)).collect();
    for address in touched {
        board.memory[usize::from(address)] = 0;
    }
    outcome
}

fn board() -> Board {
    Board { memory: vec![0; 0x10000], cycles: Vec::new() }
}

#[test]
fn a_case_in_the_sets_words_is_run_and_one_that_is_wrong_is_found() {
    let text = r#"{"name": "fe 1",
        "initial": {"pc": 512, "s": 253, "a": 1, "x": 255, "y": 0, "p": 48, "ram": [[512, 254], [513, 2], [514, 3], [1025, 255]]},
        "final": {"pc": 515, "s": 253, "a": 1, "x": 255, "y": 0, "p": 50, "ram": [[1025, 0]]},
        "cycles": [[512, 254, "read"], [513, 2, "read"], [514, 3, "read"], [769, 0, "read"], [1025, 255, "read"],
            [1025, 255, "write"], [1025, 0, "write"]]}"#;
    let case: Case = serde_json::from_str(text).unwrap();
    assert_eq!(run(&case, &mut board()), Ok(()));
    for (right, wrong) in
        [("\"pc\": 515", "\"pc\": 516"), ("[769, 0", "[770, 0"), ("[[1025, 0]]", "[[1025, 1]]")]
    {
        let case: Case = serde_json::from_str(&text.replace(right, wrong)).unwrap();
        assert!(run(&case, &mut board()).is_err(), "{wrong}");
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    files
}

#[test]
#[ignore = "needs the set: MAXOUT_SINGLE_STEP=path/to/65x02/nes6502/v1 cargo test -p maxout-tests --test it single_step -- --ignored"]
fn every_case_of_single_step_tests_has_its_cycles() {
    let folder = local("MAXOUT_SINGLE_STEP");
    let files = files(&folder);
    assert!(!files.is_empty(), "{} has no .json file", folder.display());
    let (mut board, mut cases, mut wrong) = (board(), 0, Vec::new());
    for file in &files {
        let text = std::fs::read(file).unwrap();
        let of_file: Vec<Case> =
            serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        cases += of_file.len();
        let failed: Vec<String> = of_file.iter().filter_map(|case| run(case, &mut board).err()).collect();
        if let Some(first) = failed.first() {
            wrong.push(format!("{}: {} of {}, first {first}", file.display(), failed.len(), of_file.len()));
        }
    }
    println!("{} files, {cases} cases", files.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
