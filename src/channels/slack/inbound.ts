/** Converts a Slack update to message facts; undefined if it is not a message. Pure. */
import { present } from '../../sdk/index.ts';
import type { InboundMessage } from '../../sdk/index.ts';
import { NOTHING_SAID, typed } from '../../sdk/said.ts';
import { listOf, microsOf, millisOf, recordOf, textOf, type Answer } from './answer.ts';
import { emojiOf } from './emoji.ts';
import { knownNames, placeOf, type InboundContext } from './inbound-context.ts';
import { attachmentsOf } from './inbound-files.ts';
import { clickOf, commandOf } from './interaction.ts';
import { mentionsIn, mentionsTeam, readText, readTyped, withoutMention } from './markdown.ts';
import { messageOf, type Update } from './update.ts';

/** Ordinary words; every other subtype is the platform talking about itself. */
const WORDS = new Set([undefined, 'file_share', 'thread_broadcast', 'me_message', 'bot_message']);

export function normalise(update: Update, context: InboundContext): InboundMessage | undefined {
  if (update.kind === 'slash') return commandOf(update, context);
  if (update.kind === 'action') return clickOf(update, context);
  const { body: event } = update;
  if (event['type'] === 'reaction_added') return reactionOf(update, context);
  if (event['type'] !== 'message' && event['type'] !== 'app_mention') return undefined;
  return event['subtype'] === 'message_changed' ? changeOf(update, context) : wordsOf(update, context);
}

/** Slack tells of a change when it adds a preview too: only other words, written by the person, are an edit. */
function changeOf(update: Update, context: InboundContext): InboundMessage | undefined {
  const message = messageOf(update.body);
  const edited = textOf(recordOf(message['edited'])['ts']);
  if (
    !edited ||
    millisOf(edited) === undefined ||
    textOf(message['text']) === textOf(recordOf(update.body['previous_message'])['text'])
  )
    return undefined;
  const words = wordsOf({ ...update, body: message }, context);
  return words && { ...words, editVersion: microsOf(edited) };
}

function wordsOf(update: Update, context: InboundContext): InboundMessage | undefined {
  const { body: message } = update;
  const { self } = context;
  const chat = textOf(message['channel']);
  const ts = textOf(message['ts']);
  const sender = senderOf(message, context);
  if (!chat || !ts || !sender || !WORDS.has(message['subtype'] as string | undefined) || message['hidden'] === true)
    return undefined;
  const raw = textOf(message['text']) ?? textFromAttachments(message);
  const attachments = attachmentsOf(message['files'], sender.id);
  if (raw === '' && attachments.length === 0 && !sharedOf(message, context)) return undefined;
  const mentioned = mentionsIn(raw);
  const threadTs = textOf(message['thread_ts']);
  const threadId = threadTs && threadTs !== ts ? threadTs : undefined;
  const where = placeOf(
    { chat, type: textOf(message['channel_type']), userId: sender.id, ...present({ threadId: threadId || undefined }) },
    update,
    context,
  );
  const named = knownNames(context);
  const text = readText(raw, named);
  const quoted = sharedOf(message, context) ?? (threadId ? rootOf(threadId, message, context) : undefined);
  return {
    id: ts,
    key: `${chat}:${ts}`,
    ...where,
    sender,
    text,
    said:
      textOf(message['text']) === undefined
        ? NOTHING_SAID
        : typed(readTyped(mentioned.includes(self.userId) ? withoutMention(raw, self.userId) : raw)),
    attachments,
    ...present({ quoted, threadStarter: threadId && context.starter ? context.starter : undefined }),
    addressesBot:
      where.address.chat.kind === 'direct' ||
      message['type'] === 'app_mention' ||
      mentioned.includes(self.userId) ||
      (threadId !== undefined && message['parent_user_id'] === self.userId),
    ...present({ mentionsOthers: mentioned.some((id) => id !== self.userId) || mentionsTeam(raw) ? true : undefined }),
    receivedAt: millisOf(ts) ?? context.now,
  };
}

