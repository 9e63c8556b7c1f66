//! Numbers and structs of libretro's interface (source: `libretro.h`, which is public).

use std::ffi::{CStr, c_char, c_uint, c_void};

use nes::Buttons;

pub(super) const API_VERSION: c_uint = 1;

/// Questions and requests to the front end.
pub(super) mod environment {
    use std::ffi::c_uint;

    const EXPERIMENTAL: c_uint = 0x10000;

    pub(crate) const GET_SYSTEM_DIRECTORY: c_uint = 9;
    pub(crate) const SET_PIXEL_FORMAT: c_uint = 10;
    pub(crate) const SET_INPUT_DESCRIPTORS: c_uint = 11;
    pub(crate) const GET_VARIABLE: c_uint = 15;
    pub(crate) const SET_VARIABLES: c_uint = 16;
    pub(crate) const GET_VARIABLE_UPDATE: c_uint = 17;
    pub(crate) const SET_SUPPORT_NO_GAME: c_uint = 18;
    pub(crate) const GET_LOG_INTERFACE: c_uint = 27;
    pub(crate) const SET_CONTROLLER_INFO: c_uint = 35;
    pub(crate) const SET_MEMORY_MAPS: c_uint = EXPERIMENTAL + 36;
    pub(crate) const SET_GEOMETRY: c_uint = 37;
    pub(crate) const SET_SUPPORT_ACHIEVEMENTS: c_uint = EXPERIMENTAL + 42;
}

/// Four bytes a pixel: nothing, red, green, blue, from the highest.
pub(super) const PIXEL_FORMAT_XRGB8888: c_uint = 1;
pub(super) const DEVICE_NONE: c_uint = 0;
pub(super) const DEVICE_JOYPAD: c_uint = 1;
pub(super) const DEVICE_LIGHTGUN: c_uint = 4;
pub(super) const LIGHTGUN_TRIGGER: c_uint = 2;
pub(super) const LIGHTGUN_X: c_uint = 13;
pub(super) const LIGHTGUN_Y: c_uint = 14;
pub(super) const LIGHTGUN_OFFSCREEN: c_uint = 15;
pub(super) const REGION_NTSC: c_uint = 0;
pub(super) const REGION_PAL: c_uint = 1;
pub(super) const MEMORY_SAVE_RAM: c_uint = 0;
pub(super) const MEMORY_SYSTEM_RAM: c_uint = 2;
pub(super) const LOG_INFO: c_uint = 1;
pub(super) const LOG_ERROR: c_uint = 3;
pub(super) const MEMDESC_SYSTEM_RAM: u64 = 1 << 2;
pub(super) const MEMDESC_SAVE_RAM: u64 = 1 << 3;

/// Buttons of the front end's pad, by its number of each.
pub(super) const PAD: [(c_uint, Buttons, &CStr); 8] = [
    (0, Buttons::B, c"B"),
    (2, Buttons::SELECT, c"Select"),
    (3, Buttons::START, c"Start"),
    (4, Buttons::UP, c"Up"),
    (5, Buttons::DOWN, c"Down"),
    (6, Buttons::LEFT, c"Left"),
    (7, Buttons::RIGHT, c"Right"),
    (8, Buttons::A, c"A"),
];

pub(super) type Environment = unsafe extern "C" fn(c_uint, *mut c_void) -> bool;
pub(super) type VideoRefresh = unsafe extern "C" fn(*const c_void, c_uint, c_uint, usize);
pub(super) type AudioSample = unsafe extern "C" fn(i16, i16);
pub(super) type AudioSampleBatch = unsafe extern "C" fn(*const i16, usize) -> usize;
pub(super) type InputPoll = unsafe extern "C" fn();
pub(super) type InputState = unsafe extern "C" fn(c_uint, c_uint, c_uint, c_uint) -> i16;
pub(super) type Log = unsafe extern "C" fn(c_uint, *const c_char, ...);

#[repr(C)]
pub(super) struct Variable {
    pub(super) key: *const c_char,
    pub(super) value: *const c_char,
}

#[repr(C)]
pub(super) struct InputDescriptor {
    pub(super) port: c_uint,
    pub(super) device: c_uint,
    pub(super) index: c_uint,
    pub(super) id: c_uint,
    pub(super) description: *const c_char,
}

#[repr(C)]
pub(super) struct ControllerDescription {
    pub(super) description: *const c_char,
    pub(super) id: c_uint,
}

#[repr(C)]
pub(super) struct ControllerInfo {
    pub(super) types: *const ControllerDescription,
    pub(super) count: c_uint,
}

#[repr(C)]
pub(super) struct MemoryDescriptor {
    pub(super) flags: u64,
    pub(super) pointer: *mut c_void,
    pub(super) offset: usize,
    pub(super) start: usize,
    pub(super) select: usize,
    pub(super) disconnect: usize,
    pub(super) length: usize,
    pub(super) space: *const c_char,
}

#[repr(C)]
pub(super) struct MemoryMap {
    pub(super) descriptors: *const MemoryDescriptor,
    pub(super) count: c_uint,
}

#[repr(C)]
pub(super) struct LogCallback {
    pub(super) log: Option<Log>,
}

/// What a core is, for the front end.
#[repr(C)]
pub struct SystemInfo {
    pub(super) library_name: *const c_char,
    pub(super) library_version: *const c_char,
    pub(super) valid_extensions: *const c_char,
    pub(super) need_fullpath: bool,
    pub(super) block_extract: bool,
}

/// Size and shape of the picture.
#[repr(C)]
pub struct Geometry {
    pub(super) base_width: c_uint,
    pub(super) base_height: c_uint,
    pub(super) max_width: c_uint,
    pub(super) max_height: c_uint,
    pub(super) aspect_ratio: f32,
}

/// Frames and samples a second.
#[repr(C)]
pub struct Timing {
    pub(super) fps: f64,
    pub(super) sample_rate: f64,
}

/// Both of these.
#[repr(C)]
pub struct SystemAvInfo {
    pub(super) geometry: Geometry,
    pub(super) timing: Timing,
}

/// A game that the front end has read.
#[repr(C)]
pub struct GameInfo {
    pub(super) path: *const c_char,
    pub(super) data: *const c_void,
    pub(super) size: usize,
    pub(super) meta: *const c_char,
}
