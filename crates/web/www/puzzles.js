// @ts-check
// Puzzles: a board, a piece and the next one. The machine knows the places and judges; here they are drawn and moved.

import { cellAt, colour, draw } from './board.js';
import { element, pairs, sentence, thousands, write } from './dom.js';
import { code } from './links.js';
import * as store from './store.js';

/** What keys do with a piece, here and in a lesson. @type {Record<string, string>} */
export const STEPS = {
  ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'clockwise', KeyX: 'clockwise', KeyZ: 'counterclockwise', KeyY: 'counterclockwise',
  ArrowDown: 'other', Enter: 'place', NumpadEnter: 'place', Space: 'place', Backspace: 'take-back',
};
/** Pixels of a cell. */
const SIDE = 24;

/** The day, counted from 1 January 1970, UTC. */
export const today = () => Math.floor(Date.now() / 86_400_000);
/** @param {number[][] | undefined} cells @param {number} column @param {number} row */
const covers = (cells, column, row) => Boolean(cells?.some(([x, y]) => x === column && y === row));

/**
 * Moves a piece by pointing, the wheel and keys. @param {HTMLCanvasElement} board
 * @param {{ step: (step: string) => Promise<unknown>, point: (column: number, row: number) => Promise<unknown>, held: () => number[][] | undefined }} to
 * @param {(work: () => any) => Promise<any>} attempt
 */
export function moves(board, { step, point, held }, attempt) {
  let touched = false;
  board.addEventListener('pointerdown', (event) => {
    board.focus();
    const [column, row] = cellAt(board, event);
    // A tap on the piece places it.
    touched = covers(held(), column, row);
    if (!touched) attempt(() => point(column, row));
  });
  board.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'mouse' && event.buttons === 0) return;
    const [column, row] = cellAt(board, event);
    if (covers(held(), column, row)) return;
    touched = false;
    attempt(() => point(column, row));
  });
  board.addEventListener('click', (event) => {
    const [column, row] = cellAt(board, event);
    if (touched && covers(held(), column, row)) attempt(() => step('place'));
    touched = false;
  });
  board.addEventListener('wheel', (event) => {
    event.preventDefault();
    attempt(() => step(event.deltaY > 0 ? 'clockwise' : 'counterclockwise'));
  }, { passive: false });
  board.addEventListener('keydown', (event) => {
    const name = STEPS[event.code];
    if (!name || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    attempt(() => step(name));
  });
}

