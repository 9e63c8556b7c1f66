//! Where cases come from: a kind and a seed make one.

use crate::case::{Case, Kind, Power, Wanted};
use crate::pads::Input;
use crate::program::{Board, Program};
use crate::strategy::programs;
use anyhow::{Context, Result, bail};
use nes::ppu::Quirks;
use nes::{Cartridge, Region};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use strum::VariantArray as _;
use tetris::SplitMix64;

/// The cartridge that comes with Maxout.
const BUILT_IN: &[u8] = include_bytes!("../../../roms/maxout.nes");

/// Consoles that differ at power-on in phase and alignment.
const POWER_ONS: u64 = 16;

/// The test ROMs at hand.
#[derive(Default)]
pub struct Roms {
    roms: Vec<(Arc<str>, Cartridge)>,
    /// Images whose board is not built here, or that are no images.
    pub refused: usize,
}

impl Roms {
    /// Every image below `folders`, in an order that depends on nothing else.
    ///
    /// # Errors
    /// When a folder or an image cannot be read.
    pub fn collect(folders: &[PathBuf]) -> Result<Self> {
        let mut roms = Self::default();
        for folder in folders {
            let mut images = Vec::new();
            images_below(folder, &mut images)?;
            images.sort();
            for path in images {
                let image =
                    std::fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
                let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
                match Cartridge::from_bytes(&image) {
                    Ok(cartridge) => roms.roms.push((name.into(), cartridge)),
                    Err(_) => roms.refused += 1,
                }
            }
        }
        Ok(roms)
    }

    /// Are there cases of a kind on a board that is wanted? Random programs are on every board.
    pub(crate) fn has(&self, kind: Kind, wanted: &Wanted) -> bool {
        match kind {
            Kind::Roms => self.roms.iter().any(|(_, cartridge)| wanted.is_on(cartridge)),
            Kind::Cartridge => {
                Cartridge::from_bytes(BUILT_IN).is_ok_and(|cartridge| wanted.is_on(&cartridge))
            }
            Kind::Programs | Kind::Pokes => Board::VARIANTS
                .iter()
                .any(|board| wanted.mappers.is_empty() || wanted.mappers.contains(&board.mapper())),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.roms.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.roms.is_empty()
    }

    /// The ROMs in turn, then the same at the next phase and alignment.
    fn case(&self, seed: u64) -> Result<Case> {
        if self.roms.is_empty() {
            bail!("expected test ROMs, found none: name a folder that holds some with --suite-dir");
        }
        let count = self.roms.len() as u64;
        let (name, cartridge) = self.roms[(seed % count) as usize].clone();
        let mut random = SplitMix64::new(seed);
        let region = cartridge.info().region;
        let turn = seed / count % POWER_ONS;
        Ok(Case {
            kind: Kind::Roms,
            seed,
            name,
            cartridge,
            power: Power {
                phase: (turn & 3) as u8,
                apu_alignment: (turn >> 2) as u8,
                ram_fill: random.pick(&[0, 0, 0xFF, 0xA5]),
                region: if random.one_in(4) { Region::Pal } else { region },
                quirks: Quirks::default(),
                mmc3: None,
            }
            .with_chips_of(seed),
            input: random.pick(&[Input::None, Input::Holds, Input::Play]),
            frames: random.pick(&[60, 60, 120, 120, 240, 600, 1800]),
        })
    }
}

fn images_below(folder: &Path, images: &mut Vec<PathBuf>) -> Result<()> {
    let entries =
        folder.read_dir().with_context(|| format!("the folder {} cannot be read", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            images_below(&path, images)?;
        } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("nes")) {
            images.push(path);
        }
    }
    Ok(())
}

/// The case of a kind and a seed.
///
/// # Errors
/// When there are no ROMs to choose from.
pub fn case(kind: Kind, seed: u64, roms: &Roms) -> Result<Case> {
    match kind {
        Kind::Roms => roms.case(seed),
        Kind::Cartridge => built_in(seed),
        Kind::Programs | Kind::Pokes => of_program(kind, seed, &tree(kind, seed).current()),
    }
}

