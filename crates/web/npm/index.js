// The console as a module, for Node and for pages: see README.md of this package.

import init, { Player } from './page/maxout.js';

export { Player };

/** The folder of the page with everything that `<maxout-player>` needs, to be served as it is. */
export const page = new URL('./page/', import.meta.url);

/** The small nets, by which computer, review and puzzles evaluate. */
const NETS = ['l18', 'l18-duel', 'l18-slow', 'l18-slower', 'l19', 'l19-slow', 'l19-slower', 'l29', 'l29-24',
  'l29-slow', 'l29-slower', 'l39', 'l39-slow'];
/** @type {WebAssembly.Memory | undefined} */
let memory;

/** The bytes of a file of the page: read in Node, fetched in a browser. @param {string} name */
async function bytes(name) {
  const address = new URL(name, page);
  if (address.protocol === 'file:') return (await import(/* @vite-ignore */ /* webpackIgnore: true */ 'node:fs/promises')).readFile(address);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} cannot be loaded: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Loads the module, once, and returns the class of players. `plain` takes the one without SIMD. */
export async function load({ plain = false } = {}) {
  memory ??= (await init({ module_or_path: await bytes(plain ? 'maxout-plain_bg.wasm' : 'maxout_bg.wasm') })).memory;
  return Player;
}

/** @template T @param {new (buffer: ArrayBufferLike, at: number, length: number) => T & { slice(): T }} kind @param {import('./page/maxout.js').Place} place */
function copied(kind, { at, length }) {
  if (!memory) throw new Error('the module is not loaded: await load() first');
  return new kind(memory.buffer, at, length).slice();
}

/** The picture of the last frame. @param {Player} player */
export const picture = (player) => ({ width: Player.width(), height: Player.height(), pixels: copied(Uint8ClampedArray, player.paint()) });

/** The sound of the last frame, at the rate that the player was made with. @param {Player} player */
export const sound = (player) => copied(Float32Array, player.samples());

/** Gives a player the nets. @param {Player} player */
export async function nets(player) {
  for (const name of NETS) player.set_net(await bytes(`${name}.net`));
}
