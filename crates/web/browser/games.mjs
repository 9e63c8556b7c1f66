// Games that survive a reload, movies on their cartridges, and links that carry a game.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { pack } from '../www/links.js';
import { MAXOUT_ISOLATED, MAXOUT_PAGE, MAXOUT_PICTURES, assert, browser, done, drop, expected, image, movie, named, open, play, pressStart, said, saved, slow, status, until, wait } from './support.mjs';

/** Letters of a link with a game of 500 pieces, at most. */
const LETTERS = 7_000;

export async function survives() {
  const { context, page, complaints } = await open(MAXOUT_ISOLATED);
  await play(page, 0);
  await page.click('#screen');
  await drop(page, 6);
  const before = await status(page);
  await page.reload();
  await until(page, () => document.documentElement.dataset.ready !== undefined);
  await until(page, () => !document.getElementById('go-on').hidden);
  await page.click('#go-on');
  await said(page, 'Paused where you left');
  const after = await status(page);
  assert.ok(after.game.playing && after.frame >= before.frame - 90, `frame ${after.frame}, before ${before.frame}`);
  done('a reload goes on where it was, to a second', `frame ${before.frame}, then ${after.frame}`);
  // The page dies without a word.
  await page.keyboard.press('p');
  await drop(page, after.game.statistics.pieces + 1);
  await wait(2_500);
  const last = await status(page);
  await page.close({ runBeforeUnload: false });
  const again = await open(MAXOUT_ISOLATED, {}, context);
  await until(again.page, () => !document.getElementById('go-on').hidden);
  await again.page.click('#go-on');
  await said(again.page, 'Paused where you left');
  const kept = await status(again.page);
  assert.ok(kept.frame >= last.frame - 150, `frame ${kept.frame} of ${last.frame}`);
  done('a tab that is closed loses two seconds at most', `frame ${last.frame}, then ${kept.frame}`);

  // The list of games.
  const list = again.page;
  await list.click('#sections [data-page=games]');
  await until(list, () => document.querySelectorAll('#games-table tbody tr').length >= 1);
  const rows = await list.locator('#games-table tbody tr').count();
  await list.screenshot({ path: path.join(MAXOUT_PICTURES, 'games.png') });
  await list.locator('#games-table tbody tr').first().getByText('Delete').click();
  await until(list, (rows) => document.querySelectorAll('#games-table tbody tr').length === rows - 1, rows);
  await list.click('#message-act');
  await until(list, (rows) => document.querySelectorAll('#games-table tbody tr').length === rows, rows);
  const file = await saved(list, () => list.locator('#games-table tbody tr').first().getByText('Save', { exact: true }).click());
  assert.equal(file.subarray(0, 6).toString(), 'MXGAME');
  await list.locator('#games-table tbody tr').first().getByText('Watch').click();
  await until(list, () => globalThis.maxout.status.viewer?.frame > 10);
  done('kept games are listed, watched, saved, deleted and brought back', `${rows} games`);
  assert.deepEqual([...complaints, ...again.complaints], []);
  await context.close();
}

