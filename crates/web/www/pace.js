// @ts-check
// How many frames of the game run at a tick of the display. A display whose rate is within 0.5 % of the console's, or of a
// multiple of it, shows each frame for the same number of ticks, and the sound follows by resampling. On other displays,
// and in hidden tabs, the clock decides.

/** How far display and console may differ to go in step, and how far the sound follows. */
export const TOLERANCE = 0.005;
/** Intervals from which the display's period is computed. */
const INTERVALS = 600;
/** Intervals after which it is computed first, and again. */
const EVERY = 20;
/** Milliseconds after which a tick is no longer late: the page was not shown. */
const GONE = 250;
/** Frames that may be late without sound before one runs that is not shown. */
const SLACK = 3;
/** Most frames of a tick at normal speed. */
const AT_ONCE = 4;
/** Share of the target below which one frame more runs, and above which one fewer does. */
const LOW = 0.25, HIGH = 2.2;
/** The sound follows with all of the tolerance where its queue differs from the target by one part in so many. */
const GAIN = 7;
/** Ticks in a row with a waiting picture after which one frame fewer runs. */
const BEHIND = 45;

/** @typedef {{ rate: number, speed: number, shown: boolean, sounding: boolean, fill: number, target: number, behind: number }} Now
 * `rate` is in frames a second, `fill` and `target` are samples of the sound's queue, `behind` is the number of pictures
 * that wait to be drawn; `shown` is false where the ticks are a timer's. */

/** Ticks of an interval: one that is merely late is one. @param {number} interval @param {number} period */
const ticksIn = (interval, period) => (interval < 1.75 * period ? 1 : Math.round(interval / period));

export class Pace {
  constructor() {
    /** @type {number[]} */
    this.intervals = [];
    this.next = 0;
    /** Milliseconds of a tick of the display; 0 while it is not known. */
    this.period = 0;
    this.inStep = false;
    /** Intervals of the last few that are far from the period. */
    this.foreign = 0;
    /** @type {number | null} */
    this.last = null;
    /** Frames that are due. */
    this.owed = 0;
    /** Mean of the sound's queue, in samples. */
    this.mean = 0;
    this.behind = 0;
  }

  /** Begins anew after a pause: nothing is late. */
  rest() {
    this.last = null;
    this.owed = 0;
    this.behind = 0;
  }

  /** Takes the interval to the last tick, in milliseconds. @param {number} interval */
  measure(interval) {
    // Another display: what was measured holds no more.
    if (this.period > 0 && this.next % EVERY === 0 && this.foreign > EVERY / 2) this.intervals.length = this.next = 0;
    if (this.next % EVERY === 0) this.foreign = 0;
    if (Math.abs(interval / this.period - 1) > 0.3) this.foreign++;
    this.intervals[this.next % INTERVALS] = interval;
    this.next++;
    if (this.next % EVERY !== 0) return;
    const median = [...this.intervals].sort((one, other) => one - other)[this.intervals.length >> 1];
    if (median <= 0) return;
    let ticks = 0;
    let span = 0;
    for (const each of this.intervals) {
      ticks += ticksIn(each, median);
      span += each;
    }
    this.period = span / ticks;
  }

  /** Returns the frames a tick where display and game go in step; 0 where they do not. @param {Now} now */
  step({ rate, speed, shown }) {
    if (!shown || this.period === 0) return 0;
    const frames = (rate * speed * this.period) / 1000;
    const near = frames >= 1 ? Math.round(frames) : 1 / Math.round(1 / frames);
    // The period is measured: what goes in step stays so where the measure sways.
    this.inStep = Math.abs(frames / near - 1) <= (this.inStep ? 2 * TOLERANCE : TOLERANCE);
    return this.inStep ? near : 0;
  }

  /** Takes a tick at a time in milliseconds. Returns the frames to run. @param {number} at @param {Now} now */
  tick(at, now) {
    const { rate, speed, shown, sounding, fill, target } = now;
    const interval = this.last === null ? 0 : at - this.last;
    this.last = at;
    if (this.mean === 0 || !sounding) this.mean = sounding ? fill : 0;
    else this.mean += 0.05 * (fill - this.mean);
    if (interval > GONE) {
      this.owed = 0;
      return 1;
    }
    if (interval <= 0) return 0;
    if (shown) this.measure(interval);
    const step = this.step(now);
    const usual = Math.max(1, Math.ceil(step || speed));
    const most = AT_ONCE * usual;
    if (step > 0) this.owed += step * ticksIn(interval, this.period);
    else this.owed += (interval * rate * speed) / 1000;
    // Sums of thirds come to a whole.
    let frames = Math.floor(this.owed + 1e-6);
    if (step > 0 && frames > usual) {
      // Ticks were missed. The queue of sound bears it; without sound a few frames are made up for by 0.5 %.
      frames = sounding || this.owed < usual + SLACK ? usual : usual + 1;
    }
    frames = Math.min(frames, most);
    this.owed -= frames;
    if (this.owed > 0 && step > 0) this.owed = sounding ? this.owed % 1 : Math.max(this.owed % 1, this.owed - TOLERANCE * usual);
    if (this.owed > most) this.owed = 0;
    if (sounding && fill < LOW * target) frames = Math.min(frames + 1, most);
    else if (sounding && frames > 0 && fill > HIGH * target) frames--;
    this.behind = now.behind > 0 ? this.behind + 1 : 0;
    if (this.behind > BEHIND && frames > 0 && (!sounding || fill > 0.7 * target)) {
      this.behind = 0;
      frames--;
    }
    return frames;
  }

  /** Input samples per output sample, so that the sound's queue stays at its target. @param {Now} now */
  ratio({ speed, sounding, target }) {
    if (!sounding || target <= 0 || this.mean === 0) return speed;
    const wanted = (GAIN * TOLERANCE * (this.mean - target)) / target;
    return speed * (1 + Math.max(-TOLERANCE, Math.min(TOLERANCE, wanted)));
  }
}
