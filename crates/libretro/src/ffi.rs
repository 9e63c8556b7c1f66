//! libretro's interface in C, version 1 of it (source: `libretro.h`, which is public).
//!
//! This is the one file of the workspace with unsafe code. A front end loads the library, gives it
//! functions to call, and calls these in one thread. What holds in all of them:
//!
//! - The pointers that a front end passes are those of the interface: null, or valid for the call.
//! - Pointers that it gets stay valid as long as the interface says: texts for ever, because they
//!   are constants or made once; memories as long as the game, because [`Core`] keeps them in
//!   boxes that it never replaces; picture and sound during the call that shows them.
//! - No lock is held while a function of the front end runs, so that it may call back.

#![allow(unsafe_code, reason = "the interface is in C")]

mod interface;

use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::path::Path;
use std::ptr;
use std::slice;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use nes::{Aim, Buttons, Devices, Extra, Held, Region};

use crate::core::{Core, SAMPLE_RATE};
use crate::options::{Colours, Options, PALETTE_FILE};
use interface::{
    API_VERSION, AudioSample, AudioSampleBatch, ControllerDescription, ControllerInfo, DEVICE_JOYPAD,
    DEVICE_LIGHTGUN, DEVICE_NONE, Environment, InputDescriptor, InputPoll, InputState, LIGHTGUN_OFFSCREEN,
    LIGHTGUN_TRIGGER, LIGHTGUN_X, LIGHTGUN_Y, LOG_ERROR, LOG_INFO, Log, LogCallback, MEMDESC_SAVE_RAM,
    MEMDESC_SYSTEM_RAM, MEMORY_SAVE_RAM, MEMORY_SYSTEM_RAM, MemoryDescriptor, MemoryMap, PAD,
    PIXEL_FORMAT_XRGB8888, REGION_NTSC, REGION_PAL, Variable, VideoRefresh, environment,
};
pub use interface::{GameInfo, Geometry, SystemAvInfo, SystemInfo, Timing};

/// What the front end has given.
#[derive(Clone, Copy)]
struct Callbacks {
    environment: Option<Environment>,
    video: Option<VideoRefresh>,
    audio: Option<AudioSampleBatch>,
    poll: Option<InputPoll>,
    state: Option<InputState>,
    log: Option<Log>,
    /// Whether a pad is plugged into each port.
    plugged: [bool; PORTS],
}

/// Pads of a console with the most of them.
const PORTS: usize = 4;

/// The most bytes of a palette file.
const MOST_PALETTE: u64 = 1 << 16;

static CALLBACKS: Mutex<Callbacks> = Mutex::new(Callbacks {
    environment: None,
    video: None,
    audio: None,
    poll: None,
    state: None,
    log: None,
    plugged: [true; PORTS],
});
static CORE: Mutex<Option<Core>> = Mutex::new(None);

fn callbacks() -> MutexGuard<'static, Callbacks> {
    CALLBACKS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn game() -> MutexGuard<'static, Option<Core>> {
    CORE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks the front end, or tells it something. Returns whether it has taken it.
fn ask<T>(command: c_uint, data: &mut T) -> bool {
    let environment = callbacks().environment;
    let data = ptr::from_mut(data).cast();
    // SAFETY: the front end has given the function for calls like this one, and `data` is a value
    // of the type that the interface names for the command, which lives until the call returns.
    environment.is_some_and(|environment| unsafe { environment(command, data) })
}

fn log(level: c_uint, text: &str) {
    let log = callbacks().log;
    let Ok(text) = CString::new(text) else { return };
    if let Some(log) = log {
        // SAFETY: the function is the front end's `printf`; the format takes one text, which ends
        // with a zero and lives until the call returns.
        unsafe { log(level, c"%s\n".as_ptr(), text.as_ptr()) };
    }
}

/// Returns the list of options as the interface has it, `Name; usual|other`. It is made once and
/// stays, because the front end keeps the pointers.
fn variables() -> &'static [(CString, CString)] {
    static VARIABLES: OnceLock<Vec<(CString, CString)>> = OnceLock::new();
    VARIABLES.get_or_init(|| {
        let text = |option: &crate::options::Option| format!("{}; {}", option.name, option.values.join("|"));
        let both = |option| Some((CString::new(option_key(option)).ok()?, CString::new(text(option)).ok()?));
        Options::list().iter().filter_map(both).collect()
    })
}

