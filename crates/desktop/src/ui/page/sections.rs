//! The sections of the program: Home, Play, Tools, and the way to anything.

use std::time::SystemTime;

use super::rows::{SETTINGS, last_session, setting_rows};
use super::{Device, Item, Page, Row, Scene, Zone, today};
use crate::config::settings::{ComputerStyle, MOST_LEVEL};
use crate::config::table::Setting;
use crate::messages::command::PracticeCommand;
use crate::ui::canvas::thousands;
use crate::ui::field::Field;
use crate::ui::games;
use crate::ui::names::when;
use crate::ui::shortcut::Shortcut;
use crate::ui::theme::icon;

/// The sections in the order of the sidebar: page and icon.
pub(crate) const SECTIONS: [(Page, &str); 8] = [
    (Page::Home, icon::HOME),
    (Page::Play, icon::PLAY),
    (Page::Practice, icon::PRACTISE),
    (Page::Puzzles, icon::PUZZLE),
    (Page::Games, icon::GAMES),
    (Page::Streaming, icon::BROADCAST),
    (Page::Tools, icon::TOOLS),
    (Page::Settings, icon::SETTINGS),
];

/// Pages of one subject, which are tabs of each other.
const TABS: [&[Page]; 3] = [
    &[Page::Practice, Page::Editor, Page::Taps, Page::Das, Page::Finesse, Page::PracticeOptions],
    &[Page::Games, Page::Coach],
    &[Page::Settings, Page::Picture, Page::Look, Page::Sound, Page::Time, Page::Input, Page::Computer],
];

/// Games of Home.
const RECENT: usize = 6;

impl Page {
    /// Returns the section to which it belongs.
    pub(crate) fn section(self) -> Self {
        match self {
            Self::Play | Self::Match | Self::Save | Self::Load => Self::Play,
            Self::Practice
            | Self::Editor
            | Self::Taps
            | Self::Das
            | Self::Finesse
            | Self::PracticeOptions => Self::Practice,
            Self::Puzzles | Self::Puzzle => Self::Puzzles,
            Self::Games | Self::Coach | Self::Lesson => Self::Games,
            Self::Streaming => Self::Streaming,
            Self::Tools | Self::Script | Self::Record | Self::Reset | Self::Open | Self::Recent => {
                Self::Tools
            }
            Self::Settings
            | Self::Picture
            | Self::Look
            | Self::Overscan
            | Self::Sound
            | Self::Time
            | Self::Input
            | Self::Computer
            | Self::Remap(..)
            | Self::Actions(_) => Self::Settings,
            Self::Home | Self::Pause | Self::Find | Self::Help | Self::Question | Self::NewPad(_) => {
                Self::Home
            }
        }
    }

    /// Returns the pages beside it, as tabs.
    pub(super) fn tabs(self) -> Vec<Row> {
        let Some(pages) = TABS.iter().find(|pages| pages.contains(&self)) else { return vec![] };
        let tab = |&page: &Self| {
            let name = if page == Self::Practice {
                "Modes".into()
            } else if page == Self::Settings || page == Self::Games {
                "All".into()
            } else if page == Self::Time {
                "Speed".into()
            } else if page == Self::Input {
                "Controls".into()
            } else if page == Self::PracticeOptions {
                "Options".into()
            } else {
                page.title()
            };
            Row { lit: page == self, ..Row::new(Item::Tab(page), name).in_zone(Zone::Tabs) }
        };
        pages.iter().map(tab).collect()
    }
}

/// Returns the lines of the sidebar beside `page`.
pub(super) fn sidebar(page: Page, scene: &Scene<'_>) -> Vec<Row> {
    let row = |(section, icon): (Page, &'static str)| {
        let count = match section {
            Page::Practice => practice::Kind::ALL.len(),
            Page::Games => scene.games.len(),
            Page::Puzzles => scene.puzzles.count(),
            _ => 0,
        };
        let count = if count == 0 { String::new() } else { count.to_string() };
        let lit = page.section() == section;
        Row { lit, ..Row::new(Item::Section(section), section.title()) }
            .with(count)
            .in_zone(Zone::Sidebar)
            .icon(icon)
    };
    SECTIONS.into_iter().map(row).collect()
}

