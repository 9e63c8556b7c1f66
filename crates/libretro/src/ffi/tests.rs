//! A host of our own: it loads games through the interface in C, as a front end does. One test
//! alone, because the interface has one game at a time.

use std::ffi::{CStr, CString, c_char, c_uint, c_void};
use std::ptr;
use std::sync::Mutex;

use nes::{Buttons, Cartridge, Config, Console};

use super::*;

const BUILT_IN: &[u8] = include_bytes!("../../../../roms/maxout.nes");
const SLOW: &[u8] = include_bytes!("../../../../roms/maxout-slow.nes");
const PAL: &[u8] = include_bytes!("../../../../roms/maxout-pal.nes");

/// What the host has seen.
#[derive(Default)]
struct Seen {
    options: Vec<(String, String)>,
    set: Vec<(String, CString)>,
    updated: bool,
    ports: usize,
    buttons: usize,
    memories: Vec<(u64, usize, usize, usize)>,
    /// Width, height, bytes of a row, and the sum of the last picture.
    picture: (c_uint, c_uint, usize, u64),
    pictures: u64,
    samples: usize,
    held: Buttons,
    geometry: (c_uint, c_uint),
    system: Option<CString>,
    /// Numbers of the light gun: column, line, whether it points past the screen, trigger.
    gun: [i16; 4],
}

static SEEN: Mutex<Option<Seen>> = Mutex::new(None);

fn seen<T>(look: impl FnOnce(&mut Seen) -> T) -> T {
    look(SEEN.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default())
}

unsafe extern "C" fn environment(command: c_uint, data: *mut c_void) -> bool {
    // SAFETY: the core passes the type of each command, and texts that end with a zero.
    unsafe {
        match command {
            environment::SET_VARIABLES => {
                let mut variable = data.cast::<Variable>();
                while !(*variable).key.is_null() {
                    let text = |text: *const c_char| CStr::from_ptr(text).to_str().unwrap().to_owned();
                    let pair = (text((*variable).key), text((*variable).value));
                    seen(|seen| seen.options.push(pair));
                    variable = variable.add(1);
                }
            }
            environment::GET_VARIABLE => {
                let variable = &mut *data.cast::<Variable>();
                let key = CStr::from_ptr(variable.key).to_str().unwrap();
                let value =
                    seen(|seen| seen.set.iter().find(|(set, _)| set == key).map(|(_, value)| value.as_ptr()));
                variable.value = value.unwrap_or(ptr::null());
                return value.is_some();
            }
            environment::GET_VARIABLE_UPDATE => {
                *data.cast::<bool>() = seen(|seen| std::mem::take(&mut seen.updated));
            }
            environment::SET_CONTROLLER_INFO => {
                let mut port = data.cast::<ControllerInfo>();
                while !(*port).types.is_null() {
                    seen(|seen| seen.ports += 1);
                    port = port.add(1);
                }
            }
            environment::SET_INPUT_DESCRIPTORS => {
                let mut button = data.cast::<InputDescriptor>();
                while !(*button).description.is_null() {
                    seen(|seen| seen.buttons += 1);
                    button = button.add(1);
                }
            }
            environment::SET_MEMORY_MAPS => {
                let map = &*data.cast::<MemoryMap>();
                let list = slice::from_raw_parts(map.descriptors, map.count as usize);
                let list = list.iter().map(|d| (d.flags, d.start, d.length, d.pointer as usize));
                seen(|seen| seen.memories = list.collect());
            }
            environment::SET_GEOMETRY => {
                let shape = &*data.cast::<Geometry>();
                seen(|seen| seen.geometry = (shape.base_width, shape.base_height));
            }
            environment::GET_SYSTEM_DIRECTORY => {
                let folder = seen(|seen| seen.system.as_ref().map(|folder| folder.as_ptr()));
                *data.cast::<*const c_char>() = folder.unwrap_or(ptr::null());
            }
            environment::GET_LOG_INTERFACE => return false,
            _ => {}
        }
    }
    true
}

unsafe extern "C" fn video(data: *const c_void, width: c_uint, height: c_uint, row: usize) {
    // SAFETY: the core passes so many rows of so many bytes.
    let pixels = unsafe { slice::from_raw_parts(data.cast::<u32>(), (width * height) as usize) };
    let sum = pixels.iter().map(|pixel| u64::from(*pixel)).sum();
    seen(|seen| (seen.picture, seen.pictures) = ((width, height, row, sum), seen.pictures + 1));
}

unsafe extern "C" fn audio(data: *const i16, frames: usize) -> usize {
    // SAFETY: the core passes two samples for each frame of sound.
    let samples = unsafe { slice::from_raw_parts(data, 2 * frames) };
    assert!(samples.as_chunks::<2>().0.iter().all(|[left, right]| left == right));
    seen(|seen| seen.samples += frames);
    frames
}

