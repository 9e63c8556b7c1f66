// The lines of a Maxout stream. Made from the structs that are sent: see docs/events.md.

/** A line of a stream: one of these, told apart by `event`. */
export type AnyLine = (Line | Hello | Match | Notice);

/** What a stream adds to the events of a game. */
export type Added = (State & {
  event: "state";
} | Figures & {
  event: "statistics";
} | {
  event: "seek";
  /** The frame that was shown before. */
  from: number;
});

/** How often each piece came. */
export type Counts = {
  I: number;
  J: number;
  L: number;
  O: number;
  S: number;
  T: number;
  Z: number;
};

/** How a crash shows itself. */
export type CrashKind = ("jammed" | "jump" | "no_return" | "impossible");

/** What happened. Rows and columns are counted from 0 at the top left. */
export type Event = ({
  event: "mode";
  /** The one before. */
  from: Mode;
  /** The one now. */
  to: Mode;
} | {
  /** Is it the demo, whose pieces are recorded? */
  demo: boolean;
  event: "game_start";
  /** The frame counter modulo 4, which the line clears keep to. */
  frame_phase: number;
  /** A-type or B-type. */
  game_type: GameType;
  /** The random number register. */
  lfsr: number;
  /** 0–2 the tunes, 3 silence. */
  music: number;
  /** Pieces picked since reset, modulo 256. */
  spawn_count: number;
  /** Height of the B-type's garbage, 0–5. */
  start_height: number;
  /** The level, 0–19 by the menu. */
  start_level: number;
} | {
  event: "input";
  /** Held now, in the pad's order of bits. */
  held: number;
  /** Newly pressed. */
  pressed: number;
} | {
  /** The shift counter it starts with, 0–16. */
  das: number;
  /** Pieces since the last I before this one; 0 for an I. */
  drought: number;
  event: "spawn";
  /** The random number register after the pick. */
  lfsr: number;
  /** The next. */
  next: Letter;
  /** Counted from 1 in this game. */
  number: number;
  /** The piece in play. */
  piece: Letter;
} | {
  /** By itself, the direction being held, and not by a new press. */
  auto: boolean;
  /** Column of its pivot. */
  column: number;
  /** -1 left, 1 right. */
  direction: number;
  event: "shift";
} | {
  /** A's way and not B's. */
  clockwise: boolean;
  event: "rotate";
  /** The game's number for its orientation. */
  orientation: number;
} | {
  event: "drop";
  /** Row of its pivot. */
  row: number;
  /** By Down and not by gravity. */
  soft: boolean;
} | {
  /** Column of its pivot. */
  column: number;
  event: "lock";
  /** The game's number for its orientation. */
  orientation: number;
  /** The piece. */
  piece: Letter;
  /** Row of its pivot. */
  row: number;
  /** Rows of the soft drop that ended here. */
  soft_rows: number;
} | {
  /** How many. */
  count: number;
  event: "clear";
  /** Which, from the top. Row 0 does not note itself. */
  rows: number[];
} | {
  event: "score";
  /** The points won. */
  points: number;
  /** The score now. */
  score: number;
} | {
  event: "lines";
  /** Lines now. */
  lines: number;
} | {
  event: "level";
  /** The level now. */
  level: number;
} | {
  event: "top_out";
  /** Row of its pivot. */
  row: number;
} | {
  event: "game_over";
  /** Was the goal reached? */
  goal: boolean;
  /** The level. */
  level: number;
  /** The lines. */
  lines: number;
  /** The score. */
  score: number;
} | {
  event: "pause";
  /** Paused? */
  on: boolean;
} | {
  event: "next_box";
  /** Hidden? */
  hidden: boolean;
} | {
  event: "fast_music";
  /** Fast? */
  on: boolean;
} | {
  event: "ending";
  /** A-type or B-type. */
  game_type: GameType;
} | {
  event: "high_score";
  /** The level. */
  level: number;
  /** 0–2. */
  place: number;
  /** The score. */
  score: number;
} | {
  event: "reset";
} | {
  event: "lag";
} | {
  /** How it showed itself. */
  cause: CrashKind;
  event: "crash";
  /** The jump through a table that went wild, if one was seen. */
  jump?: (Jump | null);
  /** The level that RAM holds. */
  level: number;
  /** The program counter at the end of the frame. */
  pc: number;
});

