use super::*;
use crate::config::settings::Settings;
use crate::messages::command::Recording;
use crate::messages::status::{MovieStatus, RecordingStatus};
use crate::ui::folder::Folder;
use crate::ui::page::Scene;

/// Draws `page` so many times, as egui's clock goes. Returns what was drawn last.
fn drawn(context: &Context, page: Page, times: u32) -> egui::FullOutput {
    drawn_with(context, page, times, &egui::RawInput::default())
}

/// The same in the window of `input`.
fn drawn_with(context: &Context, page: Page, times: u32, input: &egui::RawInput) -> egui::FullOutput {
    let (mut open, mut kept) = (Menu::default(), Kept::default());
    open.open(page);
    let (settings, status, folder) = (Settings::default(), Status::default(), Folder::default());
    let now = std::time::SystemTime::UNIX_EPOCH;
    let scene = Scene {
        settings: &settings,
        status: &status,
        recent: &[],
        folder: &folder,
        games: &[],
        editor: &crate::ui::editor::Editor::default(),
        question: None,
        dialog: false,
        keys: &[],
        now,
    };
    let rows = page.rows(&scene);
    let mut output = egui::FullOutput::default();
    for time in 0..times {
        let input = egui::RawInput { time: Some(f64::from(time) / 60.0), ..input.clone() };
        output = context.run(input, |context| {
            menu(context, &open, &rows, &status, &mut kept);
            messages(context, context.content_rect(), &[(MessageKind::Note, "a note".into())]);
        });
    }
    output
}

#[test]
fn a_menu_has_all_its_rows_in_the_second_drawing() {
    for page in [Page::Pause, Page::Tetris, Page::Picture] {
        let height = |times| {
            let context = Context::default();
            drawn(&context, page, times);
            context.memory(|memory| memory.area_rect("menu")).map(|rect| rect.height())
        };
        let (second, last) = (height(2), height(60));
        assert!(last > Some(100.0), "{page:?}: {last:?}");
        assert_eq!(second, last, "{page:?}");
    }
}

#[test]
fn all_rows_of_the_pause_menu_are_on_the_screen_and_a_larger_window_shows_no_fewer_rows() {
    let mut fewest = 0;
    for size in [[768.0, 720.0], [1280.0, 800.0], [1920.0, 1080.0], [3840.0, 2160.0]] {
        let context = Context::default();
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size.into());
        for (page, wanted) in [(Page::Pause, "Quit"), (Page::Practice, "Games")] {
            let input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
            let output = drawn_with(&context, page, 3, &input);
            let texts: Vec<(String, egui::Rect)> = output
                .shapes
                .iter()
                .filter_map(|shape| match &shape.shape {
                    egui::Shape::Text(text) => {
                        let area = text.galley.rect.translate(text.pos.to_vec2());
                        shape.clip_rect.contains_rect(area).then(|| (text.galley.text().to_owned(), area))
                    }
                    _ => None,
                })
                .collect();
            assert!(
                texts.iter().any(|(text, area)| text == wanted && screen.contains_rect(*area)),
                "{size:?}"
            );
            if page == Page::Practice {
                assert!(texts.len() >= fewest, "{size:?}: {} texts", texts.len());
                fewest = texts.len();
            }
        }
    }
    assert!(fewest > 30);
}

/// Returns the texts that were drawn whole, with their places.
fn texts(output: &egui::FullOutput) -> Vec<(String, egui::Rect)> {
    let texts = output.shapes.iter().filter_map(|shape| match &shape.shape {
        egui::Shape::Text(text) => {
            Some((text.galley.text().to_owned(), text.galley.rect.translate(text.pos.to_vec2())))
        }
        _ => None,
    });
    texts.collect()
}

/// Draws these rows in the smallest window that Maxout starts with.
fn drawn_rows(context: &Context, page: Page, rows: &[Row]) -> egui::FullOutput {
    let (mut open, mut kept, status) = (Menu::default(), Kept::default(), Status::default());
    open.open(page);
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, Vec2::new(768.0, 720.0));
    let input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
    context.run(input, |context| {
        menu(context, &open, rows, &status, &mut kept);
    })
}

#[test]
fn label_and_value_of_a_row_never_meet_however_long_they_are() {
    let context = Context::default();
    for (label, value) in [(10, 200), (200, 10), (200, 200), (40, 60), (10, 10)] {
        let row = Row::of_file(&"m".repeat(label)).with_value(&"8".repeat(value));
        let mut output = egui::FullOutput::default();
        (0..3).for_each(|_| output = drawn_rows(&context, Page::Sound, std::slice::from_ref(&row)));
        let place = |letter: char| {
            let all = texts(&output);
            all.into_iter().find(|(text, _)| text.starts_with(letter)).expect("it is drawn").1
        };
        let (label, value) = (place('m'), place('8'));
        assert!(label.right() < value.left() && value.right() <= 768.0, "{label:?} {value:?}");
        assert!(label.width() > 60.0 || label.width() > 0.0 && value.width() < 500.0);
    }
}

