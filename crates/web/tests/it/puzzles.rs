//! Puzzles on the page, and mistakes that are asked again.

use serde_json::Value;
use web::Machine;

use crate::{MOVIE, NETS, field};

const TODAY: u32 = 20_000;

fn machine() -> Machine {
    let mut machine = Machine::new(48_000);
    for net in NETS {
        machine.set_net(net).unwrap();
    }
    machine.set_puzzle_progress("").unwrap();
    machine
}

fn puzzle(machine: &Machine) -> Value {
    serde_json::from_str(&machine.puzzle(TODAY)).unwrap()
}

#[test]
fn a_puzzle_is_solved_by_pointing_and_its_progress_is_kept() {
    let mut machine = machine();
    machine.ask_puzzle("daily", TODAY, 0).unwrap();
    let asked = puzzle(&machine)["asked"].clone();
    assert_eq!(asked["rows"].as_array().map(Vec::len), Some(20));
    assert_eq!(asked["held"]["cells"].as_array().map(Vec::len), Some(4));
    assert!(asked["held"]["words"].as_str().unwrap().contains("column"));
    // An answer by steps alone shows which line is best.
    assert!(machine.step_puzzle("place", TODAY).unwrap());
    assert!(
        machine.step_puzzle("take-back", TODAY).unwrap() && !machine.step_puzzle("take-back", TODAY).unwrap()
    );
    for step in ["left", "clockwise", "counterclockwise", "other", "right", "place", "place"] {
        assert!(machine.step_puzzle(step, TODAY).unwrap(), "{step}");
    }
    assert!(machine.step_puzzle("jump", TODAY).is_err());
    let best = puzzle(&machine)["asked"]["verdict"]["best"].clone();
    let places = puzzle(&machine)["asked"]["verdict"]["places"].clone();
    assert_eq!((&places[0]["cells"], &places[0]["points"]), (&best[0], &0.0.into()), "{places}");
    assert!((8..=9).contains(&places.as_array().unwrap().len()), "{places}");
    machine.ask_puzzle("again", TODAY, 0).unwrap();
    assert_eq!(puzzle(&machine)["asked"]["link"], asked["link"]);
    assert!(puzzle(&machine)["asked"]["verdict"].is_null());
    assert!(machine.ask_puzzle("again", TODAY, 0).is_err(), "it is not answered");
    let link = asked["link"].as_str().unwrap().to_owned();
    machine.ask_puzzle(&link, TODAY, 0).unwrap();
    for cells in best.as_array().unwrap() {
        let is_held = |machine: &Machine| puzzle(machine)["asked"]["held"]["cells"] == *cells;
        for _ in 0..4 {
            for cell in cells.as_array().unwrap() {
                let number = |at: usize| cell[at].as_i64().unwrap() as i32;
                if !is_held(&machine) {
                    machine.point_puzzle(number(0), number(1));
                }
            }
            for step in ["other", "other", "clockwise"] {
                if !is_held(&machine) {
                    machine.step_puzzle(step, TODAY).unwrap();
                }
            }
        }
        assert!(is_held(&machine), "{cells}");
        machine.step_puzzle("place", TODAY).unwrap();
    }
    let answered = puzzle(&machine);
    assert_eq!(answered["asked"]["verdict"]["grade"], "solved", "{answered}");
    assert_eq!((answered["streak"].clone(), answered["daily"].clone()), (1.into(), true.into()));
    let kept = machine.puzzle_progress();
    let mut again = self::machine();
    again.set_puzzle_progress(&kept).unwrap();
    assert_eq!(puzzle(&again)["history"], answered["history"]);
    assert!(again.set_puzzle_progress("{").is_err());
    assert_eq!(puzzle(&again)["history"], answered["history"], "as before");
    again.ask_puzzle("dig", TODAY, 5).unwrap();
    let themes = puzzle(&again)["asked"]["themes"].clone();
    assert!(themes.as_array().unwrap().contains(&"dig".into()), "{themes}");
    again.ask_puzzle("another", TODAY, 6).unwrap();
    assert!(again.ask_puzzle("maxout:broken", TODAY, 0).is_err());
}

