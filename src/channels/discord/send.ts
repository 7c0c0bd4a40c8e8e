/** Sending, changing, taking back and looking up messages of the bot. */
import { Routes, type APIMessage, type APIThreadChannel } from '@discordjs/core';
import {
  AppError,
  type ChannelAccount,
  type ChannelConnection,
  type ChatAddress,
  type OutboundMessage,
  head,
  setNewest,
} from '../../sdk/index.ts';
import type { Call } from './api.ts';
import type { DiscordConfig } from './config.ts';
import { CODE, codeOf } from './errors.ts';
import { nonceOf, type Ledger } from './ledger.ts';
import { contentOf, draftOf, plainOf, type Draft } from './outgoing.ts';
import { missingToSend } from './permissions.ts';
import { idAt } from './place.ts';
import type { Places } from './places.ts';
import { emojiPath } from './reaction.ts';
import type { Responses } from './responses.ts';

export interface SendDeps {
  readonly call: Call;
  readonly places: Places;
  readonly account: ChannelAccount<DiscordConfig>;
  readonly responses: Responses;
  readonly ledger: Ledger;
  readonly botId: string;
}

export type Sending = Required<
  Pick<ChannelConnection, 'send' | 'readBack' | 'edit' | 'remove' | 'react' | 'typing' | 'poll'>
> & {
  /** The channel that is written to; opens what does not exist yet. */
  channelOf(to: ChatAddress): Promise<string>;
};

/** Our clock and Discord's may differ. */
const CLOCK_SLACK_MS = 5000;
const NAME_LENGTH = 80;

export function createSending(deps: SendDeps): Sending {
  const { call, places, account, responses, ledger } = deps;
  const threads = new Map<string, string>();

  async function channelOf(to: ChatAddress): Promise<string> {
    if (to.chat.kind === 'direct') return places.directChannel(to.chat.id);
    if (to.threadId === undefined) return to.chat.id;
    if (to.via !== 'thread') return to.threadId;
    const known = threads.get(to.threadId);
    return known ?? setNewest(threads, to.threadId, await openThread(to.chat.id, to.threadId), 1000);
  }

  /** A thread on a message has the message's id. Where the bot may not open one, the answer goes into the channel. */
  async function openThread(channelId: string, messageId: string): Promise<string> {
    try {
      const { content } = await call<APIMessage>(
        'get',
        Routes.channelMessage(channelId, messageId),
        `reading message ${messageId}`,
      );
      return (
        await call<APIThreadChannel>(
          'post',
          Routes.threads(channelId, messageId),
          `opening a thread on message ${messageId}`,
          { body: { name: threadName(content), auto_archive_duration: 1440 } },
        )
      ).id;
    } catch (error) {
      if (codeOf(error) === CODE.threadExists) return messageId;
      if (!(error instanceof AppError) || error.retryable || error.code === 'auth') throw error;
      account.log.warn('discord.thread', { channel: channelId, error });
      return channelId;
    }
  }

  async function post(to: ChatAddress, token: string, draft: Draft): Promise<string> {
    const answered = await responses.answer(to.via, draft);
    if (answered !== undefined) return answered;
    const channelId = await channelOf(to);
    const nonce = nonceOf(token);
    ledger.expect(nonce);
    const doing = `sending to channel ${channelId}`;
    try {
      const { id } = await call<APIMessage>('post', Routes.channelMessages(channelId), doing, {
        body: { ...bodyIn(channelId, to, draft), nonce, enforce_nonce: true },
        files: draft.files,
      });
      ledger.sent(nonce, id);
      return id;
    } catch (error) {
      throw await explained(error, { channelId, files: draft.files.length > 0 });
    }
  }

  async function explained(thrown: unknown, at: { channelId: string; files: boolean }): Promise<unknown> {
    if (codeOf(thrown) !== CODE.missingPermissions && codeOf(thrown) !== CODE.missingAccess) return thrown;
    // an explanation, not more
    const missing = await missingToSend({ call, places, botId: deps.botId }, at).catch(() => []);
    return missing.length === 0
      ? thrown
      : new AppError(
          'denied',
          `The bot may not write in channel ${at.channelId}: it lacks ${missing.join(', ')}. Give its role these permissions in the server or in this channel.`,
          { cause: thrown },
        );
  }

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
    async send(to, message) {
      const id = await withMarkup(message, async (content) =>
        post(to, message.token, await draftOf(message.payload, { content, account })),
      );
      return { messageIds: [id] };
    },
    async readBack(to, token, { payload, since }) {
      const nonce = nonceOf(token);
      const known = ledger.messageOf(nonce);
      if (known !== undefined) return [known];
      const fits = matcher(payload, account.config);
      const shown = to.via?.startsWith('interaction:')
        ? await responses.shown(to.via).catch(() => undefined)
        : undefined; // gone: the chat is looked at
      if (shown && fits(shown)) return [shown.id];
      const channelId = to.via === 'thread' ? to.threadId! : await channelOf(to);
      const found = (await recent(channelId, since - CLOCK_SLACK_MS)).find(
        (entry) => entry.author.id === deps.botId && !ledger.isClaimed(entry.id, nonce) && fits(entry),
      );
      if (!found) return [];
      ledger.sent(nonce, found.id);
      return [found.id];
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
    async react(to, messageId, emoji, options) {
      const channelId = await channelOf(to);
      const at = (path: string): `/${string}` => Routes.channelMessageOwnReaction(channelId, messageId, path);
      if (emoji !== '')
        return void (await call(
          options?.remove ? 'delete' : 'put',
          at(emojiPath(emoji)),
          `reacting to message ${messageId}`,
        ));
      const { reactions = [] } = await call<APIMessage>(
        'get',
        Routes.channelMessage(channelId, messageId),
        `reading the reactions of message ${messageId}`,
      );
      for (const { me, emoji: one } of reactions) {
        if (me)
          await call(
            'delete',
            at(emojiPath(one.id ? `${one.name}:${one.id}` : (one.name ?? ''))),
            `taking a reaction back from message ${messageId}`,
          );
      }
    },
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

  async function recent(channelId: string, since: number): Promise<readonly APIMessage[]> {
    try {
      return await call<APIMessage[]>(
        'get',
        Routes.channelMessages(channelId),
        `looking whether a message arrived in channel ${channelId}`,
        { query: { limit: 100, after: idAt(since) } },
      );
    } catch (error) {
      if (codeOf(error) === CODE.unknownChannel) return []; // the thread was not opened: nothing can be in it
      throw error;
    }
  }
}

/** The message a new thread hangs on lies outside it: it cannot be replied to from inside. */
function bodyIn(channelId: string, { via, chat }: ChatAddress, { body }: Draft): Draft['body'] {
  if (via !== 'thread' || channelId === chat.id) return body;
  const { message_reference: _outside, ...rest } = body;
  return rest;
}

/** Discord tells no nonce in its history: what was said tells which message it is. */
function matcher(payload: OutboundMessage['payload'], config: DiscordConfig): (message: APIMessage) => boolean {
  const contents = [contentOf(payload, config).trim(), plainOf(payload).trim()];
  return ({ content, attachments }) =>
    contents.includes(content.trim()) && attachments.length === (payload.media?.length ?? 0);
}

function threadName(content: string): string {
  const line = content
    .replace(/<@[!&]?\d+>/g, '')
    .trim()
    .split('\n', 1)[0]!
    .trim();
  return line === '' ? 'Conversation' : head(line, NAME_LENGTH);
}
