/** Checks a state directory at rest after any crash: journal, transcripts and sessions.json must agree. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJournal } from '../../src/testing/read-journal.ts';
import { openRows } from './journal.ts';
import type { Fixture } from './fixture.ts';

/** A message the harness sent and was told is taken, or will be. */
export interface Said {
  readonly id: string;
  readonly session: string;
  readonly text: string;
  readonly nth: number;
}

/** Words like `s1-4`, by which messages are known again in transcripts. */
const NAMES = /\b[a-z]+\d*-\d+\b/g;

/** Every broken promise in a sentence; empty: all is well. `stopped`: sessions whose messages a /stop may take away. */
export function audit(home: string, fixture: Fixture, said: readonly Said[], stopped: ReadonlySet<string>): string[] {
  const { rows, unsettled, outbox } = readJournal(home, (db) => ({
    rows: db.prepare('SELECT * FROM inbound ORDER BY seq').all() as any[],
    unsettled: db.prepare('SELECT id FROM turn_open').all() as any[],
    outbox: db.prepare('SELECT * FROM outbox ORDER BY id').all() as any[],
  }));
  const transcripts = readTranscripts(join(home, 'agents', 'main', 'sessions'));
  return [
    ...(openRows(home) > 0 ? [`${openRows(home)} rows without an end`] : []),
    ...said.flatMap((message) => fate(message, rows, transcripts, stopped.has(message.session))),
    ...transcripts.flatMap(soundness),
    ...twice(outbox.filter(({ token }) => token.endsWith(':0')).map(({ run_id }) => `final of turn ${run_id}`)),
    ...twice(fixture.sends.map(({ token }) => `send ${token}`)),
    ...[...fixture.effects]
      .filter(([, times]) => times > 1)
      .map(([name, times]) => `effect ${name} happened ${times} times`),
    ...unsettled.map(({ id }) => `turn ${id} is not settled`),
    ...storeFaults(join(home, 'agents', 'main', 'sessions')),
    ...order(
      fixture.sends.flatMap(({ chat, text }) =>
        text.startsWith('echo')
          ? [...text.matchAll(NAMES)].filter(([name]) => name.startsWith(chat)).map(([name]) => name)
          : [],
      ),
      'sends',
    ),
  ];
}

function fate(
  { id, text, session, nth }: Said,
  rows: readonly any[],
  transcripts: readonly Transcript[],
  mayBeStopped: boolean,
): string[] {
  const own = rows.filter((row) => row.message_id === id);
  if (text === '/stop' && own.length === 0) return []; // the gateway takes it for chat.abort
  if (own.length !== 1) return [`${id} has ${own.length} rows`];
  if (own[0].state !== 'answered' && !isSetAside(own[0]))
    return mayBeStopped && own[0].reason === 'stopped' ? [] : [`${id} ended as ${own[0].state}: ${own[0].reason}`];
  if (text.startsWith('/')) return [];
  const shown = transcripts
    .flatMap(({ lines }) => lines)
    .filter((line) => line.message?.role === 'user' && namesIn(line).includes(`${session}-${nth}`)).length;
  return shown === 1 ? [] : [`${id} (${text}) stands ${shown} times in the transcripts`];
}

/** Under way at two deaths in a row: it has its end and its word, and stands in the transcript like any other. */
const isSetAside = ({ state, reason }: { readonly state: string; readonly reason: string | null }): boolean =>
  state === 'failed' && (reason ?? '').startsWith('internal: The gateway crashed twice');

/** Ids of the messages that were set aside. */
export function setAside(home: string): readonly string[] {
  const rows = readJournal(home, (db) => db.prepare('SELECT message_id, state, reason FROM inbound').all() as any[]);
  return rows.filter(isSetAside).map((row) => row.message_id);
}

interface Transcript {
  readonly name: string;
  readonly lines: readonly any[];
}

/**
 * An empty file that no session is called by is left out: its name reached the platter, and neither its lines nor its
 * session did.
 */
function readTranscripts(folder: string): Transcript[] {
  const sessions = readFileSync(join(folder, 'sessions.json'), 'utf8');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({
      name,
      lines: readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    }))
    .filter(({ name, lines }) => lines.length > 0 || sessions.includes(name.slice(0, -'.jsonl'.length)));
}

const textOf = (line: any): string =>
  line.message.content.flatMap((block: any) => (block.type === 'text' ? [block.text] : [])).join('');

const namesIn = (line: any): readonly string[] => textOf(line).match(NAMES) ?? [];

/** The chain through `parentId` is whole, calls have their results, and messages stand in the order they came. */
function soundness({ name, lines: [header, ...lines] }: Transcript): string[] {
  const ids = new Set<string>();
  const faults =
    header?.type === 'session' && lines.every(({ type }) => type !== 'session') ? [] : [`${name} has not one header`];
  lines.forEach((line, at) => {
    if (ids.has(line.id)) faults.push(`${name}: line ${line.id} stands twice`);
    if (line.parentId === undefined ? at > 0 : !ids.has(line.parentId))
      faults.push(`${name}: line ${line.id} hangs on ${line.parentId}`);
    ids.add(line.id);
  });
  const calls = lines.flatMap((line) =>
    line.message?.role === 'assistant'
      ? line.message.content.flatMap((block: any) => (block.type === 'toolCall' ? [block.id] : []))
      : [],
  );
  const results = lines.flatMap((line) => (line.message?.role === 'toolResult' ? [line.message.toolCallId] : []));
  if (calls.join() !== results.join()) faults.push(`${name}: calls ${calls.join()} have results ${results.join()}`);
  const asked = lines
    .filter((line) => line.message?.role === 'user' && line.audience !== 'person')
    .flatMap((line) => namesIn(line));
  return [...faults, ...order(asked, name)];
}

/** Names of one series come with growing numbers. */
function order(names: readonly string[], where: string): string[] {
  const last = new Map<string, number>();
  return names.flatMap((name) => {
    const [series, number] = [name.slice(0, name.lastIndexOf('-')), Number(name.slice(name.lastIndexOf('-') + 1))];
    const before = last.get(series) ?? -1;
    last.set(series, number);
    return number > before ? [] : [`${where}: ${name} comes after ${series}-${before}`];
  });
}

function twice(names: readonly string[]): string[] {
  return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${name} twice`);
}

function storeFaults(folder: string): string[] {
  const store = JSON.parse(readFileSync(join(folder, 'sessions.json'), 'utf8')) as Record<
    string,
    { sessionId: string }
  >;
  const files = new Set(readdirSync(folder));
  return Object.entries(store)
    .filter(([, { sessionId }]) => !files.has(`${sessionId}.jsonl`))
    .map(([key, { sessionId }]) => `${key} names ${sessionId}, which has no transcript`);
}
