//! The look of the window in one place: colours, sizes of type, spaces, fonts. No other file names
//! a colour.

use egui::{Color32, Context, CornerRadius, FontData, FontDefinitions, FontFamily, FontId, Stroke, Visuals};

/// Which set of colours the window has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    /// Light text on a dark ground.
    #[default]
    Dark,
    /// Dark text on a light ground.
    Light,
}

/// The colours of a theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Colours {
    /// Behind pages.
    pub(crate) ground: Color32,
    /// Of the rails, the bars and the sidebar.
    pub(crate) rail: Color32,
    /// Of cards.
    pub(crate) card: Color32,
    /// Of buttons and chips.
    pub(crate) raised: Color32,
    /// Under the pointer.
    pub(crate) hover: Color32,
    /// Of what is chosen.
    pub(crate) selected: Color32,
    /// Of hollows: tracks of bars, fields to type in.
    pub(crate) well: Color32,
    /// Lines between things.
    pub(crate) line: Color32,
    /// Edges of controls.
    pub(crate) edge: Color32,
    pub(crate) text: Color32,
    pub(crate) soft: Color32,
    pub(crate) faint: Color32,
    /// The focus and what is in use.
    pub(crate) accent: Color32,
    /// The first action of a page, and what stands on it.
    pub(crate) fill: Color32,
    pub(crate) on_fill: Color32,
    pub(crate) info: Color32,
    pub(crate) best: Color32,
    pub(crate) fine: Color32,
    pub(crate) slip: Color32,
    pub(crate) mistake: Color32,
    pub(crate) blunder: Color32,
    pub(crate) computer: Color32,
}

