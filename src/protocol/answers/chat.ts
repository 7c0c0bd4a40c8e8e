/** Answers of `chat.*`: history, files, sending, stopping, and the timeline. */
import { z } from 'zod';
import { historyMessage, usage } from './messages.ts';
import { instant, list, page, text } from './shapes.ts';

const step = z.strictObject({
  what: text,
  outcome: z.enum(['success', 'skipped', 'failed', 'blocked']),
  reason: text.exactOptional(),
  ms: z.number().exactOptional(),
  chosen: z.boolean().exactOptional(),
  reached: list(text).exactOptional().describe('Connections of the command.'),
});

const timelineEntry = z.strictObject({
  stage: text.describe('accepted, routed, queued, model, tool, transcript, outbox, delivered, ended …'),
  at: instant,
  ms: z.number().exactOptional(),
  detail: text.exactOptional(),
  ok: z.boolean().exactOptional(),
  steps: list(step).exactOptional().describe('Attempts for a link or an attachment.'),
});
/** One step of a turn in the timeline. */
export type WireTimelineEntry = z.output<typeof timelineEntry>;

const history = z.strictObject({
  sessionKey: text,
  sessionId: text.exactOptional(),
  messages: list(historyMessage),
  thinkingLevel: text.exactOptional(),
  ...page,
  inFlightRun: z.strictObject({ runId: text, text, progress: text.exactOptional() }).exactOptional(),
});
/** Answer of `chat.history`. */
export type WireHistory = z.output<typeof history>;

const aborted = z.strictObject({ ok: z.literal(true), aborted: z.boolean(), runIds: list(text) });
const files = list(z.strictObject({ id: text, name: text, mime: text, size: z.number() }));

/** Answers of the methods of the web chat. */
export const chatAnswers = {
  'chat.send': z.union([
    z.strictObject({ runId: text, sessionKey: text, status: z.enum(['started', 'in_flight', 'ok']) }),
    aborted,
  ]),
  'chat.history': history,
  'chat.file': z.strictObject({
    id: text,
    size: z.number(),
    offset: z.number(),
    content: text.describe('Base64.'),
    ...page,
  }),
  'chat.abort': aborted,
  'chat.inject': z.strictObject({ ok: z.literal(true), messageId: text }),
  'chat.timeline': z.strictObject({ runId: text, entries: list(timelineEntry) }),
  agent: z.strictObject({
    runId: text,
    status: z.literal('ok'),
    summary: z.enum(['completed', 'aborted']),
    result: z.strictObject({
      payloads: list(z.strictObject({ text, files: files.exactOptional() })),
      meta: z.strictObject({
        durationMs: z.number(),
        usage,
        aborted: z.boolean(),
        deliveryError: text.exactOptional(),
      }),
    }),
  }),
  'agent.wait': z.union([
    z.strictObject({ runId: text, status: z.literal('timeout'), error: text.exactOptional() }),
    z.strictObject({ runId: text, status: z.literal('error'), startedAt: instant, endedAt: instant, error: text }),
    z.strictObject({
      runId: text,
      status: z.literal('ok'),
      startedAt: instant,
      endedAt: instant,
      aborted: z.literal(true).exactOptional(),
    }),
  ]),
};
