// Lighthouse over the first section, as a desktop and as a phone, on a host that compresses by brotli.

import { createServer } from 'node:http';
import { createServer as listen } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

import { MAXOUT_ISOLATED, MAXOUT_PACKAGES, assert, done, launch } from './support.mjs';

/** Points of the performance, at least; everything else has all. */
const LEAST = { desktop: 95, mobile: 90 };
/** Times that a busy machine may try. */
const ROUNDS = 3;
/** Kinds that hosts compress. */
const PACKED = /^(text\/|application\/(wasm|manifest\+json)|image\/svg)/;
/** Quality of the compression, as hosts that compress ahead have it. */
const QUALITY = 11;

/** Serves what the page's server does, by brotli and with its headers. Returns the server. */
async function brotli() {
  /** @type {Map<string, { status: number, headers: Record<string, string>, body: Buffer }>} */
  const known = new Map();
  const take = async (/** @type {string} */ target) => {
    const answer = await fetch(new URL(target, MAXOUT_ISOLATED));
    const headers = Object.fromEntries([...answer.headers].filter(([name]) => !['content-length', 'connection', 'keep-alive'].includes(name)));
    let body = Buffer.from(await answer.arrayBuffer());
    if (PACKED.test(headers['content-type'] ?? '')) {
      body = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
      headers['content-encoding'] = 'br';
    }
    return { status: answer.status, headers, body };
  };
  const server = createServer(async (request, answer) => {
    const target = request.url ?? '/';
    const { status, headers, body } = known.get(target) ?? await take(target);
    known.set(target, { status, headers, body });
    if (request.headers['if-none-match'] === headers.etag && headers.etag) answer.writeHead(304, headers).end();
    else answer.writeHead(status, headers).end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return server;
}

/** A port that is free now. @returns {Promise<number>} */
const freePort = () => new Promise((resolve) => {
  const server = listen().listen(0, '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    server.close(() => resolve(port));
  });
});

export async function lighthouse() {
  const { default: run, desktopConfig } = await import(`${pathToFileURL(path.join(MAXOUT_PACKAGES, 'lighthouse/core/index.js'))}`);
  const server = await brotli();
  const address = `http://127.0.0.1:${server.address().port}/`;
  try {
    for (const [name, config] of /** @type {[keyof LEAST, any][]} */ ([['desktop', desktopConfig], ['mobile', undefined]])) {
      for (let round = 1; ; round++) {
        const port = await freePort();
        // Each round is a first visit: a browser without anything kept.
        const browser = await launch([`--remote-debugging-port=${port}`]);
        const { lhr } = await run(address, { port, logLevel: 'error' }, config);
        await browser.close();
        assert.equal(lhr.runtimeError, undefined);
        const points = Object.fromEntries(Object.values(lhr.categories).map(({ id, score }) => [id, Math.round(100 * score)]));
        const { audits } = lhr;
        const figures = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift', 'speed-index', 'total-byte-weight'].map((id) => `${id} ${audits[id].displayValue}`).join(', ');
        const text = `${JSON.stringify(points)}; ${figures}; processor ${Math.round(lhr.environment.benchmarkIndex)}`;
        const refs = Object.values(lhr.categories).filter(({ id }) => id !== 'performance').flatMap(({ auditRefs }) => auditRefs).filter(({ weight, id }) => weight > 0 && audits[id].score !== null && audits[id].score < 1);
        const { performance, ...others } = points;
        assert.deepEqual(Object.values(others), Object.values(others).map(() => 100), `${name}: ${text}; ${refs.map(({ id }) => `${id}: ${JSON.stringify(audits[id].details?.items?.slice(0, 3))}`).join('; ')}`);
        if (performance < LEAST[name] && round < ROUNDS) {
          console.log(`--  Lighthouse, ${name}: ${text}: again`);
          continue;
        }
        assert.ok(performance >= LEAST[name], `${name}: ${text}`);
        done(`Lighthouse, ${name}`, text);
        break;
      }
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
