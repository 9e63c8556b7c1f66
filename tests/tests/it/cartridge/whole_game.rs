//! Power-on to game over, by itself and by a recorded player.

use nes::Buttons;
use nes::fm2::Movie;

use nes_testing::Game;
use nes_testing::game::EMPTY;
use tetris::ram::{self, game_mode, play_state};

/// A player's game from power-on to the closed curtain.
const MOVIE: &[u8] = include_bytes!("../../../movies/game.fm2");

#[test]
fn left_alone_it_shows_title_and_a_demo_of_a_whole_game() {
    let mut game = Game::power_on();
    let mut modes = vec![game_mode::LEGAL];
    let (mut topped_out, mut tetrises) = (false, 0);
    for _ in 0..7_200 {
        game.wait(1);
        let mode = game.at(ram::GAME_MODE.at());
        if modes.last() != Some(&mode) {
            modes.push(mode);
        }
        if mode == game_mode::DEMO {
            topped_out |= game.state() == play_state::CURTAIN;
            tetrises = tetrises.max(game.line_counts()[3]);
        }
    }
    let whole_demo = [game_mode::TITLE, game_mode::DEMO, game_mode::TITLE];
    assert!(modes.windows(3).any(|modes| modes == whole_demo), "game modes {modes:?}");
    assert!(topped_out, "the demo ends with a game over");
    assert!(tetrises >= 1, "four-line clears in the demo");
}

#[test]
fn start_ends_the_demo() {
    let mut game = Game::power_on();
    game.wait_until(3_000, |game| {
        game.at(ram::GAME_MODE.at()) == game_mode::DEMO && game.at(ram::PIECE_Y.at()) > 3
    });
    game.hold(Buttons::START);
    game.wait(10);
    assert_eq!(game.at(ram::GAME_MODE.at()), game_mode::TITLE);
}

#[test]
fn a_warm_reset_keeps_the_high_scores_and_seeds_anew() {
    let defaults = |game: &Game| game.console.ram()[ram::HIGH_SCORES.range()].to_vec();
    let at_power_on = defaults(&Game::in_play());
    for warm in [true, false] {
        let mut game = Game::in_play();
        game.poke(ram::HIGH_SCORES.range().start, 0x23);
        game.poke(ram::HIGH_SCORES.range().start + 0x30, 0x12);
        let scores = defaults(&game);
        if !warm {
            game.poke(ram::WARM_MAGIC.at(), 0);
        }
        game.console.reset();
        game.wait(60);
        assert_eq!(defaults(&game), if warm { scores } else { at_power_on.clone() }, "warm: {warm}");
        assert_eq!(game.at(ram::GAME_MODE.at()), game_mode::LEGAL);
        assert_eq!(game.at(ram::SPAWN_COUNT.at()), 0);
        assert!(game.playfield().iter().all(|&cell| cell == EMPTY));
    }
}

#[test]
fn a_b_select_and_start_together_lead_back_without_clearing_ram() {
    let mut game = Game::in_play();
    let count = game.at(ram::SPAWN_COUNT.at());
    game.hold(Buttons::A | Buttons::B | Buttons::SELECT | Buttons::START);
    game.wait(1);
    assert_eq!(game.at(ram::GAME_MODE.at()), game_mode::LEGAL);
    assert_eq!(game.at(ram::SPAWN_COUNT.at()), count);
}

/// What the machine shows at a frame of the movie.
#[derive(Debug, PartialEq, Eq)]
struct Standing {
    moment: &'static str,
    frame: usize,
    mode: u8,
    state: u8,
    level: u8,
    lines: usize,
    score: usize,
    statistics: [usize; 7],
    clears: [usize; 4],
    /// CRC-32 of the two hundred cells.
    playfield: u32,
}

impl Standing {
    fn of(game: &Game, moment: &'static str, frame: usize) -> Self {
        Self {
            moment,
            frame,
            mode: game.at(ram::GAME_MODE.at()),
            state: game.state(),
            level: game.at(ram::LEVEL.at()),
            lines: game.lines(),
            score: game.score(),
            statistics: game.statistics(),
            clears: game.line_counts(),
            playfield: crc32fast::hash(game.playfield()),
        }
    }
}

#[test]
fn a_recorded_game_goes_from_the_menu_to_the_top_as_it_did() {
    let movie = Movie::parse(MOVIE).expect("the movie is in order");
    let mut game = Game::power_on();
    let mut standings = STANDINGS.iter();
    let mut expected = standings.next();
    for (frame, input) in (1..).zip(&movie.frames) {
        assert!(input.commands.is_empty(), "frame {frame}: no reset in this movie");
        game.hold(input.pads[0]);
        if let Some(standing) = expected.filter(|standing| standing.frame == frame) {
            assert_eq!(Standing::of(&game, standing.moment, frame), *standing);
            expected = standings.next();
        }
    }
    assert_eq!(expected, None, "the movie has {} frames", movie.frames.len());
}

const STANDINGS: [Standing; 7] = [
    Standing {
        moment: "the first four-line clear",
        frame: 982,
        mode: game_mode::PLAY,
        state: play_state::B_GOAL,
        level: 2,
        lines: 4,
        score: 3_722,
        statistics: [2, 2, 1, 1, 2, 2, 1],
        clears: [0, 0, 0, 1],
        playfield: 0x0811_9241,
    },
    Standing {
        moment: "a three-line clear",
        frame: 1_774,
        mode: game_mode::PLAY,
        state: play_state::B_GOAL,
        level: 2,
        lines: 7,
        score: 4_782,
        statistics: [4, 6, 2, 3, 3, 4, 4],
        clears: [0, 0, 1, 1],
        playfield: 0xE301_6856,
    },
    Standing {
        moment: "twenty lines",
        frame: 3_818,
        mode: game_mode::PLAY,
        state: play_state::B_GOAL,
        level: 2,
        lines: 22,
        score: 11_284,
        statistics: [10, 14, 15, 6, 5, 10, 6],
        clears: [1, 2, 3, 2],
        playfield: 0xCE31_88A8,
    },
    Standing {
        moment: "the level goes up",
        frame: 4_694,
        mode: game_mode::PLAY,
        state: play_state::B_GOAL,
        level: 3,
        lines: 31,
        score: 19_966,
        statistics: [14, 15, 17, 8, 7, 11, 10],
        clears: [2, 2, 3, 4],
        playfield: 0xB2BA_A458,
    },
    Standing {
        moment: "the last piece placed with care",
        frame: 5_130,
        mode: game_mode::PLAY,
        state: play_state::B_GOAL,
        level: 3,
        lines: 35,
        score: 24_844,
        statistics: [15, 15, 18, 8, 9, 13, 12],
        clears: [2, 2, 3, 5],
        playfield: 0x1501_EC5D,
    },
    Standing {
        moment: "the curtain is down",
        frame: 5_669,
        mode: game_mode::PLAY,
        state: play_state::CURTAIN,
        level: 3,
        lines: 35,
        score: 24_917,
        statistics: [17, 16, 20, 9, 11, 14, 15],
        clears: [2, 2, 3, 5],
        playfield: 0x3DC5_6B8C,
    },
    Standing {
        moment: "the high-score entry",
        frame: 5_807,
        mode: game_mode::PLAY,
        state: play_state::ENDED,
        level: 3,
        lines: 35,
        score: 24_917,
        statistics: [17, 16, 20, 9, 11, 14, 15],
        clears: [2, 2, 3, 5],
        playfield: 0x3DC5_6B8C,
    },
];
