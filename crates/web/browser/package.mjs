// The package for npm as others use it: installed in an empty folder, in Node, by the type checker, and in a page.

import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { MAXOUT_PACKAGES, MAXOUT_ROOT, assert, browser, done, expected, until } from './support.mjs';

const KINDS = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.json': 'application/json' };

const IN_NODE = `
import { readFile } from 'node:fs/promises';
import { load, nets, picture, sound } from 'maxout';
const Player = await load();
const replay = new Player(48_000);
const length = replay.play_movie('game.fm2', await readFile(process.argv[2]));
for (let frame = 0; frame < length; frame++) replay.frame(0, 0);
const player = new Player(48_000);
player.practise('tetris', 'level=18', '', '', 1);
await nets(player);
player.set_computer(12);
for (let frame = 0; frame < 900; frame++) player.frame(0, 0);
const { width, height, pixels } = picture(player);
const seen = new Set(new Uint32Array(pixels.buffer)).size;
console.log(JSON.stringify({ hash: replay.state_hash(), pieces: JSON.parse(player.status()).game.statistics.pieces, bytes: pixels.length, width, height, seen, samples: sound(player).length }));
`;

const TYPES = `
import { load, nets, picture, type Player } from 'maxout';
import type { MaxoutPlayer } from 'maxout/player';
const player: Player = new (await load({ plain: true }))(44_100);
await nets(player);
const pixels: Uint8ClampedArray = picture(player).pixels;
const place: number = player.paint().at + pixels.length;
declare const element: MaxoutPlayer;
const file: Promise<Uint8Array> = element.file();
// @ts-expect-error a player wants a rate
new (await load())();
export { file, place };
`;

export async function packed() {
  const folder = await mkdtemp(path.join(tmpdir(), 'maxout-package-'));
  try {
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'blog', private: true, type: 'module' }));
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', process.env.MAXOUT_PACKED], { cwd: folder });
    await writeFile(path.join(folder, 'use.js'), IN_NODE);
    const said = JSON.parse(execFileSync('node', ['use.js', path.join(MAXOUT_ROOT, 'tests/movies/game.fm2')], { cwd: folder, encoding: 'utf8' }));
    assert.equal(said.hash, await expected());
    assert.ok(said.pieces > 3 && said.bytes === 4 * said.width * said.height && said.seen > 3 && said.samples > 700, JSON.stringify(said));
    done('the package for npm plays in Node to the same hash', JSON.stringify(said));
    await writeFile(path.join(folder, 'use.ts'), TYPES);
    const settings = { compilerOptions: { strict: true, noEmit: true, target: 'es2022', module: 'es2022', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] }, files: ['use.ts'] };
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(settings));
    execFileSync(path.join(MAXOUT_PACKAGES, '.bin/tsc'), ['--project', folder], { encoding: 'utf8' });
    done('its types are right');
    await inPage(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A page that has the element from `node_modules`, on a host that sends no headers of its own. @param {string} folder */
async function inPage(folder) {
  const blog = '<!doctype html><title>Blog</title><maxout-player level="19"></maxout-player><script type="module" src="node_modules/maxout/page/player.js"></script>';
  const server = createServer(async (request, answer) => {
    const name = new URL(request.url ?? '/', 'http://blog').pathname;
    try {
      const body = name === '/' ? blog : await readFile(path.join(folder, path.normalize(name)));
      answer.writeHead(200, { 'Content-Type': KINDS[path.extname(name || '.html')] ?? (name === '/' ? 'text/html' : 'application/octet-stream') }).end(body);
    } catch {
      answer.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const context = await browser.newContext({ viewport: { width: 800, height: 700 } });
  const page = await context.newPage();
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await until(page, () => document.querySelector('maxout-player')?.status, undefined, 60_000);
  await page.evaluate(() => document.querySelector('maxout-player').play({ options: 'level=19' }));
  await until(page, () => document.querySelector('maxout-player').status.game?.playing && document.querySelector('maxout-player').status.game.level === 19, undefined, 60_000);
  done('its element plays in a page');
  assert.deepEqual(complaints, []);
  await context.close();
  server.close();
  server.closeAllConnections();
}
