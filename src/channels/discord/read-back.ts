/** Finds out whether a send arrived: from gateway events, else from the channel's recent messages. */
import { Routes, type APIMessage } from '@discordjs/core';
import type { ChannelConnection, ChatAddress, OutboundMessage } from '../../sdk/index.ts';
import type { DiscordConfig } from './config.ts';
import { CODE, codeOf } from './errors.ts';
import { nonceOf } from './ledger.ts';
import { contentOf, plainOf } from './outgoing.ts';
import { idAt } from './place.ts';
import type { SendDeps } from './send-deps.ts';
import type { ChannelOf } from './target-channel.ts';

/** Our clock and Discord's may differ. */
const CLOCK_SLACK_MS = 5000;

export function createReadBack(
  { call, account, responses, ledger, botId }: SendDeps,
  channelOf: ChannelOf,
): NonNullable<ChannelConnection['readBack']> {
  /** What stands there as the answer to an interaction; where that is gone the chat is looked at. */
  async function shownAt({ via }: ChatAddress): Promise<APIMessage | undefined> {
    if (!via?.startsWith('interaction:')) return undefined;
    try {
      return await responses.shown(via);
    } catch (error) {
      account.log.debug('discord.shown', { error });
      return undefined;
    }
  }

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

  return async (to, token, { payload, since }) => {
    const nonce = nonceOf(token);
    const known = ledger.messageOf(nonce);
    if (known !== undefined) return [known];
    const fits = matcher(payload, account.config);
    const shown = await shownAt(to);
    if (shown && fits(shown)) return [shown.id];
    const channelId = to.via === 'thread' ? to.threadId! : await channelOf(to);
    const found = (await recent(channelId, since - CLOCK_SLACK_MS)).find(
      (entry) => entry.author.id === botId && !ledger.isClaimed(entry.id, nonce) && fits(entry),
    );
    if (!found) return [];
    ledger.sent(nonce, found.id);
    return [found.id];
  };
}

/** Discord tells no nonce in its history: what was said tells which message it is. */
function matcher(payload: OutboundMessage['payload'], config: DiscordConfig): (message: APIMessage) => boolean {
  const contents = [contentOf(payload, config).trim(), plainOf(payload).trim()];
  return ({ content, attachments }) =>
    contents.includes(content.trim()) && attachments.length === (payload.media?.length ?? 0);
}
