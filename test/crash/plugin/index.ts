/** A third-party plugin: a channel over HTTP, and a tool with a side effect. */
import { z } from 'zod';
import { AppError, defineTool, textResult, type ChannelPlugin } from '../../../src/sdk/index.ts';
import { typed } from '../../../src/sdk/said.ts';

const post = async (url: string, body: unknown): Promise<any> => {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  }).catch((cause: unknown) => {
    throw new AppError('network', 'the platform hung up', { cause });
  });
  return response.json();
};

const pipe: ChannelPlugin<{ url: string }> = {
  id: 'pipe',
  label: 'Pipe',
  config: z.looseObject({ url: z.string() }),
  capabilities: {
    chats: ['direct', 'group'],
    threads: false,
    edit: false,
    react: false,
    typing: false,
    media: false,
    voice: false,
    markdown: 'none',
    maxTextLength: 4000,
    idempotentSend: false,
    deliverable: true,
  },
  parseTarget: (target) => ({ chat: { kind: 'direct', id: target } }),
  async connect({ config, receive, keep, signal, accountId }) {
    const poll = async (): Promise<void> => {
      while (!signal.aborted) {
        const updates: any[] = (await fetch(`${config.url}/updates`, { signal }).then(
          (response) => response.json(),
          () => [],
        )) as any[];
        for (const {
          id,
          chat,
          text,
          kind = 'direct',
          sender = chat,
          addressesBot = true,
          attachments = [],
          file,
        } of updates) {
          const kept = file
            ? [await keep({ data: Buffer.from(file.content, 'base64'), mime: file.mime, name: file.name })]
            : [];
          // The platform hears of it only once it is on disk; until then it sends it again.
          const taken = await receive({
            id,
            text,
            said: typed(text),
            attachments: [...attachments, ...kept],
            addressesBot,
            receivedAt: Date.now(),
            sender: { id: sender },
            address: { channel: 'pipe', accountId, chat: { kind, id: chat } },
          }).then(
            () => true,
            () => false,
          );
          if (taken) await post(`${config.url}/ack`, { id });
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    void poll().catch(() => undefined);
    return {
      async send(to, { token, payload }) {
        const { id } = await post(`${config.url}/send`, { chat: to.chat.id, text: payload.text ?? '', token });
        return { messageIds: [id] };
      },
      readBack: async (_to, token) => post(`${config.url}/find`, { token }),
      probe: async () => ({ ok: true }),
      [Symbol.asyncDispose]: async () => {},
    };
  },
};

const effect = defineTool({
  name: 'effect',
  summary: 'Does something that can be counted.',
  description: 'Does something that can be counted.',
  input: z.object({ url: z.string().optional(), name: z.string() }),
  async run({ name }) {
    await post(`${process.env['FIXTURE_URL']!}/effect`, { name });
    return textResult(`did ${name}`);
  },
});

export default [pipe, effect];
