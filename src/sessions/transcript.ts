/** One session's JSONL file: read once, then appended to; a line that is there already is not written again. */
import { dirname } from 'node:path';
import type { Log } from '../core/log.ts';
import { present } from '../core/present.ts';
import { openAppend, readSlice, type AppendFile } from '../platform/append-file.ts';
import { copyIfExists, readBytesIfExists, statIfExists, syncDir, writeFileAtomic } from '../platform/files.ts';
import { shortId } from '../platform/ids.ts';
import {
  conversation,
  parseLine,
  TRANSCRIPT_VERSION,
  type BodyLine,
  type HeaderLine,
  type Spoken,
} from './transcript-line.ts';

export interface TranscriptRef {
  readonly path: string;
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly cwd: string;
}

type NewLine = BodyLine extends infer L
  ? L extends BodyLine
    ? Omit<L, 'parentId' | 'timestamp'> & { readonly timestamp?: string }
    : never
  : never;

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

/** Bytes read before others have their turn; counted so, because lines are of very different length. */
const BREATH_BYTES = 32 * 1024;

/** Opens a transcript, creating it with its header on the first append. A torn last line is cut off. */
export async function openTranscript(ref: TranscriptRef, log: Log): Promise<Transcript> {
  const loaded = await load(ref.path, log);
  const lines: BodyLine[] = loaded.lines;
  const ids = new Set(lines.map((line) => line.id));
  const state: {
    file: AppendFile | undefined;
    bytes: number;
    chain: Promise<void>;
    /** Appends that are not written yet. */
    pending: number;
    header: boolean;
    torn: boolean;
    unsynced: boolean;
    named: boolean;
    closed: boolean;
  } = {
    closed: false,
    named: false,
    unsynced: false,
    torn: loaded.torn,
    file: undefined,
    bytes: loaded.bytes,
    chain: Promise.resolve(),
    pending: 0,
    header: loaded.header,
  };

  async function write(text: string): Promise<void> {
    if (state.closed) {
      await using file = await openFile();
      await file.append(text, { sync: true });
    } else {
      state.file ??= await openFile();
      await state.file.append(text);
      state.unsynced = true;
    }
    state.bytes += Buffer.byteLength(text);
  }

  /** A sync covers what was written through an earlier opening too. */
  async function syncAndLetGo(): Promise<void> {
    if (!state.unsynced) return;
    state.unsynced = false;
    const file = state.file ?? (await openAppend(ref.path));
    state.file = undefined;
    try {
      await file.sync();
      // The file may be new: without its folder its name would be gone after a power cut.
      if (!state.named) await syncDir(dirname(ref.path));
      state.named = true;
    } catch (error) {
      state.unsynced = true;
      throw error;
    } finally {
      await file.close();
    }
  }

  async function release(): Promise<void> {
    const { file } = state;
    state.file = undefined;
    await file?.close();
  }

  async function openFile(): Promise<AppendFile> {
    const file = await openAppend(ref.path);
    if (state.torn) await file.truncate(loaded.bytes); // once: later there are lines behind it
    state.torn = false;
    return file;
  }

  return {
    path: ref.path,
    get bytes() {
      return state.bytes;
    },
    lines,
    conversation: () => conversation(lines),
    has: (id) => ids.has(id),
    append(added) {
      const fresh: BodyLine[] = [];
      for (const line of added) {
        if (ids.has(line.id)) continue;
        const parentId = fresh.at(-1)?.id ?? lines.at(-1)?.id;
        fresh.push({
          ...line,
          ...present({ parentId }),
          timestamp: line.timestamp ?? new Date().toISOString(),
        } as BodyLine);
        ids.add(line.id);
      }
      if (fresh.length === 0) return state.chain;
      lines.push(...fresh);
      const header = state.header ? '' : `${JSON.stringify(headerOf(ref))}\n`;
      state.header = true;
      const text = header + fresh.map((line) => `${JSON.stringify(line)}\n`).join('');
      state.pending += 1;
      state.chain = state.chain.then(() => write(text)).finally(() => void (state.pending -= 1));
      return state.chain;
    },
    async mend(doubtful) {
      await state.chain;
      const { damagedAt } = loaded;
      if (damagedAt === undefined) return false;
      loaded.damagedAt = undefined;
      await release();
      await copyIfExists(ref.path, `${ref.path}.corrupt-${shortId()}`);
      const kept = lines.filter(
        (line, index) =>
          index < damagedAt || !('turnId' in line) || line.turnId === undefined || !doubtful(line.turnId),
      );
      lines.splice(
        0,
        lines.length,
        ...kept.map((line, index) => ({ ...line, parentId: kept[index - 1]?.id }) as BodyLine),
      ); // JSON leaves the first one's out
      ids.clear();
      for (const { id } of lines) ids.add(id);
      const text = [headerOf(ref), ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
      await writeFileAtomic(ref.path, text);
      Object.assign(state, { bytes: Buffer.byteLength(text), torn: false, header: true, unsynced: false, named: true });
      log.warn('transcript.mended', { path: ref.path, kept: lines.length });
      return true;
    },
    async unchanged() {
      // What is here is ahead of the file then; whoever reads must not wait for a slow disk.
      if (state.pending > 0) return true;
      await state.chain;
      return ((await statIfExists(ref.path))?.size ?? 0) === state.bytes;
    },
    async sync() {
      await state.chain;
      await syncAndLetGo();
    },
    release,
    async close() {
      state.closed = true;
      await state.chain.catch(() => undefined /* whoever appended was told */);
      await syncAndLetGo();
    },
  };
}

async function load(
  path: string,
  log: Log,
): Promise<{ lines: BodyLine[]; bytes: number; torn: boolean; header: boolean; damagedAt: number | undefined }> {
  const bytes = (await readBytesIfExists(path)) ?? Buffer.alloc(0);
  const end = bytes.lastIndexOf(0x0a) + 1; // counted in bytes: damaged text has other lengths when decoded
  const torn = end < bytes.length;
  const lines: BodyLine[] = [];
  let header = false;
  let skipped = 0;
  let damagedAt: number | undefined;
  let breathed = 0;
  for (let from = 0, to = 0; from < end; from = to + 1) {
    to = bytes.indexOf(0x0a, from);
    if (to === from) continue;
    const line = parseLine(bytes.toString('utf8', from, to));
    if (line === undefined) {
      skipped++;
      damagedAt ??= lines.length;
    } else if (line.type === 'session') header = true;
    else lines.push(line);
    if (to - breathed < BREATH_BYTES) continue;
    await new Promise((resolve) => setImmediate(resolve));
    breathed = to;
  }
  if (torn || skipped > 0) log.warn('transcript.damaged', { path, torn, skipped });
  return { lines, bytes: end, torn, header: header || lines.length > 0, damagedAt };
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

/** The first line of a transcript without reading the rest. */
export async function readHeader(path: string): Promise<HeaderLine | undefined> {
  const slice = await readSlice(path, { from: 0, to: 4096 });
  const line = slice && parseLine(slice.text.split('\n', 1)[0] ?? '');
  return line?.type === 'session' ? line : undefined;
}
