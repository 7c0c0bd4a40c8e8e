/** Searches transcripts for messages with every word of a query; stops after a time limit or enough results. */
import { present } from '../../core/present.ts';
import { textOf, type Message } from '../../core/transcript.ts';
import type { Clock } from '../../platform/clock.ts';
import { parseLine } from '../../sessions/transcript-line.ts';
import type { FoundMessage, SearchAnswers } from './answers.ts';
import { readLines } from './platform/read-lines.ts';

export interface SearchDeps {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** The last used first. */
  sessions(): Promise<readonly { readonly key: string; readonly path: string }[]>;
}

/** Somebody waits for it. Milliseconds. */
const MAX_MS = 5000;
/** More of one conversation would hide the others. */
const MAX_PER_SESSION = 3;
const BEFORE = 40;
const AFTER = 120;

export async function searchTranscripts(
  { query, limit }: { readonly query: string; readonly limit: number },
  deps: SearchDeps,
): Promise<SearchAnswers['sessions.search']> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const begin = deps.clock.monotonic();
  const results: FoundMessage[] = [];
  let searched = 0;
  for (const { key, path } of await deps.sessions()) {
    if (results.length >= limit || deps.clock.monotonic() - begin > MAX_MS)
      return { results: results.slice(0, limit), searched, complete: false };
    const found: FoundMessage[] = [];
    for await (const line of readLines(path)) found.push(...matchIn(line, words, key));
    results.push(...found.slice(-MAX_PER_SESSION).toReversed());
    searched += 1;
  }
  return { results: results.slice(0, limit), searched, complete: results.length <= limit };
}

/** Most lines are passed over without being parsed: no word of the query is in them. */
function matchIn(line: string, words: readonly string[], key: string): readonly FoundMessage[] {
  const lower = line.toLowerCase();
  if (!words.every((word) => lower.includes(word) || /["\\]/.test(word))) return [];
  const parsed = parseLine(line);
  if (parsed?.type !== 'message' || parsed.message.role === 'toolResult') return [];
  const { message, turnId } = parsed;
  const text = said(message).replace(/\s+/g, ' ').trim();
  const at = text.toLowerCase();
  if (!words.every((word) => at.includes(word))) return [];
  const place = at.indexOf(words[0]!);
  const from = Math.max(0, place - BEFORE);
  const excerpt = text.slice(from, place + AFTER).toWellFormed();
  return [
    present({
      key,
      runId: turnId || undefined,
      role: message.role as 'user' | 'assistant',
      at: message.timestamp,
      excerpt: `${from > 0 ? '…' : ''}${excerpt}${place + AFTER < text.length ? '…' : ''}`,
    }),
  ];
}

/** What people wrote and read, without what the agent was given besides. */
const said = (message: Message): string =>
  message.role === 'user'
    ? (message.written?.text ?? textOf(message.content))
    : message.role === 'assistant'
      ? (message.shown?.text ?? textOf(message.content))
      : '';
