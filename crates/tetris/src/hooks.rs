//! The map of PRG-ROM: routines to stop at and tables to read, which the built-in cartridge keeps
//! where the US cartridge has them.

/// A named address of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hook {
    /// The constant's name in lower case.
    pub name: &'static str,
    /// Its CPU address, `$8000` and up.
    pub address: u16,
    /// What stands there.
    pub about: &'static str,
}

macro_rules! hooks {
    ($($(#[doc = $about:literal])+ $name:ident, $text:literal, $address:literal;)+) => {
        $(
            $(#[doc = $about])+
            pub const $name: Hook = Hook { name: $text, address: $address, about: concat!($($about),+) };
        )+

        /// Every named address, ascending.
        pub const HOOKS: &[Hook] = &[$($name),+];
    };
}

hooks! {
    /// Entry of the vertical-blank interrupt.
    NMI, "nmi", 0x8005;
    /// Its return: the buttons of the frame are final.
    NMI_RETURN, "nmi_return", 0x804A;
    /// Top of the main loop.
    MAIN_LOOP, "main_loop", 0x8138;
    /// The comparison that ends a frame.
    MAIN_LOOP_COMPARE, "main_loop_compare", 0x813B;
    /// The piece in play, once a frame.
    ACTIVE, "active", 0x81CF;
    /// Table: by orientation, what B and A make of it.
    ROTATIONS, "rotations", 0x88EE;
    /// Table: frames a row, 30 levels.
    DROP_SPEEDS, "drop_speeds", 0x898E;
    /// Table: 20 orientations of four cells of row, tile, column.
    ORIENTATIONS, "orientations", 0x8A9C;
    /// Does the piece fit?
    COLLISION, "collision", 0x948B;
    /// Table: tiles of the level, 30.
    LEVEL_GLYPHS, "level_glyphs", 0x96B8;
    /// Table: ten times the row.
    ROW_OFFSETS, "row_offsets", 0x96D6;
    /// Table: nametable addresses of the rows.
    ROW_ADDRESSES, "row_addresses", 0x96EA;
    /// Writes the level's colours.
    LEVEL_PALETTE, "level_palette", 0x9808;
    /// Table: four colours by the level's last digit.
    LEVEL_COLOURS, "level_colours", 0x984C;
    /// A piece comes in.
    SPAWN, "spawn", 0x98BA;
    /// The picker's choice by chance.
    RANDOM_PIECE, "random_piece", 0x9907;
    /// A = orientation about to be used: where another sequence of pieces comes in.
    NEW_PIECE, "new_piece", 0x9938;
    /// Table: piece by orientation.
    PIECE_TYPES, "piece_types", 0x993B;
    /// Table: orientation in which each piece appears.
    SPAWN_TABLE, "spawn_table", 0x994E;
    /// Table: the same by orientation.
    SPAWN_ORIENTATION, "spawn_orientation", 0x9956;
    /// A piece locks, or the game is over.
    LOCK, "lock", 0x99A2;
    /// The next of four rows is looked at.
    ROW_CHECK, "row_check", 0x9A6B;
    /// Lines and levels are counted.
    LINES, "lines", 0x9B58;
    /// Points of a clear, level + 1 times over.
    POINTS, "points", 0x9C37;
    /// Table: points by rows, BCD words.
    POINT_VALUES, "point_values", 0x9CA5;
    /// Has the picture take the playfield.
    UPDATE_PLAYFIELD, "update_playfield", 0x9CAF;
    /// The pads are read.
    POLL_PADS, "poll_pads", 0x9D51;
    /// The main loop idles until the interrupt.
    IDLE, "idle", 0xAA37;
    /// A step of the random number register.
    LFSR, "lfsr", 0xAB47;
    /// The jump tables' subroutine: on at entry A of the table behind the JSR. Main loop and NMI
    /// share its two bytes of RAM. The built-in cartridge has it elsewhere.
    DISPATCH, "dispatch", 0xAC82;
    /// Table: high scores of a cold reset, 80 bytes. The built-in cartridge has it elsewhere.
    DEFAULT_HIGH_SCORES, "default_high_scores", 0xAD67;
    /// Table: the demo's buttons and frames.
    DEMO_BUTTONS, "demo_buttons", 0xDD00;
    /// Table: the demo's pieces.
    DEMO_PIECES, "demo_pieces", 0xDF00;
    /// A frame of the sound engine.
    AUDIO, "audio", 0xE000;
    /// Reset.
    RESET, "reset", 0xFF00;
}

#[cfg(test)]
mod tests {
    use super::HOOKS;

    #[test]
    fn hooks_ascend_in_prg_rom_and_have_names_of_their_own() {
        assert!(HOOKS.iter().all(|hook| hook.address >= 0x8000));
        assert!(HOOKS.windows(2).all(|pair| pair[0].address < pair[1].address));
        let names: std::collections::HashSet<_> = HOOKS.iter().map(|hook| hook.name).collect();
        assert_eq!(names.len(), HOOKS.len());
    }

    /// The cartridge's own labels are asserted in its sources; here that the tables stand where the
    /// map says.
    #[test]
    fn tables_of_the_built_in_cartridge_stand_where_the_map_says() {
        const IMAGE: &[u8] = include_bytes!("../../../roms/maxout.nes");
        let table = |hook: super::Hook| &IMAGE[16 + usize::from(hook.address) - 0x8000..];
        assert_eq!(table(super::SPAWN_TABLE)[..7], crate::orientation::SPAWN_TABLE);
        assert_eq!(table(super::PIECE_TYPES)[..19], crate::orientation::TYPES);
        let rotations: Vec<u8> = crate::orientation::ROTATIONS.iter().flat_map(|&(b, a)| [b, a]).collect();
        assert_eq!(table(super::ROTATIONS)[..38], rotations);
        let shapes = crate::orientation::SHAPES[..20].iter();
        let cells: Vec<u8> = shapes
            .flat_map(|shape| shape.cells.map(|(row, column)| [row as u8, shape.tile, column as u8]))
            .flatten()
            .collect();
        assert_eq!(table(super::ORIENTATIONS)[..240], cells);
        // ASL, TAY, PLA … JMP ($0000)
        let profile = crate::Profile::of_image(IMAGE).unwrap();
        let dispatch = &IMAGE[16 + usize::from(profile.address(super::DISPATCH)) - 0x8000..];
        assert_eq!((&dispatch[..3], &dispatch[22..25]), (&[0x0A, 0xA8, 0x68][..], &[0x6C, 0x00, 0x00][..]));
    }
}
