/** Actions that post to a chat or a message: stickers, polls, embeds, replies, reactions. */
import { Routes, type APIMessage } from '@discordjs/core';
import { AppError, present } from '../../sdk/index.ts';
import { wrong } from './act-input.ts';
import { SILENT } from './act-messages.ts';
import type { Acting, Handler } from './acting.ts';
import { react as reactTo } from './react.ts';

const LONGEST = 2000;
const MAX_EMBEDS = 10;

/** The words and what goes with them, as one message. */
async function post(
  act: Acting,
  channelId: string,
  doing: string,
  more: object,
): Promise<{ readonly ok: true; readonly messageId: string; readonly channelId: string }> {
  const content = act.input.optional('message');
  if (content !== undefined && content.length > LONGEST)
    throw new AppError(
      'too_large',
      `A message on Discord has at most ${LONGEST} characters; this one has ${content.length}. Split it.`,
    );
  const replyTo = act.input.optionalId('replyTo');
  const { id } = await act.call<APIMessage>('post', Routes.channelMessages(channelId), doing, {
    body: {
      ...present({
        content,
        message_reference: replyTo ? { message_id: replyTo, fail_if_not_exists: false } : undefined,
      }),
      ...more,
      ...SILENT,
    },
  });
  return { ok: true, messageId: id, channelId };
}

const sticker: Handler = async (act) => {
  const ids = act.input.list('stickerIds');
  if (ids.length < 1 || ids.length > 3) throw wrong('stickerIds', 'has to name one to three stickers');
  const channelId = await act.channel();
  return post(act, channelId, `sending stickers to channel ${channelId}`, { sticker_ids: ids });
};

const poll: Handler = async (act) => {
  const { input } = act;
  const answers = input.list('pollOption', { whole: true });
  if (answers.length < 2 || answers.length > 10)
    throw wrong('pollOption', `has to hold 2 to 10 answers, not ${answers.length}`);
  const hours = Number(input.optional('pollDurationHours') ?? 24);
  if (!(hours >= 1)) throw wrong('pollDurationHours', 'has to be at least 1; a poll is open for 1 to 768 hours');
  const question = { text: input.text('pollQuestion') };
  const channelId = await act.channel();
  const made = await post(act, channelId, `asking in channel ${channelId}`, {
    poll: {
      question,
      answers: answers.map((text) => ({ poll_media: { text } })),
      duration: Math.round(Math.min(768, hours)),
      allow_multiselect: input.flag('pollMulti') ?? false,
      layout_type: 1,
    },
  });
  return { ...made, pollId: made.messageId };
};

const embed: Handler = async (act) => {
  const embeds = embedsOf(act.input.text('embeds'));
  const channelId = await act.channel();
  return post(act, channelId, `sending to channel ${channelId}`, { embeds });
};

function embedsOf(json: string): readonly object[] {
  let read: unknown;
  try {
    read = JSON.parse(json);
  } catch (error) {
    throw wrong('embeds', `is no JSON (${error instanceof Error ? error.message : 'unreadable'})`);
  }
  const embeds = [read].flat();
  if (embeds.length < 1 || embeds.length > MAX_EMBEDS || embeds.some((one) => typeof one !== 'object' || one === null))
    throw wrong('embeds', `has to be one to ${MAX_EMBEDS} embed objects`);
  return embeds as object[];
}

const threadReply: Handler = async (act) => {
  act.input.text('message');
  const threadId = act.input.id('threadId');
  return post(act, threadId, `writing in thread ${threadId}`, {});
};

/** An empty emoji takes away every reaction of the bot. */
const react: Handler = async (act) => {
  const { input, action } = act;
  const [messageId, remove] = [input.id('messageId'), input.flag('remove') ?? false];
  const emoji = input.optional('emoji')?.trim() ?? '';
  if (emoji === '' && action.parameters['emoji'] !== '')
    throw wrong('emoji', 'is missing: the emoji; empty takes away all reactions of the bot');
  await reactTo(act.call, { channelId: await act.channel(), messageId }, emoji, remove);
  const changed = emoji === '' || remove ? { removed: emoji || 'all' } : { added: emoji };
  return { ok: true, messageId, ...changed };
};

const remove: Handler = async (act) => {
  const messageId = act.input.id('messageId');
  await act.call('delete', Routes.channelMessage(await act.channel(), messageId), `deleting message ${messageId}`, {
    reason: act.reason,
  });
  return { ok: true, messageId };
};

export const postHandlers: Readonly<Record<string, Handler>> = {
  sticker,
  poll,
  embed,
  'thread-reply': threadReply,
  react,
  delete: remove,
};
