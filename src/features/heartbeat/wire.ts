/** Parameters of the heartbeat methods. */
import { z } from 'zod';
import { text } from '../../protocol/fields.ts';

export const lastHeartbeatParams = z.strictObject({
  agentId: text.optional().describe('Default: the agent with the latest heartbeat.'),
});
export const setHeartbeatsParams = z.strictObject({
  enabled: z.boolean().describe('False: no heartbeats and no wakes until the next start.'),
});
