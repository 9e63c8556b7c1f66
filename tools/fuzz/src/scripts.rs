//! Lua programs made of a grammar, run beside a console, with values that nobody would think of.

use std::fmt::Write;
use std::sync::Arc;

use nes::{Buttons, Cartridge, Config, Console};
use nes_lua::{FrameScript, Limits, Power, Script};

use crate::choices::Choices;
use crate::reached::reached;

/// Instructions and memory of a program: little, so that many can be run.
const LIMITS: Limits = Limits { instructions: 50_000, memory: 8 << 20 };

const FRAMES: usize = 2;

const VALUES: &[&str] = &[
    "nil",
    "true",
    "0",
    "1",
    "-1",
    "2^31",
    "-2^31",
    "2^53",
    "1e300",
    "0/0",
    "1/0",
    "-1/0",
    "0.5",
    "''",
    "'a'",
    "('a'):rep(3000)",
    "('ab'):rep(9)",
    "s",
    "t",
    "u",
    "f",
    "g",
    "x",
    "_G",
    "string",
    "{}",
    "{1, 2, 3}",
    "{t, t}",
    "print",
    "pcall",
    "error",
    "coroutine.create(f)",
    "savestate.create()",
    "savestate.create(1)",
    "function(...) return ... end",
    "function() error('e') end",
    "('.-'):rep(20) .. 'b'",
    "'%b()'",
    "'%f[%w]'",
    "'(a*(.)%w(%s*))'",
    "'[^]'",
    "'%'",
    "'\\0'",
    "'^a?a?a?'",
    "('a?'):rep(400)",
    "'%1'",
    "'%99.99f'",
    "'%s%s%s'",
    "256",
    "0x8000",
    "65536",
    "emu.frameadvance",
];

const CALLS: &[&str] = &[
    "string.find",
    "string.match",
    "string.gmatch",
    "string.gsub",
    "string.rep",
    "string.sub",
    "string.format",
    "string.byte",
    "string.char",
    "string.upper",
    "string.lower",
    "string.reverse",
    "string.len",
    "table.insert",
    "table.remove",
    "table.concat",
    "table.sort",
    "table.foreach",
    "table.foreachi",
    "table.maxn",
    "table.getn",
    "unpack",
    "select",
    "next",
    "pairs",
    "ipairs",
    "rawget",
    "rawset",
    "rawequal",
    "setmetatable",
    "getmetatable",
    "tostring",
    "tonumber",
    "type",
    "error",
    "assert",
    "pcall",
    "xpcall",
    "loadstring",
    "getfenv",
    "setfenv",
    "collectgarbage",
    "gcinfo",
    "coroutine.create",
    "coroutine.resume",
    "coroutine.wrap",
    "coroutine.yield",
    "coroutine.status",
    "coroutine.running",
    "math.floor",
    "math.fmod",
    "math.random",
    "math.max",
    "math.pow",
    "print",
    "emu.message",
    "emu.poweron",
    "emu.softreset",
    "emu.registerbefore",
    "emu.registerafter",
    "emu.registerexit",
    "emu.speedmode",
    "emu.framecount",
    "emu.getscreenpixel",
    "gui.text",
    "gui.pixel",
    "gui.line",
    "gui.box",
    "gui.image",
    "gui.register",
    "gui.parsecolor",
    "gui.opacity",
    "gui.gdscreenshot",
    "memory.readbyte",
    "memory.readbyterange",
    "memory.writebyte",
    "memory.registerwrite",
    "memory.registerread",
    "memory.registerexec",
    "memory.getregister",
    "memory.setregister",
    "joypad.set",
    "joypad.get",
    "savestate.save",
    "savestate.load",
    "savestate.create",
    "savestate.object",
    "savestate.persist",
    "movie.record",
    "movie.play",
    "movie.stop",
    "movie.length",
    "rom.readbyte",
    "rom.readbyterange",
    "rom.writebyte",
    "rom.gethash",
    "bit.lshift",
    "bit.tohex",
    "bit.band",
    "require",
    "dofile",
    "input.get",
    "AND",
    "SHIFT",
    "f",
    "g",
];

const OPERATORS: &[&str] = &["+", "-", "*", "/", "%", "^", "..", "==", "<", "<=", "and", "or"];

const EVENTS: &[&str] = &[
    "__index",
    "__newindex",
    "__call",
    "__concat",
    "__lt",
    "__eq",
    "__tostring",
    "__gc",
    "__mode",
    "__metatable",
];

/// Statements by which values grow and functions call themselves.
const GROWTH: &[&str] = &["s = s .. s", "t = {t, t}", "t[#t + 1] = t", "f()", "x = f(f)", "s = s .. 'x'"];

/// A program in the making.
struct Program<'a> {
    random: &'a mut Choices,
    text: String,
    /// Statements that may still be made.
    left: u32,
}

