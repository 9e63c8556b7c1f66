// @ts-check
// The page's end of the line to the worker with the machine: questions with answers, and what comes by itself.

export class Machine extends EventTarget {
  constructor() {
    super();
    const plain = new URLSearchParams(location.search).has('plain') ? '?plain' : '';
    this.worker = new Worker(`machine.js${plain}`, { type: 'module' });
    /** @type {Map<number, { done: (value: any) => void, failed: (error: Error) => void }>} */
    this.open = new Map();
    this.last = 0;
    /** @type {Promise<{ simd: boolean }>} */
    this.ready = new Promise((done, failed) => {
      this.worker.onerror = (event) => {
        failed(new Error(event.message || 'the machine could not be started'));
        this.say('failed', event.message);
      };
      this.worker.onmessage = ({ data }) => {
        if (data.kind === 'ready') done(data);
        else if (data.kind === 'answer') this.answer(data);
        else this.say(data.kind, data);
      };
    });
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
      this.worker.postMessage({ kind: 'ask', id, name, args }, transfer);
    });
  }

  /** What the players hold. @param {number[]} held */
  hold(held) {
    this.worker.postMessage({ kind: 'held', held });
  }

  /** The display refreshes now. @param {number} at milliseconds @param {number} behind pictures that wait */
  tick(at, behind) {
    this.worker.postMessage({ kind: 'tick', at, behind });
  }

  /** Gives a buffer for pictures. @param {ArrayBuffer} buffer */
  give(buffer) {
    this.worker.postMessage({ kind: 'buffer', buffer }, [buffer]);
  }
}
