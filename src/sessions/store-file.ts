/** Reads and writes `sessions.json`: plain JSON with one entry per line, so that 10 000 entries need no full parse. */
import { basename, dirname, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Log } from '../core/log.ts';
import { present } from '../core/present.ts';
import {
  copyIfExists,
  listDir,
  readInParts,
  readTextIfExists,
  statIfExists,
  writeFileAtomic,
} from '../platform/files.ts';
import { shortId } from '../platform/ids.ts';
import { readHeader } from './load-transcript.ts';
import { createPackedLines, type Listed, type PackedLines } from './packed-lines.ts';

const LINE = /^ {2}("(?:[^"\\]|\\.)*"): (\{.*\}),?$/;
const SLICE = 256;

/**
 * The file's bytes for the entries as they are at the call, in parts: the whole of 100 000 entries is 30 MB. What
 * changes while they are written is not in them. A part is good until the next one is asked for.
 */
export function formatStore(lines: PackedLines): AsyncIterable<Uint8Array> {
  return partsOf(lines.frozen(), lines.size);
}

/** Each part lies where the one before did: new room for each leaves the process 8 MiB larger. */
async function* partsOf(entries: Iterable<Listed>, count: number): AsyncGenerator<Uint8Array> {
  if (count === 0) yield Buffer.from('{}\n');
  let room = Buffer.alloc(0);
  let rows: string[] = [];
  let written = 0;
  for (const { key, json } of entries) {
    rows.push(`  ${JSON.stringify(key)}: ${json()}`);
    const last = written + rows.length === count;
    if (rows.length < SLICE && !last) continue;
    if (written > 0) await breathe();
    const text = `${written === 0 ? '{\n' : ',\n'}${rows.join(',\n')}${last ? '\n}\n' : ''}`;
    const longest = text.length * 3; // as UTF-8
    if (room.length < longest) room = Buffer.allocUnsafeSlow(2 * longest);
    yield room.subarray(0, room.write(text));
    written += rows.length;
    rows = [];
  }
}

/**
 * Reads the store. A file that is not what it should be (torn, an array, broken by hand) is kept beside it as
 * `.corrupt-<time>` and replaced in one step, never by an empty one: what can still be read of it stays, the rest
 * comes from `known`, the entries somebody remembers, or else from the transcripts' headers.
 */
export async function readStore({
  path,
  log,
  known,
}: {
  path: string;
  log: Log;
  known?: PackedLines;
}): Promise<PackedLines> {
  const own = await readOwnLayout(path);
  if (own) return own;
  const text = await readTextIfExists(path);
  if (text === undefined) return known ?? vanished(path, log);
  const { lines, whole } = await parseWhole(text);
  if (whole) return lines;
  const spare = known ?? (await rebuildFromTranscripts(dirname(path)));
  const rebuilt = createPackedLines([...spare, ...lines]);
  const aside = `${path}.corrupt-${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${shortId()}`;
  await copyIfExists(path, aside);
  await writeFileAtomic(path, await formatStore(rebuilt));
  log.error('sessions.store.quarantined', { path, aside, readable: lines.size, rebuilt: rebuilt.size });
  return rebuilt;
}

/** There is no file: nobody has talked yet, or it was deleted and the transcripts are still there. */
async function vanished(path: string, log: Log): Promise<PackedLines> {
  const rebuilt = await rebuildFromTranscripts(dirname(path));
  if (rebuilt.size === 0) return rebuilt;
  await writeFileAtomic(path, await formatStore(rebuilt));
  log.warn('sessions.store.rebuilt', {
    path,
    rebuilt: rebuilt.size,
    fix: 'The file was missing. All conversations were rebuilt from their transcripts, without settings and counters.',
  });
  return rebuilt;
}

/** Our own layout, checked line by line; undefined when the file has another one, or there is none. */
async function readOwnLayout(path: string): Promise<PackedLines | undefined> {
  const lines = createPackedLines();
  const reader = { rest: '', row: 0, ended: false, foreign: false };
  const text = new TextDecoder('utf-8', { ignoreBOM: true });
  const takeRow = (row: string): void => {
    if (reader.row++ === 0 || reader.ended) reader.foreign ||= row !== '{' || reader.ended;
    else if (row === '}') reader.ended = true;
    else reader.foreign ||= !addEntry(lines, row);
  };
  const found = await readInParts(path, (part) => {
    if (reader.foreign) return;
    const rows = (reader.rest + text.decode(part, { stream: true })).split('\n');
    reader.rest = rows.pop()!;
    rows.forEach(takeRow);
  });
  return found && reader.ended && !reader.foreign && reader.rest === '' ? lines : undefined;
}

/** False for a row that is no entry of ours. */
function addEntry(lines: PackedLines, row: string): boolean {
  const match = LINE.exec(row);
  if (!match || !isEntry(tryJson(match[2]!))) return false;
  lines.pack(JSON.parse(match[1]!) as string, match[2]!);
  return true;
}

/** Any JSON or JSON5 object of entries; not `whole` when a part of it, or all, is something else. */
async function parseWhole(text: string): Promise<{ readonly lines: PackedLines; readonly whole: boolean }> {
  const lines = createPackedLines();
  const value = tryJson(text) ?? (await tryJson5(text));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { lines, whole: false };
  const found = Object.entries(value);
  for (const [key, entry] of found) if (isEntry(entry)) lines.set(key.toLowerCase(), JSON.stringify(modernise(entry)));
  return { lines, whole: found.every(([, entry]) => isEntry(entry)) };
}

const isEntry = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { sessionId?: unknown }).sessionId === 'string';

async function tryJson5(text: string): Promise<unknown> {
  const { default: json5 } = await import('json5');
  return parseOr(() => json5.parse(text));
}

const tryJson = (text: string): unknown => parseOr(() => JSON.parse(text));

/** Undefined for text that is not what the parser reads. */
function parseOr(parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Field names of the oldest stores → today's. */
function modernise(entry: Record<string, unknown>): Record<string, unknown> {
  const { provider, lastProvider, room, ...rest } = entry;
  return { ...present({ channel: provider, lastChannel: lastProvider, groupChannel: room }), ...rest };
}

/** One entry per session key named in a transcript's header: the newest transcript wins. */
async function rebuildFromTranscripts(dir: string): Promise<PackedLines> {
  const newest = new Map<string, { at: number; sessionId: string }>();
  for (const { name } of (await listDir(dir)).filter((file) => file.name.endsWith('.jsonl'))) {
    const path = join(dir, name);
    const header = await readHeader(path);
    if (!header?.sessionKey) continue;
    const at = (await statIfExists(path))?.modifiedAt ?? 0;
    if (at >= (newest.get(header.sessionKey)?.at ?? 0))
      newest.set(header.sessionKey, { at, sessionId: header.id || basename(name, '.jsonl') });
  }
  return createPackedLines(
    [...newest].map(([key, { at, sessionId }]) => [key, JSON.stringify({ sessionId, updatedAt: Math.round(at) })]),
  );
}