impl Program<'_> {
    fn roll(&mut self, sides: usize) -> usize {
        self.random.below(sides as u32) as usize
    }

    fn one(&mut self, of: &'static [&'static str]) -> &'static str {
        of[self.roll(of.len())]
    }

    fn expression(&mut self, depth: u32) {
        match self.roll(if depth > 3 { 2 } else { 8 }) {
            0 | 1 => {
                let value = self.one(VALUES);
                self.text.push_str(value);
            }
            2 | 3 => self.call(depth + 1),
            4 => {
                self.text.push('(');
                self.expression(depth + 1);
                let operator = self.one(OPERATORS);
                let _ = write!(self.text, " {operator} ");
                self.expression(depth + 1);
                self.text.push(')');
            }
            5 => {
                self.text.push_str("function(a, ...) ");
                self.block(depth + 1);
                self.text.push_str(" return a, ... end");
            }
            6 => {
                self.text.push_str("setmetatable({");
                self.expression(depth + 1);
                let event = self.one(EVENTS);
                let _ = write!(self.text, "}}, {{{event} = ");
                self.expression(depth + 1);
                self.text.push_str("})");
            }
            _ => {
                self.text.push_str("(#tostring(");
                self.expression(depth + 1);
                self.text.push_str("))");
            }
        }
    }

    fn call(&mut self, depth: u32) {
        let name = self.one(CALLS);
        let _ = write!(self.text, "{name}(");
        for argument in 0..self.roll(5) {
            if argument > 0 {
                self.text.push_str(", ");
            }
            self.expression(depth);
        }
        self.text.push(')');
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..=self.roll(3) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        if self.left == 0 || depth > 4 {
            return;
        }
        self.left -= 1;
        let kind = self.roll(12);
        match kind {
            0..=2 => {
                self.text.push_str("pcall(");
                let name = self.one(CALLS);
                self.text.push_str(name);
                for _ in 0..self.roll(5) {
                    self.text.push_str(", ");
                    self.expression(depth);
                }
                self.text.push(')');
            }
            3 => self.call(depth),
            4 => {
                let name = ["s", "t", "u", "x", "t.a", "t[1]", "_G.s"][self.roll(7)];
                let _ = write!(self.text, "{name} = ");
                self.expression(depth);
            }
            5 | 6 => {
                let head = ["for i = 1, 300 do ", "while true do ", "for k, v in pairs(t) do ", "repeat "]
                    [self.roll(4)];
                self.text.push_str(head);
                self.block(depth + 1);
                self.text.push_str(if head == "repeat " { " until x" } else { " end" });
            }
            7 => {
                self.text.push_str("pcall(function() ");
                self.block(depth + 1);
                self.text.push_str(" end)");
            }
            8 => {
                let name = ["f", "g"][self.roll(2)];
                let _ = write!(self.text, "{name} = function(a, b, ...) ");
                self.block(depth + 1);
                self.text.push_str(" end");
            }
            9 => self.text.push_str("emu.frameadvance()"),
            10 => {
                let text = self.one(GROWTH);
                self.text.push_str(text);
            }
            _ => {
                self.text.push_str("coroutine.wrap(function() ");
                self.block(depth + 1);
                self.text.push_str(" end)()");
            }
        }
        self.text.push('\n');
    }
}

/// Source of a program.
pub(crate) fn program(random: &mut Choices) -> String {
    let start =
        "s, t, u, x = 'abc', {1, 2, 3, a = 'b'}, {}, nil f = function(...) return ... end g = tostring\n"
            .to_owned();
    let mut program = Program { random, text: start, left: 24 };
    for _ in 0..8 {
        program.statement(0);
    }
    program.text
}

/// Runs programs beside one console.
pub(crate) struct Scripts {
    console: Console,
    power: Power,
}

impl Scripts {
    pub(crate) fn new(console: Console) -> Self {
        let image = nes_testing::MAXOUT;
        let cartridge = Cartridge::from_bytes(image).expect("the built-in cartridge");
        let header = *image.first_chunk().expect("a header");
        Self { console, power: Power { cartridge, config: Config::default(), header } }
    }

    pub(crate) fn run(&mut self, random: &mut Choices) {
        let source = program(random);
        let loaded = Script::load_with(source.as_bytes(), "fuzz.lua", LIMITS, Arc::default());
        let Some(mut script) = reached(loaded) else { return };
        script.insert(self.power.clone());
        let mut console = self.console.clone();
        for _ in 0..FRAMES {
            let ended = reached(script.frame(&mut console, [Buttons::empty(); 2])).is_none();
            let used = script.used_memory();
            assert!(used <= LIMITS.memory + (64 << 10), "{used} bytes of memory\n{source}");
            if ended || script.is_done() {
                break;
            }
            script.set_paused(false);
        }
        let _ = script.finish(&mut console);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_programs_are_lua_and_a_seed_is_always_the_same_program() {
        let program = |seed| program(&mut Choices::new(seed));
        let valid =
            (0..200).filter(|&seed| Script::load(program(seed).as_bytes(), "fuzz.lua").is_ok()).count();
        assert!(valid > 150, "{valid} of 200");
        assert_eq!(program(7), program(7));
    }
}
