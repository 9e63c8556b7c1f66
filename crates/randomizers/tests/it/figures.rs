//! What is known of the randomizers in numbers, met by what they deal.

use randomizers::lfsr;
use randomizers::nes::{Picker, SPAWN_ORIENTATIONS, article_probabilities};
use randomizers::{Chain, Dealer, Droughts, Floods, Kind, Nes, Statistics, Summary};
use tetris::Piece;
use tetris::SplitMix64;

fn counted(dealer: Dealer, pieces: u64) -> Summary {
    let mut statistics = Statistics::new(pieces);
    dealer.take(pieces as usize).for_each(|piece| statistics.push(piece));
    statistics.summary().unwrap()
}

/// In percentage points.
fn distance(measured: &Summary, probabilities: [f64; 7]) -> f64 {
    let points =
        |(estimate, probability): (&randomizers::Estimate, f64)| 100.0 * (estimate.value - probability);
    measured.frequency.iter().zip(probabilities).map(points).fold(0.0, |most, points| points.abs().max(most))
}

/// The article's table, as it is printed there.
const ARTICLE: [f64; 7] = [0.1473, 0.1429, 0.1429, 0.1429, 0.1473, 0.1384, 0.1384];

/// The piece that the game picks at a moment: register, spawn count before the pick, prior piece.
fn picked(lfsr: u16, spawn_count: u8, prior: u8) -> Piece {
    Picker { lfsr, spawn_count, spawn_orientation: SPAWN_ORIENTATIONS[usize::from(prior)] }.pick()
}

#[test]
fn every_register_after_every_prior_piece_at_every_spawn_count_gives_the_articles_probabilities() {
    let mut counts = [0_u32; 7];
    for steps in 0..u64::from(lfsr::PERIOD) {
        let register = lfsr::after_power_on(steps);
        for (spawn_count, prior) in (0..8).flat_map(|count| (0..7).map(move |prior| (count, prior))) {
            counts[picked(register, spawn_count, prior) as usize] += 1;
        }
    }
    let moments = f64::from(lfsr::PERIOD * 8 * 7);
    for (count, probability) in counts.into_iter().zip(article_probabilities()) {
        let points = 100.0 * (f64::from(count) / moments - probability);
        assert!(points.abs() < 0.001, "{points} percentage points");
    }
}

#[test]
fn ten_million_picks_at_moments_of_any_game_are_within_a_tenth_of_a_percent_of_the_article() {
    let mut random = SplitMix64::new(1989);
    let mut counts = [0_u32; 7];
    for _ in 0..10_000_000 {
        let register = lfsr::after_power_on(u64::from(random.below(lfsr::PERIOD)));
        counts[picked(register, random.next_u64() as u8, random.below(7) as u8) as usize] += 1;
    }
    for (count, printed) in counts.into_iter().zip(ARTICLE) {
        let points = 100.0 * (f64::from(count) / 1e7 - printed);
        assert!(points.abs() < 0.1, "{points} percentage points");
    }
}

#[test]
fn ten_million_picks_of_independent_rolls_are_within_a_tenth_of_a_percent_of_the_article() {
    for (printed, exact) in ARTICLE.into_iter().zip(article_probabilities()) {
        assert!((printed - exact).abs() < 0.5e-4);
    }
    let measured = counted(Dealer::Nes(Nes::new(1989).independent()), 10_000_000);
    let distance = distance(&measured, article_probabilities());
    assert!(distance < 0.1, "{distance} percentage points");
}

#[test]
fn ten_million_picks_of_the_game_are_where_its_own_chain_says_and_not_where_the_article_does() {
    let measured = counted(Kind::Nes.seeded(1989), 10_000_000);
    let chain = Kind::Nes.chain().unwrap();
    assert!(distance(&measured, chain.frequency()) < 0.05);
    let article = distance(&measured, article_probabilities());
    assert!((0.1..0.2).contains(&article), "{article} percentage points");
}

