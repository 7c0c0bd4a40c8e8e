/** Parameters of `sessions.*`. */
import { z } from 'zod';
import { THINKING_LEVELS } from '../core/turn.ts';
import { count, ignored, noParams, positive, text } from './fields.ts';

/** `sessions.list`: one page of sessions, the last used first. */
export const sessionsListParams = z.strictObject({
  limit: positive.optional(),
  offset: count.optional().describe('Skip this many: the `nextOffset` of the previous page.'),
  activeMinutes: positive.optional().describe('Only sessions used in this many minutes.'),
  includeLastMessage: z.boolean().optional().describe('Adds `lastMessagePreview`.'),
  label: text.max(512).optional(),
  spawnedBy: text.optional(),
  agentId: text.optional(),
  search: z.string().optional(),
  includeDerivedTitles: ignored,
  includeGlobal: ignored,
  includeUnknown: ignored,
  configuredAgentsOnly: ignored,
  requireLastInteraction: ignored,
  sortBy: ignored,
  boardFace: ignored,
  creatorId: ignored,
  ownerId: ignored,
  ownerFirst: ignored,
  involvingMe: ignored,
  involvingProfileId: ignored,
  includePeople: ignored,
  archived: z
    .union([z.boolean(), z.literal('all')])
    .optional()
    .describe('True: only archived sessions. False: none of them. `all`, or absent: both.'),
  pinned: z.boolean().optional().describe('True: only pinned sessions. False: none of them. Absent: both.'),
});

/** `sessions.preview`: the last lines of some sessions. */
export const sessionsPreviewParams = z.strictObject({
  keys: z.array(text).min(1),
  limit: positive.optional(),
  maxChars: z.number().int().min(20).optional(),
});

/** `sessions.resolve`: the key of a session, by one of the things it is known by. */
export const sessionsResolveParams = z.strictObject({
  key: text.optional(),
  sessionId: text.optional(),
  label: text.max(512).optional(),
  agentId: text.optional(),
  spawnedBy: text.optional(),
  allowMissing: z
    .boolean()
    .optional()
    .describe('Return an empty result instead of an error if there is no such session.'),
  shortId: text.optional().describe('Prefix of a session id.'),
  slugHint: ignored,
  includeGlobal: ignored,
  includeUnknown: ignored,
});

/** What `sessionsResolveParams` reads. */
export type SessionsResolveParams = z.output<typeof sessionsResolveParams>;

const cleared = z.null();
const level = <const T extends readonly string[]>(names: T) => z.union([z.enum(names), cleared]).optional();

/** Null clears a setting. Settings this gateway does not have are accepted and reported back as ignored. */
export const sessionsPatchParams = z.strictObject({
  key: text,
  agentId: text.optional(),
  expectedSessionId: text.optional(),
  label: z.union([text.max(512), cleared]).optional(),
  thinkingLevel: level(THINKING_LEVELS),
  verboseLevel: level(['on', 'full', 'off']),
  reasoningLevel: level(['on', 'off', 'stream']),
  elevatedLevel: level(['on', 'off', 'ask', 'full']),
  responseUsage: level(['off', 'tokens', 'full', 'on']),
  model: z.union([text, cleared]).optional(),
  sendPolicy: level(['allow', 'deny']),
  groupActivation: level(['mention', 'always']),
  spawnedBy: z.union([text, cleared]).optional(),
  archived: z.union([z.boolean(), cleared]).optional().describe('Hides it from the usual list.'),
  pinned: z.union([z.boolean(), cleared]).optional().describe('Keeps it at the top of lists.'),
  expectedLifecycleRevision: ignored,
  expectedPermissionMode: ignored,
  expectedToolOverrides: ignored,
  expectedMarkedUnreadAt: ignored,
  icon: ignored,
  color: ignored,
  category: ignored,
  boardFace: ignored,
  statusNote: ignored,
  attention: ignored,
  ttlMinutes: ignored,
  unread: ignored,
  contextWindow: ignored,
  fastMode: ignored,
  toolOverrides: ignored,
  traceLevel: ignored,
  execHost: ignored,
  execSecurity: ignored,
  execAsk: ignored,
  execNode: ignored,
  permissionMode: ignored,
  completionOwnerSessionKey: ignored,
  inheritedToolPolicyVersion: ignored,
  inheritedToolAllow: ignored,
  inheritedToolDeny: ignored,
});
/** What `sessionsPatchParams` reads. */
export type SessionsPatchParams = z.output<typeof sessionsPatchParams>;

/** `sessions.branch`: creates a session that goes on from a point of this one. */
export const sessionsBranchParams = z.strictObject({
  key: text,
  agentId: text.optional(),
  entryId: text.describe('`__openclaw.id` of a message of `chat.history`.'),
  before: z.boolean().optional().describe('Leave out the turn of that message. Default: false, the turn is included.'),
});

/** `sessions.reset`: starts the session over with an empty transcript. */
export const sessionsResetParams = z.strictObject({
  key: text,
  agentId: text.optional(),
  reason: z.enum(['new', 'reset']).optional(),
});

/** `sessions.delete`: the entry goes, the transcript is archived. */
export const sessionsDeleteParams = z.strictObject({
  key: text,
  agentId: text.optional(),
  deleteTranscript: z
    .boolean()
    .optional()
    .describe('Default: true. The transcript is archived next to the session store, not erased.'),
  expectedSessionId: text.optional().describe('Fails if the session was reset since.'),
  expectedLifecycleRevision: ignored,
  expectedSessionUpdatedAt: ignored,
  emitLifecycleHooks: ignored,
  archivedOnly: ignored,
});

/** `sessions.compact`: shortens what the model gets of a session. */
export const sessionsCompactParams = z.strictObject({
  key: text,
  agentId: text.optional(),
  maxLines: positive.optional().describe('Keep this many of the last lines. Absent: the model writes a summary.'),
  instructions: z.string().optional().describe('What the summary should keep.'),
});

/** `sessions.subscribe`: takes nothing; from then on `sessions.changed` comes. */
export const sessionsSubscribeParams = noParams;
/** `sessions.messages.subscribe` and its end: the events of one session. */
export const sessionMessagesParams = z.strictObject({
  key: text,
  agentId: text.optional(),
  includeApprovals: z.literal(true).optional(),
});
