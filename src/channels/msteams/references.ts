/** The service address of each conversation, from its last message; kept across restarts. */
import { createDelayedWriter, setNewest, type Log } from '../../sdk/index.ts';
import { readState, writeState } from '../../sdk/state-file.ts';

export interface Reference {
  readonly conversation: string;
  readonly serviceUrl: string;
}

export interface References extends AsyncDisposable {
  find(chat: string): Reference | undefined;
  note(chat: string, reference: Reference): void;
}

const FILE = 'conversations.json';
const MAX = 2000;
const WRITE_AFTER_MS = 500;

export async function openReferences({
  stateDir,
  log,
}: {
  readonly stateDir: string;
  readonly log: Log;
}): Promise<References> {
  const kept = await readState(stateDir, FILE);
  const known = new Map<string, Reference>(Array.isArray(kept) ? kept.filter(isEntry) : []);
  const writer = createDelayedWriter({
    write: () => writeState(stateDir, FILE, [...known]),
    delayMs: WRITE_AFTER_MS,
    failed: (error) => log.warn('msteams.references', { reason: error instanceof Error ? error.message : 'unknown' }),
  });
  return {
    find: (chat) => known.get(chat),
    note(chat, reference) {
      const before = known.get(chat);
      if (before?.conversation === reference.conversation && before.serviceUrl === reference.serviceUrl) return;
      setNewest(known, chat, reference, MAX);
      writer.changed();
    },
    [Symbol.asyncDispose]: writer.flush,
  };
}

function isEntry(value: unknown): value is [string, Reference] {
  const [chat, reference] = Array.isArray(value) ? (value as [unknown, Partial<Reference> | null]) : [];
  return (
    typeof chat === 'string' && typeof reference?.conversation === 'string' && typeof reference.serviceUrl === 'string'
  );
}
