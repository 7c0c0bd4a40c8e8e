/** Manages the open transcripts: few are open at a time, and appended lines are synced in the background. */
import type { Log } from '../core/log.ts';
import type { NearFiles } from '../platform/near-files.ts';
import { createHeldTranscripts } from './held-transcripts.ts';
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
 * `keep` and `keepBytes` bound what is held in memory: a conversation full of pictures is large. `maxHeld`: files that
 * may stay open until their sync.
 */
export function createTranscripts({
  log,
  now = Date.now,
  keep = 64,
  keepBytes = 16 * 1024 * 1024,
  maxHeld = 64,
  files,
}: {
  log: Log;
  /** How a look at a file is taken, with each turn. */
  files?: NearFiles;
  now?: () => number;
  keep?: number;
  keepBytes?: number;
  maxHeld?: number;
}): Transcripts {
  const dirty = new Set<string>();
  const held = createHeldTranscripts({ log, now, keep, keepBytes, isDirty: (path) => dirty.has(path) });

  /** Nothing waits for it: what was written stays written, and the sync opens the file again. */
  function release(path: string): void {
    held
      .find(path)
      ?.then((transcript) => transcript.release())
      .catch((error: unknown) => log.error('transcript.release', { path, error }));
  }

  return {
    open: async (ref) => (await held.reuse(ref.path)) ?? held.hold(ref.path, () => openTranscript(ref, log, files)),
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
            await (await held.find(path))?.sync();
          } catch (error) {
            failed.add(path);
            dirty.add(path);
            log.error('transcript.sync', { path, error });
          }
        }),
      );
      return failed;
    },
    rest: (before) => held.forgetUnused(before),
    forget: (path) => held.forget(path),
    async close() {
      await this.sync();
      await held.forgetAll();
    },
  };
}
