/** Posts one new message: as an interaction response, or in a channel with a nonce that identifies it. */
import { Routes, type APIMessage } from '@discordjs/core';
import { AppError, type ChatAddress } from '../../sdk/index.ts';
import { CODE, codeOf } from './errors.ts';
import { nonceOf } from './ledger.ts';
import type { Draft } from './outgoing.ts';
import { missingToSend } from './permissions.ts';
import type { SendDeps } from './send-deps.ts';
import type { ChannelOf } from './target-channel.ts';

/** The id of the message. */
export type Post = (to: ChatAddress, token: string, draft: Draft) => Promise<string>;

export function createPost({ call, places, account, responses, ledger, botId }: SendDeps, channelOf: ChannelOf): Post {
  /** What the bot lacks there, for an explanation and no more. */
  async function missing(at: { readonly channelId: string; readonly files: boolean }): Promise<readonly string[]> {
    try {
      return await missingToSend({ call, places, botId }, at);
    } catch (error) {
      account.log.debug('discord.permissions', { channel: at.channelId, error });
      return [];
    }
  }

  async function explained(
    thrown: unknown,
    at: { readonly channelId: string; readonly files: boolean },
  ): Promise<unknown> {
    if (codeOf(thrown) !== CODE.missingPermissions && codeOf(thrown) !== CODE.missingAccess) return thrown;
    const lacks = await missing(at);
    return lacks.length === 0
      ? thrown
      : new AppError(
          'denied',
          `The bot may not write in channel ${at.channelId}: it lacks ${lacks.join(', ')}. Give its role ` +
            'these permissions in the server or in this channel.',
          { cause: thrown },
        );
  }

  return async (to, token, draft) => {
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
  };
}

/** The message a new thread hangs on lies outside it: it cannot be replied to from inside. */
function bodyIn(channelId: string, { via, chat }: ChatAddress, { body }: Draft): Draft['body'] {
  if (via !== 'thread' || channelId === chat.id) return body;
  const { message_reference: _outside, ...rest } = body;
  return rest;
}
