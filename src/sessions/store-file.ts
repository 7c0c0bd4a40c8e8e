/** How `sessions.json` is read and written: plain JSON with one entry a line, so that 10 000 entries need no full parse. */
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { listDir, quarantine, readTextIfExists, statIfExists } from '../platform/files.ts';
import { basename, dirname, join } from 'node:path';
import { readHeader } from './transcript.ts';

/** Session key → the entry's JSON text. */
export type EntryLines = Map<string, string>;

const LINE = /^ {2}("(?:[^"\\]|\\.)*"): (\{.*\}),?$/;
const SLICE = 500;
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function formatStore(lines: EntryLines): string {
  const rows: string[] = [];
  for (const [key, json] of lines) rows.push(`  ${JSON.stringify(key)}: ${json}`);
  return rows.length === 0 ? '{}\n' : `{\n${rows.join(',\n')}\n}\n`;
}

/**
 * Reads the store. A file that is not what it should be (torn, an array, broken by hand) is set aside as
 * `.corrupt-<time>` and rebuilt from the transcripts' headers; it is never overwritten with an empty one.
 */
export async function readStore(path: string, log: Log): Promise<EntryLines> {
  const text = await readTextIfExists(path);
  if (text === undefined) return new Map();
  const lines = (await splitLines(text)) ?? (await parseWhole(text));
  if (lines) return lines;
  const aside = await quarantine(path);
  const rebuilt = await rebuildFromTranscripts(dirname(path));
  log.error('sessions.store.quarantined', { path, aside, rebuilt: rebuilt.size });
  return rebuilt;
}

/** Our own layout, checked line by line; undefined when the file has another one. */
async function splitLines(text: string): Promise<EntryLines | undefined> {
  if (!text.startsWith('{\n') || !text.endsWith('\n}\n')) return undefined;
  const lines: EntryLines = new Map();
  const rows = text.slice(2, -3).split('\n');
  for (let at = 0; at < rows.length; at += SLICE) {
    for (const row of rows.slice(at, at + SLICE)) {
      const match = LINE.exec(row);
      if (!match || !isJson(match[2]!)) return undefined;
      lines.set(JSON.parse(match[1]!) as string, match[2]!);
    }
    if (at + SLICE < rows.length) await breathe();
  }
  return lines;
}

/** Any JSON or JSON5 object of objects; undefined when it is something else. */
async function parseWhole(text: string): Promise<EntryLines | undefined> {
  const value = await parseLoose(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const lines: EntryLines = new Map();
  for (const [key, entry] of Object.entries(value)) {
    if (typeof entry !== 'object' || entry === null || typeof (entry as { sessionId?: unknown }).sessionId !== 'string') return undefined;
    lines.set(key.toLowerCase(), JSON.stringify(modernise(entry as Record<string, unknown>)));
  }
  return lines;
}

async function parseLoose(text: string): Promise<unknown> {
  const { default: json5 } = await import('json5');
  try {
    return json5.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw new AppError('internal', 'The session store could not be read as JSON5.', { cause: error });
  }
}

/** Field names of the oldest stores → today's. */
function modernise(entry: Record<string, unknown>): Record<string, unknown> {
  const { provider, lastProvider, room, ...rest } = entry;
  return { ...(provider === undefined ? {} : { channel: provider }), ...(lastProvider === undefined ? {} : { lastChannel: lastProvider }), ...(room === undefined ? {} : { groupChannel: room }), ...rest };
}

/** One entry per session key named in a transcript's header: the newest transcript wins. */
async function rebuildFromTranscripts(dir: string): Promise<EntryLines> {
  const newest = new Map<string, { at: number; sessionId: string }>();
  for (const { name } of (await listDir(dir)).filter((file) => file.name.endsWith('.jsonl'))) {
    const path = join(dir, name);
    const header = await readHeader(path);
    if (!header?.sessionKey) continue;
    const at = (await statIfExists(path))?.modifiedAt ?? 0;
    if (at >= (newest.get(header.sessionKey)?.at ?? 0)) newest.set(header.sessionKey, { at, sessionId: header.id || basename(name, '.jsonl') });
  }
  return new Map([...newest].map(([key, { at, sessionId }]) => [key, JSON.stringify({ sessionId, updatedAt: Math.round(at) })]));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
