//! The model as the machine's RAM.

use super::late::Stage;
use super::player::{PlayerBlock, Second};
use super::screens::Screen;
use super::{EMPTY, Game, HighScores, Sleep, Wait};
use crate::ram::{self, Variable};

/// The 2 KiB of RAM, and which of them the model knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    bytes: [u8; 0x800],
    known: [bool; 0x800],
    left_out: usize,
}

impl Memory {
    /// All of RAM; what the model does not know is 0.
    pub fn ram(&self) -> &[u8; 0x800] {
        &self.bytes
    }

    /// Does the model say what this address holds? False from `$0800` up.
    pub fn knows(&self, address: u16) -> bool {
        self.known.get(usize::from(address)).copied().unwrap_or(false)
    }

    /// How many bytes the model knows.
    pub fn known(&self) -> usize {
        self.known.iter().filter(|&&known| known).count()
    }

    /// Does a machine's RAM hold the same wherever the model knows?
    pub fn agrees(&self, machine: &[u8; 0x800]) -> bool {
        let bytes = self.bytes.iter().zip(machine).zip(&self.known);
        // Without a way out of the loop it is done sixteen bytes at a time.
        bytes.fold(0, |differs, ((model, machine), &known)| {
            differs | ((model ^ machine) & u8::from(known).wrapping_neg())
        }) == 0
    }

    /// The known addresses at which a machine's RAM is different, lowest first.
    pub fn differences<'a>(&'a self, machine: &'a [u8; 0x800]) -> impl Iterator<Item = u16> + 'a {
        (0..0x800).filter(|&address| {
            let place = usize::from(address);
            self.known[place] && self.bytes[place] != machine[place]
        })
    }

    /// How many bytes the model leaves out of this frame, because the machine is writing them as
    /// the frame ends.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    fn leave_out(&mut self, address: u16, bytes: usize) {
        self.known[usize::from(address)..][..bytes].fill(false);
        self.left_out += bytes;
    }

    fn put(&mut self, address: u16, bytes: &[u8]) {
        let place = usize::from(address);
        self.bytes[place..][..bytes.len()].copy_from_slice(bytes);
        self.known[place..][..bytes.len()].fill(true);
    }
}

/// The magic bytes behind the table of high scores.
const WARM_MAGIC: [u8; 5] = [0x12, 0x34, 0x56, 0x78, 0x9A];
/// `PPUCTRL`'s copy: background from `$1000`, and the interrupt.
const PPUCTRL_DARK: u8 = 0x10;
const PPUCTRL_LIT: u8 = 0x90;
/// `PPUMASK`'s copy: nothing, all.
const PPUMASK_DARK: u8 = 0x00;
const PPUMASK_LIT: u8 = 0x1E;
/// What the sound engine is told in a pause.
const AUDIO_PAUSED: u8 = 5;
/// Frames of a pause between two notes of its chime, and the frame from which there are no more.
const CHIME_FRAMES: u8 = 4;
const CHIME_END: u8 = 18;