#[test]
fn puzzles_are_found_in_the_players_kept_games_and_asked() {
    let mut machine = machine();
    assert!(machine.search_game(b"MXGAME").is_err(), "no search has begun");
    machine.play_movie("game.fm2", MOVIE).unwrap();
    while field(&machine.status(), "/movie").is_array() {
        machine.frame([0, 0]);
    }
    let kept = machine.game_file().unwrap();
    machine.begin_search().unwrap();
    let mut looked = |bytes: &[u8]| {
        machine.search_game(bytes).unwrap();
        for _ in 0..2_000 {
            let part = machine.search_on(50).unwrap();
            if field(&part, "/done") == true {
                return part;
            }
        }
        panic!("the search comes to no end")
    };
    assert_eq!(field(&looked(b"no game"), "/leftOut"), 1);
    let part = looked(&kept);
    let found = field(&part, "/found").as_u64().unwrap();
    assert!(found > 0 && field(&part, "/games") == 2 && field(&part, "/enough") == false, "{part}");
    // The same game again has the same puzzles.
    assert_eq!(field(&looked(&kept), "/found"), found);
    assert_eq!(puzzle(&machine)["own"], found);
    machine.ask_puzzle("own", TODAY, 3).unwrap();
    assert!(puzzle(&machine)["asked"]["held"].is_object());
    let bank = machine.own_puzzles();
    let mut again = self::machine();
    assert!(again.ask_puzzle("own", TODAY, 3).is_err(), "none are kept yet");
    again.set_own_puzzles(&bank);
    again.ask_puzzle("own", TODAY, 3).unwrap();
    again.set_own_puzzles(&bank[1..]);
    assert_eq!(puzzle(&again)["own"], 0, "a damaged file has none");
}

#[test]
fn without_nets_a_puzzle_says_what_is_missing() {
    let mut machine = Machine::new(48_000);
    let error = machine.ask_puzzle("daily", TODAY, 0).unwrap_err().to_string();
    assert!(error.contains("net"), "{error}");
}

#[test]
fn mistakes_of_a_review_are_asked_again() {
    let mut machine = machine();
    assert!(machine.begin_lesson().is_err() && machine.lesson() == "null");
    machine.open_game("game.fm2", MOVIE).unwrap();
    while machine.read_on(5_000).unwrap() < 1.0 {}
    // Fast hands reach more, so that slow ones have mistakes.
    machine.begin_review(30.0, 0).unwrap();
    machine.review_on(1_000).unwrap();
    machine.begin_lesson().unwrap();
    let lesson = machine.lesson();
    assert_eq!(field(&lesson, "/number"), 1);
    for step in ["left", "clockwise", "other", "place"] {
        machine.step_lesson(step).unwrap();
    }
    assert!(field(&machine.lesson(), "/correction/grade").is_string());
    assert!(machine.step_lesson("again").unwrap());
    assert!(field(&machine.lesson(), "/correction").is_null());
    machine.point_lesson(9, 19);
    machine.step_lesson("go-on").unwrap();
    assert_eq!(field(&machine.lesson(), "/number"), 2);
}

#[test]
fn a_day_has_one_seed_and_another_day_another() {
    let seeds: Vec<String> = (TODAY..TODAY + 50).map(Machine::daily_seed).collect();
    assert_eq!(
        format!("seed={}", seeds[0]),
        practice::seed_of_day(TODAY).to_string(),
        "the window has the same"
    );
    assert!(seeds.windows(2).all(|pair| pair[0] != pair[1]));
    let mut machine = Machine::new(48_000);
    for seed in &seeds {
        machine.practise(&format!("seed={seed}"), "level=18", "", "", 0).unwrap();
    }
}

#[test]
fn the_plan_of_a_day_is_what_is_due_and_what_the_last_games_advise() {
    let mut machine = machine();
    let plan = machine.plan(TODAY);
    assert_eq!(field(&plan, "/advice/title"), "Tetris");
    assert_eq!(field(&plan, "/advice/reason"), "A first game to go by");
    assert!(field(&plan, "/daily").is_null() && field(&plan, "/due") == 0 && field(&plan, "/streak") == 0);
    assert_eq!(field(&plan, "/seed/mode"), format!("seed={}", field(&plan, "/seed/name").as_str().unwrap()));
    // Nothing is pressed: the pieces pile up.
    let mut played = Machine::new(48_000);
    played.practise("tetris", "level=18", "", "", 1).unwrap();
    while field(&played.status(), "/game/statistics/pieces").as_u64().unwrap() < 4 {
        (0..60).for_each(|_| played.frame([0, 0]));
    }
    let game = played.game_file().unwrap();
    assert!(machine.plan_game(&game) && !machine.plan_game(&game[1..]));
    let plan = machine.plan(TODAY);
    assert_eq!(field(&plan, "/advice/mode"), "pace=1");
    assert!(field(&plan, "/advice/reason").as_str().unwrap().starts_with("Best of your last games "));
    assert!(field(&plan, "/advice/level").is_null());
    // It was for this plan.
    assert_eq!(field(&machine.plan(TODAY), "/advice/title"), "Tetris");
    // What was failed today is due again, and answers the day.
    machine.ask_puzzle("daily", TODAY, 0).unwrap();
    for _ in 0..2 {
        machine.step_puzzle("place", TODAY).unwrap();
    }
    let plan = machine.plan(TODAY);
    assert!(field(&plan, "/daily").is_string() && field(&plan, "/streak") == 1, "{plan}");
    let due = field(&machine.plan(TODAY + 1), "/due");
    assert_eq!(due, u8::from(field(&plan, "/daily") == "failed"));
    machine.ask_puzzle("due", TODAY + 1, 0).unwrap();
}
