// @ts-check
// The worker's end of the sound's queue: how much waits, what was missing, and samples for the loudspeaker.

import { MISSING, READ, RESTS, SIZE, WRITTEN, between } from './queue.js';
import { Resampler } from './resample.js';

/** Seconds of sound that wait before the loudspeaker, at first and at most. */
const LEAST = 0.05, MOST = 0.15;
/** Milliseconds without a sample taken after which nobody listens. */
const STALLED = 250;

export class Sink {
  constructor() {
    /** @type {Int32Array | null} */
    this.counts = null;
    /** @type {Float32Array | null} */
    this.samples = null;
    /** @type {MessagePort | null} */
    this.port = null;
    this.shared = false;
    this.rate = 48000;
    /** Samples that are to wait. */
    this.target = 0;
    this.missing = 0;
    this.read = 0;
    this.movedAt = 0;
    this.sounding = false;
    this.muted = false;
    this.resampler = new Resampler();
  }

  /**
   * Takes a loudspeaker. @param {number} rate @param {Int32Array} counts @param {Float32Array | null} samples
   * shared memory, if there is any @param {MessagePort | null} port @param {number} now
   */
  connect(rate, counts, samples, port, now) {
    this.counts = counts;
    this.samples = samples;
    this.port = port;
    this.shared = samples !== null;
    this.rate = rate;
    this.target = Math.round(LEAST * rate);
    this.missing = Atomics.load(counts, MISSING);
    this.read = Atomics.load(counts, READ);
    this.movedAt = now;
    this.write(new Float32Array(this.target));
    if (port && !this.shared) {
      port.onmessage = ({ data: [read, missing] }) => {
        counts[READ] = read;
        counts[MISSING] = missing;
      };
    }
  }

  /** Samples that wait. By messages, what was taken since the last one is estimated. @param {number} now */
  waiting(now) {
    const { counts } = this;
    if (!counts) return 0;
    const waiting = between(Atomics.load(counts, WRITTEN), Atomics.load(counts, READ));
    if (this.shared) return waiting;
    return Math.max(0, waiting - Math.min(now - this.movedAt, STALLED) * 0.001 * this.rate);
  }

  /** Looks at the queue. Returns whether the loudspeaker takes samples. @param {number} now */
  look(now) {
    const { counts } = this;
    if (!counts) return false;
    const read = Atomics.load(counts, READ);
    if (read !== this.read) {
      this.read = read;
      this.movedAt = now;
    }
    const missing = Atomics.load(counts, MISSING);
    if (missing !== this.missing) {
      // It ran dry: more is to wait from now on, and silence fills the queue at once.
      this.missing = missing;
      this.target = Math.round(Math.min(this.target * 1.25, MOST * this.rate));
      this.write(new Float32Array(Math.max(0, Math.round(this.target - this.waiting(now)))));
    }
    this.sounding = now - this.movedAt < STALLED;
    return this.sounding;
  }

  /** Tells the loudspeaker whether the machine is paused. @param {boolean} rests @param {number} now */
  rest(rests, now) {
    if (this.shared && this.counts) Atomics.store(this.counts, RESTS, Number(rests));
    else this.port?.postMessage(rests);
    this.movedAt = now;
  }

  /** Sends a frame's sound. @param {Float32Array} made @param {number} step @param {number} now */
  send(made, step, now) {
    // What nobody takes must not be late when somebody does.
    if (!this.counts || this.waiting(now) > 3 * this.target) return;
    const out = this.resampler.push(made, step);
    if (this.muted) out.fill(0);
    this.write(out);
  }

  /** @param {Float32Array} out */
  write(out) {
    const { counts, samples } = this;
    if (!counts || out.length === 0) return;
    let written = Atomics.load(counts, WRITTEN);
    if (samples) {
      const room = SIZE - between(written, Atomics.load(counts, READ));
      for (let from = 0; from < Math.min(out.length, room); from++) {
        samples[written & (SIZE - 1)] = out[from];
        written = (written + 1) | 0;
      }
      Atomics.store(counts, WRITTEN, written);
    } else {
      counts[WRITTEN] = (written + out.length) | 0;
      this.port?.postMessage(out.slice());
    }
  }
}
