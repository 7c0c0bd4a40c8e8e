/** Adds or removes the bot's own reactions to a message. */
import { Routes, type APIMessage } from '@discordjs/core';
import type { Call } from './api.ts';
import { emojiPath } from './reaction.ts';

interface At {
  readonly channelId: string;
  readonly messageId: string;
}

const pathOf = ({ channelId, messageId }: At, path: string): `/${string}` =>
  Routes.channelMessageOwnReaction(channelId, messageId, path);

/** An empty `emoji`: every reaction of the bot is taken back. */
export async function react(call: Call, at: At, emoji: string, remove: boolean): Promise<void> {
  if (emoji === '') return takeAllBack(call, at);
  await call(remove ? 'delete' : 'put', pathOf(at, emojiPath(emoji)), `reacting to message ${at.messageId}`);
}

async function takeAllBack(call: Call, at: At): Promise<void> {
  const { channelId, messageId } = at;
  const { reactions = [] } = await call<APIMessage>(
    'get',
    Routes.channelMessage(channelId, messageId),
    `reading the reactions of message ${messageId}`,
  );
  for (const { me, emoji } of reactions) {
    if (me)
      await call(
        'delete',
        pathOf(at, emojiPath(emoji.id ? `${emoji.name}:${emoji.id}` : (emoji.name ?? ''))),
        `taking a reaction back from message ${messageId}`,
      );
  }
}
