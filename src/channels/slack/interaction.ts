/** Converts slash commands and clicks to messages. Pure. */
import { present } from '../../sdk/index.ts';
import type { InboundMessage } from '../../sdk/index.ts';
import { NOTHING_SAID, typed } from '../../sdk/said.ts';
import { listOf, recordOf, textOf, type Answer } from './answer.ts';
import { knownNames, placeOf, type InboundContext } from './inbound-context.ts';
import { readText, readTyped } from './markdown.ts';
import type { Update } from './update.ts';
import { viaOf } from './via.ts';

/** Slack's name for a direct chat in a slash command; group chats are called `mpdm-…`. */
const roomType = (name: string | undefined): string | undefined =>
  name === 'directmessage' ? 'im' : name?.startsWith('mpdm-') ? 'mpim' : undefined;

export function commandOf(update: Update, context: InboundContext): InboundMessage | undefined {
  const { body } = update;
  const user = textOf(body['user_id']);
  const chat = textOf(body['channel_id']);
  const id = textOf(body['trigger_id']) ?? textOf(body['response_url']);
  if (!user || !chat || !id || !context.config.slashCommand.enabled) return undefined;
  const words = textOf(body['text']) ?? '';
  const input = commandText(
    textOf(body['command']) ?? '',
    { shown: readText(words, knownNames(context)).trim(), typed: readTyped(words).trim() },
    context,
  );
  if (input.text === '') return undefined;
  const name = context.users.get(user)?.name ?? textOf(body['user_name']);
  const via = viaOf(textOf(body['response_url']), user, context.now);
  return {
    id,
    key: `slash:${id}`,
    ...placeOf(
      { chat, type: roomType(textOf(body['channel_name'])), userId: user, ...present({ via: via || undefined }) },
      update,
      context,
    ),
    sender: present({
      id: user,
      name: name || undefined,
      handle: textOf(body['user_name']) ? textOf(body['user_name'])! : undefined,
    }),
    ...input,
    attachments: [],
    addressesBot: true,
    receivedAt: context.now,
  };
}

/**
 * `/clawd status` means `/status`; a command of its own name means itself; other words go to the agent. Where the names
 * of the commands are
 * not known, one word may be one, and the core tells; a sentence that begins with a word such as "new" is none, unless
 * it begins with a slash.
 */
function commandText(
  command: string,
  words: Words,
  { config, commands }: InboundContext,
): Pick<InboundMessage, 'text' | 'said' | 'native'> {
  const own = `/${config.slashCommand.name.replace(/^\//, '')}`;
  const native = (before: string): ReturnType<typeof commandText> => ({
    text: `${before}${words.shown}`.trim(),
    said: typed(`${before}${words.typed}`.trim()),
    native: true,
  });
  if (command.toLowerCase() !== own.toLowerCase()) return native(`${command} `);
  if (words.typed === '')
    return { text: words.shown === '' ? '/help' : words.shown, said: typed('/help'), native: true };
  if (words.typed.startsWith('/')) return native('');
  const first = words.typed.split(/\s/, 1)[0]!.toLowerCase();
  if (commands.has(first)) return native('/');
  const plain = { text: words.shown, said: typed(words.typed) };
  return commands.size === 0 && /^[a-z][a-z0-9_-]{1,30}$/i.test(words.typed)
    ? { ...plain, said: typed(`/${words.typed}`), native: true }
    : plain;
}

/** What stands behind the command: with names for people, and as it was typed. */
interface Words {
  readonly shown: string;
  readonly typed: string;
}

/** Buttons and menus of our own messages. A `block_id` that ends in `:for:<user id>` was shown to that person alone. */
export function clickOf(update: Update, context: InboundContext): InboundMessage | undefined {
  const { body } = update;
  const user = recordOf(body['user']);
  const id = textOf(user['id']);
  const container = recordOf(body['container']);
  const chat = textOf(recordOf(body['channel'])['id']) ?? textOf(container['channel_id']);
  const [action] = listOf(body['actions']);
  const value = action && valueOf(action);
  if (body['type'] !== 'block_actions' || !id || !chat || !action || value === undefined || !isOurs(body, context))
    return undefined;
  const shownTo = /:for:([A-Z0-9]+)$/.exec(textOf(action['block_id']) ?? '')?.[1];
  if (shownTo !== undefined && shownTo !== id) return undefined;
  const message = recordOf(body['message']);
  const ts = textOf(message['ts']) ?? textOf(container['message_ts']);
  const threadTs = textOf(message['thread_ts']) ?? textOf(container['thread_ts']);
  const click = textOf(body['trigger_id']) ?? `${ts}:${textOf(action['action_ts'])}`;
  const name = context.users.get(id)?.name ?? textOf(user['name']) ?? textOf(user['username']);
  return {
    id: click,
    key: `click:${click}`,
    ...placeOf(
      {
        chat,
        type: roomType(textOf(recordOf(body['channel'])['name'])),
        userId: id,
        ...present({ threadId: threadTs && threadTs !== ts ? threadTs : undefined }),
      },
      update,
      context,
    ),
    sender: present({ id, name: name || undefined }),
    text: `callback_data: ${value}`,
    pressed: value,
    said: NOTHING_SAID,
    attachments: [],
    ...present({ quoted: ts ? { id: ts } : undefined }),
    addressesBot: true,
    receivedAt: context.now,
  };
}

/**
 * A click on somebody else's message is none of our business; one on an answer that only one person sees has no author.
 */
function isOurs(body: Answer, { self }: InboundContext): boolean {
  const message = recordOf(body['message']);
  if (recordOf(body['container'])['is_ephemeral'] === true) return true;
  return message['user'] === self.userId || (self.botId !== undefined && message['bot_id'] === self.botId);
}

function valueOf(action: Answer): string | undefined {
  const chosen = textOf(action['value']) ?? textOf(recordOf(action['selected_option'])['value']);
  if (chosen) return chosen;
  const many = listOf(action['selected_options']).flatMap(({ value }) => textOf(value) ?? []);
  if (many.length > 0) return many.join(',');
  return ['selected_user', 'selected_channel', 'selected_conversation', 'selected_date', 'selected_time']
    .map((key) => textOf(action[key]))
    .find(Boolean);
}
