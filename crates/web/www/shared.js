// @ts-check
// Files that other programs share with the installed page: its service worker keeps them until the page takes them.

/** Where they are kept. sw.js has the same name. */
const SHARED = 'shared-files';

/** Takes what was shared. @returns {Promise<File[]>} */
export async function takeShared() {
  const cache = await caches.open(SHARED);
  const files = [];
  for (const request of await cache.keys()) {
    const answer = await cache.match(request);
    const name = decodeURIComponent(new URL(request.url).pathname.split('/').pop() ?? '');
    if (answer) files.push(new File([await answer.arrayBuffer()], name.replace(/^\d+-/, '')));
    await cache.delete(request);
  }
  return files;
}
