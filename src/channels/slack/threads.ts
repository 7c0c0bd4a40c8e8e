/** Bounded cache of thread starters and the bot's messages in each thread. */
import { AppError, type InboundMessage, type Log, within, head, present } from '../../sdk/index.ts';
import { listOf, textOf } from './answer.ts';
import type { Api } from './api.ts';
import { mentionsIn, readText } from './markdown.ts';
import { bounded, type Names } from './names.ts';

type Starter = NonNullable<InboundMessage['threadStarter']>;

export interface Threads {
  starterOf(spot: { readonly channel: string; readonly ts: string }): Promise<Starter | undefined>;
  /** A message of ours, by its id. */
  learn(sent: { readonly channel: string; readonly ts: string; readonly thread?: string }): void;
  threadOf(channel: string, ts: string): string | undefined;
}

const WAIT_MS = 1000;
const TEXT = 2000;

export function createThreads({
  api,
  names,
  log,
}: {
  readonly api: Api;
  readonly names: Names;
  readonly log: Log;
}): Threads {
  const starters = new Map<string, Promise<Starter | undefined>>();
  const sent = new Map<string, string>();
  const ask = async ({
    channel,
    ts,
  }: {
    readonly channel: string;
    readonly ts: string;
  }): Promise<Starter | undefined> => {
    try {
      const [first] = listOf(
        (await api.call('conversations.replies', { channel, ts, limit: 1, inclusive: true }))['messages'],
      );
      const raw = textOf(first?.['text']);
      if (!first || !raw || first['ts'] !== ts) return undefined;
      const senderId = textOf(first['user']);
      const { users } = await names.resolve({
        users: [...(senderId ? [senderId] : []), ...mentionsIn(raw)],
        rooms: [],
      });
      const sender = (senderId && users.get(senderId)?.name) ?? textOf(first['username']) ?? senderId;
      return {
        text: head(readText(raw, { user: (id) => users.get(id)?.name, chat: () => undefined }), TEXT),
        ...present({ sender: sender || undefined, senderId: senderId || undefined }),
      };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.debug('slack.thread', { channel, reason: error.message }); // the message itself is what matters
      return undefined;
    }
  };
  return {
    async starterOf(spot) {
      const key = `${spot.channel}:${spot.ts}`;
      const known = starters.get(key) ?? ask(spot);
      bounded(starters, key, known);
      return within(known, { ms: WAIT_MS, otherwise: undefined });
    },
    learn: ({ channel, ts, thread }) => void (thread && bounded(sent, `${channel}:${ts}`, thread)),
    threadOf: (channel, ts) => sent.get(`${channel}:${ts}`),
  };
}
