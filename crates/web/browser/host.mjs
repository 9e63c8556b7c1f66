// The page on a host that compresses by brotli.

import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { brotliCompressSync, constants } from 'node:zlib';

import { MAXOUT_ISOLATED, MAXOUT_PAGE } from './support.mjs';

/** Kinds that hosts compress. */
const PACKED = /^(text\/|application\/(wasm|manifest\+json)|image\/svg)/;

/**
 * Serves what the page's server does, by brotli of a quality, and with its headers. Returns its address, the bytes that it
 * has sent of each file, a number for each time, and what stops it. @param {number} quality
 */
export async function compressing(quality) {
  /** @type {Map<string, { status: number, headers: Record<string, string>, body: Buffer }>} */
  const known = new Map();
  /** @type {Map<string, number[]>} */
  const sent = new Map();
  const take = async (/** @type {string} */ target) => {
    const answer = await fetch(new URL(target, MAXOUT_ISOLATED));
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => !['content-length', 'connection', 'keep-alive'].includes(name)));
    let body = Buffer.from(await answer.arrayBuffer());
    if (PACKED.test(headers['content-type'] ?? '')) {
      body = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
      headers['content-encoding'] = 'br';
    }
    known.set(target, { status: answer.status, headers, body });
  };
  for (const name of ['', ...await readdir(MAXOUT_PAGE)]) await take(`/${name}`);
  const server = createServer(async (request, answer) => {
    const target = request.url ?? '/';
    if (!known.has(target)) await take(target);
    const { status, headers, body } = known.get(target);
    if (headers.etag && request.headers['if-none-match'] === headers.etag) {
      answer.writeHead(304, headers).end();
      return;
    }
    sent.set(target, [...sent.get(target) ?? [], body.length]);
    answer.writeHead(status, headers).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${server.address().port}/`, sent, stop };
}
