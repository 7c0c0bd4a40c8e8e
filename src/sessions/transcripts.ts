/** The transcripts in use: few are open at a time, and what was appended is synced in the background. */
import type { Log } from '../core/log.ts';
import { openTranscript, type Transcript, type TranscriptRef } from './transcript.ts';

export interface Transcripts {
  /** The session's transcript, read at most once while it stays in use and nobody else changed the file. */
  open(ref: TranscriptRef): Promise<Transcript>;
  /** Syncs what was appended since the last call and answers which ones failed. */
  sync(): Promise<ReadonlySet<string>>;
  /** Marks a transcript as having something to sync. */
  touched(path: string): void;
  /** Drops it from memory, so that the next `open` reads the file. */
  forget(path: string): Promise<void>;
  close(): Promise<void>;
}

export function createTranscripts({ log, keep = 64 }: { log: Log; keep?: number }): Transcripts {
  const open = new Map<string, Promise<Transcript>>();
  const dirty = new Set<string>();

  async function reuse(path: string): Promise<Transcript | undefined> {
    const known = open.get(path);
    if (!known) return undefined;
    const transcript = await known;
    if (!(await transcript.unchanged().catch(() => false /* an append failed: read what really stands there */))) {
      await forget(path);
      return undefined;
    }
    open.delete(path);
    open.set(path, known); // most recently used last
    return transcript;
  }

  async function forget(path: string): Promise<void> {
    const known = open.get(path);
    open.delete(path);
    await (await known?.catch(() => undefined /* it never opened */))?.close();
  }

  function evict(): void {
    for (const path of open.keys()) {
      if (open.size <= keep) return;
      if (!dirty.has(path)) void forget(path);
    }
  }

  return {
    async open(ref) {
      const known = await reuse(ref.path);
      if (known) return known;
      const opening = open.get(ref.path) ?? openTranscript(ref, log);
      open.set(ref.path, opening);
      opening.catch(() => open.delete(ref.path));
      evict();
      return opening;
    },
    touched: (path) => void dirty.add(path),
    async sync() {
      const failed = new Set<string>();
      const paths = [...dirty];
      dirty.clear();
      await Promise.all(paths.map(async (path) => {
        try {
          await (await open.get(path))?.sync();
        } catch (error) {
          failed.add(path);
          dirty.add(path);
          log.error('transcript.sync', { path, error });
        }
      }));
      return failed;
    },
    forget,
    async close() {
      await this.sync();
      await Promise.all([...open.keys()].map(forget));
    },
  };
}
