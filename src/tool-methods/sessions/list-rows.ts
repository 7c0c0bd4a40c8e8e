/**
 * Builds the rows of `sessions_list`: filtered before counting; a transcript is read only if messages are requested.
 */
import { sanitiseExternal } from '../../core/external-content.ts';
import type { SessionService } from '../../host/session-service.ts';
import { redactText } from '../../platform/redact.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { rememberedAddress } from '../../host/delivery-target.ts';
import type { SessionFinder } from '../../host/session-finder.ts';
import { sessionChannel, sessionKind, SESSION_KINDS, type SessionKind } from '../../sessions/session-kind.ts';
import { MAX_IN_ALL, shownMessage, type ShownMessage } from './shown-message.ts';
import { head } from '../../core/cut.ts';
import { present } from '../../core/present.ts';

export interface ListRequest {
  readonly kinds?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly activeMinutes?: number | undefined;
  readonly messageLimit?: number | undefined;
}

export interface ListDeps {
  readonly finder: SessionFinder;
  readonly sessions: Pick<SessionService, 'list' | 'tail'>;
  agentOf(key: string): string;
  /** Absolute; left out for callers who cannot read it. */
  transcriptPath(key: string, entry: SessionEntry): string | undefined;
  now(): number;
}

export interface ListRow {
  readonly key: string;
  readonly kind: SessionKind;
  readonly channel: string;
  readonly messages?: readonly ShownMessage[];
  readonly [field: string]: unknown;
}
export interface ListAnswer {
  readonly count: number;
  readonly sessions: readonly ListRow[];
  /** There are more than `limit`. */
  readonly total?: number;
  readonly truncated?: true;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;
const MAX_MESSAGES = 20;
const MAX_A_NAME = 200;

export async function listRows(request: ListRequest, deps: ListDeps): Promise<ListAnswer> {
  const kinds = (request.kinds ?? [])
    .map((kind) => kind.trim().toLowerCase())
    .filter((kind) => (SESSION_KINDS as readonly string[]).includes(kind));
  const activeSince =
    request.activeMinutes === undefined ? undefined : deps.now() - Math.max(1, request.activeMinutes) * 60_000;
  const all = await deps.sessions.list(activeSince === undefined ? {} : { activeSince });
  const seen = all
    .filter((one) => !deps.finder.isHidden(one.key) && deps.finder.checkAccess(one, 'list').ok)
    .map((one) => ({ ...one, kind: sessionKind(one.key, deps.finder.mainKey(deps.agentOf(one.key)), one.entry) }))
    .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind));
  const limit = Math.min(MAX_LIMIT, Math.max(1, Math.floor(request.limit ?? DEFAULT_LIMIT)));
  const messageLimit = Math.min(MAX_MESSAGES, Math.max(0, Math.floor(request.messageLimit ?? 0)));
  const room = { bytes: MAX_IN_ALL, full: false };
  const rows: ListRow[] = [];
  for (const one of seen.slice(0, limit))
    rows.push({
      ...rowOf(one, deps),
      ...present({
        messages: messageLimit > 0 ? await lastMessages(one.key, { messageLimit, room }, deps) : undefined,
      }),
    });
  return present({
    count: rows.length,
    sessions: rows,
    total: seen.length > rows.length ? seen.length : undefined,
    truncated: room.full ? true : undefined,
  });
}

function rowOf(
  { key, entry, kind }: { readonly key: string; readonly entry: SessionEntry; readonly kind: SessionKind },
  { finder, transcriptPath }: ListDeps,
): ListRow {
  return withoutBlanks({
    key: finder.shown(key),
    kind,
    channel: sessionChannel(key, kind, entry),
    label: named(entry.label),
    displayName: named(entry.subject ?? entry.groupChannel ?? entry.displayName ?? entry.title),
    deliveryContext: contextOf(entry),
    updatedAt: entry.updatedAt,
    sessionId: entry.sessionId,
    model:
      entry.model === undefined
        ? undefined
        : [entry.modelProvider, entry.model].filter((part) => part !== undefined).join('/'),
    contextTokens: entry.contextTokens,
    totalTokens: entry.totalTokens,
    thinkingLevel: entry.thinkingLevel,
    verboseLevel: entry.verboseLevel,
    systemSent: entry.systemSent,
    abortedLastRun: entry.abortedLastRun,
    sendPolicy: entry.sendPolicy,
    spawnedBy: entry.spawnedBy,
    lastChannel: entry.lastChannel,
    lastTo: entry.lastTo,
    lastAccountId: entry.lastAccountId,
    transcriptPath: transcriptPath(key, entry),
  });
}

/** People and platforms choose names: they are data like everything that was said. */
const named = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : sanitiseExternal(redactText(head(name, MAX_A_NAME)));

/** Where it is written to by itself. */
function contextOf(entry: SessionEntry): Record<string, string> | undefined {
  const context = rememberedAddress(entry) ?? entry.deliveryContext;
  return (
    context &&
    present({ channel: context.channel, to: context.chat.id, accountId: context.accountId, threadId: context.threadId })
  );
}

interface Wanted {
  readonly messageLimit: number;
  readonly room: { bytes: number; full: boolean };
}

/** More is read than is asked for: results of tools stand between what was said. */
async function lastMessages(
  key: string,
  { messageLimit, room }: Wanted,
  { sessions }: ListDeps,
): Promise<readonly ShownMessage[]> {
  if (room.full) return [];
  const shown = (await sessions.tail(key, Number.MAX_SAFE_INTEGER))
    .flatMap((message) => (message.role === 'toolResult' ? [] : [message]))
    .slice(-4 * messageLimit)
    .flatMap((message) => shownMessage(message, false) ?? [])
    .slice(-messageLimit);
  const kept: ShownMessage[] = [];
  for (const { message } of shown.toReversed()) {
    room.bytes -= Buffer.byteLength(JSON.stringify([message], null, 2));
    room.full ||= room.bytes < 0;
    if (room.bytes < 0) break;
    kept.unshift(message);
  }
  return kept;
}

function withoutBlanks(row: ListRow): ListRow {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as ListRow;
}
