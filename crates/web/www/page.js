// @ts-check
// The page: puts machine, sound, input and the sections together.

import { element, make, pairs, renew, time, write } from './dom.js';
import { Games } from './games.js';
import { ACTIONS, BUTTONS, Input, keyName } from './input.js';
import { Keeper, MOST } from './keeper.js';
import { place } from './layout.js';
import * as links from './links.js';
import { open } from './open.js';
import { PadPage } from './padpage.js';
import { Practise } from './practise.js';
import { Puzzles, today } from './puzzles.js';
import { Match } from './match.js';
import * as rails from './rails.js';
import { Recorder } from './recorder.js';
import { Review } from './review.js';
import { Screen } from './screen.js';
import { Sound } from './sound.js';
import { takeShared } from './shared.js';
import * as store from './store.js';
import { Today } from './today.js';
import { machine } from './worker.js';

/** Bytes of a picture. */
const SIZE = 256 * 240 * 4;
/** Picture buffers: one is drawn, one is painted, and some wait. */
const BUFFERS = 5;
/** Milliseconds that a message stays, and one about a fault. */
const STAYS = 4000, STAYS_BAD = 10_000;
const PAGES = ['home', 'game', 'practise', 'puzzles', 'games', 'review', 'settings', 'tools'];
const embedded = document.documentElement.dataset.embed !== undefined || new URLSearchParams(location.search).has('embed');

const button = (/** @type {string} */ id) => element(id, HTMLButtonElement);
const canvas = element('screen', HTMLCanvasElement);
const rival = element('rival', HTMLCanvasElement);
const frame = element('frame', HTMLDivElement);
const sound = new Sound(machine);
const input = new Input(canvas);
/** @type {Record<string, any>} */
const settings = { volume: 0.6, ahead: 1, palette: '', shape: '8:7', scaling: 'whole', smooth: false, hiddenPause: true, rails: true, touch: 'auto', slot: 1, hertz: 12, muted: false, keepRom: false, rom: '', keys: {}, pads: {}, ...store.settings() };

/** @type {import('./app.js').Status | null} */
let status = null;
/** @type {import('./app.js').SoundState | null} */
let heard = null;
let page = embedded ? 'game' : 'home';
let paused = false;
/** Is the machine asked to run? */
let on = false;
/** What begins when the player is ready. @type {(() => any) | null} */
let waits = null;
/** The ROM in the console, without the built-in one. @type {{ name: string, bytes: Uint8Array } | null} */
let rom = null;
/** Reports of other sections between two looks. */
let looked = 0;

// Messages.

let noteTimer = 0;
/** @type {import('./app.js').App['say']} */
function say(text, { bad = false, act = '', work = () => undefined, stays = false } = {}) {
  const notes = element('notes', HTMLElement);
  write(element('message', HTMLParagraphElement), text);
  notes.classList.toggle('bad', bad);
  notes.classList.toggle('empty', text === '');
  const action = button('message-act');
  action.hidden = act === '';
  write(action, act);
  action.onclick = () => {
    say('');
    app.attempt(work);
  };
  clearTimeout(noteTimer);
  if (text !== '' && !stays) noteTimer = window.setTimeout(() => say(''), bad ? STAYS_BAD : act ? 2 * STAYS : STAYS);
}

/** @param {() => any} work */
async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    say(text.charAt(0).toUpperCase() + text.slice(1), { bad: true });
    return undefined;
  }
}

const ask = (/** @type {string} */ name, /** @type {any[]} */ ...args) => machine.ask(name, args);
const remember = () => store.setSettings(settings);

/** @type {Promise<void> | null} */
let netsLoaded = null;
async function loadNets() {
  const names = ['l18', 'l18-duel', 'l18-slow', 'l18-slower', 'l19', 'l19-slow', 'l19-slower', 'l29', 'l29-24',
    'l29-slow', 'l29-slower', 'l39', 'l39-slow'];
  await Promise.all(names.map(async (name) => {
    const answer = await fetch(`${name}.net`);
    if (!answer.ok) throw new Error('the nets of the page could not be loaded: connect and try again');
    await ask('set_net', new Uint8Array(await answer.arrayBuffer()));
  }));
}

