// The page in headless Chromium, and its modules in Node: `cargo xtask web --test` starts this with everything it needs in
// the environment. It runs each scenario, or those that are named as arguments, prints a line for each check, and goes on
// with the next scenario after one that fails. Checks count frames, messages and samples; what takes time is printed, and
// only bounded where a busy machine cannot reach the bound.

import { execFileSync } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

import { accessible } from './accessible.mjs';
import { cost, first, latency } from './figures.mjs';
import { links, movies, survives } from './games.mjs';
import { lighthouse } from './lighthouse.mjs';
import { matches } from './matches.mjs';
import { pacing, paused } from './pacing.mjs';
import { packed } from './package.mjs';
import { input, phones } from './playing.mjs';
import { embedding, offline } from './shipping.mjs';
import { MAXOUT_ISOLATED, MAXOUT_PACKAGES, MAXOUT_PAGE, MAXOUT_PICTURES, MAXOUT_ROOT, assert, browser, browserName, done, expected, image, movie, open, speedOf, until } from './support.mjs';
import { debugging, ownPuzzles, puzzles, review } from './thinking.mjs';

/** The scenarios by their names, in the order in which they run. @type {Record<string, () => Promise<void>>} */
const SCENARIOS = {
  modules, weight, speed, first, latency, peer, cost, pacing, paused, input, survives, movies, links, puzzles, 'own-puzzles': ownPuzzles, review, debugging, matches,
  phones, embedding, package: packed, accessible, lighthouse, offline,
};

/** Those that run only when they are named: they need packages of their own. */
const NAMED = ['lighthouse'];

/** Those that run in Firefox: the others are of Node, or ask for what the tool cannot do there. */
const IN_FIREFOX = ['speed', 'first', 'latency', 'cost', 'pacing', 'paused', 'input', 'survives', 'movies', 'links', 'puzzles', 'own-puzzles', 'review', 'debugging', 'matches'];

/** Both modules in Node, by one script. */
async function modules() {
  const hash = await expected();
  for (const name of ['maxout_bg.wasm', 'maxout-plain_bg.wasm']) {
    // A module of its own each time: the script remembers the first.
    const copy = await import(`${pathToFileURL(path.join(MAXOUT_PAGE, 'maxout.js'))}?${name}`);
    copy.initSync({ module: await readFile(path.join(MAXOUT_PAGE, name)) });
    const player = new copy.Player(48000);
    const length = player.play_movie('game.fm2', movie);
    const begun = performance.now();
    for (let frame = 0; frame < length; frame++) player.frame(0, 0);
    const perSecond = Math.round(length / ((performance.now() - begun) / 1000));
    assert.equal(player.state_hash(), hash);
    done(`Node, ${name}: ${length} frames of game.fm2 give ${hash}`, `${perSecond} frames/s`);
  }
  if (!process.env.MAXOUT_PROGRAM) return;
  const text = execFileSync(process.env.MAXOUT_PROGRAM, ['run', '--input', path.join(MAXOUT_ROOT, 'tests/movies/game.fm2'), '--no-video', '--no-sound', '--json'], { encoding: 'utf8' });
  assert.equal(JSON.parse(text).state, hash);
  done('maxout run --input game.fm2 gives the same');
}

/** What the first visit loads, as a host with brotli sends it. */
async function weight() {
  const worker = await readFile(path.join(MAXOUT_PAGE, 'sw.js'), 'utf8');
  const names = [...worker.split('const FILES = [')[1].split(']')[0].matchAll(/'([^']+)'/g)].map(([, name]) => name).filter((name) => name !== './');
  const packed = (/** @type {string} */ name) => brotliCompressSync(readFileSync(path.join(MAXOUT_PAGE, name)), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
  const sum = names.reduce((all, name) => all + packed(name), 0);
  assert.ok(sum <= 1_000_000, `${sum} bytes`);
  const nets = (await readdir(MAXOUT_PAGE)).filter((name) => name.endsWith('.net')).map((name) => packed(name));
  assert.ok(nets.length > 0 && nets.every((net) => net <= 350_000), `${nets}`);
  done('the first visit by brotli', `${sum} bytes in ${names.length} files; nets on demand ${nets.join(', ')}`);
}

/** First picture, the native hash and frames a second, with SIMD and without. */
async function speed() {
  const hash = await expected();
  for (const [query, drawings, ready] of [['', [false, true], 'simd'], ['?plain', [true], 'plain']]) {
    const { context, page, complaints } = await open(`${MAXOUT_ISOLATED}${query}`);
    await until(page, () => document.documentElement.dataset.pictures !== undefined);
    done(`${ready}: first picture after`, `${await page.evaluate(() => document.documentElement.dataset.pictures)} ms`);
    assert.equal(await page.evaluate(() => globalThis.maxout.isolated), true, 'the page is isolated');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.ready), ready);
    for (const drawn of drawings) {
      const frames = await speedOf(async () => {
        const measured = await page.evaluate(async ([text, drawn]) => globalThis.maxout.ask('measure', new TextEncoder().encode(text), drawn), [movie.toString('latin1'), drawn]);
        assert.equal(measured.hash, hash);
        return measured.frames;
      });
      done(`${browserName}, ${ready}, ${drawn ? 'painted' : 'not painted'}: the same hash`, frames);
    }
    assert.deepEqual(complaints, []);
    await context.close();
  }
}

/** A peer on the same ROM, in the same browser. */
async function peer() {
  const script = await readFile(path.join(MAXOUT_PACKAGES, 'jsnes/dist/jsnes.min.js'), 'utf8');
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(MAXOUT_ISOLATED);
  await page.addScriptTag({ content: script });
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
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(SCENARIOS, name));
if (unknown.length > 0) {
  console.error(`no scenario ${unknown.join(', ')}: expected some of ${Object.keys(SCENARIOS).join(', ')}`);
  process.exitCode = 2;
} else {
  const failed = [];
  for (const name of wanted.length > 0 ? wanted : browserName === 'Firefox' ? IN_FIREFOX : Object.keys(SCENARIOS).filter((name) => !NAMED.includes(name))) {
    const begun = performance.now();
    try {
      await SCENARIOS[name]();
    } catch (error) {
      failed.push(name);
      console.log(`FAILED  ${name}: ${error instanceof Error ? error.stack : error}`);
    }
    console.log(`--  ${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    // What a failure has left open.
    for (const context of browser.contexts()) await context.close();
  }
  console.log(`pictures: ${MAXOUT_PICTURES}`);
  console.log(failed.length > 0 ? `FAILED: ${failed.join(', ')}` : 'nothing failed');
  process.exitCode = failed.length > 0 ? 1 : 0;
}
await browser.close();
