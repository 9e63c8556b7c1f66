// @ts-check
// The page: puts machine, sound, input and panels together.

import { Machine } from './worker.js';
import { Sound } from './sound.js';
import { ACTIONS, BUTTONS, Input } from './input.js';
import { Panels } from './panels.js';
import * as store from './store.js';

/** @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T} */
export function element(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} ${id}`);
  return found;
}

const button = (/** @type {string} */ id) => element(id, HTMLButtonElement);
const screen = element('screen', HTMLCanvasElement);
const frame = element('frame', HTMLDivElement);
const machine = new Machine();
const sound = new Sound(machine);
const input = new Input(screen);
/** @type {Record<string, any>} */
const settings = { volume: 0.6, ahead: 0, palette: '', shape: '8:7', smooth: false, hiddenPause: true, touch: 'auto', slot: 1, hertz: 12, muted: false, keepRom: false, keys: {}, ...store.settings() };

/** What is known of the machine. @type {import('./worker.js').Status | null} */
let status = null;
/** How the sound is. @type {import('./worker.js').Sound | null} */
let heard = null;
let paused = false;
/** Paused by the page itself, because it is hidden. */
let asleep = false;
/** The ROM's bytes, to be kept if asked. @type {{ name: string, bytes: Uint8Array } | null} */
let rom = null;
/** The picture that is to be drawn with the browser's next. @type {ArrayBuffer | null} */
let picture = null;

/** Says a line to the player. @param {string} text */
export function say(text, bad = false) {
  const line = element('message', HTMLParagraphElement);
  line.textContent = text;
  line.classList.toggle('bad', bad);
}

/** Does something that may fail, and says so. @param {() => Promise<unknown> | unknown} work */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), true);
    return undefined;
  }
}

const ask = (/** @type {string} */ name, /** @type {any[]} */ ...args) => machine.ask(name, args);
const panels = new Panels({ ask, attempt, say, element, remember, settings, focus: () => screen.focus({ preventScroll: true }) });

function remember() {
  store.setSettings(settings);
}

// Pictures.

const brush = screen.getContext('2d', { alpha: false });
const rivalBrush = element('rival', HTMLCanvasElement).getContext('2d', { alpha: false });
const SIZE = 256 * 240 * 4;

function draw() {
  requestAnimationFrame(draw);
  input.poll().length && panels.pads(navigator.getGamepads());
  if (picture === null) return;
  const pixels = new Uint8ClampedArray(picture);
  brush?.putImageData(new ImageData(pixels.subarray(0, SIZE), 256, 240), 0, 0);
  if (pixels.length > SIZE && rivalBrush) rivalBrush.putImageData(new ImageData(pixels.subarray(SIZE), 256, 240), 0, 0);
  machine.give(picture);
  picture = null;
}

machine.addEventListener('picture', (event) => {
  const { buffer } = /** @type {CustomEvent} */ (event).detail;
  if (document.documentElement.dataset.pictures === undefined) {
    performance.mark('first-picture');
    document.documentElement.dataset.pictures = String(Math.round(performance.now()));
  }
  // One that was not drawn in time goes back unseen.
  if (picture !== null) machine.give(picture);
  picture = buffer;
});

machine.addEventListener('status', (event) => {
  const detail = /** @type {CustomEvent} */ (event).detail;
  status = detail.status;
  heard = detail.sound;
  element('wake', HTMLButtonElement).hidden = sound.running || paused || settings.muted;
  element('cartridge', HTMLParagraphElement).textContent = status?.known && status.known !== status.name ? `${status.name} – ${status.known}` : status?.name ?? '';
  panels.show(detail.status, detail.events);
});

machine.addEventListener('failed', (event) => say(`The machine stopped: ${/** @type {CustomEvent} */ (event).detail}. Load the page again.`, true));
machine.addEventListener('reading', (event) => panels.reading(/** @type {CustomEvent} */ (event).detail.share));

// Running.

async function run() {
  await ask('run', !paused && !asleep);
  const pause = button('pause');
  pause.textContent = paused ? 'Play' : 'Pause';
  pause.setAttribute('aria-pressed', String(paused));
}

/** @param {boolean} on */
function pause(on) {
  paused = on;
  return run();
}

function wake() {
  if (!settings.muted) attempt(() => sound.start());
}

function mute(/** @type {boolean} */ on) {
  settings.muted = on;
  button('sound').setAttribute('aria-pressed', String(!on));
  ask('mute', on);
  remember();
}

async function saveState() {
  const bytes = await ask('save');
  await store.keep('states', `${status?.crc32}/${settings.slot}`, { bytes, when: Date.now(), name: status?.name });
  say(`Saved in slot ${settings.slot}.`);
}

async function loadState() {
  const kept = await store.take('states', `${status?.crc32}/${settings.slot}`);
  if (!kept) throw new Error(`Slot ${settings.slot} of this cartridge is empty: save a state first.`);
  await ask('load', kept.bytes);
  say(`Loaded slot ${settings.slot}.`);
}

/** @param {Uint8Array} bytes */
async function insert(/** @type {string} */ name, bytes) {
  await keepBattery();
  // Its battery is known by its name and size before the machine knows its checksum.
  const key = `${name}/${bytes.length}`;
  const battery = bytes.length ? await store.take('batteries', key).catch(() => undefined) : undefined;
  await ask('insert', name, bytes, battery ?? new Uint8Array());
  rom = bytes.length ? { name, bytes } : null;
  if (settings.keepRom && rom) await keepRom();
  status = await ask('status');
  say(status?.known ? `${name || 'Maxout'}: known as ${status.known}.` : `${name}: ${status?.board}. It is not known as Tetris: practice and statistics rest.`);
  pause(false);
  screen.focus({ preventScroll: true });
}

async function keepBattery() {
  if (!rom || !status?.battery) return;
  await store.keep('batteries', `${rom.name}/${rom.bytes.length}`, await ask('battery')).catch(() => undefined);
}

async function keepRom() {
  if (!rom) return;
  await navigator.storage?.persist?.();
  await store.keep('roms', rom.name, rom.bytes);
  await listRoms();
}

async function listRoms() {
  const list = element('kept', HTMLUListElement);
  list.replaceChildren();
  for (const name of await store.keys('roms').catch(() => [])) {
    const line = document.createElement('li');
    const open = document.createElement('button');
    open.type = 'button';
    open.textContent = name;
    open.addEventListener('click', () => attempt(async () => insert(name, await store.take('roms', name))));
    const forget = document.createElement('button');
    forget.type = 'button';
    forget.textContent = 'Forget';
    forget.setAttribute('aria-label', `Forget ${name}`);
    forget.addEventListener('click', () => attempt(async () => {
      await store.drop('roms', name);
      await listRoms();
    }));
    line.append(open, ' ', forget);
    list.append(line);
  }
}

/** The largest file that is read: no cartridge is near it. */
const LARGEST = 16 << 20;

/** Opens a file by what it is. @param {File} file */
async function open(file) {
  if (file.size > LARGEST) throw new Error(`${file.name}: ${file.size} bytes; expected a file of at most ${LARGEST}`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const begins = (/** @type {string} */ text) => [...text].every((letter, at) => bytes[at] === letter.charCodeAt(0));
  const name = file.name;
  if (begins('MXGAME') || /\.(fm2|mxgame)$/i.test(name)) return panels.openGame(name, bytes);
  if (['MXST', 'MXWEB', '\x89PNG'].some(begins)) {
    await ask('load', bytes);
    return say(`${name} loaded.`);
  }
  if (/\.pal$/i.test(name)) {
    await ask('set_palette', name, bytes);
    return say(`Colours of ${name}.`);
  }
  if (begins('PK\x03\x04')) throw new Error(`${name}: an archive; expected a cartridge image. Unpack it and open the .nes file that is in it.`);
  return insert(name, bytes);
}

// Buttons, keys, files.

/** @type {Record<string, (down: boolean) => unknown>} */
const actions = {
  pause: (down) => down && pause(!paused),
  frame: (down) => down && pause(true).then(() => ask('advance')),
  back: (down) => ask('rewind', down),
  fast: (down) => ask('speed', down ? 4 : Number(element('speed', HTMLSelectElement).value)),
  save: (down) => down && saveState(),
  load: (down) => down && loadState(),
  computer: (down) => down && button('computer').click(),
  undo: (down) => down && ask('undo', undefined),
  mark: (down) => down && button('mark').click(),
  retry: (down) => down && button('retry').click(),
};

input.addEventListener('held', (event) => machine.hold(/** @type {CustomEvent} */ (event).detail));
input.addEventListener('touched', wake);
// Browsers let sound begin with a click or a key, whatever it is meant for.
addEventListener('pointerdown', wake);
input.addEventListener('action', (event) => {
  const { name, down } = /** @type {CustomEvent} */ (event).detail;
  attempt(() => actions[name]?.(down));
});
input.addEventListener('released', () => {
  ask('rewind', false);
  ask('speed', Number(element('speed', HTMLSelectElement).value));
});

/** @param {string} id @param {() => unknown} work */
function click(id, work) {
  button(id).addEventListener('click', (event) => {
    attempt(work);
    // A click leaves the keys to the game; whoever presses a button by key stays on it.
    if (event instanceof PointerEvent && event.pointerType !== '') screen.focus({ preventScroll: true });
  });
}

click('wake', wake);
click('pause', () => pause(!paused));
click('save', saveState);
click('load', loadState);
click('sound', () => {
  if (sound.running) mute(!settings.muted);
  else mute(false);
  wake();
});
click('full', () => (document.fullscreenElement ? document.exitFullscreen() : element('stage', HTMLElement).requestFullscreen()));
click('built-in', () => insert('', new Uint8Array()));
click('power', () => ask('power'));
click('reset', () => ask('reset'));
click('keys-usual', () => {
  input.keys = Object.fromEntries(ACTIONS.map(([name, , keys]) => [name, [...keys]]));
  listKeys();
});

const back = button('back');
for (const [kind, down] of /** @type {[string, boolean][]} */ ([['pointerdown', true], ['pointerup', false], ['pointerleave', false], ['pointercancel', false]])) {
  back.addEventListener(kind, () => ask('rewind', down));
}
back.addEventListener('keydown', (event) => [' ', 'Enter'].includes(event.key) && ask('rewind', true));
back.addEventListener('keyup', () => ask('rewind', false));

element('speed', HTMLSelectElement).addEventListener('change', (event) => {
  ask('speed', Number(/** @type {HTMLSelectElement} */ (event.target).value));
});

const slot = element('slot', HTMLSelectElement);
for (let number = 1; number <= 10; number++) slot.append(new Option(String(number), String(number)));
slot.value = String(settings.slot);
slot.addEventListener('change', () => {
  settings.slot = Number(slot.value);
  remember();
});

const file = element('file', HTMLInputElement);
file.addEventListener('change', () => {
  const chosen = file.files?.[0];
  if (chosen) attempt(() => open(chosen));
  file.value = '';
});
addEventListener('dragover', (event) => {
  event.preventDefault();
  document.body.classList.add('dropping');
});
addEventListener('dragleave', () => document.body.classList.remove('dropping'));
addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('dropping');
  const dropped = event.dataTransfer?.files[0];
  if (dropped) attempt(() => open(dropped));
});

const keepBox = element('keep', HTMLInputElement);
keepBox.checked = settings.keepRom;
keepBox.addEventListener('change', () => attempt(async () => {
  settings.keepRom = keepBox.checked;
  remember();
  if (keepBox.checked) await keepRom();
}));

// Settings.

function listKeys() {
  const list = element('keys', HTMLUListElement);
  list.replaceChildren(...ACTIONS.map(([name, title]) => {
    const line = document.createElement('li');
    const choose = document.createElement('button');
    choose.type = 'button';
    choose.dataset.action = name;
    const keys = input.keys[name].map((code) => code.replace(/^(Key|Arrow|Digit)/, '').replace('Numpad', 'Numpad ')).join(', ') || 'none';
    choose.textContent = `${title}: ${keys}`;
    choose.addEventListener('click', () => {
      input.learning = name;
      choose.textContent = `${title}: press a key`;
    });
    line.append(choose);
    return line;
  }));
  settings.keys = input.keys;
  remember();
}

input.addEventListener('learnt', listKeys);
for (const [name, , usual] of ACTIONS) {
  const kept = settings.keys?.[name];
  input.keys[name] = Array.isArray(kept) && kept.every((code) => typeof code === 'string') ? kept : [...usual];
}
listKeys();

/** @param {string} id @param {'value' | 'checked'} what @param {(value: any) => unknown} apply @param {string} name */
function setting(id, what, name, apply) {
  const control = /** @type {HTMLInputElement} */ (element(id, HTMLElement));
  if (what === 'checked') control.checked = settings[name];
  else control.value = String(settings[name]);
  const take = () => {
    settings[name] = what === 'checked' ? control.checked : control.value;
    remember();
    attempt(() => apply(settings[name]));
  };
  control.addEventListener('input', take);
  return () => apply(settings[name]);
}

const touchArea = element('touch', HTMLDivElement);
const applied = [
  setting('volume', 'value', 'volume', (value) => sound.setVolume(Number(value))),
  setting('ahead', 'value', 'ahead', (value) => ask('set_ahead', Number(value))),
  setting('palette', 'value', 'palette', (value) => ask('set_colours', value)),
  setting('shape', 'value', 'shape', (value) => frame.classList.toggle('square', value === '1:1')),
  setting('smooth', 'checked', 'smooth', (value) => frame.classList.toggle('smooth', value)),
  setting('hidden-pause', 'checked', 'hiddenPause', () => undefined),
  setting('touch-when', 'value', 'touch', (value) => {
    touchArea.hidden = value === 'off' || (value === 'auto' && !matchMedia('(pointer: coarse)').matches);
  }),
];
input.touch(touchArea);

document.addEventListener('visibilitychange', () => {
  asleep = document.hidden && settings.hiddenPause;
  if (document.hidden) keepBattery();
  run();
});
addEventListener('pagehide', () => {
  keepBattery();
});

// Beginning.

/** What tests and the curious may ask. */
Object.assign(globalThis, {
  maxout: {
    ask,
    machine,
    get status() { return status; },
    get sound() { return heard; },
    /** Seconds that the sound device has played. */
    get played() { return sound.context?.currentTime ?? 0; },
    isolated: globalThis.crossOriginIsolated === true,
    BUTTONS,
  },
});

const { simd } = await machine.ready.catch((error) => {
  say(`The machine could not be started: ${error.message}`, true);
  throw error;
});
for (let count = 0; count < 3; count++) machine.give(new ArrayBuffer(SIZE));
for (const apply of applied) attempt(apply);
mute(settings.muted);
await run();
draw();
await attempt(() => panels.begin());
await attempt(() => panels.follow(location.hash));
addEventListener('hashchange', () => attempt(() => panels.follow(location.hash)));
attempt(listRoms);
document.documentElement.dataset.ready = simd ? 'simd' : 'plain';
if ('serviceWorker' in navigator && isSecureContext) {
  navigator.serviceWorker.register('sw.js').catch(() => undefined);
}
