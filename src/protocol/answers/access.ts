/** Answers about access: which agent answers a message, whether it is admitted and why, and pairing requests. */
import { z } from 'zod';
import { ACCESS_TABLE } from '../../core/access-table.ts';
import { address, admissionStep, chatKind, instant, list, text } from './shapes.ts';

const kind = z.enum(ACCESS_TABLE.map((row) => row.kind));
const verb = z.enum(ACCESS_TABLE.map((row) => row.verb));

const requester = z.strictObject({
  standing: text,
  kind: text,
  ids: list(text).describe('Sender ids of the requesters.'),
  channel: text.exactOptional(),
  accountId: text.exactOptional(),
  scopes: list(text).exactOptional(),
  commands: z.boolean().exactOptional().describe('All requesters may use commands.'),
  rights: list(text),
  sessionKey: text.describe('The conversation of the request.'),
  hands: list(text),
});

/** How far somebody reaches with one verb on one kind of thing. */
const reach = z.strictObject({ kind, verb, means: text, reach: z.enum(['everywhere', 'own', 'nowhere']) });

const act = z.strictObject({
  verb,
  kind,
  means: text,
  thing: text,
  ok: z.boolean(),
  steps: list(admissionStep),
  changes: list(text).describe('Changes that would each allow it.'),
});
/** Whose rights a tool call would have, and what each of its acts would be answered. */
export const toolAccess = z.strictObject({ requester, acts: list(act) });

const route = {
  route: z.strictObject({
    agentId: text,
    sessionKey: text,
    matchedBy: z.enum(['peer', 'guild', 'team', 'account', 'channel', 'default', 'session']),
    replyTo: address,
  }),
  bindings: list(
    z.strictObject({
      path: text,
      agentId: text,
      matches: z.boolean(),
      tier: text.exactOptional(),
      chosen: z.boolean(),
      why: text,
    }),
  ),
  broadcast: z
    .strictObject({ agents: list(text), strategy: z.enum(['parallel', 'sequential']), path: text })
    .exactOptional(),
  sessionKeys: list(text),
};

const seenMessage = z.strictObject({
  runId: text,
  channel: text,
  accountId: text,
  chat: z.strictObject({ kind: chatKind, id: text }),
  threadId: text.exactOptional(),
  sender: z.strictObject({ id: text, name: text.exactOptional() }),
  at: instant,
  state: z.enum(['accepted', 'answered', 'declined', 'failed']),
  reason: text.exactOptional(),
  sessionKey: text,
  agentId: text,
  text: text.describe('At most 80 characters.'),
  steps: list(admissionStep),
});
/** A message that came, with what was decided of it. */
export type SeenMessage = z.output<typeof seenMessage>;

const pairing = z.strictObject({
  channel: text,
  accountId: text,
  id: text.describe("The sender's stable id."),
  code: text,
  name: text.exactOptional(),
  handle: text.exactOptional(),
  createdAtMs: instant,
  lastSeenAtMs: instant,
  expiresAtMs: instant,
});
/** A pairing request for direct chats, or an approved one. */
export type WirePairing = z.output<typeof pairing>;
/** Payloads of the events of pairing requests. */
export const pairingEvents = {
  'channel.pair.requested': pairing,
  'channel.pair.resolved': pairing.extend({ decision: z.enum(['approved', 'rejected']), ts: instant }),
};
/** Payload of `channel.pair.resolved`. */
export type PairResolvedEvent = z.output<(typeof pairingEvents)['channel.pair.resolved']>;

/** Answers of the methods about routing, access and pairing. */
export const accessAnswers = {
  'route.explain': z.strictObject(route),
  'route.review': z.strictObject({
    issues: list(z.strictObject({ path: text, problem: text, fix: text.exactOptional() })),
  }),
  'access.explain': z.strictObject({
    ...route,
    allowed: z.boolean(),
    reason: text,
    steps: list(admissionStep),
    commands: z.boolean(),
    requester,
    reaches: list(reach),
    acts: list(act).exactOptional(),
  }),
  'access.recent': z.strictObject({ messages: list(seenMessage) }),
  'channel.pairing.list': z.strictObject({
    pending: list(pairing),
    approved: list(
      z.strictObject({ id: text, name: text.exactOptional(), at: instant.exactOptional() }),
    ).exactOptional(),
  }),
  'channel.pairing.approve': z.strictObject({ request: pairing }),
  'channel.pairing.reject': z.strictObject({ request: pairing }),
  'channel.pairing.revoke': z.strictObject({ revoked: z.boolean() }),
};
