/** The update types requested, and the check that a value is an update. */
import type { Update } from 'grammy/types';

export const ALLOWED_UPDATES = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'callback_query',
  'my_chat_member',
  'message_reaction',
] as const;

export const isUpdate = (value: unknown): value is Update =>
  typeof value === 'object' && value !== null && 'update_id' in value && Number.isSafeInteger(value.update_id);
