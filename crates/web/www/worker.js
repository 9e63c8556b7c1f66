// @ts-check
// The page's end of the line to the worker with the machine: questions with answers, and what comes by itself. The page
// loads this before its other scripts: the worker starts and the module is compiled while they come.

/** A module with one instruction of SIMD: a browser that takes it has all of it. */
const SIMD = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);

/** Compiles a module while it comes, or afterwards where the host says nothing of its type. @param {string} name */
async function compile(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name} cannot be loaded: ${answer.status} ${answer.statusText}`);
  if (answer.headers.get('Content-Type') === 'application/wasm') return WebAssembly.compileStreaming(answer);
  return WebAssembly.compile(await answer.arrayBuffer());
}

export class Machine extends EventTarget {
  constructor() {
    super();
    const simd = WebAssembly.validate(SIMD) && !new URLSearchParams(location.search).has('plain');
    this.worker = new Worker('machine.js', { type: 'module' });
    /** Buffers for pictures that go with the next message. @type {ArrayBuffer[]} */
    this.spare = [];
    /** @type {Map<number, { done: (value: any) => void, failed: (error: Error) => void }>} */
    this.open = new Map();
    this.last = 0;
    /** The machine runs, and has a first picture. @type {Promise<{ simd: boolean, picture: ArrayBuffer }>} */
    this.ready = new Promise((done, failed) => {
      this.worker.onerror = (event) => {
        failed(new Error(event.message || 'the machine could not be started'));
        this.say('failed', event.message);
      };
      this.worker.onmessage = ({ data }) => {
        if (data.kind === 'ready') done({ simd, picture: data.picture });
        else if (data.kind === 'answer') this.answer(data);
        else if (data.kind === 'status') this.say('status', { ...data, status: JSON.parse(data.status), events: JSON.parse(data.events) });
        else this.say(data.kind, data);
      };
      compile(simd ? 'maxout_bg.wasm' : 'maxout-plain_bg.wasm').then((module) => this.send({ kind: 'module', module }), failed);
    });
    // A failure is told where the page waits for it, and is no unhandled rejection before.
    this.ready.catch(() => undefined);
  }

  /** Sends a message, and the buffers that have come back. @param {object} message @param {Transferable[]} transfer */
  send(message, transfer = []) {
    const buffers = this.spare.splice(0);
    this.worker.postMessage({ ...message, buffers }, [...buffers, ...transfer]);
  }

  /** @param {string} kind @param {unknown} detail */
  say(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  /** @param {{ id: number, value?: unknown, error?: string }} data */
  answer({ id, value, error }) {
    const open = this.open.get(id);
    this.open.delete(id);
    if (error === undefined) open?.done(value);
    else open?.failed(new Error(error));
  }

  /** Asks the machine. @param {string} name @param {any[]} args @param {Transferable[]} transfer @returns {Promise<any>} */
  ask(name, args = [], transfer = []) {
    const id = ++this.last;
    return new Promise((done, failed) => {
      this.open.set(id, { done, failed });
      this.send({ kind: 'ask', id, name, args }, transfer);
    });
  }

  /** What the players hold. @param {number[]} held */
  hold(held) {
    this.send({ kind: 'held', held });
  }

  /** The display refreshes now. @param {number} at milliseconds @param {number} behind pictures that wait */
  tick(at, behind) {
    this.send({ kind: 'tick', at, behind });
  }

  /** Gives a buffer for pictures, with the next message. @param {ArrayBuffer} buffer */
  give(buffer) {
    this.spare.push(buffer);
  }
}

/** The machine of this page. */
export const machine = new Machine();
