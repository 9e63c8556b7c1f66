// @ts-check
// The worker that the console runs in. The sound's queue decides when a frame runs; without sound the clock does.
// What it is asked comes as { id, name, args } and is answered by id; pictures and status go out by themselves.

import init, { Player } from './maxout.js';

/** Places in the integers that are shared with the loudspeaker: see speaker.js. */
const READ = 0, WRITTEN = 1, MISSING = 2, RESTS = 3;
/** Seconds of sound that wait before the loudspeaker, at first and at most. */
const LEAST = 0.05, MOST = 0.15;
/** Milliseconds without a sample taken after which the clock decides. */
const STALLED = 250;
/** The most frames of one look at the queue: what is late is not made up for in one go. */
const AT_ONCE = 4;
/** Frames between two reports. */
const REPORT = 6;
/** A module with one instruction of SIMD: who takes it has all of it. */
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

/** @type {Player} */
let player;
/** @type {WebAssembly.Memory} */
let memory;
let rate = 48000;
let running = false;
let rewinding = false;
let speed = 1;
let muted = false;
/** What the players hold. */
let held = [0, 0];
/** Picture buffers that the page has given back. @type {ArrayBuffer[]} */
const buffers = [];
let frames = 0;
/** When the next frame is due by the clock. */
let due = performance.now();
/** Where the last sample of a frame was in the resampling for another speed. */
let phase = 0;
let stepsBack = 0;

/** The queue to the loudspeaker. */
const queue = {
  /** @type {Int32Array | null} */ counts: null,
  /** @type {Float32Array | null} */ samples: null,
  /** @type {MessagePort | null} */ port: null,
  shared: false,
  target: 0,
  missing: 0,
  lastRead: 0,
  movedAt: 0,
};

const frameTime = () => 1000 / player.frame_rate();

/** Samples that wait. */
function waiting() {
  const { counts } = queue;
  return counts ? (Atomics.load(counts, WRITTEN) - Atomics.load(counts, READ)) | 0 : 0;
}

/** Does the loudspeaker take samples? */
function sounds() {
  const { counts } = queue;
  if (!counts) return false;
  const read = Atomics.load(counts, READ);
  const now = performance.now();
  if (read !== queue.lastRead) {
    queue.lastRead = read;
    queue.movedAt = now;
    const missing = Atomics.load(counts, MISSING);
    if (missing !== queue.missing) {
      // It ran dry: more is to wait from now on.
      queue.missing = missing;
      queue.target = Math.min(queue.target * 1.25, MOST * rate);
    }
  }
  return now - queue.movedAt < STALLED;
}

/** Says to the loudspeaker whether silence is meant. @param {boolean} rests */
function rest(rests) {
  if (queue.shared && queue.counts) Atomics.store(queue.counts, RESTS, Number(rests));
  else queue.port?.postMessage(rests);
}

/** Sends the last frame's sound. */
function send() {
  const { counts, samples, port } = queue;
  const place = player.samples();
  const made = new Float32Array(memory.buffer, place.at, place.length);
  // Nobody listens: what nobody takes must not be late when somebody does.
  if (!counts || (!samples && !port) || waiting() > 2 * queue.target) return;
  const step = speed;
  const out = new Float32Array(Math.max(0, Math.ceil((made.length - phase) / step)));
  let at = phase;
  let count = 0;
  for (; at < made.length && count < out.length; at += step) {
    const whole = Math.floor(at);
    const next = made[Math.min(whole + 1, made.length - 1)];
    out[count++] = muted ? 0 : made[whole] + (next - made[whole]) * (at - whole);
  }
  phase = at - made.length;
  if (queue.shared && samples) {
    let written = Atomics.load(counts, WRITTEN);
    const room = samples.length - waiting();
    for (let from = 0; from < Math.min(count, room); from++) {
      samples[written & (samples.length - 1)] = out[from];
      written = (written + 1) | 0;
    }
    Atomics.store(counts, WRITTEN, written);
  } else {
    counts[WRITTEN] = (counts[WRITTEN] + count) | 0;
    port?.postMessage(out.subarray(0, count));
  }
}

function step() {
  if (rewinding) {
    // A step back is three frames.
    if (stepsBack++ % 3 === 0) player.step_back();
  } else {
    player.frame(held[0], held[1]);
  }
  send();
  frames++;
  if (frames % REPORT === 0) report();
}

function report() {
  postMessage({
    kind: 'status',
    status: JSON.parse(player.status()),
    events: JSON.parse(player.events()),
    sound: { waiting: waiting(), missing: queue.missing, sounding: queue.counts !== null && performance.now() - queue.movedAt < STALLED, shared: queue.shared, frames },
  });
}

/** Sends a picture, if the page has given a buffer back for it. */
function show() {
  let buffer = buffers.pop();
  if (!buffer) return;
  const place = player.paint();
  // One picture, or two against the computer.
  if (buffer.byteLength !== place.length) buffer = new ArrayBuffer(place.length);
  new Uint8Array(buffer).set(new Uint8Array(memory.buffer, place.at, place.length));
  postMessage({ kind: 'picture', buffer, frame: frames }, { transfer: [buffer] });
}

