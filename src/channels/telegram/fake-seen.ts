/** What a person sees of a message in the fake Telegram, and how one is written. */
import { present } from '../../sdk/index.ts';
import type { Said, Seen } from '../../testing/channel-platform.ts';

export interface Kept {
  message: any;
  html: boolean;
  reactions: string[];
  file?: Seen['file'];
}

/** What people see of HTML; undefined for what Telegram refuses: unknown tags, tags that do not match, bare `<`. */
export function visible(html: string): string | undefined {
  const open: string[] = [];
  let broken = false;
  const text = html.replace(/<(\/?)([a-z-]*)((?:\s[^<>]*)?)>|</gi, (_all, closing, tag) => {
    if (
      !/^(?:b|i|u|s|code|pre|a|blockquote|tg-spoiler)$/.test(tag ?? '') ||
      (!closing && tag === 'blockquote' && open.includes(tag))
    )
      broken = true;
    else if (!closing) open.push(tag);
    else if (open.pop() !== tag) broken = true;
    return '';
  });
  return broken || open.length > 0
    ? undefined
    : text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

export function seenOf({ message: m, reactions, file, ...rest }: Kept): Seen {
  return {
    id: String(m.message_id),
    text: m.text ?? m.caption ?? '',
    raw: (rest as any).raw,
    reactions,
    ...present({
      replyTo: m.reply_to_message ? String(m.reply_to_message.message_id) : undefined,
      threadId: m.message_thread_id !== undefined ? String(m.message_thread_id) : undefined,
      file,
    }),
  };
}

/** A press on the button of that name below it. */
export function pressOf(message: any, label: string, from: object): object {
  const button = message.reply_markup.inline_keyboard.flat().find(({ text }: { text: string }) => text === label);
  return { id: `press${message.message_id}${(from as { id: number }).id}`, from, data: button.callback_data, message };
}

export const commandEntity = (text = ''): object[] => {
  const found = /(?:^|\s)(\/\w+(?:@\w+)?)/.exec(text);
  return found ? [{ type: 'bot_command', offset: text.indexOf(found[1]!), length: found[1]!.length }] : [];
};

export function filed(
  { name, mime, data, voice }: NonNullable<Said['file']>,
  addFile: (data: Uint8Array) => string,
): object {
  const file = { file_id: addFile(data), file_unique_id: 'u', file_size: data.length };
  if (voice) return { voice: { ...file, duration: 1, mime_type: mime } };
  if (/^image\/(?:png|jpeg)$/.test(mime))
    return {
      photo: [
        { ...file, file_id: 'thumb', width: 1, height: 1 },
        { ...file, width: 20, height: 20 },
      ],
    };
  return { document: { ...file, file_name: name, mime_type: mime } };
}

export const BOT = {
  id: 123456,
  is_bot: true,
  first_name: 'Test Bot',
  username: 'test_bot',
  can_join_groups: true,
  can_read_all_group_messages: true,
};
