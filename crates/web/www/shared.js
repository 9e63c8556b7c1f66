// @ts-check
// Files that other programs share with the installed page: its service worker keeps them until the page takes them.

/** Where they are kept. sw.js has the same name. */
const SHARED = 'shared-files';

/** Takes what was shared. One that was too large to be kept has its size alone. @returns {Promise<import('./open.js').Readable[]>} */
export async function takeShared() {
  const cache = await caches.open(SHARED);
  const files = [];
  for (const request of await cache.keys()) {
    const answer = await cache.match(request);
    const name = decodeURIComponent(new URL(request.url).pathname.split('/').pop() ?? '');
    if (answer) {
      const bytes = await answer.arrayBuffer();
      const size = Number(answer.headers.get('X-Size') ?? bytes.byteLength);
      files.push({ name: name.replace(/^\d+-/, ''), size, arrayBuffer: async () => bytes });
    }
    await cache.delete(request);
  }
  return files;
}
