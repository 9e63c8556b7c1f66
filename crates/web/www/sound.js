// @ts-check
// Sound: an AudioWorklet, fed over shared memory where the page is isolated, and by messages where it is not.

import { COUNTS, SIZE } from './queue.js';

/** Milliseconds in which a device answers; one that does not is none. */
const PATIENCE = 3000;

export class Sound {
  /** @param {import('./worker.js').Machine} machine */
  constructor(machine) {
    this.machine = machine;
    /** @type {AudioContext | null} */
    this.context = null;
    /** @type {GainNode | null} */
    this.gain = null;
    this.volume = 0.6;
    /** @type {Promise<void> | null} */
    this.starting = null;
    /** Nothing can be heard here: no device, or an address without encryption. */
    this.impossible = false;
    this.rests = true;
  }

  /** Is it heard? */
  get running() {
    return this.context?.state === 'running';
  }

  /** Would a click or a key bring sound? */
  get wanted() {
    return !this.running && !this.impossible && this.starting === null;
  }

  /** Begins, after a click or a key: browsers allow no sound before. Later calls wake it up again. */
  async start() {
    if (this.impossible) return;
    if (this.context) {
      if (!this.rests) this.resume();
      await this.starting;
      return;
    }
    if (!globalThis.isSecureContext || !('AudioWorkletNode' in globalThis)) {
      this.impossible = true;
      throw new Error('sound needs an encrypted address (https) or localhost: the game plays without it');
    }
    this.context = new AudioContext({ latencyHint: 'interactive' });
    this.starting = this.connect(this.context);
    await this.starting;
  }

  /** @param {AudioContext} context */
  async connect(context) {
    await this.machine.ready;
    await context.audioWorklet.addModule('speaker.js');
    const shared = globalThis.crossOriginIsolated && !new URLSearchParams(location.search).has('messages');
    const counts = shared ? new SharedArrayBuffer(4 * COUNTS) : null;
    const samples = shared ? new SharedArrayBuffer(4 * SIZE) : null;
    const speaker = new AudioWorkletNode(context, 'speaker', {
      numberOfInputs: 0,
      outputChannelCount: [1],
      processorOptions: shared ? { counts, samples } : {},
    });
    const { port1, port2 } = new MessageChannel();
    speaker.port.postMessage('worker', [port1]);
    this.gain = new GainNode(context, { gain: this.volume });
    speaker.connect(this.gain).connect(context.destination);
    await this.machine.ask('sound', [context.sampleRate, counts, samples, port2], [port2]);
    if (!this.rests) await this.resume();
  }

  /** Wakes the device; gives up on one that does not answer. */
  async resume() {
    const { context } = this;
    if (!context || context.state === 'running') return;
    const late = new Promise((done) => setTimeout(() => done('late'), PATIENCE));
    const answer = await Promise.race([context.resume().then(() => 'runs', () => 'late'), late]);
    this.impossible = answer === 'late' && !this.rests && !this.running;
  }

  /** The machine rests: so does the device. @param {boolean} rests */
  rest(rests) {
    this.rests = rests;
    if (!this.gain) return;
    if (rests) this.context?.suspend().catch(() => undefined);
    else this.resume();
  }

  /** @param {number} volume 0 to 1 */
  setVolume(volume) {
    this.volume = volume;
    if (this.gain) this.gain.gain.value = volume;
  }
}
