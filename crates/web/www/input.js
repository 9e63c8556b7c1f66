// @ts-check
// Keys, gamepads and touch: which buttons of the two pads are held, and what else is pressed.

/** Bits of the pad's buttons. @type {Record<string, number>} */
export const BUTTONS = { right: 1, left: 2, down: 4, up: 8, start: 16, select: 32, b: 64, a: 128 };

/** The end of the names of what the second player presses. */
const SECOND = '2';

/** What keys can do: the name of the action, what it is called, its usual keys. @type {[string, string, string[]][]} */
export const ACTIONS = [
  ['left', 'Left', ['ArrowLeft']], ['right', 'Right', ['ArrowRight']],
  ['down', 'Down', ['ArrowDown']], ['up', 'Up', ['ArrowUp']],
  ['a', 'A', ['KeyX']], ['b', 'B', ['KeyZ', 'KeyY']],
  ['start', 'Start', ['Enter']], ['select', 'Select', ['Backspace', 'ShiftRight']],
  ['pause', 'Pause', ['KeyP']], ['frame', 'One frame', ['KeyN']],
  ['back', 'Rewind', ['KeyQ']], ['fast', 'Fast forward', ['KeyF']],
  ['save', 'Save state', ['F5']], ['load', 'Load state', ['F8']],
  ['computer', 'The computer plays', ['KeyC']], ['undo', 'Piece back', ['KeyU']],
  ['mark', 'Mark', ['KeyV']], ['retry', 'Try again', ['KeyE']],
  ['left2', 'Left, player 2', ['Numpad4']], ['right2', 'Right, player 2', ['Numpad6']],
  ['down2', 'Down, player 2', ['Numpad5', 'Numpad2']], ['up2', 'Up, player 2', ['Numpad8']],
  ['a2', 'A, player 2', ['NumpadAdd']], ['b2', 'B, player 2', ['Numpad0']],
  ['start2', 'Start, player 2', ['NumpadEnter']], ['select2', 'Select, player 2', ['NumpadDecimal']],
];

/** Is this action a button of a pad? @param {string} name */
const isButton = (name) => name in BUTTONS || (name.endsWith(SECOND) && name.slice(0, -1) in BUTTONS);

/** A cross cannot be pressed on both sides. @param {number} held */
function possible(held) {
  let buttons = held;
  if ((buttons & 3) === 3) buttons &= ~3;
  if ((buttons & 12) === 12) buttons &= ~12;
  return buttons;
}

/** Buttons of a standard gamepad. @type {[number, string][]} */
const STANDARD = [[0, 'a'], [1, 'b'], [2, 'b'], [3, 'a'], [8, 'select'], [9, 'start'], [12, 'up'], [13, 'down'], [14, 'left'], [15, 'right']];

export class Input extends EventTarget {
  /** @param {HTMLElement} screen */
  constructor(screen) {
    super();
    /** Key by action. @type {Record<string, string[]>} */
    this.keys = Object.fromEntries(ACTIONS.map(([name, , keys]) => [name, [...keys]]));
    /** @type {Set<string>} */
    this.down = new Set();
    /** @type {Map<number, string>} */
    this.fingers = new Map();
    this.pads = [0, 0];
    this.last = [0, 0];
    /** The action that waits for its key. @type {string | null} */
    this.learning = null;
    this.screen = screen;
    addEventListener('keydown', (event) => this.key(event, true));
    addEventListener('keyup', (event) => this.key(event, false));
    addEventListener('blur', () => this.release());
    addEventListener('gamepadconnected', () => this.poll());
  }

  /** Does the focus leave the keys to the game? */
  plays() {
    const focus = document.activeElement;
    return focus === null || focus === document.body || focus === this.screen;
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
    if (!known || !this.plays() || event.ctrlKey || event.altKey || event.metaKey) return;
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

  /** Looks at the gamepads. Returns what they are called. */
  poll() {
    this.pads = [0, 0];
    let names = /** @type {string[]} */ ([]);
    let place = 0;
    for (const pad of navigator.getGamepads()) {
      if (!pad || place > 1) continue;
      names.push(pad.id);
      for (const [at, name] of STANDARD) {
        if (pad.buttons[at]?.pressed) this.pads[place] |= BUTTONS[name];
      }
      const [x = 0, y = 0] = pad.axes;
      if (x < -0.5) this.pads[place] |= BUTTONS.left;
      if (x > 0.5) this.pads[place] |= BUTTONS.right;
      if (y < -0.5) this.pads[place] |= BUTTONS.up;
      if (y > 0.5) this.pads[place] |= BUTTONS.down;
      place++;
    }
    this.changed();
    return names;
  }

  /** Says what is held, if it is something else than before. */
  changed() {
    let [first, second] = this.pads;
    const held = (/** @type {string} */ name) => this.keys[name].some((code) => this.down.has(code));
    for (const [name, bit] of Object.entries(BUTTONS)) {
      if (held(name)) first |= bit;
      if (held(name + SECOND)) second |= bit;
    }
    for (const name of this.fingers.values()) first |= BUTTONS[name] ?? 0;
    [first, second] = [possible(first), possible(second)];
    if (first !== this.last[0] || second !== this.last[1]) {
      this.last = [first, second];
      this.dispatchEvent(new CustomEvent('held', { detail: this.last }));
    }
  }

  /** Takes the fingers on the touch controls: one that slides presses what it is over. @param {HTMLElement} area */
  touch(area) {
    /** @param {PointerEvent} event */
    const at = (event) => {
      const under = document.elementFromPoint(event.clientX, event.clientY);
      const button = under instanceof HTMLElement ? under.closest('[data-pad]') : null;
      const name = button instanceof HTMLElement ? button.dataset.pad : undefined;
      if (name) this.fingers.set(event.pointerId, name);
      else this.fingers.delete(event.pointerId);
      const held = new Set(this.fingers.values());
      for (const each of area.querySelectorAll('[data-pad]')) {
        each.classList.toggle('held', each instanceof HTMLElement && held.has(each.dataset.pad ?? ''));
      }
      this.changed();
    };
    area.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent('touched'));
      if (event.target instanceof Element) event.target.releasePointerCapture?.(event.pointerId);
      at(event);
    });
    area.addEventListener('pointermove', (event) => {
      if (this.fingers.has(event.pointerId) || event.buttons > 0) at(event);
    });
    for (const kind of ['pointerup', 'pointercancel', 'pointerleave']) {
      area.addEventListener(kind, (event) => {
        this.fingers.delete(/** @type {PointerEvent} */ (event).pointerId);
        for (const each of area.querySelectorAll('.held')) each.classList.remove('held');
        this.changed();
      });
    }
    area.addEventListener('contextmenu', (event) => event.preventDefault());
  }
}
