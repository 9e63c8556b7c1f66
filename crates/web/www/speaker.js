// @ts-check
/// <reference path="./worklet.d.ts" />
// The end of the sound: samples from the machine's worker to the device. It asks for nothing: the worker looks how much
// is waiting here, and runs frames until enough is. Indices count up for ever, in 32 bits.

/** Places in the shared integers. */
const READ = 0, WRITTEN = 1, MISSING = 2, RESTS = 3;
/** Samples that a queue of messages holds at most: a power of two, as the shared one's. */
const MOST = 16384;
/** Quanta between two reports of the queue's length. */
const REPORT = 2;

class Speaker extends AudioWorkletProcessor {
  /** @param {{ processorOptions: { counts?: SharedArrayBuffer, samples?: SharedArrayBuffer } }} options */
  constructor(options) {
    super();
    const { counts, samples } = options.processorOptions;
    /** @type {Int32Array} */
    this.counts = counts ? new Int32Array(counts) : new Int32Array(4);
    this.samples = samples ? new Float32Array(samples) : new Float32Array(MOST);
    this.quanta = 0;
    this.begun = false;
    this.last = 0;
    /** @type {MessagePort | null} */
    this.worker = null;
    this.port.onmessage = ({ data, ports }) => {
      if (data !== 'worker') return;
      this.worker = ports[0];
      this.worker.onmessage = (event) => this.take(event.data);
    };
  }

  /** What came as a message: samples, or whether the worker rests. @param {Float32Array | boolean} part */
  take(part) {
    if (typeof part === 'boolean') {
      this.counts[RESTS] = Number(part);
      return;
    }
    let written = this.counts[WRITTEN];
    for (const sample of part) {
      if (((written - this.counts[READ]) | 0) >= MOST) break;
      this.samples[written & (MOST - 1)] = sample;
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
    const there = Math.min((Atomics.load(counts, WRITTEN) - read) | 0, output.length);
    for (let at = 0; at < there; at++) {
      output[at] = samples[(read + at) & (samples.length - 1)];
    }
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
    if (this.worker && ++this.quanta % REPORT === 0) {
      this.worker.postMessage([counts[READ], counts[WRITTEN], counts[MISSING]]);
    }
    return true;
  }
}

registerProcessor('speaker', Speaker);
