// @ts-check
// The connection to the server of a room: the messages of a match go both ways as they are, and it is made anew after a
// cut. What is too long, of another kind or too much is lost, as any message may be.

/** Bytes of a message, at most, and bytes that may wait in the connection. */
const LONGEST = 1024, WAITING = 64 << 10;
/** Milliseconds between two tries, at first and at most. */
const FIRST = 250, LAST = 4000;
/** Milliseconds until a connection that does not open is given up. */
const PATIENCE = 8000;
/** Letters of an address, at most. */
const LETTERS = 300;
/** A name or a number of a host, a port and a path. */
const NAME = /^(\[[\da-f:.]+\]|[\p{L}\d._-]+)(:\d{1,5})?(\/[\w./-]*)?$/iu;
/** The port of a room's server for pages. */
const PORT = 5053;

/**
 * Returns the address of a room's server: `example.org`, `example.org:6000` or a whole one, as `wss://example.org/room`.
 * Nothing is the page's own host. @param {string} text @param {{ protocol: string, hostname: string }} page
 */
export function addressOf(text, page) {
  const said = text.trim();
  if (said.length > LETTERS) throw new Error(`the room's address is too long: expected at most ${LETTERS} letters`);
  const scheme = /^https/.test(page.protocol) ? 'wss' : 'ws';
  const whole = /^wss?:\/\//i.test(said);
  const wrong = () => new Error(`${said}: expected the address of a room, such as example.org or wss://example.org/room`);
  if (!whole && said !== '' && !NAME.test(said)) throw wrong();
  let address;
  try {
    address = new URL(whole ? said : `${scheme}://${said || page.hostname || '127.0.0.1'}`);
  } catch {
    throw wrong();
  }
  if (!whole && address.port === '' && !/:\d+(\/|$)/.test(said)) address.port = String(PORT);
  if (address.pathname === '/') address.pathname = '/room';
  if (address.username || address.password || address.search || address.hash) throw wrong();
  return address.href;
}

/** @typedef {{ match_take: (message: Uint8Array) => void, match_next: () => Uint8Array | undefined, match_cut: () => void }} Ends
 * the machine's end of the messages */

export class Room {
  /**
   * @param {string} address @param {Ends} ends @param {(address: string) => WebSocket} open
   * @param {{ later: (work: () => void, milliseconds: number) => any, never: (timer: any) => void }} clock
   */
  constructor(address, ends, open = (address) => new WebSocket(address), clock = { later: (work, after) => setTimeout(work, after), never: (timer) => clearTimeout(timer) }) {
    this.address = address;
    this.ends = ends;
    this.open = open;
    this.clock = clock;
    this.wait = FIRST;
    /** Tries that have failed in a row. */
    this.failed = 0;
    this.isOpen = false;
    this.isClosed = false;
    /** @type {any} */
    this.timer = undefined;
    /** @type {WebSocket | null} */
    this.socket = null;
    // What an address cannot be is said at once.
    this.connect();
  }

  connect() {
    const socket = this.open(this.address);
    this.socket = socket;
    socket.binaryType = 'arraybuffer';
    this.timer = this.clock.later(() => this.cut(socket), PATIENCE);
    socket.onopen = () => {
      if (socket !== this.socket) return;
      this.clock.never(this.timer);
      this.isOpen = true;
      this.failed = 0;
      this.wait = FIRST;
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.socket && data instanceof ArrayBuffer && data.byteLength <= LONGEST) this.ends.match_take(new Uint8Array(data));
    };
    socket.onclose = socket.onerror = () => this.cut(socket);
  }

  /** A connection is gone, or does not come. @param {WebSocket} socket */
  cut(socket) {
    if (socket !== this.socket) return;
    this.clock.never(this.timer);
    this.socket = null;
    this.isOpen = false;
    this.failed++;
    socket.close();
    // What waits would come too late.
    this.ends.match_cut();
    if (this.isClosed) return;
    this.timer = this.clock.later(() => this.connect(), this.wait);
    this.wait = Math.min(2 * this.wait, LAST);
  }

  /** Sends what the machine has to say. */
  pump() {
    const { socket } = this;
    if (!socket || !this.isOpen) return;
    for (let message = this.ends.match_next(); message !== undefined; message = this.ends.match_next()) {
      if (socket.bufferedAmount <= WAITING) socket.send(/** @type {any} */ (message));
    }
  }

  /** Sends the last messages, and ends. */
  close() {
    this.pump();
    this.isClosed = true;
    this.isOpen = false;
    this.clock.never(this.timer);
    const { socket } = this;
    this.socket = null;
    socket?.close();
  }
}