fn option_key(option: &crate::options::Option) -> &'static str {
    option.key
}

/// Returns what is set, with the palette file if it is chosen.
fn options() -> Options {
    let mut options = variables_set();
    if options.colours == Colours::File {
        options.palette_file = palette_file();
    }
    options
}

/// Reads the palette file of the front end's system directory.
fn palette_file() -> Option<Vec<u8>> {
    let mut folder: *const c_char = ptr::null();
    if !ask(environment::GET_SYSTEM_DIRECTORY, &mut folder) || folder.is_null() {
        log(LOG_ERROR, "Maxout: the front end has no system directory for a palette");
        return None;
    }
    // SAFETY: the front end says that it knows the folder, a text that ends with a zero.
    let folder = unsafe { CStr::from_ptr(folder) }.to_string_lossy().into_owned();
    let path = Path::new(&folder).join(PALETTE_FILE);
    let said = match draft::read_file(&path, MOST_PALETTE) {
        Ok(bytes) => match nes::Palette::from_bytes(&bytes) {
            Ok(_) => return Some(bytes),
            Err(error) => error.to_string(),
        },
        Err(error) => error.to_string(),
    };
    log(LOG_ERROR, &format!("Maxout: {}: {said}", path.display()));
    None
}

fn variables_set() -> Options {
    Options::read(|key| {
        let key = CString::new(key).ok()?;
        let mut variable = Variable { key: key.as_ptr(), value: ptr::null() };
        let known = ask(environment::GET_VARIABLE, &mut variable) && !variable.value.is_null();
        // SAFETY: the front end says that it knows the value, which is a text that ends with a zero
        // and that lives at least until the next call of the environment.
        known.then(|| unsafe { CStr::from_ptr(variable.value) }.to_string_lossy().into_owned())
    })
}

fn geometry(core: &Core) -> Geometry {
    Geometry {
        base_width: core.width() as c_uint,
        base_height: core.height() as c_uint,
        max_width: nes::Frame::WIDTH as c_uint,
        max_height: nes::Frame::HEIGHT as c_uint,
        aspect_ratio: core.aspect(),
    }
}

/// Returns the version of the interface.
#[unsafe(no_mangle)]
pub extern "C" fn retro_api_version() -> c_uint {
    API_VERSION
}

/// Takes the front end's environment, and says what the core can do.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_environment(environment: Option<Environment>) {
    callbacks().environment = environment;
    ask(environment::SET_SUPPORT_NO_GAME, &mut true);
    let variables =
        variables().iter().map(|(key, value)| Variable { key: key.as_ptr(), value: value.as_ptr() });
    let end = Variable { key: ptr::null(), value: ptr::null() };
    let mut list: Vec<Variable> = variables.chain([end]).collect();
    if let Some(first) = list.first_mut() {
        ask(environment::SET_VARIABLES, first);
    }
    let port = || ControllerInfo { types: TYPES.0.as_ptr(), count: 2 };
    let second = ControllerInfo { types: TYPES.0.as_ptr(), count: 3 };
    let mut ports = [port(), second, port(), port(), ControllerInfo { types: ptr::null(), count: 0 }];
    ask(environment::SET_CONTROLLER_INFO, &mut ports[0]);
}

/// What can be in a port, the last of them in the second alone. The front end keeps the pointer.
static TYPES: Shared<[ControllerDescription; 3]> = Shared([
    ControllerDescription { description: c"Pad".as_ptr(), id: DEVICE_JOYPAD },
    ControllerDescription { description: c"None".as_ptr(), id: DEVICE_NONE },
    ControllerDescription { description: c"Zapper".as_ptr(), id: DEVICE_LIGHTGUN },
]);

/// Constants with pointers to texts that are constants themselves.
struct Shared<T>(T);

// SAFETY: nothing is written through these pointers, which lead to constants of the program.
unsafe impl<T> Sync for Shared<T> {}

/// Takes the function that shows a picture.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_video_refresh(video: Option<VideoRefresh>) {
    callbacks().video = video;
}

/// Takes the function that plays a sample, which is not used: sound comes frame by frame.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_audio_sample(_: Option<AudioSample>) {}

