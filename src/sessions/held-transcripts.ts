/** A bounded cache of transcripts in memory. */
import type { Log } from '../core/log.ts';
import { onFailure } from '../platform/settled.ts';
import type { Transcript } from './transcript.ts';

export interface HeldTranscriptsDeps {
  readonly log: Log;
  now(): number;
  /** How many, at most. */
  readonly keep: number;
  /** Of what size together, at most: a conversation full of pictures is large. */
  readonly keepBytes: number;
  /** It waits for its sync, and is not let go. */
  isDirty(path: string): boolean;
}

export interface HeldTranscripts {
  /** Undefined: it is not there, or somebody else changed the file. */
  reuse(path: string): Promise<Transcript | undefined>;
  /** Holds it from now on, or what is being opened under this path already. */
  hold(path: string, open: () => Promise<Transcript>): Promise<Transcript>;
  find(path: string): Promise<Transcript> | undefined;
  forget(path: string): Promise<void>;
  /** Lets go what was used last before that moment; answers how many are left. */
  forgetUnused(before: number): number;
  forgetAll(): Promise<unknown>;
}

export function createHeldTranscripts({ log, now, keep, keepBytes, isDirty }: HeldTranscriptsDeps): HeldTranscripts {
  const open = new Map<string, Promise<Transcript>>();
  const sizes = new Map<string, number>();
  const usedAt = new Map<string, number>();

  async function forget(path: string): Promise<void> {
    const known = open.get(path);
    open.delete(path);
    sizes.delete(path);
    usedAt.delete(path);
    const [opened] = await Promise.allSettled([known]);
    if (opened.status === 'fulfilled') await opened.value?.close(); // else it never opened
  }

  const quietlyForget = (path: string): void =>
    void forget(path).catch((error: unknown) => log.error('transcript.close', { path, error }));

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
      if (isDirty(path) || path === newest) continue;
      bytes -= sizes.get(path) ?? 0;
      quietlyForget(path);
    }
  }

  /** An append that failed counts as a change: what really stands there is read. */
  async function isUnchanged(transcript: Transcript): Promise<boolean> {
    try {
      return await transcript.unchanged();
    } catch (error) {
      log.warn('transcript.unwritten', { path: transcript.path, error });
      return false;
    }
  }

  return {
    forget,
    find: (path) => open.get(path),
    async reuse(path) {
      const known = open.get(path);
      if (!known) return undefined;
      const transcript = await known;
      if (!(await isUnchanged(transcript))) {
        // A file that was deleted with its folder has nothing left to sync, and must not keep the next from being made.
        await forget(path).catch((error: unknown) => log.warn('transcript.changed', { path, error }));
        return undefined;
      }
      open.delete(path);
      open.set(path, known); // most recently used last
      return kept(transcript);
    },
    async hold(path, start) {
      const opening = open.get(path) ?? start();
      open.set(path, opening);
      onFailure(opening, () => open.delete(path));
      return kept(await opening);
    },
    forgetUnused(before) {
      for (const [path, at] of usedAt) if (at < before && !isDirty(path)) quietlyForget(path);
      return open.size;
    },
    forgetAll: () => Promise.all([...open.keys()].map(forget)),
  };
}
