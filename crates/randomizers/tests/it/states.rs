//! Names, seeds and saved states, the hostile ones too.

use randomizers::{Dealer, FirstPiece, Kind, SeedError};

#[test]
fn every_kind_has_a_name_that_leads_back_to_it() {
    for kind in Kind::ALL {
        assert_eq!(kind.name().parse(), Ok(kind));
        assert_eq!(kind.to_string().to_uppercase().parse(), Ok(kind));
        assert_eq!(kind.seeded(3).kind_of(), kind);
    }
    let error = "tgm4".parse::<Kind>().unwrap_err().to_string();
    assert!(error.starts_with("randomizer `tgm4`: expected one of nes, sega, "), "{error}");
}

#[test]
fn a_dealer_is_small_enough_to_keep_with_every_game() {
    assert!(size_of::<Dealer>() <= 80, "{}", size_of::<Dealer>());
}

trait Named {
    fn kind_of(&self) -> Kind;
}

impl<R: randomizers::Randomizer> Named for R {
    fn kind_of(&self) -> Kind {
        self.kind()
    }
}

#[test]
fn seeds_that_are_none_say_what_was_expected() {
    for (kind, seed) in [
        (Kind::Nes, "0x8988"),
        (Kind::Nes, "$898"),
        (Kind::Nes, "$8988:1"),
        (Kind::Nes, "$8988:"),
        (Kind::Nes, "$+988"),
        (Kind::Nes, ""),
        (Kind::Nes, "+1"),
        (Kind::Sps, "12345"),
        (Kind::Sps, "1234567"),
        (Kind::Sps, "12345G"),
        (Kind::Sps, "0x1234"),
        (Kind::Sega, "4294967296"),
        (Kind::Sega, "-1"),
        (Kind::Tgm3, "0x"),
        (Kind::Tgm3, "seven"),
        (Kind::TgmAce, "0x100000000"),
        (Kind::Uniform, "18446744073709551616"),
        (Kind::Uniform, "１"),
        (Kind::Tetrio7Bag, "1 "),
    ] {
        let error = kind.dealer(seed).unwrap_err();
        assert!(matches!(error, SeedError::Form { .. }), "{kind} {seed}");
        let wanted = format!("seed `{seed}` of {kind}: expected {}", kind.seed_form());
        assert_eq!(error.to_string(), wanted);
    }
    assert_eq!(Kind::Sps.dealer("0001FF"), Err(SeedError::Dead));
}

#[test]
fn hexadecimal_and_decimal_seeds_are_the_same_number() {
    for kind in [Kind::Sega, Kind::Tgm1, Kind::Tgm3, Kind::Uniform, Kind::TetrioPairs] {
        assert_eq!(kind.dealer("255"), kind.dealer("0xff"));
    }
    assert_eq!(Kind::Nes.dealer("5000"), Ok(Kind::Nes.seeded(5000)));
    assert_eq!(Kind::Sps.dealer("000200"), Ok(Kind::Sps.seeded(0)));
}

#[test]
fn bits_from_25_up_of_a_seed_make_no_difference_to_arikas_games() {
    for kind in [Kind::Tgm1, Kind::Tgm2, Kind::Tgm3, Kind::TgmAce] {
        let pieces = |seed: u32| kind.dealer(&seed.to_string()).unwrap().take(1000).collect::<Vec<_>>();
        assert_eq!(pieces(7), pieces(7 + (1 << 25)), "{kind}");
        assert_ne!(pieces(7), pieces(7 + (1 << 24)), "{kind}");
    }
}

#[test]
fn a_saved_state_deals_on_as_if_nothing_had_been() {
    for kind in Kind::ALL {
        for pieces in [0, 1, 5, 7, 99, 1000, 1234] {
            let mut dealer = kind.seeded(41);
            dealer.by_ref().take(pieces).for_each(drop);
            let saved = serde_json::to_string(&dealer).unwrap();
            let loaded: Dealer = serde_json::from_str(&saved).unwrap();
            assert_eq!(loaded, dealer, "{saved}");
            assert!(loaded.take(300).eq(dealer.take(300)), "{kind}");
        }
        let saved = serde_json::to_string(&kind).unwrap();
        assert_eq!(serde_json::from_str::<Kind>(&saved).unwrap(), kind);
    }
}

/// Every field of every state with values that no deal reaches: refused, or dealt from without a
/// panic.
#[test]
fn hostile_states_neither_panic_nor_hang() {
    let mut refused = 0;
    for kind in Kind::ALL {
        let mut dealer = kind.seeded(12);
        dealer.by_ref().take(20).for_each(drop);
        let saved = serde_json::to_value(dealer).unwrap();
        for hostile in
            ["0", "255", "65535", "4294967295", "-1", "1e30", "\"\"", "\"ZZZZ\"", "\"TJX\"", "null", "[]"]
        {
            let hostile: serde_json::Value = serde_json::from_str(hostile).unwrap();
            for path in leaves(&saved) {
                let mut state = saved.clone();
                *state.pointer_mut(&path).unwrap() = hostile.clone();
                match serde_json::from_value::<Dealer>(state) {
                    Ok(dealer) => {
                        let began = match dealer.clone() {
                            Dealer::Tetrio(tetrio) => Dealer::Tetrio(tetrio.beginning(FirstPiece::Skip)),
                            dealer => dealer,
                        };
                        let dealt: Vec<_> = dealer.take(200).chain(began.take(200)).collect();
                        assert_eq!(dealt.len(), 400);
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    assert!(refused > 300, "{refused}");
}

fn leaves(value: &serde_json::Value) -> Vec<String> {
    let inside = |key: String, value| leaves(value).into_iter().map(move |path| format!("/{key}{path}"));
    match value {
        serde_json::Value::Object(fields) => {
            fields.iter().flat_map(|(key, value)| inside(key.clone(), value).collect::<Vec<_>>()).collect()
        }
        serde_json::Value::Array(items) => {
            items.iter().enumerate().flat_map(|(index, value)| inside(index.to_string(), value)).collect()
        }
        _ => vec![String::new()],
    }
}