/** @type {import('./app.js').App} */
const app = {
  ask, attempt, say, settings, remember, machine,
  get page() { return page; },
  get status() { return status; },
  nets() {
    netsLoaded ??= loadNets().catch((error) => {
      netsLoaded = null;
      throw error;
    });
    return netsLoaded;
  },
  go(wanted) {
    page = PAGES.includes(wanted) ? wanted : 'home';
    document.body.dataset.page = page;
    for (const name of PAGES) element(name, HTMLElement).hidden = name !== page;
    for (const each of document.querySelectorAll('#sections [data-page]')) {
      if (/** @type {HTMLElement} */ (each).dataset.page === page) each.setAttribute('aria-current', 'page');
      else each.removeAttribute('aria-current');
    }
    input.active = page === 'game';
    input.release();
    keep(true);
    attempt(() => shown[page]?.());
    if (page === 'game') {
      resize();
      canvas.focus({ preventScroll: true });
    }
    return run();
  },
  async play(wanted) {
    settle();
    app.go('game');
    await practise.play(wanted);
    pause(false);
    canvas.focus({ preventScroll: true });
  },
  async watch(name, bytes) {
    await fits(name, bytes);
    settle();
    const views = await ask('open_game', name, bytes);
    app.go('game');
    pause(false);
    write(element('verified', HTMLElement), '');
    if (!views) say(`${name} plays on the console: it presses Reset, or its cartridge is not recognised as Tetris.`);
    return views;
  },
  review: (name, bytes) => review.open(name, bytes),
  async race(name, bytes) {
    await fits(name, bytes);
    settle();
    await ask('begin_race', name, bytes);
    app.go('game');
    pause(false);
  },
  ready(text, work) {
    app.go('game');
    waits = work;
    write(element('ready-text', HTMLElement), text);
    element('ready', HTMLElement).hidden = false;
    run();
  },
  async copy(link) {
    const address = `${location.href.split('#')[0]}#${link}`;
    if (address.length < 16_000) history.replaceState(null, '', address);
    // Phones have a sheet for it, with the messages and people of their own.
    if (navigator.share && matchMedia('(pointer: coarse)').matches) {
      const shared = await navigator.share({ title: 'Maxout', url: address }).then(() => true, (error) => error.name === 'AbortError');
      if (shared) return;
    }
    const copied = await (navigator.clipboard?.writeText(address).then(() => true, () => false) ?? false);
    say(copied ? `Link copied (${address.length} characters).` : 'Copy the link from the address bar: this browser denies access to the clipboard.');
  },
  matches: () => match.list(),
  click(id, work) {
    button(id).addEventListener('click', (event) => {
      attempt(work);
      // A click leaves the keys to the game; a button that was pressed by a key keeps them.
      if (page === 'game' && event instanceof PointerEvent && event.pointerType !== '') canvas.focus({ preventScroll: true });
    });
  },
};
const { click } = app;

/** Has the cartridge in the console on which a game or a movie was played. @param {string} name @param {Uint8Array} bytes */
async function fits(name, bytes) {
  const wanted = await ask('wants', name, bytes);
  if (wanted.here) return;
  if (wanted.builtIn) return insertBuiltIn();
  const kept = (await store.all('roms').catch(() => [])).find((one) => one.crc32 === wanted.crc32 || (wanted.checksum && one.checksum === wanted.checksum));
  if (kept) await insert(kept.name, kept.bytes);
}

const practise = new Practise(app);
const puzzles = new Puzzles(app);
const plan = new Today(app, puzzles);
const games = new Games(app);
const review = new Review(app);
const recorder = new Recorder(app);
const match = new Match(app, input, () => run());
const padPage = new PadPage(app, input);

// Pictures.

const brushes = [canvas, rival].map((each) => each.getContext('2d', { alpha: false }));
const homeBrush = element('home-picture', HTMLCanvasElement).getContext('2d', { alpha: false });
const screen = new Screen((/** @type {ArrayBuffer} */ picture) => {
  const pixels = new Uint8ClampedArray(picture);
  const first = new ImageData(pixels.subarray(0, SIZE), 256, 240);
  if (page === 'home') homeBrush?.putImageData(first, 0, 0);
  else brushes[0]?.putImageData(first, 0, 0);
  if (pixels.length > SIZE) brushes[1]?.putImageData(new ImageData(pixels.subarray(SIZE), 256, 240), 0, 0);
}, (picture) => machine.give(picture));

let ticks = 0;
function tick(/** @type {number} */ now) {
  if (!screen.ticking) return;
  requestAnimationFrame(tick);
  const behind = screen.tick();
  machine.tick(now, behind);
  if (++ticks % 2 === 0) padPage.tell(input.poll());
  else input.poll();
}