impl Game<'_> {
    /// What the machine's RAM holds after this frame.
    pub fn memory(&self) -> Memory {
        let mut memory = Memory { bytes: [0; 0x800], known: [false; 0x800], left_out: 0 };
        let [lfsr_high, lfsr_low] = self.lfsr.to_be_bytes();
        memory.put(ram::LFSR.address, &[lfsr_high, lfsr_low, self.last_piece, self.spawn_count]);
        memory
            .put(ram::VBLANK_DONE.address, &[u8::from(matches!(self.wait, Wait::Dark(..) | Wait::Late(_)))]);
        let plays = self.plays() || self.wait == Wait::Late(Stage::Sound);
        let hand = if plays { &self.player } else { &self.hand };
        memory.put(ram::WORKING_COPY.address, &hand.bytes());
        memory.put(ram::PLAYER_1.address, &self.player.bytes());
        if let Wait::Late(Stage::Copy(left)) = self.wait {
            let left = usize::from(left);
            memory.put(ram::PLAYER_1.address + left as u16, &hand.bytes()[left..]);
        }
        memory.put(ram::PLAYER_2.address, &self.second.bytes());
        memory.put(ram::DIRTY.address, &[self.dirty, 0, 0, self.shared_piece, self.mode_state]);
        match self.wait {
            Wait::LegalSkippable => memory.put(ram::TEMPORARIES.address, &[self.countdown]),
            _ if self.counts_bonus() => {
                memory.put(ram::LEVEL_BONUS.address, &[self.level_bonus, self.height_bonus]);
            }
            _ => {}
        }
        let saved = if plays { self.staged_row() } else { self.saved };
        memory.put(ram::CURSOR.address, &[self.cursor, saved, self.drop_speed]);
        memory.put(ram::FRAME_COUNTER.address, &self.frame_counter.to_le_bytes());
        memory.put(
            ram::PRESSED.address,
            &[
                self.pressed,
                self.held,
                self.active_player,
                0,
                self.field_page,
                self.fast_music,
                0,
                self.garbage_sent,
            ],
        );
        memory.put(
            ram::RENDER_MODE.address,
            &[
                self.render_mode,
                u8::from(self.is_set_up()),
                self.next_piece,
                self.mode,
                self.kind,
                self.music_type,
                self.sleep_counter,
            ],
        );
        memory.put(ram::ENDING.address, &self.ending);
        let [pointer_low, pointer_high] = self.demo_pointer.to_le_bytes();
        memory.put(
            ram::DEMO_HELD.address,
            &[
                self.demo_held,
                self.demo_repeats,
                self.demo_recording,
                pointer_low,
                pointer_high,
                self.demo_piece,
            ],
        );
        memory.put(
            ram::NAME_LETTER.address,
            &[self.name_letter, self.name_row, self.name_offset, self.name_symbol],
        );
        memory.put(ram::LINE_COUNTS.address, &self.line_counts);
        memory.put(ram::B_TOTAL.address, &self.b_total);
        memory.put(ram::HIDE_NEXT.address, &[self.hide_next]);
        memory.put(ram::PAD_PRESSED.address, &[self.pad_pressed, 0, self.pad_held, 0]);
        memory.put(ram::STROBE_OFFSET.address, &[0, 0, 0, self.ppumask(), self.ppuctrl()]);
        memory.put(ram::PIECE_COUNTS.address, self.piece_counts.as_flattened());
        memory.put(ram::PLAYFIELD.address, &self.field);
        let mut second_field = [self.field_ground(); 256];
        second_field[..self.second_field.len()].copy_from_slice(&self.second_field);
        memory.put(ram::SECOND_PLAYFIELD.address, &second_field);
        let paused = if self.wait == Wait::Pause { AUDIO_PAUSED } else { 0 };
        let chimes = self.pause_frames.saturating_sub(1).min(CHIME_END) / CHIME_FRAMES;
        memory.put(ram::PAUSE_CHIMES.address, &[chimes]);
        memory.put(ram::AUDIO_PAUSE.address, &[paused]);
        memory.put(
            ram::EFFECT_REQUESTS.address,
            &[self.effect_noise, self.effect_pulse, 0, 0, 0, self.music_request],
        );
        memory.put(ram::HIGH_SCORES.address, &self.high_scores.bytes());
        self.leave_out(&mut memory);
        memory.put(
            ram::WARM_MAGIC.address,
            &if matches!(self.wait, Wait::Boot(_)) { [0; 5] } else { WARM_MAGIC },
        );
        memory
    }

    /// What a late frame ends in the middle of.
    fn leave_out(&self, memory: &mut Memory) {
        const WORKING: u16 = 0x20;
        match self.wait {
            // The digits between two turns of the loop.
            Wait::Late(Stage::Points(_)) => memory.leave_out(ram::SCORE.address - WORKING, 3),
            // The scanline of a cell between two of them.
            Wait::Late(Stage::Sprites) => memory.leave_out(ram::SAVED.address, 1),
            // The byte that is being put back, and the one before it.
            Wait::Late(Stage::Copy(left)) => {
                let first = u16::from(left).saturating_sub(2);
                memory.leave_out(ram::PLAYER_1.address + first, 3);
            }
            Wait::Late(Stage::State(_)) if self.clock.unsettled => {
                memory.leave_out(ram::MODE_STATE.address, 1);
            }
            // The requests that the sound engine forgets when it is done.
            Wait::Late(Stage::Sound) if self.clock.unsettled => {
                memory.leave_out(ram::EFFECT_REQUESTS.address, 6);
            }
            _ => {}
        }
    }

    /// Takes over what `ram` holds, all that the model knows of it. Where the main loop waits stays
    /// as it is, so this is for what a debugger pokes into a game under way.
    pub fn set_memory(&mut self, ram: &[u8; 0x800]) {
        let byte = |place: Variable| ram[place.at()];
        let word = |place: Variable| u16::from_le_bytes([ram[place.at()], ram[place.at() + 1]]);
        self.lfsr = word(ram::LFSR).swap_bytes();
        self.last_piece = byte(ram::LAST_PIECE);
        self.spawn_count = byte(ram::SPAWN_COUNT);
        self.hand = PlayerBlock::from_bytes(&bytes(ram, ram::WORKING_COPY));
        self.player = PlayerBlock::from_bytes(&bytes(ram, ram::PLAYER_1));
        self.second = Second::from_bytes(&bytes(ram, ram::PLAYER_2));
        self.dirty = byte(ram::DIRTY);
        self.shared_piece = ram[ram::SHARED_PIECE.at() + 2];
        self.mode_state = byte(ram::MODE_STATE);
        match self.wait {
            Wait::LegalSkippable => self.countdown = byte(ram::TEMPORARIES),
            _ if self.counts_bonus() => {
                [self.level_bonus, self.height_bonus] = [byte(ram::LEVEL_BONUS), byte(ram::HEIGHT_BONUS)];
            }
            _ => {}
        }
        self.cursor = byte(ram::CURSOR);
        self.saved = byte(ram::SAVED);
        self.drop_speed = byte(ram::DROP_SPEED);
        self.frame_counter = word(ram::FRAME_COUNTER);
        self.pressed = byte(ram::PRESSED);
        self.held = byte(ram::HELD);
        self.active_player = byte(ram::ACTIVE_PLAYER);
        self.field_page = (word(ram::FIELD_POINTER) >> 8) as u8;
        self.fast_music = byte(ram::FAST_MUSIC);
        self.garbage_sent = ram[ram::PENDING_GARBAGE.at() + 1];
        self.render_mode = byte(ram::RENDER_MODE);
        self.next_piece = byte(ram::NEXT_PIECE);
        self.mode = byte(ram::GAME_MODE);
        self.kind = byte(ram::GAME_TYPE);
        self.music_type = byte(ram::MUSIC_TYPE);
        self.sleep_counter = byte(ram::SLEEP_COUNTER);
        self.ending = bytes(ram, ram::ENDING);
        self.demo_held = byte(ram::DEMO_HELD);
        self.demo_repeats = byte(ram::DEMO_REPEATS);
        self.demo_recording = byte(ram::DEMO_RECORDING);
        self.demo_pointer = word(ram::DEMO_POINTER);
        self.demo_piece = byte(ram::DEMO_PIECE);
        self.name_letter = byte(ram::NAME_LETTER);
        self.name_row = byte(ram::NAME_ROW);
        self.name_offset = byte(ram::NAME_OFFSET);
        self.name_symbol = byte(ram::NAME_SYMBOL);
        self.line_counts = bytes(ram, ram::LINE_COUNTS);
        self.b_total = bytes(ram, ram::B_TOTAL);
        self.hide_next = byte(ram::HIDE_NEXT);
        self.pad_pressed = byte(ram::PAD_PRESSED);
        self.pad_held = byte(ram::PAD_HELD);
        self.piece_counts.as_flattened_mut().copy_from_slice(&ram[ram::PIECE_COUNTS.range()]);
        self.field = bytes(ram, ram::PLAYFIELD);
        self.second_field = bytes(ram, ram::SECOND_PLAYFIELD);
        self.effect_noise = ram[ram::EFFECT_REQUESTS.at()];
        self.effect_pulse = ram[ram::EFFECT_REQUESTS.at() + 1];
        self.music_request = byte(ram::MUSIC_REQUEST);
        self.high_scores = HighScores::from_bytes(&bytes(ram, ram::HIGH_SCORES));
    }

    /// Has the first screen been drawn after a reset, the blank one? The game is set up then.
    fn is_set_up(&self) -> bool {
        !matches!(
            self.wait,
            Wait::Boot(_)
                | Wait::ToDark(Screen::Blank)
                | Wait::Dark(Screen::Blank, _)
                | Wait::ToLit(Screen::Blank, _)
        )
    }

    /// What the second player's field holds from its second row on.
    fn field_ground(&self) -> u8 {
        match self.wait {
            Wait::Boot(_) | Wait::ToDark(Screen::Blank) | Wait::Dark(Screen::Blank, _) => 0,
            _ => EMPTY,
        }
    }

    /// Is the B-type's bonus where its ending keeps it?
    fn counts_bonus(&self) -> bool {
        let sleeps = matches!(
            self.wait,
            Wait::Sleep(
                Sleep::Score
                    | Sleep::LevelBonus
                    | Sleep::LevelStep
                    | Sleep::HeightBonus
                    | Sleep::HeightStep
                    | Sleep::Counted
            )
        );
        sleeps || self.wait == Wait::EndingB
    }

    fn ppuctrl(&self) -> u8 {
        match self.wait {
            Wait::Boot(_) => 0,
            Wait::Dark(..) => PPUCTRL_DARK,
            _ => PPUCTRL_LIT,
        }
    }

    fn ppumask(&self) -> u8 {
        match self.wait {
            Wait::Boot(_) | Wait::Dark(..) | Wait::ToLit(_, 1..) | Wait::ToDark(Screen::Blank) => {
                PPUMASK_DARK
            }
            _ => PPUMASK_LIT,
        }
    }
}

/// The bytes of a place of `N` bytes.
fn bytes<const N: usize>(ram: &[u8; 0x800], place: Variable) -> [u8; N] {
    std::array::from_fn(|index| ram[place.at() + index])
}
