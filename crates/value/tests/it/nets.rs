//! The nets of the repository.

use std::sync::Arc;

use value::{Format, Linear, Mind, Net, Nets, Player, Report, Speed, Start, deal, fnv, tuning_seeds};

/// Their files, their speeds and their hashes, as `docs/player.md` has them.
const FILES: [(&[u8], Speed, u64); 3] = [
    (include_bytes!("../../nets/l19.net"), Speed::L19, 0x73A0_B64D_0DF0_6C7D),
    (include_bytes!("../../nets/l29.net"), Speed::L29, 0xD1B6_B95B_F798_9FD7),
    (include_bytes!("../../nets/l39.net"), Speed::L39, 0xF58A_74B7_078A_586D),
];

fn nets() -> Nets {
    let mut nets = Nets::default();
    for (bytes, speed, hash) in FILES {
        let (net, provenance) = Net::from_bytes(bytes).unwrap();
        assert_eq!((provenance.speed, provenance.format), (speed, Format::HEADLINE));
        assert_eq!(fnv(bytes), hash, "level {speed:?}");
        nets[speed as usize] = Some(Arc::new(net));
    }
    nets
}

#[test]
fn nets_make_more_of_levels_29_and_39_than_weights() {
    let format = Format::HEADLINE;
    let linear = Linear::built_in(&format);
    let mean = |mind: Mind| {
        let mut player = Player::new(&format, mind);
        let start = Start { lines: 230, ..Start::default() };
        let games: Vec<_> =
            tuning_seeds(40).into_iter().map(|seed| player.play(&start, seed, deal(seed))).collect();
        Report::of(&games).score.mean
    };
    let by_weights = mean(Mind::Linear(linear.clone()));
    let by_nets = mean(Mind::Nets { nets: nets(), linear, breadths: Vec::new(), guided: 5 });
    assert!(by_nets > 1.8 * by_weights, "{by_nets} by nets, {by_weights} by weights");
}
