//! A script beside a running console, frame by frame.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, MultiValue, Table, Thread, Value};
use nes::fm2::Movie;
use nes::{Buttons, Console, Held, Palette};
use nes_script::{FrameScript, Hit, Hooked, Marks, Overlay, ScriptError, ScriptHooks};

use crate::error;
use crate::folder::Folder;
use crate::host::{Film, Host, Input, Output, Power, Speed};
use crate::joypads::Polled;
use crate::library;
use crate::meter::{Meter, Stop};
use crate::sandbox::{self, Limits};

/// A script of the FCEUX interface.
///
/// Its top level is a coroutine that `emu.frameadvance` suspends until the next frame; beside it,
/// functions that it has registered are called. It sees the console only during [`Script::frame`]
/// and [`FrameScript::finish`].
pub struct Script {
    pub(crate) lua: Lua,
    name: String,
    limits: Limits,
    meter: Arc<Meter>,
    interrupt: Arc<AtomicBool>,
    /// The top level, until it returns.
    main: Option<Thread>,
    /// What was drawn in the last frame.
    overlay: Overlay,
    failed: bool,
    /// Hooked accesses of the instruction that was run last.
    hits: Vec<Hit>,
    /// What a function that was called within a frame did not catch.
    error: Option<ScriptError>,
}

impl Script {
    /// Compiles `source`, whose errors call it `name`, with the usual limits. Nothing of it runs
    /// yet.
    ///
    /// # Errors
    /// [`ScriptError::Syntax`] if it is not Lua 5.1.
    pub fn load(source: &[u8], name: &str) -> Result<Self, ScriptError> {
        Self::load_with(source, name, Limits::default(), Arc::default())
    }

    /// The same with limits, and with a flag that stops the script when it becomes `true`, wherever
    /// it is.
    ///
    /// # Errors
    /// [`ScriptError::Syntax`] if it is not Lua 5.1, [`ScriptError::Setup`] if the limits leave no
    /// room for Lua.
    pub fn load_with(
        source: &[u8],
        name: &str,
        limits: Limits,
        interrupt: Arc<AtomicBool>,
    ) -> Result<Self, ScriptError> {
        let setup = |error: mlua::Error| ScriptError::Setup(error.to_string());
        let lua = sandbox::lua(limits).map_err(setup)?;
        lua.set_app_data(Host::new(name));
        let meter = Arc::new(Meter::new(limits, Arc::clone(&interrupt)));
        lua.set_app_data(Arc::clone(&meter));
        library::install(&lua).map_err(setup)?;
        meter.watch(&lua).map_err(setup)?;
        // An editor's byte order mark and a line for the shell are no Lua.
        let source = source.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(source);
        let chunk = lua.load(source).set_name(format!("@{name}")).set_mode(ChunkMode::Text);
        let main = chunk.into_function().map_err(|error| error::of(&error, name))?;
        let main = Some(lua.create_thread(main).map_err(setup)?);
        let overlay = Overlay::default();
        Ok(Self {
            lua,
            name: name.to_owned(),
            limits,
            meter,
            interrupt,
            main,
            overlay,
            failed: false,
            hits: Vec::new(),
            error: None,
        })
    }

    /// Tells what to power on with, for `emu.poweron`, movies and `rom.writebyte`.
    pub fn insert(&mut self, power: Power) {
        self.host(|host| host.power = Some(power));
    }

    /// Gives the script a folder for its files; without one it reaches none.
    pub fn set_folder(&mut self, folder: Folder) {
        self.host(|host| host.folder = Some(folder));
    }

    /// Has a movie play from power-on, in place of the player.
    pub fn play(&mut self, movie: Movie, name: &str) {
        let film = Film::new(movie, name.to_owned(), false);
        self.host(|host| host.film = Some(film));
    }

    /// The colours in which the script sees the picture.
    pub fn set_palette(&mut self, palette: Palette) {
        self.host(|host| host.palette = palette);
    }

    /// Keys and pointer from here on.
    pub fn set_input(&mut self, input: Input) {
        self.host(|host| host.input = input);
    }

    /// Runs the script to its next `emu.frameadvance`, then the console for one frame with what
    /// `pads` and the script hold, then what is registered for the end of a frame. Returns what it
    /// has drawn over the picture. While the script has paused the emulation, only its drawing
    /// function runs.
    ///
    /// A front end that attaches more to the frame calls [`FrameScript::begin_frame`], runs the
    /// frame with [`ScriptHooks`] attached, and calls [`FrameScript::end_frame`].
    ///
    /// # Errors
    /// What the script did not catch; it cannot go on then, and the frame may not have been run.
    pub fn frame(&mut self, console: &mut Console, pads: impl Into<Held>) -> Result<&Overlay, ScriptError> {
        let Some(pads) = self.begin_frame(console, pads.into())? else { return self.draw(console) };
        let mut pads = Polled::new(pads);
        let _ = match &mut ScriptHooks::of(self) {
            Some(hooks) => console.run_frame(&mut pads, hooks),
            None => console.run_frame(&mut pads, &mut ()),
        };
        self.end_frame(console, pads.polled)
    }