/// Takes the function that plays a frame's sound.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_audio_sample_batch(audio: Option<AudioSampleBatch>) {
    callbacks().audio = audio;
}

/// Takes the function that looks at the pads.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_input_poll(poll: Option<InputPoll>) {
    callbacks().poll = poll;
}

/// Takes the function that says what is held.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_input_state(state: Option<InputState>) {
    callbacks().state = state;
}

/// Plugs a pad in, or out.
#[unsafe(no_mangle)]
pub extern "C" fn retro_set_controller_port_device(port: c_uint, device: c_uint) {
    if let Some(plugged) = callbacks().plugged.get_mut(port as usize) {
        *plugged = device != DEVICE_NONE;
    }
}

/// The library was loaded.
#[unsafe(no_mangle)]
pub extern "C" fn retro_init() {
    let mut callback = LogCallback { log: None };
    let known = ask(environment::GET_LOG_INTERFACE, &mut callback);
    callbacks().log = callback.log.filter(|_| known);
}

/// The library goes.
#[unsafe(no_mangle)]
pub extern "C" fn retro_deinit() {
    *game() = None;
}

/// Says what the core is.
///
/// # Safety
/// `info` is null or a place for the value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_get_system_info(info: *mut SystemInfo) {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    // SAFETY: null, or a place that the front end has for the value.
    if let Some(info) = unsafe { info.as_mut() } {
        *info = SystemInfo {
            library_name: c"Maxout".as_ptr(),
            library_version: VERSION.as_ptr(),
            valid_extensions: c"nes".as_ptr(),
            need_fullpath: false,
            block_extract: false,
        };
    }
}

/// Says size, speed and sound of the game.
///
/// # Safety
/// `info` is null or a place for the value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_get_system_av_info(info: *mut SystemAvInfo) {
    let core = game();
    // SAFETY: null, or a place that the front end has for the value.
    if let (Some(info), Some(core)) = (unsafe { info.as_mut() }, core.as_ref()) {
        *info = SystemAvInfo {
            geometry: geometry(core),
            timing: Timing { fps: core.region().frame_rate(), sample_rate: f64::from(SAMPLE_RATE) },
        };
    }
}

/// Inserts a cartridge, or the built-in one without a game. Returns whether it can be played.
///
/// # Safety
/// `info` is null or a game that the front end has read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_load_game(info: *const GameInfo) -> bool {
    if !ask(environment::SET_PIXEL_FORMAT, &mut { PIXEL_FORMAT_XRGB8888 }) {
        log(LOG_ERROR, "Maxout: the front end takes no pixels of 32 bits");
        return false;
    }
    // SAFETY: null, or a value of the front end that lives until the call returns.
    let info = unsafe { info.as_ref() };
    let image = info.filter(|info| !info.data.is_null()).map(|info| {
        // SAFETY: `data` has `size` bytes, which stay unchanged until the call returns.
        unsafe { slice::from_raw_parts(info.data.cast::<u8>(), info.size) }
    });
    let path = info.filter(|info| !info.path.is_null()).map(|info| {
        // SAFETY: a text that ends with a zero and lives until the call returns.
        unsafe { CStr::from_ptr(info.path) }.to_string_lossy().into_owned()
    });
    let name = path.as_deref().and_then(|path| Path::new(path).file_stem()).unwrap_or_default();
    if info.is_some() && image.is_none() {
        log(LOG_ERROR, "Maxout: the front end has a game and not its bytes");
        return false;
    }
    let core = match Core::load(image, &name.to_string_lossy(), &options()) {
        Ok(core) => core,
        Err(error) => {
            log(LOG_ERROR, &format!("Maxout: {error}"));
            return false;
        }
    };
    let mut core = game().insert(core).maps();
    describe_pads();
    ask(environment::SET_SUPPORT_ACHIEVEMENTS, &mut true);
    let mut map = MemoryMap { descriptors: core.as_ptr(), count: core.len() as c_uint };
    ask(environment::SET_MEMORY_MAPS, &mut map);
    core.clear();
    true
}

