/**
 * Stores messages between WhatsApp and the journal. The library confirms a message as soon as it is decrypted, and
 * WhatsApp never resends it. So it is written to a file first, and kept until the gateway accepts it. The file is not
 * synced: it survives the end of the process, but a power cut can lose the last moments.
 */
import { createSerialQueue, type Log } from '../../sdk/index.ts';
import { listState, readStateText, removeState, writeStateText } from '../../sdk/state-file.ts';
import { fromBinaryJson, toBinaryJson } from './binary-json.ts';
import type { SignalRepository, WaNode } from './library.ts';

export interface Spool {
  /** A message came; its parts are not decrypted yet. Called before the library sees it. */
  expect(node: WaNode): void;
  /** The same repository; what it decrypts is on disk before anybody has it. */
  guard(repository: SignalRepository): SignalRepository;
  /** What an earlier connection left, oldest first: messages as the wire had them, with their parts in the clear. */
  left(): Promise<readonly WaNode[]>;
  /** It was taken, or is of no interest. */
  settle(id: string): Promise<void>;
}

interface Waiting {
  readonly name: string;
  readonly node: WaNode;
  readonly parts: Map<Uint8Array, Uint8Array>;
}

/** What many that wait may cost at most; a flood beyond it is kept by the journal alone. */
const MAX_FILES = 5000;

export async function openSpool(folder: string, log: Log, now: () => number = Date.now): Promise<Spool> {
  const before = await listState(folder);
  const writes = createSerialQueue();
  const byPart = new WeakMap<Uint8Array, Waiting>();
  /** Files of a message, by its id. */
  const files = new Map<string, Set<string>>();
  const state = { count: before.length, nth: 0 };

  const keep = async (encrypted: Uint8Array, plain: Uint8Array): Promise<void> => {
    const waiting = byPart.get(encrypted);
    if (!waiting) return;
    waiting.parts.set(encrypted, plain);
    const { name, node, parts } = waiting;
    const names = files.get(node.attrs['id']!) ?? new Set();
    if (!names.has(name)) {
      if (state.count >= MAX_FILES) return log.warn('whatsapp.spool-full', { files: state.count });
      state.count += 1;
    }
    files.set(node.attrs['id']!, names.add(name));
    await writes.run(() => writeStateText(folder, name, toBinaryJson(clear(node, parts)), { sync: false }));
  };
  return {
    expect(node) {
      if (node.attrs['id'] === undefined || !Array.isArray(node.content)) return;
      const encrypted = (node.content as readonly WaNode[]).filter(({ tag }) => tag === 'enc');
      const name = `${String(now()).padStart(14, '0')}-${String(state.nth++ % 1_000_000).padStart(6, '0')}.json`;
      const waiting: Waiting = { name, node, parts: new Map() };
      for (const { content } of encrypted) if (content instanceof Uint8Array) byPart.set(content, waiting);
    },
    guard: (repository) =>
      Object.assign(Object.create(repository) as SignalRepository, {
        async decryptMessage(encrypted: Parameters<SignalRepository['decryptMessage']>[0]) {
          const plain = await repository.decryptMessage(encrypted);
          await keep(encrypted.ciphertext, plain);
          return plain;
        },
        async decryptGroupMessage(encrypted: Parameters<SignalRepository['decryptGroupMessage']>[0]) {
          const plain = await repository.decryptGroupMessage(encrypted);
          await keep(encrypted.msg, plain);
          return plain;
        },
      }),
    async left() {
      const nodes: WaNode[] = [];
      for (const name of before) {
        const node = fromBinaryJson((await readStateText(folder, name)) ?? '') as WaNode | null | undefined;
        const id = node?.attrs?.['id'];
        if (!node || typeof id !== 'string') {
          log.warn('whatsapp.spool-unreadable', { name });
          await removeState(folder, name);
          continue;
        }
        files.set(id, (files.get(id) ?? new Set()).add(name));
        nodes.push(node);
      }
      return nodes;
    },
    async settle(id) {
      const names = files.get(id);
      files.delete(id);
      for (const name of names ?? []) {
        state.count -= 1;
        await writes.run(() => removeState(folder, name));
      }
    },
  };
}

/** The message with its parts in the clear, as the library would have to read it. */
function clear(node: WaNode, parts: ReadonlyMap<Uint8Array, Uint8Array>): WaNode {
  const content = (node.content as readonly WaNode[]).flatMap((part) => {
    if (part.tag !== 'enc') return part.content === undefined || typeof part.content === 'string' ? [part] : [];
    const plain = part.content instanceof Uint8Array ? parts.get(part.content) : undefined;
    return plain === undefined ? [] : [{ ...part, content: plain }];
  });
  return { tag: node.tag, attrs: node.attrs, content };
}
