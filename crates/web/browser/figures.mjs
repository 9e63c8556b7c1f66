// What takes time, beside its bar: the first picture, a key until its picture, and the processor of the page's own process
// beside a peer's. A busy machine misses these bars, so they are printed, and only what cannot depend on it is asserted.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { MAXOUT_BARE, MAXOUT_ISOLATED, MAXOUT_PACKAGES, assert, browser, browserName, done, image, open, play, processorTime, until, wait } from './support.mjs';

/** First visits of each kind, and presses of a key. */
const VISITS = 5, PRESSES = 40;
/** Milliseconds to the first picture, at full speed and with a processor that is so many times slower. */
const BARS = /** @type {[number, number][]} */ ([[1, 500], [6, 1300]]);
/** Seconds in which a process is watched. */
const WATCHED = 20;
/** The process that a page has: Chromium's renderer, or one of Firefox' for content. */
const OWN = /--type=renderer|-contentproc.*\btab$/;

/** @param {number[]} values */
const median = (values) => [...values].sort((one, other) => one - other)[values.length >> 1];
/** @param {number} value @param {number} bar */
const beside = (value, bar) => `${value <= bar ? 'within' : 'beyond'} the bar of ${bar}`;

/** The first picture of a first visit, in milliseconds since the navigation. */
export async function first() {
  for (const [slower, bar] of BARS) {
    // Only Chromium can be made slower.
    if (slower > 1 && browserName === 'Firefox') continue;
    const times = [];
    for (let visit = 0; visit < VISITS; visit++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      if (slower > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slower });
      await page.goto(MAXOUT_ISOLATED);
      await until(page, () => document.documentElement.dataset.pictures !== undefined);
      times.push(Number(await page.evaluate(() => document.documentElement.dataset.pictures)));
      await context.close();
    }
    const middle = median(times);
    done(`first picture${slower > 1 ? `, ${slower} times slower` : ''}`, `${middle} ms in the middle of ${times.join(', ')}; ${beside(middle, bar)}`);
  }
}

/** From a key to the first picture that it changes. */
export async function latency() {
  const { context, page, complaints } = await open(MAXOUT_ISOLATED);
  const middles = [];
  for (const ahead of [0, 1]) {
    await page.evaluate((ahead) => globalThis.maxout.ask('set_ahead', ahead), ahead);
    // At level 0 a piece falls every 48 frames: what moves in between is the key's doing.
    await play(page, 0);
    await page.click('#screen');
    const times = await page.evaluate(async (presses) => {
      const { screen, app } = globalThis.maxout;
      const put = screen.put;
      /** The playfield, as the picture has it. */
      const field = (/** @type {ArrayBuffer} */ picture) => {
        const words = new Uint32Array(picture, 0, 256 * 240);
        let sum = 0;
        for (let y = 40; y < 200; y++) for (let x = 96; x < 176; x++) sum = (Math.imul(sum, 31) + words[y * 256 + x]) | 0;
        return sum;
      };
      let last = 0;
      /** @type {((at: number) => void) | null} */
      let changed = null;
      screen.put = (/** @type {ArrayBuffer} */ picture) => {
        const sum = field(picture);
        put(picture);
        if (sum !== last) changed?.(performance.now());
        last = sum;
      };
      const change = () => new Promise((resolve) => { changed = resolve; });
      const rest = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
      const key = (/** @type {string} */ kind, /** @type {string} */ code) => document.getElementById('screen').dispatchEvent(new KeyboardEvent(kind, { code, key: code, bubbles: true }));
      const times = [];
      for (let press = 0; times.length < presses && press < 3 * presses; press++) {
        if (!app.status.game.playing) await app.play({ mode: 'tetris', options: 'level=0', pieces: '', position: '' });
        const { piece } = app.status.game;
        await change();
        // After a fall, at any moment between two refreshes.
        await rest(100 + 200 * Math.random());
        // One side, then the other.
        const code = press % 2 === 0 ? 'ArrowLeft' : 'ArrowRight';
        const begun = performance.now();
        const seen = change();
        key('keydown', code);
        const time = (await seen) - begun;
        await rest(40);
        key('keyup', code);
        // What came late is a piece that fell, or a new one.
        if (time < 200 && app.status.game.piece === piece) times.push(time);
      }
      screen.put = put;
      return times;
    }, PRESSES);
    assert.ok(times.length >= PRESSES / 2, `${times.length} presses have moved a piece`);
    middles.push(median(times));
    const high = [...times].sort((one, other) => one - other)[Math.floor(0.9 * times.length)];
    done(`key to picture, run-ahead ${ahead}`, `${median(times).toFixed(1)} ms in the middle, nine tenths within ${high.toFixed(1)} ms, of ${times.length} presses`);
  }
  done('a frame is run ahead as a rule', `${await page.evaluate(() => globalThis.maxout.app.settings.ahead)}: ${(middles[0] - middles[1]).toFixed(1)} ms sooner`);
  assert.equal(await page.evaluate(() => globalThis.maxout.app.settings.ahead), 1);
  assert.deepEqual(complaints, []);
  await context.close();
}

