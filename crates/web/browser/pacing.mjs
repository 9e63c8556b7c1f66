// Frames by the display's clock, sound that follows, and a machine that rests when nobody plays.

import { LISTEN, MAXOUT_BARE, MAXOUT_ISOLATED, assert, browser, done, open, play, processorTime, until, wait } from './support.mjs';

/** Share of the frames that may never be seen. */
const LOST = 0.005;
/** Share of refreshes that come late, from which on the machine is too busy for that. */
const BUSY = 0.01;
/** Share of frames and samples that even a busy machine has to show and to sound. */
const LEAST = 0.5;
/** Times that the sound is listened to, until the machine is not too busy. */
const ROUNDS = 3;

export async function pacing() {
  for (const [address, shared] of [[MAXOUT_ISOLATED, true], [MAXOUT_BARE, false]]) {
    const { context, page, complaints } = await open(address);
    assert.equal(await page.evaluate(() => globalThis.maxout.isolated), shared);
    await play(page);
    await page.click('#screen');
    await until(page, () => globalThis.maxout.sound?.sounding);
    // Refreshes, and those that were left out because one came late.
    await page.evaluate(() => {
      [globalThis.ticks, globalThis.late] = [0, 0];
      let before = performance.now();
      const count = (/** @type {number} */ now) => {
        globalThis.ticks++;
        globalThis.late += Math.max(0, Math.round((now - before) / (1000 / 60)) - 1);
        before = now;
        requestAnimationFrame(count);
      };
      requestAnimationFrame(count);
    });
    await wait(3_000);
    for (let round = 1; await listened(page, shared, round); round++);
    assert.deepEqual(complaints, []);
    await context.close();
  }
}

/** Listens once. Returns whether the machine was too busy, so that it is worth listening again. */
async function listened(page, shared, round) {
  // Pictures that a refresh has shown, refreshes, and frames that ran: counted by the page and by the worker.
  const look = () => page.evaluate(() => new Promise((resolve) => {
    globalThis.maxout.machine.addEventListener('status', () => {
      const { ticks, late } = globalThis;
      resolve({ ...globalThis.maxout.sound, shown: globalThis.maxout.screen.shown, ticks, late, at: performance.now() / 1000 });
    }, { once: true });
  }));
  const before = await look();
  assert.equal(before.shared, shared);
  const begun = processorTime();
  await wait(LISTEN * 1000);
  const cost = processorTime() - begun;
  const after = await look();
  const [frames, shown, ticks, late, missing] = ['frames', 'shown', 'ticks', 'late', 'missing'].map((name) => after[name] - before[name]);
  const way = shared ? 'shared memory' : 'messages';
  const figures = `${frames} frames, ${ticks} refreshes, ${late} left out, ${shown} shown (${(100 * (frames - shown) / frames).toFixed(2)} % not), ${missing} samples missing, ${(100 * cost / LISTEN).toFixed(1)} % of a core in all processes`;
  assert.ok(frames < 1.1 * 61 * (after.at - before.at) + 60, `${way}: ${figures}`);
  const isBusy = late > BUSY * ticks;
  // The status counts in sixes.
  const isShown = shown >= (1 - LOST) * frames - 6 && missing < 48_000 * LISTEN * 0.01;
  if (isBusy && !isShown && round < ROUNDS) {
    console.log(`--  sound by ${way}: ${figures}: the machine is busy, again`);
    return true;
  }
  if (isBusy) assert.ok(shown >= LEAST * Math.min(frames, ticks) && missing < 48_000 * LISTEN * LEAST, `${way}: ${figures}`);
  else assert.ok(isShown && frames > 0.95 * ticks, `${way}: ${figures}`);
  done(`sound by ${way}, ${LISTEN} s${isBusy ? ', on a busy machine' : ''}`, figures);
  return false;
}

/** What a page that does nothing may take, beyond what an empty one takes: a share of a core. */
const RESTING = 0.01;

export async function paused() {
  /** The share of a core that all processes of the browser take. */
  const share = async () => {
    const begun = processorTime();
    await wait(10_000);
    return (processorTime() - begun) / 10;
  };
  const empty = await browser.newPage();
  await wait(1_000);
  const least = await share();
  await empty.close();
  done('an empty page', `${(100 * least).toFixed(1)} % of a core in all processes of the browser`);
  const { context, page, complaints } = await open(MAXOUT_ISOLATED);
  await play(page);
  await page.click('#screen');
  await until(page, () => globalThis.maxout.sound?.sounding);
  const still = async (name) => {
    // What is under way comes to its end.
    await wait(1_500);
    const count = () => page.evaluate(() => ({ frame: globalThis.maxout.status.frame, shown: globalThis.maxout.screen.shown, messages: globalThis.messages, state: globalThis.maxout.app.machine && globalThis.maxout.played }));
    await page.evaluate(() => {
      globalThis.messages = 0;
      globalThis.maxout.machine.worker.addEventListener('message', () => { globalThis.messages++; });
    });
    const before = await count();
    const cost = await share();
    const after = await count();
    assert.deepEqual(after, { ...before, messages: 0 }, `${name}: no frame, no picture, no message, no sound`);
    // A busy machine takes more for the same.
    assert.ok(cost - least <= 3 * RESTING, `${name}: ${(100 * cost).toFixed(1)} % of a core, an empty page ${(100 * least).toFixed(1)} %`);
    done(`${name}: nothing runs`, `${(100 * cost).toFixed(1)} % of a core; ${cost - least <= RESTING ? 'within' : 'beyond'} the bar of 1 % more than an empty page`);
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
