//! Which cartridge is this, and do the maps hold for it?

mod feature;
mod hashes;
mod known_by_text;
mod release;
mod text;
mod unsupported;

pub use feature::Feature;
pub use hashes::Hashes;
pub(crate) use hashes::roms_of;
pub use release::Release;
pub use text::ProfileError;
pub use unsupported::Unsupported;

use crate::View;
use crate::hooks::Hook;
use crate::kill_screen::Timing;
use crate::ram::{self, Variable};
use crate::rules::Pace;

/// What is known of a cartridge: its name, and where its RAM and program differ from the maps.
///
/// ```
/// use tetris::{Profile, ram};
///
/// let text = "name = \"A hack\"\nsha1 = [\"da39a3ee5e6b4b0d3255bfef95601890afd80709\"]\n[ram]\nlevel = 0x0190\n";
/// let profile = Profile::parse(text)?;
/// let mut machine = [0; 0x800];
/// machine[0x190] = 7;
/// assert_eq!(profile.as_mapped(&machine)[ram::LEVEL.at()], 7);
///
/// let error = Profile::parse("name = \"A hack\"\nsha1 = []\n[ram]\nlevel = 0x0800\n").unwrap_err();
/// assert_eq!(error.to_string(), "line 4: level = $0800: expected an address in RAM, $0000 to $07FF");
/// # Ok::<(), tetris::ProfileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The cartridge's name.
    pub name: String,
    /// SHA-1 of the file, or of PRG-ROM and CHR-ROM without a header, in lower-case hexadecimal.
    pub sha1: Vec<String>,
    partial: Partial,
    places: Vec<(Variable, u16)>,
    hooks: Vec<(Hook, u16)>,
    /// Places that the cartridge does not have, or has something else in, with the byte that they
    /// are read as.
    values: Vec<(Variable, u8)>,
    /// Places and hooks that stand nowhere, whatever the maps say.
    lacks: &'static [&'static str],
    timing: Option<&'static Timing>,
    pace: Pace,
    /// Where the whole score is in four bytes of binary, low byte first.
    binary_score: Option<u16>,
}

/// Of which map only that is known which the profile lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Partial {
    ram: bool,
    hooks: bool,
}

impl Profile {
    /// The profile of the cartridge that `image`, a whole file, is of; `None` where nothing is
    /// known. A header that says something else than the catalogued one does not matter. It may
    /// know too little for a feature: [`Profile::for_feature`] asks for that, too.
    pub fn of_image(image: &[u8]) -> Option<Self> {
        Release::of_image(image)?.profile()
    }

    /// The profile of the cartridge that `image` is of, if it knows all that `feature` takes.
    ///
    /// # Errors
    /// Why the feature is off on this cartridge.
    pub fn for_feature(image: &[u8], feature: Feature) -> Result<Self, Unsupported> {
        let release = Release::of_image(image).ok_or_else(|| Unsupported::unrecognised(feature))?;
        release.profile().ok_or_else(|| Unsupported::unmapped(feature, release))?.supporting(feature)
    }

    /// The profile itself, if it knows all that `feature` takes.
    ///
    /// # Errors
    /// What it lacks.
    pub fn supporting(self, feature: Feature) -> Result<Self, Unsupported> {
        let missing = self.missing(feature);
        if missing.is_empty() { Ok(self) } else { Err(Unsupported::missing(feature, self.name, missing)) }
    }

