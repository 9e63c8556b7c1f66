//! Every command, with what `help` says of it.

use super::words::Words;
use super::{
    CommandError, CommandSession, Desk, Reply, breaks, edits, files, runs, search, shows, sources, traces,
    watches,
};

type Run = fn(&mut CommandSession, &mut Words, &mut Desk) -> Result<Reply, CommandError>;

/// A command of the language.
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// What stands behind the name.
    pub takes: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// An example, or several, a line each.
    pub examples: &'static str,
    pub(super) run: Run,
}

impl Command {
    /// The command of that name, or of which that is another name.
    pub fn of_name(name: &str) -> Option<&'static Self> {
        COMMANDS.iter().find(|command| command.name == name || command.aliases.contains(&name))
    }

    /// All that there is to say of it.
    pub fn help(&self) -> String {
        let Self { name, aliases, takes, about, examples, .. } = self;
        let aliases =
            if aliases.is_empty() { String::new() } else { format!(" (or {})", aliases.join(", ")) };
        let examples: Vec<String> = examples.lines().map(|example| format!("  {example}")).collect();
        format!("{name} {takes}{aliases}\n{about}\n{}", examples.join("\n"))
    }
}

macro_rules! commands {
    ($($name:literal $aliases:expr, $takes:literal, $about:literal, $examples:literal, $run:path;)+) => {
        /// Every command.
        pub const COMMANDS: &[Command] = &[$(Command {
            name: $name,
            aliases: &$aliases,
            takes: $takes,
            about: $about,
            examples: $examples,
            run: $run,
        }),+];
    };
}

