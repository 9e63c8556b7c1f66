//! No text is cut, in a small window, with the largest numbers, and with labels a third longer as
//! in other languages.

use super::*;
use crate::ui::canvas;

/// Returns whether a text may be cut: names from people or files, and what has no bound.
fn may_be_cut(words: &str) -> bool {
    ["a long message", "MMM", "/", "game.mxgame"].iter().any(|start| words.starts_with(start))
}

/// Returns what is cut of what is seen of a drawing.
fn cut(output: &FullOutput) -> Vec<String> {
    let seen = texts(output).filter(|(text, clip)| {
        clip.intersects(text.galley.rect.translate(text.pos.to_vec2())) // not scrolled away
    });
    let cut = seen.filter(|(text, _)| text.galley.elided && !may_be_cut(text.galley.text()));
    cut.map(|(text, _)| text.galley.text().to_owned()).collect()
}

/// Pages that have no room for labels a third longer yet. The rails beside a game have none,
/// either.
const TOO_TIGHT: [Page; 7] =
    [Page::Home, Page::Pause, Page::Practice, Page::Taps, Page::Das, Page::Finesse, Page::Editor];

/// Returns what is cut in a window after a change, with labels as long as they are or a third
/// longer.
fn cut_after(window: (u32, u32, f64), is_longer: bool, change: impl Fn(&mut Room)) -> Vec<String> {
    let mut screen = Screen::new(window);
    canvas::lengthen(&screen.context, is_longer);
    change(&mut screen.room);
    let output = screen.draw(window);
    cut(&output)
}

#[test]
fn no_text_is_clipped() {
    let mut wrong = vec![];
    for window in [(768, 720, 1.0), (1280, 800, 1.0)] {
        for page in PAGES {
            for is_longer in [false, true] {
                if is_longer && TOO_TIGHT.contains(&page) {
                    continue;
                }
                let cut = cut_after(window, is_longer, |room| {
                    room.done(|status| status.game = Some(game()));
                    room.state.menu.open(page);
                    room.state.menu.games = games();
                });
                if !cut.is_empty() {
                    wrong.push(format!("{page:?} at {}, longer {is_longer}: {cut:?}", window.0));
                }
            }
        }
        for (name, change) in STATES {
            let cut = cut_after(window, false, change);
            if !cut.is_empty() {
                wrong.push(format!("{name} at {}: {cut:?}", window.0));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
