/** Parameters of the heartbeat methods. */
import { z } from 'zod';
import { text } from '../../protocol/fields.ts';

export const lastHeartbeatParams = z.strictObject({
  agentId: text.optional().describe('Default: whichever agent looked last.'),
});
export const setHeartbeatsParams = z.strictObject({
  enabled: z.boolean().describe('False: nobody looks and nobody is woken, until the next start.'),
});
