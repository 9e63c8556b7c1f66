// @ts-check
// Records what is played: the picture as GIF, the sound as WAV. The machine has the file until it is saved.

import { element, write } from './dom.js';
import * as store from './store.js';

/** What the kinds are called. @type {Record<string, string>} */
const NAMES = { gif: 'picture', wav: 'sound' };

export class Recorder {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    this.kind = '';
    this.list = element('record', HTMLSelectElement);
    this.button = element('recorded', HTMLButtonElement);
    this.list.addEventListener('change', () => app.attempt(() => this.begin()));
    app.click('recorded', () => this.end());
  }

  async begin() {
    const { value } = this.list;
    this.list.value = '';
    await this.app.ask('begin_recording', value);
    this.kind = value;
    this.button.hidden = false;
    this.list.parentElement?.toggleAttribute('hidden', true);
    this.tell(0);
  }

  /** Saves what there is. */
  async end() {
    const { kind } = this;
    if (kind === '') return;
    this.kind = '';
    this.button.hidden = true;
    this.list.parentElement?.toggleAttribute('hidden', false);
    const bytes = await this.app.ask('end_recording');
    store.download(`maxout-${new Date().toISOString().slice(0, 19).replace(/[:T]/g, '-')}.${kind}`, bytes);
    this.app.say(`The ${NAMES[kind]} was recorded: ${(bytes.length / 1e6).toFixed(1)} MB.`);
  }

  /** @param {number} seconds */
  tell(seconds) {
    write(this.button, `■ ${this.kind.toUpperCase()} ${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, '0')}`);
    this.button.setAttribute('aria-label', `Stop recording the ${NAMES[this.kind]}, and save it`);
  }

  /** @param {import('./app.js').Status['recording']} recording how the machine says that it stands */
  look(recording) {
    if (this.kind === '' || !recording) return;
    this.tell(recording.seconds);
    // It is as long as it may be.
    if (recording.over) this.app.attempt(() => this.end());
  }
}
