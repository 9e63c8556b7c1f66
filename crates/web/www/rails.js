// @ts-check
// The cards beside the picture: figures on the left, pieces, hands and the computer on the right.

import { figure, make, pairs, thousands } from './dom.js';

/** @typedef {import('./app.js').Status} Status */
/** Names of the clears, and letters of the pieces in the game's order. */
const CLEARS = ['Single', 'Double', 'Triple', 'Tetris'], LETTERS = [...'TJZOSLI'];
/** Charge of the auto shift from which on a piece shifts at once. */
const OF_USE = 10;
/** Pieces without an I from which on it is a drought. */
const DROUGHT = 13;

/** @param {string} title @param {string} note @param {...(Node | string)} body */
const card = (title, note, ...body) => make('section', { class: 'card' }, make('div', { class: 'hd' }, make('b', {}, title), make('span', {}, note)), ...body);

/** @param {[string, number, string][]} rows name, share, text */
function bars(rows) {
  const list = make('div', { class: 'bars' });
  for (const [name, share, text] of rows) {
    list.append(make('span', {}, name), make('meter', { min: '0', max: '1', value: String(Math.min(1, share)), 'aria-label': `${name}: ${text}` }), make('span', {}, text));
  }
  return list;
}

/** @param {Status} status @returns {HTMLElement[]} */
export function left(status) {
  const { game } = status;
  if (!game) return [card('No statistics', '', make('p', { class: 'soft' }, 'This cartridge is not recognised as Tetris.'))];
  const of = game.statistics;
  const most = Math.max(1, ...of.clears);
  const since = of.clears[3] === 0 ? ', no tetris yet' : ' since the last tetris';
  const burnt = of.burn === 0 ? 'no line burnt since the tetris' : `${of.burn} ${of.burn === 1 ? 'line' : 'lines'} burnt${since}`;
  const burn = (of.lines ?? game.lines) > 0 ? burnt : 'no line yet';
  const cards = [
    card('Game', game.mode, make('dl', {}, ...pairs([['Score', thousands(game.score)], ['Lines', game.lines], ['Level', game.level], ['Pieces', of.pieces]]))),
    card('Tetris rate', `efficiency ${figure(of.efficiency)}`, make('p', {}, make('span', { class: 'figure' }, figure(of.tetris_rate)), of.tetris_rate === null || of.tetris_rate === undefined ? ' ' : ' % ', make('span', { class: 'soft' }, burn))),
    card('Clears', `${of.lines ?? game.lines} lines`, bars(CLEARS.map((name, at) => [name, of.clears[at] / most, String(of.clears[at])]))),
  ];
  if (game.stack) {
    const { height, ready, well, covered, holes } = game.stack;
    cards.push(card('Stack', '', make('dl', {}, ...pairs([
      ['Height', height], ['Rows ready', ready], ['Well', covered === null ? `column ${well}` : `covered at row ${covered}`], ['Holes', holes],
    ]))));
  }
  if (status.versus) cards.push(versus(status.versus));
  if (status.race) {
    const { lines, score, over } = status.race;
    cards.unshift(card('Race', over ? 'the other game has ended' : '', make('dl', {}, ...pairs([
      ['Your lead in points', thousands(game.score - score)], ['Theirs', thousands(score)], ['Their lines', lines],
    ]))));
  }
  return cards;
}

/** @param {NonNullable<Status['versus']>} versus */
function versus({ outcome, lines, sent }) {
  const ended = /** @type {Record<string, string>} */ ({ won: 'you win', lost: 'the computer wins' })[outcome] ?? '';
  return card('Against the computer', ended, make('dl', {}, ...pairs([
    ['Your lines', lines[0]], ['Its lines', lines[1]], ['Rows sent', sent[0]], ['Rows received', sent[1]],
  ])));
}

/** @param {Status} status @returns {HTMLElement[]} */
export function right(status) {
  const { game, thought } = status;
  if (!game) return [];
  const of = game.statistics;
  const cards = [];
  if (thought) cards.push(...thoughts(thought));
  cards.push(card('Drought', `longest ${of.longest_drought}`, make('p', {}, make('span', { class: of.drought >= DROUGHT ? 'figure b4' : 'figure' }, String(of.drought)), make('span', { class: 'soft' }, ` pieces without an I, a drought from ${DROUGHT} on`))));
  if (game.odds && game.next) {
    cards.push(card(`After the ${game.next}`, 'odds of each piece', bars(LETTERS.map((letter, at) => [letter, 4 * (game.odds?.[at] ?? 0), `${(100 * (game.odds?.[at] ?? 0)).toFixed(1)} %`]))));
  }
  if (game.das.length > 0) {
    const columns = make('div', { class: 'columnar', role: 'img', 'aria-label': `charge at the last spawns: ${[...game.das].reverse().join(', ')}` });
    for (const das of [...game.das].reverse()) {
      const bar = make('i', { class: das >= OF_USE ? 'good' : 'bad' });
      bar.style.height = `${Math.max(8, (100 * das) / 16)}%`;
      columns.append(bar);
    }
    cards.push(card('DAS', `${figure(of.das_mean, 1)} on average, ${of.das_losses} lost`, columns, make('p', { class: 'soft' }, 'at each spawn')));
  }
  if (game.taps) cards.push(card('Taps', game.taps.side < 0 ? 'left' : 'right', make('p', {}, make('span', { class: 'figure' }, game.taps.hertz.toFixed(1)), ' Hz')));
  return cards;
}

/** The computer's thoughts. @param {import('./app.js').Thought} thought */
function thoughts({ piece, unit, candidates, odds, misdrop, waits }) {
  const best = candidates[0]?.value ?? 0;
  const worst = Math.max(1e-6, ...candidates.map((one) => best - one.value));
  const list = make('ol', {});
  candidates.forEach((one, rank) => {
    const value = rank === 0 ? thousands(one.value) : `−${thousands(best - one.value)}`;
    list.append(make('li', { class: `b${Math.min(rank, 4)}` }, `${rank + 1}. ${one.place}: ${value}`, make('meter', { min: '0', max: '1', value: String(0.05 + (0.95 * (best - one.value)) / worst), 'aria-label': `cost of place ${rank + 1}` })));
  });
  const cards = [card(`Placement of the ${piece}`, unit, list, ...(misdrop ? [make('p', { class: 'b4' }, 'Misdrop')] : []), ...(waits ? [make('p', { class: 'soft' }, 'It waits for the next piece')] : []))];
  const open = (odds ?? []).map((share, at) => /** @type {[number, number]} */ ([[19, 29, 39][at], share])).filter(([, share]) => share < 1);
  if (open.length > 0) cards.push(card('Odds of reaching', '', bars(open.map(([level, share]) => [`level ${level}`, share, `${(100 * share).toFixed(1)} %`]))));
  return cards;
}
