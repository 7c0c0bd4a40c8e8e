/** Parameters of `config.*`. */
import { z } from 'zod';
import { ignored, milliseconds, noParams, text } from './fields.ts';

/** `config.get`: takes nothing; answers the file with secrets masked, its problems and its hash. */
export const configGetParams = noParams;
/** `config.schema`: takes nothing; answers the JSON Schema and hints for a form. */
export const configSchemaParams = noParams;

/** `config.history`: takes nothing; answers the texts of the file that were replaced, with secrets masked. */
export const configHistoryParams = noParams;

/** A document far larger than any configuration would be checked without a pause. */
const document = text.max(512 * 1024);
const baseHash = text
  .optional()
  .describe('`hash` of the `config.get` the change is based on; required when the file exists.');

/** `config.set`: replaces the file; `conflict` when it was changed since `baseHash`. */
export const configSetParams = z.strictObject({ raw: document.describe('The whole document, JSON5.'), baseHash });

/** `config.restore`: puts a text of `config.history` back, with its secrets. */
export const configRestoreParams = z.strictObject({ version: text.describe('`hash` of the version.'), baseHash });

/** `config.apply`: replaces the file and restarts the gateway. */
export const configApplyParams = z.strictObject({
  raw: document.describe('The whole document, JSON5.'),
  baseHash,
  sessionKey: z.string().optional().describe('Session to notify after the restart.'),
  note: z.string().optional(),
  restartDelayMs: milliseconds.optional().describe('Milliseconds, at most 60 000; default 2000.'),
  deliveryContext: ignored,
});
/** `config.patch`: changes some settings and keeps the rest of the file as it is written. */
export const configPatchParams = configApplyParams.extend({
  raw: document.describe('JSON5 object; values replace settings, null removes them.'),
  restartDelayMs: milliseconds
    .optional()
    .describe('Restart after this time in milliseconds. Absent: the reload rules decide.'),
  replacePaths: ignored,
});