commands! {
    "help" ["h", "?"], "[COMMAND | expressions]", "Lists the commands, or explains one.", "help break", shows::help;
    "step" ["s"], "[N] [UNIT]", "Steps by instructions, over, out, source lines (source), PPU lines (line), dots, frames, nmi, irq, or events of the game (spawn, lock, clear, level, …).", "step\nstep 10 frames\nstep source\nstep lock", runs::step;
    "back" ["b"], "[N] [UNIT]", "Steps back by the same units, to where an expression last held (`until EXPRESSION`), or to the last stop of a breakpoint (`breakpoint`).", "back\nback frame\nback source\nback breakpoint\nback 2 spawns\nback until [0x64] == 1", runs::back;
    "over" ["n", "next"], "[source]", "Runs to the instruction after this one, including any subroutine; with `source`, to the next source line.", "over\nover source", runs::over;
    "out" ["finish"], "", "Runs until the current subroutine or interrupt has returned.", "out", runs::out;
    "run" ["c", "continue"], "[FRAMES]", "Runs until a breakpoint stops it, or for N frames.", "run\nrun 600", runs::run;
    "until" ["u"], "EXPRESSION", "Runs until an expression holds before an instruction.", "until level >= 1 && x == 0x30", runs::until;
    "goto" ["g"], "ADDRESS", "Runs to an address.", "goto lock\ngoto 0x98BA", runs::goto;
    "line" [], "LINE [DOT]", "Runs to a PPU line, and to a dot of it.", "line 241 1", runs::line;
    "frame" ["f"], "N", "Goes to the end of frame N, forwards or backwards.", "frame 600", runs::frame;
    "timeline" ["tl"], "", "Lists the frames in the history, and those in which a breakpoint stopped, a piece locked or rows were cleared; `frame` goes to one.", "timeline", shows::timeline;
    "limit" [], "FRAMES", "Sets the frame limit of a run without its own limit [default: 36000].", "limit 3600", runs::limit;
    "break" ["br"], "WHAT [if EXPRESSION] [after N] [once] [log]", "Stops at an address, a source line, a C function, an access, an interrupt, a DMA, a PPU line, an event, a crash of the game; with `log` it only logs a line.", "break lock if piece == I && level >= 29\nbreak main.c:12 if score > 9\nbreak write $0060-$007F if value > 28\nbreak ppu write $3F00-$3F1F log\nbreak ppu read $0A30-$0A3F if fetch == 3 && scanline < 32\nbreak dma dmc\nbreak nmi\nbreak line 100 20\nbreak event clear if level >= 1\nbreak crash", breaks::add;
    "breaks" ["bl"], "", "Lists the breakpoints and their hits; number 0, on a crash, is always there.", "breaks", breaks::list;
    "delete" ["d"], "N | all", "Deletes a breakpoint, or all.", "delete 1", breaks::delete;
    "enable" [], "N", "Enables a breakpoint.", "enable 1", breaks::enable;
    "disable" [], "N", "Disables a breakpoint.", "disable 1", breaks::disable;
    "watch" ["w"], "EXPRESSION [as decimal|hex|binary]", "Watches a value: `watches` shows it, and its value before the last run or step. To stop at a change, use `break write ADDRESS`.", "watch level\nwatch [@das] as hex\nwatch held as binary", watches::add;
    "watches" ["wl"], "", "Lists the watched expressions with their values.", "watches", watches::list;
    "unwatch" [], "N | all", "Deletes a watched expression, or all.", "unwatch 1\nunwatch all", watches::delete;
    "print" ["p"], "EXPRESSION [as decimal|hex|binary]", "Prints a value.", "print [0x44] + 1\nprint held as binary", watches::print;
    "expect" ["assert"], "EXPRESSION", "Fails the script unless an expression holds.", "expect level == 1 && [@das] <= 16", edits::expect;
    "registers" ["r", "regs"], "", "Shows registers, flags, time and the PPU's position.", "registers", shows::registers;
    "disassemble" ["dis", "l"], "[ADDRESS] [N]", "Shows instructions with labels and cycles, from PC or from where the last list ended.", "disassemble lock 20", shows::disassemble;
    "source" ["list"], "[FILE:LINE] [N]", "Shows the source around a line, or around the next one; a `·` marks lines with code.", "source\nsource main.c:12 20", sources::source;
    "locals" [], "", "Shows the C variables of each function on the stack, as far as the debug file knows them.", "locals", sources::locals;
    "stack" ["bt"], "", "Shows the call stack.", "stack", shows::stack;
    "memory" ["m", "x"], "[cpu|ppu|oam|palette|prg|chr] ADDRESS [N]", "Shows bytes of a memory.", "memory playfield 200\nmemory ppu 0x2000 960", shows::memory;
    "find" [], "[MEMORY] BYTES", "Finds bytes, in hexadecimal.", "find prg A9 29", shows::find;
    "set" [], "PLACE = EXPRESSION", "Sets a register, a byte of any memory (even ROM), or a range of bytes.", "set x = 0x30\nset [@next_piece] = 0x12\nset [$4B4-$4C7] = 0x7B\nset palette[0] = 0x0F\nset prg[0x18BA] = 0x60", edits::set;
    "freeze" [], "[ADDRESS [= VALUE]]", "Rewrites a byte of RAM at the start of each frame; without arguments, lists frozen bytes.", "freeze das = 16\nfreeze", edits::freeze;
    "thaw" ["unfreeze"], "[ADDRESS]", "Unfreezes a byte, or all.", "thaw das", edits::thaw;
    "cheat" [], "[off] CODE", "Applies a Game Genie code of six or eight letters to the program, in each bank that can be mapped at its address; `off` removes it.", "cheat SXIOPO\ncheat off SXIOPO", edits::cheat;
    "search" [], "new | list | changed | unchanged | greater | less | by N | = N | != N [since NAME] | snapshot NAME | snapshots", "Searches RAM for a value by how it changes: since the last search, or since a named snapshot.", "search new\nsearch snapshot before\nsearch by 1\nsearch less since before\nsearch = 29\nsearch list", search::search;
    "label" [], "NAME [ADDRESS[-LAST] [COMMENT]]", "Names an address, or prints the address of a name.", "label buffer $300-$3FF tiles to draw", edits::label;
    "symbols" ["sym"], "[load FILE | save FILE | list [PART]]", "Reads and writes symbols: .lbl, .dbg, .nl, .mlb. In FCEUX's names a `*` stands for every part: ram and the banks.", "symbols load game.mlb\nsymbols save game.nes.*.nl\nsymbols list das", files::symbols;
    "hold" [], "BUTTONS", "Holds buttons of the first pad from now on: a b select start up down left right none.", "hold down a\nhold none", runs::hold;
    "press" [], "BUTTON+BUTTON [FRAMES]", "Presses buttons for some frames [default: 2], and runs through them.", "press start\npress a+down 10", runs::press;
    "movie" [], "FILE.fm2 | off", "Plays a movie's buttons, frame by frame from power-on.", "movie game.fm2", files::movie;
    "reset" [], "", "Presses the reset button.", "reset", runs::reset;
    "power" [], "", "Power-cycles the console; stepping back past this is impossible.", "power", runs::power;
    "save" [], "FILE", "Saves the state.", "save here.state", files::save;
    "load" [], "FILE", "Loads a saved state; stepping back past this is impossible.", "load here.state", files::load;
    "trace" [], "[FILE] [last] N [nestest|mesen|fceux] [in PLACE] [if EXPRESSION]", "Runs N instructions and writes a line for each, or with `last` the N lines that led here, to a file or as output. `in` takes a label or first-last.", "trace out.log 100000 mesen\ntrace out.log 100000 fceux if pc >= @lock && pc < @lines\ntrace last 10\ntrace why.log last 5000 nestest in lock", traces::trace;
    "cdl" [], "[FILE]", "Writes the code/data log of the last minute, in FCEUX's format.", "cdl game.cdl", files::cdl;
    "profile" [], "[FRAMES]", "Shows cycles by label of the last frames, and the slack before each NMI.", "profile\nprofile 10", shows::profile;
    "accesses" ["events"], "", "Lists the register accesses of the last frame, interrupts, sprite 0 hits and fetches of the DMC, with line and dot.", "accesses", shows::accesses;
    "picture" ["pic"], "screen|patterns [PALETTE]|nametables|sprites|palettes|events|scopes FILE.png", "Writes a picture. Without a file, prints sprites, palettes and scopes as text.", "picture nametables nt.png\npicture patterns 3 chr.png\npicture events events.png\npicture scopes scopes.png\npicture sprites", files::picture;
    "apu" [], "", "Shows the sound registers, decoded.", "apu", shows::apu;
    "game" [], "", "Shows the game: playfield, piece, shift counter, timers, upcoming picks, slack of the last frames.", "game", shows::game;
    "clears" [], "[all] [N]", "Shows the way to the kill screen: cycles left in the frames of the last clears, the level from which the same clear would be late, and whether the NMI hit a jump table; `all` includes locks without rows.", "clears\nclears all 20", shows::clears;
    "patch" [], "FILE.ips | FILE.bps | FILE.ups", "Writes changes of ROM as a patch of the image.", "patch hack.bps", files::patch;
    "echo" [], "TEXT", "Prints a text.", "echo at the lock", edits::echo;
    "quit" ["q", "exit"], "", "Ends the session.", "quit", edits::quit;
}
