// The page in headless Chromium, and its modules in Node: `cargo xtask web --test` starts this with everything it needs in
// the environment. It prints a line for each check and ends with an error at the first that fails.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const { MAXOUT_PACKAGES, MAXOUT_PAGE, MAXOUT_ISOLATED, MAXOUT_BARE, MAXOUT_ROOT, MAXOUT_PICTURES, MAXOUT_CHROMIUM } = process.env;
const require = createRequire(path.join(MAXOUT_PACKAGES, 'package.json'));
const { chromium } = require('playwright-core');
/** Seconds that the sound is listened to. */
const LISTEN = Number(process.env.MAXOUT_LISTEN ?? 20);
const FRAME_RATE = 39375000 / 655171;

const movie = await readFile(path.join(MAXOUT_ROOT, 'tests/movies/game.fm2'));
const image = await readFile(path.join(MAXOUT_ROOT, 'roms/maxout.nes'));
const slow = path.join(MAXOUT_ROOT, 'roms/maxout-slow.nes');

/** @param {string} name @param {unknown} [figure] */
const done = (name, figure = '') => console.log(`ok  ${name}${figure === '' ? '' : `: ${figure}`}`);
const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Seconds of processor time that the processes below this one have taken: a busy machine has fewer of them than the clock. */
function processorTime() {
  const processes = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
      processes.set(Number(pid), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) });
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOurs = (pid) => pid === process.pid || (processes.has(pid) && pid > 1 && isOurs(processes.get(pid).parent));
  let ticks = 0;
  for (const [pid, { ticks: own }] of processes) if (pid !== process.pid && isOurs(pid)) ticks += own;
  return ticks / 100;
}

/** Runs what says how many frames it ran, and has both figures. */
async function speedOf(work) {
  const [begun, before] = [performance.now(), processorTime()];
  const frames = await work();
  const [seconds, taken] = [(performance.now() - begun) / 1000, processorTime() - before];
  return `${Math.round(frames / seconds)} frames/s, ${Math.round(frames / taken)} a second of processor time, the whole browser's`;
}

/** Waits until the page says so. */
async function until(page, condition, argument, limit = 30_000) {
  await page.waitForFunction(condition, argument, { timeout: limit, polling: 50 });
}

// In Node: both modules, one script.

const { initSync, Player } = await import(pathToFileURL(path.join(MAXOUT_PAGE, 'maxout.js')));
/** The hash that the native test has, by the same movie. @type {string} */
let expected = '';
for (const name of ['maxout_bg.wasm', 'maxout-plain_bg.wasm']) {
  // A module of its own each time: the script remembers the first.
  const copy = await import(`${pathToFileURL(path.join(MAXOUT_PAGE, 'maxout.js'))}?${name}`);
  copy.initSync({ module: await readFile(path.join(MAXOUT_PAGE, name)) });
  const player = new copy.Player(48000);
  const length = player.play_movie('game.fm2', movie);
  const begun = performance.now();
  for (let frame = 0; frame < length; frame++) player.frame(0, 0);
  const speed = Math.round(length / ((performance.now() - begun) / 1000));
  const hash = player.state_hash();
  expected ||= hash;
  assert.equal(hash, expected);
  done(`Node, ${name}: ${length} frames of game.fm2 give ${hash}`, `${speed} frames/s`);
}
if (process.env.MAXOUT_PROGRAM) {
  const text = execFileSync(process.env.MAXOUT_PROGRAM, ['run', '--input', path.join(MAXOUT_ROOT, 'tests/movies/game.fm2'), '--no-video', '--no-sound', '--json'], { encoding: 'utf8' });
  assert.equal(JSON.parse(text).state, expected);
  done('maxout run --input game.fm2 gives the same');
}

const browser = await chromium.launch({
  executablePath: MAXOUT_CHROMIUM.includes('/') ? MAXOUT_CHROMIUM : execFileSync('which', [MAXOUT_CHROMIUM], { encoding: 'utf8' }).trim(),
  args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
});

/** Opens the page, and fails the test with whatever it complains of. */
async function open(address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(address);
  await until(page, () => document.documentElement.dataset.ready !== undefined);
  return { context, page, complaints };
}

