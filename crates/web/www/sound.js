// @ts-check
// Sound: an AudioWorklet, fed over shared memory where the page is isolated, and by messages where it is not.

/** Samples of the shared queue: a power of two. */
const SIZE = 16384;

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
  }

  /** Is it heard? */
  get running() {
    return this.context?.state === 'running';
  }

  /** Begins, after a click or a key: browsers allow no sound before. Later calls wake it up again. */
  start() {
    if (this.context) {
      if (this.context.state !== 'running') this.context.resume();
      return this.starting;
    }
    this.context = new AudioContext({ latencyHint: 'interactive' });
    this.starting = this.connect(this.context);
    return this.starting;
  }

  /** @param {AudioContext} context */
  async connect(context) {
    await this.machine.ready;
    await context.audioWorklet.addModule('speaker.js');
    const shared = globalThis.crossOriginIsolated && !new URLSearchParams(location.search).has('messages');
    const counts = shared ? new SharedArrayBuffer(16) : null;
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
    await context.resume();
  }

  /** @param {number} volume 0 to 1 */
  setVolume(volume) {
    this.volume = volume;
    if (this.gain) this.gain.gain.value = volume;
  }
}