/** The figures of a game so far. */
export type Figures = {
  /** BRN: lines cleared since the last tetris, 0 right after one. */
  burn: number;
  /** Lines of the whole game cleared other than by tetrises. */
  burns: number;
  /** Clears of one, two, three and four lines. */
  clears: [number, number, number, number];
  /** Was the game seen from its first piece on? If not, all of this counts from where it was seen. */
  complete: boolean;
  /** Pieces in whose time the counter of the auto shift was 0, the one in play included. */
  das_losses: number;
  /** Mean counter of the auto shift when a piece came in, 0 to 16 frames; `null` if the game was not seen from its beginning. */
  das_mean: (number | null);
  /** DHT: pieces since the last I. */
  drought: number;
  /** Droughts of 13 pieces and more. */
  droughts: number;
  /** EFF: mean points a line without the level, 40 to 300; `null` before the first line. */
  efficiency: (number | null);
  /** Lines cleared. */
  lines: number;
  /** The longest time without an I, in pieces. */
  longest_drought: number;
  /** Pieces that locked. */
  pieces: number;
  /** Points: the score with that times EFF / 300; `null` before the first line, too. */
  projection: (number | null);
  /** Points: the score with the best that is possible until level 29, or 39 after that; `null` if the game was not seen whole, is of the B-type, or began at a level that the menu does not have. */
  runway: (number | null);
  /** The score with the best that is possible until each of three levels. */
  runways: Runways;
  /** TRT: lines by tetrises of all lines, in per cent, 0 to 100; `null` before the first line. */
  tetris_rate: (number | null);
  /** TRNS: the score when the start level was left; `null` until then, and if that was not seen. */
  transition: (number | null);
};

/** The two kinds of games. */
export type GameType = ("A" | "B");

/** A jump through a table that an interrupt has sent elsewhere. */
export type Jump = {
  /** Address of the jump. */
  from: number;
  /** Where it was to lead. */
  meant: number;
  /** Where it led. */
  went: number;
};

/** A piece by its letter; `?` where RAM has no piece. */
export type Letter = string;

/** A line of a player's game. */
export type Line = (Event | Added) & {
  /** Frames since power-on, as the console counts them. */
  frame: number;
  /** The same in milliseconds. */
  ms: number;
  /** Which player, from 1. */
  player: number;
};

/** Where the game is. */
export type Mode = ("legal" | "title" | "type_menu" | "level_menu" | "game" | "demo" | "start_demo" | "unknown");

/** A line about the stream itself. */
export type Notice = ({
  event: "dropped";
  lines: number;
} | {
  event: "error";
  message: string;
} | {
  event: "end";
});

/** What the game is at. */
export type Phase = ("none" | "active" | "lock" | "clear" | "count" | "curtain" | "ended");

/** A player, as the first line says. */
export type Player = {
  /** The cartridge's name, as its profile has it. */
  cartridge: string;
  /** What to call them; empty if they have no name. */
  name: string;
  /** From 1. */
  player: number;
  /** Frames a second of the console: [`RATE`] or [`PAL_RATE`]. */
  rate: number;
};

/** The score with the best that is possible until a level comes; none where it has come, or where [`Figures::runway`] has none. */
export type Runways = {
  /** Until level 19. */
  "19": (number | null);
  /** Until level 29. */
  "29": (number | null);
  /** Until level 39. */
  "39": (number | null);
};

/** Everything that an overlay shows. */
export type State = {
  /** Row and column of its cells within the field. */
  cells: [number, number][];
  /** How often each piece came. */
  counts: Counts;
  /** The counter of the auto shift, 0–16, now and when the piece came in. */
  das: number;
  /** Twenty rows of ten cells as the player sees them, without the piece in play: `.` free, `1` the tile of T, O and I, `2` that of J and S, `3` that of Z and L, `#` another, as the curtain's. */
  field: string[];
  /** A-type or B-type. */
  game_type: GameType;
  /** Buttons held: A 128, B 64, Select 32, Start 16, Up 8, Down 4, Left 2, Right 1. */
  held: number;
  /** The level. */
  level: number;
  /** The lines. */
  lines: number;
  /** The screen. */
  mode: Mode;
  /** The next piece. */
  next: Letter;
  /** Has Select hidden it? */
  next_hidden: boolean;
  /** The game's number for its orientation, 0–18. */
  orientation: (number | null);
  /** Is the game paused? */
  paused: boolean;
  /** What the game is at. */
  phase: Phase;
  /** The piece in play; `?` while none is shown. */
  piece: Letter;
  /** The score. */
  score: number;
  /** See `das`; `null` if it was not seen. */
  spawn_das: (number | null);
  /** The level of the start. */
  start_level: number;
};

/** The first line. */
export type Hello = {
  /** Who plays. */
  players: Player[];
  /** `maxout`. */
  program: string;
  /** Frames a second of the first player's console. */
  rate: number;
  /** [`SCHEMA`]. */
  schema: number;
  /** Its version. */
  version: string;
};

/** A match, as its host sets it while it goes on. Overlays show it. */
export type Match = {
  /** The match is the best of so many games; `null` if it is not known. */
  best_of: (number | null);
  /** Names that go before those of `hello`, the first player's first; empty where that holds. */
  names: string[];
  /** The layout that pages with `layout=scene` show: `one`, `two`, `stats` or `commentator`; `null` for their usual one. */
  scene: (string | null);
  /** The number of the player who has won the match, from 1; `null` while it is open. */
  winner: (number | null);
  /** Games that each player has won. */
  wins: number[];
};

