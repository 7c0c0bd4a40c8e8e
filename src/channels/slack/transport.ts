/** How messages come in: over a socket we open, or posted by Slack to the gateway. */
import type { ChannelAccount } from '../../sdk/index.ts';
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
  /** Reads what was written while nothing could come in. */
  missed(): Promise<void>;
}

/** Resolves once messages flow. */
export const openTransport = (deps: TransportDeps): Promise<Socket> => (deps.account.config.mode === 'http' ? mountWebhook(deps) : overSocket(deps));

async function mountWebhook({ account, status, onUpdate, missed }: TransportDeps): Promise<Socket> {
  const signingSecret = secret(account.credentials, 'signingSecret', 'Signing secret of the app: channels.slack.signingSecret');
  const mounted = account.mount(account.config.webhookPath, createWebhook({ signingSecret, log: account.log, onUpdate, onAlive: status.alive }));
  status.up(true);
  const caughtUp = missed();
  return {
    ended: new Promise<never>(() => {}),
    async [Symbol.asyncDispose]() {
      mounted[Symbol.dispose]();
      await caughtUp;
    },
  };
}

async function overSocket({ account, status, onUpdate, missed }: TransportDeps): Promise<Socket> {
  const { config, log, signal } = account;
  const appToken = secret(account.credentials, 'appToken', 'App-level token (xapp-…): channels.slack.appToken or SLACK_APP_TOKEN');
  const state = { caughtUp: Promise.resolve() };
  const socket = await openSocket({
    appToken, apiRoot: config.apiRoot, timeoutMs: config.timeoutSeconds * 1000, log, signal, onUpdate, onAlive: status.alive,
    onUp() {
      status.problem('socket', undefined);
      status.up(true);
      state.caughtUp = state.caughtUp.then(missed);
    },
    onDown(problem) {
      status.up(false);
      if (problem) status.problem('socket', problem);
    },
    onShared: (count) => status.problem('shared', count <= 1 ? undefined : { kind: 'runtime', message: `${count} connections share this app token; each gets only a part of the messages.`, fix: 'Stop the other gateways that use this Slack app, or give each its own app.' }),
  });
  return {
    ended: socket.ended,
    async [Symbol.asyncDispose]() {
      await socket[Symbol.asyncDispose]();
      await state.caughtUp;
    },
  };
}
