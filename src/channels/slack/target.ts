/** Parses Slack ids and targets, and derives a chat's kind from its id. Pure. */
import { present } from '../../sdk/index.ts';
import type { ChatAddress, ChatKind, IdForms } from '../../sdk/index.ts';

type Chat = ChatAddress['chat'];
type ChannelType = 'im' | 'mpim' | 'group' | 'channel';

/** In small letters an id is one where no `#` says that it is a name. */
export const SLACK_IDS: IdForms = {
  chat: /^(?:#?[CDGUWTB][A-Z0-9]{7,}|[cdguwtb](?=[a-z]*\d)[a-z0-9]{8,})$/,
  space: /^[TE][A-Z0-9]{2,}$/,
  person: /^(?:[UWB][A-Z0-9]{2,}|[uwb](?=[a-z]*\d)[a-z0-9]{8,})$/,
  names: true,
};
const CHANNEL = /^[CG][A-Z0-9]{2,}$/;
const DIRECT = /^D[A-Z0-9]{2,}$/;
const USER = /^[UW][A-Z0-9]{2,}$/;

/**
 * Ids are spelled in capitals. Small letters are taken for those of an id only where no name would look so: nine and
 * more, a digit among them.
 */
const asId = (text: string): string =>
  /^[a-z][a-z0-9]{8,}$/.test(text) && /\d/.test(text) ? text.toUpperCase() : text;

/**
 * The platform's own word, where it says one; else what the id begins with. A private channel is called `group` there,
 * a group chat `mpim`.
 */
export function chatKind(id: string, type?: string): ChatKind {
  const said: Partial<Record<string, ChatKind>> = {
    im: 'direct',
    mpim: 'group',
    group: 'channel',
    channel: 'channel',
  } satisfies Record<ChannelType, ChatKind>;
  const known = type === undefined ? undefined : said[type];
  if (known) return known;
  if (id.startsWith('D')) return 'direct';
  return id.startsWith('G') ? 'group' : 'channel';
}

/** Ids only: a name may belong to somebody else tomorrow. `C1:171.5` and `C1:thread:171.5` name a thread. */
export function parseTarget(target: string): { readonly chat: Chat; readonly threadId?: string } | undefined {
  const bare = target.trim().replace(/^slack:/i, '');
  const thread = /^(.+?):(?:thread:)?(\d{6,}\.\d{1,6})$/.exec(bare);
  const chat = chatOf(thread?.[1] ?? bare);
  if (!chat) return undefined;
  return present({ chat, threadId: thread?.[2] });
}

function chatOf(text: string): Chat | undefined {
  const mention = /^<([@#])([A-Z0-9]+)(?:\|[^>]*)?>$/i.exec(text);
  const [, word, rest] = /^(user|channel|group):(.+)$/i.exec(text) ?? [];
  const id = asId(mention?.[2] ?? rest ?? text.replace(/^[@#]/, ''));
  const kind = word?.toLowerCase();
  if (USER.test(id))
    return mention?.[1] === '#' || kind === 'channel' || kind === 'group' ? undefined : { kind: 'direct', id };
  if (kind === 'user' || mention?.[1] === '@') return undefined;
  if (DIRECT.test(id)) return { kind: 'direct', id };
  if (!CHANNEL.test(id)) return undefined;
  return { kind: kind === 'group' ? 'group' : kind === 'channel' ? 'channel' : chatKind(id), id };
}

/** `slack:U1`, `user:U1`, `<@U1>` → `U1`; a name is none. */
export function senderEntry(entry: string): string | undefined {
  if (entry.trim() === '*') return '*';
  const id = asId(
    entry
      .trim()
      .replace(/^slack:/i, '')
      .replace(/^user:/i, '')
      .replace(/^<@([A-Z0-9]+)(?:\|[^>]*)?>$/i, '$1'),
  );
  return USER.test(id) || /^B[A-Z0-9]{5,}$/.test(id) ? id : undefined;
}
