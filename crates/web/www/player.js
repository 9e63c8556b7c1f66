// @ts-check
// `<maxout-player>`: the console in a page of yours. It puts `embed.html` of this folder into a frame and talks with it.
//
//   <script type="module" src="…/player.js"></script>
//   <maxout-player level="18" controls></maxout-player>
//
// Attributes: `src` the page (the one beside this script), `mode`, `level`, `seed`, `pieces` what begins when the player
// presses Start, `game` a link of a kept game, `controls` the bar below the picture.
// Events: `maxout-ready`, `maxout-status` (detail: the state of the game), `maxout-event` (detail: a lock, a clear …),
// `maxout-over` (detail: the last state).

/** The folder of the page: this script's own. */
const HERE = new URL('.', import.meta.url);
const NAMES = ['src', 'mode', 'level', 'seed', 'pieces', 'game', 'controls'];

export class MaxoutPlayer extends HTMLElement {
  static observedAttributes = NAMES;

  constructor() {
    super();
    this.frame = document.createElement('iframe');
    this.frame.allow = 'autoplay; fullscreen; gamepad; screen-wake-lock; clipboard-write';
    this.frame.title = 'Maxout, NES Tetris';
    this.frame.style.cssText = 'border:0;width:100%;height:100%;display:block';
    /** @type {any} */
    this.status = null;
    this.over = false;
    this.take = this.take.bind(this);
    /** @type {((bytes: Uint8Array) => void)[]} */
    this.files = [];
    /** What is sent before the page can take it. @type {Record<string, unknown>[] | null} */
    this.early = [];
  }

  connectedCallback() {
    addEventListener('message', this.take);
    if (!this.style.display) this.style.display = 'block';
    if (!this.style.aspectRatio && !this.style.height) this.style.aspectRatio = this.hasAttribute('controls') ? '4 / 3.7' : '2048 / 1680';
    this.load();
    this.append(this.frame);
  }

  disconnectedCallback() {
    removeEventListener('message', this.take);
  }

  attributeChangedCallback() {
    if (this.isConnected) this.load();
  }

  /** The address of the page in the frame. */
  get address() {
    const page = new URL(this.getAttribute('src') ?? 'embed.html', this.hasAttribute('src') ? document.baseURI : HERE);
    if (!this.hasAttribute('controls')) page.searchParams.set('bare', '');
    const game = this.getAttribute('game');
    const said = new URLSearchParams();
    if (game) said.set('game', game.replace(/^.*#?game=/, ''));
    for (const name of ['mode', 'level', 'seed', 'pieces']) {
      const value = this.getAttribute(name);
      if (value !== null && !game) said.set(name, value);
    }
    page.hash = said.toString();
    return page.href;
  }

  load() {
    if (this.frame.src === this.address) return;
    this.early = [];
    this.frame.src = this.address;
  }

  /** @param {MessageEvent} event */
  take(event) {
    const { data } = event;
    if (event.source !== this.frame.contentWindow || typeof data?.maxout !== 'string') return;
    const tell = (/** @type {string} */ name, /** @type {unknown} */ detail) => this.dispatchEvent(new CustomEvent(`maxout-${name}`, { detail, bubbles: true }));
    if (data.maxout === 'ready') {
      /** @type {Record<string, unknown>[]} */
      const early = this.early ?? [];
      this.early = null;
      for (const message of early) this.send(message);
    }
    if (data.maxout === 'file') return this.files.shift()?.(data.bytes);
    if (data.maxout === 'status') {
      this.status = data.status;
      const over = data.status.game?.over === true;
      if (over && !this.over) tell('over', data.status);
      this.over = over;
      return tell('status', data.status);
    }
    tell(data.maxout, data.event ?? null);
  }

  /** @param {Record<string, unknown>} message */
  send(message) {
    if (this.early) return void this.early.push(message);
    this.frame.contentWindow?.postMessage(message, new URL(this.frame.src).origin);
  }

  /** Begins a game at once. @param {{ mode?: string, options?: string, pieces?: string, position?: string }} wanted */
  play(wanted = {}) {
    this.send({ maxout: 'play', wanted });
  }

  /** Pauses, or goes on with false. */
  pause(on = true) {
    this.send({ maxout: 'pause', on });
  }

  /** Lets the computer play, or no longer. */
  computer() {
    this.send({ maxout: 'computer' });
  }

  /** Opens a ROM, a movie, a kept game or a saved state. @param {string} name @param {Uint8Array} bytes */
  open(name, bytes) {
    this.send({ maxout: 'open', name, bytes });
  }

  /** The game so far as a kept game. @returns {Promise<Uint8Array>} */
  file() {
    this.send({ maxout: 'file' });
    return new Promise((done) => this.files.push(done));
  }
}

if (!customElements.get('maxout-player')) customElements.define('maxout-player', MaxoutPlayer);
