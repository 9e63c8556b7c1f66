// @ts-check
// Matches over the network: how one is begun, what is said while it lasts, and the list of those that were played.

import { element, make, pairs, thousands, write } from './dom.js';
import { addressOf } from './room.js';
import * as store from './store.js';

/** Milliseconds for which the button holds Start. */
const PRESSED = 150;
/** Matches that are kept; the oldest ones go. */
const MOST = 200;
/** Letters of a code, at most. */
const CODE = 40;

/** @typedef {{ id: string, bytes: Uint8Array, when: number, names: [string, string], kind: string, best_of: number, level: number, results: Result[] }} KeptMatch */
/** @typedef {import('./app.js').MatchStatus['results'][number]} Result */

/** How a match came out. @param {{ results: Result[], names: [string, string], kind: string, best_of: number, level: number }} match */
export function summary({ results, names, kind, best_of: games, level }) {
  const [one, two] = names.map((name, at) => name || ['the host', 'the guest'][at]);
  const wins = [0, 1].map((player) => results.filter(({ winner }) => winner === player).length);
  const scores = results.map(({ scores }) => scores.map(thousands).join(' : ')).join(', ');
  return `${one} ${wins[0]} : ${wins[1]} ${two} (${kind}, level ${level}, best of ${games}${scores ? `; ${scores} points` : ''})`;
}

export class Match {
  /** @param {import('./app.js').App} app @param {import('./input.js').Input} input @param {() => any} run tells the page that the machine runs or rests */
  constructor(app, input, run) {
    this.app = app;
    this.input = input;
    this.run = run;
    /** The last status. @type {import('./app.js').MatchStatus | null} */
    this.status = null;
    this.id = '';
    /** Games whose end is kept, and whether the end of the match is. */
    this.kept = 0;
    this.ended = false;
    const { settings } = app;
    this.fields = {
      room: element('match-room', HTMLInputElement), name: element('match-name', HTMLInputElement), kind: element('match-kind', HTMLSelectElement),
      level: element('match-level', HTMLInputElement), best: element('match-best', HTMLInputElement), code: element('match-code', HTMLInputElement),
      token: element('match-token', HTMLInputElement), computer: element('match-computer', HTMLInputElement),
    };
    this.fields.room.value = String(settings.room ?? '');
    this.fields.name.value = String(settings.player ?? '');
    app.click('match-host', () => this.host());
    app.click('match-join', () => this.join());
    app.click('match-watch', () => this.watch());
    app.click('match-ready', () => this.press());
    app.click('match-link', () => this.link());
    app.click('match-save', async () => store.download(this.fileName(), await app.ask('match_file')));
    app.click('match-leave', () => (this.status?.over ? this.close() : this.leave()));
  }

  /** Is a match on, or its end on the page? */
  get on() {
    return this.status !== null;
  }

  options() {
    const { name, kind, level, best, token, computer } = this.fields;
    const { settings } = this.app;
    settings.room = this.fields.room.value.trim();
    settings.player = name.value.trim();
    this.app.remember();
    return {
      name: settings.player, kind: kind.value, level: Number(level.value) || 0, best_of: Number(best.value) || 1, token: token.value,
      computer: computer.checked, seed: crypto.getRandomValues(new Uint32Array(1))[0],
    };
  }

  /** @param {string} how @param {any[]} more */
  async begin(how, ...more) {
    const address = addressOf(this.fields.room.value, location);
    await this.app.ask(how, address, ...more);
    this.kept = 0;
    this.ended = false;
    this.id = `${Date.now()}-${Math.random().toString(36).slice(2, 8)}`;
    this.look((await this.app.ask('status')).match, [], null);
    this.app.go('game');
  }

  host() {
    return this.begin('host_match', this.options());
  }

  join() {
    return this.begin('join_match', this.code(), this.options());
  }

  watch() {
    return this.begin('watch_match', this.code(), this.options());
  }

