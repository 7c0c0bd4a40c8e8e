/** The list of conversations: titles, order, search, unread marks. Pure. */
import type { SessionRow } from './wire.ts';
import { head } from '../../../src/core/cut.ts';

export interface SessionsState {
  readonly loaded: boolean;
  readonly error?: string;
  readonly rows: readonly SessionRow[];
  /** The offset of older conversations; absent: all are loaded. */
  readonly nextOffset?: number;
  readonly fetchingMore?: boolean;
  /** The number of conversations at the gateway, archived ones included. */
  readonly totalCount?: number;
  /** Keys with a running run, from events between two fetches. */
  readonly running: ReadonlySet<string>;
  /** The first words of conversations started on this page, used as their titles. */
  readonly titles: Readonly<Record<string, string>>;
  /** Names by agent id; empty if there is only one agent. */
  readonly agents: Readonly<Record<string, string>>;
  /** When each conversation was last on screen, in milliseconds since the epoch. */
  readonly seen: Readonly<Record<string, number>>;
}

export const emptySessions: SessionsState = {
  loaded: false,
  rows: [],
  running: new Set(),
  seen: {},
  titles: {},
  agents: {},
};

const TITLE_CHARS = 60;
const NONE: ReadonlySet<string> = new Set();

/**
 * Replaces the newest rows. Loaded older pages stay after them, and drafts that the gateway does not know before them.
 * `changed`: keys whose runs began or ended by an event after the request; the event is newer than the row.
 */
export function withRows(
  state: SessionsState,
  newest: readonly SessionRow[],
  nextOffset?: number,
  changed: ReadonlySet<string> = NONE,
): SessionsState {
  const fresh = new Set(newest.map((row) => row.key));
  // more pages than the first were loaded
  const paged = nextOffset !== undefined && state.nextOffset !== nextOffset && state.loaded;
  const oldest = newest.at(-1)?.updatedAt ?? 0;
  const older = paged
    ? state.rows.filter((row) => row.sessionId !== undefined && !fresh.has(row.key) && (row.updatedAt ?? 0) <= oldest)
    : [];
  const rows = [...newest, ...older];
  const known = new Set(rows.map((row) => row.key));
  const drafts = state.rows.filter(
    (row) => row.sessionId === undefined && row.updatedAt === null && !known.has(row.key),
  );
  // A run that has just begun may not be in the rows yet.
  const running = new Set(state.running);
  for (const row of rows) if (row.status === 'running' && !changed.has(row.key)) running.add(row.key);
  const { error: _gone, nextOffset: before, ...rest } = state;
  const next = paged ? before : nextOffset;
  return {
    ...rest,
    loaded: true,
    rows: [...drafts, ...rows].map((row) => titled(row, state)),
    running,
    ...(next === undefined ? {} : { nextOffset: next }),
  };
}

/** Adds the title of this page, and the name of the agent if there are several. */
export function titled(row: SessionRow, { titles, agents }: Pick<SessionsState, 'titles' | 'agents'>): SessionRow {
  const title = row.derivedTitle ?? titles[row.key];
  const agentName = agents[splitKey(row.key).agentId];
  if (title === row.derivedTitle && agentName === row.agentName) return row;
  return { ...row, ...(title === undefined ? {} : { derivedTitle: title }), ...(agentName ? { agentName } : {}) };
}

export function withAgents(state: SessionsState, agents: SessionsState['agents']): SessionsState {
  return { ...state, agents, rows: state.rows.map((row) => titled(row, { ...state, agents })) };
}

/** The first words of a conversation are its title until somebody renames it. */
export function withTitle(state: SessionsState, key: string, words: string): SessionsState {
  const title = head(words.replace(/\s+/g, ' ').trim(), TITLE_CHARS);
  if (!title || state.titles[key] !== undefined) return state;
  const titles = { ...state.titles, [key]: title };
  return { ...state, titles, rows: state.rows.map((row) => titled(row, { ...state, titles })) };
}

/** Results of a search at the gateway beyond the loaded rows. */
export function withFound(state: SessionsState, found: readonly SessionRow[]): SessionsState {
  const known = new Set(state.rows.map((row) => row.key));
  const fresh = found.filter((row) => !known.has(row.key));
  return fresh.length === 0 ? state : { ...state, rows: [...state.rows, ...fresh.map((row) => titled(row, state))] };
}

/** Pinned conversations first, each group in its order; archived ones are left out. */
export function listed(rows: readonly SessionRow[]): readonly SessionRow[] {
  const shown = rows.filter((row) => row.archived !== true);
  return [...shown.filter(({ pinned }) => pinned === true), ...shown.filter(({ pinned }) => pinned !== true)];
}

/** Applies changes to rows, e.g. that one was pinned. */
export const withMarks = (
  state: SessionsState,
  keys: ReadonlySet<string>,
  marks: Pick<SessionRow, 'pinned' | 'archived'>,
): SessionsState => ({
  ...state,
  rows: state.rows.map((row) => (keys.has(row.key) ? withoutFalse({ ...row, ...marks }) : row)),
});

function withoutFalse({ pinned, archived, ...row }: SessionRow): SessionRow {
  return { ...row, ...(pinned ? { pinned } : {}), ...(archived ? { archived } : {}) };
}

