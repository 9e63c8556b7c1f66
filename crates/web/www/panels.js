// @ts-check
// The panels beside the picture: practice, statistics, viewer and coach, debugger. What they show comes from the machine.

/** @typedef {{ ask: (name: string, ...args: any[]) => Promise<any>, attempt: (work: () => any) => Promise<any>, say: (text: string, bad?: boolean) => void, element: <T extends HTMLElement>(id: string, kind: new () => T) => T, remember: () => void, settings: Record<string, any>, focus: () => void }} Page */

/** Events that stay listed. */
const MOST_EVENTS = 60;
/** The options of a link. */
const LINKED = ['mode', 'options', 'pieces', 'position'];

export class Panels {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    /** @type {{ name: string, about: string, value: string, least: number, most: number, usual: string }[]} */
    this.modes = [];
    this.viewing = false;
    this.dragging = false;
    /** @type {any} */
    this.report = null;
    this.viewed = 0;
    this.texts = '';
    /** The last status. @type {any} */
    this.last = null;
    const { element } = page;
    this.fields = {
      mode: element('mode', HTMLSelectElement),
      value: element('value', HTMLInputElement),
      level: element('level', HTMLInputElement),
      options: element('options', HTMLInputElement),
      pieces: element('pieces', HTMLInputElement),
      position: element('position', HTMLInputElement),
    };
  }

  /** Fills what the machine knows the names of. */
  async begin() {
    const { ask, attempt, element, say } = this.page;
    const { modes, options } = await ask('modes');
    this.modes = modes;
    for (const mode of modes) this.fields.mode.append(new Option(mode.name, mode.name));
    this.fields.mode.addEventListener('change', () => this.chosen());
    this.chosen();
    const list = element('option-list', HTMLElement);
    for (const { name, about } of options) list.append(...this.pair(name, about));
    element('practice', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      attempt(() => this.practise(this.wanted()));
    });
    this.click('link', async () => {
      const address = `${location.href.split('#')[0]}#${this.fragment(this.wanted())}`;
      history.replaceState(null, '', address);
      await navigator.clipboard?.writeText(address).catch(() => undefined);
      say('The link is in the address bar and in the clipboard.');
    });
    this.click('here', async () => {
      const position = await ask('position');
      if (!position) throw new Error('No piece is in play: there is no position now.');
      this.fields.position.value = position;
    });
    this.click('undo', () => ask('undo', undefined));
    this.click('undo-luck', () => ask('undo', (Math.random() * 2 ** 32) >>> 0));
    this.click('mark', async () => say(`${await ask('mark')} marked.`));
    this.click('retry', () => ask('retry', undefined));
    const hertz = element('hertz', HTMLSelectElement);
    hertz.value = String(this.page.settings.hertz);
    hertz.addEventListener('change', () => attempt(async () => {
      this.page.settings.hertz = Number(hertz.value);
      this.page.remember();
      if (this.last?.computer) await ask('set_computer', Number(hertz.value));
    }));
    this.click('computer', () => ask('set_computer', this.last?.computer ? 0 : Number(hertz.value)));
    this.click('versus', async () => {
      await ask('set_versus', this.last?.versus ? 0 : Number(hertz.value));
      say(this.last?.versus ? 'You play alone.' : 'The computer begins a game whenever you do: begin one.');
    });
    this.click('keep-game', async () => this.download('game.mxgame', await ask('game_file')));
    this.click('keep-movie', async () => this.download('game.fm2', new TextEncoder().encode(await ask('movie_file'))));
    this.click('take', () => ask('take_over'));
    this.click('close', () => ask('close_game'));
    const seek = element('seek', HTMLInputElement);
    seek.addEventListener('input', () => {
      this.dragging = true;
      attempt(() => ask('seek', Number(seek.value)));
    });
    seek.addEventListener('change', () => { this.dragging = false; });
    const view = element('view', HTMLSelectElement);
    view.addEventListener('change', () => this.look());
    element('debugger-panel', HTMLDetailsElement).addEventListener('toggle', () => this.look());
  }

  /** @param {string} id @param {() => any} work */
  click(id, work) {
    this.page.element(id, HTMLButtonElement).addEventListener('click', (event) => {
      this.page.attempt(work);
      if (event instanceof PointerEvent && event.pointerType !== '') this.page.focus();
    });
  }

  /** @param {string} name @param {unknown} value */
  pair(name, value) {
    const term = document.createElement('dt');
    term.textContent = name;
    const said = document.createElement('dd');
    said.textContent = String(value);
    return [term, said];
  }

  /** A mode was chosen: says what it is, and what its number may be. */
  chosen() {
    const mode = this.modes.find(({ name }) => name === this.fields.mode.value);
    if (!mode) return;
    const numbered = mode.usual.includes('=');
    this.page.element('value-label', HTMLElement).hidden = !numbered;
    this.fields.value.value = mode.usual.split('=')[1] ?? '';
    this.page.element('about', HTMLElement).textContent = numbered ? `${mode.about}. Number: ${mode.value}` : mode.about;
  }

  /** What the form says. @returns {Record<string, string>} */
  wanted() {
    const { mode, value, level, options, pieces, position } = this.fields;
    const number = value.value.trim();
    const numbered = !this.page.element('value-label', HTMLElement).hidden && number !== '';
    return {
      mode: numbered ? `${mode.value}=${number}` : mode.value,
      options: `level=${level.value || 0} ${options.value}`.trim(),
      pieces: pieces.value.trim(),
      position: position.value.trim(),
    };
  }

  /** @param {Record<string, string>} wanted */
  fragment(wanted) {
    return new URLSearchParams(LINKED.filter((name) => wanted[name]).map((name) => [name, wanted[name]])).toString();
  }

  /** Begins what a link says. @param {string} hash */
  async follow(hash) {
    const said = new URLSearchParams(hash.slice(1));
    const wanted = Object.fromEntries(LINKED.map((name) => [name, (said.get(name) ?? '').slice(0, 2000)]));
    // `seed` alone is the mode for it.
    if (said.has('seed') && !wanted.mode) wanted.mode = `seed=${(said.get('seed') ?? '').slice(0, 12)}`;
    if (said.has('level') && !wanted.options.includes('level')) wanted.options = `level=${said.get('level')} ${wanted.options}`.trim();
    if (Object.values(wanted).every((text) => text === '')) return;
    const [mode, number] = wanted.mode.split('=');
    if (this.modes.some(({ name }) => name === mode)) {
      this.fields.mode.value = mode;
      this.chosen();
      if (number) this.fields.value.value = number;
    }
    const level = /level=(\d+)/.exec(wanted.options);
    if (level) this.fields.level.value = level[1];
    this.fields.options.value = wanted.options.replace(/level=\d+ ?/, '');
    this.fields.pieces.value = wanted.pieces;
    this.fields.position.value = wanted.position;
    await this.practise(wanted);
  }

  /** @param {Record<string, string>} wanted */
  async practise({ mode, options, pieces, position }) {
    this.page.say('The console goes through the menus …');
    await this.page.ask('practise', mode, options, pieces, position, Math.floor(Math.random() * 2 ** 32));
    this.page.say(`${mode || 'tetris'} ${options}`);
    this.page.focus();
  }

  /** @param {string} name @param {Uint8Array} bytes */
  download(name, bytes) {
    const address = URL.createObjectURL(new Blob([/** @type {any} */ (bytes)]));
    const link = document.createElement('a');
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  /** Opens a game in the viewer and has the coach look at it. @param {string} name @param {Uint8Array} bytes */
  async openGame(name, bytes) {
    const { ask, element, say } = this.page;
    const number = (/** @type {string} */ id) => Number(element(id, HTMLInputElement).value);
    await ask('open_game', name, bytes, number('coach-hertz'), number('coach-reaction'));
    element('coach-panel', HTMLDetailsElement).open = true;
    say(`${name} plays; the coach reads it.`);
    element('reading', HTMLProgressElement).hidden = false;
    this.report = await ask('read');
    this.showReport();
    say(`${name}: ${this.report.score} points, ${this.report.lines} lines.`);
  }

  /** @param {number} share */
  reading(share) {
    const bar = this.page.element('reading', HTMLProgressElement);
    bar.value = share;
    bar.hidden = share >= 1;
  }

  showReport() {
    const { element, ask, attempt } = this.page;
    const { report } = this;
    const figures = element('report', HTMLElement);
    figures.replaceChildren(
      ...this.pair('Mode', `${report.mode} ${report.options}`),
      ...this.pair('Score', report.score.toLocaleString('en')),
      ...this.pair('Lines, level', `${report.lines}, ${report.level}`),
      ...this.pair('Placements reviewed', report.reviewed),
      ...this.pair('State', report.state),
      ...this.statistics(report.statistics),
    );
    const list = element('worst', HTMLOListElement);
    list.replaceChildren(...report.worst.map((/** @type {any} */ one) => {
      const line = document.createElement('li');
      const picture = this.board(one);
      const go = document.createElement('button');
      go.type = 'button';
      // Where no piece can follow, the loss is without a bound.
      const cost = one.cost > 1e6 ? 'the game' : one.cost.toFixed(1);
      go.textContent = `Piece ${one.number}, ${one.piece}: ${cost}`;
      go.setAttribute('aria-label', `Piece ${one.number}, ${one.piece}, costs ${cost}: show its frame`);
      go.addEventListener('click', () => attempt(() => ask('seek', one.frame)));
      line.append(picture, go);
      return line;
    }));
  }

  /** A board with the chosen place in red and the best in green. @param {any} one */
  board(one) {
    const canvas = document.createElement('canvas');
    canvas.width = 40;
    canvas.height = 80;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', 'the board, the chosen place in red, the best in green');
    const brush = canvas.getContext('2d');
    if (!brush) return canvas;
    brush.fillStyle = '#000';
    brush.fillRect(0, 0, 40, 80);
    const cell = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ colour) => {
      brush.fillStyle = colour;
      brush.fillRect(4 * x, 4 * y, 3, 3);
    };
    one.rows.forEach((/** @type {number} */ row, /** @type {number} */ y) => {
      for (let x = 0; x < 10; x++) if ((row >> x) & 1) cell(x, y, '#9aa');
    });
    for (const [x, y] of one.chosen) cell(x, y, '#ff6a5e');
    for (const [x, y] of one.best) cell(x, y, '#5fe07f');
    return canvas;
  }

  /** @param {any} figures */
  statistics(figures) {
    const per = (/** @type {number | null} */ value, digits = 0) => (value === null || value === undefined ? '–' : value.toFixed(digits));
    return [
      ...this.pair('Pieces', figures.pieces),
      ...this.pair('Singles to tetrises', figures.clears.join(' ')),
      ...this.pair('Tetris rate', `${per(figures.tetris_rate)} %`),
      ...this.pair('Efficiency', per(figures.efficiency)),
      ...this.pair('Burn, drought', `${figures.burn}, ${figures.drought}`),
      ...this.pair('Longest drought', figures.longest_drought),
      ...this.pair('T J Z O S L I', figures.counts.join(' ')),
      ...this.pair('DAS at spawn, losses', `${per(figures.das_mean, 1)}, ${figures.das_losses}`),
    ];
  }

  /** Shows how it stands. @param {any} status @param {any[]} events */
  show(status, events) {
    const { element } = this.page;
    this.last = status;
    const game = status.game;
    element('computer', HTMLButtonElement).setAttribute('aria-pressed', String(status.computer));
    this.viewer(status.viewer);
    this.standing(status.versus);
    const overlay = element('overlay', HTMLParagraphElement);
    const texts = JSON.stringify(game?.texts ?? []);
    if (texts !== this.texts) {
      this.texts = texts;
      overlay.replaceChildren(...(game?.texts ?? []).map((/** @type {any} */ one) => {
        const span = document.createElement('span');
        span.className = one.tone;
        span.textContent = `${one.text} `;
        return span;
      }));
    }
    if (element('game-panel', HTMLDetailsElement).open) this.figures(status);
    this.log(events);
    if (element('debugger-panel', HTMLDetailsElement).open && ++this.viewed % 5 === 0) this.look();
  }

  /** How it stands against the computer. @param {any} versus */
  standing(versus) {
    const { element } = this.page;
    element('versus', HTMLButtonElement).setAttribute('aria-pressed', String(Boolean(versus)));
    element('rival', HTMLCanvasElement).hidden = !versus?.playing;
    element('frame', HTMLDivElement).classList.toggle('two', Boolean(versus?.playing));
    const ended = /** @type {Record<string, string>} */ ({ won: 'You win: ', lost: 'The computer wins: ' })[versus?.outcome] ?? '';
    const text = versus ? `${ended}your lines ${versus.lines[0]}, the computer's ${versus.lines[1]}; rows sent ${versus.sent[0]}, received ${versus.sent[1]}` : '';
    const line = element('standing', HTMLParagraphElement);
    if (line.textContent !== text) line.textContent = text;
  }

  /** @param {any} status */
  figures(status) {
    const figures = this.page.element('figures', HTMLElement);
    const { game } = status;
    if (!game) {
      figures.replaceChildren(...this.pair('Game', 'not known as Tetris'));
      return;
    }
    figures.replaceChildren(
      ...this.pair('Mode', `${game.mode} ${game.options}`),
      ...this.pair('Score', game.score.toLocaleString('en')),
      ...this.pair('Lines, level', `${game.lines}, ${game.level}`),
      ...this.pair('Pieces to take back', game.undo),
      ...this.statistics(game.statistics),
    );
  }

  /** @param {any[]} events */
  log(events) {
    if (!events?.length) return;
    const list = this.page.element('events', HTMLOListElement);
    for (const { frame, event, ...more } of events) {
      const line = document.createElement('li');
      const rest = Object.entries(more).map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`);
      line.textContent = `${frame} ${event} ${rest.join(', ')}`;
      list.prepend(line);
    }
    while (list.children.length > MOST_EVENTS) list.lastChild?.remove();
  }

  /** @param {{ frame: number, length: number } | undefined} viewer */
  viewer(viewer) {
    const { element } = this.page;
    element('viewing', HTMLElement).hidden = !viewer;
    if (!viewer) return;
    const seek = element('seek', HTMLInputElement);
    seek.max = String(viewer.length);
    if (!this.dragging) seek.value = String(viewer.frame);
    const time = (/** @type {number} */ frames) => {
      const seconds = Math.floor(frames / 60.0988);
      return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    };
    element('at', HTMLOutputElement).textContent = `${viewer.frame} · ${time(viewer.frame)} of ${time(viewer.length)}`;
  }

  /** Shows the debugger's view. */
  async look() {
    const { ask, attempt, element } = this.page;
    if (!element('debugger-panel', HTMLDetailsElement).open) return;
    await attempt(async () => {
      const { text, pixels, width, height } = await ask('view', element('view', HTMLSelectElement).value);
      const canvas = element('view-picture', HTMLCanvasElement);
      canvas.hidden = width === 0;
      if (width > 0) {
        canvas.width = width;
        canvas.height = height;
        canvas.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
      }
      const lines = element('view-text', HTMLPreElement);
      lines.hidden = text === '';
      lines.textContent = text;
    });
  }

  /** @param {(Gamepad | null)[]} pads */
  pads(pads) {
    const names = pads.filter((pad) => pad !== null).map((pad) => pad.id);
    const text = `Gamepads: ${names.join(', ')}`;
    const line = this.page.element('pads', HTMLElement);
    if (line.textContent !== text) line.textContent = text;
  }
}