/** Undefined for ourselves, for other bots that are not wanted, and for nobody. */
function senderOf(message: Answer, { self, config, users }: InboundContext): InboundMessage['sender'] | undefined {
  const user = textOf(message['user']);
  const bot = textOf(message['bot_id']);
  if (user === self.userId || (bot !== undefined && bot === self.botId)) return undefined;
  const id = user ?? bot;
  if (!id) return undefined;
  const known = users.get(id);
  const isBot = bot !== undefined || message['subtype'] === 'bot_message' || known?.isBot === true;
  if (isBot && !config.allowBots) return undefined;
  const name = known?.name ?? textOf(recordOf(message['bot_profile'])['name']) ?? textOf(message['username']);
  return present({ id, name: name || undefined, handle: known?.handle || undefined, isBot: isBot || undefined });
}

function reactionOf(update: Update, context: InboundContext): InboundMessage | undefined {
  const { body: event } = update;
  const { self, config } = context;
  const user = textOf(event['user']);
  const item = recordOf(event['item']);
  const chat = textOf(item['channel']);
  const ts = textOf(item['ts']);
  const name = textOf(event['reaction']);
  const mine = event['item_user'] === self.userId;
  const wanted =
    config.reactionNotifications === 'all' ||
    (config.reactionNotifications === 'own' && mine) ||
    (config.reactionNotifications === 'allowlist' &&
      user !== undefined &&
      config.reactionAllowlist?.includes(user) === true);
  if (!user || !chat || !ts || !name || user === self.userId || !wanted) return undefined;
  const sender = senderOf({ user }, context);
  if (!sender) return undefined;
  const threadId = context.threadOf(chat, ts);
  const at = textOf(event['event_ts']) ?? ts;
  return {
    id: at,
    key: `reaction:${chat}:${ts}:${user}:${name}:${at}`,
    ...placeOf(
      { chat, type: undefined, userId: user, ...present({ threadId: threadId || undefined }) },
      update,
      context,
    ),
    sender,
    quiet: true,
    said: NOTHING_SAID,
    text: `${sender.name ?? sender.id} reacted with ${emojiOf(name)} to ${mine ? 'your message' : 'a message'} ${ts}.`,
    attachments: [],
    quoted: { id: ts },
    addressesBot: mine,
    receivedAt: millisOf(at) ?? context.now,
  };
}

/** A message that was passed on hangs below the new one. */
function sharedOf(message: Answer, context: InboundContext): InboundMessage['quoted'] {
  const shared = listOf(message['attachments']).find(
    (one) => one['is_share'] === true || one['is_msg_unfurl'] === true,
  );
  const id = textOf(shared?.['ts']);
  if (!shared || !id) return undefined;
  const text = textOf(shared['text']);
  const senderId = textOf(shared['author_id']);
  const sender = textOf(shared['author_name']) ?? textOf(shared['author_subname']);
  return present({
    id,
    text: text ? readText(text, knownNames(context)) : undefined,
    sender: sender || undefined,
    senderId: senderId || undefined,
  });
}

/** In a thread every message answers the one it began with. */
function rootOf(
  id: string,
  message: Answer,
  { starter, users, self }: InboundContext,
): NonNullable<InboundMessage['quoted']> {
  const senderId = starter?.senderId ?? textOf(message['parent_user_id']);
  const sender = starter?.sender ?? (senderId === self.userId ? self.handle : senderId && users.get(senderId)?.name);
  return present({ id, text: starter?.text, sender: sender || undefined, senderId: senderId || undefined });
}

/** Programs often say all they have to say below the message. */
const textFromAttachments = (message: Answer): string =>
  listOf(message['attachments'])
    .filter((one) => one['is_share'] !== true && one['is_msg_unfurl'] !== true)
    .flatMap((one) => textOf(one['text']) ?? textOf(one['fallback']) ?? [])
    .join('\n');
