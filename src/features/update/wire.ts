/** Parameters of `update.*`: newer code, and what is known of it. */
import { z } from 'zod';
import { ignored, milliseconds } from '../../protocol/fields.ts';

export const updateRunParams = z.strictObject({
  sessionKey: z.string().optional().describe('The session that is told once the gateway is back.'),
  note: z.string().max(2000).optional().describe('What it is told.'),
  restartDelayMs: milliseconds
    .optional()
    .describe('Milliseconds between the update and the restart, at most 60 000; default 2000.'),
  timeoutMs: milliseconds.optional().describe('Milliseconds the update may take, at least 1000; default 20 minutes.'),
  deliveryContext: ignored,
  continuationMessage: ignored,
  target: ignored,
});

export const updateStatusParams = z.strictObject({
  refreshCheckout: z
    .boolean()
    .optional()
    .describe('Ask the remote or the registry again, whatever was found a minute ago.'),
});
