// Matches over the network: page against page, page against `maxout netplay`, and one who watches, by way of a room's
// server of this machine. Both sides' hashes are compared, and the file of the match is played again by the other program.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { MAXOUT_ISOLATED, MAXOUT_PICTURES, assert, browser, done, open, saved, until } from './support.mjs';

/** Frames that both are certain of in the end. */
const FRAMES = 900;
const { MAXOUT_PROGRAM } = process.env;

/** A program, its lines, and what waits for one. */
class Running {
  /** @param {string[]} words */
  constructor(words) {
    this.child = spawn(MAXOUT_PROGRAM, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    /** @type {string[]} */
    this.lines = [];
    this.ended = new Promise((done) => this.child.on('exit', done));
    for (const stream of [this.child.stdout, this.child.stderr]) createInterface({ input: stream }).on('line', (line) => this.lines.push(line));
  }

  /** The rest of the line that has these words. @param {string} words */
  async after(words, limit = 60_000) {
    for (let waited = 0; waited < limit; waited += 50) {
      const line = this.lines.find((line) => line.includes(words));
      if (line !== undefined) return line.slice(line.indexOf(words) + words.length).trim();
      assert.equal(this.child.exitCode, null, `it ends without "${words}": ${this.lines.join(' | ')}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`no line has "${words}": ${this.lines.join(' | ')}`);
  }

  stop() {
    this.child.kill();
    return this.ended;
  }
}

/** A page that begins something with a room, as its card on Home does; the computer plays. */
async function page(context, room, work, argument) {
  const opened = await open(MAXOUT_ISOLATED, {}, context);
  // Everything that is said stays.
  await opened.page.evaluate(() => {
    globalThis.heard = [];
    globalThis.maxout.machine.addEventListener('status', ({ detail }) => globalThis.heard.push(...detail.said));
  });
  await opened.page.fill('#match-room', room);
  await opened.page.check('#match-computer');
  await work(opened.page, argument);
  return opened;
}

const heard = (page, words) => page.evaluate((words) => globalThis.heard.find((line) => line.includes(words)), words);

/** Waits for the frame that was asked for. Returns what it came to. */
async function certain(page) {
  await until(page, () => globalThis.heard.some((line) => line.startsWith('certain frame ')), undefined, 120_000);
  return heard(page, 'certain frame ');
}

/** Options that the card does not have: the end, and the pieces. */
const asked = (more = {}) => ({ kind: 'score', level: 18, best_of: 1, seed: 7, frames: FRAMES, computer: true, ...more });

export async function matches() {
  if (!MAXOUT_PROGRAM) throw new Error('expected the program in MAXOUT_PROGRAM: cargo xtask web --test builds it');
  const folder = await mkdtemp(path.join(tmpdir(), 'maxout-matches-'));
  const origin = MAXOUT_ISOLATED.replace(/\/$/, '');
  const server = new Running(['room', '--port', '0', '--web-port', '0', '--origin', origin]);
  /** @type {Running[]} */
  const others = [];
  try {
    const udp = await server.after('rooms at ');
    const room = await server.after('pages at ');
    await tabs(room, folder);
    await program(udp, room, folder, others);
    await refused(room);
  } finally {
    for (const one of [...others, server]) await one.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Two tabs play, by the card; a third watches. */
async function tabs(room, folder) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const host = await page(context, room, async (page) => {
    await page.fill('#match-name', 'Ada');
    await page.selectOption('#match-kind', 'score');
    await page.evaluate((options) => {
      // The card has no end of a match and no seed: the test gives both with its options.
      const { ask } = globalThis.maxout.app;
      globalThis.maxout.app.ask = (name, ...args) => (name === 'host_match' ? ask(name, args[0], { ...args[1], ...options }) : ask(name, ...args));
    }, asked());
    await page.click('#match-host');
  });
  await until(host.page, () => globalThis.maxout.status.match?.entered && document.getElementById('match-facts').textContent.includes('Spectators use '));
  const { code, watch_code: watch } = await host.page.evaluate(() => globalThis.maxout.status.match);
  await host.page.screenshot({ path: path.join(MAXOUT_PICTURES, 'match-waiting.png') });
  const ends = (how) => async (page, code) => {
    await page.fill('#match-name', 'Ben');
    await page.fill('#match-code', code);
    await page.evaluate(([how, frames]) => {
      const { ask } = globalThis.maxout.app;
      globalThis.maxout.app.ask = (name, ...args) => (name === how ? ask(name, args[0], args[1], { ...args[2], frames }) : ask(name, ...args));
    }, [how, FRAMES]);
    await page.click(how === 'join_match' ? '#match-join' : '#match-watch');
  };
  const watcher = await page(context, room, ends('watch_match'), watch);
  const guest = await page(context, room, ends('join_match'), code);
  // Tabs behind others go on.
  await until(guest.page, () => globalThis.maxout.status.match?.stage === 'playing' && !document.getElementById('rival').hidden, undefined, 90_000);
  await until(guest.page, () => globalThis.maxout.status.match.standings.some(({ lines }) => lines > 0) || globalThis.heard.some((line) => line.startsWith('certain frame ')), undefined, 90_000);
  await guest.page.screenshot({ path: path.join(MAXOUT_PICTURES, 'match.png') });
  const [one, two, three] = await Promise.all([host, guest, watcher].map(({ page }) => certain(page)));
  assert.ok(one.startsWith(`certain frame ${FRAMES}, hash `) && !one.endsWith(' 0000000000000000'), one);
  assert.deepEqual([two, three], [one, one]);
  assert.equal(await heard(guest.page, 'through the room') !== undefined, true);
  assert.equal((await heard(watcher.page, 'watching ')), 'watching Ada against Ben');
  done('two tabs play a match, and a third watches the same', one);

  // Its end: kept, listed, verified, saved, and verified by the program.
  await until(guest.page, () => globalThis.maxout.status.match?.over !== null);
  await guest.page.click('#match-leave');
  await until(guest.page, () => globalThis.maxout.status.match === null && document.getElementById('match').hidden);
  await guest.page.evaluate(() => globalThis.maxout.app.go('games'));
  await until(guest.page, () => [...document.querySelectorAll('#matches li')].some((row) => row.textContent.includes('Ada') && row.textContent.includes('Ben')));
  const row = guest.page.locator('#matches li').first();
  await row.getByText('Verify').click();
  await until(guest.page, () => document.querySelector('#matches [role=status]').textContent.startsWith('verified: '));
  await guest.page.screenshot({ path: path.join(MAXOUT_PICTURES, 'match-kept.png') });
  const file = await saved(guest.page, () => row.getByText('Save', { exact: true }).click());
  const written = path.join(folder, 'guest.mxmatch');
  await writeFile(written, file);
  const text = execFileSync(MAXOUT_PROGRAM, ['match', 'verify', written], { encoding: 'utf8' });
  assert.match(text, /Ada against Ben: score, level 18.*\n?.*verified, hash [0-9a-f]{16}/s);
  done('the page keeps the match, and page and program verify it', text.trim().split('\n').pop());
  // A file that was changed is not.
  const forged = Buffer.from(file);
  const at = forged.indexOf('\nhash ') + 6;
  forged[at] = forged[at] === 0x31 ? 0x32 : 0x31;
  await guest.page.evaluate(() => globalThis.maxout.app.go('home'));
  await guest.page.setInputFiles('#file', { name: 'forged.mxmatch', mimeType: 'application/octet-stream', buffer: forged });
  await until(guest.page, () => document.getElementById('message').textContent.includes('and replaying it gives'));
  done('a file that was changed is found out');
  for (const { complaints } of [host, guest, watcher]) assert.deepEqual(complaints, []);
  await context.close();
}

/** A page against `maxout netplay`, each as host once. */
async function program(udp, room, folder, others) {
  const words = ['--room', udp, '--computer', '--headless', '--folder', folder, '--exit-after-frames', String(FRAMES)];
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const native = new Running(['netplay', 'host', '--level', '18', '--kind', 'score', '--seed', '11', '--name', 'Window', ...words]);
  others.push(native);
  const code = (await native.after('joins with the code ')).split(' ')[0];
  const guest = await page(context, room, (page, code) => page.evaluate(([room, code, options]) => globalThis.maxout.ask('join_match', room, code, options)
    .then(() => globalThis.maxout.app.go('game')), [room, code, asked({ name: 'Page' })]), code);
  const [own, theirs] = [await certain(guest.page), `certain frame ${await native.after('certain frame ', 120_000)}`];
  assert.equal(theirs, own);
  assert.equal(await native.ended, 0);
  done('a page joins the program, which hosts: the same hash', own);

  const host = await page(context, room, (page) => page.evaluate(([room, options]) => globalThis.maxout.ask('host_match', room, options)
    .then(() => globalThis.maxout.app.go('game')), [room, asked({ name: 'Page', kind: 'garbage' })]));
  await until(host.page, () => globalThis.maxout.status.match?.code);
  const other = new Running(['netplay', 'join', await host.page.evaluate(() => globalThis.maxout.status.match.code), '--name', 'Window', ...words]);
  others.push(other);
  assert.equal(`certain frame ${await other.after('certain frame ', 120_000)}`, await certain(host.page));
  assert.equal(await other.ended, 0);
  // Both sides' files are of one match.
  const bytes = await host.page.evaluate(async () => [...(await globalThis.maxout.ask('match_file'))]);
  const ours = path.join(folder, 'host.mxmatch');
  await writeFile(ours, Buffer.from(bytes));
  const kept = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.mxmatch') && !name.startsWith('guest') && !name.startsWith('host'));
  const files = [ours, ...kept.map((name) => path.join(folder, name))];
  const text = execFileSync(MAXOUT_PROGRAM, ['match', 'verify', ...files], { encoding: 'utf8' });
  assert.equal(text.match(/verified, hash/g)?.length, files.length, text);
  assert.ok(files.length >= 3, `${kept}`);
  done('a page hosts the program, and the files of all sides are verified', `${files.length} files`);
  for (const { complaints } of [guest, host]) assert.deepEqual(complaints, []);
  await context.close();
}

/** What does not come to a match is said. */
async function refused(room) {
  const { context, page, complaints } = await open(MAXOUT_ISOLATED);
  const say = (words) => until(page, (words) => document.getElementById('message').textContent.includes(words) || document.getElementById('match-text').textContent.includes(words), words, 60_000)
    .catch(async () => assert.fail(`"${words}" is not said, but "${await page.textContent('#message')}", "${await page.textContent('#match-text')}"`));
  await page.fill('#match-room', room);
  await page.click('#match-join');
  await say('Enter the code of four words that the host sees');
  await page.fill('#match-code', 'no-code-at-all');
  await page.click('#match-join');
  await say('xpected four words of the host');
  await page.fill('#match-code', 'bado-kimu-tapi-zolu');
  await page.click('#match-join');
  await say('the room is not open yet');
  await page.evaluate(() => globalThis.maxout.ask('power')).then(() => assert.fail('the console is left alone'), () => undefined);
  await page.click('#match-leave');
  await page.click('#match-leave');
  await until(page, () => globalThis.maxout.status.match === null);
  await page.evaluate(() => globalThis.maxout.app.go('home'));
  await page.fill('#match-room', 'http://example.org');
  await page.click('#match-join');
  await say('xpected the address of a room');
  // A server that is not there is tried again.
  await page.fill('#match-room', 'ws://127.0.0.1:9/room');
  await page.click('#match-join');
  await say('does not answer: trying again');
  await page.click('#match-leave');
  await page.click('#match-leave');
  // Chromium and Firefox complain of it in words of their own.
  assert.ok(complaints.every((text) => text.includes('ws://127.0.0.1:9/room')), `${complaints}`);
  // A link fills the card and waits for Start.
  await page.goto('about:blank');
  await page.goto(`${MAXOUT_ISOLATED}#match=bado-kimu-tapi-zolu&room=example.org`);
  await until(page, () => document.getElementById('ready-text').textContent.includes('invited to a match'));
  assert.equal(await page.inputValue('#match-code'), 'bado-kimu-tapi-zolu');
  done('codes, rooms and servers that are none are said, and a link waits for Start');
  await context.close();
}
