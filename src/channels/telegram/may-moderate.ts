/** Checks a person's own rights in Telegram before the bot moderates on their behalf. */
import { AppError, type ChatAddress } from '../../sdk/index.ts';
import type { TelegramApi } from './api.ts';
import { numberOf } from './send.ts';

interface ModerationCheck {
  readonly userIds: readonly string[];
  readonly right: string;
  readonly to: ChatAddress | undefined;
  readonly signal: AbortSignal;
}

/** `right`: one of Telegram's administrator rights, e.g. `can_pin_messages`. */
export async function whyNot(
  { userIds, right, to, signal }: ModerationCheck,
  { calls }: TelegramApi,
): Promise<string | undefined> {
  if (!to) throw new AppError('invalid', 'Parameter target is required: the chat id, e.g. -1001234567890.');
  const {
    chat: { kind, id },
  } = to;
  for (const userId of userIds) {
    if (kind === 'direct' && id === userId) continue; // a chat of the two: each may
    const member = await calls.getChatMember({ chat_id: id, user_id: numberOf(userId) }, signal);
    if (member.status === 'creator') continue;
    const everybody =
      member.status === 'member' ? (await calls.getChat({ chat_id: id }, signal)).permissions : undefined;
    const granted = { ...everybody, ...member } as Readonly<Record<string, unknown>>;
    if (!['administrator', 'restricted', 'member'].includes(member.status) || granted[right] !== true)
      return `${userId} has no right ${right} in this chat.`;
  }
  return undefined;
}
