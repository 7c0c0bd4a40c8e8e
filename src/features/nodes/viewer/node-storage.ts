/** Stored state of the node in this browser: its key, its token, and the permissions of the person. */

/** By name, with what each holds. */
export interface Kept {
  keys: CryptoKeyPair;
  deviceToken: string;
  /** Of the device, as the person wrote it. */
  name: string;
  /** Ids of capabilities the person switched on. */
  allowed: readonly string[];
  /** Texts that were shared with the page and not yet sent. */
  shared: readonly SharedText[];
}

export interface SharedText {
  readonly id: string;
  readonly text: string;
}

export interface NodeStorage {
  read<K extends keyof Kept>(name: K): Promise<Kept[K] | undefined>;
  /** Undefined removes it. */
  write<K extends keyof Kept>(name: K, value: Kept[K] | undefined): Promise<void>;
  clear(): Promise<void>;
}

/** Its own database: what the Control UI keeps in this browser is another device, with other rights. */
const DATABASE = 'clawdbot-node';
const STORE = 'kept';

/** Rejects where the browser stores nothing, e.g. in a private window. */
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
