/** `tools.message`: how far the `message` tool may write beyond the chat a turn came from. */
import { z } from 'zod';

export const messageToolSchema = z
  .object({
    allowCrossContextSend: z
      .boolean()
      .default(false)
      .describe('The `message` tool may write anywhere, whatever `crossContext` says.'),
    crossContext: z
      .object({
        allowAcrossProviders: z
          .boolean()
          .default(false)
          .describe('A turn that came from one channel may write on another.'),
        allowWithinProvider: z
          .boolean()
          .default(true)
          .describe('A turn may write in other chats of the channel it came from.'),
        marker: z
          .object({
            enabled: z.boolean().default(true).describe('Such messages begin with `[from <channel>] `.'),
          })
          .prefault({})
          .describe('How a message from elsewhere is marked.'),
      })
      .prefault({})
      .describe('Messages to another chat than the one the turn came from.'),
  })
  .prefault({});

export type MessageToolConfig = z.output<typeof messageToolSchema>;
