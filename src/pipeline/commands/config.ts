/** The `commands` slice of the configuration. */
import { z } from 'zod';

export const commandsConfigSchema = z
  .object({
    text: z
      .boolean()
      .default(true)
      .describe(
        'Recognize commands such as `/status` in message text. False: not on platforms with native commands. ' +
          'Stopping always works.',
      ),
    native: z
      .union([z.boolean(), z.literal('auto')])
      .default('auto')
      .describe(
        'Register commands with platforms that support it. `auto`: on channels where this is usual, e.g. ' +
          'Telegram and Discord.',
      ),
    config: z.boolean().default(false).describe('Enable `/config`, which reads and changes this file from a chat.'),
    debug: z.boolean().default(false).describe('Enable `/debug`, which overrides settings until the next start.'),
    bash: z
      .boolean()
      .default(false)
      .describe(
        'Enable `/bash`, with which the owner runs commands from a chat, under the policy and approvals of the agent.',
      ),
    restart: z
      .boolean()
      .optional()
      .describe(
        'True: `/restart` works, agents may restart the gateway in every conversation, and SIGUSR1 ' +
          'and SIGHUP restart it. False: agents may never restart it. Absent: only in turns of the owner.',
      ),
    ownerAllowFrom: z
      .array(z.string())
      .optional()
      .describe(
        'Senders who may use owner commands, as `channel:senderId`. Absent: the senders that a ' +
          'channel lists by id in `allowFrom`.',
      ),
    useAccessGroups: z
      .boolean()
      .default(true)
      .describe(
        'Only senders listed by id (in `allowFrom`, `groupAllowFrom` or a list of the ' +
          'chat) or, in direct chats, approved by pairing may use commands; `*` is not enough. False: everybody who ' +
          'may write.',
      ),
  })
  .prefault({});
export type CommandsConfig = z.output<typeof commandsConfigSchema>;
