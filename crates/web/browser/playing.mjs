// Keys, the mouse beside them, gamepads, phones and tablets; and what the page refuses.

import path from 'node:path';

import { MAXOUT_ISOLATED, MAXOUT_PICTURES, assert, browserName, done, drop, launch, open, play, said, saved, slow, status, until, wait } from './support.mjs';

export async function input() {
  const { context, page, complaints } = await open(MAXOUT_ISOLATED);
  await page.screenshot({ path: path.join(MAXOUT_PICTURES, 'home.png') });
  // By keys alone: from the first section into a game, move, save, load, pause.
  await page.focus('#play');
  await page.keyboard.press('Enter');
  await until(page, () => globalThis.maxout.status?.game?.playing);
  await page.keyboard.down('ArrowLeft');
  await until(page, () => globalThis.maxout.status.held === 2);
  await page.keyboard.up('ArrowLeft');
  await drop(page, 3);
  done('a game is played by keys');
  await page.screenshot({ path: path.join(MAXOUT_PICTURES, 'desktop.png') });

  await page.keyboard.press('F5');
  await said(page, 'Saved in slot 1');
  const before = await status(page);
  await drop(page, before.game.statistics.pieces + 2);
  await page.keyboard.press('p');
  await until(page, () => document.getElementById('pause').getAttribute('aria-pressed') === 'true');
  await page.keyboard.press('F8');
  await said(page, 'Loaded slot 1');
  const loaded = await status(page);
  assert.ok(loaded.game.playing && loaded.frame <= before.frame + 60);
  await page.keyboard.press('v');
  await said(page, 'came in before the state was loaded');
  await page.keyboard.press('e');
  await said(page, 'o position is marked');
  done('a state is saved and loaded, and says what it lacks');
  await page.keyboard.press('n');
  await until(page, (frame) => globalThis.maxout.status.frame === frame + 1, loaded.frame);
  await page.keyboard.press('p');
  await wait(1_000);
  await page.keyboard.down('q');
  await wait(600);
  await page.keyboard.up('q');
  done('one frame, and rewind');
  // What is played becomes a file.
  for (const [kind, begins] of [['gif', 'GIF89a'], ['wav', 'RIFF']]) {
    await page.selectOption('#record', kind);
    await until(page, () => globalThis.maxout.status.recording?.seconds > 1);
    assert.match(await page.textContent('#recorded'), /0:0[1-9]/);
    const file = await saved(page, () => page.click('#recorded'));
    assert.equal(file.subarray(0, begins.length).toString('latin1'), begins);
    assert.ok(file.length > 2_000, `${kind}: ${file.length} bytes`);
    await until(page, () => globalThis.maxout.status.recording === null);
  }
  done('picture and sound are recorded');

  // Whatever the mouse has chosen: the keys are the game's.
  const reaches = async (name) => {
    await page.keyboard.down('ArrowLeft');
    await until(page, () => globalThis.maxout.status.held === 2).catch(() => assert.fail(`keys are dead after ${name}`));
    await page.keyboard.up('ArrowLeft');
    await until(page, () => globalThis.maxout.status.held === 0);
  };
  await page.selectOption('#speed', '2');
  await page.click('#speed');
  await page.keyboard.press('Escape');
  await page.selectOption('#speed', '1');
  await reaches('a list');
  await page.click('#left');
  await reaches('a rail');
  for (const id of ['sound', 'mark', 'undo', 'sound']) {
    await page.click(`#${id}`);
    await reaches(id);
  }
  await page.click('header h1');
  await reaches('the title');
  assert.equal(await page.inputValue('#speed'), '1', 'a piece falls, and the list stays');
  done('keys reach the game whatever was clicked');

  // Another key for A, and a gamepad whose buttons nobody knows.
  await page.click('#sections [data-page=settings]');
  await page.click('[data-action=a]');
  await page.keyboard.press('KeyK');
  await page.evaluate(() => {
    globalThis.pad = { id: 'NES pad (0079:0011)', mapping: '', connected: true, index: 0, axes: [0, 0], buttons: Array.from({ length: 10 }, () => ({ pressed: false, value: 0 })) };
    navigator.getGamepads = () => [globalThis.pad];
    dispatchEvent(new Event('gamepadconnected'));
  });
  await page.click('#pad-list button');
  const steps = [['axes', 0, -1], ['axes', 0, 1], ['axes', 1, -1], ['axes', 1, 1], ['buttons', 1], ['buttons', 2], ['buttons', 7], ['buttons', 6]];
  for (const [kind, at, value] of steps) {
    const asked = await page.textContent('#wizard');
    await page.evaluate(([kind, at, value]) => { if (kind === 'axes') globalThis.pad.axes[at] = value; else globalThis.pad.buttons[at].pressed = true; }, [kind, at, value]);
    await until(page, (asked) => document.getElementById('wizard').textContent !== asked || document.getElementById('wizard').hidden, asked);
    await page.evaluate(([kind, at]) => { if (kind === 'axes') globalThis.pad.axes[at] = 0; else globalThis.pad.buttons[at].pressed = false; }, [kind, at]);
    await wait(100);
  }
  await page.click('#sections [data-page=game]');
  await page.evaluate(() => { globalThis.pad.buttons[2].pressed = true; globalThis.pad.axes[0] = -1; });
  await until(page, () => globalThis.maxout.status.held === (64 | 2));
  await page.evaluate(() => { globalThis.pad.buttons[2].pressed = false; globalThis.pad.axes[0] = 0; });
  await page.keyboard.down('k');
  await until(page, () => (globalThis.maxout.status.held & 128) === 128);
  await page.keyboard.up('k');
  await page.keyboard.down('Numpad4');
  await until(page, () => globalThis.maxout.status.held2 === 2);
  await page.keyboard.up('Numpad4');
  done('keys are chosen, a gamepad without the standard mapping is assigned, the second player has keys');

  // What is refused, and that the game goes on.
  await page.click('#sections [data-page=home]');
  for (const [name, buffer, words] of [
    ['holiday.nes', Buffer.from('not a cartridge at all'), 'oliday.nes: '], ['empty.nes', Buffer.alloc(0), 'mpty.nes: an empty file'],
    ['games.zip', Buffer.from('PK\x03\x04 and so on'), 'ames.zip: a damaged archive'],
  ]) {
    await page.setInputFiles('#file', { name, mimeType: 'application/octet-stream', buffer });
    await said(page, words);
    assert.equal((await status(page)).name, 'Maxout');
  }
  await page.setInputFiles('#file', slow);
  await until(page, () => globalThis.maxout.status.name === 'maxout-slow.nes');
  done('files that are none are refused, and another ROM plays');
  assert.deepEqual(complaints, []);
  await context.close();

  // A machine without a sound device: Firefox alone has a preference for that.
  if (browserName === 'Firefox') return silent();
  // An address without encryption, as a phone in the same house has it: Chromium alone takes a name for it.
  const other = await launch(['--host-resolver-rules=MAP vm.test 127.0.0.1']);
  const insecure = await other.newPage();
  await insecure.goto(MAXOUT_ISOLATED.replace('127.0.0.1', 'vm.test'));
  await until(insecure, () => document.documentElement.dataset.ready !== undefined);
  await play(insecure);
  await insecure.click('#screen');
  await said(insecure, 'ound needs an encrypted address');
  await insecure.evaluate(() => globalThis.maxout.app.copy('daily'));
  await said(insecure, 'from the address bar');
  await until(insecure, () => document.getElementById('wake').hidden);
  await other.close();
  done('an address without encryption says so, and plays');
}

