//! Functions, and what C keeps for them.

use super::{Extent, Spot};
use crate::symbols::dbg::{CSymbolRecord, Storage};

/// A function of C, or a procedure of the assembler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name: of C as it is written there.
    pub name: String,
    /// Was it written in C?
    pub is_c: bool,
    /// Where it begins.
    pub entry: Spot,
    /// Where its own code begins: behind the head, in which cc65 puts the last argument on the
    /// stack of C. From there on its variables are in place.
    pub body: Spot,
    /// Its arguments and variables, as far as the debug file knows them: cc65 tells of those at the
    /// beginning of a function, and not of those of inner blocks.
    pub variables: Vec<Variable>,
    pub(super) extents: Vec<Extent>,
}

impl Function {
    /// The key of its first byte.
    pub(super) fn key(&self) -> u32 {
        self.entry.key()
    }

    /// Does it take arguments on the stack of C?
    pub(super) fn has_arguments(&self) -> bool {
        self.variables.iter().any(|variable| matches!(variable.home, Home::Stack(offset) if offset >= 0))
    }
}

/// A variable of C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where it is kept.
    pub home: Home,
    /// Bytes that it takes, 0 where that is not known: the debug file does not say which type it
    /// has.
    pub bytes: u16,
}

/// Where a variable is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// At an address.
    At(u16),
    /// So many bytes from where the stack of C stood when the function began.
    Stack(i32),
    /// In a register bank of the zero page, so many bytes into it.
    Bank(i32),
}

/// Bytes of a variable of which they are not known.
const UNKNOWN: u16 = 0;

/// The variables of a function, from its names. What lies next to each other on the stack tells how
/// long it is: arguments from offset 0 up, variables below it.
pub(super) fn variables(
    names: &[&CSymbolRecord],
    function: Option<u32>,
    address: impl Fn(u32) -> Option<(u16, u16)>,
) -> Vec<Variable> {
    let mut offsets: Vec<i32> =
        names.iter().filter(|name| name.storage == Storage::Auto).map(|name| name.offset).collect();
    offsets.push(0);
    offsets.sort_unstable();
    let variable = |name: &&CSymbolRecord| {
        let (home, bytes) = match name.storage {
            Storage::Auto => {
                let next = offsets.iter().find(|&&offset| offset > name.offset);
                let bytes = next.and_then(|next| u16::try_from(next.checked_sub(name.offset)?).ok());
                (Home::Stack(name.offset), bytes.unwrap_or(UNKNOWN))
            }
            Storage::Register => (Home::Bank(name.offset), UNKNOWN),
            // The function itself has a name, too.
            Storage::Static if name.symbol == function => return None,
            Storage::Static => {
                let (address, bytes) = address(name.symbol?)?;
                (Home::At(address), bytes)
            }
            Storage::Extern => return None,
        };
        Some(Variable { name: name.name.clone(), home, bytes })
    };
    names.iter().filter_map(variable).collect()
}
