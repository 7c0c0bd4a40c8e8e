/** Connects one Slack account: identifies the bot, selects the transport and wires up this folder's parts. */
import {
  AppError,
  markHandled,
  orAborted,
  type ChannelAccount,
  type ChannelConnection,
  type Probe,
  present,
} from '../../sdk/index.ts';
import { act } from './actions.ts';
import { textOf } from './answer.ts';
import { createApi, type Api, type ApiOptions } from './api.ts';
import { catchUp } from './catch-up.ts';
import type { SlackSettings } from './config.ts';
import { createDirects, type Directs } from './directs.ts';
import { download } from './download.ts';
import type { Self } from './inbound-context.ts';
import { createNames, type Names } from './names.ts';
import { react } from './reactions.ts';
import { createReadBack } from './read-back.ts';
import { createReader } from './reader.ts';
import { createReceiver, type Receiver } from './receiver.ts';
import { secret } from './secret.ts';
import { createSeen, type Seen } from './seen.ts';
import { createSender, type Sender } from './send.ts';
import { strangers } from './strangers.ts';
import { createStatus, type Status } from './status.ts';
import { createThreads } from './threads.ts';
import { openTransport } from './transport.ts';
import type { Update } from './update.ts';

type Account = ChannelAccount<SlackSettings>;

/** How long messages that arrive after an outage wait for those that were missed. */
const CATCH_UP_MS = 5000;
const CATCH_UP_CHATS = 40;
const GONE = new Set(['tokens_revoked', 'app_uninstalled']);

export async function connect(account: Account): Promise<ChannelConnection> {
  const over = Promise.withResolvers<void>();
  void markHandled(over.promise); // whoever wants to know looks at `ended`
  const parts = await createParts(account, over.reject);
  const stop = new AbortController();
  const transport = await openTransport({
    account,
    status: parts.status,
    missed: ({ strangers: also }) =>
      readMissed(account, parts, { strangers: also, signal: AbortSignal.any([stop.signal, account.signal]) }),
    async onUpdate(update: Update) {
      if (GONE.has(String(update.body['type'])))
        over.reject(
          new AppError(
            'auth',
            'The Slack app was uninstalled or its tokens were revoked. Install it again and set the new ' +
              'token in channels.slack.botToken.',
          ),
        );
      else await parts.receiver.offer(update);
    },
  });
  transport.ended.catch(over.reject);
  return {
    ...abilities(account, parts),
    ended: over.promise,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await transport[Symbol.asyncDispose]();
      await parts.receiver[Symbol.asyncDispose]();
      await parts.seen[Symbol.asyncDispose]();
      parts.status.up(false);
    },
  };
}

interface Parts {
  readonly api: Api;
  readonly token: string;
  readonly self: Self;
  readonly status: Status;
  readonly names: Names;
  readonly directs: Directs;
  readonly seen: Seen;
  readonly receiver: Receiver;
  readonly sender: Sender;
}

async function createParts(account: Account, onAuthError: (error: AppError) => void): Promise<Parts> {
  const { config, credentials, log } = account;
  const token = secret(credentials, 'botToken', 'Bot token (xoxb-…): channels.slack.botToken or SLACK_BOT_TOKEN');
  const api = createApi({ ...apiOptions(account), token, onAuthError });
  const self = await whoAmI(api);
  const status = createStatus(account.report);
  account.report({
    mode: config.mode,
    self: present({ id: self.userId, name: self.handle || undefined, handle: self.handle || undefined }),
  });
  const names = createNames({ api, log });
  const threads = createThreads({ api, names, log });
  const directs = createDirects(api);
  const seen = await createSeen(account);
  const reader = createReader({ account, self, names, threads, directs });
  const receiver = createReceiver({
    log,
    read: reader.read,
    receive: account.receive,
    onTaken(update) {
      status.inbound();
      reader.note(update, seen);
    },
  });
  const sender = createSender({
    account,
    api,
    directs,
    onSent(sent) {
      threads.learn(sent);
      if (sent.thread) seen.note({ channel: sent.channel, thread: sent.thread }, sent.ts);
    },
  });
  return { api, token, self, status, names, directs, seen, receiver, sender };
}

const apiOptions = ({ config, log }: Account): Omit<ApiOptions, 'token'> => ({
  apiRoot: config.apiRoot,
  timeoutMs: config.timeoutSeconds * 1000,
  log,
});

/** Messages that come meanwhile wait for those that were missed. Answers how many were news. */
async function readMissed(
  { config, log }: Account,
  { api, self, seen, receiver, status }: Parts,
  { strangers: also, signal }: { readonly strangers: boolean; readonly signal: AbortSignal },
): Promise<number> {
  if (!config.catchUp) return 0;
  const count = { news: 0 };
  const known = seen.marks();
  await receiver.first(async (take) => {
    const marks = [
      ...known.slice(0, CATCH_UP_CHATS),
      ...(also ? await strangers({ api, log, signal, marks: known }) : []),
    ];
    const stopped = await catchUp({
      api,
      log,
      signal,
      marks,
      ...present({ teamId: self.teamId || undefined }),
      async take(update) {
        if (await take(update)) count.news += 1;
      },
    });
    status.problem(
      'catch-up',
      stopped
        ? {
            kind: 'permissions',
            message: `Not all messages from the outage could be read: ${stopped}`,
            fix: 'Add the scopes channels:history, groups:history, im:history and mpim:history to the Slack app.',
          }
        : undefined,
    );
  }, CATCH_UP_MS);
  return count.news;
}

function abilities(
  account: Account,
  { api, token, self, status, names, directs, sender }: Parts,
): Omit<ChannelConnection, typeof Symbol.asyncDispose> {
  const { userToken } = account.credentials;
  return {
    ...sender,
    readBack: createReadBack({ api, directs, config: account.config, selfId: self.userId }),
    async react(to, messageId, emoji, options) {
      await react(
        api,
        { channel: await directs.channelOf(to.chat), timestamp: messageId },
        { emoji, remove: options?.remove === true, selfId: self.userId },
      );
    },
    act: (action, call) =>
      act(
        {
          api,
          directs,
          names,
          ...present({ userApi: userToken ? createApi({ ...apiOptions(account), token: userToken }) : undefined }),
        },
        action,
        call,
      ),
    download: (ref, limits) => download({ api, token, account }, ref, limits),
    probe: (signal) => probe({ api, status }, signal),
  };
}

async function probe(
  { api, status: { lastInboundAt } }: Pick<Parts, 'api' | 'status'>,
  signal: AbortSignal,
): Promise<Probe> {
  const since = lastInboundAt === undefined ? {} : { lastInboundAt };
  try {
    const { handle, userId, teamName } = await orAborted(whoAmI(api), signal);
    return { ok: true, detail: `${handle ?? userId} in ${teamName ?? 'Slack'}`, ...since };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, detail: error.message, ...since };
    throw error;
  }
}

async function whoAmI(api: Api): Promise<Self> {
  const answer = await api.call('auth.test');
  const userId = textOf(answer['user_id']);
  if (!userId) throw new AppError('bad_response', 'Slack auth.test: the response does not identify the bot.');
  const [botId, teamId, teamName, handle] = ['bot_id', 'team_id', 'team', 'user'].map((key) => textOf(answer[key]));
  return present({
    userId,
    botId: botId || undefined,
    teamId: teamId || undefined,
    teamName: teamName || undefined,
    handle: handle || undefined,
  });
}
