/** Measures the storage and removes expired files: a few minutes after the start, then every six hours. */
import { join } from 'node:path';
import type { Log } from '../../core/log.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import { freeBytes } from '../../platform/disk-space.ts';
import { listDir, removeIfExists, statIfExists } from '../../platform/files.ts';
import type { StorageUse } from './answers.ts';
import type { Retention } from './config.ts';
import { dailyLogs } from './daily-logs.ts';
import { expired, totalBytes, type StoredFile } from './stored-file.ts';
import { findTranscripts, type TranscriptFiles, type TranscriptPlace } from './transcripts.ts';

const FIRST_AFTER_MS = 5 * 60_000;
const EVERY_MS = 6 * 3_600_000;
/** Pages ask every few seconds, and measuring looks at every file. */
const FRESH_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
const MEGABYTE = 1_000_000;

export interface RetentionDeps {
  readonly place: Omit<TranscriptPlace, 'store'>;
  readonly log: Log;
  readonly clock: Clock;
  settings(): Retention;
  /** `session.store` of the configuration. */
  store(): string | undefined;
}

export interface RetentionService {
  /** Measured within the last minute. */
  measure(): Promise<StorageUse>;
  /** Removes what is too old; with `dryRun` only says what that would be. */
  prune(options?: { readonly dryRun?: boolean }): Promise<{ readonly files: number; readonly bytes: number }>;
  start(): void;
  close(): Promise<void>;
}

export function createRetention({ place, log, clock, settings, store }: RetentionDeps): RetentionService {
  const state: {
    timer: Timer | undefined;
    round: Promise<unknown>;
    measured: { readonly at: number; readonly use: StorageUse } | undefined;
  } = { timer: undefined, round: Promise.resolve(), measured: undefined };

  const transcripts = () => findTranscripts({ ...place, store: store() });

  async function outdated(): Promise<readonly StoredFile[]> {
    const { logDays, transcriptDays, transcriptMegabytes } = settings();
    const before = (days: number): number => clock.now() - days * DAY_MS;
    const { left } = await transcripts();
    return [
      ...expired(await dailyLogs(place.stateDir), { before: before(logDays) }),
      ...expired(left, { before: before(transcriptDays), maxBytes: transcriptMegabytes * MEGABYTE }),
    ];
  }

  async function prune({ dryRun = false } = {}): Promise<{ files: number; bytes: number }> {
    const files = await outdated();
    const result = { files: files.length, bytes: totalBytes(files) };
    if (dryRun || files.length === 0) return result;
    for (const { path } of files) await removeIfExists(path);
    state.measured = undefined;
    log.info('retention.removed', result);
    return result;
  }

  function schedule(afterMs: number): void {
    state.timer = clock
      .setTimeout(() => {
        state.round = prune().then(undefined, (error: unknown) => log.error('retention', { error }));
        schedule(EVERY_MS);
      }, afterMs)
      .unref();
  }

  return {
    async measure() {
      if (state.measured === undefined || clock.now() - state.measured.at >= FRESH_MS)
        state.measured = { at: clock.now(), use: await measured(place.stateDir, await transcripts()) };
      return state.measured.use;
    },
    prune,
    start: () => schedule(FIRST_AFTER_MS),
    async close() {
      state.timer?.cancel();
      await state.round;
    },
  };
}

async function measured(stateDir: string, { inUse, left }: TranscriptFiles): Promise<StorageUse> {
  return {
    journalBytes: await journalBytes(stateDir),
    transcriptBytes: totalBytes(inUse),
    leftTranscriptBytes: totalBytes(left),
    mediaBytes: await bytesBelow(join(stateDir, 'media')),
    logBytes: totalBytes(await dailyLogs(stateDir)),
    freeBytes: await freeBytes(stateDir),
  };
}

/** The database and what SQLite keeps beside it. */
async function journalBytes(stateDir: string): Promise<number> {
  const sizes = await Promise.all(
    ['journal.sqlite', 'journal.sqlite-wal'].map((name) => statIfExists(join(stateDir, name))),
  );
  return sizes.reduce((sum, facts) => sum + (facts?.size ?? 0), 0);
}

/** Of all files below a folder; links are not followed. */
async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for (const { name, kind } of await listDir(folder)) {
    const path = join(folder, name);
    if (kind === 'directory') bytes += await bytesBelow(path);
    else if (kind === 'file') bytes += (await statIfExists(path))?.size ?? 0;
  }
  return bytes;
}
