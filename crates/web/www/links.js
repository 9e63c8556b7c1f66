// @ts-check
// Links: what the part behind # says, and kept games as text.

/** The words of a practice game. */
const GAME = ['mode', 'options', 'pieces', 'position'];
/** The most letters of a link that are read, and the most bytes of the game in it. */
const LONGEST = 200_000, LARGEST = 4 << 20;
/** Letters of a text field of a link. */
const TEXT = 4000;

/** @typedef {{ kind: 'none' } | { kind: 'practice', wanted: Record<string, string> } | { kind: 'daily' } | { kind: 'shared' }
 * | { kind: 'game', text: string } | { kind: 'race', text: string } | { kind: 'puzzle', link: string }
 * | { kind: 'review', link: string } | { kind: 'match', code: string, room: string, watch: boolean }} Wanted */

/** Returns what a link asks for. @param {string} hash with its # @returns {Wanted} */
export function parse(hash) {
  const text = hash.replace(/^#/, '');
  if (text === '' || text.length > LONGEST) return { kind: 'none' };
  if (text === 'daily' || text === 'shared') return { kind: text };
  const said = new URLSearchParams(text);
  for (const kind of /** @type {const} */ (['game', 'race'])) {
    const game = said.get(kind);
    if (game) return { kind, text: game };
  }
  for (const kind of /** @type {const} */ (['puzzle', 'review'])) {
    const link = said.get(kind);
    if (link) return { kind, link: link.slice(0, TEXT) };
  }
  const code = said.get('match');
  if (code) return { kind: 'match', code: code.slice(0, 40), room: (said.get('room') ?? '').slice(0, 300), watch: said.has('watch') };
  const wanted = Object.fromEntries(GAME.map((name) => [name, (said.get(name) ?? '').slice(0, TEXT)]));
  // `seed` alone is the mode for it.
  if (said.has('seed') && !wanted.mode) wanted.mode = `seed=${(said.get('seed') ?? '').slice(0, 12)}`;
  if (said.has('level') && !wanted.options.includes('level')) wanted.options = `level=${said.get('level')} ${wanted.options}`.trim();
  if (Object.values(wanted).every((each) => each === '')) return { kind: 'none' };
  return { kind: 'practice', wanted };
}

/** The link of a practice game. @param {Record<string, string>} wanted */
export const practice = (wanted) => new URLSearchParams(GAME.filter((name) => wanted[name]).map((name) => [name, wanted[name]])).toString();

/** A link that the machine wrote, without its scheme. @param {string} link */
export const code = (link) => link.replace(/^maxout:/, '');

/** @param {ReadableStream<Uint8Array>} stream @param {number} most */
async function collect(stream, most) {
  const parts = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) throw new Error(`the link is too large: expected a game of at most ${most} bytes`);
    parts.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** @param {Uint8Array} bytes @param {CompressionStream | DecompressionStream} through @param {number} most */
const pass = (bytes, through, most) => collect(new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(/** @type {any} */ (through)), most);

/** A kept game as text: deflated, then base64url. @param {Uint8Array} bytes */
export async function pack(bytes) {
  const packed = await pass(bytes, new CompressionStream('deflate-raw'), LARGEST);
  let letters = '';
  for (const byte of packed) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** A kept game of its text. @param {string} text @returns {Promise<Uint8Array>} */
export async function unpack(text) {
  const damaged = () => new Error('the link is damaged: copy all of it again');
  let letters;
  try {
    letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    throw damaged();
  }
  const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  try {
    return await pass(packed, new DecompressionStream('deflate-raw'), LARGEST);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('the link')) throw error;
    throw damaged();
  }
}
