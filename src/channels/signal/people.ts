/**
 * Identifies people: a person keeps the id they were first known by, even if they show or hide their number. Bounded.
 */
import { createDelayedWriter, setNewest, type Log } from '../../sdk/index.ts';
import { readState, writeState } from '../../sdk/state-file.ts';

export interface Names {
  readonly number?: string | null | undefined;
  readonly uuid?: string | null | undefined;
}

export interface People extends AsyncDisposable {
  /** `+49…` or `uuid:…`; undefined where neither is told. */
  idOf(names: Names): string | undefined;
  isSelf(names: Names): boolean;
  /** Our own ids, as soon as they are known. */
  know(self: Names): void;
}

const FILE = 'people.json';
const MAX_PEOPLE = 5000;
const WRITE_AFTER_MS = 2000;

export interface PeopleOptions {
  readonly account: string;
  readonly stateDir: string;
  readonly log: Log;
}

export async function openPeople({ account, stateDir, log }: PeopleOptions): Promise<People> {
  const kept = await readState(stateDir, FILE);
  const pairs = Array.isArray(kept) ? kept.filter(isPair) : [];
  const first = new Map<string, string>(pairs);
  const own = new Set([account.toLowerCase()]);
  const writer = createDelayedWriter({
    write: () => writeState(stateDir, FILE, [...first]),
    delayMs: WRITE_AFTER_MS,
    failed: (error) => log.warn('signal.people', { reason: error instanceof Error ? error.message : 'unknown' }),
  });
  return {
    idOf({ number, uuid }) {
      const id = number || (uuid ? `uuid:${uuid.toLowerCase()}` : undefined);
      if (!uuid || id === undefined) return id;
      const known = first.get(uuid.toLowerCase());
      if (known !== undefined) return known;
      writer.changed();
      return setNewest(first, uuid.toLowerCase(), id, MAX_PEOPLE);
    },
    isSelf: ({ number, uuid }) => own.has(number?.toLowerCase() ?? '') || own.has(uuid?.toLowerCase() ?? ''),
    know: (self) => [self.number, self.uuid].forEach((id) => id && own.add(id.toLowerCase())),
    [Symbol.asyncDispose]: writer.flush,
  };
}

const isPair = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'string');
