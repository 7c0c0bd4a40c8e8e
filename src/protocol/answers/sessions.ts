/** Answers of `sessions.*`: the list, previews, and changes. */
import { z } from 'zod';
import { THINKING_LEVELS } from '../../core/turn.ts';
import { address, chatKind, instant, list, page, text } from './shapes.ts';

const settings = {
  thinkingLevel: z.enum(THINKING_LEVELS).exactOptional(),
  verboseLevel: z.enum(['on', 'full', 'off']).exactOptional(),
  reasoningLevel: z.enum(['on', 'off', 'stream']).exactOptional(),
  elevatedLevel: z.enum(['on', 'off', 'ask', 'full']).exactOptional(),
  exec: z
    .strictObject({
      host: z.enum(['auto', 'sandbox', 'gateway']).exactOptional(),
      security: z.enum(['deny', 'allowlist', 'full']).exactOptional(),
      ask: z.enum(['off', 'on-miss', 'always']).exactOptional(),
    })
    .exactOptional(),
  responseUsage: z.enum(['off', 'tokens', 'full']).exactOptional(),
  providerOverride: text.exactOptional(),
  modelOverride: text.exactOptional(),
  sendPolicy: z.enum(['allow', 'deny']).exactOptional(),
  groupActivation: z.enum(['mention', 'always']).exactOptional(),
  queueMode: z.enum(['collect', 'followup', 'steer', 'interrupt']).exactOptional(),
  queueDebounceMs: z.number().exactOptional(),
  queueCap: z.number().exactOptional(),
  queueDrop: z.enum(['summarize', 'old', 'new']).exactOptional(),
};

/** The entry of the store, as far as lists show it. */
const shown = {
  sessionId: text.describe('UUID of the current transcript; `/new` mints another.'),
  updatedAt: instant,
  createdAt: instant.exactOptional(),
  sessionFile: text.exactOptional(),
  label: text.exactOptional(),
  displayName: text.exactOptional(),
  title: text.exactOptional().describe('Beginning of the first message.'),
  spawnedBy: text.exactOptional(),
  pinned: z.literal(true).exactOptional(),
  archived: z.literal(true).exactOptional(),
  branchedFrom: z
    .strictObject({ key: text, sessionId: text, entryId: text.exactOptional() })
    .exactOptional()
    .describe('Session and transcript entry this branch began at.'),
  systemSent: z.boolean().exactOptional(),
  abortedLastRun: z.boolean().exactOptional(),
  ...settings,
  inputTokens: z.number().exactOptional(),
  outputTokens: z.number().exactOptional(),
  totalTokens: z.number().exactOptional().describe('Tokens of the last request and answer: how full the context is.'),
  contextTokens: z.number().exactOptional(),
  modelProvider: text.exactOptional(),
  model: text.exactOptional(),
  compactionCount: z.number().exactOptional(),
  lastHeartbeatText: text.exactOptional(),
  lastHeartbeatSentAt: instant.exactOptional(),
  chatType: chatKind.exactOptional(),
  channel: text.exactOptional(),
  subject: text.exactOptional().describe('Title of the group; of a channel it is `groupChannel`.'),
  groupChannel: text.exactOptional(),
  space: text.exactOptional(),
  origin: z
    .strictObject({
      label: text.exactOptional(),
      provider: text,
      surface: text,
      chatType: chatKind,
      from: text,
      to: text,
      accountId: text,
      threadId: text.exactOptional(),
    })
    .exactOptional()
    .describe('Where the last message came from.'),
  deliveryContext: address.exactOptional(),
  lastChannel: text.exactOptional(),
  lastTo: text.exactOptional(),
  lastAccountId: text.exactOptional(),
  lastThreadId: text.exactOptional(),
};
const entry = z.strictObject({
  ...shown,
  lastUserActivityAt: instant.exactOptional(),
  costUsd: z.number().exactOptional(),
});

const row = z.strictObject({
  ...shown,
  key: text,
  kind: z.enum(['global', 'direct', 'group']),
  agentId: text,
  isMain: z.boolean(),
  status: z.literal('running').exactOptional(),
  lastInteractionAt: instant.exactOptional(),
  estimatedCostUsd: z.number().exactOptional(),
  derivedTitle: text.exactOptional(),
  lastMessagePreview: text.exactOptional(),
});
/** One entry of `sessions.list`. */
export type WireSession = z.output<typeof row>;

const subscribed = z.strictObject({ subscribed: z.boolean() });
const followed = z.strictObject({ subscribed: z.boolean(), key: text });

/** Answers of the methods about sessions. */
export const sessionAnswers = {
  'sessions.list': z.strictObject({
    ts: instant,
    path: text,
    count: z.number(),
    totalCount: z.number(),
    ...page,
    defaults: z.strictObject({ modelProvider: text, model: text, contextTokens: z.number().nullable() }),
    sessions: list(row),
  }),
  'sessions.preview': z.strictObject({
    ts: instant,
    previews: list(
      z.strictObject({
        key: text,
        status: z.enum(['ok', 'empty', 'missing']),
        items: list(z.strictObject({ role: z.enum(['user', 'assistant', 'tool']), text })),
      }),
    ),
  }),
  'sessions.resolve': z.union([
    z.strictObject({ ok: z.literal(true), key: text, agentId: text }),
    z.strictObject({ ok: z.literal(false) }),
  ]),
  'sessions.patch': z.strictObject({
    ok: z.literal(true),
    path: text,
    key: text,
    entry,
    ignored: list(text).exactOptional().describe('Settings that this gateway does not support.'),
  }),
  'sessions.branch': z.strictObject({
    ok: z.literal(true),
    key: text.describe('Of the new session.'),
    entry,
    copied: z.number().describe('Lines of the transcript.'),
  }),
  'sessions.reset': z.strictObject({ ok: z.literal(true), key: text, entry }),
  'sessions.delete': z.strictObject({ ok: z.literal(true), key: text, deleted: z.boolean(), archived: list(text) }),
  'sessions.compact': z.strictObject({
    ok: z.literal(true),
    key: text,
    compacted: z.boolean(),
    kept: z.number().exactOptional(),
    archived: text.exactOptional(),
    reason: text.exactOptional(),
  }),
  'sessions.subscribe': subscribed,
  'sessions.unsubscribe': subscribed,
  'sessions.messages.subscribe': followed,
  'sessions.messages.unsubscribe': followed,
};

/** Payload of `sessions.changed`. */
export const sessionEvents = {
  'sessions.changed': z.strictObject({
    sessionKey: text,
    reason: z.enum(['turn', 'message', 'patch', 'reset', 'delete', 'compact']),
    ts: instant,
  }),
};
/** `sessions.changed`: an entry of the list is another one now; `ts` in milliseconds since the epoch. */
export type SessionsChangedEvent = z.output<(typeof sessionEvents)['sessions.changed']>;
