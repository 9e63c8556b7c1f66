// @ts-check
// Files: what one is by its bytes and its name, several at once, and archives.

import { unzip } from './zip.js';

/** The largest file that is read: no cartridge is near it. */
const LARGEST = 16 << 20;

/** A file, as far as it is looked at. @typedef {{ name: string, size: number, arrayBuffer: () => Promise<ArrayBuffer> }} Readable */

/** @typedef {{ insert: (name: string, bytes: Uint8Array) => Promise<unknown>, watch: (name: string, bytes: Uint8Array) => Promise<unknown>,
 * review: (name: string, bytes: Uint8Array) => Promise<unknown>, load: (name: string, bytes: Uint8Array) => Promise<unknown>,
 * palette: (name: string, bytes: Uint8Array) => Promise<unknown>, match: (name: string, bytes: Uint8Array) => Promise<unknown> }} Console */

/** What a file is. @param {string} name @param {Uint8Array} bytes @returns {'game' | 'match' | 'recording' | 'state' | 'palette' | 'archive' | 'rom'} */
export function kindOf(name, bytes) {
  const begins = (/** @type {string} */ text) => [...text].every((letter, at) => bytes[at] === letter.charCodeAt(0));
  if (begins('MXGAME') || /\.(fm2|mxgame)$/i.test(name)) return 'game';
  if (begins('maxout-match ')) return 'match';
  if (/\.(ngf|csv|jsonl)(\.gz)?$/i.test(name)) return 'recording';
  if (['MXST', 'MXWEB', '\x89PNG'].some(begins)) return 'state';
  if (/\.pal$/i.test(name)) return 'palette';
  if (begins('PK\x03\x04')) return 'archive';
  return 'rom';
}

/** Order in which files of these kinds are opened: a movie wants its ROM first. */
const ORDER = ['archive', 'rom', 'palette', 'state', 'game', 'match', 'recording'];

/** Opens files by what they are. @param {Readable[]} files @param {Console} to */
export async function open(files, to) {
  const read = [];
  for (const file of files) {
    if (file.size > LARGEST) throw new Error(`${file.name}: ${file.size} bytes; expected a file of at most ${LARGEST}`);
    if (file.size === 0) throw new Error(`${file.name}: an empty file`);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const kind = kindOf(file.name, bytes);
    if (kind === 'archive') {
      const inside = await unzip(file.name, bytes, LARGEST);
      read.push({ name: inside.name, bytes: inside.bytes, kind: kindOf(inside.name, inside.bytes) });
    } else {
      read.push({ name: file.name, bytes, kind });
    }
  }
  read.sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
  for (const { name, bytes, kind } of read) {
    if (kind === 'game') await to.watch(name, bytes);
    else if (kind === 'match') await to.match(name, bytes);
    else if (kind === 'recording') await to.review(name, bytes);
    else if (kind === 'state') await to.load(name, bytes);
    else if (kind === 'palette') await to.palette(name, bytes);
    else await to.insert(name, bytes);
  }
}