#[test]
fn a_page_that_grows_is_inside_the_window_after_the_next_drawing() {
    let context = Context::default();
    let rows: Vec<Row> = (0..40).map(|number| Row::of_file(&format!("row {number}"))).collect();
    (0..3).for_each(|_| drop(drawn_rows(&context, Page::Coach, &rows[..3])));
    let output = drawn_rows(&context, Page::Coach, &rows);
    let delay = output.viewport_output.values().map(|viewport| viewport.repaint_delay).min();
    assert_eq!(delay, Some(std::time::Duration::ZERO), "it asks for the next drawing");
    drop(drawn_rows(&context, Page::Coach, &rows));
    let area = context.memory(|memory| memory.area_rect("menu")).expect("it is drawn");
    assert!(area.top() >= 0.0 && area.bottom() <= 720.0, "{area:?}");
}

/// Characters beyond ASCII in the strings of the sources that the window shows.
fn unusual_characters() -> std::collections::BTreeSet<char> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src"), root.join("../practice/src"), root.join("../nes-debug/src")];
    let mut found = std::collections::BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources").flatten() {
            let path = entry.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            // A terminal has fonts of its own.
            if path.is_dir() && name != "terminal" {
                folders.push(path);
            } else if name.split('.').next_back() == Some("rs") && name != "tests.rs" && name != "terminal.rs"
            {
                let text = std::fs::read_to_string(&path).expect("a source");
                let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
                let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
                found.extend(code.flat_map(str::chars).filter(|letter| !letter.is_ascii()));
            }
        }
    }
    found
}

#[test]
fn the_fonts_have_every_character_of_every_text() {
    let context = Context::default();
    drop(drawn(&context, Page::Pause, 1));
    let letters = unusual_characters();
    assert!(letters.contains(&RECORDING) && letters.len() > 5, "{letters:?}");
    for font in [FontId::proportional(14.0), FontId::monospace(14.0)] {
        for &letter in &letters {
            assert!(context.fonts_mut(|fonts| fonts.has_glyph(&font, letter)), "{letter:?} in {font:?}");
        }
    }
}

#[test]
fn a_menu_that_nobody_touches_is_drawn_no_more() {
    for page in [Page::Pause, Page::Load, Page::Help, Page::Picture] {
        let context = Context::default();
        let output = drawn(&context, page, 60);
        let delay = output.viewport_output.values().map(|viewport| viewport.repaint_delay).min();
        assert!(delay.is_some_and(|delay| !delay.is_zero()), "{page:?}: {:?}", context.repaint_causes());
        assert!(output.shapes.len() > 5, "{page:?}");
    }
}

#[test]
fn what_is_recorded_and_for_how_long_is_seen() {
    let mut status = Status::default();
    assert_eq!(recording_sign(&status), None);
    let recording = |recording, frames| RecordingStatus { recording, path: "x".into(), frames };
    status.recordings = vec![recording(Recording::Wave, 60), recording(Recording::Video, 60 * 61 + 90)];
    assert_eq!(recording_sign(&status).unwrap(), "⏺ WAV 0:00 · MP4 1:02");
    let movie = |length| Some(MovieStatus { path: "x.fm2".into(), frame: 121, length });
    status.movie = movie(None);
    assert_eq!(recording_sign(&status).unwrap(), "⏺ FM2 0:02 · WAV 0:00 · MP4 1:02");
    status.movie = movie(Some(6010));
    assert_eq!(recording_sign(&status).unwrap(), "▶ 0:02 of 1:40");
}

#[test]
fn the_notice_of_a_crash_says_frame_level_program_counter_jump_and_what_can_be_done() {
    let jump = nes_debug::WildJump { from: 0xAC95, meant: 0x8245, went: 0x0102 };
    let lines = |cause, jump| {
        let crash = Crash { frame: 900, level: 157, pc: 0x1234, cause, jump };
        crash_lines(&crash).into_iter().map(|(_, line)| line).collect::<Vec<_>>()
    };
    let said = lines(CrashCause::Jump(jump), Some(jump));
    assert_eq!(said[1], "frame 900 · level 157 · program counter $1234");
    assert_eq!(said[2], "the jump at $AC95 led to $0102 instead of $8245");
    assert!(said.len() == 4 && said[3].contains("B: back"), "{said:?}");
    let said = lines(CrashCause::Jammed, Some(jump));
    assert_eq!(said[2..4], ["the CPU is jammed", "the jump at $AC95 led to $0102 instead of $8245"]);
}
