//! Power-on to game over, by itself and by a recorded player.

use nes::Buttons;
use nes::controller::fm2::Movie;

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

const STANDINGS: [Standing; 8] = [
    Standing {
        moment: "the menus are behind, the first piece hangs",
        frame: 470,
        mode: game_mode::PLAY,
        state: play_state::ACTIVE,
        level: 2,
        lines: 0,
        score: 0,
        statistics: [0, 1, 0, 0, 0, 0, 0],
        clears: [0, 0, 0, 0],
        playfield: 0x5312_970D,
    },
    Standing {
        moment: "the first four-line clear",
        frame: 1_151,
        mode: game_mode::PLAY,
        state: play_state::ACTIVE,
        level: 2,
        lines: 4,
        score: 3_742,
        statistics: [2, 1, 3, 2, 3, 1, 2],
        clears: [0, 0, 0, 1],
        playfield: 0xABD8_358E,
    },
    Standing {
        moment: "a three-line clear",
        frame: 2_219,
        mode: game_mode::PLAY,
        state: play_state::ACTIVE,
        level: 2,
        lines: 12,
        score: 8_555,
        statistics: [4, 4, 4, 4, 7, 5, 5],
        clears: [1, 0, 1, 2],
        playfield: 0x1CEE_0184,
    },
    Standing {
        moment: "twenty lines",
        frame: 3_443,
        mode: game_mode::PLAY,
        state: play_state::ACTIVE,
        level: 2,
        lines: 20,
        score: 12_855,
        statistics: [5, 6, 9, 9, 9, 7, 9],
        clears: [5, 0, 1, 3],
        playfield: 0x9302_7BF7,
    },
    Standing {
        moment: "the level goes up",
        frame: 5_695,
        mode: game_mode::PLAY,
        state: play_state::ACTIVE,
        level: 3,
        lines: 30,
        score: 18_295,
        statistics: [12, 10, 19, 23, 14, 7, 17],
        clears: [6, 1, 2, 4],
        playfield: 0xAFEC_7B41,
    },
    Standing {
        moment: "the last piece placed with care",
        frame: 6_105,
        mode: game_mode::PLAY,
        state: play_state::ACTIVE,
        level: 3,
        lines: 34,
        score: 19_711,
        statistics: [14, 12, 19, 23, 15, 9, 19],
        clears: [7, 1, 3, 4],
        playfield: 0x72B9_A8AF,
    },
    Standing {
        moment: "the curtain is down",
        frame: 6_539,
        mode: game_mode::PLAY,
        state: play_state::CURTAIN,
        level: 3,
        lines: 34,
        score: 19_720,
        statistics: [15, 12, 20, 23, 15, 11, 19],
        clears: [7, 1, 3, 4],
        playfield: 0x3DC5_6B8C,
    },
    Standing {
        moment: "the high-score entry",
        frame: 6_661,
        mode: game_mode::PLAY,
        state: play_state::ENDED,
        level: 3,
        lines: 34,
        score: 19_720,
        statistics: [15, 12, 20, 23, 15, 11, 19],
        clears: [7, 1, 3, 4],
        playfield: 0x3DC5_6B8C,
    },
];