unsafe extern "C" fn poll() {}

unsafe extern "C" fn state(port: c_uint, device: c_uint, _: c_uint, id: c_uint) -> i16 {
    if device == DEVICE_LIGHTGUN {
        let place =
            [LIGHTGUN_X, LIGHTGUN_Y, LIGHTGUN_OFFSCREEN, LIGHTGUN_TRIGGER].iter().position(|own| *own == id);
        return place.filter(|_| port == 1).map_or(0, |place| seen(|seen| seen.gun[place]));
    }
    let button = PAD.iter().find(|(own, ..)| *own == id).map(|(_, button, _)| *button);
    let held =
        port == 0 && device == DEVICE_JOYPAD && button.is_some_and(|b| seen(|seen| seen.held.contains(b)));
    i16::from(held)
}

/// What is held in a frame: it leads into a game.
fn held(frame: u64) -> Buttons {
    match frame {
        0..410 if frame % 40 < 2 => Buttons::START,
        460.. if frame % 40 > 1 => Buttons::DOWN,
        _ => Buttons::empty(),
    }
}

fn load(image: Option<&[u8]>, path: &CStr) -> bool {
    let Some(image) = image else {
        // SAFETY: null stands for no game.
        return unsafe { retro_load_game(ptr::null()) };
    };
    let info =
        GameInfo { path: path.as_ptr(), data: image.as_ptr().cast(), size: image.len(), meta: ptr::null() };
    // SAFETY: a game whose bytes live until the call returns.
    unsafe { retro_load_game(&raw const info) }
}

fn run(frames: std::ops::Range<u64>) {
    for frame in frames {
        seen(|seen| seen.held = held(frame));
        retro_run();
    }
}

fn hash() -> u64 {
    game().as_ref().unwrap().state_hash()
}

fn alone(image: &[u8], frames: u64) -> u64 {
    let mut console = Console::new(Cartridge::from_bytes(image).unwrap(), Config::default());
    for frame in 0..frames {
        let _ = console.run_frame(&mut [held(frame), Buttons::empty()], &mut ());
    }
    console.state_hash()
}

