// @ts-check
// Keeps the page for when there is no network. The build writes the list of files and its hash into the first two lines of
// code; another hash is another cache. A new one takes over when no page of the old one is open, so that a page never has
// files of two builds; the old cache is dropped then.

const VERSION = '@VERSION@';
/** @type {string[]} */
const FILES = ['@FILES@'];

/** The types of a service worker would hide those of the page. @type {any} */
const scope = self;

scope.addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })))));
});

scope.addEventListener('activate', (/** @type {any} */ event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith('maxout-') && name !== VERSION).map((name) => caches.delete(name)))).then(() => scope.clients.claim()));
});

scope.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  event.respondWith(caches.open(VERSION).then(async (cache) => {
    const kept = await cache.match(request, { ignoreSearch: true });
    return kept ?? fetch(request);
  }));
});
