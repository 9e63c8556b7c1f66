// @ts-check
// Keys, gamepads and touch: which buttons of the two pads are held, and what else is pressed.

import { held, mappingOf } from './pads.js';
import { directions } from './touch.js';

/** Bits of the pad's buttons. @type {Record<string, number>} */
export const BUTTONS = { right: 1, left: 2, down: 4, up: 8, start: 16, select: 32, b: 64, a: 128 };

/** The end of the names of what the second player presses. */
const SECOND = '2';

/** Keys that are called by the sign on them, on a US keyboard as their codes are. @type {Record<string, string>} */
const SIGNS = {
  ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Backquote: '`', Backslash: '\\', BracketLeft: '[', BracketRight: ']',
  Comma: ',', Equal: '=', Minus: '-', Period: '.', Quote: "'", Semicolon: ';', Slash: '/',
};

/** What settings call a key. @param {string} code */
export const keyName = (code) => SIGNS[code] ?? code.replace(/^(?:Key|Digit)(?=.$)/, '')
  .replace(/^(Shift|Control|Alt|Meta)(Left|Right)$/, '$2 $1').replace(/([a-z])(?=[A-Z0-9])/g, '$1 ');

/** What keys can do: the name of the action, what it is called, its usual keys. @type {[string, string, string[]][]} */
export const ACTIONS = [
  ['left', 'Left', ['ArrowLeft']], ['right', 'Right', ['ArrowRight']],
  ['down', 'Down', ['ArrowDown']], ['up', 'Up', ['ArrowUp']],
  ['a', 'A', ['KeyX']], ['b', 'B', ['KeyZ', 'KeyY']],
  ['start', 'Start', ['Enter']], ['select', 'Select', ['Backspace', 'ShiftRight']],
  ['pause', 'Pause', ['KeyP']], ['frame', 'One frame', ['KeyN']],
  ['back', 'Rewind', ['KeyQ']], ['fast', 'Fast forward', ['KeyF']],
  ['save', 'Save state', ['F5']], ['load', 'Load state', ['F8']],
  ['computer', 'The computer plays', ['KeyC']], ['undo', 'Take the piece back', ['KeyU']],
  ['mark', 'Mark', ['KeyV']], ['retry', 'Try again', ['KeyE']], ['anew', 'Start over', ['F6']],
  ['rails', 'Statistics beside the picture', ['BracketRight']],
  ['left2', 'Left, player 2', ['Numpad4']], ['right2', 'Right, player 2', ['Numpad6']],
  ['down2', 'Down, player 2', ['Numpad5', 'Numpad2']], ['up2', 'Up, player 2', ['Numpad8']],
  ['a2', 'A, player 2', ['NumpadAdd']], ['b2', 'B, player 2', ['Numpad0']],
  ['start2', 'Start, player 2', ['NumpadEnter']], ['select2', 'Select, player 2', ['NumpadDecimal']],
];

/** Is this action a button of a pad? @param {string} name */
const isButton = (name) => name in BUTTONS || (name.endsWith(SECOND) && name.slice(0, -1) in BUTTONS);

/** Keys with which a focused control is worked. */
const PRESSES = ['Enter', 'Space', 'NumpadEnter'];

/**
 * Does a focused element leave a key to the game? Fields of text keep all of them, a control the keys that press or
 * change it, as long as it was reached by keys. @param {Element | null} focus @param {Element | null} screen
 * @param {string} code @param {boolean} byKeys
 */
export function leaves(focus, screen, code, byKeys) {
  if (focus === null || focus === screen || focus.tagName === 'BODY' || focus.tagName === 'MAIN') return true;
  if (focus.tagName === 'INPUT' && !['checkbox', 'range'].includes(/** @type {HTMLInputElement} */ (focus).type)) return false;
  if (!byKeys) return true;
  if (['SELECT', 'INPUT', 'PRE', 'OL', 'ASIDE'].includes(focus.tagName)) return !PRESSES.includes(code) && !code.startsWith('Arrow');
  return !PRESSES.includes(code);
}

/** A cross cannot be pressed on both sides. @param {number} held */
function possible(held) {
  let buttons = held;
  if ((buttons & 3) === 3) buttons &= ~3;
  if ((buttons & 12) === 12) buttons &= ~12;
  return buttons;
}

export class Input extends EventTarget {
  /** @param {HTMLElement} screen */
  constructor(screen) {
    super();
    /** Key by action. @type {Record<string, string[]>} */
    this.keys = Object.fromEntries(ACTIONS.map(([name, , keys]) => [name, [...keys]]));
    /** @type {Set<string>} */
    this.down = new Set();
    /** What each finger holds. @type {Map<number, string[]>} */
    this.fingers = new Map();
    /** Mappings of gamepads that were assigned. @type {Record<string, import('./pads.js').Mapping>} */
    this.mappings = {};
    /** Is the game on the page? */
    this.active = true;
    this.listens = false;
    this.found = () => {
      this.poll();
      this.dispatchEvent(new CustomEvent('pads'));
    };
    this.pads = [0, 0];
    this.last = [0, 0];
    /** The action that waits for its key. @type {string | null} */
    this.learning = null;
    this.screen = screen;
    // How the focus came to where it is. `:focus-visible` does not tell: it becomes true with the first key after a click.
    this.pointed = false;
    this.byKeys = false;
    addEventListener('pointerdown', () => { [this.pointed, this.byKeys] = [true, false]; }, true);
    addEventListener('keydown', ({ code }) => { if (code === 'Tab') this.pointed = false; }, true);
    addEventListener('focusin', () => { this.byKeys = !this.pointed; }, true);
    addEventListener('keydown', (event) => this.key(event, true));
    addEventListener('keyup', (event) => this.key(event, false));
    addEventListener('blur', () => this.release());
  }