  code() {
    const code = this.fields.code.value.trim().slice(0, CODE);
    if (code === '') throw new Error('enter the code of four words that the host sees');
    return code;
  }

  /** Fills in what a link says. @param {{ room: string, code: string, watch: boolean }} wanted */
  invited({ room, code, watch }) {
    this.fields.room.value = room;
    this.fields.code.value = code;
    const what = watch ? 'You are invited to watch a match' : 'You are invited to a match over the network';
    this.app.ready(`${what}, through ${room || 'this host'}. Press Start.`, () => (watch ? this.watch() : this.join()));
  }

  link() {
    const { code } = this.status ?? {};
    const room = this.fields.room.value.trim();
    return this.app.copy(String(new URLSearchParams({ match: code ?? '', ...(room ? { room } : {}) })));
  }

  /** Holds Start for a moment. */
  press() {
    const { fingers } = this.input;
    fingers.set(-1, ['start']);
    this.input.changed();
    setTimeout(() => {
      fingers.delete(-1);
      this.input.changed();
    }, PRESSED);
  }

  async leave() {
    await this.app.ask('leave_match');
  }

  async close() {
    await this.app.ask('close_match');
    this.look(null, [], null);
    await this.app.ask('advance', 1);
  }

  /** Takes what the machine says. @param {import('./app.js').MatchStatus | null} status @param {string[]} said @param {{ isOpen: boolean, failed: number, address: string } | null} room */
  look(status, said, room) {
    const was = this.on;
    this.status = status;
    if (this.on !== was) this.run();
    const bar = element('match', HTMLElement);
    bar.hidden = status === null;
    element('match-begin', HTMLElement).hidden = status !== null;
    element('match-on', HTMLElement).hidden = status === null;
    if (status === null) return;
    const lost = room && !room.isOpen && room.failed > 0 && status.over === null;
    const text = lost ? `${room.address} does not answer: trying again. Is the room's server there, and does it allow this page?` : status.text;
    write(element('match-text', HTMLElement), text);
    const [own, other] = status.names.map((name, at) => name || (status.role === 'watcher' ? ['the host', 'the guest'] : ['you', 'the other player'])[at]);
    const wins = status.wins ? `${own} ${status.wins[0]} : ${status.wins[1]} ${other}, best of ${status.best_of}.` : '';
    const codes = status.code && status.waiting ? `Spectators use ${status.watch_code}.` : '';
    const watching = status.watchers > 0 ? `${status.watchers} watch.` : '';
    write(element('match-facts', HTMLElement), [wins, codes, watching].filter(Boolean).join(' '));
    element('match-ready', HTMLElement).hidden = status.over !== null || !['ready', 'over'].includes(status.stage ?? '') || status.role === 'watcher';
    element('match-link', HTMLElement).hidden = !status.code || !status.waiting;
    element('match-save', HTMLElement).hidden = status.role === 'watcher' || !(status.stage === 'playing' || status.results.length > 0);
    write(element('match-leave', HTMLElement), status.over === null ? 'Leave the match' : 'Close the match');
    if (said.length > 0) this.app.say(said[said.length - 1].replace(/^./, (letter) => letter.toUpperCase()), { bad: status.over !== null && status.results.length === 0 });
    this.keep().catch((error) => this.app.say(`The match could not be saved: ${error.message}`, { bad: true }));
  }

