// axe-core over every section, on a desktop and on a phone, in both colour schemes.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { MAXOUT_ISOLATED, MAXOUT_PACKAGES, assert, done, movie, open, play, until } from './support.mjs';

const SECTIONS = ['home', 'game', 'practise', 'puzzles', 'games', 'review', 'settings', 'tools'];
/** Pixels of a target under a finger. */
const TARGET = 44;

export async function accessible() {
  const axe = await readFile(path.join(MAXOUT_PACKAGES, 'axe-core/axe.min.js'), 'utf8');
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
  let states = 0;
  for (const [name, options] of [['desktop', {}], ['light', { colorScheme: 'light' }], ['dark', { colorScheme: 'dark' }], ['phone', phone]]) {
    const { context, page, complaints } = await open(MAXOUT_ISOLATED, { bypassCSP: true, reducedMotion: 'reduce', ...options });
    await page.evaluate(axe);
    await play(page);
    const options18 = (await page.evaluate(() => globalThis.maxout.status.game.options));
    assert.match(options18, /no-flash/, 'less motion: no flash');
    await page.evaluate(() => globalThis.maxout.ask('set_computer', 30));
    await until(page, () => globalThis.maxout.status.game.statistics.pieces >= 4, undefined, 60_000);
    for (const section of SECTIONS) {
      await page.evaluate((section) => globalThis.maxout.app.go(section), section);
      if (section === 'puzzles') await until(page, () => document.getElementById('puzzle-title').textContent === 'Place both pieces', undefined, 60_000);
      if (section === 'games') await until(page, () => document.querySelectorAll('#games-table tbody tr').length > 0);
      if (section === 'review') {
        await page.evaluate(async (bytes) => globalThis.maxout.app.review('game.fm2', new Uint8Array(bytes)), [...movie]);
        await until(page, () => document.getElementById('summary').children.length > 0, undefined, 240_000);
      }
      const found = await page.evaluate(async () => {
        const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'] });
        return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 120)).join(' | ')}`);
      });
      assert.deepEqual(found, [], `${name}, ${section}`);
      states++;
      if (name === 'phone') {
        const small = await page.evaluate((target) => [...document.querySelectorAll('button, select, input, .file')].filter((each) => {
          const { width, height } = each.getBoundingClientRect();
          return width > 0 && height > 0 && each.type !== 'range' && each.type !== 'checkbox' && (height < target - 0.5 || width < target - 0.5);
        }).map((each) => `${each.id || each.textContent} ${Math.round(each.getBoundingClientRect().width)}x${Math.round(each.getBoundingClientRect().height)}`), TARGET);
        assert.deepEqual(small, [], `${section}: controls under ${TARGET} px`);
      }
    }
    assert.deepEqual(complaints, []);
    await context.close();
  }
  done('axe-core finds nothing', `${states} states`);
}
