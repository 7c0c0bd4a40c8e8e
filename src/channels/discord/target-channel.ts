/** Finds the channel for an answer; creates it if it does not exist yet. */
import { Routes, type APIMessage, type APIThreadChannel } from '@discordjs/core';
import { AppError, head, setNewest, type ChatAddress } from '../../sdk/index.ts';
import { CODE, codeOf } from './errors.ts';
import type { SendDeps } from './send-deps.ts';

const NAME_LENGTH = 80;
const MAX_THREADS = 1000;

export type ChannelOf = (to: ChatAddress) => Promise<string>;

export function createChannelOf({ call, places, account }: Pick<SendDeps, 'call' | 'places' | 'account'>): ChannelOf {
  const threads = new Map<string, string>();

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

  return async (to) => {
    if (to.chat.kind === 'direct') return places.directChannel(to.chat.id);
    if (to.threadId === undefined) return to.chat.id;
    if (to.via !== 'thread') return to.threadId;
    const known = threads.get(to.threadId);
    return known ?? setNewest(threads, to.threadId, await openThread(to.chat.id, to.threadId), MAX_THREADS);
  };
}

function threadName(content: string): string {
  const line = content
    .replace(/<@[!&]?\d+>/g, '')
    .trim()
    .split('\n', 1)[0]!
    .trim();
  return line === '' ? 'Conversation' : head(line, NAME_LENGTH);
}