  /**
   * Is it asked for gamepads? A browser that is looks at all of them 250 times a second, which costs more than a
   * page that rests takes in all; while it rests they have nothing to do. @param {boolean} wanted
   */
  listen(wanted) {
    if (wanted === this.listens) return;
    this.listens = wanted;
    for (const kind of ['gamepadconnected', 'gamepaddisconnected']) {
      if (wanted) addEventListener(kind, this.found);
      else removeEventListener(kind, this.found);
    }
  }

  /** Does the focus leave a key to the game? It keeps those with which it is worked. @param {string} code */
  plays(code) {
    return this.active && leaves(document.activeElement, this.screen, code, this.byKeys);
  }

  /** @param {KeyboardEvent} event @param {boolean} down */
  key(event, down) {
    const { code } = event;
    if (this.learning !== null && down) {
      event.preventDefault();
      const action = this.learning;
      this.learning = null;
      if (code !== 'Escape' && code !== 'Tab') {
        // A key does one thing.
        for (const keys of Object.values(this.keys)) {
          if (keys.includes(code)) keys.splice(keys.indexOf(code), 1);
        }
        this.keys[action] = [code];
      }
      this.dispatchEvent(new CustomEvent('learnt'));
      return;
    }
    const known = ACTIONS.find(([name]) => this.keys[name].includes(code));
    if (!down) {
      this.down.delete(code);
      if (known && !isButton(known[0])) this.dispatchEvent(new CustomEvent('action', { detail: { name: known[0], down: false } }));
      return this.changed();
    }
    if (!known || !this.plays(code) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (event.repeat) return;
    this.dispatchEvent(new CustomEvent('touched'));
    if (isButton(known[0])) {
      this.down.add(code);
      this.changed();
    } else {
      this.dispatchEvent(new CustomEvent('action', { detail: { name: known[0], down: true } }));
    }
  }

  /** Everything is let go. */
  release() {
    this.down.clear();
    this.fingers.clear();
    this.changed();
    this.dispatchEvent(new CustomEvent('released'));
  }

  /** Looks at the gamepads. Returns those whose buttons are not known. */
  poll() {
    this.pads = [0, 0];
    const strange = [];
    let place = 0;
    for (const pad of navigator.getGamepads?.() ?? []) {
      if (!pad || place > 1) continue;
      const mapping = mappingOf(pad, this.mappings);
      if (mapping === null) strange.push(pad);
      else for (const name of held(pad, mapping)) this.pads[place] |= BUTTONS[name];
      place++;
    }
    this.changed();
    return strange;
  }

  /** Says what is held, if it is something else than before. */
  changed() {
    let [first, second] = this.pads;
    const held = (/** @type {string} */ name) => this.keys[name].some((code) => this.down.has(code));
    for (const [name, bit] of Object.entries(BUTTONS)) {
      if (held(name)) first |= bit;
      if (held(name + SECOND)) second |= bit;
    }
    for (const names of this.fingers.values()) for (const name of names) first |= BUTTONS[name] ?? 0;
    [first, second] = [possible(first), possible(second)];
    if (first !== this.last[0] || second !== this.last[1]) {
      this.last = [first, second];
      this.dispatchEvent(new CustomEvent('held', { detail: this.last }));
    }
  }

  /** Takes the fingers on touch controls: one that slides presses what it is over. @param {HTMLElement[]} areas */
  touch(areas) {
    const buttons = areas.flatMap((area) => [...area.querySelectorAll('[data-pad], [data-arm]')]);
    const cross = areas.map((area) => area.querySelector('[data-cross]')).find((found) => found !== null);
    const mark = () => {
      const names = new Set([...this.fingers.values()].flat());
      for (const each of buttons) {
        if (each instanceof HTMLElement) each.classList.toggle('held', names.has(each.dataset.pad ?? each.dataset.arm ?? ''));
      }
      this.changed();
    };
    /** @param {PointerEvent} event @returns {string[]} */
    const under = (event) => {
      const found = document.elementFromPoint(event.clientX, event.clientY);
      const name = found?.closest('[data-pad]');
      if (name instanceof HTMLElement) return [name.dataset.pad ?? ''];
      const area = cross?.getBoundingClientRect();
      // A thumb that slides over the edge of the cross still means it.
      if (!area || area.width === 0) return [];
      const [x, y] = [event.clientX - area.left - area.width / 2, event.clientY - area.top - area.height / 2];
      return Math.hypot(x, y) < area.width * 0.8 ? directions(x, y, area.width) : [];
    };
    for (const area of areas) {
      area.addEventListener('pointerdown', (event) => {
        event.preventDefault();
        this.dispatchEvent(new CustomEvent('touched'));
        if (event.target instanceof Element && event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
        this.fingers.set(event.pointerId, under(event));
        mark();
      });
      area.addEventListener('contextmenu', (event) => event.preventDefault());
    }
    addEventListener('pointermove', (event) => {
      if (!this.fingers.has(event.pointerId)) return;
      this.fingers.set(event.pointerId, under(event));
      mark();
    });
    for (const kind of /** @type {const} */ (['pointerup', 'pointercancel'])) {
      addEventListener(kind, (event) => {
        if (this.fingers.delete(event.pointerId)) mark();
      });
    }
  }
}
