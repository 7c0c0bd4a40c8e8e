/** Runs the actions declared in `action-list.ts`. */
import { AppError, type ActionCall, type ChatAddress, present } from '../../sdk/index.ts';
import type { TelegramApi } from './api.ts';
import { keyboardOf } from './buttons.ts';
import { numberOf, type Sender } from './send.ts';
import { firstFallback } from './fallbacks.ts';

interface ActionDeps {
  readonly api: TelegramApi;
  readonly sender: Sender;
}
interface Call {
  readonly to: ChatAddress;
  readonly signal: AbortSignal;
  text(name: string): string;
  maybe(name: string): string | undefined;
  readonly raw: ActionCall['parameters'];
}
type Run = (call: Call, deps: ActionDeps) => Promise<unknown>;

export async function act(action: string, { to, parameters, signal }: ActionCall, deps: ActionDeps): Promise<unknown> {
  const run = RUNS[action];
  if (!run)
    throw new AppError(
      'unsupported',
      `Telegram does not support the action ${action}; actions: ${Object.keys(RUNS).join(', ')}.`,
    );
  if (!to) throw new AppError('invalid', 'Parameter target is required: the chat id, e.g. -1001234567890.');
  const maybe = (name: string): string | undefined => {
    const value = parameters[name];
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? String(value).trim() || undefined
      : undefined;
  };
  const text = (name: string): string => maybe(name) ?? missing(name);
  return run({ to, signal, maybe, text, raw: parameters }, deps);
}

const missing = (name: string): never => {
  throw new AppError('invalid', `Parameter ${name} is missing.`);
};

const RUNS: Readonly<Record<string, Run>> = {
  async buttons({ to, text, maybe, raw }, { sender }) {
    const replyTo = maybe('replyTo');
    const payload = {
      kind: 'final' as const,
      text: text('message'),
      ...present({ replyTo: replyTo !== undefined ? { id: replyTo } : undefined }),
    };
    return sender.send(to, { payload }, { inline_keyboard: keyboardOf(raw['buttons']) });
  },
  async pin({ to, text, signal }, { api }) {
    await api.calls.pinChatMessage(
      { chat_id: to.chat.id, message_id: numberOf(text('messageId')), disable_notification: true },
      signal,
    );
    return { pinned: text('messageId') };
  },
  async unpin({ to, maybe, signal }, { api }) {
    const id = maybe('messageId');
    await api.calls.unpinChatMessage(
      present({ chat_id: to.chat.id, message_id: id !== undefined ? numberOf(id) : undefined }),
      signal,
    );
    return { unpinned: id ?? 'newest' };
  },
  async sticker({ to, text, maybe, signal }, { api }) {
    const { chat, threadId } = firstFallback(to, false);
    const replyTo = maybe('replyTo');
    const sent = await api.calls.sendSticker(
      {
        chat_id: chat,
        sticker: text('stickerId'),
        ...present({
          message_thread_id: threadId !== undefined ? Number(threadId) : undefined,
          reply_parameters:
            replyTo !== undefined ? { message_id: numberOf(replyTo), allow_sending_without_reply: true } : undefined,
        }),
      },
      signal,
    );
    return { messageIds: [String(sent.message_id)] };
  },
  async 'thread-create'({ to, text, signal }, { api }) {
    const topic = await api.calls.createForumTopic({ chat_id: to.chat.id, name: text('name') }, signal);
    return { threadId: String(topic.message_thread_id), name: topic.name };
  },
  async 'thread-edit'({ to, maybe, signal }, { api }) {
    const threadId = maybe('threadId') ?? to.threadId ?? missing('threadId');
    const where = { chat_id: to.chat.id, message_thread_id: numberOf(threadId) };
    const name = maybe('name');
    const closed = maybe('closed');
    if (name === undefined && closed === undefined) missing('name');
    if (name !== undefined) await api.calls.editForumTopic({ ...where, name }, signal);
    if (closed !== undefined)
      await (closed === 'true' ? api.calls.closeForumTopic(where, signal) : api.calls.reopenForumTopic(where, signal));
    return present({ threadId, name, closed: closed !== undefined ? closed === 'true' : undefined });
  },
  async 'member-info'({ to, text, signal }, { api }) {
    const { status, user } = await api.calls.getChatMember(
      { chat_id: to.chat.id, user_id: numberOf(text('userId')) },
      signal,
    );
    return {
      userId: String(user.id),
      status,
      name: [user.first_name, user.last_name].filter(Boolean).join(' '),
      ...present({ handle: user.username || undefined }),
      bot: user.is_bot,
    };
  },
};