impl Core {
    /// Returns where the memories are in the console's address space.
    fn maps(&mut self) -> Vec<MemoryDescriptor> {
        let describe = |flags, bytes: &mut [u8], start, select| MemoryDescriptor {
            flags,
            pointer: bytes.as_mut_ptr().cast(),
            offset: 0,
            start,
            select,
            disconnect: 0,
            length: bytes.len(),
            space: ptr::null(),
        };
        // Work RAM is there four times, of which one is named.
        let mut maps = vec![describe(MEMDESC_SYSTEM_RAM, self.ram(), 0, 0)];
        let battery = self.battery();
        // More than 8 KiB has banks, which the interface cannot say.
        if (1..=0x2000).contains(&battery.len()) {
            maps.push(describe(MEMDESC_SAVE_RAM, battery, 0x6000, 0));
        }
        maps
    }
}

/// Tells the front end which buttons there are.
fn describe_pads() {
    let ports = 0..PORTS as c_uint;
    let pads = ports.flat_map(|port| {
        PAD.iter().map(move |(id, _, name)| InputDescriptor {
            port,
            device: DEVICE_JOYPAD,
            index: 0,
            id: *id,
            description: name.as_ptr(),
        })
    });
    let end = InputDescriptor { port: 0, device: 0, index: 0, id: 0, description: ptr::null() };
    let mut list: Vec<InputDescriptor> = pads.chain([end]).collect();
    if let Some(first) = list.first_mut() {
        ask(environment::SET_INPUT_DESCRIPTORS, first);
    }
}

/// No cartridge of this console is several files.
#[unsafe(no_mangle)]
pub extern "C" fn retro_load_game_special(_: c_uint, _: *const GameInfo, _: usize) -> bool {
    false
}

/// Takes the cartridge out. The state's hash, as `maxout run` prints it, goes into the log.
#[unsafe(no_mangle)]
pub extern "C" fn retro_unload_game() {
    let core = game().take();
    if let Some(core) = core {
        let (frames, hash) = (core.frame_number(), core.state_hash());
        log(LOG_INFO, &format!("Maxout: {frames} frames, state {hash:016x}"));
    }
}

/// Presses the reset button.
#[unsafe(no_mangle)]
pub extern "C" fn retro_reset() {
    if let Some(core) = game().as_mut() {
        core.reset();
    }
}

/// Runs a frame: pads, console, sound, picture.
#[unsafe(no_mangle)]
pub extern "C" fn retro_run() {
    let mut updated = false;
    if ask(environment::GET_VARIABLE_UPDATE, &mut updated) && updated {
        let options = options();
        let mut shape = None;
        if let Some(core) = game().as_mut() {
            core.set(&options);
            shape = Some(geometry(core));
        }
        if let Some(mut shape) = shape {
            ask(environment::SET_GEOMETRY, &mut shape);
        }
    }
    let Callbacks { video, audio, poll, state, plugged, .. } = *callbacks();
    if let Some(poll) = poll {
        // SAFETY: the front end has given the function for this moment.
        unsafe { poll() };
    }
    let held = |port: usize| {
        let Some(state) = state.filter(|_| plugged[port]) else { return Buttons::empty() };
        // SAFETY: the front end has given the function for this moment; it answers for any numbers.
        let is_held = |id| unsafe { state(port as c_uint, DEVICE_JOYPAD, 0, id) } != 0;
        let held = PAD.iter().filter(|(id, ..)| is_held(*id));
        held.fold(Buttons::empty(), |held, (_, button, _)| held | *button)
    };
    let Some(mut core) = game().take() else { return };
    let pads = [held(0), held(1)];
    let extra = match core.devices() {
        Devices::FourScore | Devices::FamicomFour => Extra::Pads([held(2), held(3)]),
        Devices::Zapper => Extra::Zapper(state.map(|state| aim(state, &core)).unwrap_or_default()),
        // The second pad of a Famicom has a microphone in the place of Start.
        Devices::Famicom if pads[1].contains(Buttons::START) => Extra::Microphone,
        Devices::Pads | Devices::Famicom => Extra::None,
    };
    core.frame(Held { pads, extra });
    if core.logs_state() {
        let (frame, hash) = (core.frame_number(), core.state_hash());
        log(LOG_INFO, &format!("Maxout: frame {frame}, state {hash:016x}"));
    }
    if let Some(audio) = audio {
        let sound = core.sound();
        // SAFETY: the sound has two samples a frame and lives until the call returns.
        unsafe { audio(sound.as_ptr(), sound.len() / 2) };
    }
    if let Some(video) = video {
        let (width, height) = (core.width(), core.height());
        let row = width * size_of::<u32>();
        // SAFETY: the picture has `height` rows of `row` bytes and lives until the call returns.
        unsafe { video(core.picture().as_ptr().cast(), width as c_uint, height as c_uint, row) };
    }
    *game() = Some(core);
}