    /// The names of the places and hooks that `feature` takes, and of which nobody has said where
    /// they are.
    pub fn missing(&self, feature: Feature) -> Vec<&'static str> {
        // The model of the rules is compared with all of RAM, and endings are chosen by the type.
        let takes_itself = |place: Variable| match feature {
            Feature::Parity => true,
            Feature::Endings => place == ram::GAME_TYPE,
            _ => false,
        };
        let is_made_up = |place: Variable| takes_itself(place) && self.value(place).is_some();
        let lacks = |place: &Variable| !self.knows_place(*place) || is_made_up(*place);
        let places = feature.places().filter(lacks).map(|place| place.name);
        let hooks = feature.hooks().iter().filter(|&&hook| !self.knows_hook(hook)).map(|hook| hook.name);
        places.chain(hooks).collect()
    }

    /// Is it the profile of this image?
    pub fn is_of(&self, image: &[u8]) -> bool {
        let hashes = Hashes::of(image);
        self.sha1.iter().any(|known| hashes.contain(known))
    }

    /// A profile that says nothing yet.
    fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            sha1: Vec::new(),
            partial: Partial::default(),
            places: Vec::new(),
            hooks: Vec::new(),
            values: Vec::new(),
            lacks: &[],
            timing: None,
            pace: Pace::NTSC,
            binary_score: None,
        }
    }

    /// How fast pieces fall and shift by themselves.
    pub const fn pace(&self) -> Pace {
        self.pace
    }

    /// Is it known where this hook stands?
    pub fn knows_hook(&self, hook: Hook) -> bool {
        let is_there = !self.partial.hooks || self.hooks.iter().any(|(known, _)| *known == hook);
        is_there && !self.lacks.contains(&hook.name)
    }

    /// Is it known where this place is?
    pub fn knows_place(&self, place: Variable) -> bool {
        let is_there = !self.partial.ram || self.listed(place).is_some() || self.value(place).is_some();
        is_there && !self.lacks.contains(&place.name)
    }

    /// The byte that a place is read as, if the cartridge does not have it.
    fn value(&self, place: Variable) -> Option<u8> {
        self.values.iter().find(|(known, _)| *known == place).map(|&(_, value)| value)
    }

    /// Where a hook stands in this cartridge, if [that is known](Self::knows_hook).
    pub fn address(&self, hook: Hook) -> u16 {
        self.hooks.iter().find(|(known, _)| *known == hook).map_or(hook.address, |&(_, address)| address)
    }

    /// Where a place of RAM is in this cartridge, if [that is known](Self::knows_place).
    pub fn place_address(&self, place: Variable) -> u16 {
        self.listed(place).unwrap_or(place.address)
    }

    /// Where a place is by itself, or as a part of one that is listed.
    fn listed(&self, place: Variable) -> Option<u16> {
        let itself = self.places.iter().find(|(known, _)| *known == place).map(|&(_, address)| address);
        itself.or_else(|| {
            let end = place.range().end;
            let around = |known: &Variable| known.range().start <= place.at() && end <= known.range().end;
            let (known, address) = self.places.iter().find(|(known, _)| around(known))?;
            Some(address + (place.address - known.address))
        })
    }

    /// How long the cartridge takes to add up a lock, where that can take longer than a frame and
    /// is known.
    pub fn timing(&self) -> Option<&'static Timing> {
        self.timing
    }

    /// The score that the machine's RAM holds, beyond six digits where the cartridge counts so far.
    pub fn score(&self, machine: &[u8; 0x800]) -> u32 {
        let binary = self.binary_score.and_then(|at| machine.get(usize::from(at)..)?.first_chunk());
        binary.map_or_else(|| View::new(&self.as_mapped(machine)).score(), |bytes| u32::from_le_bytes(*bytes))
    }

    /// The machine's RAM with everything where the map says, for a [`View`](crate::View) or a
    /// watcher.
    pub fn as_mapped(&self, machine: &[u8; 0x800]) -> [u8; 0x800] {
        let mut mapped = *machine;
        for &(place, address) in &self.places {
            let from = usize::from(address);
            mapped[place.range()].copy_from_slice(&machine[from..from + usize::from(place.bytes)]);
        }
        for &(place, value) in &self.values {
            mapped[place.range()].fill(value);
        }
        mapped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hooks;

    const HEAD: &str = "name = \"x\"\nsha1 = []\n";

    #[test]
    fn a_hook_stands_where_the_map_says_unless_the_profile_knows_better() {
        let profile = Profile::parse(&format!("{HEAD}[hooks]\nspawn = 0x9000\n")).unwrap();
        assert_eq!(profile.address(hooks::SPAWN), 0x9000);
        assert_eq!(profile.address(hooks::LOCK), 0x99A2);
    }

    #[test]
    fn a_place_is_where_the_map_says_unless_the_profile_knows_better() {
        let profile = Profile::parse(&format!("{HEAD}[ram]\nlevel = 0x0190\n")).unwrap();
        assert_eq!(profile.place_address(ram::LEVEL), 0x0190);
        assert_eq!(profile.place_address(ram::LINES), 0x0070);
    }

    #[test]
    fn a_part_of_a_block_is_where_the_block_is() {
        let profile =
            Profile::parse(&format!("{HEAD}partial = [\"ram\"]\n[ram]\nplayer_1 = 0x0040\n")).unwrap();
        assert_eq!(profile.place_address(ram::LEVEL), 0x0044);
        assert!(profile.knows_place(ram::LINES) && !profile.knows_place(ram::NEXT_PIECE));
        let mut machine = [0; 0x800];
        machine[0x44] = 19;
        assert_eq!(profile.as_mapped(&machine)[ram::LEVEL.at()], 19);
    }

    #[test]
    fn what_a_cartridge_does_not_have_reads_as_the_byte_that_is_said() {
        let text = format!("{HEAD}partial = [\"ram\"]\n[ram]\nlevel = 0x44\n[values]\ngame_type = 0\n");
        let profile = Profile::parse(&text).unwrap();
        assert!(profile.knows_place(ram::GAME_TYPE) && !profile.knows_place(ram::LINES));
        let mut machine = [0; 0x800];
        machine[ram::GAME_TYPE.at()] = 3;
        assert_eq!(profile.as_mapped(&machine)[ram::GAME_TYPE.at()], 0);
        assert!(profile.missing(Feature::Parity).contains(&"game_type"));
    }

    #[test]
    fn what_a_profile_does_not_know_is_named_and_keeps_the_feature_off() {
        let profile =
            Profile::parse(&format!("{HEAD}partial = [\"ram\", \"hooks\"]\n[ram]\nlevel = 0x44\n")).unwrap();
        for feature in Feature::all() {
            let all = feature.places().count() + feature.hooks().len();
            let known = usize::from(feature.places().any(|place| place == ram::LEVEL));
            assert_eq!(profile.missing(feature).len(), all - known, "{feature:?}");
            assert!(profile.clone().supporting(feature).is_err(), "{feature:?}");
        }
        let refused = profile.supporting(Feature::Guard).unwrap_err().to_string();
        assert!(refused.contains("temporaries and points"), "{refused}");
    }
}