/** @param {import('playwright-core').Page} page */
const status = (page) => page.evaluate(() => globalThis.maxout.ask('status'));

try {
  // The isolated page: first picture, hash, speed.
  {
    const { context, page, complaints } = await open(MAXOUT_ISOLATED);
    await until(page, () => document.documentElement.dataset.pictures !== undefined);
    const first = Number(await page.evaluate(() => document.documentElement.dataset.pictures));
    done('first picture after', `${first} ms`);
    assert.equal(await page.evaluate(() => globalThis.maxout.isolated), true, 'the page is isolated');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.ready), 'simd');
    for (const drawn of [false, true]) {
      const speed = await speedOf(async () => {
        const measured = await page.evaluate(async ([text, drawn]) => globalThis.maxout.ask('measure', new TextEncoder().encode(text), drawn), [movie.toString('latin1'), drawn]);
        assert.equal(measured.hash, expected);
        return measured.frames;
      });
      done(`Chromium, SIMD, ${drawn ? 'painted' : 'not painted'}: the same hash`, speed);
    }
    assert.deepEqual(complaints, []);
    await context.close();
  }
  {
    const { context, page, complaints } = await open(`${MAXOUT_ISOLATED}?plain`);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.ready), 'plain');
    const speed = await speedOf(async () => {
      const measured = await page.evaluate(async (text) => globalThis.maxout.ask('measure', new TextEncoder().encode(text), true), movie.toString('latin1'));
      assert.equal(measured.hash, expected);
      return measured.frames;
    });
    done('Chromium, without SIMD, painted: the same hash', speed);
    assert.deepEqual(complaints, []);
    await context.close();
  }

  // A peer on the same ROM, in the same browser.
  try {
    const peer = await readFile(path.join(MAXOUT_PACKAGES, 'jsnes/dist/jsnes.min.js'), 'utf8');
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    await page.goto(MAXOUT_ISOLATED);
    await page.addScriptTag({ content: peer });
    await page.evaluate((rom) => {
      const nes = new globalThis.jsnes.NES({ onFrame() {}, onAudioSample() {} });
      nes.loadROM(rom);
      for (let frame = 0; frame < 300; frame++) nes.frame();
      globalThis.peer = nes;
    }, image.toString('latin1'));
    done('jsnes on the built-in cartridge', await speedOf(() => page.evaluate(() => {
      for (let frame = 0; frame < 600; frame++) globalThis.peer.frame();
      return 600;
    })));
    await context.close();
  } catch (error) {
    console.log(`--  jsnes could not be measured: ${error.message.split('\n')[0]}`);
  }

  // Sound, both ways: shared memory, and messages on a host without headers.
  for (const [address, shared] of [[MAXOUT_ISOLATED, true], [MAXOUT_BARE, false]]) {
    const { context, page, complaints } = await open(address);
    assert.equal(await page.evaluate(() => globalThis.maxout.isolated), shared);
    await page.click('#screen');
    await page.keyboard.press('ArrowLeft');
    await until(page, () => globalThis.maxout.sound?.sounding);
    await wait(2_000);
    // The status is a message that was sent with a frame: until the next one comes, the count stands still and the clock does not.
    const look = () => page.evaluate(() => new Promise((resolve) => {
      globalThis.maxout.machine.addEventListener('status', () => setTimeout(() => {
        resolve({ ...globalThis.maxout.sound, at: globalThis.maxout.played });
      }), { once: true });
    }));
    const before = await look();
    assert.equal(before.shared, shared);
    await wait(LISTEN * 1000);
    const after = await look();
    const rate = (after.frames - before.frames) / (after.at - before.at);
    const missing = after.missing - before.missing;
    // One report is six frames, and as much is in the queue.
    assert.ok(Math.abs(rate - FRAME_RATE) < 12 / LISTEN, `${rate} frames/s`);
    assert.ok(missing < 48_000 * LISTEN * 0.1, `${missing} samples missing`);
    done(`sound by ${shared ? 'shared memory' : 'messages'}, ${LISTEN} s`, `${rate.toFixed(3)} frames a second of sound, ${missing} samples missing`);
    assert.deepEqual(complaints, []);
    await context.close();
  }

  // By keys alone: into a game, move, save, load, pause; and what the page refuses.
  {
    const { context, page, complaints } = await open(MAXOUT_ISOLATED);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter'); // the skip link
    await page.focus('#screen');
    for (let press = 0; press < 60 && !(await status(page)).game.playing; press++) {
      await page.keyboard.down('Enter');
      await wait(120);
      await page.keyboard.up('Enter');
      await wait(400);
    }
    assert.equal((await status(page)).game.playing, true, 'Enter leads into a game');
    await page.keyboard.down('ArrowLeft');
    await until(page, () => globalThis.maxout.status.held === 2);
    await page.keyboard.up('ArrowLeft');
    await page.keyboard.down('ArrowDown');
    await until(page, () => globalThis.maxout.status.game.statistics.pieces >= 2, undefined, 60_000);
    await page.keyboard.up('ArrowDown');
    done('a game is played by keys');
    await page.screenshot({ path: path.join(MAXOUT_PICTURES, 'desktop.png') });

    await page.keyboard.press('F5');
    await until(page, () => document.getElementById('message').textContent.startsWith('Saved'));
    const saved = (await status(page)).game.statistics.counts;
    await page.keyboard.down('ArrowDown');
    await wait(2_500);
    await page.keyboard.up('ArrowDown');
    await page.keyboard.press('p');
    await until(page, () => document.getElementById('pause').getAttribute('aria-pressed') === 'true');
    await page.keyboard.press('F8');
    await until(page, () => document.getElementById('message').textContent.startsWith('Loaded'));
    const loaded = await status(page);
    assert.ok(loaded.game.playing);
    done('a state is saved, loaded, and the machine rests', `${saved.join(' ')}`);
    const rest = loaded.frame;
    await wait(500);
    assert.equal((await status(page)).frame, rest, 'it rests');
    await page.keyboard.press('n');
    await until(page, (frame) => globalThis.maxout.status.frame === frame + 1, rest);
    done('one frame');
    await page.keyboard.press('p');
    await page.keyboard.down('q');
    await wait(600);
    await page.keyboard.up('q');
    done('rewind', `to frame ${(await status(page)).frame}`);

    // Another key for A.
    await page.evaluate(() => { document.getElementById('settings-panel').open = true; });
    await page.click('[data-action=a]');
    await page.keyboard.press('KeyK');
    await page.focus('#screen');
    await page.keyboard.down('k');
    await until(page, () => (globalThis.maxout.status.held & 128) === 128);
    await page.keyboard.up('k');
    done('keys can be chosen');
    await page.keyboard.down('Numpad4');
    await until(page, () => globalThis.maxout.status.held2 === 2);
    await page.keyboard.up('Numpad4');
    await until(page, () => globalThis.maxout.status.held2 === 0);
    done('the second player has keys');

    await page.setInputFiles('#file', { name: 'holiday.nes', mimeType: 'application/octet-stream', buffer: Buffer.from('not a cartridge at all') });
    await until(page, () => document.getElementById('message').classList.contains('bad'));
    const refused = await page.textContent('#message');
    assert.match(refused, /^holiday\.nes: /);
    done('a file that is no ROM is refused', refused);
    await page.setInputFiles('#file', { name: 'games.zip', mimeType: 'application/zip', buffer: Buffer.from('PK\x03\x04 and so on') });
    await until(page, () => document.getElementById('message').textContent.startsWith('games.zip: an archive'));
    done('an archive is refused with what to do');
    await page.setInputFiles('#file', slow);
    await until(page, () => globalThis.maxout.status.name === 'maxout-slow.nes');
    done('another ROM plays');
    assert.deepEqual(complaints, []);
    await context.close();
  }

  // Practice by a link, undo, the computer, statistics, debugger.
  {
    const { context, page, complaints } = await open(`${MAXOUT_ISOLATED}#mode=garbage%3D4&options=level%3D18`);
    await until(page, () => globalThis.maxout.status?.game?.mode === 'garbage=4');
    await page.evaluate(() => { for (const id of ['game-panel', 'practice-panel', 'computer-panel']) document.getElementById(id).open = true; });
    await page.click('#computer');
    await until(page, () => globalThis.maxout.status.game.statistics.pieces >= 8, undefined, 90_000);
    const before = (await status(page)).game.undo;
    await page.click('#computer');
    await page.click('#undo');
    await until(page, (before) => globalThis.maxout.status.game.undo <= before, before);
    done('a link begins a practice mode, the computer plays it, a piece is taken back', `${before} to take back`);
    await page.screenshot({ path: path.join(MAXOUT_PICTURES, 'practice.png') });
    await page.evaluate(() => { document.getElementById('debugger-panel').open = true; });
    for (const view of ['nametables', 'patterns', 'sprites', 'palettes', 'ram', 'registers', 'game']) {
      await page.selectOption('#view', view);
      await until(page, (view) => {
        const text = document.getElementById('view-text');
        return ['nametables', 'patterns'].includes(view) ? !document.getElementById('view-picture').hidden : text.textContent.length > 20;
      }, view);
    }
    await page.selectOption('#view', 'nametables');
    await wait(400);
    await page.locator('#debugger-panel').screenshot({ path: path.join(MAXOUT_PICTURES, 'debugger.png') });
    done('the debugger shows its views');
    assert.deepEqual(complaints, []);
    await context.close();
  }

  // Against the computer.
  {
    const { context, page, complaints } = await open(MAXOUT_ISOLATED);
    await page.evaluate(() => globalThis.maxout.ask('set_versus', 12));
    await page.evaluate(() => globalThis.maxout.ask('practise', 'tetris', 'level=9', '', ''));
    await page.focus('#screen');
    await until(page, () => globalThis.maxout.status?.versus?.playing && !document.getElementById('rival').hidden, undefined, 60_000);
    await wait(3_000);
    await page.screenshot({ path: path.join(MAXOUT_PICTURES, 'versus.png') });
    done('the computer plays beside the player');
    assert.deepEqual(complaints, []);
    await context.close();
  }

  // The viewer and the coach.
  {
    const { context, page, complaints } = await open(MAXOUT_ISOLATED);
    await page.setInputFiles('#file', { name: 'game.fm2', mimeType: 'text/plain', buffer: movie });
    await until(page, () => document.querySelectorAll('#worst li').length > 0, undefined, 120_000);
    const report = await page.evaluate(() => globalThis.maxout.ask('report'));
    assert.equal(report.state, expected);
    done('a movie is replayed to the native hash and reviewed', `${report.reviewed} placements`);
    await page.click('#worst li button');
    await wait(500);
    await page.screenshot({ path: path.join(MAXOUT_PICTURES, 'coach.png') });
    assert.deepEqual(complaints, []);
    await context.close();
  }

  // A phone: touch controls.
  {
    const { context, page, complaints } = await open(MAXOUT_ISOLATED, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
    await until(page, () => !document.getElementById('touch').hidden);
    const box = await page.locator('[data-pad=left]').boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 390 && box.width >= 44, 'a finger hits it');
    await page.dispatchEvent('[data-pad=left]', 'pointerdown', { pointerId: 1, clientX: box.x + 10, clientY: box.y + 10, buttons: 1, bubbles: true });
    await until(page, () => globalThis.maxout.status.held === 2);
    await page.dispatchEvent('[data-pad=left]', 'pointerup', { pointerId: 1, bubbles: true });
    await until(page, () => globalThis.maxout.status.held === 0);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `the page is ${wide} wide`);
    done('touch controls hold a button');
    await page.screenshot({ path: path.join(MAXOUT_PICTURES, 'phone.png') });
    assert.deepEqual(complaints, []);
    await context.close();
  }

  // Without a network, once it was there.
  {
    const { context, page, complaints } = await open(MAXOUT_ISOLATED);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    await until(page, () => document.documentElement.dataset.ready !== undefined && navigator.serviceWorker.controller !== null);
    await context.setOffline(true);
    await page.reload();
    await until(page, () => document.documentElement.dataset.pictures !== undefined);
    await until(page, () => (globalThis.maxout.status?.frame ?? 0) > 60);
    assert.equal(await page.evaluate(() => globalThis.maxout.isolated), true);
    done('works without a network');
    assert.deepEqual(complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED')), []);
    await context.close();
  }
  console.log(`pictures: ${MAXOUT_PICTURES}`);
} finally {
  await browser.close();
}