/// Returns the lines of Home: the game that is on, the sections as tiles, the last games.
pub(super) fn home(scene: &Scene<'_>) -> Vec<Row> {
    let status = scene.status;
    let go_on = if status.in_game || status.computer { "Continue" } else { "Play" };
    let review = if status.can_review { Ok(Item::Goto(Page::Coach)) } else { Err("no game yet") };
    let tile = |item, label: &str, about: &str, icon| {
        Row::new(item, label).saying(about).in_zone(Zone::Tiles).icon(icon)
    };
    let modes = format!("{} modes", practice::Kind::ALL.len());
    let watch = if status.computer { "It plays now" } else { "The computer plays" };
    let mut rows = vec![
        Row::new(Item::Resume, go_on).icon(icon::PLAY),
        Row::new(new_game(scene), "New game"),
        Row::if_possible(review, "Review so far"),
        last_session(scene),
    ];
    rows.extend(today::rows(scene));
    rows.extend([
        tile(Item::Section(Page::Play), "Play", "Alone, versus, network", icon::PLAY),
        tile(Item::Section(Page::Practice), "Practise", &modes, icon::PRACTISE),
        tile(Item::Computer(true), "Watch", watch, icon::COMPUTER),
        tile(Item::Section(Page::Puzzles), "Puzzles", "Where do two pieces go?", icon::PUZZLE),
        tile(Item::Review, "Review", "Your costliest placement (W)", icon::SEARCH),
        tile(Item::Goto(Page::Open), "Open", "A ROM, a movie, a game", icon::OPEN),
    ]);
    let best = games::best(scene.games);
    rows.extend(scene.games.iter().take(RECENT).map(|game| game_row(game, best, scene.now)));
    rows
}

/// Returns the line of a kept game with its name alone: what is said of it costs more, and is asked
/// for where the line is drawn.
pub(super) fn game_name(game: &games::KeptGame) -> Row {
    if game.is_match {
        return Row::new(Item::Text, &game.mode);
    }
    Row::new(Item::Practice(PracticeCommand::Replay(game.path.clone())), &game.mode)
}

/// Returns the line of a kept game, where `best` is the best score of all.
pub(crate) fn game_row(game: &games::KeptGame, best: Option<u32>, now: SystemTime) -> Row {
    let known = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".into());
    let is_best =
        !game.is_match && game.standing.note().is_none() && game.score.is_some() && game.score == best;
    let note = match game.standing.note() {
        Some(note) => format!(" ({note})"),
        None if is_best => " (best)".into(),
        None => String::new(),
    };
    let value = format!(
        "{}{note}{} · level {} · {} lines · TRT {}",
        game.score.map_or_else(|| "–".into(), |score| thousands(score.into())),
        game.versus.as_ref().map_or_else(String::new, |[how, _, score]| format!(" ({how}, {score})")),
        known(&game.level),
        known(&game.lines),
        known(&game.tetris_rate)
    );
    let begun = when(game.begun, now);
    let mut help = format!("{begun} · {} · Enter: play it again, A: take over", game.path.display());
    if let Some([how, lines, score]) = &game.versus {
        help = format!("{how} against the computer's {lines} lines and {score} points · {help}");
    }
    if game.is_match {
        help = format!("{begun} · {} · maxout match verify plays it again", game.path.display());
    }
    game_name(game).with(value).saying(help)
}

/// Returns what begins a new game at the level that is set.
fn new_game(scene: &Scene<'_>) -> Item {
    // The cartridge's own menu ends there.
    if scene.settings.tetris.start_level > MOST_LEVEL && scene.status.versus.is_none() {
        Item::Practise(practice::Kind::Tetris)
    } else {
        Item::NewGame
    }
}

