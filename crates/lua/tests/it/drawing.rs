//! `gui`: what is drawn over the picture.

use crate::rig::{Rig, message, printed};

/// What a frame of `source` draws at a place.
fn pixel(rig: &Rig, x: usize, y: usize) -> [u8; 4] {
    rig.overlay.pixels()[y * 256 + x]
}

fn drawn(source: &str) -> Rig {
    let mut rig = Rig::new(source);
    rig.frames(1);
    rig
}

const CLEAR: [u8; 4] = [0; 4];
const RED: [u8; 4] = [0xFF, 0, 0, 0xFF];
const WHITE: [u8; 4] = [0xFF; 4];

#[test]
fn pixels_lines_and_boxes_are_drawn_by_each_of_their_names_for_one_frame() {
    for name in ["pixel", "drawpixel", "setpixel", "writepixel"] {
        let mut rig = drawn(&format!("gui.{name}(3, 4, 'red') gui.{name}(-1, 999, 'red')"));
        assert_eq!((pixel(&rig, 3, 4), pixel(&rig, 4, 4)), (RED, CLEAR));
        assert!(!rig.frames(1).overlay.drawn());
    }
    for name in ["line", "drawline"] {
        let rig = drawn(&format!("gui.{name}(0, 0, 9, 9, 0xFF0000FF) gui.{name}(20, 0, 22, 0, nil, true)"));
        assert_eq!((pixel(&rig, 9, 9), pixel(&rig, 5, 5), pixel(&rig, 5, 4)), (RED, RED, CLEAR));
        assert_eq!((pixel(&rig, 20, 0), pixel(&rig, 22, 0)), (CLEAR, WHITE));
    }
    for name in ["box", "drawbox", "rect", "drawrect"] {
        let rig = drawn(&format!("gui.{name}(9, 9, 5, 5, '#00FF0040', 'red') gui.{name}(20, 20, 24, 24)"));
        assert_eq!(
            (pixel(&rig, 5, 9), pixel(&rig, 7, 7), pixel(&rig, 10, 7)),
            (RED, [0, 0xFF, 0, 0x40], CLEAR)
        );
        assert_eq!((pixel(&rig, 20, 20), pixel(&rig, 22, 22)), (WHITE, [0xFF, 0xFF, 0xFF, 63]));
    }
}

#[test]
fn text_is_drawn_on_its_ground_and_says_where_it_ends() {
    for name in ["text", "drawtext"] {
        let mut rig =
            drawn(&format!("print(gui.{name}(10, 20, 'I', 'red', 'blue'), gui.{name}(10, 40, 'TETRIS'))"));
        assert_eq!(rig.lines(), ["16 46"]);
        assert_eq!((pixel(&rig, 12, 20), pixel(&rig, 10, 20)), (RED, [0, 0, 0xFF, 0xFF]));
        assert_eq!((pixel(&rig, 10, 40), pixel(&rig, 9, 39)), (WHITE, [27, 18, 105, 0xFF]));
    }
}

#[test]
fn colours_are_numbers_names_and_tables() {
    let script = r##"
        print(gui.parsecolor("orange")) print(gui.parsecolor(0x12345678)) print(gui.parsecolor("#0A0B0C"))
        print(gui.parsecolor{r = 1, g = 2, b = 3}) print(gui.parsecolor{4, 5, 6, 7}) print(gui.parsecolor("clear"))
    "##;
    assert_eq!(
        printed(script),
        ["255 127 0 255", "18 52 86 120", "10 11 12 255", "1 2 3 255", "4 5 6 7", "0 0 0 0"]
    );
    assert_eq!(
        message("\ngui.pixel(1, 1, 'mauve')"),
        "test.lua:2: expected a colour as \"red\", \"#RRGGBB\" or \"P16\", found \"mauve\""
    );
}

#[test]
fn opacity_fades_what_is_drawn_after_it() {
    let rig = drawn("gui.opacity(0.5) gui.pixel(0, 0, 'red') gui.transparency(3) gui.pixel(1, 0, 'red')");
    assert_eq!((pixel(&rig, 0, 0), pixel(&rig, 1, 0)), ([0xFF, 0, 0, 127], [0xFF, 0, 0, 63]));
}

#[test]
fn a_pixel_of_the_drawing_and_one_of_the_picture_can_be_read() {
    let script = r"
        for i = 1, 120 do emu.frameadvance() end
        gui.pixel(7, 8, {10, 20, 30, 255})
        print(gui.getpixel(7, 8))
        print(gui.getpixel(8, 8))
        local r, g, b = emu.getscreenpixel(7, 8, false)
        print(r, g, b, select('#', emu.getscreenpixel(7, 8, true)), emu.getscreenpixel(7, 8, true) == 10)
        gui.getpixel(256, 0)
    ";
    let mut rig = Rig::new(script);
    assert_eq!(rig.error(121).to_string(), "test.lua:8: expected a pixel of 0-255 x 0-239, found 256, 0");
    assert_eq!(rig.lines(), ["10 20 30 255", "0 0 0 0", "10 20 30 4 false"]);
}

#[test]
fn a_registered_function_draws_on_the_frame_that_was_just_emulated() {
    let rig = drawn("gui.register(function() gui.pixel(emu.framecount(), 0, 'red') end)");
    assert_eq!((pixel(&rig, 0, 0), pixel(&rig, 1, 0)), (CLEAR, RED));
}

#[test]
fn an_image_is_a_string_that_can_be_taken_from_the_screen_and_drawn_elsewhere() {
    for name in ["image", "drawimage", "gdoverlay"] {
        let script = format!(
            "gui.pixel(5, 5, 'red') local shot = gui.gdscreenshot() assert(#shot == 11 + 256 * 240 * 4)
             gui.{name}(100, 50, shot, 5, 5, 2, 1)
             gui.{name}(0, 100, shot, 5, 5, 1, 1, 0.5)"
        );
        let rig = drawn(&script);
        assert_eq!((pixel(&rig, 100, 50), pixel(&rig, 100, 51)), (RED, CLEAR));
        assert_ne!(pixel(&rig, 101, 50), RED);
        assert_eq!(pixel(&rig, 0, 100), [0xFF, 0, 0, 127]);
    }
    assert_eq!(
        message("gui.image('no image')"),
        "test.lua:1: expected an image of gd in true colour, beginning with FF FE"
    );
}

#[test]
fn a_screenshot_is_a_file_with_the_drawing_on_it() {
    let rig = drawn("gui.box(0, 0, 9, 9, 'red') gui.savescreenshot() gui.savescreenshotas('mine.png')");
    for name in ["test-1.png", "mine.png"] {
        let picture = image::open(rig.files.path().join(name)).unwrap().into_rgba8();
        assert_eq!(picture.dimensions(), (256, 240));
        assert_eq!(picture.get_pixel(4, 4).0, RED);
    }
    assert!(message("gui.savescreenshotas('../mine.png')").contains("expected a plain file name"));
}

#[test]
fn a_text_that_is_no_colour_is_as_none_where_there_is_a_default() {
    let painted = |colour: &str| {
        let mut rig = Rig::new(&format!(
            "gui.text(10, 10, 'x', {colour}, {colour}) gui.box(50, 50, 60, 60, {colour}, {colour}) \
             gui.line(1, 1, 9, 9, {colour}) emu.frameadvance()"
        ));
        rig.frames(1);
        rig.overlay.pixels().to_vec()
    };
    assert!(painted("''") == painted("nil") && painted("'nonsense'") == painted("nil"));
    assert!(painted("'red'") != painted("nil"));
    assert!(message("gui.pixel(1, 1, '')").contains("expected a colour"));
}
