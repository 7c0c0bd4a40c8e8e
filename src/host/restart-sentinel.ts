/**
 * `restart-sentinel.json`: passes information from the ending process to the next one in the documented format; read
 * once.
 */
import { parseJson } from '../core/parse-json.ts';
import { join } from 'node:path';
import { readAuthority, type Authority } from '../core/authority.ts';
import type { Log } from '../core/log.ts';
import type { ChatAddress, ChatKind } from '../core/message.ts';
import { isPlainObject } from '../config/paths.ts';
import type { RestartRequest } from './restart.ts';
import { readTextIfExists, removeIfExists, writeFileAtomic } from '../platform/files.ts';
import { PUBLIC_COMMAND } from '../platform/own-command.ts';
import { head } from '../core/cut.ts';
import { present } from '../core/present.ts';

type RestartKind = NonNullable<RestartRequest['kind']>;

/** Facts about the restart, kept for the note after it. */
export interface RestartStats {
  readonly reason?: string;
  readonly [fact: string]: unknown;
}

/** What to say after the restart, and where. Absent `replyTo`: in the session alone. */
export interface RestartNote {
  readonly kind: RestartKind;
  readonly text: string;
  readonly sessionKey?: string;
  readonly replyTo?: ChatAddress;
  /** On whose word it was asked for. */
  readonly authority?: Authority;
  readonly stats?: RestartStats;
}

/** Later it is no news any more. */
const STALE_MS = 24 * 60 * 60 * 1000;
/** Clocks are set back sometimes. */
const AHEAD_MS = 60 * 60 * 1000;
const DOCTOR_HINT = `Run: ${PUBLIC_COMMAND} doctor`;
const KINDS: readonly string[] = ['restart', 'config-apply', 'update'] satisfies readonly RestartKind[];
const CHAT_KINDS: readonly string[] = ['direct', 'group', 'channel'] satisfies readonly ChatKind[];
const LONGEST_TEXT = 8000;

const sentinelPath = (stateDir: string): string => join(stateDir, 'restart-sentinel.json');

/** Replaces the file. `more`: those who asked for the same restart after the first. */
export async function keepSentinel(stateDir: string, notes: readonly RestartNote[], now: number): Promise<void> {
  const [payload, ...more] = notes.map((note) => payloadOf(note, now));
  if (payload)
    await writeFileAtomic(
      sentinelPath(stateDir),
      `${JSON.stringify(present({ version: 1, payload, more: more.length > 0 ? more : undefined }), null, 2)}\n`,
    );
}

/** Deletes the note. Succeeds when there is none. */
export const dropSentinel = (stateDir: string): Promise<void> => removeIfExists(sentinelPath(stateDir));

function payloadOf(
  { kind, text, sessionKey, replyTo, authority, stats }: RestartNote,
  ts: number,
): Record<string, unknown> {
  return {
    kind,
    status: 'ok',
    ts,
    ...present({
      sessionKey,
      deliveryContext: replyTo
        ? {
            channel: replyTo.channel,
            to: replyTo.chat.id,
            accountId: replyTo.accountId,
            chatType: replyTo.chat.kind,
          }
        : undefined,
      threadId: replyTo?.threadId,
    }),
    message: head(text, LONGEST_TEXT),
    doctorHint: DOCTOR_HINT,
    ...present({ authority, stats }),
  };
}

/**
 * Reads and removes what the last run left, so that it is told once. What makes no sense, or is older than a day, is
 * removed and not told. Rejects with `storage`.
 */
export async function takeRestartNotes(
  stateDir: string,
  { now, log }: { readonly now: number; readonly log: Log },
): Promise<readonly RestartNote[]> {
  const text = await readTextIfExists(sentinelPath(stateDir));
  if (text === undefined) return [];
  await dropSentinel(stateDir);
  const { payloads, problem } = parse(text);
  if (problem !== undefined) log.warn('gateway.restart.note', { problem, removed: sentinelPath(stateDir) });
  return payloads.flatMap((payload) => {
    const note = noteOf(payload, now);
    if (!note) log.warn('gateway.restart.note', { problem: 'it is invalid or too old; nobody is notified' });
    return note ? [note] : [];
  });
}

function parse(text: string): { readonly payloads: readonly unknown[]; readonly problem?: string } {
  const value = parseJson(text);
  if (value === undefined) return { payloads: [], problem: 'it is no JSON' };
  if (!isPlainObject(value) || value['version'] !== 1) return { payloads: [], problem: 'it is not of version 1' };
  return { payloads: [value['payload'], ...(Array.isArray(value['more']) ? value['more'] : [])] };
}

function noteOf(payload: unknown, now: number): RestartNote | undefined {
  if (!isPlainObject(payload)) return undefined;
  const { kind, ts, message, sessionKey, stats } = payload;
  if (
    typeof ts !== 'number' ||
    !(ts > now - STALE_MS && ts < now + AHEAD_MS) ||
    typeof message !== 'string' ||
    message.trim() === ''
  )
    return undefined;
  const replyTo = addressOf(payload);
  const authority = readAuthority(payload['authority']);
  return present({
    kind: typeof kind === 'string' && KINDS.includes(kind) ? (kind as RestartKind) : 'restart',
    text: head(message, LONGEST_TEXT),
    sessionKey: typeof sessionKey === 'string' && sessionKey !== '' ? sessionKey : undefined,
    replyTo,
    authority,
    stats: isPlainObject(stats) ? stats : undefined,
  });
}

function addressOf({ deliveryContext, threadId }: Record<string, unknown>): ChatAddress | undefined {
  if (!isPlainObject(deliveryContext)) return undefined;
  const { channel, to, accountId, chatType } = deliveryContext;
  if (typeof channel !== 'string' || typeof to !== 'string' || channel === '' || to === '') return undefined;
  const kind = typeof chatType === 'string' && CHAT_KINDS.includes(chatType) ? (chatType as ChatKind) : 'direct';
  return {
    channel,
    accountId: typeof accountId === 'string' && accountId !== '' ? accountId : 'default',
    chat: { kind, id: to },
    ...present({ threadId: typeof threadId === 'string' && threadId !== '' ? threadId : undefined }),
  };
}