/// Returns what there is to play.
pub(super) fn play(scene: &Scene<'_>) -> Vec<Row> {
    let status = scene.status;
    let mut rows = vec![Row::heading("A game"), Row::new(new_game(scene), "New game").key(Shortcut::NewGame)];
    rows.extend(setting_rows(&[Setting::StartLevel, Setting::Randomizer, Setting::Seed], scene));
    rows.push(last_session(scene));
    rows.push(Row::new(Item::Goto(Page::Load), "Saved states").saying("states of this cartridge"));
    rows.push(Row::heading("With the computer"));
    let computer = if status.computer { "Play yourself" } else { "Watch the computer play" };
    rows.push(Row::new(Item::Computer(!status.computer), computer).key(Shortcut::Computer));
    rows.push(match status.versus {
        None => Row::new(Item::Versus(true), "Play against the computer"),
        Some(_) => Row::new(Item::Versus(false), "Play alone"),
    });
    rows.extend(setting_rows(&[Setting::MatchBestOf, Setting::SamePieces], scene));
    let row = Row::new(Item::Goto(Page::Computer), "How it plays");
    rows.push(row.with(Setting::Computer.value(scene.settings)));
    rows.push(Row::heading("With another player"));
    let row = Row::new(Item::Goto(Page::Match), "Play over the network");
    let state = status.network.as_ref().map(|network| network.text.clone());
    rows.push(row.with(state.unwrap_or_default()));
    rows
}

/// Returns how the computer plays.
pub(super) fn computer(scene: &Scene<'_>) -> Vec<Row> {
    let mut rows = setting_rows(&[Setting::Computer], scene);
    let of_points = [
        Setting::ComputerTaps,
        Setting::ComputerReaction,
        Setting::ComputerMisdrops,
        Setting::ComputerAggression,
        Setting::Thoughts,
    ];
    if scene.settings.tetris.computer == ComputerStyle::Points {
        rows.extend(setting_rows(&of_points, scene));
    } else {
        rows.extend(
            of_points.map(|setting| Row::if_possible(Err("when it plays for points"), setting.label())),
        );
    }
    rows
}

/// Returns what is for developers, and files.
pub(super) fn tools(scene: &Scene<'_>) -> Vec<Row> {
    let recent =
        if scene.recent.is_empty() { Err("nothing played yet") } else { Ok(Item::Goto(Page::Recent)) };
    let crash = match scene.status.crash {
        Some(crash) if crash.way_back => Ok(Item::BeforeCrash),
        Some(_) => Err("rewind does not reach back"),
        None => Err("no crash"),
    };
    vec![
        Row::heading("Files"),
        Row::new(Item::Goto(Page::Open), "Open a file…").key(Shortcut::Open).icon(icon::OPEN),
        Row::if_possible(recent, "Recent files").icon(icon::FILE),
        Row::new(Item::Goto(Page::Record), "Record…").icon(icon::RECORD),
        Row::new(Item::Screenshot, "Screenshot").key(Shortcut::Screenshot).icon(icon::SCREENSHOT),
        Row::heading("Console"),
        Row::new(Item::Debugger, "Debugger").key(Shortcut::Debugger).icon(icon::DEBUGGER),
        Row::new(Item::Goto(Page::Script), "Lua script").icon(icon::SCRIPT),
        Row::new(Item::Goto(Page::Reset), "Reset…").key(Shortcut::Reset).icon(icon::RESET),
        Row::if_possible(crash, "Back to before the crash").icon(icon::WARNING),
        Row::heading("Help"),
        Row::new(Item::Goto(Page::Help), "Keys").key(Shortcut::Help).icon(icon::KEYBOARD),
        Row::new(Item::Goto(Page::Find), "Go to anything…").key(Shortcut::Find).icon(icon::SEARCH),
        Row::new(Item::Quit, "Quit").key(Shortcut::Quit).icon(icon::QUIT),
    ]
}

/// Pages whose lines are found by their names.
fn pages() -> impl Iterator<Item = Page> {
    let sections = SECTIONS.into_iter().map(|(page, _)| page);
    let settings = SETTINGS.into_iter().map(|(page, ..)| page);
    let others = [
        Page::Pause,
        Page::Editor,
        Page::Taps,
        Page::Das,
        Page::Finesse,
        Page::Coach,
        Page::Match,
        Page::Record,
        Page::Overscan,
    ];
    let others = others.into_iter().chain([Device::Keys, Device::Pad].map(Page::Actions));
    sections.chain(settings).chain(others)
}

