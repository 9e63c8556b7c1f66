// Embedding in a page of another origin, use without a network, and a new build.

import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';

import { compressing } from './host.mjs';
import { MAXOUT_ISOLATED, MAXOUT_PAGE, assert, browser, done, open, play, until, wait } from './support.mjs';

export async function embedding() {
  // A page of another origin (another port) with the element, as a blog would have it.
  const context = await browser.newContext({ viewport: { width: 800, height: 700 } });
  const page = await context.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  const blog = createServer((_, answer) => answer.writeHead(200, { 'Content-Type': 'text/html' }).end(`<!doctype html><title>Blog</title><maxout-player level="19" controls></maxout-player><script type="module" src="${MAXOUT_ISOLATED}player.js"></script>`));
  await new Promise((resolve) => blog.listen(0, '127.0.0.1', () => resolve(undefined)));
  await page.goto(`http://127.0.0.1:${blog.address().port}/`);
  await page.evaluate(() => {
    globalThis.heard = [];
    const player = document.querySelector('maxout-player');
    for (const name of ['ready', 'status', 'event', 'over']) player.addEventListener(`maxout-${name}`, () => globalThis.heard.push(name));
  }).catch(() => undefined);
  await until(page, () => document.querySelector('maxout-player')?.status, undefined, 60_000);
  await page.evaluate(() => document.querySelector('maxout-player').play({ options: 'level=19' }));
  await until(page, () => document.querySelector('maxout-player').status.game?.playing && document.querySelector('maxout-player').status.game.level === 19);
  await page.evaluate(() => document.querySelector('maxout-player').computer());
  await until(page, () => globalThis.heard.includes('event') && document.querySelector('maxout-player').status.game.statistics.pieces > 2, undefined, 60_000);
  const bytes = await page.evaluate(async () => [...(await document.querySelector('maxout-player').file())]);
  assert.equal(Buffer.from(bytes).subarray(0, 6).toString(), 'MXGAME');
  await page.evaluate(() => document.querySelector('maxout-player').pause());
  await wait(500);
  const frame = page.frames().find((one) => one.url().includes('embed.html'));
  assert.equal(await frame.isHidden('header'), true);
  const box = await frame.locator('#screen').boundingBox();
  assert.ok(box.height > 300, `the picture is ${box.height} high`);
  done('<maxout-player> plays in a page of another origin', `picture ${Math.round(box.width)}x${Math.round(box.height)}`);
  assert.deepEqual(complaints, []);
  await context.close();
  blog.close();
}

/** A first visit loads each file once, and what is kept for use without a network is not loaded again. */
async function once() {
  const { address, sent, stop } = await compressing(5);
  const { context, page, complaints } = await open(address);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await until(page, async () => (await caches.keys()).length === 1 && (await (await caches.open((await caches.keys())[0])).keys()).length > 30);
  const twice = [...sent].filter(([, times]) => times.length > 1).map(([name]) => name);
  assert.deepEqual(twice, []);
  const bytes = [...sent.values()].flat().reduce((sum, each) => sum + each, 0);
  done('a first visit loads each file once', `${sent.size} files, ${bytes} bytes by a quick brotli`);
  assert.deepEqual(complaints, []);
  await context.close();
  stop();
}

export async function offline() {
  await once();
  const { context, page, complaints } = await open(MAXOUT_ISOLATED);
  const sizes = () => page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /wasm$/.test(name)).map(({ name }) => name.split('/').pop()));
  assert.deepEqual(await sizes(), ['maxout_bg.wasm'], 'one module, once');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await until(page, async () => (await caches.keys()).length === 1);
  const kept = await page.evaluate(async () => (await (await caches.open((await caches.keys())[0])).keys()).map(({ url }) => new URL(url).pathname));
  assert.ok(kept.includes('/maxout_bg.wasm') && !kept.includes('/maxout-plain_bg.wasm'), `${kept}`);
  await page.reload();
  await until(page, () => document.documentElement.dataset.ready !== undefined && navigator.serviceWorker.controller !== null);
  await page.evaluate(() => globalThis.maxout.app.nets());
  await context.setOffline(true);
  await page.reload();
  await until(page, () => document.documentElement.dataset.pictures !== undefined && document.documentElement.dataset.ready !== undefined);
  await play(page);
  await until(page, () => (globalThis.maxout.status?.frame ?? 0) > 60);
  await page.evaluate(() => globalThis.maxout.app.nets());
  assert.equal(await page.evaluate(() => globalThis.maxout.isolated), true);
  done('works without a network, nets that were there once too');
  await context.setOffline(false);
  // A new build: its service worker has another hash.
  const worker = path.join(MAXOUT_PAGE, 'sw.js');
  const text = await readFile(worker, 'utf8');
  try {
    await writeFile(worker, text.replace(/maxout-[0-9a-f]{16}/, 'maxout-0123456789abcdef'));
    await page.evaluate(() => navigator.serviceWorker.getRegistration().then((registration) => registration.update()));
    await until(page, () => document.getElementById('message').textContent === 'A new version of Maxout is available.');
    await Promise.all([page.waitForEvent('load', { timeout: 90_000 }), page.click('#message-act')]);
    await until(page, async () => document.documentElement.dataset.ready !== undefined && (await caches.keys()).join() === 'maxout-0123456789abcdef');
  } finally {
    await writeFile(worker, text);
  }
  done('a new build says so, and is loaded by one click');
  assert.deepEqual(complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED')), []);
  await context.close();
}

