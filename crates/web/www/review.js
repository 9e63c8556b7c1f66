// @ts-check
// The review of a game: a board for each placement with the played and the best place, a list, and a graph that seeks.
// The machine reviews; its results come one by one.

import { colour, draw } from './board.js';
import { element, figure, make, pairs, sentence, thousands, write } from './dom.js';
import { code } from './links.js';
import { moves } from './puzzles.js';
import * as store from './store.js';

const SIDE = 24;
/** Rank of the classes, for their colour. */
const CLASSES = ['best', 'excellent', 'good', 'inaccuracy', 'mistake', 'blunder'];
const COLOURS = ['best', 'best', 'fine', 'slip', 'mistake', 'blunder'];

/** A kind of mistake in words. @param {unknown} name */
const spaced = (name) => String(name).replace(/[-_]/g, ' ');
/** Placements of a class or kind, and the points that they cost. @param {{ placements: number, loss: number }} one */
const counted = ({ placements, loss }) => (Math.round(loss) > 0 ? `${placements}, −${thousands(loss)}` : String(placements));

export class Review {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    /** @type {any[]} */
    this.list = [];
    this.at = 0;
    this.total = 0;
    this.name = '';
    /** @type {any} */
    this.lesson = null;
    this.board = element('review-board', HTMLCanvasElement);
    this.graph = element('graph', HTMLCanvasElement);
    app.machine.addEventListener('reviewed', (event) => this.take(/** @type {CustomEvent} */ (event).detail.part));
    app.click('review-previous', () => this.go(this.at - 1));
    app.click('review-following', () => this.go(this.at + 1));
    app.click('review-mistake', () => this.mistake(1));
    app.click('review-retry', () => this.retry());
    app.click('review-link', () => app.copy(`review=${code(this.list[this.at].link)}`));
    app.click('review-puzzle', () => app.copy(`puzzle=${code(this.list[this.at].link)}`));
    app.click('review-page', async () => store.download(`${this.name || 'review'}.html`, await app.ask('review_page', this.name)));
    app.click('review-now', async () => this.open('the current game', await app.ask('game_file')));
    app.click('learn', () => this.learn());
    app.click('lesson-end', () => this.end());
    this.board.addEventListener('keydown', (event) => {
      const work = { ArrowLeft: () => this.go(this.at - 1), ArrowRight: () => this.go(this.at + 1), KeyJ: () => this.mistake(1), KeyK: () => this.mistake(-1), Enter: () => this.retry(), NumpadEnter: () => this.retry() }[event.code];
      if (!work || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      app.attempt(work);
    });
    this.graph.addEventListener('pointerdown', (event) => {
      const area = this.graph.getBoundingClientRect();
      this.go(Math.floor(((event.clientX - area.left) / area.width) * this.list.length));
    });
    const board = element('lesson-board', HTMLCanvasElement);
    moves(board, { step: (step) => this.step(step), point: async (column, row) => {
      if (await app.ask('point_lesson', column, row)) await this.update();
    }, held: () => this.lesson?.held?.cells }, app.attempt);
    for (const button of document.querySelectorAll('[data-lesson]')) {
      button.addEventListener('click', () => app.attempt(() => this.step(/** @type {HTMLElement} */ (button).dataset.lesson ?? '')));
    }
  }

  /** Opens a file and reviews it. @param {string} name @param {Uint8Array} bytes */
  async open(name, bytes) {
    const { app } = this;
    const number = (/** @type {string} */ id) => Number(element(id, HTMLInputElement).value);
    const hands = [number('review-hertz'), number('review-reaction')];
    await app.nets();
    if (/\.(ngf|csv|jsonl)(\.gz)?$/i.test(name)) {
      await app.ask('review_file', name, bytes, ...hands);
    } else {
      if (!(await app.watch(name, bytes))) throw new Error(`${name} plays on the console: a movie that presses Reset is not reviewed`);
      app.say(`Reading ${name} …`);
      await app.ask('read');
      await app.ask('begin_review', ...hands);
    }
    await this.begin(name);
  }

  /** Reviews the placement of a link. @param {string} link */
  async link(link) {
    await this.app.nets();
    await this.app.ask('review_link', link);
    await this.begin('a placement');
  }

  /** @param {string} name */
  async begin(name) {
    this.name = name;
    [this.list, this.at, this.total] = [[], 0, 0];
    this.end();
    element('placements', HTMLOListElement).replaceChildren();
    element('summary', HTMLElement).replaceChildren();
    write(element('review-title', HTMLElement), `Review of ${name}`);
    element('review-none', HTMLElement).hidden = true;
    element('reviewing', HTMLProgressElement).hidden = false;
    this.app.go('review');
    await this.app.ask('review');
  }

