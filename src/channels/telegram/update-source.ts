/** Where updates come from: long polling, or webhook posts to the gateway. */
import type { ChannelAccount, Clock, ProblemBoard } from '../../sdk/index.ts';
import type { TelegramApi } from './api.ts';
import type { TelegramConfig } from './config.ts';
import { poll } from './poll.ts';
import type { Receiver } from './receiver.ts';
import { checkedSecret, createWebhookHandler, setWebhook, webhookPathOf } from './webhook.ts';

export interface UpdateSource {
  close(): void;
  /** Settles when nothing comes any more. */
  readonly done: Promise<void>;
}

export interface UpdateSourceOptions {
  readonly account: ChannelAccount<TelegramConfig>;
  readonly api: TelegramApi;
  readonly receiver: Receiver;
  readonly board: ProblemBoard;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** It is over for good. */
  readonly fail: (error: unknown) => void;
}

export function openUpdateSource(options: UpdateSourceOptions): Promise<UpdateSource> {
  const { webhookUrl } = options.account.config;
  return webhookUrl === undefined ? openPolling(options) : openWebhook(options, webhookUrl);
}

/** A webhook that is still set keeps polls from working. */
async function openPolling({
  account,
  api,
  receiver,
  board,
  clock,
  signal,
  fail,
}: UpdateSourceOptions): Promise<UpdateSource> {
  await api.calls.deleteWebhook({}, signal);
  const done = poll({
    api,
    receiver,
    reactions: wantsReactions(account),
    report: (facts) => account.report(facts),
    board,
    clock,
    log: account.log,
    signal,
  }).catch((error: unknown) => {
    account.report({ connected: false });
    fail(error);
  });
  return { close: () => undefined, done };
}

/** The webhook stays set when the account is closed: Telegram keeps what comes until it is back. */
async function openWebhook(
  { account, api, receiver, signal }: UpdateSourceOptions,
  url: string,
): Promise<UpdateSource> {
  const { config, credentials, log } = account;
  const secret = checkedSecret(credentials['webhookSecret'] ?? config.webhookSecret);
  const mounted = account.mount(
    webhookPathOf(config),
    createWebhookHandler({ secret, receiver, alive: () => account.report({ alive: true }), log }),
  );
  const close = (): void => mounted[Symbol.dispose]();
  try {
    await setWebhook(api, { url, secret, reactions: wantsReactions(account), signal });
  } catch (error) {
    close();
    throw error;
  }
  return { close, done: Promise.resolve() };
}

const wantsReactions = ({ config }: UpdateSourceOptions['account']): boolean => config.reactionNotifications !== 'off';
