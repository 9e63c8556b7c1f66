//! The keyboard on the screen, at the bottom of a page.

use egui::{Align2, Id, Pos2, Rect, Sense, Vec2};

use super::{Desk, Shown};
use crate::ui::canvas::Canvas;
use crate::ui::keyboard::{Key, Keyboard};
use crate::ui::reader;
use crate::ui::theme::{CARD_CORNER, CORNER, Type};

/// A key's place with the space around it, and the height of the line with what was typed.
const KEY: Vec2 = Vec2::new(46.0, 42.0);
const HEAD: f32 = 44.0;
const AROUND: f32 = 12.0;

/// Draws it over the lower part of `body`, with what was typed above its keys.
pub(super) fn draw(ui: &egui::Ui, canvas: &Canvas, body: Rect, shown: &Shown<'_>, desk: &mut Desk<'_>) {
    let Some(keyboard) = shown.keyboard else { return };
    let colours = canvas.colours;
    let lines = keyboard.lines();
    let most = lines.iter().map(Vec::len).max().unwrap_or(1) as f32;
    let inside = Vec2::new((KEY.x * most).max(240.0), HEAD + KEY.y * lines.len() as f32);
    let size = inside + Vec2::splat(2.0 * AROUND);
    let corner = Pos2::new(body.center().x - size.x / 2.0, body.bottom() - size.y - 4.0);
    let area = Rect::from_min_size(corner.round(), size);
    // What lies below is not pressed.
    ui.interact(area, Id::new("keyboard"), Sense::click());
    canvas.fill(area, CARD_CORNER, colours.card);
    canvas.outline(area, CARD_CORNER, 1.0, colours.edge);
    let inside = area.shrink(AROUND);
    let typed = Rect::from_min_size(inside.min, Vec2::new(inside.width(), HEAD - 8.0));
    canvas.fill(typed, CORNER, colours.well);
    let (label, text) = shown.typed();
    let label = canvas.left(typed.left_center() + Vec2::new(10.0, 0.0), label, Type::Label, colours.soft);
    let left = label.right() + 10.0;
    let at = (Pos2::new(left, typed.center().y), Align2::LEFT_CENTER);
    canvas.text_within(at, &end_of(text), (Type::Strong, colours.text), typed.right() - left - 8.0);
    keys(ui, canvas, inside.with_min_y(inside.top() + HEAD), keyboard, desk);
}

/// Returns what of a long text is shown: its end, where it is typed.
fn end_of(text: &str) -> String {
    const MOST: usize = 40;
    let letters = text.chars().count();
    let end: String = text.chars().skip(letters.saturating_sub(MOST)).collect();
    let before = if letters > MOST { "…" } else { "" };
    // A number has its own sign for where it is typed.
    let caret = if text.ends_with('_') { "" } else { "|" };
    format!("{before}{end}{caret}")
}

fn keys(ui: &egui::Ui, canvas: &Canvas, area: Rect, keyboard: &Keyboard, desk: &mut Desk<'_>) {
    let colours = canvas.colours;
    for (line, keys) in keyboard.lines().into_iter().enumerate() {
        let width = area.width() / keys.len() as f32;
        for (column, key) in keys.into_iter().enumerate() {
            let corner = area.min + Vec2::new(width * column as f32, KEY.y * line as f32);
            let place = Rect::from_min_size(corner, Vec2::new(width, KEY.y)).shrink(2.0);
            let response = ui.interact(place, Id::new(("key", line, column)), Sense::click());
            let label = key.label();
            let name = name_of(key, &label);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Button, true, &name));
            let has_focus = keyboard.focus() == (line, column);
            reader::control(ui.ctx(), response.id, has_focus);
            if response.clicked() {
                desk.key = Some(key);
            }
            let is_done = key == Key::Done;
            canvas.button(place, is_done, response.hovered());
            let ink = if is_done { colours.on_fill } else { colours.text };
            let size = if matches!(key, Key::Letter(_)) { Type::Item } else { Type::Small };
            canvas.centred(place.center(), &label, size, ink);
            if has_focus {
                canvas.focus(place.shrink(1.0), CORNER);
            }
        }
    }
}

/// Returns what a screen reader calls a key.
fn name_of(key: Key, label: &str) -> String {
    let Key::Letter(letter) = key else { return label.to_owned() };
    let sign = SIGNS.iter().find(|(sign, _)| *sign == letter);
    match sign {
        Some((_, name)) => (*name).to_owned(),
        None if letter.is_uppercase() => format!("capital {letter}"),
        None => label.to_owned(),
    }
}

/// Signs and their names, as readers may leave signs out.
const SIGNS: [(char, &str); 32] = [
    ('-', "minus"),
    ('.', "dot"),
    (':', "colon"),
    ('_', "underscore"),
    ('!', "exclamation mark"),
    ('@', "at"),
    ('#', "number sign"),
    ('$', "dollar"),
    ('%', "percent"),
    ('&', "ampersand"),
    ('*', "asterisk"),
    ('(', "left parenthesis"),
    (')', "right parenthesis"),
    ('+', "plus"),
    ('=', "equals"),
    ('/', "slash"),
    ('\\', "backslash"),
    (';', "semicolon"),
    ('\'', "apostrophe"),
    ('"', "quotation mark"),
    ('?', "question mark"),
    (',', "comma"),
    ('[', "left bracket"),
    (']', "right bracket"),
    ('{', "left brace"),
    ('}', "right brace"),
    ('<', "less than"),
    ('>', "greater than"),
    ('|', "bar"),
    ('~', "tilde"),
    ('^', "circumflex"),
    ('`', "backtick"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::keyboard::Set;

    #[test]
    fn every_key_has_a_name_of_letters_or_digits() {
        for set in
            [Set::Text, Set::Digits { radix: 16, has_sign: false }, Set::Digits { radix: 10, has_sign: true }]
        {
            let mut keyboard = Keyboard::new(set);
            for _ in 0..2 {
                for key in keyboard.lines().into_iter().flatten() {
                    let name = name_of(key, &key.label());
                    assert!(name.chars().all(|letter| letter.is_alphanumeric() || letter == ' '), "{name}");
                }
                keyboard.turn_symbols();
            }
        }
    }
}
