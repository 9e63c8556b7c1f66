//! Games of the computer player, of which some placements are left to chance.

use review::Hands;
use tetris::{Playfield, SplitMix64};
use value::{Linear, Mind, NetMind, Nets, Player, Speed, WeightsFile, deal_by_odds, level};

use crate::maker::Position;

/// Taps a second of the players.
const HERTZ: [u8; 5] = [10, 12, 15, 20, 30];
/// One placement in so many is left to chance; 0 is none.
const CHANCES: [u32; 4] = [0, 25, 8, 4];
/// Pieces of a game.
const PIECES: usize = 160;
/// Lines from which on a game is at level 39: what nets know of it is level 29 without an end.
const LAST: u32 = 330;
const NO_END: u32 = 300;

/// How a game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfPlay {
    /// Everything follows from it.
    pub seed: u64,
    /// Taps a second.
    pub hertz: u8,
    /// One placement in so many is left to chance; 0 is none.
    pub chance: u32,
    /// Lines at the start.
    pub lines: u32,
}

impl SelfPlay {
    /// The game of a number: hands, chance and start are drawn.
    pub fn numbered(number: u64) -> Self {
        let mut random = SplitMix64::new(SplitMix64::mix(number ^ 0x5055_5A5A_4C45));
        let start = random.below(100);
        let lines = match start {
            0..40 => random.below(100),
            40..52 => 112 + random.below(10),
            52..70 => 130 + random.below(80),
            70..76 => 214 + random.below(8),
            76..92 => 230 + random.below(80),
            _ => LAST + random.below(60),
        };
        let fast = lines >= Speed::LINES[2] - 10;
        let hertz = HERTZ[random.below(HERTZ.len() as u32) as usize];
        Self {
            seed: random.next_u64(),
            // Slower hands do not survive there.
            hertz: if fast { hertz.max(20) } else { hertz },
            chance: CHANCES[random.below(CHANCES.len() as u32) as usize],
            lines,
        }
    }
}

/// Plays a game from an empty board, and tells of each position. It ends when `each` says `false`.
pub fn play(nets: &Nets, game: &SelfPlay, mut each: impl FnMut(&Position) -> bool) {
    let format = Hands { hertz: game.hertz.into(), ..Hands::default() }.format();
    let linear = Linear::by_speed(&format, WeightsFile::built_in().weights);
    let mut player = Player::new(&format, Mind::from(NetMind::new(nets.clone(), linear)));
    let mut random = SplitMix64::new(game.seed);
    let pieces: Vec<_> = deal_by_odds(random.next_u64()).take(PIECES + 1).collect();
    let (mut board, mut lines) = (Playfield::EMPTY, game.lines);
    for pair in pieces.windows(2) {
        let [piece, next] = [pair[0], pair[1]];
        let position = Position { board, piece, next, level: level(lines) as u8, lines };
        if !each(&position) {
            return;
        }
        let known = if lines >= LAST { NO_END } else { lines };
        let Some(choice) = player.decide(&board, known, piece) else { return };
        let children = player.decider().children();
        let mut child = &children[choice.targets[next as usize]];
        if game.chance > 0 && random.one_in(game.chance) {
            let worths = player.decider().worths();
            let mut order: Vec<usize> = (0..children.len()).collect();
            order.sort_by(|&one, &other| worths[other][next as usize].total_cmp(&worths[one][next as usize]));
            let among = order.len().min(8) as u32;
            child = &children[order[random.below(among) as usize]];
        }
        (board, lines) = (child.board, lines + child.cleared);
    }
}