    fn draw_over(&mut self, console: &mut Console) -> Result<&Overlay, ScriptError> {
        if self.exit_status().is_some() {
            return Ok(&self.overlay);
        }
        self.with_console(console, |script| script.call_registered(|host| host.callbacks.gui.clone()))?;
        self.overlay.clear();
        let mut host = self.lua.app_data_mut::<Host>().expect("the host of this script");
        core::mem::swap(&mut self.overlay, &mut host.canvas);
        drop(host);
        Ok(&self.overlay)
    }

    /// Whether nothing of the script is left to run: it returned without functions registered,
    /// failed, or called `emu.exit`.
    pub fn is_done(&self) -> bool {
        self.host(|host| {
            let callbacks = &host.callbacks;
            let waits =
                [&callbacks.before, &callbacks.after, &callbacks.gui, &callbacks.saved, &callbacks.loaded];
            let waits = waits.into_iter().any(Option::is_some);
            let alive = self.main.is_some() || waits || !host.hooks.is_empty();
            self.failed || host.exit.is_some() || !alive
        })
    }

    /// The status that `emu.exit` asked for, if it was called.
    pub fn exit_status(&self) -> Option<u8> {
        self.host(|host| host.exit)
    }

    /// What the script has said since this was last asked.
    pub fn take_output(&mut self) -> Vec<Output> {
        self.host(Host::take_output)
    }

    /// What the game got from both pads in the last frame: the player's buttons, or the movie's, as
    /// the script has changed them.
    pub fn held(&self) -> [Buttons; 2] {
        self.host(|host| host.held)
    }

    /// Has the script paused the emulation?
    pub fn paused(&self) -> bool {
        self.host(|host| host.paused)
    }

    /// Pauses, or goes on: what the player's key does.
    pub fn set_paused(&mut self, paused: bool) {
        self.host(|host| host.paused = paused);
    }

    /// How fast the script wants the emulation to go.
    pub fn speed(&self) -> Speed {
        self.host(|host| host.speed)
    }

    /// Bytes of memory that Lua uses.
    pub fn used_memory(&self) -> usize {
        self.lua.used_memory()
    }

    fn host<R>(&self, look: impl FnOnce(&mut Host) -> R) -> R {
        // It is set in `load_with` and lent only to functions that have returned.
        let mut host = self.lua.app_data_mut::<Host>().expect("the host of this script");
        look(&mut host)
    }

    /// The host holds the console meanwhile; its own is a spare one, because a value has to be
    /// there.
    fn with_console(
        &mut self,
        console: &mut Console,
        run: impl FnOnce(&mut Self) -> mlua::Result<()>,
    ) -> Result<(), ScriptError> {
        let mut spare = self.host(|host| host.console.take()).unwrap_or_else(|| Box::new(console.clone()));
        core::mem::swap(&mut *spare, console);
        self.host(|host| host.console = Some(spare));
        let result = run(self);
        if let Some(mut own) = self.host(|host| host.console.take()) {
            core::mem::swap(&mut *own, console);
            self.host(|host| host.console = Some(own));
        }
        result.or_else(|error| self.judge(&error))
    }

    /// An error of the script, unless it is how `emu.exit` ends it.
    fn judge(&mut self, error: &mlua::Error) -> Result<(), ScriptError> {
        self.main = None;
        if let Some(stop) = self.lua.remove_app_data::<Stop>() {
            self.failed = true;
            return Err(match stop {
                Stop::Interrupted { place } => ScriptError::Interrupted { place },
                Stop::Endless { place } => {
                    ScriptError::Endless { place, instructions: self.limits.instructions }
                }
            });
        }
        if self.exit_status().is_some() {
            return Ok(());
        }
        self.failed = true;
        Err(if is_memory(error) {
            ScriptError::Memory { place: self.name.clone(), bytes: self.limits.memory }
        } else {
            error::of(error, &self.name)
        })
    }

    /// Runs the top level to where it waits for the next frame.
    fn resume(&mut self) -> mlua::Result<()> {
        if let Some(main) = &self.main {
            main.resume::<()>(())?;
            if !main.is_resumable() {
                self.main = None;
            }
        }
        Ok(())
    }

    fn call_hook(&self, hit: Hit) -> mlua::Result<()> {
        let Some(function) = self.host(|host| host.hooks.function(hit)) else { return Ok(()) };
        function.call((hit.address, 1, hit.value))
    }

    fn call_registered(&self, which: impl FnOnce(&mut Host) -> Option<Function>) -> mlua::Result<()> {
        self.host(which).map_or(Ok(()), |function| function.call(()))
    }

