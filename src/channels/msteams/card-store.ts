/** Keeps what waits for a button press across restarts: polls, and files that need consent. */
import { createSerialQueue, setNewest, type MediaRef } from '../../sdk/index.ts';
import { readState, writeState } from '../../sdk/state-file.ts';
import type { StoredPoll } from './cards.ts';

export interface Offered {
  readonly kind: 'file';
  readonly media: MediaRef;
  readonly chat: string;
}

export interface Posted {
  readonly kind: 'poll';
  readonly poll: StoredPoll;
  readonly chat: string;
  /** Of the card. */
  readonly messageId?: string;
}

export interface CardStore {
  find(id: string): Offered | Posted | undefined;
  /** Resolves once it survives a crash. */
  put(id: string, thing: Offered | Posted): Promise<void>;
  drop(id: string): Promise<void>;
}

const FILE = 'cards.json';
const MAX = 500;

export async function openCardStore(stateDir: string): Promise<CardStore> {
  const kept = await readState(stateDir, FILE);
  const things = new Map<string, Offered | Posted>(Array.isArray(kept) ? kept.filter(isEntry) : []);
  const writes = createSerialQueue();
  const write = (): Promise<void> => writes.run(() => writeState(stateDir, FILE, [...things]));
  return {
    find: (id) => things.get(id),
    put(id, thing) {
      setNewest(things, id, thing, MAX);
      return write();
    },
    drop(id) {
      things.delete(id);
      return write();
    },
  };
}

const isEntry = (value: unknown): value is [string, Offered | Posted] =>
  Array.isArray(value) &&
  typeof value[0] === 'string' &&
  ['file', 'poll'].includes((value[1] as Posted | null)?.kind ?? '');
