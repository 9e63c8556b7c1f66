//! No text is cut, in a small window, with the largest numbers, and with labels a third longer as
//! in other languages.

use super::*;
use crate::ui::app::size_within;
use crate::ui::canvas;

/// Returns whether a text may be cut: names from people or files, and what has no bound.
fn may_be_cut(words: &str) -> bool {
    ["A long message", "MMM", "/", "game.mxgame"].iter().any(|start| words.starts_with(start))
}

/// Returns what is cut of what is seen of a drawing: with an ellipsis, by the edge of its part of
/// the window, or by another text that is written over it.
fn cut(output: &FullOutput) -> Vec<String> {
    let seen = texts(output).map(|(text, clip)| (text, text.visual_bounding_rect(), clip));
    let seen: Vec<_> = seen.filter(|(_, area, clip)| clip.intersects(*area)).collect(); // not scrolled away
    let words = |text: &egui::epaint::TextShape| text.galley.text().to_owned();
    let mut cut = vec![];
    for (at, (text, area, clip)) in seen.iter().enumerate() {
        if may_be_cut(text.galley.text()) {
            continue;
        }
        if text.galley.elided {
            cut.push(words(text));
        }
        if area.left() < clip.left() - 1.0 || area.right() > clip.right() + 1.0 {
            cut.push(format!("over the edge: {}", words(text)));
        }
        let area = area.intersect(*clip).shrink(2.0);
        let over = seen[at + 1..].iter().filter(|(_, other, clip)| {
            let meets = area.intersect(other.intersect(*clip).shrink(2.0));
            meets.width() > 1.0 && meets.height() > 1.0
        });
        cut.extend(over.map(|(other, ..)| format!("{} over {}", words(other), words(text))));
    }
    cut
}

/// Returns what is cut or left out in a window after a change, with labels as long as they are or a
/// third longer.
fn cut_after(window: (u32, u32, f64), is_longer: bool, change: impl Fn(&mut Room)) -> Vec<String> {
    let mut screen = Screen::new(window);
    canvas::lengthen(&screen.context, is_longer);
    change(&mut screen.room);
    let output = screen.draw(window);
    let mut cut = cut(&output);
    if screen.room.state.menu.page().is_some() {
        cut.extend(not_drawn(&screen.room.state).into_iter().map(|label| format!("not drawn: {label}")));
    }
    cut
}

/// Returns the windows in which the program starts on screens of usual sizes.
fn first_windows() -> BTreeSet<(u32, u32)> {
    let screens =
        [(1280, 720), (1280, 800), (1366, 768), (1440, 900), (1536, 864), (1920, 1080), (2560, 1440)];
    screens
        .into_iter()
        .map(|(width, height)| size_within((width * 9 / 10, height * 9 / 10), Framing::default(), (3, 1), 2))
        .collect()
}

#[test]
fn no_text_is_clipped() {
    let mut wrong = vec![];
    let windows: BTreeSet<(u32, u32)> =
        first_windows().into_iter().chain([(768, 720), (1280, 800)]).collect();
    for window in windows.into_iter().map(|(width, height)| (width, height, 1.0)) {
        for content in everything() {
            for is_longer in [false, true] {
                let cut = cut_after(window, is_longer, |room| content.lead(room));
                if !cut.is_empty() {
                    wrong.push(format!("{} at {window:?}, longer {is_longer}: {cut:?}", content.name));
                }
            }
        }
        for (name, change) in STATES {
            for is_longer in [false, true] {
                let cut = cut_after(window, is_longer, change);
                if !cut.is_empty() {
                    wrong.push(format!("{name} at {window:?}, longer {is_longer}: {cut:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
