// @ts-check
// Practice modes as cards, with their number, options and pieces beside.

import { element, make, write } from './dom.js';
import * as links from './links.js';

/** Options that are chosen with a level of their own field. */
const LEVEL = 'level';
/** Randomizers, as `maxout practice` names them. */
const RANDOMIZERS = [['', "the game's own"], ['--randomizer tgm3', 'TGM3'], ['--randomizer 7-bag', '7-bag'], ['--randomizer sega', 'Sega']];

export class Practise {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    /** @type {{ name: string, title: string, purpose: string, about: string, value: string, usual: string }[]} */
    this.modes = [];
    this.mode = 'tetris';
    /** The game that was begun last. @type {Record<string, string> | null} */
    this.last = null;
    this.fields = {
      value: element('value', HTMLInputElement), level: element('level', HTMLInputElement),
      pieces: element('pieces', HTMLInputElement), position: element('position', HTMLInputElement),
      randomizer: element('randomizer', HTMLSelectElement),
    };
  }

  async begin() {
    const { app } = this;
    const { modes, options, groups } = await app.ask('modes');
    this.modes = modes;
    const list = element('modes', HTMLDivElement);
    for (const group of groups) {
      const cards = make('div', { role: 'group', 'aria-label': group.name });
      for (const name of group.modes) {
        const mode = modes.find((/** @type {{ name: string }} */ one) => one.name === name);
        cards.append(make('button', { type: 'button', 'data-mode': name, 'aria-pressed': 'false', onclick: () => this.choose(name), ondblclick: () => app.attempt(() => this.start()) }, mode.title, make('span', {}, mode.purpose)));
      }
      list.append(make('h3', {}, group.name, ' ', make('span', { class: 'soft' }, group.about)), cards);
    }
    const ticks = element('option-list', HTMLDivElement);
    for (const { name, about } of options) {
      if (name === LEVEL || name.includes('=')) continue;
      ticks.append(make('label', {}, make('input', { type: 'checkbox', 'data-option': name }), ` ${name}`, make('small', {}, about)));
    }
    for (const [value, title] of RANDOMIZERS) this.fields.randomizer.append(new Option(title, value));
    element('practice', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      app.attempt(() => this.start());
    });
    app.click('link', () => app.copy(links.practice(this.wanted())));
    app.click('here', async () => {
      const position = await app.ask('position');
      if (!position) throw new Error('there is no piece in play, so there is no position');
      this.fields.position.value = position;
    });
    this.choose('tetris');
  }

  /** @param {string} name */
  choose(name) {
    const mode = this.modes.find((one) => one.name === name);
    if (!mode) return;
    this.mode = name;
    for (const card of document.querySelectorAll('[data-mode]')) {
      card.setAttribute('aria-pressed', String(card instanceof HTMLElement && card.dataset.mode === name));
    }
    const numbered = mode.usual.includes('=');
    write(element('mode-title', HTMLElement), mode.title);
    write(element('about', HTMLElement), mode.about);
    element('value-label', HTMLElement).hidden = !numbered;
    write(element('value-name', HTMLElement), mode.value || 'Number');
    this.fields.value.value = mode.usual.split('=')[1] ?? '';
  }

  /** What the form says. @returns {Record<string, string>} */
  wanted() {
    const { value, level, pieces, position, randomizer } = this.fields;
    const number = value.value.trim();
    const numbered = !element('value-label', HTMLElement).hidden && number !== '';
    const ticked = [...document.querySelectorAll('[data-option]')].filter((box) => box instanceof HTMLInputElement && box.checked).map((box) => /** @type {HTMLElement} */ (box).dataset.option);
    return {
      mode: numbered ? `${this.mode}=${number}` : this.mode,
      options: [`level=${level.value || 0}`, ...ticked].join(' '),
      pieces: pieces.value.trim() || randomizer.value,
      position: position.value.trim(),
    };
  }

  start() {
    return this.app.play(this.wanted());
  }

  /** Begins a game. @param {Record<string, string>} wanted */
  async play(wanted) {
    this.last = wanted;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches && !/no-flash/.test(wanted.options);
    const options = calm ? `${wanted.options} no-flash`.trim() : wanted.options;
    await this.app.ask('practise', wanted.mode, options, wanted.pieces, wanted.position, Math.floor(Math.random() * 2 ** 32));
  }
}
