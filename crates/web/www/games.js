// @ts-check
// The list of kept games and of saved states: watch, review, race, share, save to a file, delete with a way back.

import { draw } from './board.js';
import { element, make, thousands } from './dom.js';
import { pack } from './links.js';
import * as store from './store.js';

/** Rows of the table that are made at once. */
const SHOWN = 200;

export class Games {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    /** @type {import('./keeper.js').Kept[]} */
    this.list = [];
    element('games-sort', HTMLSelectElement).addEventListener('change', () => this.fill());
    element('games-search', HTMLInputElement).addEventListener('input', () => this.fill());
    app.click('keep-game', async () => store.download('game.mxgame', await app.ask('game_file')));
    app.click('keep-movie', async () => store.download('game.fm2', await app.ask('movie_file')));
  }

  async show() {
    this.list = await store.all('games').catch(() => []);
    this.fill();
    await this.states();
    await this.app.matches();
  }

  fill() {
    const by = /** @type {'when' | 'score' | 'lines' | 'rate'} */ (element('games-sort', HTMLSelectElement).value);
    const wanted = element('games-search', HTMLInputElement).value.toLowerCase();
    const text = (/** @type {import('./keeper.js').Kept} */ game) => `${game.mode} ${game.options} ${game.name} ${game.score}`.toLowerCase();
    const rows = this.list.filter((game) => text(game).includes(wanted)).sort((one, other) => (other[by] ?? -1) - (one[by] ?? -1));
    element('games-empty', HTMLParagraphElement).hidden = this.list.length > 0;
    element('games-table', HTMLTableElement).tBodies[0].replaceChildren(...rows.slice(0, SHOWN).map((game) => this.row(game)));
  }

  /** @param {import('./keeper.js').Kept} game */
  row(game) {
    const { app } = this;
    const picture = make('canvas', { role: 'img', 'aria-label': 'the last board' });
    draw(picture, game.rows, [], 3);
    const date = new Date(game.when).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' });
    const name = `the game of ${date}, ${thousands(game.score)} points`;
    const act = (/** @type {string} */ title, /** @type {() => any} */ work) => make('button', { type: 'button', 'aria-label': `${title} ${name}`, onclick: () => app.attempt(work) }, title);
    const file = `${new Date(game.when).toISOString().slice(0, 16).replace(/[:T]/g, '-')}-${game.score}.mxgame`;
    return make('tr', {},
      make('td', {}, picture), make('td', {}, date), make('td', {}, game.mode), make('td', { class: 'r' }, `${game.startLevel} → ${game.level}`),
      make('td', { class: 'r' }, String(game.lines)), make('td', { class: 'r' }, thousands(game.score)),
      make('td', { class: 'r' }, game.rate === null ? '–' : `${game.rate.toFixed(0)} %`), make('td', {}, game.computer ? 'computer' : 'you'),
      make('td', {}, act('Watch', () => app.watch(file, game.bytes)), ' ', act('Review', () => app.review(file, game.bytes)), ' ',
        act('Race', () => app.race(file, game.bytes)), ' ', act('Link', async () => app.copy(`game=${await pack(await app.ask('for_link', game.bytes))}`)), ' ',
        act('Save', () => store.download(file, game.bytes)), ' ', act('Delete', () => this.remove(game))));
  }

  /** @param {import('./keeper.js').Kept} game */
  async remove(game) {
    await store.drop('games', game.id);
    this.list = this.list.filter((one) => one.id !== game.id);
    this.fill();
    this.app.say('The game was deleted.', { act: 'Undo', work: async () => {
      await store.keep('games', game.id, game);
      await this.show();
    } });
  }

  async states() {
    const names = await store.keys('states').catch(() => []);
    const list = element('states', HTMLUListElement);
    list.replaceChildren();
    for (const key of names) {
      const { bytes, when, name } = await store.take('states', key);
      const slot = key.split('/')[1];
      const title = `${name}, slot ${slot}, ${new Date(when).toLocaleString()}`;
      // A saved state is a picture.
      const address = URL.createObjectURL(new Blob([bytes], { type: 'image/png' }));
      const picture = make('img', { src: address, alt: '', onload: () => URL.revokeObjectURL(address), onerror: () => URL.revokeObjectURL(address) });
      list.append(make('li', {}, picture, title,
        make('button', { type: 'button', 'aria-label': `Save the state of ${title} to a file`, onclick: () => store.download(`${name}-${slot}.png`, bytes) }, 'Save to a file'),
        make('button', { type: 'button', 'aria-label': `Delete the state of ${title}`, onclick: () => this.app.attempt(async () => {
          await store.drop('states', key);
          await this.states();
          this.app.say('The state was deleted.', { act: 'Undo', work: async () => {
            await store.keep('states', key, { bytes, when, name });
            await this.states();
          } });
        }) }, 'Delete')));
    }
    if (names.length === 0) list.append(make('li', {}, 'None.'));
  }
}
