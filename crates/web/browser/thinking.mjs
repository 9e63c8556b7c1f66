// Puzzles by keyboard and by touch, the review of a game, links to both, and the debugger's views.

import path from 'node:path';

import { played } from './games.mjs';
import { MAXOUT_ISOLATED, MAXOUT_PICTURES, assert, browserName, done, expected, movie, open, said, until, wait } from './support.mjs';

const asked = (page) => page.evaluate(() => globalThis.maxout.ask('puzzle', Math.floor(Date.now() / 86_400_000)));

/** Answers the puzzle once, whatever comes of it. Returns the best line. */
async function answer(page, place) {
  await place();
  await until(page, () => document.getElementById('puzzle-held').textContent !== '');
  await place();
  await until(page, () => !document.getElementById('puzzle-answer').hidden);
  const { asked: { verdict, link } } = await asked(page);
  return { best: verdict.best, link };
}

export async function puzzles() {
  const { context, page, complaints } = await open(`${MAXOUT_ISOLATED}`);
  await page.click('#today');
  await until(page, () => document.getElementById('puzzle-title').textContent === 'Puzzle of the day', undefined, 60_000);
  // The answer of a first try tells the line that solves it.
  await page.focus('#puzzle-board');
  const { best, link } = await answer(page, () => page.keyboard.press('Enter'));
  await page.screenshot({ path: path.join(MAXOUT_PICTURES, 'puzzle.png') });
  const code = link.replace('maxout:', '');
  assert.ok(`#puzzle=${code}`.length <= 100);

  // By keyboard, from the link.
  await page.goto('about:blank');
  await page.goto(`${MAXOUT_ISOLATED}#puzzle=${code}`);
  await until(page, () => document.documentElement.dataset.ready !== undefined);
  await until(page, () => document.getElementById('puzzle-title').textContent === 'Place both pieces', undefined, 60_000);
  await page.focus('#puzzle-board');
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  for (const wanted of best) {
    let found = false;
    search: for (let turn = 0; turn < 5; turn++) {
      for (let shift = 0; shift < 10; shift++) await page.keyboard.press('ArrowLeft');
      for (let column = 0; column < 11; column++) {
        for (let other = 0; other < 4; other++) {
          const { asked: { held } } = await asked(page);
          if (same(held.cells, wanted)) {
            found = true;
            break search;
          }
          await page.keyboard.press('ArrowDown');
        }
        await page.keyboard.press('ArrowRight');
      }
      await page.keyboard.press('ArrowUp');
    }
    assert.ok(found, 'keys reach the best place');
    await page.keyboard.press('Enter');
    await wait(100);
  }
  await until(page, () => document.getElementById('puzzle-grade').textContent.startsWith('Solved'));
  done('a puzzle is solved by keyboard, from its link');
  await page.reload();
  await until(page, () => document.documentElement.dataset.ready !== undefined);
  assert.equal((await asked(page)).answered, 2, 'the answers are kept');
  // The plan of the day knows of it.
  await page.evaluate(() => globalThis.maxout.app.go('home'));
  await until(page, () => document.getElementById('streak-note').textContent === '1 day in a row');
  assert.match(await page.textContent('#today-note'), /^(Solved|Close|Failed) today/);
  assert.equal(await page.textContent('#advised-note'), 'A first game to go by');
  assert.match(await page.textContent('#daily-note'), /^[0-9A-F]{6}: not played yet$/);
  await page.click('#due');
  await until(page, () => globalThis.maxout.app.page === 'puzzles' && document.getElementById('puzzle-title').textContent === 'Place both pieces');
  await page.evaluate(() => globalThis.maxout.app.go('home'));
  await page.click('#advised');
  await until(page, () => globalThis.maxout.status?.game?.playing && globalThis.maxout.status.game.mode === 'tetris');
  await page.click('#sections [data-page=home]');
  done('the plan of the day is done step by step');
  assert.deepEqual(complaints, []);
  await context.close();

  // By touch, on a phone. Firefox on a desktop has none.
  if (browserName === 'Firefox') return;
  const phone = await open(`${MAXOUT_ISOLATED}#puzzle=${code}`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  await until(phone.page, () => document.getElementById('puzzle-title').textContent === 'Place both pieces', undefined, 60_000);
  for (const wanted of best) {
    const box = async () => phone.page.locator('#puzzle-board').boundingBox();
    const tap = async ([x, y]) => {
      await phone.page.locator('#puzzle-board').scrollIntoViewIfNeeded();
      const area = await box();
      await phone.page.touchscreen.tap(area.x + ((x + 0.5) / 10) * area.width, area.y + ((y + 0.5) / 20) * area.height);
      await wait(120);
    };
    const held = async () => (await asked(phone.page)).asked.held.cells;
    let found = same(await held(), wanted);
    for (let tries = 0; tries < 24 && !found; tries++) {
      const now = await held();
      const free = wanted.find(([x, y]) => !now.some(([a, b]) => a === x && b === y));
      if (free && tries % 3 !== 2) await tap(free);
      else await phone.page.tap(`[data-step=${tries % 2 ? 'clockwise' : 'other'}]`);
      await wait(60);
      found = same(await held(), wanted);
    }
    assert.ok(found, 'taps reach the best place');
    // A tap on the piece places it.
    await tap(wanted[0]);
    await wait(150);
  }
  await until(phone.page, () => document.getElementById('puzzle-grade').textContent.startsWith('Solved'));
  await phone.page.screenshot({ path: path.join(MAXOUT_PICTURES, 'puzzle-phone.png') });
  done('a puzzle is solved by touch');
  assert.deepEqual(phone.complaints, []);
  await phone.context.close();
}

/** Puzzles of a game that the player has kept. */
export async function ownPuzzles() {
  const { context, page, complaints } = await open(MAXOUT_ISOLATED);
  await page.click('#sections [data-page=puzzles]');
  await page.click('#puzzle-search');
  await said(page, 'ou have no games yet');
  // A game as the keeper writes it, and a damaged one.
  const { bytes, game } = await played(120);
  await page.evaluate(async ({ bytes, score }) => {
    const { keep } = await import('./store.js');
    await keep('games', 'one', { id: 'one', bytes: new Uint8Array(bytes), when: 1, score, computer: false, rows: [] });
    await keep('games', 'two', { id: 'two', bytes: new Uint8Array(7), when: 2, score, computer: false, rows: [] });
  }, { bytes: [...bytes], score: game.score });
  await page.click('#puzzle-search');
  await until(page, () => !document.getElementById('puzzle-search').disabled && document.getElementById('puzzle-own').textContent.startsWith('2 of 2'), undefined, 240_000);
  const text = await page.textContent('#puzzle-own');
  const found = Number(/(\d+) puzzles? found/.exec(text)?.[1]);
  assert.ok(found > 0, text);
  await page.click('#puzzle-own-next');
  await until(page, () => document.getElementById('puzzle-title').textContent === 'Place both pieces');
  // They are there the next time, and a theme of their own.
  await page.reload();
  await until(page, () => document.documentElement.dataset.ready !== undefined);
  assert.equal((await asked(page)).own, found);
  await page.click('#sections [data-page=puzzles]');
  await page.selectOption('#puzzle-theme', 'own');
  await until(page, () => !document.getElementById('puzzle-own-next').disabled && document.getElementById('puzzle-held').textContent !== '', undefined, 60_000);
  done('puzzles are found in a kept game, asked, and kept', `${text} A damaged game was left out.`);
  assert.deepEqual(complaints, []);
  await context.close();
}

export async function review() {
  const { context, page, complaints } = await open(MAXOUT_ISOLATED);
  await page.evaluate(async (bytes) => globalThis.maxout.app.review('game.fm2', new Uint8Array(bytes)), [...movie]);
  await until(page, () => document.getElementById('summary').children.length > 0, undefined, 240_000);
  assert.equal((await page.evaluate(() => globalThis.maxout.ask('report'))).state, await expected());
  const count = await page.locator('#placements button').count();
  await page.click('#review-mistake');
  await wait(300);
  await page.screenshot({ path: path.join(MAXOUT_PICTURES, 'review.png'), fullPage: true });
  // Keys walk; the link of a placement opens it alone.
  await page.focus('#review-board');
  const before = await page.textContent('#placement-title');
  await page.keyboard.press('ArrowRight');
  await until(page, (before) => document.getElementById('placement-title').textContent !== before, before);
  await page.click('#review-link');
  await until(page, () => location.hash.startsWith('#review='));
  const link = await page.evaluate(() => location.hash);
  assert.ok(link.length <= 100);
  await page.click('#review-retry');
  await until(page, () => globalThis.maxout.status?.game?.playing && globalThis.maxout.page !== 'review');
  await page.click('#sections [data-page=review]');
  await page.click('#learn');
  await until(page, () => document.getElementById('lesson-title').textContent.startsWith('Mistake 1 of'), undefined, 60_000);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await until(page, () => document.getElementById('lesson-words').textContent.includes('points lost now'));
  await page.click('#lesson-end');
  done('a movie is reviewed, walked by keys, retried, and its mistakes are asked again', `${count} placements`);
  await page.goto('about:blank');
  await page.goto(`${MAXOUT_ISOLATED}${link}`);
  await until(page, () => document.querySelectorAll('#placements button').length === 1, undefined, 60_000);
  done('the link of a placement opens its review', `${link.length} letters`);
  // A game of another program.
  await page.evaluate(() => globalThis.maxout.app.go('home'));
  const lines = `board,piece,next,level,lines,column,row,orientation\n${'0'.repeat(200)},O,T,18,0,1,18,10\n`;
  await page.setInputFiles('#file', { name: 'game.csv', mimeType: 'text/csv', buffer: Buffer.from(lines) });
  await until(page, () => document.getElementById('review-title').textContent === 'Review of game.csv' && document.querySelectorAll('#placements button').length === 1);
  done("another program's game is reviewed");
  assert.deepEqual(complaints, []);
  await context.close();
}

export async function debugging() {
  const { context, page, complaints } = await open(MAXOUT_ISOLATED);
  await page.click('#sections [data-page=tools]');
  for (const view of ['nametables', 'patterns', 'sprites', 'palettes', 'ram', 'registers', 'game']) {
    await page.selectOption('#view', view);
    await until(page, (view) => {
      const text = document.getElementById('view-text');
      return ['nametables', 'patterns'].includes(view) ? !document.getElementById('view-picture').hidden : text.textContent.length > 20;
    }, view);
  }
  await page.selectOption('#view', 'nametables');
  await wait(400);
  await page.screenshot({ path: path.join(MAXOUT_PICTURES, 'debugger.png') });
  done('the debugger shows its views');
  assert.deepEqual(complaints, []);
  await context.close();
}

