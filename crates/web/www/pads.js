// @ts-check
// Gamepads: which button of a pad is which of the console's. A pad with the standard mapping is known; any other is
// assigned once, button by button, and remembered by its name.

/** @typedef {{ button: number } | { axis: number, sign: number } | { hat: number, direction: number }} Source */
/** @typedef {Record<string, Source[]>} Mapping */
/** @typedef {{ buttons: readonly { pressed: boolean }[], axes: readonly number[], mapping?: string, id: string }} Pad */

/** What is assigned, in this order. */
export const NAMES = ['left', 'right', 'up', 'down', 'a', 'b', 'start', 'select'];
/** Share of an axis from which on it counts as pressed. */
const PRESSED = 0.5;
/** An axis that rests beyond its range is a hat, as some browsers report it. */
const HAT = 1.01;

/** The standard gamepad of the W3C. @type {Mapping} */
export const STANDARD = {
  a: [{ button: 0 }, { button: 3 }], b: [{ button: 1 }, { button: 2 }], select: [{ button: 8 }], start: [{ button: 9 }],
  up: [{ button: 12 }, { axis: 1, sign: -1 }], down: [{ button: 13 }, { axis: 1, sign: 1 }],
  left: [{ button: 14 }, { axis: 0, sign: -1 }], right: [{ button: 15 }, { axis: 0, sign: 1 }],
};

/** The eighth of a turn that a hat shows, from up clockwise; none at rest. @param {number} value */
const eighth = (value) => (Math.abs(value) <= HAT ? Math.round((value + 1) * 3.5) : null);

/** Is a source pressed? @param {Pad} pad @param {Source} source */
export function isPressed(pad, source) {
  if ('button' in source) return pad.buttons[source.button]?.pressed === true;
  if ('axis' in source) return (pad.axes[source.axis] ?? 0) * source.sign > PRESSED;
  const at = eighth(pad.axes[source.hat] ?? 2);
  if (at === null) return false;
  const apart = Math.abs(at - source.direction);
  return Math.min(apart, 8 - apart) <= 1;
}

/** The mapping of a pad; none where it has to be assigned. @param {Pad} pad @param {Record<string, Mapping>} known */
export function mappingOf(pad, known) {
  return known[pad.id] ?? (pad.mapping === 'standard' ? STANDARD : null);
}

/** The names of what is held. @param {Pad} pad @param {Mapping} mapping */
export const held = (pad, mapping) => NAMES.filter((name) => mapping[name]?.some((source) => isPressed(pad, source)));

/** Is anything pressed that was not at rest? @param {Pad} pad @param {readonly number[]} rest axes @returns {Source | null} */
export function pressed(pad, rest) {
  const button = pad.buttons.findIndex((one) => one.pressed);
  if (button >= 0) return { button };
  for (let axis = 0; axis < pad.axes.length; axis++) {
    const [now, then] = [pad.axes[axis], rest[axis] ?? 0];
    if (Math.abs(then) > HAT) {
      const direction = eighth(now);
      if (direction !== null) return { hat: axis, direction };
    } else if (Math.abs(now) > PRESSED && Math.abs(now - then) > PRESSED && Math.abs(now) <= HAT) {
      return { axis, sign: Math.sign(now) };
    }
  }
  return null;
}

/** Asks for the buttons of a pad one after the other. */
export class Wizard {
  /** @param {Pad} pad at rest */
  constructor(pad) {
    this.id = pad.id;
    this.rest = [...pad.axes];
    /** @type {Mapping} */
    this.mapping = {};
    this.at = 0;
    /** The last source must be let go before the next one counts. */
    this.waits = pressed(pad, this.rest) !== null;
  }

  /** The name that is asked for; none at the end. */
  get asked() {
    return NAMES[this.at] ?? null;
  }

  /** Looks at the pad. Returns whether something was assigned. @param {Pad} pad */
  look(pad) {
    const source = pressed(pad, this.rest);
    if (source === null) {
      this.waits = false;
      return false;
    }
    const { asked } = this;
    if (this.waits || asked === null) return false;
    const same = JSON.stringify(source);
    if (Object.values(this.mapping).some(([one]) => JSON.stringify(one) === same)) return false;
    this.mapping[asked] = [source];
    this.at++;
    this.waits = true;
    return true;
  }

  /** Goes on without a button: not every pad has all. */
  skip() {
    this.at++;
  }
}
