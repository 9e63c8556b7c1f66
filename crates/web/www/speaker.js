// @ts-check
/// <reference path="./worklet.d.ts" />
// The end of the sound: samples from the machine's worker to the device, through shared memory or by messages.

import { COUNTS, MISSING, READ, RESTS, SIZE, WRITTEN, between } from './queue.js';

/** Quanta between two messages about the queue, where memory is not shared. */
const REPORT = 8;

class Speaker extends AudioWorkletProcessor {
  /** @param {{ processorOptions: { counts?: SharedArrayBuffer, samples?: SharedArrayBuffer } }} options */
  constructor(options) {
    super();
    const { counts, samples } = options.processorOptions;
    /** @type {Int32Array} */
    this.counts = counts ? new Int32Array(counts) : new Int32Array(COUNTS);
    this.samples = samples ? new Float32Array(samples) : new Float32Array(SIZE);
    this.quanta = 0;
    this.begun = false;
    this.last = 0;
    /** @type {MessagePort | null} */
    this.worker = null;
    this.port.onmessage = ({ data, ports }) => {
      if (data !== 'worker') return;
      const port = ports[0];
      port.onmessage = (event) => this.take(event.data);
      // Shared memory tells the worker everything.
      if (!counts) this.worker = port;
    };
  }

  /** Takes a message: samples, or whether the machine is paused. @param {Float32Array | boolean} part */
  take(part) {
    if (typeof part === 'boolean') {
      this.counts[RESTS] = Number(part);
      return;
    }
    let written = this.counts[WRITTEN];
    for (const sample of part) {
      if (between(written, this.counts[READ]) >= SIZE) break;
      this.samples[written & (SIZE - 1)] = sample;
      written = (written + 1) | 0;
    }
    this.counts[WRITTEN] = written;
  }

  /**
   * @param {Float32Array[][]} _inputs
   * @param {Float32Array[][]} outputs
   */
  process(_inputs, outputs) {
    const output = outputs[0][0];
    const { counts, samples } = this;
    const read = Atomics.load(counts, READ);
    const there = Math.min(between(Atomics.load(counts, WRITTEN), read), output.length);
    for (let at = 0; at < there; at++) output[at] = samples[(read + at) & (SIZE - 1)];
    if (there > 0) {
      this.begun = true;
      this.last = output[there - 1];
    }
    if (there < output.length) {
      // Less of a click than a jump to nothing.
      for (let at = there; at < output.length; at++) output[at] = this.last *= 0.98;
      // Nothing is missing before the first sample, nor in a pause.
      if (Atomics.load(counts, RESTS) === 1) this.begun = false;
      else if (this.begun) Atomics.add(counts, MISSING, output.length - there);
    }
    Atomics.store(counts, READ, (read + there) | 0);
    if (this.worker && ++this.quanta % REPORT === 0) this.worker.postMessage([counts[READ], counts[MISSING]]);
    return true;
  }
}

registerProcessor('speaker', Speaker);
