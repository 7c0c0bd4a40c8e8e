/** Web chat: messages arrive through gateway methods; replies are stored in the session's history. */
import { z } from 'zod';
import type { ChannelPlugin } from '../../sdk/index.ts';

const webchat: ChannelPlugin<Record<string, never>> = {
  id: 'webchat',
  label: 'Web chat',
  order: 0,
  config: z.object({}),
  capabilities: {
    chats: ['direct'],
    threads: false,
    edit: false,
    react: false,
    typing: false,
    media: true,
    voice: false,
    markdown: 'full',
    maxTextLength: Number.MAX_SAFE_INTEGER,
    idempotentSend: true,
    operator: true,
    deliverable: false,
  },
  async connect(account) {
    return {
      async send(_to, message) {
        await account.show(message);
        return { messageIds: [message.token] };
      },
      probe: async () => ({ ok: true }),
      [Symbol.asyncDispose]: async () => {},
    };
  },
};

export default webchat;
