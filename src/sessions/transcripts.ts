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
  /** Lets go of what was used last before that moment (milliseconds of `now`); answers how many are left. */
  rest(before: number): number;
  /** Drops it from memory, so that the next `open` reads the file. */
  forget(path: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * `keep` and `keepBytes` bound what is held in memory: a conversation full of pictures is large. `mostHeld`: files that
 * may stay open until their sync.
 */
export function createTranscripts({
  log,
  now = Date.now,
  keep = 64,
  keepBytes = 16 * 1024 * 1024,
  maxHeld = 64,
}: {
  log: Log;
  now?: () => number;
  keep?: number;
  keepBytes?: number;
  maxHeld?: number;
}): Transcripts {
  const open = new Map<string, Promise<Transcript>>();
  const sizes = new Map<string, number>();
  const usedAt = new Map<string, number>();
  const dirty = new Set<string>();

  async function reuse(path: string): Promise<Transcript | undefined> {
    const known = open.get(path);
    if (!known) return undefined;
    const transcript = await known;
    if (!(await transcript.unchanged().catch(() => false /* an append failed: read what really stands there */))) {
      // A file that was deleted with its folder has nothing left to sync, and must not keep the next from being made.
      await forget(path).catch((error: unknown) => log.warn('transcript.changed', { path, error }));
      return undefined;
    }
    open.delete(path);
    open.set(path, known); // most recently used last
    return transcript;
  }

  async function forget(path: string): Promise<void> {
    const known = open.get(path);
    open.delete(path);
    sizes.delete(path);
    usedAt.delete(path);
    await (await known?.catch(() => undefined /* it never opened */))?.close();
  }

  /** Nothing waits for it: what was written stays written, and the sync opens the file again. */
  function release(path: string): void {
    open
      .get(path)
      ?.then((transcript) => transcript.release())
      .catch((error: unknown) => log.error('transcript.release', { path, error }));
  }

  function kept(transcript: Transcript): Transcript {
    sizes.set(transcript.path, transcript.bytes);
    usedAt.set(transcript.path, now());
    evict(transcript.path);
    return transcript;
  }

  /** Lets the longest unused go, never the newest and none that waits for its sync. */
  function evict(newest: string): void {
    let bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const path of open.keys()) {
      if (open.size <= keep && bytes <= keepBytes) return;
      if (dirty.has(path) || path === newest) continue;
      bytes -= sizes.get(path) ?? 0;
      forget(path).catch((error: unknown) => log.error('transcript.close', { path, error }));
    }
  }

  return {
    async open(ref) {
      const known = await reuse(ref.path);
      if (known) return kept(known);
      const opening = open.get(ref.path) ?? openTranscript(ref, log);
      open.set(ref.path, opening);
      opening.catch(() => open.delete(ref.path));
      return kept(await opening);
    },
    touched(path) {
      dirty.add(path);
      if (dirty.size > maxHeld) [...dirty].slice(0, -maxHeld).forEach(release);
    },
    async sync() {
      const failed = new Set<string>();
      const paths = [...dirty];
      dirty.clear();
      await Promise.all(
        paths.map(async (path) => {
          try {
            await (await open.get(path))?.sync();
          } catch (error) {
            failed.add(path);
            dirty.add(path);
            log.error('transcript.sync', { path, error });
          }
        }),
      );
      return failed;
    },
    rest(before) {
      for (const [path, at] of usedAt)
        if (at < before && !dirty.has(path))
          forget(path).catch((error: unknown) => log.error('transcript.close', { path, error }));
      return open.size;
    },
    forget,
    async close() {
      await this.sync();
      await Promise.all([...open.keys()].map(forget));
    },
  };
}
