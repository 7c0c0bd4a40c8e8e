/** Parses chats and people in settings and targets: ids, `@` names, links, topics. Pure. */
import { present } from '../../sdk/index.ts';
import type { ChatAddress, IdForms } from '../../sdk/index.ts';

type Target = Pick<ChatAddress, 'chat' | 'threadId'>;

/** Titles are no keys. */
export const TELEGRAM_IDS: IdForms = { chat: /^-\d{1,20}$/, person: /^-?\d{1,20}$/ };
const PREFIX = /^(?:telegram|tg):/i;

/** `telegram:1`, `tg:1`, `TG:1` and `1` are the person 1. A name can be given away by its owner: never an entry. */
export function senderEntry(entry: string): string | undefined {
  const id = entry.trim().replace(PREFIX, '').trim();
  return /^-?\d{1,20}$/.test(id) ? id : undefined;
}

/** `<chat>`, `<chat>:topic:<t>`, `<chat>:<t>`; a chat is a number, `@name` or a link of t.me. */
export function parseTarget(target: string): Target | undefined {
  const bare = target
    .trim()
    .replace(PREFIX, '')
    .replace(/^(?:group|channel|user|chat):/i, '');
  const [, chat = '', threadId] = /^(.*?)(?::(?:topic:)?(\d{1,19}))?$/s.exec(unlinked(bare)) ?? [];
  const found = chatOf(chat);
  return found && present({ chat: found, threadId });
}

function chatOf(chat: string): Target['chat'] | undefined {
  if (/^-\d{1,20}$/.test(chat)) return { kind: 'group', id: chat };
  if (/^\d{1,20}$/.test(chat)) return { kind: 'direct', id: chat };
  return /^@[a-z]\w{3,31}$/i.test(chat) ? { kind: 'channel', id: chat.toLowerCase() } : undefined;
}

/** `t.me/name` → `@name`; `t.me/c/123/4` → the chat -100123, its topic 4. */
function unlinked(text: string): string {
  const [, path] = /^(?:https?:\/\/)?(?:www\.)?(?:t|telegram)\.me\/([^?#]*?)\/?(?:[?#].*)?$/i.exec(text) ?? [];
  if (path === undefined) return text;
  const [, id, topic] = /^c\/(\d+)(?:\/(\d+))?/.exec(path) ?? [];
  return id === undefined ? `@${path.split('/')[0]}` : `-100${id}${topic === undefined ? '' : `:${topic}`}`;
}