export class Puzzles {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    /** @type {any} */
    this.shown = null;
    /** Was a puzzle asked for on this page? */
    this.asking = false;
    /** Games of the search that is on. */
    this.total = 0;
    this.board = element('puzzle-board', HTMLCanvasElement);
    moves(this.board, { step: (step) => this.step(step), point: (column, row) => this.point(column, row), held: () => this.shown?.asked?.held?.cells }, app.attempt);
    for (const button of document.querySelectorAll('[data-step]')) {
      button.addEventListener('click', () => app.attempt(() => this.step(/** @type {HTMLElement} */ (button).dataset.step ?? '')));
    }
    const theme = element('puzzle-theme', HTMLSelectElement);
    app.click('puzzle-next', () => this.askFor(theme.value));
    app.click('puzzle-again', () => this.askFor('again'));
    app.click('puzzle-daily', () => this.askFor('daily'));
    theme.addEventListener('change', () => app.attempt(() => this.askFor(theme.value)));
    app.click('puzzle-own-next', () => this.askFor('own'));
    app.click('puzzle-search', () => this.search());
    app.machine.addEventListener('searched', (event) => this.tell(/** @type {CustomEvent} */ (event).detail.part));
    app.click('puzzle-link', async () => {
      if (!this.shown?.asked) throw new Error('no puzzle yet');
      await app.copy(`puzzle=${code(this.shown.asked.link)}`);
    });
  }

  async begin() {
    const kept = await store.take('puzzles', 'progress').catch(() => undefined);
    await this.app.ask('set_puzzle_progress', typeof kept === 'string' ? kept : '');
    const own = await store.take('puzzles', 'own').catch(() => undefined);
    if (own instanceof Uint8Array) await this.app.ask('set_own_puzzles', own);
    const { themes } = await this.app.ask('puzzle', today());
    const list = element('puzzle-theme', HTMLSelectElement);
    for (const { name, puzzles } of themes) list.append(new Option(`${name.replaceAll('-', ' ')} (${puzzles})`, name));
  }

  async show() {
    this.shown = await this.app.ask('puzzle', today());
    this.fill();
    if (!this.shown.asked && !this.asking) await this.askFor('next');
  }

  /** Asks a puzzle: `daily`, `next`, a theme or a link. @param {string} which */
  async askFor(which) {
    this.asking = true;
    await this.app.nets();
    await this.app.ask('ask_puzzle', which, today(), Math.floor(Math.random() * 2 ** 32));
    this.shown = await this.app.ask('puzzle', today());
    this.fill();
    this.board.focus({ preventScroll: true });
  }

  /** Looks for puzzles in the kept games that the player has played, the latest first. */
  async search() {
    const button = element('puzzle-search', HTMLButtonElement);
    const games = (await store.all('games')).filter((/** @type {import('./keeper.js').Kept} */ game) => !game.computer);
    if (games.length === 0) throw new Error('you have no games yet: play one first');
    games.sort((one, other) => other.when - one.when);
    button.disabled = true;
    try {
      await this.app.nets();
      await this.app.ask('begin_search');
      this.total = games.length;
      for (const { bytes } of games) {
        const { enough, found } = await this.app.ask('search_game', bytes);
        if (found > 0) {
          await store.keep('puzzles', 'own', await this.app.ask('own_puzzles')).catch(() => undefined);
          this.shown = await this.app.ask('puzzle', today());
          this.fill();
        }
        if (enough) break;
      }
    } finally {
      button.disabled = false;
    }
  }

  /** Says how far the search is. @param {{ games: number, leftOut: number, found: number }} part */
  tell({ games, leftOut, found }) {
    const left = leftOut > 0 ? `, ${leftOut} of another cartridge or damaged` : '';
    write(element('puzzle-own', HTMLElement), `${games} of ${this.total} games looked through${left}: ${found} ${found === 1 ? 'puzzle' : 'puzzles'} found.`);
  }

  /** @param {string} step */
  async step(step) {
    if (this.shown?.asked?.verdict) {
      if (step === 'place') await this.askFor('another');
      return;
    }
    await this.app.ask('step_puzzle', step, today());
    await this.update();
  }

  /** @param {number} column @param {number} row */
  async point(column, row) {
    if (await this.app.ask('point_puzzle', column, row)) await this.update();
  }

  async update() {
    const before = this.shown?.answered;
    this.shown = await this.app.ask('puzzle', today());
    this.fill();
    if (this.shown.answered !== before) await store.keep('puzzles', 'progress', await this.app.ask('puzzle_progress')).catch(() => undefined);
  }

  fill() {
    const { asked, rating, deviation, streak, due, count, own, history } = this.shown;
    element('puzzle-own-next', HTMLButtonElement).disabled = own === 0;
    element('puzzle-progress', HTMLElement).replaceChildren(...pairs([
      ['Your rating', `${rating.toFixed(0)} ± ${(2 * deviation).toFixed(0)}`], ['Day streak', streak], ['Due again', due], ['Puzzles', count], ['Of your games', own],
    ]));
    plot(element('puzzle-history', HTMLCanvasElement), history.map((/** @type {{ rating: number }} */ one) => one.rating));
    const answer = element('puzzle-answer', HTMLElement);
    answer.hidden = !asked?.verdict;
    if (!asked) return;
    const { verdict, held, first } = asked;
    write(element('puzzle-title', HTMLElement), asked.daily ? 'Puzzle of the day' : 'Place both pieces');
    element('puzzle-facts', HTMLElement).replaceChildren(...pairs([
      ['Piece, next', `${asked.piece}, ${asked.next}`], ['Level, lines', `${asked.level}, ${asked.lines}`], ['Taps a second', asked.hertz], ['Rating', asked.rating.toFixed(0)],
      ...(verdict ? [/** @type {[string, string]} */ (['About', asked.themes.join(', ')])] : []),
    ]));
    const marks = [];
    if (verdict) {
      const solved = verdict.grade === 'solved';
      marks.push({ cells: verdict.best[0], colour: colour('best'), sign: '1' }, { cells: verdict.best[1], colour: colour('blue'), sign: '2' });
      if (!solved) marks.push({ cells: first, colour: colour('blunder'), sign: '×', ghost: true }, { cells: held?.cells, colour: colour('mistake'), sign: '×', ghost: true });
      write(element('puzzle-grade', HTMLElement), `${{ solved: 'Solved', close: 'Close', failed: 'Failed' }[/** @type {'solved'} */ (verdict.grade)]}: ${thousands(verdict.cost)} points lost`);
      element('puzzle-reasons', HTMLElement).replaceChildren(...pairs([
        ['Best', `${asked.piece} at ${verdict.words[0]}`], ['Then', `${asked.next} at ${verdict.words[1]}`],
        ...verdict.reasons.map((/** @type {{ what: string, yours: number, best: number }} */ one) => /** @type {[string, string]} */ ([sentence(one.what), `yours ${one.yours.toFixed(0)}, best ${one.best.toFixed(0)}`])),
      ]));
      write(element('puzzle-places-title', HTMLElement), `Placements of the ${asked.piece}, and their cost in points`);
      const yours = JSON.stringify(first);
      element('puzzle-places', HTMLElement).replaceChildren(...verdict.places.map((/** @type {{ cells: number[][], words: string, points: number }} */ place, /** @type {number} */ at) => {
        const line = document.createElement('li');
        line.textContent = `${place.words}: ${at === 0 ? 'best' : `−${thousands(place.points)}`}${JSON.stringify(place.cells) === yours ? ' (yours)' : ''}`;
        return line;
      }));
      write(element('puzzle-held', HTMLElement), 'Enter or Place: the next puzzle');
    } else if (held) {
      marks.push({ cells: held.cells, colour: colour('fill'), ghost: true, sign: asked.isSecond ? '2' : '1' });
      write(element('puzzle-held', HTMLElement), `${held.piece}: ${held.words}`);
    }
    draw(this.board, asked.rows, marks, SIDE);
    this.board.setAttribute('aria-label', `Board of the puzzle: ${asked.piece}, then ${asked.next}, level ${asked.level}`);
  }
}

/** A line of values. @param {HTMLCanvasElement} canvas @param {number[]} values */
export function plot(canvas, values) {
  const brush = canvas.getContext('2d');
  if (!brush) return;
  brush.clearRect(0, 0, canvas.width, canvas.height);
  if (values.length < 2) return;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  brush.strokeStyle = colour('blue');
  brush.lineWidth = 2;
  brush.beginPath();
  values.forEach((value, at) => {
    const x = (at / (values.length - 1)) * (canvas.width - 8) + 4;
    const y = canvas.height - 8 - ((value - least) / Math.max(1, most - least)) * (canvas.height - 16);
    if (at === 0) brush.moveTo(x, y);
    else brush.lineTo(x, y);
  });
  brush.stroke();
}
