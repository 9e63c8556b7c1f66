// @ts-check
// What stays in the browser: settings in localStorage, everything else in IndexedDB. Nothing leaves it.

const NAME = 'maxout', VERSION = 3;
const STORES = ['states', 'roms', 'batteries', 'games', 'running', 'puzzles', 'matches'];
/** @type {Promise<IDBDatabase> | null} */
let opened = null;

function database() {
  opened ??= new Promise((done, failed) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const store of STORES) {
        if (!request.result.objectStoreNames.contains(store)) request.result.createObjectStore(store);
      }
    };
    request.onsuccess = () => {
      // Another tab may have a newer build.
      request.result.onversionchange = () => request.result.close();
      done(request.result);
    };
    request.onblocked = () => failed(new Error('an older Maxout is open in another tab: close it'));
    request.onerror = () => failed(request.error ?? new Error('this browser stores nothing'));
  });
  return opened;
}

/** @param {string} store @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest} work @returns {Promise<any>} */
async function transact(store, mode, work) {
  const transaction = (await database()).transaction(store, mode);
  const request = work(transaction.objectStore(store));
  return new Promise((done, failed) => {
    transaction.oncomplete = () => done(request.result);
    transaction.onabort = () => failed(transaction.error ?? new Error('the storage of the browser is full'));
  });
}

/** @param {string} store @param {string} key */
export const take = (store, key) => transact(store, 'readonly', (all) => all.get(key));
/** @param {string} store @returns {Promise<any[]>} */
export const all = (store) => transact(store, 'readonly', (each) => each.getAll());
/** @param {string} store @param {string} key @param {unknown} value */
export const keep = (store, key, value) => transact(store, 'readwrite', (all) => all.put(value, key));
/** @param {string} store @param {string} key */
export const drop = (store, key) => transact(store, 'readwrite', (all) => all.delete(key));
/** @param {string} store @returns {Promise<string[]>} */
export const keys = (store) => transact(store, 'readonly', (all) => all.getAllKeys());

/** Asks the browser not to throw away what is kept. */
export const persist = () => navigator.storage?.persist?.().catch(() => false);

/** Reads the settings. @returns {Record<string, any>} */
export function settings() {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? '{}');
    return kept !== null && typeof kept === 'object' ? kept : {};
  } catch {
    return {};
  }
}

/** Writes the settings. @param {Record<string, unknown>} values */
export function setSettings(values) {
  try {
    localStorage.setItem(NAME, JSON.stringify(values));
  } catch {
    // A private window without storage: they hold until it is closed.
  }
}

/** Gives the browser a file to save. @param {string} name @param {Uint8Array | string} bytes */
export function download(name, bytes) {
  const address = URL.createObjectURL(new Blob([/** @type {any} */ (bytes)]));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
