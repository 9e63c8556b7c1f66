//! The judge that asks nets, and looks at the next piece too, or at the next two.

use tetris::{Piece, Playfield};

use crate::decide::{Child, Decider, Judge, NOT_LOOKED_AT, SHARES, Seen, Worth, counted, mean};
use crate::format::{Format, Speed};
use crate::guided::Guided;

/// All pieces, as bits by number.
const EVERY_PIECE: u8 = 0x7F;

/// Rates the boards that look best by the whole decision about each next piece.
#[derive(Clone, Debug)]
pub struct NetAhead {
    format: Format,
    judge: Guided,
    breadth: usize,
    narrow: usize,
    /// Decides about the next piece; none where it is not looked at.
    next: Option<Box<(Decider, Self)>>,
    deciding: Speed,
    /// The next pieces that may come, as bits.
    possible: u8,
    order: Vec<(f32, usize)>,
    /// By board, the next pieces that are looked at, as bits.
    chosen: Vec<u8>,
    remembers: bool,
    seen: Vec<Seen>,
    /// By board and next piece, where the next piece is looked at.
    odds: Vec<Worth>,
}

impl NetAhead {
    /// Looks at so many boards of a decision, where it has premoves at half as many more for each
    /// next piece, and so on with the decisions about the next pieces: a breadth for each piece
    /// that is looked at. Boards that it does not look at are [`NOT_LOOKED_AT`].
    ///
    /// Where two pieces are looked at, it may first look at one, and at the second for the `narrow`
    /// boards alone that are then the best; where that is 0, for all of them.
    pub fn new(format: &Format, guided: Guided, breadths: &[usize], narrow: usize) -> Self {
        let breadth = breadths.first().copied().unwrap_or(0);
        let next = (breadth > 0)
            .then(|| Box::new((Decider::new(format), Self::new(format, guided.clone(), &breadths[1..], 0))));
        Self {
            format: *format,
            judge: guided,
            breadth,
            narrow,
            next,
            deciding: Speed::L18,
            possible: EVERY_PIECE,
            order: Vec::new(),
            chosen: Vec::new(),
            remembers: false,
            seen: Vec::new(),
            odds: Vec::new(),
        }
    }

    /// The same, that remembers what each decision looked at.
    #[must_use]
    pub fn remembering(self) -> Self {
        Self { remembers: true, ..self }
    }

    /// The next piece is known from now on, so that boards are worth something by that alone;
    /// `None` is any piece, as in the beginning.
    pub(crate) fn know(&mut self, next: Option<Piece>) {
        self.possible = next.map_or(EVERY_PIECE, |next| 1 << next as u8);
    }

    /// Marks the best boards by some measure, of equals the first.
    fn choose(&mut self, count: usize, lanes: u8, worths: &[Worth], of: impl Fn(&Worth) -> f32) {
        self.order.clear();
        self.order
            .extend(worths.iter().enumerate().map(|(number, worth)| (of(&counted(worth, 0.0)), number)));
        self.order.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        for &(_, number) in self.order.iter().take(count) {
            self.chosen[number] |= lanes;
        }
    }

    /// Rates so many boards by what is decided about each next piece.
    fn look(&mut self, breadth: usize, next: &mut (Decider, Self), boards: Boards<'_>) {
        let Boards { piece, premoves, children, worths } = boards;
        self.chosen.clear();
        self.chosen.resize(children.len(), 0);
        self.choose(breadth, EVERY_PIECE, worths, |worth| mean(worth, &SHARES[piece as usize]));
        // Without premoves a board serves every next piece, or none.
        if premoves {
            for next in 0..7 {
                self.choose(breadth.div_ceil(2), 1 << next, worths, |worth| worth[next]);
            }
        }
        let (decider, judge) = next;
        let stake = self.judge.stake_at(self.deciding);
        for (number, (child, worth)) in children.iter().zip(worths).enumerate() {
            if child.lines >= self.format.lines {
                continue;
            }
            let of_lock = self.judge.of_lock(child);
            let speed = self.format.speed(child.lines);
            for next in Piece::ALL {
                let (worth, odds) = (&mut worth[next as usize], &mut self.odds[number][next as usize]);
                (*worth, *odds) = (NOT_LOOKED_AT, 0.0);
                if self.chosen[number] & self.possible & 1 << next as u8 == 0 {
                    continue;
                }
                let choice = decider.decide(judge, &child.board, child.lines, next);
                let (points, of_choice) = choice.map_or((0.0, 0.0), |choice| (choice.points, choice.odds));
                // A board of the next speed has reached the end of this one.
                *odds =
                    if speed == self.deciding { of_choice } else { f32::from(u8::from(choice.is_some())) };
                *worth = of_lock + self.judge.counted(self.deciding, speed) * points + stake * *odds;
                if self.remembers {
                    let (board, lines) = (child.board, child.lines);
                    self.seen.push(Seen { board, lines, piece: next, value: points, odds: of_choice });
                }
            }
        }
    }
}

/// The boards of a decision.
struct Boards<'a> {
    piece: Piece,
    premoves: bool,
    children: &'a [Child],
    worths: &'a mut [Worth],
}

impl Judge for NetAhead {
    fn begin(&mut self, board: &Playfield, lines: u32) {
        self.deciding = self.format.speed(lines);
        self.judge.begin(board, lines);
    }

    #[inline]
    fn rate(&mut self, child: &Child) -> Worth {
        self.judge.rate(child)
    }

    fn rate_all(&mut self, children: &[Child], worths: &mut Vec<Worth>) {
        self.judge.rate_all(children, worths);
    }

    fn look_ahead(&mut self, piece: Piece, premoves: bool, children: &[Child], worths: &mut [Worth]) {
        self.judge.look_ahead(piece, premoves, children, worths);
        self.seen.clear();
        let Some(mut next) = self.next.take() else { return };
        self.odds.clear();
        self.odds.extend(self.judge.odds());
        if self.narrow > 0
            && let Some(further) = next.1.next.take()
        {
            self.look(self.breadth, &mut next, Boards { piece, premoves, children, worths });
            next.1.next = Some(further);
            self.look(self.narrow, &mut next, Boards { piece, premoves, children, worths });
        } else {
            self.look(self.breadth, &mut next, Boards { piece, premoves, children, worths });
        }
        self.next = Some(next);
    }

    fn seen(&self) -> &[Seen] {
        &self.seen
    }

    fn odds(&self) -> &[Worth] {
        if self.next.is_some() { &self.odds } else { self.judge.odds() }
    }

    fn stake(&self) -> f32 {
        self.judge.stake()
    }
}