  /** Takes a part of the review. @param {any} part */
  take(part) {
    this.total = part.total;
    const first = this.list.length === 0;
    this.list.push(...part.reviews);
    const bar = element('reviewing', HTMLProgressElement);
    bar.value = part.share;
    bar.hidden = part.share >= 1;
    element('placements', HTMLOListElement).append(...part.reviews.map((/** @type {any} */ one) => this.item(one)));
    if (first) {
      const how = part.measured ? 'measured in this game' : 'as set';
      write(element('review-notes', HTMLElement), [`For ${part.hertz.toFixed(1)} taps a second (${how}) and a reaction of ${part.reaction} frames`, ...part.notes].join('. '));
    }
    element('review-body', HTMLElement).hidden = this.list.length === 0;
    if (first && this.list.length > 0) this.go(0);
    if (part.share < 1) {
      if (this.list.length % 20 < part.reviews.length) this.drawGraph();
      return;
    }
    this.drawGraph();
    if (part.total === 0) this.app.say('There is no placement in this game.', { bad: true });
    if (part.summary) this.summary(part);
  }

  /** @param {any} one */
  item(one) {
    const rank = CLASSES.indexOf(one.class);
    const at = this.list.indexOf(one);
    return make('li', {}, make('button', { type: 'button', 'data-number': String(at), onclick: () => this.go(at) },
      make('span', {}, String(one.number)), make('span', {}, one.piece), make('span', { class: `b${Math.max(0, rank - 1)}` }, `${one.class}${one.kind ? `, ${spaced(one.kind)}` : ''}`),
      make('span', {}, one.loss > 0 ? `−${thousands(one.loss)}` : '')));
  }

  /** @param {any} part */
  summary({ summary, score, lines, level }) {
    element('summary', HTMLElement).replaceChildren(...pairs([
      ['Accuracy', `${summary.accuracy.toFixed(1)} %`], ['Points lost', thousands(summary.loss)], ['Placements', summary.placements],
      ...(score === null ? [] : [/** @type {[string, string]} */ (['Score, lines, level', `${thousands(score)}, ${lines}, ${level}`])]),
      ...summary.classes.filter((/** @type {any} */ one) => one.placements > 0).map((/** @type {any} */ one) => /** @type {[string, string]} */ ([sentence(one.name), counted(one)])),
      ...summary.kinds.filter((/** @type {any} */ one) => one.placements > 0).map((/** @type {any} */ one) => /** @type {[string, string]} */ ([sentence(spaced(one.name)), counted(one)])),
    ]));
  }

  /** @param {number} at */
  go(at) {
    if (this.list.length === 0) return;
    this.at = Math.max(0, Math.min(this.list.length - 1, at));
    const one = this.list[this.at];
    for (const button of document.querySelectorAll('#placements button')) {
      const is = /** @type {HTMLElement} */ (button).dataset.number === String(this.at);
      if (is) button.setAttribute('aria-current', 'true');
      else button.removeAttribute('aria-current');
      if (is) button.scrollIntoView({ block: 'nearest' });
    }
    const [chosen] = one.chosenCells;
    const [best, then] = one.bestCells;
    const same = JSON.stringify(chosen) === JSON.stringify(best);
    const rank = CLASSES.indexOf(one.class);
    draw(this.board, one.rows, [
      ...(same ? [] : [{ cells: chosen, colour: colour(COLOURS[rank] ?? 'blunder'), sign: '×' }]),
      { cells: best, colour: colour('best'), sign: '1' }, { cells: then, colour: colour('blue'), ghost: true, sign: '2' },
    ], SIDE);
    const text = `Piece ${one.number}, ${one.piece}${one.next ? `, then ${one.next}` : ''}`;
    this.board.setAttribute('aria-label', `${text}: ${one.class}, ${thousands(one.loss)} points lost`);
    write(element('placement-title', HTMLElement), text);
    const odds = (/** @type {any} */ choice) => choice.odds.map((/** @type {number} */ share) => `${(100 * share).toFixed(0)}`).join(' / ');
    element('placement', HTMLElement).replaceChildren(...pairs([
      ['Class', one.class], ['Points lost', thousands(one.loss)], ['What', one.kind ? spaced(one.kind) : '–'],
      ['Level, lines', `${one.level}, ${one.lines}`], ['Odds of 19, 29, 39 %', odds(one.chosen)], ['With the best', odds(one.best)],
      ['Within reach', one.reachable ? 'yes' : 'no'], ['Accuracy', figure(100 * one.accuracy)],
    ]));
    element('review-retry', HTMLButtonElement).disabled = !one.position;
    this.drawGraph();
    if (one.frame !== undefined && this.app.status?.viewer) this.app.attempt(() => this.app.ask('seek', Math.max(1, one.frame)));
  }

