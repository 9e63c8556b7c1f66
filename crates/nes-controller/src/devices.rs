//! What is plugged into the console, and what is held on it.

use core::fmt;

use crate::Buttons;

/// What is plugged into the ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Devices {
    /// Two standard pads.
    #[default]
    Pads,
    /// The two pads of a Famicom: the second has a microphone, and neither Select nor Start.
    Famicom,
    /// The Four Score, for four pads of an NES.
    FourScore,
    /// A Famicom with the adapter for pads 3 and 4 at the expansion port.
    FamicomFour,
    /// A standard pad, and the Zapper in the second port.
    Zapper,
}

impl Devices {
    /// All of them. Their places in the list are the numbers by which states name them.
    pub const ALL: [Self; 5] = [Self::Pads, Self::Famicom, Self::FourScore, Self::FamicomFour, Self::Zapper];

    /// Returns the name for options and settings, as `four-score`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pads => "pads",
            Self::Famicom => "famicom",
            Self::FourScore => "four-score",
            Self::FamicomFour => "famicom-four",
            Self::Zapper => "zapper",
        }
    }

    /// Returns the devices with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|devices| devices.name() == name)
    }

    /// Returns whether there are pads 3 and 4.
    pub const fn has_four_pads(self) -> bool {
        matches!(self, Self::FourScore | Self::FamicomFour)
    }

    /// Returns whether the second pad is a Famicom's.
    const fn has_famicom_pads(self) -> bool {
        matches!(self, Self::Famicom | Self::FamicomFour)
    }

    /// Returns the buttons that the second pad has.
    pub(crate) const fn second_pad(self) -> Buttons {
        match self {
            Self::Zapper => Buttons::empty(),
            _ if self.has_famicom_pads() => Buttons::SELECT.union(Buttons::START).complement(),
            _ => Buttons::all(),
        }
    }
}

impl fmt::Display for Devices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where a Zapper points, and its trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Aim {
    /// Column of the picture, 0 to 255.
    pub x: u8,
    /// Line of the picture, 0 to 239; beyond it points past the screen.
    pub y: u8,
    /// Whether the trigger is pulled.
    pub trigger: bool,
}

impl Default for Aim {
    /// Past the screen, with the trigger let go.
    fn default() -> Self {
        Self { x: 0, y: 0xFF, trigger: false }
    }
}

/// What is held on devices beside the first two pads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Extra {
    /// Nothing.
    #[default]
    None,
    /// Buttons of pads 3 and 4.
    Pads([Buttons; 2]),
    /// The Zapper.
    Zapper(Aim),
    /// There is sound at the microphone.
    Microphone,
}

impl Extra {
    /// Returns what is held on pads 3 and 4.
    pub fn pads(self) -> [Buttons; 2] {
        if let Self::Pads(pads) = self { pads } else { [Buttons::empty(); 2] }
    }

    /// Returns where the Zapper points.
    pub fn aim(self) -> Aim {
        if let Self::Zapper(aim) = self { aim } else { Aim::default() }
    }

    /// Returns the part of it that `devices` have; none where nothing is held there.
    #[must_use]
    pub fn on(self, devices: Devices) -> Self {
        match (self, devices) {
            (Self::Pads(pads), _) if devices.has_four_pads() && pads != [Buttons::empty(); 2] => self,
            (Self::Zapper(aim), Devices::Zapper) if aim != Aim::default() => self,
            (Self::Microphone, Devices::Famicom) => self,
            _ => Self::None,
        }
    }
}

/// What is held at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Held {
    /// Buttons of the first and the second pad.
    pub pads: [Buttons; 2],
    /// What is held beside them.
    pub extra: Extra,
}

impl From<[Buttons; 2]> for Held {
    fn from(pads: [Buttons; 2]) -> Self {
        Self { pads, extra: Extra::None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_have_names_that_are_read() {
        for devices in Devices::ALL {
            assert_eq!(Devices::from_name(devices.name()), Some(devices));
        }
        assert_eq!(Devices::from_name("robot"), None);
    }

    #[test]
    fn only_what_is_plugged_in_is_held() {
        let all = [
            Extra::Pads([Buttons::A, Buttons::empty()]),
            Extra::Zapper(Aim { x: 3, y: 4, trigger: true }),
            Extra::Microphone,
        ];
        for (held, on) in all.into_iter().zip([
            &[Devices::FourScore, Devices::FamicomFour][..],
            &[Devices::Zapper],
            &[Devices::Famicom],
        ]) {
            for devices in Devices::ALL {
                let expected = if on.contains(&devices) { held } else { Extra::None };
                assert_eq!(held.on(devices), expected, "{devices}");
            }
        }
        assert_eq!(Extra::Pads([Buttons::empty(); 2]).on(Devices::FourScore), Extra::None);
        assert_eq!(Extra::Zapper(Aim::default()).on(Devices::Zapper), Extra::None);
    }
}
