/** The `commands` slice of the configuration. */
import { z } from 'zod';

export const commandsConfigSchema = z.object({
  text: z.boolean().default(true).describe('Read `/commands` in plain text.'),
  restart: z.boolean().default(false).describe('Accepted; no part of this version reads it.'),
  useAccessGroups: z.boolean().default(true).describe('Accepted; only senders an access list allows may use commands in any case.'),
}).prefault({});
export type CommandsConfig = z.output<typeof commandsConfigSchema>;
