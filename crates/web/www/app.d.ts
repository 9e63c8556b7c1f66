// What the parts of the page share, for the type checker alone.

/** The state of the machine, as `Machine::status` of the crate `web` writes it. */
export interface Status {
  name: string;
  known: string | null;
  board: string;
  crc32: string;
  checksum: string;
  battery: boolean;
  frame: number;
  rewind: number;
  region: string;
  computer: boolean;
  movie: [number, number] | null;
  held: number;
  held2: number;
  viewer?: { frame: number; length: number };
  versus?: { playing: boolean; outcome: string; lines: [number, number]; sent: [number, number] } | null;
  race?: { lines: number; score: number; over: boolean } | null;
  thought?: Thought | null;
  game?: Game;
  match: MatchStatus | null;
  recording: { kind: string; seconds: number; over: boolean } | null;
}

/** How a player of a match stands. */
export interface Standing {
  score: number;
  lines: number;
  out: boolean;
}

/** A match over the network, as the machine says that it stands. */
export interface MatchStatus {
  role: 'host' | 'guest' | 'watcher';
  own: number;
  text: string;
  waiting: boolean;
  entered: boolean;
  code: string | null;
  watch_code: string | null;
  watchers: number;
  names: [string, string];
  wins: [number, number] | null;
  best_of: number | null;
  kind: string | null;
  level: number | null;
  stage: 'ready' | 'countdown' | 'playing' | 'over' | null;
  standings: [Standing, Standing] | null;
  results: { winner: number | null; scores: [number, number]; lines: [number, number] }[];
  guessed: number;
  rollbacks: number;
  begun: number;
  over: string | null;
}

export interface Game {
  serial: number;
  mode: string;
  options: string;
  practice: boolean;
  playing: boolean;
  over: boolean;
  outcome: string;
  score: number;
  level: number;
  startLevel: number;
  lines: number;
  piece: string | null;
  next: string | null;
  undo: number;
  marks: number;
  texts: { slot: string; text: string; tone: string }[];
  statistics: Record<string, any>;
  stack: { height: number; holes: number; ready: number; well: number; covered: number | null; rows: number[] } | null;
  odds: number[] | null;
  das: number[];
  taps: { hertz: number; side: number } | null;
}

export interface Thought {
  piece: string;
  unit: string;
  candidates: { place: string; cells: number[][]; value: number; cleared: number }[];
  odds: number[] | null;
  points: number | null;
  misdrop: boolean;
  waits: boolean;
}

export interface SoundState {
  waiting: number;
  missing: number;
  sounding: boolean;
  shared: boolean;
  frames: number;
}

export interface App {
  ask(name: string, ...args: any[]): Promise<any>;
  /** Does something that may fail, and tells the player why. */
  attempt(work: () => any): Promise<any>;
  /** Tells the player something for a while. */
  say(text: string, how?: { bad?: boolean; act?: string; work?: () => any; stays?: boolean }): void;
  go(page: string): void;
  readonly page: string;
  readonly status: Status | null;
  settings: Record<string, any>;
  remember(): void;
  /** Loads the nets, once. */
  nets(): Promise<void>;
  /** Begins a practice game at once. */
  play(wanted: Record<string, string>): Promise<void>;
  /** Looks at a kept game or a movie. */
  watch(name: string, bytes: Uint8Array): Promise<boolean>;
  review(name: string, bytes: Uint8Array): Promise<void>;
  race(name: string, bytes: Uint8Array): Promise<void>;
  ready(text: string, work: () => any): void;
  /** Fills the list of matches. */
  matches(): Promise<void>;
  copy(link: string): Promise<void>;
  click(id: string, work: () => any): void;
  machine: import('./worker.js').Machine;
}
