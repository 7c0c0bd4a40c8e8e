/** Sends, edits, deletes and looks up the bot's messages. */
import { Routes, type APIMessage } from '@discordjs/core';
import { AppError, type ChannelConnection, type ChatAddress, type OutboundMessage } from '../../sdk/index.ts';
import { CODE, codeOf } from './errors.ts';
import { contentOf, draftOf, plainOf } from './outgoing.ts';
import { createPost } from './post.ts';
import { createReadBack } from './read-back.ts';
import { react } from './react.ts';
import type { SendDeps } from './send-deps.ts';
import { createChannelOf } from './target-channel.ts';

export type Sending = Required<
  Pick<ChannelConnection, 'send' | 'readBack' | 'edit' | 'remove' | 'react' | 'typing' | 'poll'>
> & {
  /** The channel that is written to; opens what does not exist yet. */
  channelOf(to: ChatAddress): Promise<string>;
};

export function createSending(deps: SendDeps): Sending {
  const { call, account } = deps;
  const channelOf = createChannelOf(deps);
  const post = createPost(deps, channelOf);

  /** What Discord does not take with markup it gets without. */
  async function withMarkup<T>({ payload }: OutboundMessage, go: (content: string) => Promise<T>): Promise<T> {
    const content = contentOf(payload, account.config);
    try {
      return await go(content);
    } catch (error) {
      if (payload.plain || content === '' || codeOf(error) !== CODE.invalidForm) throw error;
      return await go(plainOf(payload));
    }
  }

  return {
    channelOf,
    readBack: createReadBack(deps, channelOf),
    async send(to, message) {
      const id = await withMarkup(message, async (content) =>
        post(to, message.token, await draftOf(message.payload, { content, account })),
      );
      return { messageIds: [id] };
    },
    async edit(to, messageId, message) {
      const channelId = await channelOf(to);
      await withMarkup(message, (content) =>
        call('patch', Routes.channelMessage(channelId, messageId), `changing message ${messageId}`, {
          body: { content, allowed_mentions: { parse: [] } },
        }),
      );
    },
    async remove(to, messageId) {
      await call('delete', Routes.channelMessage(await channelOf(to), messageId), `deleting message ${messageId}`);
    },
    react: async (to, messageId, emoji, options) =>
      react(call, { channelId: await channelOf(to), messageId }, emoji, options?.remove === true),
    async typing(to) {
      if (to.via?.startsWith('interaction:')) return; // Discord shows there that an answer comes
      await call('post', Routes.channelTyping(await channelOf(to)), 'showing that the bot types');
    },
    async poll(to, { question, options, maxSelections, durationHours = 24 }) {
      if (options.length < 2 || options.length > 10)
        throw new AppError('invalid', `A poll on Discord has 2 to 10 answers, not ${options.length}.`);
      const channelId = await channelOf(to);
      const poll = {
        question: { text: question },
        answers: options.map((text) => ({ poll_media: { text } })),
        duration: Math.round(Math.min(768, Math.max(1, durationHours))),
        allow_multiselect: maxSelections > 1,
        layout_type: 1,
      };
      const { id } = await call<APIMessage>(
        'post',
        Routes.channelMessages(channelId),
        `asking in channel ${channelId}`,
        { body: { poll, allowed_mentions: { parse: [] } } },
      );
      return { messageIds: [id], pollId: id };
    },
  };
}
