// Frames by the display's clock, sound that follows, and a machine that rests when nobody plays.

import { LISTEN, MAXOUT_BARE, MAXOUT_ISOLATED, assert, done, open, play, processorTime, until, wait } from './support.mjs';

/** Share of the frames that may never be seen. */
const LOST = 0.005;

export async function pacing() {
  for (const [address, shared] of [[MAXOUT_ISOLATED, true], [MAXOUT_BARE, false]]) {
    const { context, page, complaints } = await open(address);
    assert.equal(await page.evaluate(() => globalThis.maxout.isolated), shared);
    await play(page);
    await page.click('#screen');
    await until(page, () => globalThis.maxout.sound?.sounding);
    await wait(3_000);
    // Pictures that a refresh has shown, refreshes, and frames that ran: counted by the page and by the worker.
    const look = () => page.evaluate(() => new Promise((resolve) => {
      let ticks = globalThis.ticks ?? 0;
      if (globalThis.ticks === undefined) {
        globalThis.ticks = 0;
        const count = () => { globalThis.ticks++; requestAnimationFrame(count); };
        requestAnimationFrame(count);
      }
      globalThis.maxout.machine.addEventListener('status', () => {
        ticks = globalThis.ticks;
        resolve({ ...globalThis.maxout.sound, shown: globalThis.maxout.screen.shown, passed: globalThis.maxout.screen.passed, ticks, at: globalThis.maxout.played });
      }, { once: true });
    }));
    const before = await look();
    assert.equal(before.shared, shared);
    const begun = processorTime();
    await wait(LISTEN * 1000);
    const cost = processorTime() - begun;
    const after = await look();
    const [frames, shown, ticks] = ['frames', 'shown', 'ticks'].map((name) => after[name] - before[name]);
    const missing = after.missing - before.missing;
    const lost = frames - shown;
    const way = shared ? 'shared memory' : 'messages';
    const figures = `${frames} frames, ${ticks} refreshes, ${shown} shown (${(100 * lost / frames).toFixed(2)} % not), ${missing} samples missing, ${(100 * cost / LISTEN).toFixed(1)} % of a core in all processes`;
    // A busy machine has fewer refreshes than frames: what it can show at most is what it refreshes. The status counts in sixes.
    assert.ok(shown >= (1 - LOST) * Math.min(frames, ticks) - 6, `${way}: ${figures}`);
    assert.ok(missing < 48_000 * LISTEN * 0.05, `${way}: ${figures}`);
    assert.ok(frames > 0.8 * Math.min(ticks, 60 * LISTEN) && frames < 1.1 * 61 * (after.at - before.at) + 60, `${way}: ${figures}`);
    done(`sound by ${way}, ${LISTEN} s`, figures);
    assert.deepEqual(complaints, []);
    await context.close();
  }
}

export async function paused() {
  const { context, page, complaints } = await open(MAXOUT_ISOLATED);
  await play(page);
  await page.click('#screen');
  await until(page, () => globalThis.maxout.sound?.sounding);
  const still = async (name) => {
    // What is under way comes to its end.
    await wait(1_000);
    const count = () => page.evaluate(() => ({ frame: globalThis.maxout.status.frame, shown: globalThis.maxout.screen.shown, messages: globalThis.messages, state: globalThis.maxout.app.machine && globalThis.maxout.played }));
    await page.evaluate(() => {
      globalThis.messages = 0;
      globalThis.maxout.machine.worker.addEventListener('message', () => { globalThis.messages++; });
    });
    const before = await count();
    const begun = processorTime();
    await wait(5_000);
    const cost = (processorTime() - begun) / 5;
    const after = await count();
    assert.deepEqual(after, { ...before, messages: 0 }, `${name}: no frame, no picture, no message, no sound`);
    done(`${name}: nothing runs`, `${(100 * cost).toFixed(1)} % of a core in all processes of the browser`);
  };
  await page.keyboard.press('p');
  await until(page, () => document.getElementById('pause').getAttribute('aria-pressed') === 'true');
  await still('paused');
  await page.keyboard.press('p');
  await until(page, (frame) => globalThis.maxout.status.frame > frame, await page.evaluate(() => globalThis.maxout.status.frame));
  await page.click('#sections [data-page=home]');
  await still('at home');
  await page.click('#sections [data-page=game]');
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await still('in a hidden tab');
  await page.evaluate(() => {
    delete document.hidden;
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await until(page, (frame) => globalThis.maxout.status.frame > frame, await page.evaluate(() => globalThis.maxout.status.frame));
  assert.deepEqual(complaints, []);
  await context.close();
}
