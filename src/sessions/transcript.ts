/** One session's JSONL file: read once, then appended to; a line that is there already is not written again. */
import type { Log } from '../core/log.ts';
import { copyIfExists } from '../platform/files.ts';
import { shortId } from '../platform/ids.ts';
import { whenOver } from '../platform/settled.ts';
import { createLineList, type NewLine } from './line-list.ts';
import { loadTranscript } from './load-transcript.ts';
import { createTranscriptFile } from './transcript-file.ts';
import { conversation, TRANSCRIPT_VERSION, type BodyLine, type HeaderLine, type Spoken } from './transcript-line.ts';

export interface TranscriptRef {
  readonly path: string;
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly cwd: string;
}

export interface Transcript {
  readonly path: string;
  /** Of the file, as far as written. */
  readonly bytes: number;
  readonly lines: readonly BodyLine[];
  /** What a model sees: the last summary and what follows. */
  conversation(): Spoken[];
  has(id: string): boolean;
  /** Adds lines in order; ids that are present are skipped. Resolves when written, not when synced. */
  append(lines: readonly NewLine[]): Promise<void>;
  /**
   * Where a part of the file could not be read, all behind it was never waited for: lines of `doubtful` turns there are
   * dropped, for whoever knows those turns
   * writes them again in their order, and the file is written anew without the damage. A copy stays beside it. False:
   * there was nothing to mend.
   */
  mend(doubtful: (turnId: string) => boolean): Promise<boolean>;
  /** True when the file is as this object left it, or will be once what is on its way is written. */
  unchanged(): Promise<boolean>;
  /** Lets the file go as well: the next append opens it again. */
  sync(): Promise<void>;
  /** Lets the file go, synced or not. */
  release(): Promise<void>;
  /** Syncs and lets the file go. Whoever still holds the transcript may append: each line is then synced by itself. */
  close(): Promise<void>;
}

/** Opens a transcript, creating it with its header on the first append. A torn last line is cut off. */
export async function openTranscript(ref: TranscriptRef, log: Log): Promise<Transcript> {
  const loaded = await loadTranscript(ref.path, log);
  const file = createTranscriptFile(ref.path, loaded);
  const { lines, has, take, keep } = createLineList(loaded.lines);
  const state = {
    /** Appends are written one after the other. */
    chain: Promise.resolve(),
    /** Appends that are not written yet. */
    pending: 0,
    header: loaded.header,
    damagedAt: loaded.damagedAt,
  };

  return {
    path: ref.path,
    get bytes() {
      return file.bytes;
    },
    lines,
    conversation: () => conversation(lines),
    has,
    append(added) {
      const fresh = take(added);
      if (fresh.length === 0) return state.chain;
      const header = state.header ? [] : [headerOf(ref)];
      state.header = true;
      const text = textOf([...header, ...fresh]);
      state.pending += 1;
      state.chain = state.chain.then(() => file.append(text)).finally(() => void (state.pending -= 1));
      return state.chain;
    },
    async mend(doubtful) {
      await state.chain;
      const { damagedAt } = state;
      if (damagedAt === undefined) return false;
      state.damagedAt = undefined;
      await file.release();
      await copyIfExists(ref.path, `${ref.path}.corrupt-${shortId()}`);
      const isKept = (line: BodyLine, index: number): boolean =>
        index < damagedAt || !('turnId' in line) || line.turnId === undefined || !doubtful(line.turnId);
      keep(lines.filter(isKept));
      await file.replace(textOf([headerOf(ref), ...lines]));
      state.header = true;
      log.warn('transcript.mended', { path: ref.path, kept: lines.length });
      return true;
    },
    async unchanged() {
      // What is here is ahead of the file then; whoever reads must not wait for a slow disk.
      if (state.pending > 0) return true;
      await state.chain;
      return file.unchanged();
    },
    async sync() {
      await state.chain;
      await file.sync();
    },
    release: () => file.release(),
    async close() {
      file.seal();
      await whenOver(state.chain); // whoever appended was told
      await file.sync();
    },
  };
}

function headerOf(ref: TranscriptRef): HeaderLine {
  return {
    type: 'session',
    version: TRANSCRIPT_VERSION,
    id: ref.sessionId,
    timestamp: new Date().toISOString(),
    cwd: ref.cwd,
    sessionKey: ref.sessionKey,
  };
}

const textOf = (lines: readonly (HeaderLine | BodyLine)[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');