  /** How both stand, beside the pictures. */
  card() {
    const { status } = this;
    const { standings, own = 0, names = ['', ''] } = status ?? {};
    const rows = standings ? [own, 1 - own].map((player, at) => {
      const { score, lines, out } = standings[player];
      const name = names[at] || (status?.role === 'watcher' ? ['the host', 'the guest'] : ['you', 'the other player'])[at];
      return make('div', {}, make('b', {}, name), make('dl', {}, ...pairs([['Score', thousands(score)], ['Lines', lines], ...(out ? [/** @type {[string, unknown]} */ (['Topped out', ''])] : [])])));
    }) : [];
    const lead = standings ? standings[own].score - standings[1 - own].score : 0;
    const ahead = standings && status?.role !== 'watcher' ? [make('p', { class: 'soft' }, lead === 0 ? 'Even' : `${thousands(Math.abs(lead))} points ${lead > 0 ? 'ahead' : 'behind'}`)] : [];
    const rules = status?.kind ? `${status.kind}, level ${status.level}` : '';
    return make('section', { class: 'card' }, make('div', { class: 'hd' }, make('b', {}, 'Match'), make('span', {}, rules)), ...rows, ...ahead);
  }

  /** Keeps the file of the match at the end of each game, and at its own. */
  async keep() {
    const { status, app } = this;
    if (!status || status.role === 'watcher') return;
    const games = status.results.length;
    const ended = status.over !== null && !this.ended;
    if (games <= this.kept && !ended) return;
    this.kept = games;
    this.ended = status.over !== null;
    const bytes = await app.ask('match_file');
    if (bytes.length > 0) await this.write(this.id, bytes);
  }

  /** @param {string} id @param {Uint8Array} bytes */
  async write(id, bytes) {
    const match = await this.app.ask('match_of', bytes);
    const { names, kind, level, results, begun, best_of } = match;
    await store.keep('matches', id, { id, bytes, when: 1000 * begun || Date.now(), names, kind, level, results, best_of });
    const keys = await store.keys('matches');
    for (const key of keys.slice(0, Math.max(0, keys.length - MOST))) await store.drop('matches', key);
  }

  /** A file of a match was opened: it is kept, and verified. @param {string} name @param {Uint8Array} bytes */
  async open(name, bytes) {
    const match = await this.app.ask('match_of', bytes);
    await this.write(`${1000 * match.begun}-${match.own}-${match.hash}`, bytes);
    this.app.go('games');
    this.app.say(`${name}: ${await this.verify(bytes)}`, { stays: true });
  }

  /** Plays a match again. Returns what came of it. @param {Uint8Array} bytes */
  async verify(bytes) {
    const { match } = await this.app.ask('verify_match', bytes);
    return `verified: replaying it gives the same results, hash ${match.hash}`;
  }

  fileName() {
    const { names, own, begun } = this.status ?? { names: ['', ''], own: 0, begun: 0 };
    const plain = names.map((name) => name.replace(/[^\p{L}\p{N}]+/gu, '')).filter(Boolean).join('-');
    return `${[begun || 'match', own, plain].filter((part) => part !== '').join('-')}.mxmatch`;
  }

  /** The list of matches. */
  async list() {
    /** @type {KeptMatch[]} */
    const all = await store.all('matches').catch(() => []);
    const rows = all.sort((one, other) => other.when - one.when).map((match) => {
      const date = new Date(match.when).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' });
      const text = summary(match);
      const result = make('span', { role: 'status' });
      const act = (/** @type {string} */ title, /** @type {() => any} */ work) => make('button', { type: 'button', 'aria-label': `${title} the match of ${date}`, onclick: () => this.app.attempt(work) }, title);
      return make('li', {}, `${date}: ${text} `, act('Verify', async () => {
        write(result, 'replaying …');
        write(result, await this.verify(match.bytes).catch((error) => `not verified: ${error.message}`));
      }), ' ', act('Save', () => store.download(`${match.id}.mxmatch`, match.bytes)), ' ', act('Delete', async () => {
        await store.drop('matches', match.id);
        await this.list();
        this.app.say('The match was deleted.', { act: 'Undo', work: async () => {
          await store.keep('matches', match.id, match);
          await this.list();
        } });
      }), ' ', result);
    });
    element('matches', HTMLUListElement).replaceChildren(...(rows.length > 0 ? rows : [make('li', {}, 'None.')]));
  }
}