const fn rgb(hex: u32) -> Color32 {
    Color32::from_rgb((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// Light on dark.
pub(crate) const DARK: Colours = Colours {
    ground: rgb(0x0B_0D12),
    rail: rgb(0x12_151D),
    card: rgb(0x19_1D28),
    raised: rgb(0x22_2836),
    hover: rgb(0x2B_3344),
    selected: rgb(0x24_304A),
    well: rgb(0x0E_1118),
    line: rgb(0x2E_3748),
    edge: rgb(0x6E_7B95),
    text: rgb(0xF1_F4F9),
    soft: rgb(0xB9_C3D3),
    faint: rgb(0x8F_9BB0),
    accent: rgb(0xFF_C857),
    fill: rgb(0xFF_C857),
    on_fill: rgb(0x1A_1404),
    info: rgb(0x79_B0FF),
    best: rgb(0x6F_D98C),
    fine: rgb(0xB7_D26A),
    slip: rgb(0xEB_CB4B),
    mistake: rgb(0xFF_9A52),
    blunder: rgb(0xFF_6B78),
    computer: rgb(0xC9_A2FF),
};

/// Dark on light.
pub(crate) const LIGHT: Colours = Colours {
    ground: rgb(0xE4_E9F1),
    rail: rgb(0xF3_F5F9),
    card: rgb(0xFF_FFFF),
    raised: rgb(0xED_F0F5),
    hover: rgb(0xE0_E6EF),
    selected: rgb(0xDB_E6FA),
    well: rgb(0xDD_E3EC),
    line: rgb(0xCD_D5E1),
    edge: rgb(0x70_7C90),
    text: rgb(0x14_1A24),
    soft: rgb(0x41_4C5E),
    faint: rgb(0x55_6075),
    accent: rgb(0x7A_4F00),
    fill: rgb(0xFF_C857),
    on_fill: rgb(0x1A_1404),
    info: rgb(0x14_56B8),
    best: rgb(0x12_662F),
    fine: rgb(0x4C_5F00),
    slip: rgb(0x6E_5200),
    mistake: rgb(0x97_400A),
    blunder: rgb(0xB3_161F),
    computer: rgb(0x6A_34B8),
};

impl Theme {
    /// Returns its colours.
    pub(crate) fn colours(self) -> Colours {
        match self {
            Self::Dark => DARK,
            Self::Light => LIGHT,
        }
    }
}

/// Of what is drawn on the game's picture, which is dark in both themes.
pub(crate) const ON_PICTURE: Colours = DARK;

/// Between things that belong together, between groups, and inside of cards, in points.
pub(crate) const GAP: f32 = 8.0;
pub(crate) const WIDE_GAP: f32 = 16.0;
pub(crate) const INSIDE: f32 = 12.0;
pub(crate) const MARGIN: f32 = 24.0;

/// Corners of cards and of buttons.
pub(crate) const CARD_CORNER: u8 = 8;
pub(crate) const CORNER: u8 = 6;

const SEMIBOLD: &str = "semibold";
const ICONS: &str = "phosphor";

/// Sizes of type: a role each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    /// The one figure of a card.
    Figure,
    /// A figure among others.
    SmallFigure,
    /// The name of a page's subject.
    Page,
    Title,
    Item,
    Body,
    /// Body, heavier.
    Strong,
    Small,
    Label,
    /// Label, heavier.
    StrongLabel,
    Key,
    Code,
}

impl Type {
    /// Returns the next smaller type of its weight; `None` for the smallest.
    pub(crate) fn smaller(self) -> Option<Self> {
        Some(match self {
            Self::Figure => Self::SmallFigure,
            Self::SmallFigure => Self::Page,
            Self::Page => Self::Title,
            Self::Title => Self::Item,
            Self::Item => Self::Strong,
            Self::Strong => Self::StrongLabel,
            Self::Body => Self::Small,
            Self::Small => Self::Label,
            Self::Label | Self::StrongLabel | Self::Key | Self::Code => return None,
        })
    }

    /// Returns its font.
    pub(crate) fn font(self) -> FontId {
        let (size, family) = match self {
            Self::Figure => (40.0, SEMIBOLD),
            Self::SmallFigure => (28.0, SEMIBOLD),
            Self::Page => (24.0, SEMIBOLD),
            Self::Title => (18.0, SEMIBOLD),
            Self::Item => (15.0, SEMIBOLD),
            Self::Strong => (14.0, SEMIBOLD),
            Self::StrongLabel => (12.0, SEMIBOLD),
            Self::Key => (11.0, SEMIBOLD),
            Self::Body => return FontId::proportional(14.0),
            Self::Small => return FontId::proportional(13.0),
            Self::Label => return FontId::proportional(12.0),
            Self::Code => return FontId::monospace(13.0),
        };
        FontId::new(size, FontFamily::Name(family.into()))
    }
}

/// Returns the font of icons at a size in points.
pub(crate) fn icon_font(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(ICONS.into()))
}

/// The icons that the window uses, by what they stand for.
pub(crate) mod icon {
    macro_rules! icons {
        ($($icon:ident as $name:ident),+ $(,)?) => {
            pub(crate) use egui_phosphor::regular::{$($icon as $name),+};

            /// All of them, which the font has to have.
            #[cfg(test)]
            pub(super) const ALL: &[&str] = &[$($name),+];
        };
    }

    icons! {
        ARROW_BEND_DOWN_RIGHT as OVER,
        ARROW_CLOCKWISE as RETRY,
        ARROW_DOWN as STEP,
        ARROW_LEFT as BACK,
        ARROW_LINE_DOWN as SPAWN,
        ARROW_LINE_RIGHT as FRAME,
        ARROW_U_UP_LEFT as TAKE_BACK,
        ARROW_UP_LEFT as OUT,
        BARBELL as PRACTISE,
        BROADCAST as BROADCAST,
        BUG as DEBUGGER,
        CALENDAR_BLANK as CALENDAR,
        CARET_RIGHT as MORE,
        CLOCK_COUNTER_CLOCKWISE as RESUME,
        DOWNLOAD_SIMPLE as SAVE,
        EXPORT as EXPORT,
        FILE as FILE,
        FOLDER_OPEN as OPEN,
        FRAME_CORNERS as PICTURE,
        GAME_CONTROLLER as PAD,
        GEAR_SIX as SETTINGS,
        HOUSE as HOME,
        IMAGE as SCREENSHOT,
        INFO as INFO,
        KEYBOARD as KEYBOARD,
        LIST as MENU,
        LOCK as LOCK,
        MAGNIFYING_GLASS as SEARCH,
        MAP_PIN as MARK,
        NETWORK as NETWORK,
        PALETTE as LOOK,
        PAUSE as PAUSE,
        PENCIL_SIMPLE as EDIT,
        PLAY as PLAY,
        POWER as RESET,
        PUZZLE_PIECE as PUZZLE,
        RECORD as RECORD,
        ROBOT as COMPUTER,
        ROWS as LINE,
        SCROLL as SCRIPT,
        SIGN_OUT as QUIT,
        SORT_ASCENDING as SORT,
        SPEAKER_HIGH as SOUND,
        SPEAKER_SLASH as MUTED,
        SWORD as VERSUS,
        TABLE as GAMES,
        TIMER as SPEED,
        TRASH as TRASH,
        TROPHY as TROPHY,
        UPLOAD_SIMPLE as LOAD,
        WARNING as WARNING,
        WRENCH as TOOLS,
    }
}

/// Gives the interface its fonts, once.
pub(crate) fn set_fonts(context: &Context) {
    let mut fonts = FontDefinitions::empty();
    let files: [(&str, &'static [u8]); 4] = [
        ("sans", ::fonts::SANS),
        (SEMIBOLD, ::fonts::SANS_SEMIBOLD),
        ("mono", ::fonts::MONO),
        (ICONS, ::fonts::ICONS),
    ];
    for (name, bytes) in files {
        fonts.font_data.insert(name.into(), FontData::from_static(bytes).into());
    }
    let families = [
        (FontFamily::Proportional, "sans"),
        (FontFamily::Monospace, "mono"),
        (FontFamily::Name(SEMIBOLD.into()), SEMIBOLD),
        (FontFamily::Name(ICONS.into()), ICONS),
    ];
    for (family, first) in families {
        let mut names = vec![first.to_owned()];
        names.extend(["sans", ICONS].into_iter().filter(|name| *name != first).map(str::to_owned));
        fonts.families.insert(family, names);
    }
    context.set_fonts(fonts);
}

/// Gives egui's own widgets the colours of the theme.
pub(crate) fn apply(context: &Context, theme: Theme) {
    let colours = theme.colours();
    let mut visuals = if theme == Theme::Dark { Visuals::dark() } else { Visuals::light() };
    visuals.override_text_color = Some(colours.text);
    visuals.panel_fill = colours.rail;
    visuals.window_fill = colours.card;
    visuals.extreme_bg_color = colours.well;
    visuals.faint_bg_color = colours.card;
    visuals.code_bg_color = colours.well;
    visuals.selection.bg_fill = colours.selected;
    visuals.selection.stroke = Stroke::new(1.0, colours.text);
    visuals.hyperlink_color = colours.info;
    visuals.warn_fg_color = colours.mistake;
    visuals.error_fg_color = colours.blunder;
    visuals.window_stroke = Stroke::new(1.0, colours.line);
    let corner = CornerRadius::same(CORNER);
    let widgets = &mut visuals.widgets;
    for (widget, fill) in [
        (&mut widgets.noninteractive, colours.card),
        (&mut widgets.inactive, colours.raised),
        (&mut widgets.hovered, colours.hover),
        (&mut widgets.active, colours.selected),
        (&mut widgets.open, colours.raised),
    ] {
        (widget.bg_fill, widget.weak_bg_fill, widget.corner_radius) = (fill, fill, corner);
        widget.bg_stroke = Stroke::new(1.0, colours.line);
        widget.fg_stroke = Stroke::new(1.0, colours.text);
    }
    context.set_visuals(visuals);
    context.data_mut(|data| data.insert_temp(egui::Id::new("theme"), theme));
    context.style_mut(|style| {
        style.animation_time = 0.0;
        style.scroll_animation = egui::style::ScrollAnimation::none();
        style.interaction.selectable_labels = false;
        for (role, size) in [
            (egui::TextStyle::Body, Type::Body),
            (egui::TextStyle::Button, Type::Body),
            (egui::TextStyle::Heading, Type::Title),
            (egui::TextStyle::Small, Type::Label),
            (egui::TextStyle::Monospace, Type::Code),
        ] {
            style.text_styles.insert(role, size.font());
        }
    });
}

/// Returns the colours of the theme that `context` was given.
pub(crate) fn of(context: &Context) -> Colours {
    context.data(|data| data.get_temp::<Theme>(egui::Id::new("theme"))).unwrap_or_default().colours()
}

/// A colour that is as bright as what a picture has there.
pub(crate) const AS_IT_IS: Color32 = Color32::WHITE;

/// Around a picture, and behind marks that lie on one.
pub(crate) const AROUND_PICTURE: Color32 = Color32::BLACK;

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the contrast of two colours, 1 to 21 (WCAG 2.2, relative luminance).
    fn contrast(one: Color32, other: Color32) -> f64 {
        let luminance = |colour: Color32| {
            let part = |channel: u8| {
                let share = f64::from(channel) / 255.0;
                if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * part(colour.r()) + 0.7152 * part(colour.g()) + 0.0722 * part(colour.b())
        };
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn words_have_contrast() {
        for theme in [Theme::Dark, Theme::Light] {
            let colours = theme.colours();
            let grounds =
                [colours.ground, colours.rail, colours.card, colours.raised, colours.hover, colours.selected];
            let inks = [
                colours.text,
                colours.soft,
                colours.faint,
                colours.accent,
                colours.info,
                colours.best,
                colours.fine,
                colours.slip,
                colours.mistake,
                colours.blunder,
                colours.computer,
            ];
            for (at, ink) in inks.iter().enumerate() {
                for (under, ground) in grounds.iter().enumerate() {
                    let seen = contrast(*ink, *ground);
                    assert!(seen >= 4.5, "{theme:?}: ink {at} on ground {under}: {seen:.2}");
                }
            }
            assert!(contrast(colours.on_fill, colours.fill) >= 4.5);
            for ground in [colours.ground, colours.rail, colours.card] {
                assert!(contrast(colours.edge, ground) >= 3.0, "{theme:?}");
            }
        }
    }

    #[test]
    fn digits_are_of_one_width_and_every_icon_has_a_glyph() {
        let context = Context::default();
        set_fonts(&context);
        let _ = context.run(egui::RawInput::default(), |context| {
            context.fonts_mut(|fonts| {
                for size in [Type::Body, Type::Strong, Type::Figure, Type::Code] {
                    let width = fonts.glyph_width(&size.font(), '0');
                    for letter in "123456789+−".chars() {
                        let other = fonts.glyph_width(&size.font(), letter);
                        assert!((width - other).abs() < 0.51, "{size:?} {letter}: {other}, not {width}");
                    }
                }
                let missing: Vec<char> = icon::ALL
                    .iter()
                    .flat_map(|icon| icon.chars())
                    .filter(|&letter| !fonts.has_glyph(&icon_font(20.0), letter))
                    .collect();
                assert!(
                    missing.is_empty(),
                    "crates/fonts/assets/README.md says how they get in: {missing:?}"
                );
            });
        });
    }

    /// Returns the custom properties of a rule of CSS, which begins after `before`, in their order.
    fn properties(css: &str, before: &str) -> Vec<(String, String)> {
        let rule = css.split_once(before).map_or("", |(_, rest)| rest);
        let rule = rule.split_once('}').map_or("", |(rule, _)| rule);
        let tokens = rule.split(';').filter_map(|line| line.trim().strip_prefix("--")?.split_once(": "));
        tokens.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
    }

    #[test]
    fn the_web_page_has_the_colours_of_the_window() {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/www/style.css");
        let css = std::fs::read_to_string(&file).expect("the page's style");
        for (before, theme) in
            [(":root { color-scheme: dark;", Theme::Dark), (":root { color-scheme: light;", Theme::Light)]
        {
            let Colours {
                ground,
                rail,
                card,
                raised,
                hover,
                selected,
                well,
                line,
                edge,
                text,
                soft,
                faint: _,
                accent,
                fill,
                on_fill,
                info,
                best,
                fine,
                slip,
                mistake,
                blunder,
                computer: _,
            } = theme.colours();
            let wanted = [
                ("ground", ground),
                ("rail", rail),
                ("card", card),
                ("raised", raised),
                ("hover", hover),
                ("sel", selected),
                ("well", well),
                ("line", line),
                ("edge", edge),
                ("text", text),
                ("soft", soft),
                ("accent", accent),
                ("fill", fill),
                ("onfill", on_fill),
                ("blue", info),
                ("best", best),
                ("fine", fine),
                ("slip", slip),
                ("mistake", mistake),
                ("blunder", blunder),
            ];
            let hex = |colour: Color32| format!("#{:02x}{:02x}{:02x}", colour.r(), colour.g(), colour.b());
            let mut wanted = wanted.map(|(name, colour)| (name.to_owned(), hex(colour)));
            wanted.sort();
            let mut found = properties(&css, before);
            found.sort();
            assert_eq!(found, wanted, "{theme:?}: {}", file.display());
        }
        // No colour of the page is its own, but for what lies around a picture.
        let (_, rules) = css.split_once("* { box-sizing").expect("the rules after the colours");
        let strangers = rules.match_indices('#').map(|(at, _)| &rules[at + 1..]);
        let strangers = strangers.filter(|text| {
            let digits = text.chars().take_while(char::is_ascii_hexdigit).count();
            let ends = text[digits..].starts_with([';', ' ', ')', '}']);
            matches!(digits, 3 | 4 | 6 | 8) && ends && !text.starts_with("000;")
        });
        let strangers: Vec<&str> =
            strangers.map(|text| text.split([';', '}']).next().unwrap_or(text)).collect();
        assert!(strangers.is_empty(), "colours of no theme: {strangers:?}");
    }
}
