/** Answers of `config.*`: the configuration file with secrets hidden. */
import { z } from 'zod';
import { byName, instant, list, restartPlan, text } from './shapes.ts';

const issue = z.strictObject({
  path: text,
  message: text.describe('`problem` and `fix` in one sentence.'),
  problem: text,
  fix: text.exactOptional(),
});
/** One problem of the configuration file. */
export type WireConfigIssue = z.output<typeof issue>;

const snapshot = z.strictObject({
  path: text,
  exists: z.boolean(),
  raw: text,
  hash: text.describe('sha256 of `raw`; empty when the file is missing.'),
  parsed: z.unknown(),
  valid: z.boolean(),
  config: z.unknown(),
  source: z.enum(['file', 'last-good', 'defaults']),
  safeMode: z.boolean(),
  issues: list(issue),
  warnings: list(issue),
  legacyIssues: list(z.never()),
});
/** Answer of `config.get`: the file with its secrets masked. */
export type WireConfig = z.output<typeof snapshot>;

const saved = { ok: z.literal(true), path: text, config: z.unknown(), hash: text };

const version = z.strictObject({
  hash: text.describe('sha256 of the text; names it in `config.restore`.'),
  raw: text.describe('With secrets masked, as in `config.get`.'),
  replacedAt: instant,
});
/** One row of `config.history`. */
export type WireConfigVersion = z.output<typeof version>;

/** Answers of the methods about configuration. */
export const configAnswers = {
  'config.get': snapshot,
  'config.schema': z.strictObject({
    schema: z.unknown().describe('JSON Schema.'),
    uiHints: byName(
      z.strictObject({
        label: text.exactOptional(),
        help: text.exactOptional(),
        group: text.exactOptional(),
        order: z.number().exactOptional(),
        advanced: z.boolean().exactOptional(),
        sensitive: z.boolean().exactOptional(),
        placeholder: text.exactOptional(),
      }),
    ),
    version: text,
    generatedAt: text,
  }),
  'config.history': z.strictObject({ versions: list(version) }),
  'config.set': z.strictObject(saved),
  'config.restore': z.strictObject(saved),
  'config.patch': z.strictObject({ ...saved, restart: restartPlan.exactOptional() }),
  'config.apply': z.strictObject({ ...saved, restart: restartPlan }),
};
