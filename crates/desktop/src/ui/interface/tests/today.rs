//! The plan of the day on Home.

use puzzle::{Grade, Verdict};

use super::*;
use crate::messages::command::{Command, PracticeCommand};
use crate::ui::page::{Ask, Item, Row};

const WINDOW: (u32, u32, f64) = (1280, 800, 1.0);

/// The day on which it is looked at, and its noon.
const DAY: u32 = 20_000;

fn noon(day: u32) -> std::time::SystemTime {
    std::time::UNIX_EPOCH + Duration::from_secs(86_400 * u64::from(day) + 43_200)
}

fn home() -> Screen {
    let mut screen = Screen::new(WINDOW);
    screen.room.state.clock = || noon(DAY);
    screen.room.state.menu.open(Page::Home);
    screen
}

/// Returns the lines of the plan, the heading first.
fn plan(screen: &Screen) -> Vec<Row> {
    screen.room.state.rows().into_iter().filter(|row| row.zone == Zone::Panel).collect()
}

/// Returns what is said of each line, and what its button says.
fn told(screen: &Screen) -> Vec<(String, String)> {
    plan(screen).into_iter().map(|row| (row.help, row.value)).collect()
}

fn answer(screen: &mut Screen, number: usize, (day, grade, is_daily): (u32, Grade, bool)) {
    let verdict = Verdict {
        grade,
        cost: 100.0,
        costs: [100.0, 0.0],
        best: [Placement::spawn(Piece::T); 2],
        places: vec![],
        reasons: vec![],
    };
    let desk = &mut screen.room.state.menu.puzzles.desk;
    let puzzle = desk.bank.puzzles[number];
    desk.progress.take(&puzzle, &verdict, day, is_daily);
}

#[test]
fn each_line_of_today_opens_its_thing_in_one_step() {
    let items: Vec<Item> = plan(&home()).into_iter().map(|row| row.item).collect();
    assert_eq!(items.len(), 5);
    for item in items.into_iter().filter(|item| *item != Item::Heading) {
        let mut screen = home();
        screen.room.sent();
        let rows = screen.room.state.rows();
        screen.room.state.menu.point(rows.iter().position(|row| row.item == item).expect("the line"));
        screen.room.state.step(Step::Enter);
        let (state, sent) = (&screen.room.state, screen.room.sent());
        match item {
            Item::Puzzle(ask) => {
                let asked = state.menu.puzzles.desk.asked.as_ref().expect("a puzzle");
                assert_eq!((state.menu.page(), asked.is_daily), (Some(Page::Puzzle), ask == Ask::Daily));
            }
            Item::Practice(begin) => {
                assert!(matches!(begin, PracticeCommand::Begin { .. }));
                assert!(sent.contains(&Command::Practice(begin)), "{sent:?}");
                assert_eq!(state.menu.page(), None);
            }
            item => panic!("{item:?}"),
        }
    }
}

#[test]
fn today_says_what_is_done_what_is_due_and_since_when() {
    let mut screen = home();
    let first = told(&screen);
    let said = |help: &str, value: &str| (help.to_owned(), value.to_owned());
    assert_eq!(first[0].0, "");
    assert_eq!(first[1..3], [said("Not answered yet", "Solve"), said("None is due: try a new one", "Solve")]);
    assert_eq!(first[3..], [said("A first game to go by", "Begin"), said("Not played yet", "Play")]);

    answer(&mut screen, 0, (DAY - 1, Grade::Failed, true));
    answer(&mut screen, 1, (DAY - 1, Grade::Failed, false));
    let due = told(&screen);
    assert_eq!(due[0].0, "1 day in a row", "today is not over");
    assert_eq!(due[1..3], [said("Not answered yet", "Solve"), said("2 are due again", "Solve")]);
    answer(&mut screen, 1, (DAY, Grade::Solved, false));
    answer(&mut screen, 2, (DAY, Grade::Solved, true));
    let done = told(&screen);
    assert_eq!(done[0].0, "2 days in a row");
    assert_eq!(done[1..3], [said("Solved today", "Again"), said("One is due again", "Solve")]);

    // Games of the seed, of today and of other days.
    let seed = practice::seed_of_day(DAY).to_string();
    let game = |day: u32, mode: &str, score| KeptGame {
        begun: noon(day),
        mode: mode.into(),
        score: Some(score),
        ..games().remove(0)
    };
    screen.room.state.menu.games = vec![game(DAY, "tetris", 900_000), game(DAY - 1, &seed, 700_000)];
    assert_eq!(told(&screen)[4], said("Not played yet", "Play"));
    screen.room.state.menu.games.insert(0, game(DAY, &seed, 612_340));
    screen.room.state.menu.games.insert(0, game(DAY, &seed, 540_000));
    assert_eq!(told(&screen)[4], said("Best today 612,340", "Again"));
}

#[test]
fn what_is_advised_is_of_the_players_own_games_and_begins_at_their_level() {
    let mut screen = home();
    let [own, .., computer] = [0, 1, 2, 3].map(|at| games().swap_remove(at));
    let slow: practice::TapTable = "19:0:9:1800:220:1548:150".parse().expect("taps");
    let by = |game: &KeptGame| KeptGame { taps: slow.clone(), score: Some(80_000), ..game.clone() };
    screen.room.state.menu.games = vec![by(&computer)];
    assert_eq!(plan(&screen)[3].label, "Tetris", "the computer's taps are its own");
    screen.room.state.menu.games = vec![by(&own)];
    let advised = &plan(&screen)[3];
    assert_eq!(
        (advised.label.as_str(), advised.help.as_str()),
        ("Left taps at level 19", "20.0 Hz needed, you make 17.2")
    );
    let Item::Practice(PracticeCommand::Begin { mode, options, position: None }) = &advised.item else {
        panic!("{advised:?}")
    };
    assert_eq!((mode.to_string().as_str(), options.level), ("tap=10", 19));
    screen.room.state.menu.games = vec![KeptGame { score: Some(80_000), ..own }];
    assert_eq!(plan(&screen)[3].label, "Pace 100,000");
}