  /** To the next placement that is a mistake or worse. @param {number} side */
  mistake(side) {
    for (let at = this.at + side; at >= 0 && at < this.list.length; at += side) {
      if (CLASSES.indexOf(this.list[at].class) >= 4) return this.go(at);
    }
    this.app.say(side > 0 ? 'There is no later mistake.' : 'There is no earlier mistake.');
  }

  retry() {
    const one = this.list[this.at];
    if (!one?.position) throw new Error('this placement has no position to start from');
    const wanted = { mode: 'tetris', options: `level=${one.level}`, pieces: '', position: one.position };
    this.app.go('game');
    return this.app.play(wanted);
  }

  drawGraph() {
    const { graph, list } = this;
    const brush = graph.getContext('2d');
    if (!brush || list.length === 0) return;
    const { width, height } = graph;
    brush.clearRect(0, 0, width, height);
    const x = (/** @type {number} */ at) => ((at + 0.5) / Math.max(list.length, this.total)) * width;
    const expected = list.map((one) => one.score + one.expected);
    const most = Math.max(1, ...expected);
    const floor = height - 56;
    let level = list[0].level;
    brush.font = '11px sans-serif';
    brush.fillStyle = colour('soft');
    list.forEach((one, at) => {
      if (one.level === level && at > 0) return;
      level = one.level;
      brush.fillRect(x(at), 0, 1, height);
      brush.fillText(String(level), x(at) + 3, 12);
    });
    brush.strokeStyle = colour('blue');
    brush.lineWidth = 2;
    brush.beginPath();
    expected.forEach((value, at) => (at === 0 ? brush.moveTo(x(at), floor - (value / most) * (floor - 16)) : brush.lineTo(x(at), floor - (value / most) * (floor - 16))));
    brush.stroke();
    const bar = Math.max(1, width / Math.max(list.length, this.total) - 1);
    list.forEach((one, at) => {
      // Costs on a logarithmic scale; tetrises and burns as marks above them.
      const cost = one.loss > 1 ? Math.min(1, Math.log10(one.loss) / 5.5) : 0;
      brush.fillStyle = colour(COLOURS[CLASSES.indexOf(one.class)] ?? 'blunder');
      brush.fillRect(x(at) - bar / 2, height - 4 - 40 * cost, bar, 40 * cost);
      if (one.cleared > 0) {
        brush.fillStyle = colour(one.cleared === 4 ? 'best' : 'mistake');
        brush.fillRect(x(at) - 1, height - 4, 3, 4);
      }
    });
    brush.fillStyle = colour('accent');
    brush.fillRect(x(this.at) - 1, 0, 2, height);
  }

  async learn() {
    await this.app.ask('begin_lesson');
    element('lesson', HTMLElement).hidden = false;
    element('review-body', HTMLElement).hidden = true;
    await this.update();
    element('lesson-board', HTMLCanvasElement).focus();
  }

  end() {
    this.lesson = null;
    element('lesson', HTMLElement).hidden = true;
    element('review-body', HTMLElement).hidden = this.list.length === 0;
  }

  /** @param {string} step */
  async step(step) {
    await this.app.ask('step_lesson', this.lesson?.correction && step === 'place' ? 'go-on' : step);
    await this.update();
  }

  async update() {
    this.lesson = await this.app.ask('lesson');
    const { asked, held, rows, correction, number, of, solved } = this.lesson;
    if (!asked) {
      this.app.say(`${solved} of ${of} mistakes solved.`);
      return this.end();
    }
    write(element('lesson-title', HTMLElement), `Mistake ${number} of ${of}: piece ${asked.number}, ${asked.piece}${asked.next ? `, then ${asked.next}` : ''}`);
    const marks = [{ cells: asked.chosen, colour: colour('blunder'), sign: '×', ghost: true }];
    if (correction) marks.push({ cells: asked.best, colour: colour('best'), sign: '1', ghost: false }, { cells: correction.place, colour: colour('blue'), sign: '2', ghost: true });
    else marks.push({ cells: held?.cells, colour: colour('fill'), sign: '1', ghost: true });
    draw(element('lesson-board', HTMLCanvasElement), rows, marks, SIDE);
    write(element('lesson-words', HTMLElement), correction ? `${correction.grade}: ${thousands(correction.cost)} points lost now, ${thousands(asked.loss)} in the game` : `You lost ${thousands(asked.loss)} points with ×. Place the piece better. ${held ? held.words : ''}`);
  }
}
