/** What the method of usage answers: what was used each day, by agent, channel and model. */
import { z } from 'zod';
import { list, text } from '../../protocol/answers/shapes.ts';
import { LATENCY_BOUNDS } from './latency.ts';

const row = z.strictObject({
  day: text.describe('`2026-11-27`, in `zone`.'),
  agent: text,
  channel: text,
  model: text.describe('`provider/model`.'),
  turns: z.number(),
  failed: z.number().describe('Turns of those that ended with an error or were stopped.'),
  calls: z.number().describe('Answers of the model, those that called tools among them.'),
  input: z.number().describe('Tokens.'),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  cost: z.number().describe('US dollars, of calls whose model has prices.'),
  priced: z.number().describe('How many of the calls have a price.'),
  latency: list(z.number()).describe('Turns by the seconds from message to answer; see `bounds`.'),
});
/** What one agent used of one model for one channel on one day. */
export type UsageRow = z.output<typeof row>;

const report = z.strictObject({
  zone: text,
  today: text,
  from: text,
  rows: list(row),
  bounds: list(z.number()).describe(
    `Upper bounds in seconds, ${LATENCY_BOUNDS.length}; the last count is of all above.`,
  ),
  budget: z.strictObject({ dailyUsd: z.number().exactOptional(), monthlyUsd: z.number().exactOptional() }),
  reading: z
    .strictObject({ done: z.number(), total: z.number() })
    .exactOptional()
    .describe('Transcripts are still being read; `usage.changed` tells of the end.'),
});
/** Answer of `usage.report`. */
export type UsageReport = z.output<typeof report>;

export const answers = { 'usage.report': report };
export type UsageAnswers = { readonly [M in keyof typeof answers]: z.output<(typeof answers)[M]> };

/** Payloads of the events of usage. */
export const payloads = { 'usage.changed': z.strictObject({ day: text }) };

type Payloads = { readonly [E in keyof typeof payloads]: z.output<(typeof payloads)[E]> };
declare module '../../protocol/answers.ts' {
  interface FeatureAnswers extends UsageAnswers {}
  interface FeatureEvents extends Payloads {}
}