/** Shares of a core that the page's own process takes. */
async function watched() {
  const before = processorTime(OWN);
  await wait(WATCHED * 1000);
  return (100 * (processorTime(OWN) - before)) / WATCHED;
}

/** The page's processor at 60 frames a second with sound, beside that of a peer. */
export async function cost() {
  const script = await readFile(path.join(MAXOUT_PACKAGES, 'jsnes/dist/jsnes.min.js'), 'utf8');
  const { context, page, complaints } = await open(MAXOUT_ISOLATED);
  await play(page, 0);
  await page.click('#screen');
  await until(page, () => globalThis.maxout.sound?.sounding);
  const frames = () => page.evaluate(() => globalThis.maxout.sound.frames);
  await wait(2_000);
  const before = await frames();
  const own = await watched();
  const rate = ((await frames()) - before) / WATCHED;
  assert.ok(rate > 30, `${rate} frames a second`);
  const size = await page.locator('#screen').boundingBox();
  assert.deepEqual(complaints, []);
  await context.close();
  done('the page with sound', `${own.toFixed(1)} % of a core in its process, ${rate.toFixed(1)} frames/s`);

  // The peer as its own example plays: a frame for each refresh, a picture of the same size, sound by a queue.
  const other = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const peer = await other.newPage();
  // A page without a policy of its own, so that the peer may be put into it.
  await peer.goto(`${MAXOUT_BARE}LICENSE-MIT`);
  await peer.addScriptTag({ content: script });
  await peer.evaluate(({ rom, width, height }) => {
    document.body.replaceChildren();
    const canvas = document.body.appendChild(document.createElement('canvas'));
    [canvas.width, canvas.height] = [256, 240];
    [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
    const brush = canvas.getContext('2d', { alpha: false });
    const picture = brush.createImageData(256, 240);
    const words = new Uint32Array(picture.data.buffer);
    const sound = new AudioContext();
    const queue = new Float32Array(1 << 14);
    let [written, read] = [0, 0];
    const speaker = sound.createScriptProcessor(1024, 0, 2);
    speaker.onaudioprocess = ({ outputBuffer }) => {
      const [left, right] = [outputBuffer.getChannelData(0), outputBuffer.getChannelData(1)];
      for (let at = 0; at < left.length; at++) left[at] = right[at] = read < written ? queue[read++ & (queue.length - 1)] : 0;
    };
    speaker.connect(sound.destination);
    sound.resume();
    const nes = new globalThis.jsnes.NES({
      sampleRate: sound.sampleRate,
      onFrame(/** @type {number[]} */ buffer) {
        for (let at = 0; at < words.length; at++) words[at] = 0xff000000 | buffer[at];
        brush.putImageData(picture, 0, 0);
      },
      onAudioSample(/** @type {number} */ left) { queue[written++ & (queue.length - 1)] = left; },
    });
    nes.loadROM(rom);
    globalThis.peerFrames = 0;
    const tick = () => {
      requestAnimationFrame(tick);
      nes.frame();
      globalThis.peerFrames++;
    };
    tick();
  }, { rom: image.toString('latin1'), width: Math.round(size.width), height: Math.round(size.height) });
  await wait(2_000);
  const begun = await peer.evaluate(() => globalThis.peerFrames);
  const theirs = await watched();
  const theirRate = ((await peer.evaluate(() => globalThis.peerFrames)) - begun) / WATCHED;
  done('jsnes with sound', `${theirs.toFixed(1)} % of a core in its process, ${theirRate.toFixed(1)} frames/s`);
  // Both for as many frames.
  const [perFrame, theirsPerFrame] = [own / rate, theirs / theirRate];
  done('the page beside jsnes, a frame', `${(perFrame / theirsPerFrame).toFixed(2)} times its processor; ${perFrame <= theirsPerFrame ? 'within' : 'beyond'} the bar of 1`);
  await other.close();
}