machine.addEventListener('picture', (event) => screen.arrive(/** @type {CustomEvent} */ (event).detail.buffer));

function resize() {
  const two = !rival.hidden;
  const room = { width: frame.clientWidth - (two ? 8 : 0), height: frame.clientHeight };
  const aspect = settings.shape === '1:1' ? 256 / 240 : 2048 / 1680;
  const { width, height } = place(room, { ratio: devicePixelRatio, aspect, pictures: two ? 2 : 1, whole: settings.scaling === 'whole' });
  for (const each of [canvas, rival]) {
    each.style.width = `${width}px`;
    each.style.height = `${height}px`;
  }
}
new ResizeObserver(resize).observe(frame);

// What comes from the machine.

let texts = '';
machine.addEventListener('status', (event) => {
  const detail = /** @type {CustomEvent} */ (event).detail;
  status = /** @type {import('./app.js').Status} */ (detail.status);
  match.look(status.match, detail.said, detail.room);
  recorder.look(status.recording);
  heard = detail.sound;
  log(detail.events);
  keep(false);
  show(status);
});

/** @param {import('./app.js').Status} now */
function show(now) {
  button('wake').hidden = !sound.wanted || settings.muted || !on;
  write(element('cartridge', HTMLParagraphElement), now.known && now.known !== now.name ? `${now.name} – ${now.known}` : now.name);
  const two = Boolean(now.match ? now.match.stage : now.versus?.playing || (now.race && !now.viewer));
  if (rival.hidden === two) {
    rival.hidden = !two;
    resize();
  }
  button('computer').setAttribute('aria-pressed', String(now.computer));
  button('versus').setAttribute('aria-pressed', String(Boolean(now.versus)));
  element('viewing', HTMLElement).hidden = !now.viewer || match.on;
  if (now.viewer) {
    const seek = element('seek', HTMLInputElement);
    seek.max = String(now.viewer.length);
    if (!dragging) seek.value = String(now.viewer.frame);
    write(element('at', HTMLOutputElement), `${now.viewer.frame} · ${time(now.viewer.frame)} of ${time(now.viewer.length)}`);
  }
  const said = JSON.stringify(now.game?.texts ?? []);
  if (said !== texts) {
    texts = said;
    element('overlay', HTMLParagraphElement).replaceChildren(...(now.game?.texts ?? []).map((one) => make('span', { class: one.tone }, `${one.text} `)));
  }
  // Rails are laid out some four times a second.
  if (page === 'game' && settings.rails && !embedded && (looked++ % 3 === 0 || !on)) {
    renew(element('left', HTMLElement), match.on ? [match.card()] : rails.left(now));
    renew(element('right', HTMLElement), [...(match.on ? [] : rails.right(now)), keysCard()]);
  }
  if (page === 'tools' && looked++ % 5 === 0) attempt(look);
  awake(on && (now.computer || match.on || Boolean(now.viewer) || input.pads.some((held) => held !== 0)));
  if (parent !== window) parent.postMessage({ maxout: 'status', status: now }, '*');
}

