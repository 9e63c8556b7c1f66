// @ts-check
// What stays in the browser: settings in localStorage, states, kept ROMs and batteries in IndexedDB. Nothing leaves it.

const NAME = 'maxout', VERSION = 1;
/** @type {Promise<IDBDatabase> | null} */
let opened = null;

function database() {
  opened ??= new Promise((done, failed) => {
    const request = indexedDB.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      for (const store of ['states', 'roms', 'batteries']) request.result.createObjectStore(store);
    };
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error('this browser keeps nothing'));
  });
  return opened;
}

/** @param {string} store @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest} work @returns {Promise<any>} */
async function transact(store, mode, work) {
  const transaction = (await database()).transaction(store, mode);
  const request = work(transaction.objectStore(store));
  return new Promise((done, failed) => {
    transaction.oncomplete = () => done(request.result);
    transaction.onabort = () => failed(transaction.error ?? new Error('the browser has no room left'));
  });
}

/** @param {string} store @param {string} key */
export const take = (store, key) => transact(store, 'readonly', (all) => all.get(key));
/** @param {string} store @param {string} key @param {unknown} value */
export const keep = (store, key, value) => transact(store, 'readwrite', (all) => all.put(value, key));
/** @param {string} store @param {string} key */
export const drop = (store, key) => transact(store, 'readwrite', (all) => all.delete(key));
/** @param {string} store @returns {Promise<string[]>} */
export const keys = (store) => transact(store, 'readonly', (all) => all.getAllKeys());

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
