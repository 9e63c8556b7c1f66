// @ts-check
// Gamepads in the settings: which are there, and the buttons of one asked for one after the other.

import { element, make, write } from './dom.js';
import { Wizard, mappingOf } from './pads.js';

export class PadPage {
  /** @param {import('./app.js').App} app @param {import('./input.js').Input} input */
  constructor(app, input) {
    this.app = app;
    this.input = input;
    /** @type {Wizard | null} */
    this.wizard = null;
    /** Names of pads of which the player was told that they must be assigned. @type {Set<string>} */
    this.told = new Set();
    this.names = '';
    app.click('wizard-skip', () => {
      this.wizard?.skip();
      this.ask();
    });
    app.click('wizard-end', () => {
      this.wizard = null;
      this.ask();
    });
    input.addEventListener('pads', () => this.list());
  }

  /** Tells of pads whose buttons are not known. @param {Gamepad[]} strange */
  tell(strange) {
    for (const { id } of strange) {
      if (this.told.has(id)) continue;
      this.told.add(id);
      this.app.say(`The buttons of ${id} are unknown.`, { act: 'Assign them', work: () => {
        this.app.go('settings');
        this.begin(id);
      }, stays: true });
    }
  }

  list() {
    const pads = (navigator.getGamepads?.() ?? []).filter((pad) => pad !== null);
    const names = pads.map((pad) => pad.id).join('\n');
    if (names === this.names) return;
    this.names = names;
    write(element('pads', HTMLElement), pads.length > 0 ? '' : 'Press a button of the gamepad.');
    element('pad-list', HTMLUListElement).replaceChildren(...pads.map((pad) => {
      const known = mappingOf(pad, this.input.mappings) !== null;
      return make('li', {}, `${pad.id} ${known ? '' : '(not assigned) '}`, make('button', { type: 'button', 'aria-label': `Assign the buttons of ${pad.id}`, onclick: () => this.begin(pad.id) }, 'Assign'));
    }));
  }

  /** @param {string} id */
  begin(id) {
    const pad = (navigator.getGamepads?.() ?? []).find((one) => one?.id === id);
    if (!pad) throw new Error('the gamepad is gone: connect it again');
    this.wizard = new Wizard(pad);
    this.ask();
    this.watch();
  }

  /** Looks at the pad until all buttons are assigned. */
  watch() {
    const { wizard } = this;
    if (!wizard) return;
    const pad = (navigator.getGamepads?.() ?? []).find((one) => one?.id === wizard.id);
    if (pad && wizard.look(pad)) this.ask();
    if (this.wizard) requestAnimationFrame(() => this.watch());
  }

  ask() {
    const { wizard } = this;
    const asked = wizard?.asked ?? null;
    for (const id of ['wizard', 'wizard-skip', 'wizard-end']) element(id, HTMLElement).hidden = asked === null;
    if (asked !== null) return write(element('wizard', HTMLElement), `Press ${asked}.`);
    if (wizard === null) return;
    this.input.mappings[wizard.id] = wizard.mapping;
    this.app.settings.pads = this.input.mappings;
    this.app.remember();
    this.wizard = null;
    this.names = '';
    this.list();
    this.app.say(`${wizard.id} is assigned.`);
  }
}
