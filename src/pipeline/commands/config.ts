/** The `commands` slice of the configuration. */
import { z } from 'zod';

export const commandsConfigSchema = z
  .object({
    text: z
      .boolean()
      .default(true)
      .describe(
        'Read `/commands` in plain text. False: not where the platform offers them itself; stopping always works.',
      ),
    native: z
      .union([z.boolean(), z.literal('auto')])
      .default('auto')
      .describe(
        'Register commands with platforms that have them. `auto`: where that is usual, e.g. Telegram and Discord.',
      ),
    config: z.boolean().default(false).describe('`/config`: read and change this file from a chat.'),
    debug: z.boolean().default(false).describe('`/debug`: settings that hold until the next start.'),
    bash: z
      .boolean()
      .default(false)
      .describe('`/bash`: the owner runs commands from a chat, under the same policy and approvals as the agent.'),
    restart: z
      .boolean()
      .optional()
      .describe(
        'True: `/restart` works, agents may restart the gateway in every conversation, and it obeys SIGUSR1 ' +
          "and SIGHUP from outside. False: agents never may. Absent: only the owner's may.",
      ),
    ownerAllowFrom: z
      .array(z.string())
      .optional()
      .describe(
        'Who may use the commands of the owner from a channel, as `channel:senderId`. Absent: the senders a ' +
          "channel's `allowFrom` names one by one.",
      ),
    useAccessGroups: z
      .boolean()
      .default(true)
      .describe(
        'Commands are for senders a list names one by one (`allowFrom`, `groupAllowFrom`, a list of the ' +
          'place) or, in direct chats, whose pairing was approved; `*` is not enough. False: for everybody who ' +
          'may write.',
      ),
  })
  .prefault({});
export type CommandsConfig = z.output<typeof commandsConfigSchema>;