#[test]
fn every_deal_agrees_with_its_chain() {
    for kind in Kind::ALL {
        // A sequence of 1,000 pieces and one of fixed steps are too short to be a sample.
        if matches!(kind, Kind::Sega | Kind::Sps | Kind::Tgm3) {
            continue;
        }
        let (measured, chain) = (counted(kind.seeded(88), 400_000), kind.chain().unwrap());
        assert!(distance(&measured, chain.frequency()) < 0.3, "{kind}");
        let near = |what: &str, measured: f64, wanted: f64| {
            assert!((measured - wanted).abs() < 0.004, "{kind}: {what} {measured}, by the chain {wanted}");
        };
        near("repeats", measured.repeats.value, chain.repeat());
        for (known, estimate) in measured.entropy.iter().take(3).enumerate() {
            near("entropy", estimate.value, chain.conditional_entropy(known as u32));
        }
        let followers = chain.followers();
        for (earlier, later) in (0..49).map(|cell| (cell / 7, cell % 7)) {
            let (measured, wanted) = (measured.followers[earlier][later], followers[earlier][later]);
            assert!((measured - wanted).abs() < 0.01, "{kind}: {earlier} {later} {measured} {wanted}");
        }
        for piece in Piece::ALL {
            let droughts = chain.droughts(piece, 30);
            for (length, estimate) in
                Droughts::LENGTHS.into_iter().zip(measured.droughts[piece as usize].at_least)
            {
                assert!((estimate.value - droughts[length]).abs() < 0.01, "{kind}: {piece} {length}");
            }
        }
        let floods = chain.floods(4);
        for (length, estimate) in Floods::LENGTHS.into_iter().zip(measured.floods.at_least) {
            near("floods", estimate.value, floods[length - 1]);
        }
    }
}

#[test]
fn entropy_rates_of_bags_are_the_logarithm_of_their_orders() {
    let factorial = |number: u32| f64::from(number).log2();
    let log_factorial = |number: u32| (2..=number).map(factorial).sum::<f64>();
    for (kind, wanted) in [
        (Kind::Tetrio7Bag, log_factorial(7) / 7.0),
        (Kind::TgmAce, log_factorial(7) / 7.0),
        (Kind::Tetrio14Bag, (log_factorial(14) - 7.0) / 14.0),
        (Kind::TetrioPairs, (21.0_f64 * 20.0).log2() / 6.0),
        (Kind::Uniform, 7.0_f64.log2()),
    ] {
        let rate = kind.chain().unwrap().entropy_rate();
        assert!((rate - wanted).abs() < 1e-9, "{kind}: {rate}, wanted {wanted}");
    }
}

#[test]
fn independent_rolls_feed_back_into_the_prior_piece() {
    let chain: Chain = Kind::independent_rolls();
    let wanted = [0.146_715, 0.142_860, 0.142_964, 0.142_857, 0.146_825, 0.138_889, 0.138_889];
    for (share, wanted) in chain.frequency().into_iter().zip(wanted) {
        assert!((share - wanted).abs() < 1e-6, "{share} is not {wanted}");
    }
}

#[test]
fn no_drought_is_longer_than_the_rule_allows() {
    for kind in Kind::ALL {
        let Some(longest) = kind.longest_drought() else { continue };
        for seed in 0..20 {
            let measured = counted(kind.seeded(seed), 100_000);
            let longest_seen = measured.droughts.iter().map(|droughts| droughts.longest).max().unwrap();
            assert_eq!(longest_seen, u64::from(longest), "{kind} {seed}");
        }
    }
}

#[test]
fn no_drought_of_tgm3_is_longer_than_its_pool() {
    for seed in 0..40 {
        let measured = counted(Kind::Tgm3.seeded(seed * 99_991), 100_000);
        for droughts in measured.droughts {
            assert!(droughts.longest <= 35, "{seed}: {}", droughts.longest);
        }
    }
}

#[test]
fn a_reroll_is_the_only_way_to_a_repeat_in_tgm() {
    // Without a history one piece of seven would repeat; with it 2.4 and 0.8 of a hundred do.
    for (kind, wanted) in [(Kind::Tgm1, 0.024_43), (Kind::Tgm2, 0.008_37)] {
        assert!((kind.chain().unwrap().repeat() - wanted).abs() < 1e-5, "{kind}");
    }
}

#[test]
fn the_i_of_sega_has_ten_of_64_and_the_others_nine() {
    let mut counts = [0_u32; 7];
    for seed in 0..2000 {
        for piece in Kind::Sega.seeded(seed * 2_654_435_761).take(1000) {
            counts[piece as usize] += 1;
        }
    }
    for (count, wanted) in counts.into_iter().zip(Kind::Sega.chain().unwrap().frequency()) {
        assert!((f64::from(count) / 2_000_000.0 - wanted).abs() < 0.001, "{count}");
    }
}

#[test]
fn too_few_pieces_have_no_summary() {
    let mut statistics = Statistics::new(Statistics::FEWEST);
    let mut dealer = Kind::Uniform.seeded(1);
    for _ in 1..Statistics::FEWEST {
        statistics.push(dealer.next().unwrap());
    }
    assert!(statistics.summary().is_none());
    statistics.push(Piece::T);
    assert!(statistics.summary().is_some());
}
