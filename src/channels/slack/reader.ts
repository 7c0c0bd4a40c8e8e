/** Resolves what an update refers to, converts it, and remembers what else it reports. */
import { present } from '../../sdk/index.ts';
import type { ChannelAccount, ChatKind, InboundMessage } from '../../sdk/index.ts';
import { listOf, recordOf, textOf } from './answer.ts';
import type { SlackSettings } from './config.ts';
import type { Directs } from './directs.ts';
import type { Self } from './inbound-context.ts';
import { normalise } from './inbound.ts';
import type { Names } from './names.ts';
import type { Seen } from './seen.ts';
import { chatKind } from './target.ts';
import type { Threads } from './threads.ts';
import { chatOf, messageOf, wantedOf, type Update } from './update.ts';

export interface ReaderDeps {
  readonly account: Pick<ChannelAccount<SlackSettings>, 'accountId' | 'config' | 'commands' | 'log'>;
  readonly self: Self;
  readonly names: Names;
  readonly threads: Threads;
  readonly directs: Directs;
}

export interface Reader {
  read(update: Update): Promise<InboundMessage | undefined>;
  /** It was taken: reading goes on behind it after an outage. */
  note(update: Update, seen: Seen): void;
}

/** Only these become messages; nothing is looked up for the rest. */
const READ = new Set(['message', 'app_mention', 'reaction_added']);

export function createReader({ account, self, names, threads, directs }: ReaderDeps): Reader {
  const commands = new Set(account.commands.map(({ name }) => name.toLowerCase()));
  return {
    async read(update) {
      const { body } = update;
      if (update.kind === 'event' && !READ.has(String(body['type']))) return undefined;
      const kind = learnKind(update, names);
      const wanted = wantedOf(update);
      if (isOwn(update, self)) return undefined;
      const [known, starter] = await Promise.all([
        names.resolve(
          kind === 'direct' ? { ...wanted, rooms: wanted.rooms.filter((id) => id !== chatOf(update)) } : wanted,
        ),
        wanted.thread ? threads.starterOf(wanted.thread) : undefined,
      ]);
      const message = normalise(update, {
        accountId: account.accountId,
        self,
        config: account.config,
        ...known,
        kindOf: names.kindOf,
        threadOf: threads.threadOf,
        commands,
        now: Date.now(),
        ...present({ starter }),
      });
      if (message?.address.chat.kind === 'direct') directs.learn(message.address.chat.id, chatOf(update));
      if (!message)
        account.log.debug('slack.skipped', {
          kind: update.kind,
          type: String(body['type']).slice(0, 40),
          subtype: String(body['subtype'] ?? '').slice(0, 40),
          files: listOf(body['files']).length,
        });
      return message;
    },
    note(update, seen) {
      const { body } = update;
      const ts = textOf(body['ts']);
      if (
        update.kind !== 'event' ||
        (body['type'] !== 'message' && body['type'] !== 'app_mention') ||
        body['subtype'] === 'message_changed' ||
        !ts
      )
        return;
      const thread = textOf(body['thread_ts']);
      seen.note(present({ channel: chatOf(update), thread: thread && thread !== ts ? thread : undefined }), ts);
    },
  };
}

/** Most of what comes is our own echo: it needs no names. */
function isOwn({ kind, body }: Update, { userId, botId }: Self): boolean {
  const message = messageOf(body);
  return (
    kind === 'event' &&
    (message['user'] === userId || (botId !== undefined && textOf(recordOf(message)['bot_id']) === botId))
  );
}

/** Some events say what kind of chat it is, others about the same chat do not: one chat is of one kind. */
function learnKind(update: Update, names: Names): ChatKind | undefined {
  const type = textOf(update.body['channel_type']);
  const chat = chatOf(update);
  if (type !== undefined) names.learnKind(chat, chatKind(chat, type));
  return type === undefined
    ? (names.kindOf(chat) ?? (chat.startsWith('D') ? 'direct' : undefined))
    : chatKind(chat, type);
}
