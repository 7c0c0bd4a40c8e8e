/** One connected account: who we are, updates coming in, messages going out, and an end that leaves nothing behind. */
import { AppError, systemClock, type AccountFacts, type ChannelAccount, type ChannelConnection, type Clock, type Probe } from '../../sdk/index.ts';
import type { UserFromGetMe } from 'grammy/types';
import { act } from './actions.ts';
import { createApi, type TelegramApi } from './api.ts';
import type { TelegramConfig } from './config.ts';
import { download } from './download.ts';
import { TOKEN_FIX } from './errors.ts';
import { acknowledge, learn, tellMigration, type EventDeps } from './events.ts';
import { normalise } from './inbound.ts';
import { createIntake, type Intake } from './intake.ts';
import { createChatMemory } from './memory.ts';
import { menuOf, publishMenu } from './menu.ts';
import { outgoing } from './outgoing.ts';
import { poll } from './poll.ts';
import { createProblemBoard, type ProblemBoard } from './problems.ts';
import { createSender } from './send.ts';
import { checkedSecret, createWebhookHandler, setWebhook, webhookPathOf } from './webhook.ts';
import { within } from './within.ts';

type Account = ChannelAccount<TelegramConfig>;

/** Within which running work is waited for at the end. */
const CLOSE_MS = 5000;

export async function connect(account: Account, { clock = systemClock }: { readonly clock?: Clock } = {}): Promise<ChannelConnection> {
  const { config, log } = account;
  const report = (facts: AccountFacts): void => account.report(facts);
  const stop = new AbortController();
  const signal = AbortSignal.any([account.signal, stop.signal]);
  const over = Promise.withResolvers<void>();
  over.promise.catch(() => undefined); // whoever supervises looks at `ended`; a connection nobody supervises may end too
  const api = createApi({ token: tokenOf(account), apiRoot: config.apiRoot, timeoutSeconds: config.timeoutSeconds, onRevoked: over.reject });
  const me = await api.calls.getMe(signal as never);
  const board = createProblemBoard(report);
  const memory = createChatMemory();
  const menu = menuOf(account.commands, config, log);
  const events: EventDeps = { api, memory, board, log, signal };
  const scene = { accountId: account.accountId, self: me, config, memory, menu: menu.names };
  const intake = createIntake({
    read(update) {
      learn(update, events);
      return normalise(update, scene);
    },
    receive: (message) => account.receive(message), taken: (update) => acknowledge(update, events), clock, signal, log,
  });
  hintAtPrivacy(me, config, board);
  const inflow = await open({ account, api, intake, board, clock, signal, over });
  report({ connected: true, alive: true, mode: config.webhookUrl === undefined ? 'polling' : 'webhook', self: { id: String(me.id), name: me.first_name, handle: me.username } });
  const published = publishMenu(api, menu.entries, { log, signal });
  const sender = createSender({ api, account, memory, migrated: (from, to) => tellMigration({ from, to }, events) });
  return {
    ...outgoing(api), ...sender, ended: over.promise,
    act: (action, call) => act(action, call, { api, sender }),
    download: (ref, limits) => download(api, ref, limits),
    probe: (given) => probe(api, { webhook: config.webhookUrl !== undefined, signal: AbortSignal.any([given, signal]) }),
    async [Symbol.asyncDispose]() {
      stop.abort();
      inflow.close();
      await within(Promise.all([inflow.done, published, intake.idle()]), { ms: CLOSE_MS, clock });
      report({ connected: false });
      over.resolve();
    },
  };
}

function tokenOf({ credentials, config }: Account): string {
  const token = credentials['botToken'] ?? config.botToken;
  if (token === undefined || token === '') throw new AppError('auth', TOKEN_FIX);
  return token;
}

interface Opening { readonly account: Account; readonly api: TelegramApi; readonly intake: Intake; readonly board: ProblemBoard; readonly clock: Clock; readonly signal: AbortSignal; readonly over: PromiseWithResolvers<void> }
interface Inflow { close(): void; readonly done: Promise<void> }

function open(opening: Opening): Promise<Inflow> {
  return opening.account.config.webhookUrl === undefined ? openPolling(opening) : openWebhook(opening, opening.account.config.webhookUrl);
}

/** A webhook that is still set keeps polls from working. */
async function openPolling({ account, api, intake, board, clock, signal, over }: Opening): Promise<Inflow> {
  const { config, log } = account;
  const report = (facts: AccountFacts): void => account.report(facts);
  await api.calls.deleteWebhook({}, signal);
  const done = poll({ api, intake, reactions: config.reactionNotifications !== 'off', report, board, clock, log, signal }).catch((error: unknown) => {
    report({ connected: false });
    over.reject(error);
  });
  return { close: () => undefined, done };
}

async function openWebhook({ account, api, intake, signal }: Opening, url: string): Promise<Inflow> {
  const { config, credentials, log } = account;
  const secret = checkedSecret(credentials['webhookSecret'] ?? config.webhookSecret);
  const mounted = account.mount(webhookPathOf(config), createWebhookHandler({ secret, intake, alive: () => account.report({ alive: true }), log }));
  const close = (): void => mounted[Symbol.dispose]();
  try {
    await setWebhook(api, { url, secret, reactions: config.reactionNotifications !== 'off', signal });
  } catch (error) {
    close();
    throw error;
  }
  return { close, done: Promise.resolve() };
}

async function probe(api: TelegramApi, { webhook, signal }: { webhook: boolean; signal: AbortSignal }): Promise<Probe> {
  try {
    const { username } = await api.calls.getMe(signal as never);
    const info = webhook ? await api.calls.getWebhookInfo(signal as never) : undefined;
    if (info && info.url === '') return { ok: false, detail: 'The webhook is gone: another program removed it. Restart the account to set it again.' };
    return { ok: true, detail: info?.last_error_message ? `@${username}; the last post to the webhook failed: ${info.last_error_message}` : `@${username}` };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { ok: false, detail: error.message };
  }
}

/** In privacy mode a bot sees only what addresses it, whatever the settings wish for. */
function hintAtPrivacy(me: UserFromGetMe, { groups = {} }: TelegramConfig, board: ProblemBoard): void {
  const wished = Object.entries(groups).filter(([, group]) => group.requireMention === false).map(([id]) => id);
  if (me.can_read_all_group_messages || wished.length === 0) return;
  board.set('privacy', { kind: 'config', message: `Privacy mode is on for @${me.username}: in ${wished.join(', ')} it sees only what addresses it, or all where it is an admin.`, fix: 'Turn it off with @BotFather (/setprivacy), then remove the bot from the group and add it again.' });
}