    /// The flag that stops the script.
    pub fn interrupt(&self) -> &Arc<AtomicBool> {
        &self.interrupt
    }
}

impl FrameScript for Script {
    fn begin_frame(&mut self, console: &mut Console, player: Held) -> Result<Option<Held>, ScriptError> {
        self.meter.reset();
        if self.paused() {
            return Ok(None);
        }
        let mut pads = None;
        self.with_console(console, |script| {
            script.host(|host| host.begin_frame(player))?;
            script.resume()?;
            script.call_registered(|host| host.callbacks.before.clone())?;
            // A script that ends here leaves the frame alone.
            pads = script.exit_status().is_none().then(|| script.host(Host::pads));
            Ok(())
        })?;
        Ok(pads)
    }

    fn hooked(&self) -> Option<Hooked> {
        self.host(|host| {
            let counted = host.hooks.counts().then(|| Arc::clone(&host.instructions));
            let any = counted.is_some() || !host.hooks.is_empty();
            any.then(|| Hooked { marks: host.hooks.marks(), counted })
        })
    }

    fn hits(&mut self) -> &mut Vec<Hit> {
        &mut self.hits
    }

    fn call_hooks(&mut self, console: &mut Console, hits: &[Hit]) -> Arc<Marks> {
        let called =
            self.with_console(console, |script| hits.iter().try_for_each(|&hit| script.call_hook(hit)));
        if let Err(error) = called {
            self.error = Some(error);
        }
        if self.failed || self.exit_status().is_some() {
            return Arc::default();
        }
        self.host(|host| host.hooks.marks())
    }

    fn end_frame(&mut self, console: &mut Console, polled: bool) -> Result<&Overlay, ScriptError> {
        let hits = core::mem::take(&mut self.hits);
        if !hits.is_empty() {
            self.call_hooks(console, &hits);
        }
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        self.host(|host| {
            host.lagged = !polled;
            host.lag += u64::from(host.lagged);
        });
        if self.exit_status().is_none() {
            let after = |host: &mut Host| host.callbacks.after.clone();
            self.with_console(console, |script| script.call_registered(after))?;
        }
        self.draw_over(console)
    }

    fn draw(&mut self, console: &mut Console) -> Result<&Overlay, ScriptError> {
        self.meter.reset();
        self.draw_over(console)
    }

    fn state_saved(&mut self, console: &mut Console, slot: usize) -> Result<(), ScriptError> {
        let Some(function) = self.host(|host| host.callbacks.saved.clone()) else { return Ok(()) };
        self.meter.reset();
        self.with_console(console, |script| {
            let values: MultiValue = function.call(slot)?;
            let kept = script.lua.create_sequence_from(values)?;
            saved_values(&script.lua)?.raw_set(slot, kept)
        })
    }

    fn state_loaded(&mut self, console: &mut Console, slot: usize) -> Result<(), ScriptError> {
        let Some(function) = self.host(|host| host.callbacks.loaded.clone()) else { return Ok(()) };
        self.meter.reset();
        self.with_console(console, |script| {
            let kept: Option<Table> = saved_values(&script.lua)?.raw_get(slot)?;
            let mut values = MultiValue::new();
            values.push_back(Value::Number(slot as f64));
            for value in kept.iter().flat_map(Table::sequence_values::<Value>) {
                values.push_back(value?);
            }
            function.call(values)
        })
    }

    fn finish(&mut self, console: &mut Console) -> Result<(), ScriptError> {
        self.main = None;
        self.with_console(console, |script| {
            script.meter.reset();
            let called = script.call_registered(|host| host.callbacks.exit.take());
            called.and(script.host(Host::stop_movie))
        })
    }

    fn take_meddled(&mut self) -> bool {
        self.host(|host| core::mem::take(&mut host.meddled))
    }
}

/// What the function of `savestate.registersave` has returned, by slot.
fn saved_values(lua: &Lua) -> mlua::Result<Table> {
    const NAME: &str = "values of states";
    if let Some(table) = lua.named_registry_value::<Option<Table>>(NAME)? {
        return Ok(table);
    }
    let table = lua.create_table()?;
    lua.set_named_registry_value(NAME, &table)?;
    Ok(table)
}

fn is_memory(error: &mlua::Error) -> bool {
    error.chain().any(|link| matches!(link.downcast_ref(), Some(mlua::Error::MemoryError(_))))
}

/// An error that a script has caught, in the words of the script.
pub(crate) fn words(lua: &Lua, error: &mlua::Error) -> String {
    if is_memory(error) {
        return "not enough memory".to_owned();
    }
    let name =
        lua.try_app_data_ref::<Host>().ok().flatten().map_or_else(String::new, |host| host.name.clone());
    error::of(error, &name).to_string()
}