/// Returns the icon of a page's section.
fn icon_of(page: Page) -> &'static str {
    SECTIONS.iter().find(|(section, _)| *section == page.section()).map_or("", |(_, icon)| icon)
}

/// Lines of a search.
const FOUND: usize = 14;

/// How well a name is what is sought, the best first: it is it, it begins with it, its words do,
/// letters of it do in their order, or it has it somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    Whole,
    Beginning,
    Initials,
    Abbreviation,
    Part,
    Help,
}

impl Likeness {
    /// Returns how well a line with this name, on this page and of which this is said, is what is
    /// sought, in small letters. Practice modes may be abbreviated.
    fn of(sought: &str, row: &Row, page: &str) -> Option<Self> {
        let label = row.label.to_lowercase();
        let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>();
        let words = || label.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        let initials: String = words().filter_map(|word| word.chars().next()).collect();
        let abbreviates = || {
            let mut rest = label.chars();
            label.starts_with(sought.chars().next().unwrap_or(' '))
                && sought.chars().all(|letter| rest.any(|other| other == letter))
        };
        let is_mode = matches!(row.item, Item::Practise(_));
        let (squeezed, of_letters) = (letters(&label), letters(sought));
        let ways = [
            (!of_letters.is_empty() && squeezed == of_letters, Self::Whole),
            (label.starts_with(sought), Self::Beginning),
            (!of_letters.is_empty() && squeezed.starts_with(&of_letters), Self::Beginning),
            (initials.len() > 1 && initials.starts_with(sought), Self::Initials),
            (is_mode && abbreviates(), Self::Abbreviation),
            (label.contains(sought) || page.to_lowercase().contains(sought), Self::Part),
            (row.help.to_lowercase().contains(sought), Self::Help),
        ];
        ways.into_iter().find(|(is_alike, _)| *is_alike).map(|(_, likeness)| likeness)
    }
}

/// Returns the pages, and the lines of all of them, that have what is typed in their name, or in
/// what is said of them: the likest first, and of those practice modes, which begin at once.
pub(super) fn find(scene: &Scene<'_>) -> Vec<Row> {
    let sought = scene.texts.find.to_lowercase();
    let mut rows = vec![Row::field(Field::Find, scene).icon(icon::SEARCH)];
    let mut seen = std::collections::HashSet::new();
    let mut found = vec![];
    for page in pages().filter(|page| seen.insert(page.title())) {
        // The page itself, after modes of that name and before lines.
        let itself = Row::new(Item::Found(page, 0), page.title()).icon(icon_of(page));
        if let Some(likeness) = Likeness::of(&sought, &itself, "") {
            found.push(((likeness, 1), itself.with(page.section().title())));
        }
        // Before anything is typed those are all.
        if sought.is_empty() || matches!(page, Page::Home | Page::Games | Page::Find) {
            continue;
        }
        for (at, row) in page.own_rows(scene).into_iter().enumerate() {
            if !row.is_choice() || row.label.is_empty() {
                continue;
            }
            let Some(likeness) = Likeness::of(&sought, &row, &page.title()) else { continue };
            let item = match row.item {
                Item::Practise(kind) if page == Page::Practice => Item::Mode(kind),
                _ => Item::Found(page, at),
            };
            let order = if matches!(item, Item::Mode(_)) { 0 } else { 2 };
            let line = Row::new(item, &row.label).with(page.title()).saying(row.help.clone()).icon(row.icon);
            found.push(((likeness, order), line));
        }
    }
    if !sought.is_empty() {
        found.sort_by_key(|&(order, _)| order);
    }
    rows.extend(found.into_iter().map(|(_, line)| line).take(FOUND));
    if rows.len() == 1 {
        rows.push(Row::new(Item::Text, "Nothing found"));
    }
    rows
}