fn built_in(seed: u64) -> Result<Case> {
    let mut random = SplitMix64::new(seed);
    let power = Power {
        phase: random.below(4) as u8,
        apu_alignment: random.below(4) as u8,
        ram_fill: random.pick(&[0, 0xFF, 0x5A]),
        region: if random.one_in(4) { Region::Pal } else { Region::Ntsc },
        quirks: Quirks::default(),
        mmc3: None,
    }
    .with_chips_of(seed);
    Ok(Case {
        kind: Kind::Cartridge,
        seed,
        name: "the built-in cartridge".into(),
        cartridge: Cartridge::from_bytes(BUILT_IN)?,
        power,
        input: if random.one_in(16) { Input::Holds } else { Input::Play },
        frames: random.pick(&[120, 300, 300, 600, 1200]),
    })
}

/// The random program of a seed, with the ways to make it smaller.
pub(crate) fn tree(kind: Kind, seed: u64) -> Box<dyn ValueTree<Value = Program>> {
    let mut random = SplitMix64::new(seed);
    let bytes: Vec<u8> = (0..4).flat_map(|_| random.next_u64().to_le_bytes()).collect();
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, rng);
    match programs(kind).new_tree(&mut runner) {
        Ok(tree) => tree,
        Err(reason) => unreachable!("no strategy here rejects a value: {reason}"),
    }
}

/// The case that runs a program.
///
/// # Errors
/// When the cartridge is refused, which none of a [`Program`] is.
pub(crate) fn of_program(kind: Kind, seed: u64, program: &Program) -> Result<Case> {
    Ok(Case {
        kind,
        seed,
        name: format!("{:?}", program.board).into(),
        cartridge: Cartridge::from_bytes(&program.image())?,
        power: program.power.with_chips_of(seed),
        input: Input::Holds,
        frames: program.frames,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_a_case_and_another_seed_another() -> Result<()> {
        let image = |seed| tree(Kind::Programs, seed).current();
        assert_eq!(image(7), image(7));
        assert_ne!(image(7), image(8));
        for kind in [Kind::Cartridge, Kind::Programs, Kind::Pokes] {
            let said = |seed| Ok::<_, anyhow::Error>(case(kind, seed, &Roms::default())?.to_string());
            assert_eq!(said(3)?, said(3)?);
            assert_ne!(said(3)?, said(4)?);
        }
        Ok(())
    }

    #[test]
    fn a_case_that_is_wanted_is_what_was_asked_for() -> Result<()> {
        let wanted = Wanted { mappers: vec![148], region: Some(Region::Pal), quirks: true };
        let mut found = 0;
        for seed in 0..500 {
            let case = case(Kind::Programs, seed, &Roms::default())?;
            let said = case.to_string();
            let quirks = ["OAM forgets", "palette is corrupted", "starts strictly"];
            let quirks = quirks.iter().any(|quirk| said.contains(quirk));
            assert_eq!(wanted.holds(&case), said.contains("Tengen, Pal") && quirks, "{said}");
            found += usize::from(wanted.holds(&case));
        }
        assert!(found > 0);
        Ok(())
    }

    #[test]
    fn every_random_program_is_a_cartridge() -> Result<()> {
        for seed in 0..200 {
            for kind in [Kind::Programs, Kind::Pokes] {
                case(kind, seed, &Roms::default())?;
            }
        }
        Ok(())
    }

    #[test]
    fn roms_come_in_turn_at_each_of_the_sixteen_power_ons() -> Result<()> {
        let folder = tempfile::tempdir()?;
        for name in ["a.nes", "b.NES", "c.txt"] {
            std::fs::write(folder.path().join(name), BUILT_IN)?;
        }
        std::fs::write(folder.path().join("d.nes"), b"no image")?;
        let roms = Roms::collect(&[folder.path().to_owned()])?;
        assert_eq!((roms.len(), roms.refused), (2, 1));
        let mut seen: Vec<_> = (0..32)
            .map(|seed| {
                let case = roms.case(seed)?;
                Ok((case.name.to_string(), case.power.phase, case.power.apu_alignment))
            })
            .collect::<Result<_>>()?;
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 32);
        assert!(Roms::default().case(0).is_err());
        Ok(())
    }
}
