//! Functions of the script that are registered for instructions and accesses.

use std::collections::HashSet;
use std::sync::Arc;

use mlua::{Function, Table};
use nes_script::{Hit, Kind, Marks};

/// Which functions are registered. They are in a table of Lua's: a handle for each would take a
/// place on a stack of Lua's that has 8,000.
#[derive(Default)]
pub(crate) struct Hooks {
    functions: Option<Table>,
    hooked: HashSet<(Kind, u16)>,
    marks: Arc<Marks>,
    /// Every instruction is looked at, to be counted.
    counts: bool,
}

/// Where the function of an address is in the table.
fn key(kind: Kind, address: u16) -> u32 {
    (kind as u32) << 16 | u32::from(address)
}

impl Hooks {
    /// Registers a function for `length` addresses, or none for them.
    pub(crate) fn register(
        &mut self,
        kind: Kind,
        first: u16,
        length: u32,
        function: Option<&Function>,
    ) -> mlua::Result<()> {
        let end = u32::from(first).saturating_add(length).min(0x1_0000);
        for address in u32::from(first)..end {
            let address = address as u16;
            let hooked = (kind, address);
            if function.is_some() {
                self.hooked.insert(hooked)
            } else {
                self.hooked.remove(&hooked)
            };
            if let Some(functions) = &self.functions {
                functions.raw_set(key(kind, address), function)?;
            }
        }
        let marks = Arc::make_mut(&mut self.marks);
        marks.clear();
        if self.counts {
            marks.insert_every_step();
        }
        for &(kind, address) in &self.hooked {
            marks.insert(kind, address);
        }
        Ok(())
    }

    /// Gives the functions a table to be in.
    pub(crate) fn set_table(&mut self, table: Table) {
        self.functions = Some(table);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.hooked.is_empty()
    }

    /// Has every instruction be looked at from here on.
    pub(crate) fn count(&mut self) {
        if !self.counts {
            self.counts = true;
            Arc::make_mut(&mut self.marks).insert_every_step();
        }
    }

    pub(crate) fn counts(&self) -> bool {
        self.counts
    }

    pub(crate) fn function(&self, hit: Hit) -> Option<Function> {
        self.functions.as_ref()?.raw_get(key(hit.kind, hit.address)).ok()
    }

    pub(crate) fn marks(&self) -> Arc<Marks> {
        Arc::clone(&self.marks)
    }
}
