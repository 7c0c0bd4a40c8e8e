/**
 * The JSONL file of one session: read once, then appended to; an existing line is not written again. Lines covered by
 * the last summary are dropped from memory but stay in the file.
 */
import { silentLog, type Log } from '../core/log.ts';
import { copyIfExists } from '../platform/files.ts';
import { FAR_FILES, type NearFiles } from '../platform/near-files.ts';
import { shortId } from '../platform/ids.ts';
import { whenOver } from '../platform/settled.ts';
import { createLineList, type NewLine } from './line-list.ts';
import { loadTranscript } from './load-transcript.ts';
import { createTranscriptFile, type TranscriptFile } from './transcript-file.ts';
import { conversation, TRANSCRIPT_VERSION, type BodyLine, type HeaderLine, type Spoken } from './transcript-line.ts';

export interface TranscriptRef {
  readonly path: string;
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly cwd: string;
}

export interface Transcript {
  readonly path: string;
  /** Of the file, as far as it is held in memory. */
  readonly bytes: number;
  /** The newest, from what a model is shown on. */
  readonly lines: readonly BodyLine[];
  /** What a model sees: the last summary and what follows. */
  conversation(): Spoken[];
  /** Calls `use` with all lines, read from the file where they are not in memory; nothing is waited for in between. */
  readAll<T>(use: (lines: readonly BodyLine[]) => T): Promise<T>;
  /** True when `lines` are all. */
  readonly isWhole: boolean;
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
export async function openTranscript(ref: TranscriptRef, log: Log, files: NearFiles = FAR_FILES): Promise<Transcript> {
  const loaded = await loadTranscript(ref.path, log);
  const file = createTranscriptFile(ref.path, loaded, files);
  const list = createLineList(loaded.lines);
  const { lines, has } = list;
  const state = {
    /** Appends are written one after the other. */
    chain: Promise.resolve(),
    /** Appends that are not written yet. */
    pending: 0,
    header: loaded.header,
    damagedAt: loaded.damagedAt,
    /** Bytes of the file that are not in memory. */
    letGo: 0,
  };

  /** A damaged file stays in memory whole until it is mended. */
  function letGo(): void {
    if (state.damagedAt !== undefined || !list.letGo()) return;
    state.letGo = Math.max(0, file.bytes - Buffer.byteLength(textOf(lines)));
  }
  letGo();

  return {
    path: ref.path,
    get bytes() {
      return file.bytes - state.letGo;
    },
    get isWhole() {
      return !list.isPart;
    },
    lines,
    conversation: () => conversation(lines),
    async readAll(use) {
      if (!list.isPart) return use(lines);
      await state.chain;
      // Damage was reported when the file was opened; an append in progress can look like damage.
      const { lines: written } = await loadTranscript(ref.path, silentLog);
      return use(joined(written, lines));
    },
    has,
    append(added) {
      const fresh = list.take(added);
      if (fresh.length === 0) return state.chain;
      const header = state.header ? [] : [headerOf(ref)];
      state.header = true;
      const text = textOf([...header, ...fresh]);
      state.pending += 1;
      state.chain = state.chain.then(() => file.append(text)).finally(() => void (state.pending -= 1));
      if (fresh.some(({ type }) => type === 'compaction')) letGo();
      return state.chain;
    },
    async mend(doubtful) {
      await state.chain;
      const { damagedAt } = state;
      if (damagedAt === undefined) return false;
      state.damagedAt = undefined;
      await file.release();
      await copyIfExists(ref.path, `${ref.path}.corrupt-${shortId()}`);
      list.keep(lines.filter((line, index) => index < damagedAt || !isOfTurn(line, doubtful)));
      await file.replace(textOf([headerOf(ref), ...lines]));
      state.header = true;
      log.warn('transcript.mended', { path: ref.path, kept: lines.length });
      letGo();
      return true;
    },
    ...ofFile(file, state),
  };
}

/** What concerns the file alone, behind what is still being appended. */
function ofFile(
  file: TranscriptFile,
  state: { readonly pending: number; readonly chain: Promise<unknown> },
): Pick<Transcript, 'unchanged' | 'sync' | 'release' | 'close'> {
  return {
    async unchanged() {
      // The memory is then ahead of the file, so that readers do not wait for a slow disk.
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
      file.finish();
      await whenOver(state.chain); // whoever appended was told
      await file.sync();
      await file.release(); // an append that failed left nothing to sync
    },
  };
}

/** What was appended or let go while the file was read joins on by its ids. */
function joined(written: readonly BodyLine[], held: readonly BodyLine[]): readonly BodyLine[] {
  const known = new Set(written.map(({ id }) => id));
  return [...written, ...held.filter(({ id }) => !known.has(id))];
}

const isOfTurn = (line: BodyLine, isMeant: (turnId: string) => boolean): boolean =>
  'turnId' in line && line.turnId !== undefined && isMeant(line.turnId);

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
