/** Connects one Slack account: who we are, how messages come in, and what can be done. */
import { AppError, type ChannelAccount, type ChannelConnection } from '../../sdk/index.ts';
import { act } from './actions.ts';
import { textOf } from './answer.ts';
import { createApi, type Api } from './api.ts';
import { catchUp } from './catch-up.ts';
import type { SlackSettings } from './config.ts';
import { createDirects } from './directs.ts';
import { download } from './download.ts';
import type { Self } from './inbound-context.ts';
import { createIntake } from './intake.ts';
import { createNames } from './names.ts';
import { react } from './reactions.ts';
import { createReadBack } from './read-back.ts';
import { createReader } from './reader.ts';
import { secret } from './secret.ts';
import { createSeen } from './seen.ts';
import { createSender } from './send.ts';
import { createStatus } from './status.ts';
import { createThreads } from './threads.ts';
import { openTransport } from './transport.ts';
import type { Update } from './update.ts';

/** How long messages that arrive after an outage wait for those that were missed. */
const CATCH_UP_MS = 5000;
const GONE = new Set(['tokens_revoked', 'app_uninstalled']);

export async function connect(account: ChannelAccount<SlackSettings>): Promise<ChannelConnection> {
  const { config, credentials, log, signal } = account;
  const over = Promise.withResolvers<void>();
  over.promise.catch(() => undefined); // whoever wants to know looks at `ended`
  const common = { apiRoot: config.apiRoot, timeoutMs: config.timeoutSeconds * 1000, log };
  const token = secret(credentials, 'botToken', 'Bot token (xoxb-…): channels.slack.botToken or SLACK_BOT_TOKEN');
  const api = createApi({ ...common, token, onAuthError: (error) => over.reject(error) });
  const userToken = credentials['userToken'];
  const self = await whoAmI(api);
  const status = createStatus(account.report);
  account.report({ mode: config.mode, self: { id: self.userId, ...(self.handle ? { name: self.handle, handle: self.handle } : {}) } });

  const names = createNames({ api, log });
  const threads = createThreads({ api, names, log });
  const directs = createDirects(api);
  const seen = await createSeen(account);
  const reader = createReader({ account, self, names, threads, directs });
  const intake = createIntake({
    log, read: reader.read, receive: account.receive,
    onTaken(update) {
      status.inbound();
      reader.note(update, seen);
    },
  });
  const sender = createSender({
    account, api, directs,
    onSent(sent) {
      threads.learn(sent);
      if (sent.thread) seen.note({ channel: sent.channel, thread: sent.thread }, sent.ts);
    },
  });

  const stop = new AbortController();
  const missed = async (): Promise<void> => {
    if (!config.catchUp) return;
    const marks = seen.marks();
    await intake.first(async (take) => {
      const stopped = await catchUp({ api, log, signal: AbortSignal.any([stop.signal, signal]), marks, take, ...(self.teamId ? { teamId: self.teamId } : {}) });
      status.problem('catch-up', stopped ? { kind: 'permissions', message: `What was written during an outage could not all be read: ${stopped}`, fix: 'Add the scopes channels:history, groups:history, im:history and mpim:history to the Slack app.' } : undefined);
    }, CATCH_UP_MS);
  };
  const onUpdate = async (update: Update): Promise<void> => {
    if (GONE.has(String(update.body['type']))) over.reject(new AppError('auth', 'The Slack app was uninstalled or its tokens were revoked. Install it again and put the new token into channels.slack.botToken.'));
    else await intake.offer(update);
  };
  const transport = await openTransport({ account, status, missed, onUpdate });
  transport.ended.catch((error: unknown) => over.reject(error));

  return {
    ...sender,
    ended: over.promise,
    readBack: createReadBack({ api, directs, config, selfId: self.userId }),
    async react(to, messageId, emoji, options) {
      await react(api, { channel: await directs.channelOf(to.chat), timestamp: messageId }, { emoji, remove: options?.remove === true, selfId: self.userId });
    },
    act: (action, call) => act({ api, directs, names, ...(userToken ? { userApi: createApi({ ...common, token: userToken }) } : {}) }, action, call),
    download: (ref, limits) => download({ api, token, account }, ref, limits),
    async probe() {
      const { handle, teamName } = await whoAmI(api);
      return { ok: true, detail: `${handle ?? self.userId} in ${teamName ?? 'Slack'}`, ...(status.lastInboundAt === undefined ? {} : { lastInboundAt: status.lastInboundAt }) };
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await transport[Symbol.asyncDispose]();
      await intake[Symbol.asyncDispose]();
      await seen[Symbol.asyncDispose]();
      status.up(false);
    },
  };
}

async function whoAmI(api: Api): Promise<Self> {
  const answer = await api.call('auth.test');
  const userId = textOf(answer['user_id']);
  if (!userId) throw new AppError('bad_response', 'Slack auth.test: the answer does not say who we are.');
  const [botId, teamId, teamName, handle] = ['bot_id', 'team_id', 'team', 'user'].map((key) => textOf(answer[key]));
  return { userId, ...(botId ? { botId } : {}), ...(teamId ? { teamId } : {}), ...(teamName ? { teamName } : {}), ...(handle ? { handle } : {}) };
}
