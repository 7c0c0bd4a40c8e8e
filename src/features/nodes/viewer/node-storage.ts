/** Stored state of the node in this browser: its key, its token, and the permissions of the person. */

/** The stored values by name. */
export interface Kept {
  keys: CryptoKeyPair;
  deviceToken: string;
  /** The name of the device, as the person entered it. */
  name: string;
  /** Ids of the capabilities that the person switched on. */
  allowed: readonly string[];
  /** Texts that were shared with the page and not sent yet. */
  shared: readonly SharedText[];
}

export interface SharedText {
  readonly id: string;
  readonly text: string;
}

export interface NodeStorage {
  read<K extends keyof Kept>(name: K): Promise<Kept[K] | undefined>;
  /** Undefined removes the value. */
  write<K extends keyof Kept>(name: K, value: Kept[K] | undefined): Promise<void>;
  clear(): Promise<void>;
}

/** A separate database, because the Control UI in this browser is another device with other rights. */
const DATABASE = 'clawdbot-node';
const STORE = 'kept';

/** Rejects if the browser cannot store data, e.g. in a private window. */
export async function openNodeStorage(): Promise<NodeStorage> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await asPromise(opening);
  const store = (mode: IDBTransactionMode): IDBObjectStore => database.transaction(STORE, mode).objectStore(STORE);
  return {
    read: (name) => asPromise(store('readonly').get(name)),
    write: async (name, value) => {
      const all = store('readwrite');
      if (value === undefined) await asPromise(all.delete(name));
      else await asPromise(all.put(value, name));
    },
    clear: async () => void (await asPromise(store('readwrite').clear())),
  };
}

const asPromise = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('This browser stores nothing for this page.'));
  });
