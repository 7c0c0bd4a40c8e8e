/** Handles updates other than messages: topic names, migrated groups, the bot's membership, callback queries. */
import { AppError, type Log, type ProblemBoard } from '../../sdk/index.ts';
import type { Update } from 'grammy/types';
import type { TelegramApi } from './api.ts';
import { messageOf } from './inbound.ts';
import type { ChatMemory } from './memory.ts';

export interface EventDeps {
  readonly api: TelegramApi;
  readonly memory: ChatMemory;
  readonly board: ProblemBoard;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Before the update is read. */
export function learn(update: Update, { memory, board, log }: EventDeps): void {
  const message = messageOf(update);
  const topic =
    message?.forum_topic_created ?? message?.forum_topic_edited ?? message?.reply_to_message?.forum_topic_created;
  if (message && topic?.name && message.message_thread_id !== undefined)
    memory.nameTopic(String(message.chat.id), String(message.message_thread_id), topic.name);
  if (message?.migrate_to_chat_id !== undefined)
    notifyMigration({ from: String(message.chat.id), to: String(message.migrate_to_chat_id) }, { board, log });
  const standing = update.my_chat_member;
  if (standing)
    log.info('telegram.member', {
      chat: String(standing.chat.id),
      kind: standing.chat.type,
      from: standing.old_chat_member.status,
      to: standing.new_chat_member.status,
    });
}

export function notifyMigration(
  { from, to }: { from: string; to: string },
  { board, log }: Pick<EventDeps, 'board' | 'log'>,
): void {
  log.warn('telegram.migrated', { from, to });
  board.set(`migrated:${from}`, {
    kind: 'config',
    message: `The group ${from} became the supergroup ${to}; settings for the old id no longer apply.`,
    fix: `Replace ${from} with ${to} in groups, bindings and targets.`,
  });
}

/** After its message was taken: the spinner on a button stops. Nothing waits for it. */
export function acknowledge(update: Update, { api, log, signal }: EventDeps): void {
  const id = update.callback_query?.id;
  if (id === undefined) return;
  api.calls
    .answerCallbackQuery({ callback_query_id: id }, signal)
    .catch((error: unknown) =>
      log.debug('telegram.button.unanswered', { code: error instanceof AppError ? error.code : 'internal' }),
    );
}