/** Without a sound device nothing lies on the picture, and the game goes on. */
async function silent() {
  const other = await launch([], { 'media.cubeb.backend': 'none' });
  const page = await other.newPage();
  await page.goto(MAXOUT_ISOLATED);
  await until(page, () => document.documentElement.dataset.ready !== undefined);
  await play(page);
  await page.click('#screen');
  await until(page, () => document.getElementById('wake').hidden, undefined, 30_000);
  assert.notEqual(await page.evaluate(() => globalThis.maxout.sound?.sounding), true);
  const frame = (await status(page)).frame;
  await until(page, (frame) => globalThis.maxout.status.frame > frame + 30, frame);
  await other.close();
  done('a machine without a sound device plays');
}

export async function phones() {
  const sizes = [['phone', 390, 844, 2], ['phone-sideways', 844, 390, 2], ['small-sideways', 667, 375, 2], ['tablet', 1024, 768, 2], ['tablet-upright', 768, 1024, 2]];
  for (const [name, width, height, ratio] of sizes) {
    const { context, page, complaints } = await open(MAXOUT_ISOLATED, { viewport: { width, height }, hasTouch: true, isMobile: true, deviceScaleFactor: ratio });
    await play(page);
    await until(page, () => !document.getElementById('touch-left').hidden);
    await wait(300);
    const boxes = await page.evaluate(() => [...document.querySelectorAll('[data-pad], [data-cross]')].map((each) => {
      const { left, top, right, bottom, width, height } = each.getBoundingClientRect();
      return { name: each.dataset.pad ?? 'cross', left, top, right, bottom, width, height };
    }));
    assert.equal(boxes.length, 5);
    for (const box of boxes) {
      assert.ok(box.left >= 0 && box.right <= width + 0.5 && box.top >= 0 && box.bottom <= height + 0.5, `${name}: ${box.name} is outside: ${JSON.stringify(box)}`);
      assert.ok(box.width >= 44 && box.height >= 44, `${name}: a finger hits ${box.name}: ${JSON.stringify(box)}`);
    }
    const picture = await page.locator('#screen').boundingBox();
    for (const box of boxes) assert.ok(box.right <= picture.x + 1 || box.left >= picture.x + picture.width - 1 || box.top >= picture.y + picture.height - 1, `${name}: ${box.name} covers the picture`);
    if (width > height && height < 500) assert.ok(picture.height >= 0.84 * height, `${name}: the picture is ${picture.height} of ${height} high`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width, name);
    // A thumb between two directions, and another finger.
    const cross = boxes.find((box) => box.name === 'cross');
    const at = (x, y) => ({ clientX: cross.left + x * cross.width, clientY: cross.top + y * cross.height, buttons: 1, bubbles: true, pointerType: 'touch' });
    await page.dispatchEvent('#cross', 'pointerdown', { pointerId: 1, ...at(0.15, 0.85) });
    await until(page, () => globalThis.maxout.status.held === (2 | 4));
    await page.dispatchEvent('#cross', 'pointermove', { pointerId: 1, ...at(0.95, 0.5) });
    const a = boxes.find((box) => box.name === 'a');
    await page.dispatchEvent('[data-pad=a]', 'pointerdown', { pointerId: 2, clientX: a.left + 9, clientY: a.top + 20, buttons: 1, bubbles: true });
    await until(page, () => globalThis.maxout.status.held === (1 | 128));
    await page.dispatchEvent('#cross', 'pointerup', { pointerId: 1, bubbles: true });
    await page.dispatchEvent('[data-pad=a]', 'pointerup', { pointerId: 2, bubbles: true });
    await until(page, () => globalThis.maxout.status.held === 0);
    await page.screenshot({ path: path.join(MAXOUT_PICTURES, `${name}.png`) });
    done(`${name}, ${width}x${height}: the pad is in reach`, `picture ${Math.round(picture.width)}x${Math.round(picture.height)}`);
    assert.deepEqual(complaints, []);
    await context.close();
  }
}
