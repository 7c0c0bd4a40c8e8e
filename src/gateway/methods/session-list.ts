/** Serves the read-only `sessions.*` methods: the list, previews, and finding a session. */
import { mayDirect, readDirectives } from '../../core/directives/read-directives.ts';
import { cut } from '../../core/cut.ts';
import { present } from '../../core/present.ts';
import { textOf, type Message } from '../../core/transcript.ts';
import { chatKindOfKey, parseSessionKey } from '../../core/session-key.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import type { Answers } from '../../protocol/answers.ts';
import type { WireSession } from '../../protocol/answers/sessions.ts';
import {
  sessionsListParams,
  sessionsPreviewParams,
  sessionsResolveParams,
  type SessionsResolveParams,
} from '../../protocol/sessions.ts';
import { method, more, refuse, requireAgent, sessionKeyOf, type Call, type Methods } from './method.ts';

type Preview = Answers['sessions.preview']['previews'][number];

const DEFAULT_LIST = 200;
const MAX_PREVIEWS = 64;
const PREVIEW_CHARS = 240;
/** Notices of the gateway at the end of a conversation are not what it was about. */
const PREVIEW_SCANNED = 8;

export const sessionListMethods: Methods = {
  'sessions.list': method({
    summary: 'Lists sessions, newest first; `hasMore` and `nextOffset` lead to the next page.',
    needs: 'operator.read',
    params: sessionsListParams,
    heavy: true,
    async run(params, call) {
      const {
        limit = DEFAULT_LIST,
        offset = 0,
        activeMinutes,
        label,
        spawnedBy,
        agentId,
        search,
        archived,
        pinned,
      } = params;
      if (agentId !== undefined) requireAgent(call.services, agentId);
      const found = await call.services.sessions.list(
        present({
          limit: limit + offset + 1, // one more tells whether there are more
          activeSince: activeMinutes !== undefined ? call.clock.now() - activeMinutes * 60_000 : undefined,
          label,
          spawnedBy,
          archived: archived === 'all' ? undefined : archived,
          pinned,
          agentId: agentId?.toLowerCase(),
          search: search?.trim() ? search.trim() : undefined,
        }),
      );
      const running = new Set(call.services.chat.active().map((run) => run.sessionKey));
      const rows = await Promise.all(
        found
          .slice(offset, offset + limit)
          .map(({ key, entry }) => row({ key, entry, running: running.has(key) }, params, call)),
      );
      const { provider, model } = call.services.status().model;
      return {
        ts: call.clock.now(),
        path: call.services.sessions.storePath(agentId?.toLowerCase()),
        count: rows.length,
        totalCount: await call.services.sessions.count(agentId?.toLowerCase()),
        ...more(found.length > offset + limit, offset + limit),
        defaults: { modelProvider: provider, model, contextTokens: null },
        sessions: rows,
      };
    },
  }),

  'sessions.preview': method({
    summary: 'Returns the last messages of several sessions, shortened.',
    needs: 'operator.read',
    params: sessionsPreviewParams,
    heavy: true,
    async run({ keys, limit = 12, maxChars = PREVIEW_CHARS }, call) {
      const previews = await Promise.all(
        keys.slice(0, MAX_PREVIEWS).map(async (raw): Promise<Preview> => {
          const key = sessionKeyOf(call, raw);
          if (!(await call.services.sessions.get(key))) return { key: raw, status: 'missing', items: [] };
          const items = (await call.services.sessions.tail(key, limit)).flatMap((message) =>
            previewItem(message, maxChars),
          );
          return { key: raw, status: items.length > 0 ? 'ok' : 'empty', items };
        }),
      );
      return { ts: call.clock.now(), previews };
    },
  }),

  'sessions.resolve': method({
    summary: 'Finds a session by key, id or label.',
    needs: 'operator.read',
    params: sessionsResolveParams,
    async run(params, call) {
      const named = (['key', 'sessionId', 'label', 'shortId'] as const).filter((name) => params[name] !== undefined);
      if (named.length !== 1) throw refuse('sessions.resolve needs exactly one of key, sessionId, label, shortId');
      const found = await find(params, call);
      if (found) return { ok: true, key: found, agentId: agentIn(found, call) };
      if (params.allowMissing) return { ok: false };
      throw refuse(`no session with ${named[0]} "${params[named[0]!]}"`, { code: 'SESSION_NOT_FOUND' });
    },
  }),
};

async function find(params: SessionsResolveParams, call: Call): Promise<string | undefined> {
  const { sessions } = call.services;
  if (params.key !== undefined) {
    const key = sessionKeyOf(call, params.key, params.agentId);
    return (await sessions.get(key)) ? key : undefined;
  }
  if (params.agentId !== undefined) requireAgent(call.services, params.agentId);
  const among = await sessions.list(
    present({ agentId: params.agentId?.toLowerCase(), spawnedBy: params.spawnedBy, label: params.label }),
  );
  if (params.label !== undefined) return among[0]?.key;
  const matches = among.filter(({ entry }) =>
    params.sessionId === undefined ? entry.sessionId.startsWith(params.shortId!) : entry.sessionId === params.sessionId,
  );
  if (matches.length > 1)
    throw refuse(`"${params.sessionId ?? params.shortId}" matches ${matches.length} sessions; give more of the id`);
  return matches[0]?.key;
}

async function row(
  { key, entry, running }: { key: string; entry: SessionEntry; running: boolean },
  params: { includeLastMessage?: boolean | undefined },
  call: Call,
): Promise<WireSession> {
  const { costUsd, createdAt, lastUserActivityAt, ...shown } = entry;
  const agentId = agentIn(key, call);
  const kind = key === 'global' ? 'global' : chatKindOfKey(key) === 'direct' ? 'direct' : 'group';
  const tail = params.includeLastMessage ? await call.services.sessions.tail(key, PREVIEW_SCANNED) : [];
  const preview = tail.flatMap((message) => previewItem(message, PREVIEW_CHARS)).at(-1)?.text;
  return {
    ...shown,
    key,
    kind,
    agentId,
    isMain: key === call.services.agents.mainSessionKey(agentId),
    ...present({
      status: running ? 'running' : undefined,
      createdAt,
      lastInteractionAt: lastUserActivityAt,
      estimatedCostUsd: costUsd,
      derivedTitle: entry.title || undefined,
      lastMessagePreview: preview || undefined,
    }),
  };
}

const agentIn = (key: string, { services }: Call): string =>
  parseSessionKey(key)?.agentId ?? services.agents.defaultId();

/** What people read of it, else what they got. */
function seenText(message: Message): string {
  const written = textOf(message.content);
  if (message.role !== 'assistant') return written;
  if (message.shown) return message.shown.text || message.shown.files.map(({ name }) => name).join(', ');
  return mayDirect(written) ? readDirectives(written).text : written;
}

function previewItem(message: Message, maxChars: number): Preview['items'] {
  if (message.role === 'assistant' && message.stopReason === 'injected') return [];
  const text = seenText(message).replace(/\s+/g, ' ').trim();
  return text ? [{ role: message.role === 'toolResult' ? 'tool' : message.role, text: cut(text, maxChars) }] : [];
}
