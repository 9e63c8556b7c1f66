//! The shortcuts beside the definitions.

use super::super::player::PlayerBlock;
use super::super::{EMPTY, Game, ROWS_DONE, state};
use crate::{Rom, SplitMix64, buttons};

/// A page in which `taken` of eight bytes are anything, and the others are empty.
fn page(random: &mut SplitMix64, taken: u64) -> [u8; 256] {
    std::array::from_fn(|_| if random.next_u64() % 8 < taken { random.next_u64() as u8 } else { EMPTY })
}

#[test]
fn four_cells_at_once_fit_where_they_fit_one_by_one() {
    let (rom, mut random) = (Rom::MAXOUT, SplitMix64::new(7));
    let mut game = Game::power_on(&rom);
    for taken in [0, 1, 4] {
        game.field = page(&mut random, taken);
        for number in 0..=0xFF_FFFF_u32 {
            let [x, y, orientation, _] = number.to_le_bytes();
            if orientation > 0x20 && number % 61 != 0 {
                continue;
            }
            (game.player.x, game.player.y, game.player.orientation) = (x, y, orientation);
            game.cursor = number as u8 ^ 0x55;
            let mut definition = game;
            assert_eq!((game.fits_at_once(), game.cursor), (definition.fits(), definition.cursor));
        }
    }
}

/// Steps with the shortcuts and without them. Out: were they used?
fn step_both(game: &mut Game<'_>, buttons: u8) -> bool {
    let (mut definition, before) = (*game, *game);
    definition.step_by_definition(buttons);
    let taken = game.step_active(buttons);
    if !taken {
        assert!(*game == before, "a frame that is none of the shortcut's was changed");
        game.step_by_definition(buttons);
    }
    assert!(*game == definition, "{before:?} {buttons:02X}: {game:?}, not {definition:?}");
    taken
}

#[test]
fn games_are_the_same_with_and_without_the_shortcut() {
    for rom in [&Rom::MAXOUT, &Rom::MAXOUT_SLOW, &Rom::MAXOUT_PAL, &Rom::US] {
        let mut shortcuts = 0;
        for seed in 0..6 {
            let mut random = SplitMix64::new(seed);
            let (mut game, mut held) = (Game::power_on(rom), 0);
            for frame in 0..100_000 {
                let [first, second, rare, ..] = random.next_u64().to_le_bytes();
                held = match (game.in_play(), seed % 3) {
                    (true, 0) => first & !buttons::START,
                    (true, 1) if rare > 30 => held,
                    (true, _) if game.is_over() => buttons::START * u8::from(frame % 6 == 0),
                    (true, _) => first & second & !(if rare == 0 { 0 } else { buttons::START }),
                    (false, _) if frame % 6 == 0 => buttons::START | first & second,
                    (false, _) => 0,
                };
                shortcuts += u32::from(step_both(&mut game, held));
                if game.in_play() && frame % 3_000 == 0 {
                    game.player.level = random.next_u64() as u8;
                }
            }
        }
        assert!(shortcuts > 100_000, "{shortcuts}");
    }
}

#[test]
fn any_bytes_of_the_player_go_the_same_way() {
    let (rom, mut random) = (Rom::MAXOUT, SplitMix64::new(3));
    let mut game = Game::power_on(&rom);
    while !game.in_play() {
        game.step(if game.frame_counter.is_multiple_of(6) { buttons::START } else { 0 });
    }
    let start = game;
    let mut shortcuts = 0;
    for _ in 0..400_000 {
        let bytes = std::array::from_fn(|_| random.next_u64() as u8);
        let state = if random.next_u64().is_multiple_of(8) { bytes[27] % 12 } else { state::ACTIVE };
        let vram_row = if random.next_u64().is_multiple_of(8) { bytes[28] } else { ROWS_DONE };
        let mut any = || if random.next_u64().is_multiple_of(8) { random.next_u64() as u8 } else { 0 };
        let mut player = PlayerBlock {
            state,
            vram_row,
            lines_completed: any(),
            down_repeat: any(),
            ..PlayerBlock::from_bytes(&bytes)
        };
        (game.dirty, game.music_request, game.effect_pulse, game.pause_frames) = (any(), any(), any(), any());
        player.y %= 24;
        player.score = [0; 3];
        game.player = player;
        let taken = random.next_u64() % 8;
        game.field = page(&mut random, taken);
        (game.pad_held, game.sleep_counter, game.frame_counter) =
            (bytes[29], bytes[30], random.next_u64() as u16);
        shortcuts += u32::from(step_both(&mut game, random.next_u64() as u8));
        game = start;
    }
    assert!(shortcuts > 50_000, "{shortcuts}");
}
