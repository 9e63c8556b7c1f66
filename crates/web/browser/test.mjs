// The page in headless Chromium, and its modules in Node: `cargo xtask web --test` starts this with everything it needs in
// the environment. It prints a line for each check and ends with an error at the first that fails. Checks count frames,
// messages and samples; what takes time is printed, and only bounded where a busy machine cannot reach the bound.

import { execFileSync } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

import { accessible } from './accessible.mjs';
import { gamesAndLinks } from './games.mjs';
import { pacing, paused } from './pacing.mjs';
import { input, phones } from './playing.mjs';
import { embedding, offline } from './shipping.mjs';
import { puzzlesAndReview } from './thinking.mjs';
import { MAXOUT_BARE, MAXOUT_ISOLATED, MAXOUT_PACKAGES, MAXOUT_PAGE, MAXOUT_PICTURES, MAXOUT_ROOT, assert, browser, done, image, movie, open, speedOf, until } from './support.mjs';

// In Node: both modules, one script.

export const { initSync, Player } = await import(pathToFileURL(path.join(MAXOUT_PAGE, 'maxout.js')));
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


// What the first visit loads, as a host with brotli sends it.
{
  const worker = await readFile(path.join(MAXOUT_PAGE, 'sw.js'), 'utf8');
  const names = [...worker.split('const FILES = [')[1].split(']')[0].matchAll(/'([^']+)'/g)].map(([, name]) => name).filter((name) => name !== './');
  const packed = (name) => brotliCompressSync(readFileSync(path.join(MAXOUT_PAGE, name)), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
  const sum = names.reduce((all, name) => all + packed(name), 0);
  assert.ok(sum <= 1_000_000, `${sum} bytes`);
  const nets = (await readdir(MAXOUT_PAGE)).filter((name) => name.endsWith('.net')).map((name) => packed(name));
  assert.ok(nets.length === 4 && nets.every((net) => net <= 350_000), `${nets}`);
  done('the first visit by brotli', `${sum} bytes in ${names.length} files; nets on demand ${nets.join(', ')}`);
}

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

  await pacing();
  await paused();
  await input();
  await gamesAndLinks(expected);
  await puzzlesAndReview(expected);
  await phones();
  await embedding();
  await accessible();
  await offline();
  console.log(`pictures: ${MAXOUT_PICTURES}`);
} finally {
  await browser.close();
}
