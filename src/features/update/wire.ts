/** Parameters of `update.*`: newer code, and what is known of it. */
import { z } from 'zod';
import { ignored, milliseconds } from '../../protocol/fields.ts';

export const updateRunParams = z.strictObject({
  sessionKey: z.string().optional().describe('Session to notify after the restart.'),
  note: z.string().max(2000).optional().describe('Text of that notification.'),
  restartDelayMs: milliseconds
    .optional()
    .describe('Milliseconds between the update and the restart, at most 60 000. Default: 2000.'),
  timeoutMs: milliseconds
    .optional()
    .describe('Timeout of the update in milliseconds, at least 1000. Default: 20 minutes.'),
  deliveryContext: ignored,
  continuationMessage: ignored,
  target: ignored,
});

export const updateStatusParams = z.strictObject({
  refreshCheckout: z
    .boolean()
    .optional()
    .describe('Query the remote or the registry again, even if the last result is recent.'),
});
