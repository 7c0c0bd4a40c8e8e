/** What the methods of updates answer: what was done, and what is known of newer code. */
import { z } from 'zod';
import { instant, list, text } from '../../protocol/answers/shapes.ts';

const mode = z.enum(['git', 'npm', 'none']);
const outcome = z.enum(['ok', 'error', 'skipped']);
/** One state of the code; `sha` in checkouts. */
const version = z.strictObject({ version: text, sha: text.exactOptional() });

const step = z.strictObject({
  name: text,
  command: text,
  cwd: text,
  durationMs: z.number(),
  log: z
    .strictObject({ stdoutTail: text, stderrTail: text, exitCode: z.number().nullable() })
    .describe('The end of its output, without secrets; `exitCode` is null if it was killed.'),
});

const report = z.strictObject({
  status: outcome.describe(
    '`skipped`: nothing was changed. `error`: it failed, and the old code was restored unless `advice` ' +
      'says otherwise.',
  ),
  mode,
  root: text,
  reason: text.exactOptional().describe('Machine-readable reason, e.g. `dirty`, `up-to-date`, `build-failed`.'),
  advice: text.exactOptional().describe('Reason for people, with what to do.'),
  before: version.exactOptional(),
  after: version.exactOptional(),
  steps: list(step),
  durationMs: z.number(),
});

export const answers = {
  'update.run': z.strictObject({
    ok: z.boolean(),
    result: report,
    restart: z.strictObject({ scheduledAt: instant, delayMs: z.number() }).nullable(),
  }),
  'update.status': z.strictObject({
    sentinel: z.null(),
    updateAvailable: z
      .strictObject({
        currentVersion: text,
        latestVersion: text,
        channel: z.enum(['dev', 'stable']),
        currentSha: text.exactOptional(),
        upstreamRef: text.exactOptional(),
        upstreamSha: text.exactOptional(),
        commitsBehind: z.number().exactOptional(),
      })
      .nullable(),
    mode,
    root: text,
    current: version,
    reason: text.exactOptional().describe('Why an update is not possible.'),
    advice: text.exactOptional(),
    running: z.strictObject({ step: text, startedAt: instant }).exactOptional(),
    last: z.strictObject({ status: outcome, reason: text.exactOptional(), endedAt: instant }).exactOptional(),
  }),
};
export type UpdateAnswers = { readonly [M in keyof typeof answers]: z.output<(typeof answers)[M]> };
