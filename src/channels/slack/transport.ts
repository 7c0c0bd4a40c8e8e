/** How messages arrive: over Socket Mode, or as HTTP posts to the gateway. */
import { createSerialQueue, type ChannelAccount } from '../../sdk/index.ts';
import type { SlackSettings } from './config.ts';
import { secret } from './secret.ts';
import { openSocket, type Socket } from './socket.ts';
import type { Status } from './status.ts';
import type { Update } from './update.ts';
import { createWebhook } from './webhook.ts';

export interface TransportDeps {
  readonly account: ChannelAccount<SlackSettings>;
  readonly status: Status;
  onUpdate(update: Update): Promise<void>;
  /**
   * Reads what was written while nothing could come in; answers how many messages were news. `strangers`: also where
   * nobody was heard yet, which is worth it after an outage alone.
   */
  missed(where: { readonly strangers: boolean }): Promise<number>;
}

export type Transport = Pick<Socket, 'ended'> & AsyncDisposable;

/** Resolves once messages flow. */
export const openTransport = (deps: TransportDeps): Promise<Transport> =>
  deps.account.config.mode === 'http' ? mountWebhook(deps) : overSocket(deps);

async function mountWebhook({ account, status, onUpdate, missed }: TransportDeps): Promise<Transport> {
  const signingSecret = secret(
    account.credentials,
    'signingSecret',
    'Signing secret of the app: channels.slack.signingSecret',
  );
  const mounted = account.mount(
    account.config.webhookPath,
    createWebhook({ signingSecret, log: account.log, onUpdate, onAlive: status.alive }),
  );
  status.up(true);
  const caughtUp = missed({ strangers: true });
  return {
    ended: new Promise<never>(() => {}),
    async [Symbol.asyncDispose]() {
      mounted[Symbol.dispose]();
      await caughtUp;
    },
  };
}

async function overSocket({ account, status, onUpdate, missed }: TransportDeps): Promise<Transport> {
  const { config, log, signal } = account;
  const appToken = secret(
    account.credentials,
    'appToken',
    'App-level token (xapp-…): channels.slack.appToken or SLACK_APP_TOKEN',
  );
  const catchingUp = createSerialQueue();
  const state = { lastUpdate: performance.now() };
  const socket = await openSocket({
    appToken,
    apiRoot: config.apiRoot,
    timeoutMs: config.timeoutSeconds * 1000,
    log,
    signal,
    onAlive: status.alive,
    onUpdate(update) {
      state.lastUpdate = performance.now();
      return onUpdate(update);
    },
    onUp() {
      status.problem('socket', undefined);
      status.up(true);
      void catchingUp.run(() => missed({ strangers: true }));
    },
    onDown(problem) {
      status.up(false);
      if (problem) status.problem('socket', problem);
    },
    onShared: (count) =>
      status.problem(
        'shared',
        count <= 1
          ? undefined
          : {
              kind: 'runtime',
              message: `${count} connections share this app token; each gets only some of the messages.`,
              fix: 'Stop the other gateways that use this Slack app, or give each its own app.',
            },
      ),
  });
  const watch = watchForSilence({
    socket,
    missed: () => missed({ strangers: false }),
    log,
    silentMs: config.deafAfterMinutes * 60_000,
    lastUpdate: () => state.lastUpdate,
  });
  return {
    ended: socket.ended,
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]();
      await socket[Symbol.asyncDispose]();
      await catchingUp.idle();
    },
  };
}

interface Watch {
  readonly socket: Socket;
  missed(): Promise<number>;
  readonly log: ChannelAccount<unknown>['log'];
  readonly silentMs: number;
  lastUpdate(): number;
}

/** A socket may stand, answer pings and yet bring nothing. Messages that are there and did not come prove it. */
function watchForSilence({ socket, missed, log, silentMs, lastUpdate }: Watch): Disposable {
  if (silentMs === 0) return { [Symbol.dispose]: () => {} };
  const check = async (): Promise<void> => {
    if (performance.now() - lastUpdate() < silentMs) return;
    const found = await missed();
    if (found === 0) return;
    log.warn('slack.deaf', { found });
    socket.renew();
  };
  const timer = setInterval(() => void check(), silentMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
