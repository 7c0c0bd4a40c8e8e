/** Parameters of `config.*`: reading and changing the configuration file. */
import { z } from 'zod';
import { ignored, milliseconds, noParams, text } from './fields.ts';

export const configGetParams = noParams;
export const configSchemaParams = noParams;

/** `raw` is a whole JSON5 document; `baseHash` is the hash it was made from. */
export const configSetParams = z.strictObject({ raw: text, baseHash: text.optional() });

/** `raw` is a document for `config.apply`, a merge patch (null deletes) for `config.patch`. */
export const configApplyParams = z.strictObject({
  raw: text,
  baseHash: text.optional(),
  /** The session that is told once the gateway is back. */
  sessionKey: z.string().optional(),
  note: z.string().optional(),
  restartDelayMs: milliseconds.optional(),
  deliveryContext: ignored,
});
export const configPatchParams = configApplyParams.extend({ replacePaths: ignored });
