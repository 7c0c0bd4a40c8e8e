/** Parses Teams ids: people, conversations and threads. Pure. */
import { present, type ChatAddress, type IdForms } from '../../sdk/index.ts';

const AAD = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const USER = /^(?:29|8):[\w.:-]{1,200}$/;
const CONVERSATION = /^19:[\w.@:-]{3,200}$/;
const THREAD = /;messageid=(\d{5,20})$/;

export const TEAMS_IDS: IdForms = { chat: CONVERSATION, person: AAD };
export const TARGET_HINT =
  'user:<AAD object id>, conversation:<19:…@thread…>, <19:…@thread.tacv2;messageid=…> for a thread';

/** `19:x@thread.tacv2;messageid=1` → its chat and its thread. */
export function splitConversation(id: string): { readonly chat: string; readonly thread: string | undefined } {
  const thread = THREAD.exec(id)?.[1];
  return { chat: thread === undefined ? id : id.slice(0, id.length - `;messageid=${thread}`.length), thread };
}

const isChannel = (chat: string): boolean => /@thread\.(?:tacv2|skype)$/.test(chat);

export function parseTarget(target: string): Pick<ChatAddress, 'chat' | 'threadId'> | undefined {
  const text = target
    .trim()
    .replace(/^(?:msteams|teams):/i, '')
    .trim();
  const [, word, rest] = /^(user|conversation|channel|group):(.+)$/is.exec(text) ?? [];
  const bare = (rest ?? text).trim();
  if (word?.toLowerCase() === 'user') return personOf(bare);
  const { chat, thread } = splitConversation(bare);
  if (!CONVERSATION.test(chat)) return word === undefined && AAD.test(bare) ? personOf(bare) : undefined;
  return present({
    chat: { kind: isChannel(chat) ? ('channel' as const) : ('group' as const), id: chat },
    threadId: thread,
  });
}

const personOf = (id: string): Pick<ChatAddress, 'chat'> | undefined =>
  AAD.test(id) || USER.test(id) ? { chat: { kind: 'direct', id: AAD.test(id) ? id.toLowerCase() : id } } : undefined;

export function senderEntry(entry: string): string | undefined {
  const text = entry
    .trim()
    .replace(/^(?:msteams|teams):/i, '')
    .replace(/^user:/i, '');
  return text === '*' ? '*' : personOf(text)?.chat.id;
}