/** @param {any[]} events */
function log(events) {
  if (!events?.length) return;
  const list = element('events', HTMLOListElement);
  for (const { frame: at, event, ...more } of events) {
    const rest = Object.entries(more).map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`);
    list.prepend(make('li', {}, `${at} ${event} ${rest.join(', ')}`));
    if (parent !== window) parent.postMessage({ maxout: 'event', event: { event, ...more } }, '*');
  }
  while (list.children.length > 60) list.lastChild?.remove();
}

machine.addEventListener('failed', (event) => say(`The machine stopped: ${/** @type {CustomEvent} */ (event).detail}. Reload the page.`, { bad: true, stays: true }));

/** Keeps the display lit while hands rest. @type {WakeLockSentinel | null} */
let lock = null;
let locking = false;
async function awake(/** @type {boolean} */ wanted) {
  if (locking || wanted === (lock !== null && !lock.released) || !('wakeLock' in navigator) || document.hidden) return;
  locking = true;
  if (wanted) lock = await navigator.wakeLock.request('screen').catch(() => null);
  else await lock?.release().catch(() => undefined);
  if (!wanted) lock = null;
  // One that was refused is not asked for again at once.
  setTimeout(() => { locking = false; }, wanted && lock === null ? 60_000 : 0);
}

// Running: only what is seen runs.

async function run() {
  const seen = !document.hidden;
  // A match goes on behind everything.
  const wanted = match.on || (!paused && page === 'game' && waits === null && (seen || !settings.hiddenPause));
  const ticking = wanted && seen;
  const label = paused ? 'Play' : 'Pause';
  write(button('pause'), label);
  button('pause').setAttribute('aria-pressed', String(paused));
  on = wanted;
  sound.rest(!wanted);
  if (ticking && !screen.ticking) {
    screen.ticking = true;
    requestAnimationFrame(tick);
  }
  screen.ticking = ticking;
  input.listen(ticking || page === 'settings');
  if (!wanted) awake(false);
  await ask('run', wanted, ticking);
}

/** @param {boolean} wanted */
function pause(wanted) {
  paused = wanted;
  if (wanted) keep(true);
  return run();
}

/** Nothing waits for the player any more. */
function settle() {
  waits = null;
  element('ready', HTMLElement).hidden = true;
}

async function begin() {
  const work = waits;
  settle();
  if (work) await work();
  await run();
}

// What is kept.

const keeper = new Keeper({
  file: () => ask('game_file'),
  state: () => ask('save'),
  async write(game, state) {
    await store.keep('games', game.id, game);
    if (game.over) await store.drop('running', 'game');
    else await store.keep('running', 'game', { state, crc32: game.crc32, name: game.name, score: game.score, level: game.level, lines: game.lines, when: game.when });
  },
}, Date.now().toString(36));

function keep(/** @type {boolean} */ now) {
  if (status) keeper.look(status, performance.now(), now).catch((error) => say(`The game could not be saved: ${error.message}`, { bad: true }));
}

async function thin() {
  const names = await store.keys('games');
  for (const name of names.slice(0, Math.max(0, names.length - MOST))) await store.drop('games', name);
}

async function keepBattery() {
  if (!rom || !status?.battery) return;
  await store.keep('batteries', status.crc32, await ask('battery')).catch(() => undefined);
}

/** Puts a ROM in. @param {string} name @param {Uint8Array} bytes */
async function insert(name, bytes) {
  await keepBattery();
  await ask('insert', name, bytes, new Uint8Array());
  rom = { name, bytes };
  status = /** @type {import('./app.js').Status} */ (await ask('status'));
  if (status.battery) {
    const battery = (await store.take('batteries', status.crc32).catch(() => undefined)) ?? (await store.take('batteries', `${name}/${bytes.length}`).catch(() => undefined));
    if (battery) await ask('insert', name, bytes, battery);
  }
  if (settings.keepRom) await keepRom();
  settings.rom = settings.keepRom ? status.crc32 : '';
  remember();
  say(status.known ? `${name}: recognised as ${status.known}.` : `${name}: ${status.board}. It is not recognised as Tetris: practice and statistics are off.`);
  pause(false);
}

async function insertBuiltIn() {
  await keepBattery();
  await ask('insert_built_in');
  rom = null;
  settings.rom = '';
  remember();
  status = await ask('status');
  pause(false);
}

async function keepRom() {
  if (!rom || !status) return;
  await store.persist();
  await store.keep('roms', status.crc32, { name: rom.name, bytes: rom.bytes, crc32: status.crc32, checksum: status.checksum, when: Date.now() });
  await listRoms();
}

async function listRoms() {
  const list = element('kept', HTMLUListElement);
  const items = [];
  for (const key of await store.keys('roms').catch(() => [])) {
    const one = await store.take('roms', key);
    // Of 1.0.0, by its file's name.
    const [name, bytes] = one instanceof Uint8Array ? [key, one] : [one.name, one.bytes];
    items.push(make('li', {},
      make('button', { type: 'button', onclick: () => attempt(() => insert(name, bytes).then(() => app.go('game'))) }, name),
      make('button', { type: 'button', 'aria-label': `Forget ${name}`, onclick: () => attempt(async () => {
        await store.drop('roms', key);
        await listRoms();
      }) }, 'Forget')));
  }
  list.replaceChildren(...items);
}

async function saveState() {
  const bytes = await ask('save');
  await store.keep('states', `${status?.crc32}/${settings.slot}`, { bytes, when: Date.now(), name: status?.name });
  say(`Saved in slot ${settings.slot}.`);
}

async function loadState() {
  const kept = await store.take('states', `${status?.crc32}/${settings.slot}`);
  if (!kept) throw new Error(`slot ${settings.slot} of this cartridge is empty: save a state first`);
  await ask('load', kept.bytes);
  say(`Loaded slot ${settings.slot}.`);
}

/** Goes on with the game that was on when the page was left. */
async function goOn() {
  const kept = await store.take('running', 'game');
  if (!kept) throw new Error('no kept game to continue');
  if (kept.crc32 !== status?.crc32) {
    const of = (await store.all('roms')).find((one) => one.crc32 === kept.crc32);
    if (of) await insert(of.name, of.bytes);
    else await insertBuiltIn();
  }
  await ask('load', kept.state);
  const { game, frame } = await ask('status');
  keeper.resumed = { serial: game?.serial ?? -1, frame };
  await pause(true);
  app.go('game');
  say('Paused where you left the game. Press P to continue.');
}

// Files.

/** @type {import('./open.js').Console} */
const opener = {
  insert: (name, bytes) => insert(name, bytes).then(() => { app.go('game'); }),
  watch: app.watch, review: app.review,
  async load(name, bytes) {
    await ask('load', bytes);
    app.go('game');
    say(`${name} loaded.`);
  },
  match: (name, bytes) => match.open(name, bytes),
  async palette(name, bytes) {
    await ask('set_palette', name, bytes);
    say(`Colours of ${name}.`);
  },
};
const openFiles = (/** @type {Iterable<import('./open.js').Readable>} */ files) => attempt(() => open([...files], opener));

const file = element('file', HTMLInputElement);
file.addEventListener('change', () => {
  openFiles([...(file.files ?? [])]);
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
  openFiles(event.dataTransfer?.files ?? []);
});

/** The system opens files of the installed page's kinds with it. */
function takeLaunched() {
  const queue = /** @type {any} */ (globalThis).launchQueue;
  queue?.setConsumer(async (/** @type {{ files?: FileSystemFileHandle[] }} */ { files }) => {
    if (files?.length) await openFiles(await Promise.all(files.map((handle) => handle.getFile())));
  });
}

// Buttons and keys.

const speed = element('speed', HTMLSelectElement);
const hertz = element('hertz', HTMLSelectElement);
const computer = async () => {
  if (status?.computer) return ask('set_computer', 0);
  await app.nets().catch((error) => say(`${error.message}; the computer plays with its simple weights.`, { bad: true }));
  await ask('set_computer', Number(hertz.value));
};
const versus = async () => {
  if (status?.versus) {
    await ask('set_versus', 0);
    return say('You play alone.');
  }
  await app.nets().catch(() => undefined);
  await ask('set_versus', Number(hertz.value));
  say('The computer starts a game when you do.');
};
/** @type {Record<string, (down: boolean) => unknown>} */
const actions = {
  pause: (down) => down && pause(!paused),
  frame: (down) => down && pause(true).then(() => ask('advance')),
  back: (down) => ask('rewind', down),
  fast: (down) => ask('speed', down ? 4 : Number(speed.value)),
  save: (down) => down && saveState(),
  load: (down) => down && loadState(),
  computer: (down) => down && computer(),
  undo: (down) => down && ask('undo', undefined),
  mark: (down) => down && mark(),
  retry: (down) => down && ask('retry', undefined),
  anew: (down) => down && practise.last && app.play(practise.last),
  rails: (down) => {
    if (!down) return;
    settings.rails = !settings.rails;
    element('rails', HTMLInputElement).checked = settings.rails;
    document.body.classList.toggle('plain', !settings.rails);
    remember();
  },
};
const mark = async () => say(`${await ask('mark')} marked.`);
const wake = () => {
  if (!settings.muted && page === 'game') attempt(() => sound.start());
};

input.addEventListener('held', (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  // Start begins what waits for the player.
  if (waits && (detail[0] & BUTTONS.start) !== 0) attempt(begin);
  machine.hold(detail);
});
input.addEventListener('touched', wake);
// Browsers let sound begin with a click or a key, whatever it is meant for.
addEventListener('pointerdown', wake);
input.addEventListener('action', (event) => {
  const { name, down } = /** @type {CustomEvent} */ (event).detail;
  attempt(() => actions[name]?.(down));
});
input.addEventListener('released', () => {
  ask('rewind', false);
  ask('speed', Number(speed.value));
});

for (const each of document.querySelectorAll('[data-page]')) {
  if (each !== document.body) each.addEventListener('click', () => app.go(/** @type {HTMLElement} */ (each).dataset.page ?? 'home'));
}
click('menu', () => app.go('home'));
click('wake', wake);
click('begin', begin);
click('pause', () => pause(!paused));
click('save', saveState);
click('load', loadState);
click('sound', () => {
  mute(!settings.muted);
  wake();
});
click('full', () => {
  const stage = element('stage', HTMLElement);
  if (document.fullscreenElement) return document.exitFullscreen();
  // Phones of Apple have no full screen for this: the picture fills the page.
  if (!stage.requestFullscreen) stage.classList.toggle('wide');
  else return stage.requestFullscreen();
});
click('reset', () => ask('reset'));
click('power', () => ask('power'));
click('built-in', () => insertBuiltIn().then(() => app.go('game')));
click('screenshot', () => canvas.toBlob((blob) => blob && attempt(async () => store.download('maxout.png', new Uint8Array(await blob.arrayBuffer())))));
click('undo', () => ask('undo', undefined));
click('undo-luck', () => ask('undo', (Math.random() * 2 ** 32) >>> 0));
click('mark', mark);
click('retry', () => ask('retry', undefined));
click('computer', computer);
click('versus', versus);
click('take', () => ask('take_over'));
click('close', () => ask('close_game'));
click('review-this', async () => review.open('the game', await viewed()));
click('play', () => app.play({ mode: 'tetris', options: `level=${element('home-level', HTMLInputElement).value || 18}`, pieces: '', position: '' }));
click('go-on', goOn);
click('watch', async () => {
  await app.play({ mode: 'tetris', options: 'level=18', pieces: '', position: '' });
  await computer();
});
click('against', async () => {
  if (!status?.versus) await versus();
  await app.play({ mode: 'tetris', options: `level=${element('home-level', HTMLInputElement).value || 18}`, pieces: '', position: '' });
});
click('daily', () => daily());
click('keys-usual', () => {
  input.keys = Object.fromEntries(ACTIONS.map(([name, , keys]) => [name, [...keys]]));
  listKeys();
});
hertz.value = String(settings.hertz);
hertz.addEventListener('change', () => attempt(async () => {
  settings.hertz = Number(hertz.value);
  remember();
  if (status?.computer) await ask('set_computer', Number(hertz.value));
}));

/** The bytes of the game that the viewer has. @type {Uint8Array} */
let viewedBytes = new Uint8Array();
const viewed = async () => viewedBytes;
const watchFirst = app.watch;
app.watch = async (name, bytes) => {
  viewedBytes = bytes;
  return watchFirst(name, bytes);
};

async function daily() {
  const seed = await ask('daily_seed', today());
  app.ready(`Seed of the day, ${seed}, level 18: the same pieces for everyone. Press Start.`, () => app.play({ mode: `seed=${seed}`, options: 'level=18', pieces: '', position: '' }));
}

const back = button('back');
for (const [kind, down] of /** @type {[string, boolean][]} */ ([['pointerdown', true], ['pointerup', false], ['pointerleave', false], ['pointercancel', false]])) {
  back.addEventListener(kind, () => ask('rewind', down));
}
back.addEventListener('keydown', (event) => [' ', 'Enter'].includes(event.key) && ask('rewind', true));
back.addEventListener('keyup', () => ask('rewind', false));
speed.addEventListener('change', () => ask('speed', Number(speed.value)));
// What was chosen by the mouse gives the keys back to the game.
for (const select of document.querySelectorAll('#stage select')) select.addEventListener('change', () => select instanceof HTMLElement && select.blur());

const slot = element('slot', HTMLSelectElement);
for (let number = 1; number <= 10; number++) slot.append(new Option(String(number), String(number)));
slot.value = String(settings.slot);
slot.addEventListener('change', () => {
  settings.slot = Number(slot.value);
  remember();
});

let dragging = false;
const seek = element('seek', HTMLInputElement);
seek.addEventListener('input', () => {
  dragging = true;
  attempt(() => ask('seek', Number(seek.value)));
});
seek.addEventListener('change', () => { dragging = false; });

// Settings.

function listKeys() {
  element('keys', HTMLUListElement).replaceChildren(...ACTIONS.map(([name, title]) => {
    const names = input.keys[name].map(keyName).join(', ') || 'none';
    const choose = make('button', { type: 'button', 'data-action': name, onclick: () => {
      input.learning = name;
      write(choose, `${title}: press a key`);
    } }, `${title}: ${names}`);
    return make('li', {}, choose);
  }));
  element('home-keys', HTMLUListElement).replaceChildren(...caps());
  settings.keys = input.keys;
  remember();
}

const caps = () => ['left', 'right', 'down', 'a', 'b', 'start', 'select', 'pause', 'undo', 'save', 'load'].map((name) => {
  const title = ACTIONS.find(([action]) => action === name)?.[1] ?? name;
  return make('li', {}, ...input.keys[name].slice(0, 1).map((code) => make('kbd', {}, keyName(code))), ` ${title}`);
});
const keysCard = () => make('section', { class: 'card' }, make('div', { class: 'hd' }, make('b', {}, 'Keys')), make('ul', { class: 'caps' }, ...caps()));

input.addEventListener('learnt', listKeys);
for (const [name, , usual] of ACTIONS) {
  const kept = settings.keys?.[name];
  input.keys[name] = Array.isArray(kept) && kept.every((code) => typeof code === 'string') ? kept : [...usual];
}
input.mappings = settings.pads ?? {};
listKeys();

/** @param {string} id @param {'value' | 'checked'} what @param {string} name @param {(value: any) => unknown} apply */
function setting(id, what, name, apply) {
  const control = /** @type {HTMLInputElement} */ (element(id, HTMLElement));
  if (what === 'checked') control.checked = settings[name];
  else control.value = String(settings[name]);
  control.addEventListener('input', () => {
    settings[name] = what === 'checked' ? control.checked : control.value;
    remember();
    attempt(() => apply(settings[name]));
  });
  return () => apply(settings[name]);
}

const touchAreas = [element('touch-left', HTMLDivElement), element('touch-right', HTMLDivElement)];
const applied = [
  setting('volume', 'value', 'volume', (value) => sound.setVolume(Number(value))),
  setting('ahead', 'value', 'ahead', (value) => ask('set_ahead', Number(value))),
  setting('palette', 'value', 'palette', (value) => ask('set_colours', value)),
  setting('shape', 'value', 'shape', resize),
  setting('scaling', 'value', 'scaling', resize),
  setting('smooth', 'checked', 'smooth', (value) => frame.classList.toggle('smooth', value)),
  setting('hidden-pause', 'checked', 'hiddenPause', run),
  setting('rails', 'checked', 'rails', (value) => document.body.classList.toggle('plain', !value)),
  setting('touch-when', 'value', 'touch', (value) => {
    const shown = value === 'on' || (value === 'auto' && matchMedia('(pointer: coarse)').matches);
    for (const area of touchAreas) area.hidden = !shown;
    document.body.classList.toggle('touches', shown);
  }),
  setting('keep', 'checked', 'keepRom', (value) => {
    if (!value) settings.rom = '';
    return value ? keepRom() : undefined;
  }),
];
input.touch(touchAreas);

function mute(/** @type {boolean} */ muted) {
  settings.muted = muted;
  button('sound').setAttribute('aria-pressed', String(!muted));
  ask('mute', muted);
  remember();
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    keepBattery();
    keep(true);
  }
  run();
});
addEventListener('pagehide', () => {
  keepBattery();
  keep(true);
});

async function look() {
  const { text, pixels, width, height } = await ask('view', element('view', HTMLSelectElement).value);
  const picture = element('view-picture', HTMLCanvasElement);
  picture.hidden = width === 0;
  if (width > 0) {
    picture.width = width;
    picture.height = height;
    picture.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
  }
  const lines = element('view-text', HTMLPreElement);
  lines.hidden = text === '';
  write(lines, text);
}
element('view', HTMLSelectElement).addEventListener('change', () => attempt(look));

async function home() {
  const kept = await store.take('running', 'game').catch(() => undefined);
  button('go-on').hidden = !kept;
  write(element('going-on', HTMLElement), kept ? `A game of ${new Date(kept.when).toLocaleString()}: ${kept.score.toLocaleString('en')} points, level ${kept.level}.` : '');
  const count = (await store.keys('games').catch(() => [])).length;
  write(element('games-note', HTMLElement), count > 0 ? `${count} kept` : 'Every game is kept here');
  await listRoms();
  // The puzzles that were answered are read when the page begins.
  if (document.documentElement.dataset.ready !== undefined) await plan.show();
}

/** What a section does when it is opened. @type {Record<string, () => any>} */
const shown = { home, puzzles: () => puzzles.show(), games: () => games.show(), tools: look, settings: () => padPage.list() };

// Links.

async function follow() {
  const wanted = links.parse(location.hash);
  if (wanted.kind === 'practice') {
    const { mode, options, pieces, position } = wanted.wanted;
    const what = [mode || 'tetris', options, pieces && 'chosen pieces', position && 'a position'].filter(Boolean).join(', ');
    app.ready(`${what}. Press Start.`, () => app.play(wanted.wanted));
  } else if (wanted.kind === 'daily') {
    await daily();
  } else if (wanted.kind === 'shared') {
    // A reload does not ask for them again.
    history.replaceState(null, '', location.pathname + location.search);
    await openFiles(await takeShared());
  } else if (wanted.kind === 'match') {
    match.invited(wanted);
  } else if (wanted.kind === 'puzzle') {
    app.go('puzzles');
    await puzzles.askFor(wanted.link);
  } else if (wanted.kind === 'review') {
    await review.link(wanted.link);
  } else if (wanted.kind === 'race') {
    const bytes = await links.unpack(wanted.text);
    app.ready('Someone sent you a game: its board plays beside yours, with the same pieces. Press Start.', () => app.race('the game of the link', bytes));
  } else if (wanted.kind === 'game') {
    await received(await links.unpack(wanted.text));
  }
}

/** Shows a game of a link, and proves its result by playing it again. @param {Uint8Array} bytes */
async function received(bytes) {
  await app.watch('the game of the link', bytes);
  const report = await ask('read');
  const proof = { true: 'its result is proven: replaying it gives the same state', false: 'its result differs from its claim', null: 'it claims no result' }[String(report.verified)];
  write(element('verified', HTMLElement), report.verified ? 'Result proven' : report.verified === false ? 'Result not proven' : '');
  say(`${report.score.toLocaleString('en')} points, ${report.lines} lines; ${proof}.`, { act: 'Race this game', work: () => app.race('the game of the link', bytes), stays: true });
}

// A page that embeds this one.

addEventListener('message', (event) => {
  const { data } = event;
  if (parent === window || event.source !== parent || typeof data?.maxout !== 'string') return;
  attempt(async () => {
    if (data.maxout === 'pause') await pause(Boolean(data.on));
    else if (data.maxout === 'play') await app.play({ mode: 'tetris', options: '', pieces: '', position: '', ...data.wanted });
    else if (data.maxout === 'open') await open([new File([data.bytes], String(data.name))], opener);
    else if (data.maxout === 'computer') await computer();
    else if (data.maxout === 'file') parent.postMessage({ maxout: 'file', bytes: await ask('game_file') }, '*');
  });
});

// A new build.

async function register() {
  if (!('serviceWorker' in navigator) || !isSecureContext || embedded) return;
  const registration = await navigator.serviceWorker.register('sw.js');
  const tell = (/** @type {ServiceWorker | null} */ waiting) => {
    if (!waiting || !navigator.serviceWorker.controller) return;
    say('A new version of Maxout is available.', { act: 'Load it', stays: true, work: () => {
      keep(true);
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
      waiting.postMessage('take over');
    } });
  };
  tell(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => installing.state === 'installed' && tell(installing));
  });
}

// Beginning.

/** What tests and the curious may ask. */
Object.assign(globalThis, {
  maxout: {
    ask, machine, app, screen,
    get status() { return status; },
    get sound() { return heard; },
    /** Seconds that the sound device has played. */
    get played() { return sound.context?.currentTime ?? 0; },
    isolated: globalThis.crossOriginIsolated === true,
    BUTTONS, keeper,
  },
});

document.documentElement.classList.toggle('embed', embedded);
document.documentElement.classList.toggle('bare', embedded && new URLSearchParams(location.search).has('bare'));
say('');
const { simd, picture } = await machine.ready.catch((error) => {
  say(`The machine could not be started: ${error.message}`, { bad: true, stays: true });
  throw error;
});
screen.arrive(picture);
performance.mark('first-picture');
document.documentElement.dataset.pictures = String(Math.round(performance.now()));
for (let count = 1; count < BUFFERS; count++) machine.give(new ArrayBuffer(SIZE));
for (const apply of applied) attempt(apply);
mute(settings.muted);
app.go(page);
await attempt(() => practise.begin());
await attempt(() => puzzles.begin());
if (settings.rom) {
  const kept = await store.take('roms', settings.rom).catch(() => undefined);
  if (kept) await attempt(() => insert(kept.name, kept.bytes));
}
attempt(thin);
await attempt(follow);
addEventListener('hashchange', () => attempt(follow));
if (page === 'home') await attempt(() => plan.show());
document.documentElement.dataset.ready = simd ? 'simd' : 'plain';
if (parent !== window) parent.postMessage({ maxout: 'ready' }, '*');
takeLaunched();
register().catch(() => undefined);
