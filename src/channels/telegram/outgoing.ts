/** Chat operations other than sending: deleting, reacting, typing, polls. */
import { excerpt, AppError, type ChannelConnection, type ChatAddress, type Poll, present } from '../../sdk/index.ts';
import type { TelegramApi } from './api.ts';
import { reactionOf } from './reactions.ts';
import { numberOf } from './send.ts';
import { firstFallback } from './fallbacks.ts';

const QUESTION_MAX = 300;
const OPTION_MAX = 100;
const OPEN_MAX_SECONDS = 2_628_000;

export const outgoing = ({
  calls,
}: TelegramApi): Required<Pick<ChannelConnection, 'remove' | 'react' | 'typing' | 'poll'>> => ({
  async remove(to, messageId) {
    await calls.deleteMessage({ chat_id: to.chat.id, message_id: numberOf(messageId) });
  },
  async react(to, messageId, emoji, { remove = false } = {}) {
    await calls.setMessageReaction({
      chat_id: to.chat.id,
      message_id: numberOf(messageId),
      reaction: remove || emoji === '' ? [] : [reactionOf(emoji)],
    });
  },
  /** Unlike a message, it names the general topic too. */
  async typing({ chat, threadId }) {
    await calls.sendChatAction(
      present({
        chat_id: chat.id,
        action: 'typing',
        message_thread_id: threadId !== undefined ? Number(threadId) : undefined,
      }),
    );
  },
  async poll(to, poll) {
    const sent = await calls.sendPoll(questionOf(to, poll));
    return { messageIds: [String(sent.message_id)], pollId: sent.poll.id };
  },
});

function questionOf(
  to: ChatAddress,
  { question, options, maxSelections, durationHours }: Poll,
): Parameters<TelegramApi['calls']['sendPoll']>[0] {
  if (question.length > QUESTION_MAX)
    throw new AppError('invalid', `The question of a poll has at most ${QUESTION_MAX} characters on Telegram.`);
  const long = options.find((option) => option.length > OPTION_MAX);
  if (long !== undefined)
    throw new AppError(
      'invalid',
      `An answer of a poll has at most ${OPTION_MAX} characters on Telegram: ${excerpt(long, 40)}`,
    );
  const { chat, threadId } = firstFallback(to, false);
  return {
    chat_id: chat,
    question,
    options: options.map((text) => ({ text })),
    allows_multiple_answers: maxSelections > 1,
    ...present({
      message_thread_id: threadId !== undefined ? Number(threadId) : undefined,
      open_period:
        durationHours !== undefined
          ? Math.min(Math.max(5, Math.round(durationHours * 3600)), OPEN_MAX_SECONDS)
          : undefined,
    }),
  };
}
