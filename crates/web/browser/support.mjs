// What the browser tests share: the environment of `cargo xtask web --test`, the browser, and processor time.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { silentDevice } from './device.mjs';

export const { MAXOUT_PACKAGES, MAXOUT_PAGE, MAXOUT_ISOLATED, MAXOUT_BARE, MAXOUT_ROOT, MAXOUT_PICTURES, MAXOUT_CHROMIUM, MAXOUT_FIREFOX } = process.env;
export const require = createRequire(path.join(MAXOUT_PACKAGES, 'package.json'));
const { chromium, firefox } = require(MAXOUT_FIREFOX ? 'playwright-firefox' : 'playwright-core');
export const browserName = MAXOUT_FIREFOX ? 'Firefox' : 'Chromium';
/** Seconds that the sound is listened to. */
export const LISTEN = Number(process.env.MAXOUT_LISTEN ?? 20);

export const movie = await readFile(path.join(MAXOUT_ROOT, 'tests/movies/game.fm2'));
export const named = await readFile(path.join(MAXOUT_ROOT, 'tests/movies/maxout.fm2'));
export const image = await readFile(path.join(MAXOUT_ROOT, 'roms/maxout.nes'));
export const slow = path.join(MAXOUT_ROOT, 'roms/maxout-slow.nes');

/** The hash of the state after game.fm2, by the module in Node; a native test has the same. @type {Promise<string> | undefined} */
let hash;
export const expected = () => (hash ??= (async () => {
  const { initSync, Player } = await import(`${pathToFileURL(path.join(MAXOUT_PAGE, 'maxout.js'))}`);
  initSync({ module: await readFile(path.join(MAXOUT_PAGE, 'maxout_bg.wasm')) });
  const player = new Player(48_000);
  const length = player.play_movie('game.fm2', movie);
  for (let frame = 0; frame < length; frame++) player.frame(0, 0);
  return player.state_hash();
})());

/** @param {string} name @param {unknown} [figure] */
export const done = (name, figure = '') => console.log(`ok  ${name}${figure === '' ? '' : `: ${figure}`}`);
export const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Seconds of processor time that the processes below this one have taken: a busy machine has fewer of them than the clock. @param {RegExp} [command] only those whose command line is such */
export function processorTime(command = undefined) {
  const processes = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
      const counts = !command || command.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim());
      processes.set(Number(pid), { parent: Number(fields[1]), ticks: counts ? Number(fields[11]) + Number(fields[12]) : 0 });
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
export async function speedOf(work) {
  const [begun, before] = [performance.now(), processorTime()];
  const frames = await work();
  const [seconds, taken] = [(performance.now() - begun) / 1000, processorTime() - before];
  return `${Math.round(frames / seconds)} frames/s, ${Math.round(frames / taken)} a second of processor time, the whole browser's`;
}

/** Waits until the page says so. */
export async function until(page, condition, argument, limit = 60_000) {
  await page.waitForFunction(condition, argument, { timeout: limit, polling: 50 });
}

/** @param {string} program */
const found = (program) => (program.includes('/') ? program : execFileSync('which', [program], { encoding: 'utf8' }).trim());

const environment = MAXOUT_FIREFOX ? await silentDevice() : undefined;

/** Firefox as it is installed, by WebDriver BiDi, or Chromium. @param {string[]} more arguments of Chromium @param {Record<string, unknown>} preferences of Firefox */
export const launch = (more = [], preferences = {}) => (MAXOUT_FIREFOX ? firefox.launch({
  channel: 'moz-firefox',
  executablePath: found(MAXOUT_FIREFOX),
  env: environment,
  firefoxUserPrefs: { 'media.autoplay.default': 0, 'media.autoplay.blocking_policy': 0, ...preferences },
}) : chromium.launch({
  executablePath: found(MAXOUT_CHROMIUM),
  args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', ...more],
}));
export const browser = await launch();

/** Opens the page, and fails the test with whatever it complains of. */
export async function open(address, options = {}, context = undefined) {
  context ??= await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  const complain = (/** @type {string} */ text) => {
    // The tool that drives Firefox adds a style of its own to the page, which the page's policy refuses.
    if (!(MAXOUT_FIREFOX && text.includes('blocked an inline style (style-src-elem)'))) complaints.push(text);
  };
  page.on('pageerror', (error) => complain(error.message));
  page.on('console', (message) => message.type() === 'error' && complain(message.text()));
  await page.goto(address);
  await until(page, () => document.documentElement.dataset.ready !== undefined);
  return { context, page, complaints };
}

/** @param {import('playwright-core').Page} page */
export const status = (page) => page.evaluate(() => globalThis.maxout.ask('status'));

/** Begins a game from the first section. @param {import('playwright-core').Page} page */
export async function play(page, level = 18) {
  await page.evaluate((level) => globalThis.maxout.app.play({ mode: 'tetris', options: `level=${level}`, pieces: '', position: '' }), level);
  await until(page, () => globalThis.maxout.status?.game?.playing);
}

/** Drops pieces until there are so many, by many presses: one that comes between two pieces moves neither. @param {import('playwright-core').Page} page @param {number} pieces */
export async function drop(page, pieces) {
  const count = () => page.evaluate(() => globalThis.maxout.status.game.statistics.pieces);
  for (let presses = 0; (await count()) < pieces; presses++) {
    assert.ok(presses < 300, `no piece is dropped: ${await count()} of ${pieces}`);
    await page.keyboard.down('ArrowDown');
    await wait(200);
    await page.keyboard.up('ArrowDown');
    await wait(60);
  }
}

/** The bytes of the file that the page gives to save when this is done. Firefox tells nobody of downloads: there it is what the page hands over. @param {import('playwright-core').Page} page @param {() => Promise<void>} act */
export async function saved(page, act) {
  if (!MAXOUT_FIREFOX) {
    const [file] = await Promise.all([page.waitForEvent('download'), act()]);
    return readFile(await file.path());
  }
  await page.evaluate(() => {
    globalThis.given = undefined;
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => make.call(URL, globalThis.given = blob);
  });
  await act();
  await until(page, () => globalThis.given);
  return Buffer.from(await page.evaluate(async () => [...new Uint8Array(await globalThis.given.arrayBuffer())]));
}

/** Presses Start. The tool that drives Firefox has the keypad's Enter alone, which is the second player's. @param {import('playwright-core').Page} page */
export async function pressStart(page) {
  if (!MAXOUT_FIREFOX) return page.keyboard.press('Enter');
  const send = (/** @type {string} */ type) => page.evaluate((type) => document.activeElement.dispatchEvent(new KeyboardEvent(type, { code: 'Enter', key: 'Enter', bubbles: true })), type);
  await send('keydown');
  await wait(100);
  await send('keyup');
}

/** Waits for a message of the page. */
export const said = (page, text, limit = 60_000) => until(page, (text) => document.getElementById('message').textContent.includes(text), text, limit);

export { assert };