/** Runs what is due. */
function tick() {
  const now = performance.now();
  if (!running) {
    due = now;
    return;
  }
  let ran = 0;
  if (sounds()) {
    while (waiting() < queue.target && ran < AT_ONCE * Math.max(1, speed)) {
      step();
      ran++;
    }
    due = now;
  } else {
    if (now - due > 200) due = now;
    while (due <= now && ran < AT_ONCE * Math.max(1, speed)) {
      step();
      ran++;
      due += frameTime() / speed;
    }
  }
  if (ran > 0) show();
}

/** What the page may ask for, by name. @type {Record<string, (...args: any[]) => any>} */
const answers = {
  run(/** @type {boolean} */ on) {
    running = on;
    rest(!on);
    queue.movedAt = performance.now();
  },
  rewind(/** @type {boolean} */ on) {
    rewinding = on;
    stepsBack = 0;
  },
  speed(/** @type {number} */ factor) {
    speed = Math.min(8, Math.max(0.25, factor));
  },
  mute(/** @type {boolean} */ on) {
    muted = on;
  },
  /** One frame, while the machine rests. */
  advance() {
    step();
    show();
    report();
  },
  sound(/** @type {number} */ wanted, /** @type {SharedArrayBuffer | null} */ counts, /** @type {SharedArrayBuffer | null} */ samples, /** @type {MessagePort | null} */ port) {
    if (wanted !== rate) {
      rate = wanted;
      player.set_rate(rate);
    }
    queue.counts = counts ? new Int32Array(counts) : new Int32Array(4);
    queue.samples = samples ? new Float32Array(samples) : null;
    queue.shared = counts !== null;
    queue.port = port;
    queue.target = LEAST * rate;
    queue.movedAt = performance.now();
    if (port) {
      port.onmessage = ({ data: [read, , missing] }) => {
        if (!queue.shared && queue.counts) {
          queue.counts[READ] = read;
          queue.counts[MISSING] = missing;
        }
        tick();
      };
    }
    rest(!running);
  },
  /** The hash after all frames of a movie, and how fast they ran: for tests. */
  measure(/** @type {Uint8Array} */ bytes, /** @type {boolean} */ drawn) {
    const length = player.play_movie('measured.fm2', bytes);
    const begun = performance.now();
    for (let at = 0; at < length; at++) {
      player.frame(0, 0);
      if (drawn) player.paint();
    }
    const seconds = (performance.now() - begun) / 1000;
    return { hash: player.state_hash(), frames: length, perSecond: length / seconds };
  },
  /** Reads the viewer's game to its end, and says how far it is in between. */
  async read() {
    for (;;) {
      const share = player.read_on(400);
      postMessage({ kind: 'reading', share });
      if (share >= 1) return JSON.parse(player.report());
      await new Promise((resolve) => setTimeout(resolve));
    }
  },
  seek(/** @type {number} */ frame) {
    player.seek(frame);
    show();
    report();
  },
  view(/** @type {string} */ name) {
    const text = player.view(name);
    const place = player.view_picture();
    const pixels = new Uint8ClampedArray(memory.buffer, place.at, place.length).slice();
    return { text, pixels, width: player.view_width(), height: player.view_height() };
  },
  modes: () => JSON.parse(Player.modes()),
  report: () => JSON.parse(player.report()),
  status: () => JSON.parse(player.status()),
};

/** Methods of the machine that the page may call as they are. */
const PASSED = new Set(['insert', 'battery', 'power', 'reset', 'set_ahead', 'set_palette', 'set_colours', 'save', 'load', 'practise', 'undo', 'mark', 'retry', 'set_computer', 'set_versus', 'play_movie', 'open_game', 'close_game', 'take_over', 'game_file', 'movie_file', 'position', 'state_hash']);

addEventListener('message', async ({ data }) => {
  if (data.kind === 'held') {
    held = data.held;
    return;
  }
  if (data.kind === 'buffer') {
    buffers.push(data.buffer);
    return;
  }
  const { id, name, args } = data;
  try {
    const answer = answers[name];
    let value;
    if (answer) value = await answer(...args);
    else if (PASSED.has(name)) value = /** @type {any} */ (player)[name](...args);
    else throw new Error(`the machine has no ${name}`);
    postMessage({ kind: 'answer', id, value });
    if (!running && PASSED.has(name)) show();
  } catch (error) {
    postMessage({ kind: 'answer', id, error: error instanceof Error ? error.message : String(error) });
  }
});

const simd = WebAssembly.validate(SIMD) && !new URL(self.location.href).searchParams.has('plain');
const module = await init({ module_or_path: new URL(simd ? 'maxout_bg.wasm' : 'maxout-plain_bg.wasm', import.meta.url) });
memory = module.memory;
player = new Player(rate);
setInterval(tick, 4);
postMessage({ kind: 'ready', simd });