/// Asks where the light gun in the second port points.
fn aim(state: InputState, core: &Core) -> Aim {
    // SAFETY: the front end has given the function for this moment; it answers for any numbers.
    let of = |id| unsafe { state(1, DEVICE_LIGHTGUN, 0, id) };
    // From -0x7fff to 0x7fff over the picture that is shown.
    let part = |id, dots: usize| (i64::from(of(id)) + 0x8000) * dots as i64 / 0x1_0000;
    let trigger = of(LIGHTGUN_TRIGGER) != 0;
    if of(LIGHTGUN_OFFSCREEN) != 0 {
        return Aim { trigger, ..Aim::default() };
    }
    let hidden = (nes::Frame::HEIGHT - core.height()) / 2;
    let (x, y) = (part(LIGHTGUN_X, core.width()), part(LIGHTGUN_Y, core.height()) + hidden as i64);
    Aim { x: x.clamp(0, 0xFF) as u8, y: y.clamp(0, 0xFF) as u8, trigger }
}

/// Returns the length of a state, which stays the same.
#[unsafe(no_mangle)]
pub extern "C" fn retro_serialize_size() -> usize {
    game().as_ref().map_or(0, Core::state_size)
}

/// Writes the state. Returns whether there was room for it.
///
/// # Safety
/// `data` is a place of `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_serialize(data: *mut c_void, size: usize) -> bool {
    let mut core = game();
    let Some(state) = core.as_mut().map(Core::save).filter(|state| !data.is_null() && state.len() <= size)
    else {
        return false;
    };
    // SAFETY: the place has `size` bytes, which are at least as many, and it is the front end's
    // own.
    unsafe { ptr::copy_nonoverlapping(state.as_ptr(), data.cast::<u8>(), state.len()) };
    true
}

/// Goes to a state. Returns whether it was one of this game.
///
/// # Safety
/// `data` has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn retro_unserialize(data: *const c_void, size: usize) -> bool {
    let mut core = game();
    let Some(core) = core.as_mut().filter(|_| !data.is_null()) else { return false };
    // SAFETY: there are `size` bytes, of which these are all or the first, and the front end
    // does not change them during the call.
    let state = unsafe { slice::from_raw_parts(data.cast::<u8>(), core.state_size().min(size)) };
    core.restore(state)
}

/// Forgets codes: there are none, see [`retro_cheat_set`].
#[unsafe(no_mangle)]
pub extern "C" fn retro_cheat_reset() {}

/// Takes a code of a cheat. Front ends write RAM themselves, by the memories; the core changes no
/// ROM.
#[unsafe(no_mangle)]
pub extern "C" fn retro_cheat_set(_: c_uint, _: bool, _: *const c_char) {
    log(LOG_INFO, "Maxout: codes for the ROM are not taken; cheats that write RAM are");
}

/// Returns the console's region.
#[unsafe(no_mangle)]
pub extern "C" fn retro_get_region() -> c_uint {
    match game().as_ref().map(Core::region) {
        Some(Region::Pal) => REGION_PAL,
        _ => REGION_NTSC,
    }
}

/// Returns where a memory is; null for none.
#[unsafe(no_mangle)]
pub extern "C" fn retro_get_memory_data(memory: c_uint) -> *mut c_void {
    let mut core = game();
    let Some(core) = core.as_mut() else { return ptr::null_mut() };
    match memory {
        MEMORY_SAVE_RAM if !core.battery().is_empty() => core.battery().as_mut_ptr().cast(),
        MEMORY_SYSTEM_RAM => core.ram().as_mut_ptr().cast(),
        _ => ptr::null_mut(),
    }
}

/// Returns a memory's length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn retro_get_memory_size(memory: c_uint) -> usize {
    let mut core = game();
    let Some(core) = core.as_mut() else { return 0 };
    match memory {
        MEMORY_SAVE_RAM => core.battery().len(),
        MEMORY_SYSTEM_RAM => core.ram().len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
