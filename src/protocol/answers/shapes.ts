/** Schema parts that several answers share. */
import { z } from 'zod';

/** Any string, also an empty one. */
export const text = z.string();
/** Milliseconds since the epoch. */
export const instant = z.number();
/** A readonly array of `item`. */
export const list = <T extends z.ZodType>(item: T) => z.array(item).readonly();
/** A readonly object with a `value` under each name. */
export const byName = <T extends z.ZodType>(value: T) => z.record(z.string(), value).readonly();
/** The answer of a method that succeeded and has nothing to say. */
export const done = z.strictObject({ ok: z.literal(true) });
/** Whether a list goes on, and where: `nextOffset` with `hasMore`. */
export const page = { hasMore: z.boolean(), nextOffset: z.number().exactOptional() };

/** The kinds of chat. */
export const chatKind = z.enum(['direct', 'group', 'channel']);
/** A chat of an account, with its thread. */
export const address = z.strictObject({
  channel: text,
  accountId: text,
  chat: z.strictObject({ kind: chatKind, id: text }),
  threadId: text.exactOptional(),
  via: text.exactOptional(),
});

/** One look that was taken to decide something; the first that is not `ok` decided. */
export const admissionStep = z.strictObject({
  step: text,
  ok: z.boolean(),
  setting: text.exactOptional().describe('The setting that decides, e.g. `channels.telegram.dmPolicy`.'),
  detail: text.describe('One sentence for a person.'),
});

/** Where a restart that was asked for stands. */
export const restartPlan = z.strictObject({
  ok: z.literal(true),
  delayMs: z.number(),
  scheduledAt: instant,
  reason: text.exactOptional(),
});
