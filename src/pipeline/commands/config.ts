/** The `commands` slice of the configuration. */
import { z } from 'zod';

export const commandsConfigSchema = z.object({
  text: z.boolean().default(true).describe('Read `/commands` in plain text.'),
  restart: z.boolean().default(false).describe('Let people with command rights restart the gateway with /restart.'),
  useAccessGroups: z.boolean().default(true).describe('Only senders an access list allows may use commands.'),
}).prefault({});
export type CommandsConfig = z.output<typeof commandsConfigSchema>;
