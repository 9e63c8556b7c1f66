// @ts-check
// Keeps the page for when there is no network. The build writes the list of files and its hash into the first two lines of
// code; another hash is another cache. A new one takes over when the player says so, or when no page of the old one is
// open. What only some visits need, as the nets and the module without SIMD, is kept when it is first fetched.

const VERSION = '@VERSION@';
/** @type {string[]} */
const FILES = ['@FILES@'];
/** Where files that are shared with the page wait for it; its name is no version's. */
const SHARED = 'shared-files';
/** The largest file that is kept, as in open.js, and how many of them. */
const [LARGEST, MOST] = [16 << 20, 16];

/** The types of a service worker would hide those of the page. @type {any} */
const scope = self;

scope.addEventListener('install', (/** @type {any} */ event) => {
  // `no-cache` asks the host whether a file is still the one that was just loaded: then it does not come again.
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: 'no-cache' })))));
});

scope.addEventListener('message', (/** @type {any} */ event) => {
  if (event.data === 'take over') scope.skipWaiting();
});

scope.addEventListener('activate', (/** @type {any} */ event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith('maxout-') && name !== VERSION).map((name) => caches.delete(name)))).then(() => scope.clients.claim()));
});

/**
 * Keeps files that another program shares, and opens the page, which takes them. Of one that is too large only the size
 * is kept, which the page refuses. @param {Request} request
 */
async function share(request) {
  const files = (await request.formData()).getAll('files').filter((file) => file instanceof File).slice(0, MOST);
  const cache = await caches.open(SHARED);
  await Promise.all(files.map((file, at) => {
    const kept = new Response(file.size > LARGEST ? null : file, { headers: { 'X-Size': String(file.size) } });
    return cache.put(`./${SHARED}/${at}-${encodeURIComponent(file.name)}`, kept);
  }));
  return Response.redirect('./#shared', 303);
}

scope.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method === 'POST' && new URL(request.url).pathname === new URL('./share', location.href).pathname) {
    event.respondWith(share(request));
    return;
  }
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  event.respondWith(caches.open(VERSION).then(async (cache) => {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    const answer = await fetch(request);
    if (answer.ok && /\.(wasm|net)$/.test(new URL(request.url).pathname)) await cache.put(request, answer.clone());
    return answer;
  }));
});
