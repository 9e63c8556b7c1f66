// @ts-check
// When a picture is drawn: at once where the display's next refresh has none yet, else at a later one, so that none is
// replaced before it was seen.

/** Pictures that wait at most. */
const MOST = 2;

/** @template T */
export class Screen {
  /** @param {(picture: T) => void} put draws a picture @param {(picture: T) => void} back gives its buffer back */
  constructor(put, back) {
    this.put = put;
    this.back = back;
    /** Has the next refresh its picture? */
    this.filled = false;
    /** @type {T[]} */
    this.waiting = [];
    /** Pictures that a refresh has shown, and pictures that none will. */
    this.shown = 0;
    this.passed = 0;
    /** Are there ticks? Without, a picture is drawn when it comes. */
    this.ticking = false;
  }

  /** @param {T} picture */
  draw(picture) {
    this.put(picture);
    this.back(picture);
    this.filled = true;
  }

  /** Takes a picture from the machine. @param {T} picture */
  arrive(picture) {
    if (!this.ticking) {
      while (this.waiting.length > 0) this.drop();
      this.draw(picture);
      return;
    }
    if (!this.filled && this.waiting.length === 0) {
      this.draw(picture);
      return;
    }
    this.waiting.push(picture);
    if (this.waiting.length > MOST) this.drop();
  }

  /** The display refreshes now. Returns how many pictures wait. */
  tick() {
    if (!this.filled) {
      const first = this.waiting.shift();
      if (first !== undefined) this.draw(first);
    }
    if (this.filled) this.shown++;
    this.filled = false;
    return this.waiting.length;
  }

  drop() {
    const oldest = this.waiting.shift();
    if (oldest === undefined) return;
    this.passed++;
    this.back(oldest);
  }
}