#[test]
fn a_host_lists_options_plays_saves_and_reads_memories() {
    retro_set_environment(Some(environment));
    retro_set_video_refresh(Some(video));
    retro_set_audio_sample_batch(Some(audio));
    retro_set_input_poll(Some(poll));
    retro_set_input_state(Some(state));
    retro_init();
    assert_eq!(retro_api_version(), 1);
    // Nothing is there without a game.
    retro_run();
    retro_reset();
    assert_eq!((retro_serialize_size(), retro_get_memory_size(MEMORY_SYSTEM_RAM)), (0, 0));
    assert!(retro_get_memory_data(MEMORY_SYSTEM_RAM).is_null());
    let options = seen(|seen| seen.options.clone());
    assert_eq!(options.len(), Options::list().len());
    assert!(
        options.contains(&("maxout_region".into(), "Region (restart); auto|NTSC|PAL".into())),
        "{options:?}"
    );
    assert_eq!(seen(|seen| seen.ports), 4);
    assert!(!load(Some(b"no image"), c"x.nes"));

    for (image, given) in [(BUILT_IN, None), (SLOW, Some(SLOW))] {
        assert!(load(given, c"/games/slow.nes"));
        seen(|seen| (seen.samples, seen.pictures) = (0, 0));
        run(0..600);
        assert_eq!(hash(), alone(image, 600));
        let (picture, count, samples) = seen(|seen| (seen.picture, seen.pictures, seen.samples));
        assert_eq!((picture.0, picture.1, picture.2, count), (256, 240, 1024, 600));
        // 48,000 a second, at 60.0988 frames a second.
        assert!((479_000..480_000).contains(&(samples)) && picture.3 > 0, "{samples}");

        let size = retro_serialize_size();
        let (mut saved, mut small) = (vec![0; size], vec![0; size - 1]);
        // SAFETY: places of the sizes that are named.
        unsafe {
            assert!(retro_serialize(saved.as_mut_ptr().cast(), size));
            assert!(!retro_serialize(small.as_mut_ptr().cast(), size - 1));
            assert!(!retro_serialize(ptr::null_mut(), size));
        }
        run(600..700);
        let there = hash();
        // SAFETY: a state of the size that is named.
        assert!(unsafe { retro_unserialize(saved.as_ptr().cast(), size) });
        run(600..700);
        assert_eq!((hash(), retro_serialize_size()), (there, size));
        saved[40] ^= 1;
        // SAFETY: bytes of the size that is named.
        assert!(!unsafe { retro_unserialize(saved.as_ptr().cast(), size) });
        assert_eq!(hash(), there);

        let ram = retro_get_memory_data(MEMORY_SYSTEM_RAM).cast::<u8>();
        assert_eq!(retro_get_memory_size(MEMORY_SYSTEM_RAM), 0x800);
        assert_eq!(game().as_ref().map(Core::frame_number), Some(700));
        // SAFETY: 2 KiB that stay as long as the game.
        unsafe { *ram.add(0x700) = 0x5A };
        run(700..701);
        // SAFETY: the same.
        assert_eq!(unsafe { *ram.add(0x700) }, 0x5A);
        let memories = seen(|seen| seen.memories.clone());
        assert_eq!(memories, [(MEMDESC_SYSTEM_RAM, 0, 0x800, ram as usize)]);
        assert_eq!((retro_get_memory_size(MEMORY_SAVE_RAM), seen(|seen| seen.buttons)), (0, 32));
        seen(|seen| seen.buttons = 0);
        retro_set_controller_port_device(0, DEVICE_NONE);
        let before = hash();
        retro_set_controller_port_device(0, DEVICE_JOYPAD);
        assert_eq!(hash(), before);
        retro_unload_game();
        assert_eq!(retro_serialize_size(), 0);
    }

    // A battery, an option that changes in the middle, another region.
    let image = nes_testing::Image::ines(0, 1, 0).with(6, 2).bytes();
    assert!(load(Some(&image), c"battery.nes"));
    assert_eq!(retro_get_memory_size(MEMORY_SAVE_RAM), 0x2000);
    assert_eq!(seen(|seen| seen.memories.iter().map(|memory| memory.1).collect::<Vec<_>>()), [0, 0x6000]);
    seen(|seen| {
        seen.set.push(("maxout_overscan".into(), CString::new("8").unwrap()));
        seen.updated = true;
    });
    run(0..1);
    assert_eq!(seen(|seen| (seen.picture.1, seen.geometry)), (224, (256, 224)));
    retro_unload_game();
    assert!(load(Some(PAL), c"pal.nes"));
    let nothing = || Timing { fps: 0.0, sample_rate: 0.0 };
    let shape = Geometry { base_width: 0, base_height: 0, max_width: 0, max_height: 0, aspect_ratio: 0.0 };
    let mut information = SystemAvInfo { geometry: shape, timing: nothing() };
    // SAFETY: a place for the value.
    unsafe { retro_get_system_av_info(&raw mut information) };
    assert!((information.timing.fps - 50.007).abs() < 0.001, "{}", information.timing.fps);
    assert_eq!((retro_get_region(), information.geometry.max_height), (REGION_PAL, 240));
    retro_unload_game();

    set_options_of_a_folder_and_a_gun();
    retro_deinit();
}

#[allow(clippy::disallowed_methods, reason = "a front end's folder has files")]
fn write(palette: &Path) {
    std::fs::write(palette, [7; 192]).unwrap();
}

/// The rest of the one test.
fn set_options_of_a_folder_and_a_gun() {
    // A palette of the front end's folder, and none where there is no such file.
    let folder = tempfile::tempdir().unwrap();
    let set = |key: &str, value: &str| {
        seen(|seen| seen.set.push((key.into(), CString::new(value).unwrap())));
    };
    seen(|seen| seen.set.clear());
    set("maxout_palette", PALETTE_FILE);
    seen(|seen| seen.system = Some(CString::new(folder.path().to_str().unwrap()).unwrap()));
    for (file, expected) in [(false, false), (true, true)] {
        if file {
            write(&folder.path().join(PALETTE_FILE));
        }
        assert!(load(None, c""));
        run(0..2);
        assert_eq!(seen(|seen| seen.picture.3) == 0x07_0707 * 256 * 240, expected);
        retro_unload_game();
    }

    // The light gun, whose numbers go from edge to edge of what is shown.
    seen(|seen| seen.set.clear());
    set("maxout_ports", "zapper");
    set("maxout_overscan", "8");
    assert!(load(None, c""));
    let points = |gun| {
        seen(|seen| seen.gun = gun);
        let core = game();
        aim(state, core.as_ref().unwrap())
    };
    assert_eq!(points([-0x7FFF, -0x7FFF, 0, 0]), Aim { x: 0, y: 8, trigger: false });
    assert_eq!(points([0x7FFF, 0x7FFF, 0, 1]), Aim { x: 255, y: 231, trigger: true });
    assert_eq!(points([0, 0, 0, 1]), Aim { x: 128, y: 120, trigger: true });
    assert_eq!(points([0, 0, 1, 1]), Aim { trigger: true, ..Aim::default() });
    run(0..1);
    retro_unload_game();
}
