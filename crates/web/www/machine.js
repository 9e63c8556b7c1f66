// @ts-check
// The worker that the console runs in. Ticks of the display come from the page and decide when a frame runs; see pace.js.
// What it is asked comes as { id, name, args } and is answered by id; pictures and status go out by themselves.

import init, { Player } from './maxout.js';
import { Pace } from './pace.js';
import { COUNTS } from './queue.js';
import { Room } from './room.js';
import { Sink } from './sink.js';

/** Frames between two reports. */
const REPORT = 6;
/** Milliseconds between two looks at the clock while no ticks come. */
const TIMER = 8;
/** Frames that run before the first picture, so that it shows the title: the built-in game has it from the 12th on. */
const FIRST = 20;

/** @type {Player} */
let player;
/** @type {WebAssembly.Memory} */
let memory;
let running = false;
let rewinding = false;
let speed = 1;
/** What the players hold. */
let held = [0, 0];
/** Picture buffers that the page has given back. @type {ArrayBuffer[]} */
const buffers = [];
let frames = 0;
let stepsBack = 0;
/** A timer where the page sends no ticks: in hidden tabs. @type {ReturnType<typeof setInterval> | undefined} */
let timer;
/** Number of the review that is under way. */
let reviewing = 0;
/** The room of the match that is on, or was. @type {Room | null} */
let room = null;
const pace = new Pace();
const sink = new Sink();

/** @param {boolean} shown @param {number} behind @returns {import('./pace.js').Now} */
function now(shown, behind) {
  const at = performance.now();
  const sounding = sink.look(at);
  return { rate: player.frame_rate(), speed: room ? 1 : speed, shown, sounding, fill: sink.waiting(at), target: sink.target, behind };
}

/** Runs what is due at a tick. @param {number} at @param {boolean} shown @param {number} behind */
function tick(at, shown, behind) {
  if (!running) return;
  const state = now(shown, behind);
  const due = pace.tick(at, state);
  for (let ran = 0; ran < due; ran++) step(pace.ratio(state));
  if (due > 0 && shown) show();
}

/** @param {number} ratio input samples per output sample */
function step(ratio) {
  if (room) {
    // Messages come between two frames.
    player.match_turn(held[0], performance.now(), Date.now() / 1000);
    room.pump();
  } else if (rewinding) {
    // A step back is three frames.
    if (stepsBack++ % 3 === 0) player.step_back();
  } else {
    player.frame(held[0], held[1]);
  }
  const place = player.samples();
  sink.send(new Float32Array(memory.buffer, place.at, place.length), (ratio * player.sound_rate()) / sink.rate, performance.now());
  frames++;
  if (frames % REPORT === 0) report();
}

