//! The places, by address.

use super::{Use, Variable};

macro_rules! map {
    ($($(#[doc = $about:literal])+ $name:ident, $text:literal, $address:literal, $bytes:literal, $purpose:ident;)+) => {
        $(
            $(#[doc = $about])+
            #[doc = concat!("\n\nAddress `", stringify!($address), "`, ", stringify!($bytes), " bytes.")]
            pub const $name: Variable = Variable {
                name: $text,
                address: $address,
                bytes: $bytes,
                purpose: Use::$purpose,
                about: concat!($($about),+),
            };
        )+

        /// Every named place, by address.
        pub const MAP: &[Variable] = &[$($name),+];
    };
}

map! {
    /// Jump targets, tap of the LFSR, bits of expansion pads: used by the interrupt and the main
    /// thread.
    SCRATCH, "scratch", 0x0000, 3, Scratch;
    /// Return address of a bulk copy to the PPU.
    COPY_POINTER, "copy_pointer", 0x0005, 2, Scratch;
    /// List of changes to a nametable.
    PATCH_POINTER, "patch_pointer", 0x0014, 2, Scratch;
    /// The random number register, high byte first.
    LFSR, "lfsr", 0x0017, 2, Game;
    /// Orientation of the piece picked last: the one that a second throw avoids.
    LAST_PIECE, "last_piece", 0x0019, 1, Game;
    /// Pieces picked since reset, modulo 256.
    SPAWN_COUNT, "spawn_count", 0x001A, 1, Game;
    /// The interrupt sets it to 1; the main loop waits for that.
    VBLANK_DONE, "vblank_done", 0x0033, 1, Game;
    /// Working copy of the player's block while it plays; laid out as `player_1`.
    WORKING_COPY, "working_copy", 0x0040, 32, Game;
    /// The player's block, which holds between frames.
    PLAYER_1, "player_1", 0x0060, 32, Game;
    /// Column of the pivot, 0–9.
    PIECE_X, "piece_x", 0x0060, 1, Game;
    /// Row of the pivot, 0–19.
    PIECE_Y, "piece_y", 0x0061, 1, Game;
    /// Orientation of the piece in play, `$13` = hidden.
    ORIENTATION, "orientation", 0x0062, 1, Game;
    /// The level, binary.
    LEVEL, "level", 0x0064, 1, Game;
    /// Frames since the last row of fall.
    FALL_TIMER, "fall_timer", 0x0065, 1, Game;
    /// Delayed auto shift: 0–16, full at 16, on from 10.
    DAS, "das", 0x0066, 1, Game;
    /// The level chosen in the menu, and ten more with A.
    START_LEVEL, "start_level", 0x0067, 1, Game;
    /// 0 ended, 1 active, 2 lock, 3 row check, 4 clear, 5 lines, 6 B-type goal, 7 garbage, 8 spawn,
    /// 10 curtain.
    PLAY_STATE, "play_state", 0x0068, 1, Game;
    /// The next playfield row that the picture is to get, `$20` = it has all.
    VRAM_ROW, "vram_row", 0x0069, 1, Game;
    /// Rows completed by this lock, by the four looked at; 0 = not complete, or row 0.
    CLEARED_ROWS, "cleared_rows", 0x006A, 4, Game;
    /// `$A0`–`$FF` hang of the first piece, 0 idle, 1–2 soft drop.
    DOWN_REPEAT, "down_repeat", 0x006E, 1, Game;
    /// Rows of the soft drop under way.
    SOFT_DROP_ROWS, "soft_drop_rows", 0x006F, 1, Game;
    /// Lines: tens and ones BCD, then hundreds in binary.
    LINES, "lines", 0x0070, 2, Game;
    /// Step of the line-clear animation, 0–4.
    CLEAR_STEP, "clear_step", 0x0072, 1, Game;
    /// The score, BCD, low byte first.
    SCORE, "score", 0x0073, 3, Game;
    /// Rows completed by this lock, until they are counted.
    LINES_COMPLETED, "lines_completed", 0x0076, 1, Game;
    /// Which of the four rows is looked at next.
    ROW_CHECK, "row_check", 0x0077, 1, Game;
    /// The curtain's row: signed, -16 to 20.
    CURTAIN_ROW, "curtain_row", 0x0078, 1, Game;
    /// Height of the B-type's garbage, 0–5.
    START_HEIGHT, "start_height", 0x0079, 1, Game;
    /// Column of the hole in garbage from the other player.
    GARBAGE_HOLE, "garbage_hole", 0x007A, 1, Game;
    /// The second player's block, laid out as `player_1`.
    PLAYER_2, "player_2", 0x0080, 32, Game;
    /// Pixel column and row of the sprite being staged, and which table it comes from.
    STAGED_SPRITE, "staged_sprite", 0x00A0, 3, Sprites;
    /// What the interrupt has to draw: bit 0 lines, 1 level, 2 score, 6 statistics, 7 letter of a
    /// name.
    DIRTY, "dirty", 0x00A3, 1, Game;
    /// Two players: frames before a shared piece appears, for whom, which.
    SHARED_PIECE, "shared_piece", 0x00A4, 3, Game;
    /// State within the game mode; in a game 0 screen, 1 start, 2 counters, 3 game over, 4–5
    /// players, 6 reset, 7 pause, 8 again.
    MODE_STATE, "mode_state", 0x00A7, 1, Game;
    /// Temporaries of main thread and interrupt; the first counts the legal screen down.
    TEMPORARIES, "temporaries", 0x00A8, 5, Scratch;
    /// Bonus for the level in the B-type's ending.
    LEVEL_BONUS, "level_bonus", 0x00AB, 1, Scratch;
    /// Bonus for the height in the B-type's ending.
    HEIGHT_BONUS, "height_bonus", 0x00AC, 1, Scratch;
    /// Level menu: 0 level, 1 height. In a game: the cell from which the collision test counted its
    /// last column.
    CURSOR, "cursor", 0x00AD, 1, Game;
    /// Column, row or orientation to come back to; after a frame of play the scanline of the
    /// piece's last cell. In the level menu which grid is in hand.
    SAVED, "saved", 0x00AE, 1, Game;
    /// Frames a row at this level.
    DROP_SPEED, "drop_speed", 0x00AF, 1, Game;
    /// Piece whose statistic is being drawn.
    STATISTIC, "statistic", 0x00B0, 1, Scratch;
    /// Frames with an interrupt since reset, low byte first; the title clears the high byte.
    FRAME_COUNTER, "frame_counter", 0x00B1, 2, Game;
    /// Bytes of the sprite page in use.
    OAM_LENGTH, "oam_length", 0x00B3, 1, Sprites;
    /// Buttons newly pressed by the player in hand.
    PRESSED, "pressed", 0x00B5, 1, Game;
    /// Buttons held by the player in hand.
    HELD, "held", 0x00B6, 1, Game;
    /// The player in hand, 1 or 2.
    ACTIVE_PLAYER, "active_player", 0x00B7, 1, Game;
    /// Address of the playfield in hand, low byte first.
    FIELD_POINTER, "field_pointer", 0x00B8, 2, Game;
    /// `$FF` while the music is fast.
    FAST_MUSIC, "fast_music", 0x00BA, 1, Game;
    /// Garbage rows to come for the player in hand, and for the other.
    PENDING_GARBAGE, "pending_garbage", 0x00BB, 2, Game;
    /// What the interrupt draws: 0 nothing, 1 menu, 2 name entry, 3 game, 4 ending.
    RENDER_MODE, "render_mode", 0x00BD, 1, Game;
    /// Number of players.
    PLAYER_COUNT, "player_count", 0x00BE, 1, Game;
    /// Orientation of the next piece.
    NEXT_PIECE, "next_piece", 0x00BF, 1, Game;
    /// 0 legal, 1 title, 2 type menu, 3 level menu, 4 game, ending and name entry, 5 demo, 6 start
    /// of the demo.
    GAME_MODE, "game_mode", 0x00C0, 1, Game;
    /// 0 A-type, 1 B-type.
    GAME_TYPE, "game_type", 0x00C1, 1, Game;
    /// 0–2 the three tunes, 3 silence.
    MUSIC_TYPE, "music_type", 0x00C2, 1, Game;
    /// Frames that the interrupt counts down.
    SLEEP_COUNTER, "sleep_counter", 0x00C3, 1, Game;
    /// The endings: which of them, or its animation's counter, then the places that follow.
    ENDING, "ending", 0x00C4, 10, Game;
    /// Variables of the endings and of the garbage's making.
    ENDING_VARIABLES, "ending_variables", 0x00C5, 7, Game;
    /// The ending's sprite being staged.
    ENDING_SPRITE, "ending_sprite", 0x00CC, 1, Game;
    /// Frames of the ending's delay.
    ENDING_DELAY, "ending_delay", 0x00CD, 1, Game;
    /// The demo: buttons of the recording.
    DEMO_HELD, "demo_held", 0x00CE, 1, Game;
    /// The demo: frames that these buttons stay.
    DEMO_REPEATS, "demo_repeats", 0x00CF, 1, Game;
    /// `$FF`: the demo is being recorded.
    DEMO_RECORDING, "demo_recording", 0x00D0, 1, Game;
    /// Place in the demo's recording, low byte first.
    DEMO_POINTER, "demo_pointer", 0x00D1, 2, Game;
    /// Index into the demo's pieces.
    DEMO_PIECE, "demo_piece", 0x00D3, 1, Game;
    /// Name entry: letter in hand, 0–5.
    NAME_LETTER, "name_letter", 0x00D4, 1, Game;
    /// Name entry: row of the table, 0–2 A-type, 4–6 B-type.
    NAME_ROW, "name_row", 0x00D5, 1, Game;
    /// Name entry: offset of that row's name.
    NAME_OFFSET, "name_offset", 0x00D6, 1, Game;
    /// Name entry: the letter's symbol, 0–43.
    NAME_SYMBOL, "name_symbol", 0x00D7, 1, Game;
    /// Counts of clears of one to four rows, BCD.
    LINE_COUNTS, "line_counts", 0x00D8, 4, Game;
    /// Total of the B-type's ending, BCD, low byte first.
    B_TOTAL, "b_total", 0x00DC, 3, Game;
    /// Not 0: Select has hidden the next box.
    HIDE_NEXT, "hide_next", 0x00DF, 1, Game;
    /// The sound engine's pointers.
    SOUND_POINTERS, "sound_pointers", 0x00E0, 16, Sound;
    /// A copy of the buttons that nobody reads.
    UNUSED_BUTTONS, "unused_buttons", 0x00F1, 4, Scratch;
    /// Buttons newly pressed in this frame, pads 1 and 2. The demo's take the place of pad 1's.
    PAD_PRESSED, "pad_pressed", 0x00F5, 2, Game;
    /// Buttons held in this frame, pads 1 and 2.
    PAD_HELD, "pad_held", 0x00F7, 2, Game;
    /// Added to the address of the pads' strobe, 0.
    STROBE_OFFSET, "strobe_offset", 0x00FB, 1, Game;
    /// Vertical scroll.
    SCROLL_Y, "scroll_y", 0x00FC, 1, Game;
    /// Horizontal scroll.
    SCROLL_X, "scroll_x", 0x00FD, 1, Game;
    /// Copy of `PPUMASK`.
    PPUMASK_COPY, "ppumask_copy", 0x00FE, 1, Game;
    /// Copy of `PPUCTRL`.
    PPUCTRL_COPY, "ppuctrl_copy", 0x00FF, 1, Game;
    /// The stack.
    STACK, "stack", 0x0100, 256, Stack;
    /// Sprites staged for the next interrupt.
    OAM_STAGING, "oam_staging", 0x0200, 256, Sprites;
    /// How often T, J, Z, O, S, L, I came: a word each, tens and ones BCD, then hundreds in binary.
    PIECE_COUNTS, "piece_counts", 0x03F0, 14, Game;
    /// Twenty rows of ten cells from the top, then what the field's rows -2 and -1 alias to at
    /// `$04EC`. `$EF` and up is free; `$7B`–`$7D` pieces, `$4F` curtain.
    PLAYFIELD, "playfield", 0x0400, 256, Game;
    /// The second player's playfield.
    SECOND_PLAYFIELD, "second_playfield", 0x0500, 256, Game;
    /// What the sound engine sends to the APU, and its pauses.
    SOUND_STAGING, "sound_staging", 0x0680, 14, Sound;
    /// Notes of a pause's chime so far, 0–4.
    PAUSE_CHIMES, "pause_chimes", 0x068B, 1, Game;
    /// 5 in a pause.
    AUDIO_PAUSE, "audio_pause", 0x068D, 1, Game;
    /// Variables of the music.
    MUSIC, "music", 0x0690, 69, Sound;
    /// Variables of the effects.
    EFFECTS, "effects", 0x06D5, 22, Sound;
    /// Effects asked for, a byte a slot: noise (2 curtain, 3 rocket), pulse (1 cursor, 2 select, 3
    /// shift, 4 tetris, 5 rotate, 6 level up, 7 lock, 8 chirp, 9 clearing, 10 line), and three
    /// more.
    EFFECT_REQUESTS, "effect_requests", 0x06F0, 5, Game;
    /// Track asked for, `$FF` silence.
    MUSIC_REQUEST, "music_request", 0x06F5, 1, Game;
    /// Effects under way, by slot.
    EFFECTS_PLAYING, "effects_playing", 0x06F8, 5, Sound;
    /// Track under way.
    MUSIC_PLAYING, "music_playing", 0x06FD, 1, Sound;
    /// Names, scores and levels of the best games, eight each: four A-type, four B-type.
    HIGH_SCORES, "high_scores", 0x0700, 80, Game;
    /// Eight names of six symbols.
    NAMES, "names", 0x0700, 48, Game;
    /// Eight scores, BCD, high byte first.
    HIGH_SCORE_POINTS, "high_score_points", 0x0730, 24, Game;
    /// Eight levels.
    HIGH_SCORE_LEVELS, "high_score_levels", 0x0748, 8, Game;
    /// `12 34 56 78 9A` where the table before it is to survive a reset.
    WARM_MAGIC, "warm_magic", 0x0750, 5, Game;
}
