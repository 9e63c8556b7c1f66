// @ts-check
// Reads one file out of a ZIP archive: the first one that the page can open.

/** Endings of what is taken. */
const WANTED = /\.(nes|fm2|mxgame|ngf)$/i;
const DIRECTORY = 0x02014b50, END = 0x06054b50, LOCAL = 0x04034b50;
/** Bytes of the end record without a comment, and the longest comment. */
const LAST = 22, COMMENT = 65535;

/** @param {string} name @param {Uint8Array} bytes @param {number} most @returns {Promise<{ name: string, bytes: Uint8Array }>} */
export async function unzip(name, bytes, most) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const damaged = () => new Error(`${name}: a damaged archive. Unpack it, and open the file inside.`);
  let end = bytes.length - LAST;
  while (end >= 0 && end > bytes.length - LAST - COMMENT && view.getUint32(end, true) !== END) end--;
  if (end < 0 || view.getUint32(end, true) !== END) throw damaged();
  let at = view.getUint32(end + 16, true);
  const text = new TextDecoder();
  for (let count = view.getUint16(end + 10, true); count > 0; count--) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== DIRECTORY) throw damaged();
    const length = view.getUint16(at + 28, true);
    const inside = text.decode(bytes.subarray(at + 46, at + 46 + length));
    if (WANTED.test(inside)) return { name: inside.split('/').pop() ?? inside, bytes: await take(view, bytes, at, most, damaged) };
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  throw new Error(`${name}: expected a .nes, .fm2, .mxgame or .ngf file in the archive`);
}

/** @param {DataView} view @param {Uint8Array} bytes @param {number} at @param {number} most @param {() => Error} damaged */
async function take(view, bytes, at, most, damaged) {
  const method = view.getUint16(at + 10, true);
  const [packed, size, from] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true), view.getUint32(at + 42, true)];
  if (size > most || from + 30 > bytes.length || view.getUint32(from, true) !== LOCAL) throw damaged();
  const begin = from + 30 + view.getUint16(from + 26, true) + view.getUint16(from + 28, true);
  const part = bytes.slice(begin, begin + packed);
  if (part.length !== packed) throw damaged();
  if (method === 0) return part;
  if (method !== 8) throw damaged();
  const out = new Uint8Array(size);
  let written = 0;
  try {
    const reader = new Blob([part]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (written + value.length > size) throw damaged();
      out.set(value, written);
      written += value.length;
    }
  } catch {
    throw damaged();
  }
  if (written !== size) throw damaged();
  return out;
}
