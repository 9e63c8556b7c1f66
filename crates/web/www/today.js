// @ts-check
// The plan of the day on the first section, as the window's Home has it: what is due, and what the last games advise.

import { element, thousands, write } from './dom.js';
import { today } from './puzzles.js';
import * as store from './store.js';

/** Kept games that are looked at, the latest ones, and those of them that a plan is made of. */
const LATEST = 60, LOOKED = 20;
/** Milliseconds of a day. */
const DAY = 86_400_000;

/**
 * @typedef {{ streak: number, daily: 'solved' | 'close' | 'failed' | null, due: number,
 * advice: { title: string, reason: string, mode: string, level: number | null }, seed: { mode: string, name: string } }} Plan
 */

/** How the puzzle of the day was answered. @type {Record<string, string>} */
const ANSWERS = { solved: 'Solved today', close: 'Close today', failed: 'Failed today, due tomorrow' };

/** What the plan's lines say. @param {Plan} plan @param {number[]} scores those of today's games with its seed */
export function lines({ streak, daily, due, advice, seed }, scores) {
  return {
    streak: streak === 0 ? '' : streak === 1 ? '1 day in a row' : `${streak} days in a row`,
    today: daily === null ? 'Not answered yet' : ANSWERS[daily],
    due: due === 0 ? 'None is due: try a new one' : due === 1 ? 'One is due again' : `${due} are due again`,
    advised: advice.reason,
    daily: `${seed.name}: ${scores.length === 0 ? 'not played yet' : `best today ${thousands(Math.max(...scores))}`}`,
  };
}

export class Today {
  /** @param {import('./app.js').App} app @param {import('./puzzles.js').Puzzles} puzzles */
  constructor(app, puzzles) {
    this.app = app;
    /** @type {Plan | null} */
    this.plan = null;
    app.click('today', () => this.puzzle(puzzles, 'daily'));
    app.click('due', () => this.puzzle(puzzles, 'due'));
    app.click('advised', () => {
      if (!this.plan) return undefined;
      const { mode, level } = this.plan.advice;
      return app.play({ mode, options: `level=${level ?? this.level}`, pieces: '', position: '' });
    });
  }

  /** The player's own start level. */
  get level() {
    return element('home-level', HTMLInputElement).value || '18';
  }

  /** @param {import('./puzzles.js').Puzzles} puzzles @param {string} which */
  async puzzle(puzzles, which) {
    this.app.go('puzzles');
    await puzzles.askFor(which);
  }

  /** The latest kept games of the player, the last one first. @returns {Promise<import('./keeper.js').Kept[]>} */
  async games() {
    const names = (await store.keys('games').catch(() => [])).slice(-LATEST).reverse();
    const games = [];
    for (const name of names) {
      const game = await store.take('games', name).catch(() => undefined);
      if (game && !game.computer) games.push(game);
      if (games.length === LOOKED) break;
    }
    return games;
  }

  async show() {
    const games = await this.games();
    const plan = /** @type {Plan} */ (await this.app.ask('plan', games.map(({ bytes }) => bytes), today()));
    this.plan = plan;
    const scores = games.filter(({ mode, when }) => mode === plan.seed.mode && Math.floor(when / DAY) === today()).map(({ score }) => score);
    const { advice } = plan;
    write(element('advised-title', HTMLElement), advice.title);
    for (const [name, text] of Object.entries(lines(plan, scores))) write(element(`${name}-note`, HTMLElement), text);
  }
}
