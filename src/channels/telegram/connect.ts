/** Connects one account: identifies the bot, starts updates and sending, and closes everything on disconnect. */
import {
  type AccountFacts,
  AppError,
  type ChannelAccount,
  type ChannelConnection,
  type Clock,
  createProblemBoard,
  markHandled,
  type ProblemBoard,
  settlesWithin,
  systemClock,
} from '../../sdk/index.ts';
import type { UserFromGetMe } from 'grammy/types';
import { act } from './actions.ts';
import { whyNot } from './may-moderate.ts';
import { createApi, type TelegramApi } from './api.ts';
import type { TelegramConfig } from './config.ts';
import { download } from './download.ts';
import { TOKEN_FIX } from './errors.ts';
import { acknowledge, learn, notifyMigration, type EventDeps } from './events.ts';
import { normalise } from './inbound.ts';
import { createChatMemory } from './memory.ts';
import { menuOf, publishMenu, type Menu } from './menu.ts';
import { outgoing } from './outgoing.ts';
import { probe } from './probe.ts';
import { createReceiver, type Receiver } from './receiver.ts';
import { createSender, type Sender } from './send.ts';
import { openUpdateSource } from './update-source.ts';

type Account = ChannelAccount<TelegramConfig>;

/** What the parts of a connection share. */
interface Session {
  readonly account: Account;
  readonly api: TelegramApi;
  readonly me: UserFromGetMe;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly events: EventDeps;
  readonly menu: Menu;
  readonly over: PromiseWithResolvers<void>;
}

/** Within which running work is waited for at the end. */
const CLOSE_MS = 5000;

export async function connect(
  account: Account,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): Promise<ChannelConnection> {
  const stop = new AbortController();
  const signal = AbortSignal.any([account.signal, stop.signal]);
  const over = Promise.withResolvers<void>();
  // whoever supervises looks at `ended`; a connection nobody supervises may end too
  markHandled(over.promise);
  const { config, log } = account;
  const api = createApi({
    token: tokenOf(account),
    apiRoot: config.apiRoot,
    proxy: config.proxy,
    timeoutSeconds: config.timeoutSeconds,
    onRevoked: over.reject,
  });
  try {
    // its only parameter is the signal, which the library's types know by another name
    const me = await api.calls.getMe(signal as never);
    const board = createProblemBoard((facts) => account.report(facts));
    const session: Session = {
      account,
      api,
      me,
      clock,
      signal,
      over,
      menu: menuOf(account.commands, config, log),
      events: { api, memory: createChatMemory(), board, log, signal },
    };
    hintAtPrivacy(me, config, board);
    return await begin(session, stop);
  } catch (error) {
    stop.abort();
    api[Symbol.dispose]();
    throw error;
  }
}

async function begin(session: Session, stop: AbortController): Promise<ChannelConnection> {
  const { account, api, me, clock, signal, events, menu, over } = session;
  const report = (facts: AccountFacts): void => account.report(facts);
  const { config, log } = account;
  const receiver = receiverOf(session);
  const source = await openUpdateSource({
    account,
    api,
    receiver,
    board: events.board,
    clock,
    signal,
    fail: over.reject,
  });
  report({
    connected: true,
    alive: true,
    mode: config.webhookUrl === undefined ? 'polling' : 'webhook',
    self: { id: String(me.id), name: me.first_name, handle: me.username },
  });
  const published = publishMenu(api, menu.entries, { log, signal });
  return {
    ...abilities(session),
    ended: over.promise,
    async [Symbol.asyncDispose]() {
      stop.abort();
      source.close();
      const closed = Promise.all([source.done, published, receiver[Symbol.asyncDispose]()]);
      await settlesWithin(closed, CLOSE_MS, clock);
      api[Symbol.dispose]();
      report({ connected: false });
      over.resolve();
    },
  };
}

function abilities({ account, api, signal, events }: Session): Omit<ChannelConnection, typeof Symbol.asyncDispose> {
  const sender: Sender = createSender({
    api,
    account,
    memory: events.memory,
    migrated: (from, to) => notifyMigration({ from, to }, events),
  });
  return {
    ...outgoing(api),
    send: (to, message) => sender.send(to, message),
    edit: (to, messageId, message) => sender.edit(to, messageId, message),
    draft: (to, message) => sender.draft(to, message),
    act: (action, call) => act(action, call, { api, sender }),
    whyNot: (userIds, { moderates = '' }, { to, signal }) => whyNot({ userIds, right: moderates, to, signal }, api),
    download: (ref, limits) => download(api, ref, limits),
    probe: (aborted) =>
      probe(api, { webhook: account.config.webhookUrl !== undefined, signal: AbortSignal.any([aborted, signal]) }),
  };
}

function receiverOf({ account, me, clock, events, menu }: Session): Receiver {
  const context = {
    accountId: account.accountId,
    self: me,
    config: account.config,
    memory: events.memory,
    menu: menu.names,
  };
  return createReceiver({
    read(update) {
      learn(update, events);
      return normalise(update, context);
    },
    receive: (message) => account.receive(message),
    taken: (update) => acknowledge(update, events),
    clock,
    log: account.log,
  });
}

function tokenOf({ credentials, config }: Account): string {
  const token = credentials['botToken'] ?? config.botToken;
  if (token === undefined || token === '') throw new AppError('auth', TOKEN_FIX);
  return token;
}

/** In privacy mode a bot sees only what addresses it, whatever the settings say. */
function hintAtPrivacy(me: UserFromGetMe, { groups = {} }: TelegramConfig, board: ProblemBoard): void {
  const requested = Object.entries(groups)
    .filter(([, group]) => group.requireMention === false)
    .map(([id]) => id);
  if (me.can_read_all_group_messages || requested.length === 0) return;
  board.set('privacy', {
    kind: 'config',
    message:
      `Privacy mode is on for @${me.username}: in ${requested.join(', ')} it sees only messages that address it, or ` +
      'all messages where it is an admin.',
    fix: 'Turn it off with @BotFather (/setprivacy), then remove the bot from the group and add it again.',
  });
}
