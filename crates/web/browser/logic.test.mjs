// The logic of the page's scripts, in Node without a browser: `node --test crates/web/browser/logic.test.mjs`.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';

import { keyName, leaves } from '../www/input.js';
import { Keeper } from '../www/keeper.js';
import { place } from '../www/layout.js';
import * as links from '../www/links.js';
import { kindOf, open } from '../www/open.js';
import { Pace } from '../www/pace.js';
import { STANDARD, Wizard, held, mappingOf } from '../www/pads.js';
import { COUNTS, MISSING, READ, SIZE, WRITTEN } from '../www/queue.js';
import { Resampler } from '../www/resample.js';
import { Room, addressOf } from '../www/room.js';
import { Screen } from '../www/screen.js';
import { Sink } from '../www/sink.js';
import { lines } from '../www/today.js';
import { directions } from '../www/touch.js';
import { unzip } from '../www/zip.js';

const RATE = 39375000 / 655171;

/** Numbers that are the same in every run. */
function random(seed = 1) {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** Runs a display and a sound device beside each other, as page, worker and loudspeaker do. */
function simulate({ display, seconds, late = () => 0, device = 480, rate = 48000, game = RATE, sounding = true }) {
  const pace = new Pace();
  let [fill, missing, frames, passed, played, target] = [2400, 0, 0, 0, 0, 2400];
  let next = device / rate;
  const counts = [];
  for (let at = 0; at * (1000 / display) < seconds * 1000; at++) {
    const now = (at + 1) * (1000 / display) + late(at);
    for (; next * 1000 <= now; next += device / rate) {
      missing += Math.max(0, device - fill);
      fill = Math.max(0, fill - device);
      played += device;
    }
    const state = { rate: game, speed: 1, shown: true, sounding, fill, target, behind: 0 };
    const due = pace.tick(now, state);
    counts.push(due);
    frames += due;
    passed += Math.max(0, due - 1);
    fill += (due * rate) / game / pace.ratio(state);
  }
  return { frames, passed, missing, counts, fill, seconds: played / rate };
}

test('a display of 60 Hz shows every frame, and no sample is missing', () => {
  for (const display of [59.94, 60, 60.1, 120, 119.88]) {
    for (const device of [128, 480, 960]) {
      const { passed, missing, counts } = simulate({ display, device, seconds: 120 });
      assert.ok(passed <= 2 && missing === 0, `${display} Hz, ${device}: ${passed} passed over, ${missing} missing`);
      if (display < 70) assert.ok(counts.slice(60).filter((count) => count !== 1).length <= 2, `${display}`);
    }
  }
});

test('a display of another rate shows as many frames as the console has', () => {
  for (const display of [75, 144, 165]) {
    const { frames, passed, missing } = simulate({ display, seconds: 60 });
    assert.ok(passed <= 1 && missing === 0, `${display} Hz: ${passed}, ${missing}`);
    assert.ok(Math.abs(frames / 60 - RATE) < 0.5, `${display} Hz: ${frames / 60} frames a second`);
  }
  const slower = simulate({ display: 50, seconds: 60 });
  assert.ok(Math.abs(slower.frames / 60 - RATE) < 0.5, `${slower.frames / 60}`);
  const pal = simulate({ display: 60, seconds: 60, game: 50.007 });
  assert.ok(pal.passed <= 1 && Math.abs(pal.frames / 60 - 50.007) < 0.5, `${pal.frames / 60}`);
});

test('a busy machine whose ticks are late, or missing at times, loses few frames and no sound', () => {
  const chance = random();
  let debt = 0;
  const late = (at) => {
    // Some ticks come 10 ms late, one in two hundred a whole tick.
    debt = at % 200 === 7 ? 16.7 : chance() * 10;
    return debt;
  };
  const { frames, passed, missing } = simulate({ display: 60, seconds: 120, late });
  assert.ok(passed / frames <= 0.005, `${passed} of ${frames}`);
  assert.equal(missing, 0);
});

test('frames of missed ticks are made up for without sound, and none after a long gap', () => {
  const pace = new Pace();
  const state = { rate: RATE, speed: 1, shown: true, sounding: false, fill: 0, target: 0, behind: 0 };
  let [at, frames] = [0, 0];
  for (let tick = 0; tick < 600; tick++) frames += pace.tick(at += 1000 / 60, state);
  assert.ok(Math.abs(frames - 600) <= 1, `${frames}`);
  assert.equal(pace.tick(at += 5000, state), 1, 'a page that was away begins where it was');
  pace.rest();
  assert.equal(pace.tick(at += 9000, state), 0, 'the first tick tells only the time');
});

test('faster and slower games run as often as they should', () => {
  for (const speed of [0.25, 0.5, 2, 4, 8]) {
    const pace = new Pace();
    const state = { rate: RATE, speed, shown: true, sounding: false, fill: 0, target: 0, behind: 0 };
    let [at, frames] = [0, 0];
    for (let tick = 0; tick < 1200; tick++) frames += pace.tick(at += 1000 / 60, state);
    assert.ok(Math.abs(frames / (20 * 60 * speed) - 1) < 0.02, `${speed}: ${frames}`);
  }
});

test('a window that goes to another display keeps the speed of the game', () => {
  const pace = new Pace();
  const state = { rate: RATE, speed: 1, shown: true, sounding: false, fill: 0, target: 0, behind: 0 };
  let at = 0;
  for (let tick = 0; tick < 1200; tick++) pace.tick(at += 1000 / 60, state);
  let frames = 0;
  for (let tick = 0; tick < 144 * 20; tick++) frames += pace.tick(at += 1000 / 144, state);
  assert.ok(Math.abs(frames / 20 - RATE) < 1, `${frames / 20} frames a second`);
});

test('a picture that waits too long costs one frame, so that the delay goes', () => {
  const pace = new Pace();
  const state = { rate: RATE, speed: 1, shown: true, sounding: false, fill: 0, target: 0, behind: 0 };
  let at = 0;
  for (let tick = 0; tick < 60; tick++) pace.tick(at += 1000 / 60, state);
  const counts = [];
  for (let tick = 0; tick < 60; tick++) counts.push(pace.tick(at += 1000 / 60, { ...state, behind: 1 }));
  assert.equal(counts.filter((count) => count === 0).length, 1);
});

test('no picture is replaced before it was shown, unless too many wait', () => {
  const put = [];
  const back = [];
  const screen = new Screen((picture) => put.push(picture), (picture) => back.push(picture));
  screen.arrive(0);
  assert.deepEqual(put, [0], 'without ticks it is drawn at once');
  screen.ticking = true;
  screen.tick();
  screen.arrive(1);
  screen.arrive(2);
  assert.deepEqual(put, [0, 1], 'the next refresh has its picture');
  assert.equal(screen.tick(), 1);
  assert.equal(screen.tick(), 0, 'drawn at the refresh after');
  assert.deepEqual(put, [0, 1, 2]);
  for (const picture of [3, 4, 5, 6]) screen.arrive(picture);
  assert.equal(screen.passed, 1, 'the oldest of three that wait');
  for (let tick = 0; tick < 4; tick++) screen.tick();
  assert.deepEqual(put, [0, 1, 2, 3, 5, 6]);
  assert.equal(screen.shown, 6);
  assert.equal(back.length, 7, 'every buffer goes back');
});

test('resampled sound is the same sound', () => {
  for (const step of [0.995, 1, 1.0016, 1.005, 2]) {
    const resampler = new Resampler();
    const out = [];
    let at = 0;
    for (let block = 0; block < 100; block++) {
      const input = Float32Array.from({ length: 798 + (block % 3) }, () => Math.sin((2 * Math.PI * 1000 * at++) / 48000));
      out.push(...resampler.push(input, step));
    }
    assert.ok(Math.abs(out.length - at / step) < 4, `${out.length} of ${at / step}`);
    // Two samples late, at a sine of 1,000 Hz times the step.
    let worst = 0;
    for (let n = 100; n < out.length; n++) {
      const expected = Math.sin((2 * Math.PI * 1000 * (n * step - 2)) / 48000);
      worst = Math.max(worst, Math.abs(out[n] - expected));
    }
    assert.ok(worst < 0.001, `step ${step}: ${worst}`);
  }
});

test('a queue that ran dry is filled at once, and waits for more from then on', () => {
  const sink = new Sink();
  const counts = new Int32Array(COUNTS);
  const samples = new Float32Array(SIZE);
  sink.connect(48000, counts, samples, null, 0);
  assert.equal(counts[WRITTEN], 2400, 'silence at first');
  sink.send(new Float32Array(800).fill(0.5), 1, 1);
  assert.ok(sink.waiting(1) >= 3190);
  counts[READ] = counts[WRITTEN];
  counts[MISSING] = 100;
  assert.equal(sink.look(2), true);
  assert.equal(sink.target, 3000);
  assert.equal(sink.waiting(2), 3000);
  assert.equal(sink.look(500), false, 'nobody takes anything');
  for (let frame = 0; frame < 100; frame++) sink.send(new Float32Array(800), 1, 500);
  assert.ok(sink.waiting(500) < 4 * sink.target, 'what nobody takes is not kept');
  sink.muted = true;
  counts[READ] = counts[WRITTEN];
  sink.send(new Float32Array(800).fill(0.5), 1, 600);
  assert.ok(samples.slice(-1)[0] === 0);
});

test('by messages, what the loudspeaker took since is estimated', () => {
  const sink = new Sink();
  const sent = [];
  const port = { postMessage: (part) => sent.push(part), onmessage: null };
  sink.connect(48000, new Int32Array(COUNTS), null, port, 0);
  assert.equal(sent[0].length, 2400);
  assert.ok(Math.abs(sink.waiting(10) - (2400 - 480)) < 1);
  port.onmessage({ data: [1024, 0] });
  assert.equal(sink.look(20), true);
  assert.equal(sink.waiting(20), 2400 - 1024);
});

/** A pad with so many buttons and axes. */
const pad = (buttons, axes, mapping = '', id = 'pad') => ({ id, mapping, buttons: Array.from({ length: buttons }, () => ({ pressed: false })), axes });
const pressing = (of, ...at) => ({ ...of, buttons: of.buttons.map((one, number) => ({ pressed: at.includes(number) })) });

test('a standard gamepad is known, another is not read as if it were one', () => {
  const standard = pad(17, [0, 0, 0, 0], 'standard');
  assert.deepEqual(held(pressing(standard, 0, 14), STANDARD), ['left', 'a']);
  assert.deepEqual(held({ ...standard, axes: [0, 0.9] }, STANDARD), ['down']);
  assert.equal(mappingOf(pad(10, [0, 0]), {}), null);
  assert.equal(mappingOf(standard, {}), STANDARD);
});

test('the buttons of a NES pad with a strange order, or a hat for its cross, are assigned one by one', () => {
  const rest = pad(10, [0, 0]);
  const wizard = new Wizard(rest);
  const steps = [
    { ...rest, axes: [-1, 0] }, { ...rest, axes: [1, 0] }, { ...rest, axes: [0, -1] }, { ...rest, axes: [0, 1] },
    pressing(rest, 1), pressing(rest, 2), pressing(rest, 7), pressing(rest, 6),
  ];
  for (const step of steps) {
    assert.equal(wizard.look(step), true);
    assert.equal(wizard.look(step), false, 'it must be let go first');
    wizard.look(rest);
    assert.equal(wizard.look(step), false, 'no button is two');
    wizard.look(rest);
  }
  assert.equal(wizard.asked, null);
  const mapping = mappingOf(rest, { pad: wizard.mapping });
  assert.deepEqual(held({ ...pressing(rest, 1, 7), axes: [-1, 1] }, mapping), ['left', 'down', 'a', 'start']);

  const hat = pad(10, [0, 0, 3.2857]);
  const other = new Wizard(hat);
  for (const value of [5 / 7, -3 / 7, -1, 1 / 7]) {
    assert.equal(other.look({ ...hat, axes: [0, 0, value] }), true);
    other.look(hat);
  }
  const downRight = { ...hat, axes: [0, 0, -1 + 2 * (3 / 7)] };
  assert.deepEqual(held(downRight, other.mapping), ['right', 'down']);
  assert.deepEqual(held(hat, other.mapping), []);
  other.skip();
  assert.equal(other.asked, 'b');
});

test('the touch cross has eight directions and no dead middle', () => {
  assert.deepEqual(directions(60, 0, 144), ['right']);
  assert.deepEqual(directions(-60, 4, 144), ['left']);
  assert.deepEqual(directions(2, 60, 144), ['down']);
  assert.deepEqual(directions(50, 50, 144), ['right', 'down']);
  assert.deepEqual(directions(-50, -50, 144), ['left', 'up']);
  assert.deepEqual(directions(0, 15, 144), ['down'], 'a thumb near the middle');
  assert.deepEqual(directions(1, 1, 144), []);
});

test('the picture is scaled by whole steps where little room is lost, and is never larger than the room', () => {
  const how = { ratio: 1, aspect: 2048 / 1680, pictures: 1, whole: true };
  assert.equal(place({ width: 1920, height: 1000 }, how).scale, 4);
  assert.equal(place({ width: 768, height: 724 }, { ...how, pictures: 1 }).scale, 768 / (2048 / 1680) / 240);
  assert.equal(place({ width: 878, height: 724 }, how).scale, 3);
  for (const width of [100, 320, 390, 844, 1280, 1920, 3840]) {
    for (const height of [100, 240, 390, 720, 1080, 2160]) {
      for (const ratio of [1, 1.5, 2, 3]) {
        for (const pictures of [1, 2]) {
          const { width: own, height: high } = place({ width, height }, { ...how, ratio, pictures });
          assert.ok(own * pictures <= width + 0.01 && high <= height + 0.01, `${width}x${height} ${ratio}`);
          assert.ok(own * pictures >= 0.84 * width || high >= 0.84 * height, `${width}x${height} ${ratio}`);
        }
      }
    }
  }
});

test('links say what is wanted', () => {
  assert.deepEqual(links.parse(''), { kind: 'none' });
  assert.deepEqual(links.parse('#daily'), { kind: 'daily' });
  assert.deepEqual(links.parse('#seed=12AB34&level=18').wanted, { mode: 'seed=12AB34', options: 'level=18', pieces: '', position: '' });
  assert.deepEqual(links.parse('#mode=garbage%3D4&options=level%3D18+no-flash').wanted.options, 'level=18 no-flash');
  assert.deepEqual(links.parse('#game=abc'), { kind: 'game', text: 'abc' });
  assert.deepEqual(links.parse('#race=abc'), { kind: 'race', text: 'abc' });
  assert.deepEqual(links.parse('#puzzle=AAA_-'), { kind: 'puzzle', link: 'AAA_-' });
  assert.deepEqual(links.parse('#review=AAA_-'), { kind: 'review', link: 'AAA_-' });
  assert.deepEqual(links.parse(`#${'a'.repeat(300_000)}`), { kind: 'none' });
  assert.deepEqual(links.parse('#content'), { kind: 'none' }, 'the skip link');
  const wanted = { mode: 'seed=12AB34', options: 'level=18', pieces: '', position: '' };
  assert.deepEqual(links.parse(`#${links.practice(wanted)}`).wanted, wanted);
});

test('a game comes out of its link as it went in, and a damaged link is refused', async () => {
  const chance = random(7);
  const bytes = Uint8Array.from({ length: 5000 }, () => Math.floor(chance() * 4));
  const text = await links.pack(bytes);
  assert.match(text, /^[\w-]+$/);
  assert.deepEqual(await links.unpack(text), bytes);
  for (const wrong of ['!', 'AAAA', text.slice(0, 40)]) await assert.rejects(links.unpack(wrong), /damaged/);
  const bomb = deflateRawSync(Buffer.alloc(8 << 20)).toString('base64url');
  await assert.rejects(links.unpack(bomb), /too large/);
});

test('a game is kept from its second piece on, once a second, and at its end', async () => {
  const written = [];
  const keeper = new Keeper({ file: async () => new Uint8Array(3), state: async () => new Uint8Array(2), write: async (game) => void written.push(game) }, 'x');
  const status = (more = {}, pieces = 5) => ({ computer: false, name: 'Maxout', crc32: '1', movie: null, game: { serial: 3, mode: 'tetris', options: 'level=18', score: 10, lines: 1, level: 18, startLevel: 18, playing: true, over: false, statistics: { pieces, tetris_rate: null }, stack: { rows: [] }, ...more } });
  assert.equal(await keeper.look(status({}, 1), 5000), false, 'one piece');
  keeper.resumed = { serial: 2, frame: 900 };
  assert.equal(keeper.wants({ ...status({ serial: 2 }, 0), frame: 900 }), false, 'a game that goes on, not yet');
  assert.equal(keeper.wants({ ...status({ serial: 2 }, 0), frame: 901 }), true, 'a game that is played on');
  assert.equal(await keeper.look(status(), 5000), true);
  assert.equal(await keeper.look(status(), 5500), false);
  assert.equal(await keeper.look(status(), 5600, true), true, 'the page goes away');
  assert.equal(await keeper.look({ ...status(), viewer: {} }, 9000), false, 'a game that is looked at');
  assert.equal(await keeper.look(status({ over: true, playing: false }), 9001), true);
  assert.equal(await keeper.look(status({ over: true, playing: false }), 99_000), false, 'the end is written once');
  assert.equal(new Set(written.map(({ id }) => id)).size, 1);
  assert.deepEqual(written.map(({ over }) => over), [false, false, true]);
  await keeper.look({ ...status({ serial: 4 }), computer: true }, 200_000);
  await keeper.look(status({ serial: 4 }), 300_000);
  assert.equal(written.at(-1).computer, true, 'the computer has played in it');
});

/** A ZIP archive of one file. */
function zip(name, bytes, packed = deflateRawSync(bytes), size = bytes.length) {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const directory = Buffer.alloc(46);
  directory.writeUInt32LE(0x02014b50, 0);
  directory.writeUInt16LE(8, 10);
  directory.writeUInt32LE(packed.length, 20);
  directory.writeUInt32LE(size, 24);
  directory.writeUInt16LE(name.length, 28);
  const at = 30 + name.length + packed.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(at, 16);
  return new Uint8Array(Buffer.concat([local, Buffer.from(name), packed, directory, Buffer.from(name), end]));
}

test('a ROM is taken out of an archive, and a damaged archive is refused', async () => {
  const rom = new Uint8Array(await readFile(new URL('../../../roms/maxout.nes', import.meta.url)));
  const found = await unzip('a.zip', zip('games/maxout.nes', rom), 1 << 20);
  assert.equal(found.name, 'maxout.nes');
  assert.deepEqual(found.bytes, rom);
  await assert.rejects(unzip('a.zip', zip('readme.txt', rom), 1 << 20), /expected a .nes/);
  await assert.rejects(unzip('a.zip', zip('a.nes', rom), 100), /damaged/);
  await assert.rejects(unzip('a.zip', zip('a.nes', rom, undefined, 100), 1 << 20), /damaged/);
  await assert.rejects(unzip('a.zip', zip('a.nes', rom, Buffer.alloc(9)), 1 << 20), /damaged/);
  const whole = zip('a.nes', rom);
  for (let length = 0; length < 200; length++) await assert.rejects(unzip('a.zip', whole.slice(0, length), 1 << 20));
});

test('of several files the ROM goes first, and an empty file is refused', async () => {
  const opened = [];
  const to = Object.fromEntries(['insert', 'watch', 'review', 'load', 'palette'].map((what) => [what, async (name) => void opened.push([what, name])]));
  const file = (name, text) => ({ name, size: text.length, arrayBuffer: async () => new TextEncoder().encode(text).buffer });
  await open([file('a.fm2', 'version 3'), file('b.nes', 'NES'), file('c.ngf.gz', 'x'), file('d.pal', 'x')], to);
  assert.deepEqual(opened, [['insert', 'b.nes'], ['palette', 'd.pal'], ['watch', 'a.fm2'], ['review', 'c.ngf.gz']]);
  await assert.rejects(open([file('empty.nes', '')], to), /empty.nes: an empty file/);
  assert.equal(kindOf('x', new TextEncoder().encode('MXGAME\x01')), 'game');
  assert.equal(kindOf('x.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47)), 'state');
});

test('keys go to the game whatever the mouse has chosen, and to a control that was reached by keys', () => {
  const focus = (tagName, type = '') => ({ tagName, type });
  assert.equal(leaves(null, null, 'Enter', true), true);
  for (const tag of ['BUTTON', 'SELECT', 'SUMMARY', 'A']) {
    assert.equal(leaves(focus(tag), null, 'Enter', false), true, `${tag} by mouse`);
    assert.equal(leaves(focus(tag), null, 'Enter', true), false, `${tag} by keys`);
    assert.equal(leaves(focus(tag), null, 'KeyX', true), true);
  }
  assert.equal(leaves(focus('SELECT'), null, 'ArrowDown', true), false);
  assert.equal(leaves(focus('BUTTON'), null, 'ArrowDown', true), true);
  assert.equal(leaves(focus('INPUT', 'text'), null, 'KeyX', false), false);
  assert.equal(leaves(focus('INPUT', 'checkbox'), null, 'KeyX', false), true);
});

test('the address of a room is a name, a name with a port or a whole address, and nothing else', () => {
  const here = { protocol: 'http:', hostname: 'here' };
  const secure = { protocol: 'https:', hostname: 'here.example' };
  assert.equal(addressOf('', here), 'ws://here:5053/room');
  assert.equal(addressOf(' ', secure), 'wss://here.example:5053/room');
  assert.equal(addressOf('example.org', secure), 'wss://example.org:5053/room');
  assert.equal(addressOf('example.org:6000', here), 'ws://example.org:6000/room');
  assert.equal(addressOf('[::1]', here), 'ws://[::1]:5053/room');
  assert.equal(addressOf('wss://example.org', here), 'wss://example.org/room');
  assert.equal(addressOf('wss://example.org:443/maxout', here), 'wss://example.org/maxout');
  for (const wrong of ['http://example.org', 'a b', 'ws://', 'user:word@example.org', 'example.org/?x', 'example.org/#x', 'javascript:alert(1)', 'x'.repeat(301)]) {
    assert.throws(() => addressOf(wrong, here), /room/, wrong);
  }
});

/** A machine's end of a room, a socket that does what it is told, and a clock that is moved by hand. */
function roomed() {
  const sockets = [];
  const timers = new Map();
  let next = 0;
  const machine = { come: [], going: [], cuts: 0, match_take(message) { this.come.push([...message]); }, match_next() { return this.going.shift(); }, match_cut() { this.cuts++; } };
  const open = (address) => {
    const socket = { address, sent: [], closed: 0, bufferedAmount: 0, send(message) { this.sent.push(message); }, close() { this.closed++; } };
    sockets.push(socket);
    return socket;
  };
  const waits = [];
  const clock = {
    later(work, after) {
      timers.set(++next, work);
      waits.push(after);
      return next;
    },
    never: (timer) => timers.delete(timer),
  };
  const elapse = () => {
    const due = [...timers.entries()];
    assert.equal(due.length, 1, 'one thing is waited for');
    timers.delete(due[0][0]);
    due[0][1]();
  };
  return { room: new Room('ws://here/room', machine, open, clock), machine, sockets, elapse, waits, timers };
}

test('messages of a room go both ways, and what is too long, of another kind or too much is lost', () => {
  const { room, machine, sockets: [socket] } = roomed();
  machine.going.push(new Uint8Array([1]));
  room.pump();
  assert.deepEqual(socket.sent, [], 'not before it is open');
  socket.onopen();
  room.pump();
  assert.deepEqual(socket.sent, [new Uint8Array([1])]);
  socket.onmessage({ data: new Uint8Array([7, 8]).buffer });
  socket.onmessage({ data: 'text' });
  socket.onmessage({ data: new ArrayBuffer(1025) });
  assert.deepEqual(machine.come, [[7, 8]]);
  socket.bufferedAmount = 100_000;
  machine.going.push(new Uint8Array([2]));
  room.pump();
  assert.equal(socket.sent.length, 1, 'a server that does not read is sent no more');
  assert.equal(machine.going.length, 0);
});

test('a room that is cut is connected anew, later and later, until it is closed', () => {
  const { room, machine, sockets, elapse, waits, timers } = roomed();
  sockets[0].onopen();
  sockets[0].onclose();
  sockets[0].onerror();
  assert.equal(machine.cuts, 1);
  for (let count = 1; count <= 6; count++) {
    assert.ok(!room.isOpen && room.failed === count);
    elapse();
    assert.equal(sockets.length, count + 1);
    // One that never opens is given up by the clock, one that is refused at once.
    if (count % 2 === 0) elapse();
    else sockets[count].onerror();
    assert.equal(sockets[count].closed, 1);
  }
  const between = waits.filter((wait) => wait < 8000);
  assert.deepEqual(between, [250, 500, 1000, 2000, 4000, 4000, 4000]);
  elapse();
  const last = sockets[sockets.length - 1];
  sockets[0].onmessage({ data: new ArrayBuffer(3) });
  assert.equal(machine.come.length, 0, 'an old connection says nothing');
  last.onopen();
  assert.ok(room.isOpen && room.failed === 0);
  machine.going.push(new Uint8Array([9]));
  room.close();
  assert.deepEqual(last.sent, [new Uint8Array([9])], 'the last word is sent');
  last.onclose();
  assert.ok(last.closed === 1 && timers.size === 0, 'nothing comes after the end');
});

test('a link invites to a match, and a file of one is known', () => {
  assert.deepEqual(links.parse('#match=bado-kimu-tapi-zolu&room=example.org'), { kind: 'match', code: 'bado-kimu-tapi-zolu', room: 'example.org', watch: false });
  assert.deepEqual(links.parse('#match=a&watch'), { kind: 'match', code: 'a', room: '', watch: true });
  assert.equal(links.parse(`#match=${'x'.repeat(100)}&room=${'y'.repeat(1000)}`).room.length, 300);
  assert.equal(kindOf('any', new TextEncoder().encode('maxout-match 1\n')), 'match');
});

test('the plan of the day says what is due and what the last games advise', () => {
  const plan = { streak: 3, daily: null, due: 2, advice: { title: 'Left taps at level 19', reason: '20.0 Hz needed, you make 17.2', mode: 'tap=10', level: 19 }, seed: { mode: 'seed=ABCDEF', name: 'ABCDEF' } };
  assert.deepEqual(lines(plan, [1_000, 25_000]), {
    streak: '3 days in a row', today: 'Not answered yet', due: '2 are due again', advised: '20.0 Hz needed, you make 17.2', daily: 'ABCDEF: best today 25,000',
  });
  const done = lines({ ...plan, streak: 1, daily: 'failed', due: 0 }, []);
  assert.deepEqual([done.streak, done.today, done.due, done.daily], ['1 day in a row', 'Failed today, due tomorrow', 'None is due: try a new one', 'ABCDEF: not played yet']);
});

/** Texts of the browser and not of the page. */
const OF_THE_BROWSER = ['blocked an inline style'];

test('keys have the names that are printed on them', () => {
  const codes = ['KeyX', 'Digit3', 'ArrowUp', 'ShiftRight', 'NumpadEnter', 'Numpad4', 'PageUp', 'BracketLeft', 'F10', 'Enter'];
  assert.deepEqual(codes.map(keyName), ['X', '3', '↑', 'Right Shift', 'Numpad Enter', 'Numpad 4', 'Page Up', '[', 'F10', 'Enter']);
});

test('scenarios wait for texts that page or program have', async () => {
  const read = async (/** @type {string} */ folder, /** @type {RegExp} */ kind) => {
    const root = new URL(`../../${folder}/`, import.meta.url);
    const names = (await readdir(root, { recursive: true })).filter((name) => kind.test(name) && !name.includes('test'));
    return Promise.all(names.map((name) => readFile(new URL(name.split(path.sep).join('/'), root), 'utf8')));
  };
  const crates = ['web', 'emulator', 'netplay', 'maxout', 'stream', 'cli', 'review', 'puzzle', 'practice'];
  const texts = [...await read('web/www', /\.(js|html)$/), ...(await Promise.all(crates.map((name) => read(`${name}/src`, /\.rs$/)))).flat()];
  // A text goes over lines in Rust, and begins with a capital where the page shows it.
  const all = texts.join('\n').replace(/\\\n\s*/g, '').toLowerCase();
  const waits = (await read('web/browser', /(?<!logic\.test)\.mjs$/)).flatMap((text) => [...text.matchAll(/\b(?:say|includes|startsWith|getByText|after|heard)\((?:[\w.]+, )?'([^'\n]+)'/g)]);
  // Numbers are filled in, and addresses and codes are no texts.
  const words = waits.map(([, text]) => text).filter((text) => /[a-z]{3}/i.test(text) && !/[0-9_/#]/.test(text) && !OF_THE_BROWSER.some((own) => text.startsWith(own)));
  assert.ok(words.length > 20, `${words.length}`);
  assert.deepEqual(words.filter((text) => !all.includes(text.toLowerCase())), []);
});
