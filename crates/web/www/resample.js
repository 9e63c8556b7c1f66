// @ts-check
// Resamples the machine's sound by a step close to 1, or by the speed of the game: cubic interpolation over four samples.

/** Samples of the last block that the next one begins with. */
const TAIL = 3;

export class Resampler {
  constructor() {
    this.block = new Float32Array(TAIL);
    /** Position of the next output in the block. */
    this.at = 1;
    this.out = new Float32Array(0);
  }

  /**
   * Takes samples and returns the same sound with `step` input samples per output sample. The result is good until the
   * next call. @param {Float32Array} input @param {number} step @returns {Float32Array}
   */
  push(input, step) {
    const length = TAIL + input.length;
    if (this.block.length < length) {
      const longer = new Float32Array(length);
      longer.set(this.block.subarray(0, TAIL));
      this.block = longer;
    }
    const { block } = this;
    block.set(input, TAIL);
    const most = Math.ceil((length - this.at) / step) + 1;
    if (this.out.length < most) this.out = new Float32Array(most);
    let count = 0;
    let { at } = this;
    for (; Math.floor(at) + 2 < length; at += step) {
      const whole = Math.floor(at);
      const share = at - whole;
      const before = block[whole - 1], from = block[whole], to = block[whole + 1], after = block[whole + 2];
      // A Catmull-Rom spline.
      const first = 0.5 * (to - before);
      const second = before - 2.5 * from + 2 * to - 0.5 * after;
      const third = 0.5 * (after - before) + 1.5 * (from - to);
      this.out[count++] = ((third * share + second) * share + first) * share + from;
    }
    this.at = at - input.length;
    block.copyWithin(0, input.length, length);
    return this.out.subarray(0, count);
  }
}