function report() {
  const { missing, sounding, shared } = sink;
  postMessage({
    kind: 'status',
    // The page reads the texts: less is copied.
    status: player.status(),
    events: player.events(),
    said: room ? JSON.parse(player.match_said()) : [],
    room: room && { address: room.address, isOpen: room.isOpen, failed: room.failed },
    sound: { waiting: Math.round(sink.waiting(performance.now())), missing, sounding, shared, frames },
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

/**
 * Begins a match by way of a room. @param {string} address @param {(random: BigUint64Array) => void} work
 */
function enter(address, work) {
  work(crypto.getRandomValues(new BigUint64Array(3)));
  room?.close();
  try {
    room = new Room(address, player);
  } catch (error) {
    player.close_match();
    room = null;
    throw error;
  }
}

/** What the page may ask for, by name. @type {Record<string, (...args: any[]) => any>} */
const answers = {
  /** Runs or pauses. Without ticks of the display a timer makes them. */
  run(/** @type {boolean} */ on, /** @type {boolean} */ ticks) {
    if (on !== running) pace.rest();
    running = on;
    sink.rest(!on, performance.now());
    clearInterval(timer);
    timer = on && !ticks ? setInterval(() => tick(performance.now(), false, 0), TIMER) : undefined;
    if (!on) report();
  },
  rewind(/** @type {boolean} */ on) {
    rewinding = on;
    stepsBack = 0;
  },
  speed(/** @type {number} */ factor) {
    speed = Math.min(8, Math.max(0.25, factor));
  },
  mute(/** @type {boolean} */ on) {
    sink.muted = on;
  },
  /** Runs frames while the machine is paused. */
  advance(count = 1) {
    for (let ran = 0; ran < count; ran++) step(1);
    show();
    report();
  },
  sound(/** @type {number} */ rate, /** @type {SharedArrayBuffer | null} */ counts, /** @type {SharedArrayBuffer | null} */ samples, /** @type {MessagePort | null} */ port) {
    if (rate !== sink.rate) player.set_rate(rate);
    const shared = counts && samples;
    sink.connect(rate, new Int32Array(counts ?? new ArrayBuffer(4 * COUNTS)), shared ? new Float32Array(samples) : null, port, performance.now());
    sink.rest(!running, performance.now());
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
  /** Reads the viewer's game to its end, and tells in between how far it is. */
  async read() {
    for (;;) {
      const share = player.read_on(400);
      postMessage({ kind: 'reading', share });
      if (share >= 1) return JSON.parse(player.report());
      await new Promise((resolve) => setTimeout(resolve));
    }
  },
  /** Reviews placements until all are, or another review begins. */
  async review() {
    const own = ++reviewing;
    while (own === reviewing) {
      const part = JSON.parse(player.review_on(2));
      postMessage({ kind: 'reviewed', part });
      if (part.share >= 1) return true;
      await new Promise((resolve) => setTimeout(resolve));
    }
    return false;
  },
  /** Looks for puzzles in a game, and tells in between how far it is. */
  async search_game(/** @type {Uint8Array} */ bytes) {
    player.search_game(bytes);
    for (;;) {
      const part = JSON.parse(player.search_on(4));
      postMessage({ kind: 'searched', part });
      if (part.done) return part;
      await new Promise((resolve) => setTimeout(resolve));
    }
  },
  seek(/** @type {number} */ frame) {
    player.seek(frame);
    show();
    report();
  },
  host_match(/** @type {string} */ address, /** @type {object} */ options) {
    enter(address, (random) => player.host_match(JSON.stringify(options), random));
  },
  join_match(/** @type {string} */ address, /** @type {string} */ code, /** @type {object} */ options) {
    enter(address, (random) => player.join_match(code, JSON.stringify(options), random));
  },
  watch_match(/** @type {string} */ address, /** @type {string} */ code, /** @type {object} */ options) {
    enter(address, (random) => player.watch_match(code, JSON.stringify(options), random));
  },
  /** Leaves the match; its end is on the page until it is closed. */
  leave_match() {
    player.leave_match();
    room?.pump();
    report();
  },
  close_match() {
    player.leave_match();
    room?.close();
    room = null;
    player.close_match();
  },
  match_of: (/** @type {Uint8Array} */ bytes) => JSON.parse(Player.match_of(bytes)),
  /** Plays the match of a file again. */
  async verify_match(/** @type {Uint8Array} */ bytes) {
    player.begin_verification(bytes);
    for (;;) {
      const part = JSON.parse(player.verify_on());
      if (part.verified) return part;
      await new Promise((resolve) => setTimeout(resolve));
    }
  },
  view(/** @type {string} */ name) {
    const text = player.view(name);
    const place = player.view_picture();
    const pixels = new Uint8ClampedArray(memory.buffer, place.at, place.length).slice();
    return { text, pixels, width: player.view_width(), height: player.view_height() };
  },
  for_link: (/** @type {Uint8Array} */ bytes) => Player.for_link(bytes),
  modes: () => JSON.parse(Player.modes()),
  report: () => JSON.parse(player.report()),
  status: () => JSON.parse(player.status()),
  wants: (/** @type {string} */ name, /** @type {Uint8Array} */ bytes) => JSON.parse(player.wants(name, bytes)),
  puzzle: (/** @type {number} */ today) => JSON.parse(player.puzzle(today)),
  lesson: () => JSON.parse(player.lesson()),
  /** The plan of a day, by the games whose files are given, the latest first. */
  plan(/** @type {Uint8Array[]} */ games, /** @type {number} */ today) {
    for (const game of games) player.plan_game(game);
    return JSON.parse(player.plan(today));
  },
  daily_seed: (/** @type {number} */ today) => Player.daily_seed(today),
};

/** Methods of the machine that the page may call as they are. */
const PASSED = new Set(['insert', 'insert_built_in', 'battery', 'power', 'reset', 'set_ahead', 'set_palette', 'set_colours', 'set_net', 'save', 'load', 'practise', 'undo', 'mark', 'retry', 'set_computer', 'set_versus', 'play_movie', 'open_game', 'close_game', 'take_over', 'begin_race', 'begin_review', 'review_file', 'review_link', 'review_page', 'ask_puzzle', 'step_puzzle', 'point_puzzle', 'puzzle_progress', 'set_puzzle_progress', 'begin_search', 'own_puzzles', 'set_own_puzzles', 'begin_lesson', 'step_lesson', 'point_lesson', 'begin_recording', 'end_recording', 'game_file', 'movie_file', 'match_file', 'position', 'state_hash']);

/** Those after which the picture is another. */
const SHOWN = new Set(['insert', 'insert_built_in', 'power', 'reset', 'set_palette', 'set_colours', 'load', 'practise', 'undo', 'retry', 'play_movie', 'open_game', 'close_game', 'take_over', 'begin_race']);

/** Those that wait until a match over the network is over, beside those in SHOWN. */
const ALONE = new Set(['set_computer', 'set_versus', 'mark', 'begin_review']);

/** The module, which the page compiles. @type {(module: WebAssembly.Module) => void} */
let compiled;
/** @type {Promise<WebAssembly.Module>} */
const module = new Promise((done) => { compiled = done; });

addEventListener('message', async ({ data }) => {
  buffers.push(...data.buffers);
  if (data.kind === 'module') {
    compiled(data.module);
    return;
  }
  if (data.kind === 'held') {
    held = data.held;
    return;
  }
  if (data.kind === 'tick') {
    tick(data.at, true, data.behind);
    return;
  }
  const { id, name, args } = data;
  try {
    const answer = answers[name];
    if (room && (ALONE.has(name) || (SHOWN.has(name) && !name.startsWith('set_')))) throw new Error('a match over the network is on: leave and close it first');
    let value;
    if (answer) value = await answer(...args);
    else if (PASSED.has(name)) value = /** @type {any} */ (player)[name](...args);
    else throw new Error(`the machine has no ${name}`);
    postMessage({ kind: 'answer', id, value });
    if (!running && SHOWN.has(name)) {
      show();
      report();
    }
  } catch (error) {
    postMessage({ kind: 'answer', id, error: error instanceof Error ? error.message : String(error) });
  }
});

memory = (await init({ module_or_path: await module })).memory;
player = new Player(sink.rate);
for (let frame = 0; frame < FIRST; frame++) player.frame(0, 0);
frames = FIRST;
const first = player.paint();
const picture = new Uint8Array(memory.buffer, first.at, first.length).slice().buffer;
postMessage({ kind: 'ready', picture }, { transfer: [picture] });