export async function movies() {
  const { context, page, complaints } = await open(MAXOUT_ISOLATED);
  // Another ROM, then a movie of the built-in cartridge by its checksum.
  await page.setInputFiles('#file', slow);
  await until(page, () => globalThis.maxout.status.name === 'maxout-slow.nes');
  await page.evaluate(() => globalThis.maxout.app.go('home'));
  await page.setInputFiles('#file', { name: 'maxout.fm2', mimeType: 'text/plain', buffer: named });
  await until(page, () => globalThis.maxout.status.name === 'Maxout' && (globalThis.maxout.status.viewer || globalThis.maxout.status.movie));
  done('a movie finds its cartridge by its checksum');
  // One of a cartridge that is not here is refused.
  const other = Buffer.from(named.toString().replace(/romChecksum .*/, `romChecksum base64:${Buffer.alloc(16, 7).toString('base64')}`));
  await page.evaluate(() => globalThis.maxout.app.go('home'));
  await page.setInputFiles('#file', { name: 'other.fm2', mimeType: 'text/plain', buffer: other });
  await said(page, 'recorded with another cartridge');
  // One that presses Reset plays on the console.
  const reset = Buffer.from(movie.toString().replace('|0|', '|1|'));
  await page.setInputFiles('#file', { name: 'reset.fm2', mimeType: 'text/plain', buffer: reset });
  await said(page, 'plays on the console');
  await until(page, () => globalThis.maxout.status.movie?.[0] > 30);
  // A ROM and a movie at once.
  await page.evaluate(() => globalThis.maxout.app.go('home'));
  await page.setInputFiles('#file', [{ name: 'game.fm2', mimeType: 'text/plain', buffer: movie }, { name: 'mine.nes', mimeType: 'application/octet-stream', buffer: image }]);
  await until(page, () => globalThis.maxout.status.name === 'mine.nes' && globalThis.maxout.status.viewer?.frame > 10);
  const report = await page.evaluate(() => globalThis.maxout.ask('read'));
  assert.equal(report.state, await expected());
  done('a movie is replayed to the native hash, with the ROM that was dropped beside it');
  // The system opens a file with the installed page.
  const installed = await browser.newContext();
  await installed.addInitScript(() => Object.defineProperty(globalThis, 'launchQueue', { value: { setConsumer(/** @type {any} */ take) { globalThis.launched = take; } } }));
  const opened = await open(MAXOUT_ISOLATED, {}, installed);
  await opened.page.evaluate(([text]) => globalThis.launched({ files: [{ getFile: async () => new File([text], 'maxout.fm2') }] }), [named.toString()]);
  await until(opened.page, () => globalThis.maxout.status.viewer || globalThis.maxout.status.movie);
  done('a file is opened with the installed page');
  // Another program shares files with it: the service worker takes what the system sends.
  await until(opened.page, () => navigator.serviceWorker.controller !== null);
  await opened.page.evaluate(async ([text]) => {
    const body = new FormData();
    body.append('files', new File([text], 'a game & more.fm2'));
    await fetch('./share', { method: 'POST', body, redirect: 'manual' });
  }, [named.toString()]);
  await opened.page.goto('about:blank');
  await opened.page.goto(`${MAXOUT_ISOLATED}#shared`);
  await until(opened.page, () => globalThis.maxout?.status?.viewer || globalThis.maxout?.status?.movie);
  assert.equal(new URL(opened.page.url()).hash, '', 'a reload does not ask for it again');
  assert.equal(await opened.page.evaluate(async () => (await (await caches.open('shared-files')).keys()).length), 0);
  await opened.page.evaluate(async () => {
    const body = new FormData();
    body.append('files', new File([new Uint8Array((16 << 20) + 1)], 'film.nes'));
    await fetch('./share', { method: 'POST', body, redirect: 'manual' });
    const cache = await caches.open('shared-files');
    globalThis.kept = (await (await cache.match((await cache.keys())[0])).arrayBuffer()).byteLength;
  });
  assert.equal(await opened.page.evaluate(() => globalThis.kept), 0, 'a file that is too large is not kept');
  await opened.page.goto('about:blank');
  await opened.page.goto(`${MAXOUT_ISOLATED}#shared`);
  await said(opened.page, 'ilm.nes: 16777217 bytes');
  done('files that are shared with the installed page are opened, or refused by their size');
  assert.deepEqual(opened.complaints, []);
  await installed.close();
  assert.deepEqual(complaints, []);
  await context.close();
}

/** A game of the computer with so many pieces, played in Node. */
export async function played(pieces) {
  const { Player, initSync } = await import(`file://${path.join(MAXOUT_PAGE, 'maxout.js')}`);
  initSync({ module: await readFile(path.join(MAXOUT_PAGE, 'maxout_bg.wasm')) });
  const player = new Player(48_000);
  for (const name of ['l18', 'l18-duel', 'l18-slow', 'l18-slower', 'l19', 'l19-slow', 'l19-slower', 'l29', 'l29-24', 'l29-slow', 'l29-slower', 'l39', 'l39-slow']) player.set_net(await readFile(path.join(MAXOUT_PAGE, `${name}.net`)));
  player.practise('tetris', 'level=18', '', '', 20);
  player.set_computer(12);
  for (let frame = 0; frame < 100_000; frame++) {
    player.frame(0, 0);
    if (frame % 60 === 0 && JSON.parse(player.status()).game.statistics.pieces >= pieces) break;
  }
  const { game } = JSON.parse(player.status());
  assert.ok(game.statistics.pieces >= pieces, `${game.statistics.pieces} pieces`);
  return { bytes: Player.for_link(player.game_file()), game };
}

