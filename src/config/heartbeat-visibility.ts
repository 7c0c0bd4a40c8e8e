/** What is shown in a chat of heartbeats that came to nothing, and of those that found something. */
import { z } from 'zod';

/** Under a channel, one of its accounts, or `channels.defaults`. */
export const visibilitySchema = z.object({
  showOk: z.boolean().optional().describe('Send a message if nothing needs attention. Default: false.'),
  showAlerts: z.boolean().optional().describe('Send reports. Default: true.'),
  useIndicator: z.boolean().optional().describe('Show heartbeats in clients. Default: true.'),
});