/** A conversation that exists only on this page until its first message. */
export const withDraft = (state: SessionsState, key: string): SessionsState =>
  state.rows.some((row) => row.key === key) ? state : { ...state, rows: [{ key, updatedAt: null }, ...state.rows] };

/** Removes a row; the offset of later ones decreases by one. */
export function withoutRow(state: SessionsState, key: string): SessionsState {
  const rows = state.rows.filter((row) => row.key !== key);
  if (rows.length === state.rows.length) return state;
  return {
    ...state,
    rows,
    running: new Set([...state.running].filter((one) => one !== key)),
    ...(state.nextOffset === undefined ? {} : { nextOffset: Math.max(0, state.nextOffset - 1) }),
  };
}

export const withSeen = (state: SessionsState, key: string, at: number): SessionsState => ({
  ...state,
  seen: { ...state.seen, [key]: at },
});

/** Keeps only the running runs in `keys`. */
export const withRunningOf = (state: SessionsState, keys: ReadonlySet<string>): SessionsState => ({
  ...state,
  running: new Set([...state.running].filter((key) => keys.has(key))),
});

export function withRunning(state: SessionsState, key: string, running: boolean): SessionsState {
  if (state.running.has(key) === running) return state;
  const next = new Set(state.running);
  if (running) next.add(key);
  else next.delete(key);
  return { ...state, running: next };
}

/**
 * Whether there were messages since it was last on screen. A conversation that was never on screen counts as read, so
 * that a first visit does not mark everything.
 */
export function isUnread(state: SessionsState, row: SessionRow): boolean {
  const seen = state.seen[row.key];
  return seen !== undefined && (row.updatedAt ?? 0) > seen;
}

export interface KeyParts {
  readonly agentId: string;
  readonly rest: string;
}

export function splitKey(key: string): KeyParts {
  const match = /^agent:([^:]+):(.+)$/.exec(key);
  return match ? { agentId: match[1]!, rest: match[2]! } : { agentId: '', rest: key };
}

const CHANNEL_NAMES: Readonly<Record<string, string>> = {
  webchat: 'Web',
  telegram: 'Telegram',
  whatsapp: 'WhatsApp',
  discord: 'Discord',
  slack: 'Slack',
  signal: 'Signal',
  imessage: 'iMessage',
  msteams: 'Teams',
  cron: 'Cron',
  subagent: 'Sub-agent',
  openai: 'HTTP',
  openresponses: 'HTTP',
};
/** Kinds of sessions that the gateway starts, wherever the answer went. */
const OURS = /^(cron|hook|subagent)$/;
const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The place of a conversation, in one word. */
export function channelOf(row: SessionRow): string {
  const first = splitKey(row.key).rest.split(':')[0] ?? '';
  const channel = OURS.test(first)
    ? first
    : (row.channel ??
      row.lastChannel ??
      (first === 'web' || first === 'main' ? 'webchat' : first.replace(/-user$/, '')));
  return CHANNEL_NAMES[channel] ?? capitalised(channel);
}

export const isMainRow = (row: SessionRow): boolean => row.isMain === true || splitKey(row.key).rest === 'main';

/** The line below a title: the channel, and the agent if there are several. */
export const placeOf = (row: SessionRow): string =>
  isMainRow(row) && row.agentName && !row.label
    ? 'Main conversation'
    : [channelOf(row), row.agentName].filter(Boolean).join(' · ');

export function titleOf(row: SessionRow): string {
  if (row.label?.trim()) return row.label.trim();
  const { rest } = splitKey(row.key);
  if (isMainRow(row)) return row.agentName ?? 'Main conversation';
  const named =
    row.subject ??
    row.groupChannel ??
    row.displayName?.replace(`${row.channel}:`, '') ??
    (OURS.test(rest.split(':')[0] ?? '') ? undefined : row.origin?.label) ??
    row.derivedTitle ??
    (/^(web|cron|hook|subagent):/.test(rest) ? head(previewOf(row), TITLE_CHARS) : '');
  if (named.trim()) return named.trim();
  if (row.updatedAt === null || rest.startsWith('web:')) return 'New conversation';
  return rest.split(':').slice(-1)[0] ?? rest;
}

/** The last message without its Markdown. */
export const previewOf = (row: SessionRow): string =>
  (row.lastMessagePreview ?? '')
    .replace(/[*_`#>|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Rows whose title, channel, key or last message contains every word of `query`. */
export function findRows(rows: readonly SessionRow[], query: string): readonly SessionRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = `${titleOf(row)} ${placeOf(row)} ${row.key} ${row.lastMessagePreview ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The filters of the Sessions page; empty or absent: no filter. */
export interface RowFilter {
  readonly query: string;
  readonly channel: string;
  /** Used since then, in milliseconds since the epoch. */
  readonly since?: number;
}

export const filterRows = (rows: readonly SessionRow[], { query, channel, since }: RowFilter): readonly SessionRow[] =>
  findRows(rows, query).filter(
    (row) =>
      row.sessionId !== undefined &&
      (channel === '' || channelOf(row) === channel) &&
      (since === undefined || (row.updatedAt ?? 0) >= since),
  );

/** The key of a new parallel conversation with the same agent. */
export const newSessionKey = (agentId: string, id: string): string =>
  `agent:${agentId || 'main'}:web:${id.replaceAll('-', '').slice(0, 10)}`;
