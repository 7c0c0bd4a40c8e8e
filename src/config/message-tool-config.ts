/** `tools.message`: how far the `message` tool may write beyond the chat a turn came from. */
import { z } from 'zod';

export const messageToolSchema = z
  .object({
    allowCrossContextSend: z
      .boolean()
      .default(false)
      .describe('Let the `message` tool write to any chat, regardless of `crossContext`.'),
    crossContext: z
      .object({
        allowAcrossProviders: z.boolean().default(false).describe('Let a turn write to channels other than its own.'),
        allowWithinProvider: z.boolean().default(true).describe('Let a turn write to other chats of its own channel.'),
        marker: z
          .object({
            enabled: z.boolean().default(true).describe('Start such messages with `[from <channel>] `.'),
          })
          .prefault({})
          .describe('Marker on such messages.'),
      })
      .prefault({})
      .describe('Messages to chats other than the one the turn came from.'),
  })
  .prefault({});

export type MessageToolConfig = z.output<typeof messageToolSchema>;
