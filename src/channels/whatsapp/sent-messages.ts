/** Keeps sent messages, because a phone that cannot read one requests it again, and votes refer to their poll. */
import { createDelayedWriter, setNewest, type Log } from '../../sdk/index.ts';
import { readState, writeState } from '../../sdk/state-file.ts';
import type { WaContent } from './content.ts';
import type { Library } from './library.ts';

export interface SentMessages extends AsyncDisposable {
  keep(id: string, message: object): void;
  find(id: string): WaContent | undefined;
}

const FILE = 'sent.json';
const KEPT = 300;
const MAX_BYTES = 64 * 1024;
const WRITE_AFTER_MS = 1000;

export async function openSentMessages(folder: string, library: Library, log: Log): Promise<SentMessages> {
  const read = (await readState(folder, FILE)) as { readonly messages?: unknown } | undefined;
  const known = Array.isArray(read?.messages) ? read.messages.filter(isEntry) : [];
  const messages = new Map<string, string>(known);
  const writer = createDelayedWriter({
    write: () => writeState(folder, FILE, { messages: [...messages] }),
    delayMs: WRITE_AFTER_MS,
    failed: (error) => log.warn('whatsapp.sent', { reason: error instanceof Error ? error.message : 'unknown' }),
  });
  return {
    keep(id, message) {
      const bytes = Buffer.from(library.proto.Message.encode(message).finish());
      if (bytes.length > MAX_BYTES) return;
      setNewest(messages, id, bytes.toString('base64'), KEPT);
      writer.changed();
    },
    find(id) {
      const kept = messages.get(id);
      return kept === undefined ? undefined : library.proto.Message.decode(Buffer.from(kept, 'base64'));
    },
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  };
}

const isEntry = (value: unknown): value is [string, string] =>
  Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'string';