export async function links() {
  const { bytes, game } = await played(500);
  const text = await pack(bytes);
  assert.ok(text.length <= LETTERS, `${text.length} letters`);
  done('a game of 500 pieces in a link', `${text.length} letters, ${game.score} points`);

  const { context, page, complaints } = await open(`${MAXOUT_ISOLATED}#game=${text}`);
  await until(page, () => document.getElementById('verified').textContent === 'Result proven', undefined, 60_000);
  await page.screenshot({ path: path.join(MAXOUT_PICTURES, 'link.png') });
  const report = await page.evaluate(() => globalThis.maxout.ask('report'));
  assert.equal(report.score, game.score);
  // Race it.
  await page.click('#message-act');
  await until(page, () => globalThis.maxout.status.race && globalThis.maxout.status.game.playing && !document.getElementById('rival').hidden);
  await page.screenshot({ path: path.join(MAXOUT_PICTURES, 'race.png') });
  done('the link is played again to the same state, and raced on the same pieces');
  // A result that was made up.
  await page.goto('about:blank');
  const forged = Buffer.from(bytes);
  const at = forged.lastIndexOf('state');
  assert.ok(at > 0);
  await page.goto(`${MAXOUT_ISOLATED}#game=${text.slice(0, 100)}`);
  await said(page, 'he link is damaged');
  assert.deepEqual(complaints, []);
  await context.close();

  const daily = await open(`${MAXOUT_ISOLATED}#daily`);
  const [pageOf, seed] = [daily.page, await daily.page.textContent('#ready-text')];
  assert.match(seed, /Seed of the day, [0-9A-F]{6}/);
  const frame = (await status(pageOf)).frame;
  await wait(1_500);
  assert.equal((await status(pageOf)).frame, frame, 'it waits for Start');
  await pageOf.focus('#screen');
  await pressStart(pageOf);
  await until(pageOf, () => globalThis.maxout.status?.game?.mode.startsWith('seed=') && globalThis.maxout.status.game.playing);
  done('a link waits for Start', seed);
  await pageOf.goto('about:blank');
  await pageOf.goto(`${MAXOUT_ISOLATED}#mode=garbage%3D4&options=level%3D18`);
  await until(pageOf, () => document.documentElement.dataset.ready !== undefined);
  await pageOf.click('#begin');
  await until(pageOf, () => globalThis.maxout.status?.game?.mode === 'garbage=4');
  await pageOf.click('#computer');
  await until(pageOf, () => globalThis.maxout.status.game.statistics.pieces >= 8 && globalThis.maxout.status.thought, undefined, 90_000);
  await pageOf.screenshot({ path: path.join(MAXOUT_PICTURES, 'practice.png') });
  const before = (await status(pageOf)).game.undo;
  await pageOf.click('#computer');
  await pageOf.click('#undo');
  await until(pageOf, (before) => globalThis.maxout.status.game.undo <= before, before);
  await pageOf.click('#versus');
  await pageOf.evaluate(() => globalThis.maxout.app.play({ mode: 'tetris', options: 'level=9', pieces: '', position: '' }));
  await until(pageOf, () => globalThis.maxout.status?.versus?.playing && !document.getElementById('rival').hidden, undefined, 60_000);
  await pageOf.screenshot({ path: path.join(MAXOUT_PICTURES, 'versus.png') });
  done('a practice mode by a link, the computer with its thoughts, a piece taken back, a game against it');
  assert.deepEqual(daily.complaints, []);
  await daily.context.close();
}
