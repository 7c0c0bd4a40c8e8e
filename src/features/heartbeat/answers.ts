/** The responses of the heartbeat methods, and a tick in the format of the protocol. */
import { z } from 'zod';
import { instant, text } from '../../protocol/answers/shapes.ts';

const runTick = z.strictObject({
  ts: instant,
  agentId: text,
  sessionKey: text,
  status: z
    .enum(['sent', 'ok', 'skipped', 'failed'])
    .describe(
      '`sent`: a report was sent; `ok`: nothing to report; `skipped`: it did not run, or had nothing ' +
        'new; `failed`: it failed.',
    ),
  reason: text.describe(
    'Why it ran (`interval`, `wake`, `cron:<id>` …), or why it did not (`quiet-hours`, `disabled`, ' +
      '`empty-heartbeat-file`, `alerts-disabled`, `requests-in-flight`, `duplicate`, `no-target`).',
  ),
  preview: text.exactOptional(),
  channel: text.exactOptional(),
  to: text.exactOptional(),
  durationMs: z.number().exactOptional(),
  silent: z.boolean().exactOptional(),
  indicator: z.boolean().exactOptional().describe('False: clients should not show it (`useIndicator`).'),
});
export type HeartbeatEvent = z.output<typeof runTick>;

const last = runTick.extend({
  nextAtMs: instant.nullable().describe('Null: heartbeats are off for this agent, or for all agents.'),
  enabled: z.boolean(),
});
export type LastHeartbeat = z.output<typeof last>;

export const answers = {
  'last-heartbeat': last.nullable(),
  'set-heartbeats': z.strictObject({ ok: z.literal(true), enabled: z.boolean() }),
};
export type HeartbeatAnswers = { readonly [M in keyof typeof answers]: z.output<(typeof answers)[M]> };

export const payloads = { heartbeat: runTick };
