// @ts-check
// Every game is kept while it is played, and the moment that it has come to, so that a reload or a closed tab loses
// nothing. What is kept when is decided here, apart from the browser's storage.

/** Milliseconds between two writings of a game. */
const EVERY = 1000;
/** Pieces from which on a game is kept. */
const PIECES = 2;
/** Games that are kept; the oldest ones go. */
export const MOST = 1000;

/**
 * What is listed of a game. @typedef {{ id: string, bytes: Uint8Array, name: string, crc32: string, mode: string, options: string,
 * score: number, lines: number, level: number, startLevel: number, pieces: number, rate: number | null, when: number,
 * over: boolean, computer: boolean, rows: number[] }} Kept
 */

/** Returns what is listed of the current game. @param {string} id @param {import('./app.js').Status} status @returns {Omit<Kept, 'bytes'>} */
export function listed(id, status, when = Date.now(), computer = status.computer) {
  const { game } = status;
  if (!game) throw new Error('no game is running');
  return {
    id, name: status.name, crc32: status.crc32, mode: game.mode, options: game.options, score: game.score, lines: game.lines,
    level: game.level, startLevel: game.startLevel, pieces: game.statistics.pieces, rate: game.statistics.tetris_rate, when,
    over: game.over, computer, rows: game.stack?.rows ?? [],
  };
}

export class Keeper {
  /** @param {{ file: () => Promise<Uint8Array>, state: () => Promise<Uint8Array>, write: (game: Kept, state: Uint8Array) => Promise<void> }} sources @param {string} session a word by which games of this page differ from those of others */
  constructor(sources, session) {
    this.sources = sources;
    this.session = session;
    this.last = 0;
    this.busy = false;
    /** Serial number of a game whose end is written. */
    this.ended = -1;
    /** A game that goes on from a kept moment, and its frame there: it counts its pieces from there, and is kept as soon as it is played on. */
    this.resumed = { serial: -1, frame: 0 };
    /** The serial number of a game in which the computer has played. */
    this.computer = -1;
  }

  /** Is there something to be kept? @param {import('./app.js').Status} status */
  wants({ game, viewer, movie, frame }) {
    const { resumed } = this;
    const begun = game && (game.statistics.pieces >= PIECES || (game.serial === resumed.serial && frame > resumed.frame));
    return Boolean(game && begun && !viewer && !movie && (game.playing || game.over) && game.serial !== this.ended);
  }

  /** Looks at a status. @param {import('./app.js').Status} status @param {number} now @param {boolean} [at_once] */
  async look(status, now, at_once = false) {
    const { game } = status;
    if (game && status.computer) this.computer = game.serial;
    if (!game || !this.wants(status) || this.busy || (!at_once && !game.over && now - this.last < EVERY)) return false;
    this.busy = true;
    this.last = now;
    try {
      const [bytes, state] = [await this.sources.file(), await this.sources.state()];
      const kept = listed(`${this.session}-${String(game.serial).padStart(6, '0')}`, status, Date.now(), this.computer === game.serial);
      await this.sources.write({ ...kept, bytes }, state);
      if (game.over) this.ended = game.serial;
      else this.ended = -1;
      return true;
    } finally {
      this.busy = false;
    }
  }
}
