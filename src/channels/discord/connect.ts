/** Connects one account: proves the token, opens the gateway's socket, and joins the parts of this folder. */
import { Routes, type APIApplication, type APIMessage, type APIUser } from '@discordjs/core';
import {
  AppError,
  createIntake,
  createProblemBoard,
  orAborted,
  orTimeout,
  type ChannelAccount,
  type ChannelConnection,
} from '../../sdk/index.ts';
import { createActing } from './act.ts';
import { createWhyNot } from './may-moderate.ts';
import { createApi, type DiscordApi } from './api.ts';
import { catchUp } from './catch-up.ts';
import type { DiscordConfig } from './config.ts';
import { createDownloads } from './download.ts';
import { tokenRefused } from './errors.ts';
import { createGateway } from './gateway.ts';
import { contentProblem, intentsOf } from './intents.ts';
import { createLedger } from './ledger.ts';
import { registerCommands } from './native-commands.ts';
import { createPlaces } from './places.ts';
import type { Place } from './place.ts';
import { createReceiver } from './receiver.ts';
import { createResponses } from './responses.ts';
import { openSeen } from './seen.ts';
import { createSending } from './send.ts';
import { nameOf } from './words.ts';

const OPEN_MS = 45_000;
const CLOSE_MS = 4000;

export async function connect(account: ChannelAccount<DiscordConfig>): Promise<ChannelConnection> {
  const token = account.credentials['token'];
  if (!token)
    throw new AppError(
      'auth',
      'There is no bot token. Put it in channels.discord.token, tokenFile or DISCORD_BOT_TOKEN.',
    );
  const over = Promise.withResolvers<void>();
  over.promise.catch(() => undefined); // the supervisor looks; nobody has to
  const api = createApi({ token, apiRoot: account.config.apiRoot, onAuth: () => over.reject(tokenRefused()) });
  await using opening = new AsyncDisposableStack();
  opening.use(api);
  const me = await api.call<APIUser>('get', Routes.user(), 'signing in', { signal: account.signal });
  const application = await api.call<APIApplication>('get', Routes.currentApplication(), 'reading the application', {
    signal: account.signal,
  });
  const connection = await assemble(account, { api, token, me, application, over });
  opening.defer(() => connection[Symbol.asyncDispose]());
  await firstEvents(account, connection, over.promise);
  opening.move();
  return connection;
}

interface Proven {
  readonly api: DiscordApi;
  readonly token: string;
  readonly me: APIUser;
  readonly application: APIApplication;
  readonly over: PromiseWithResolvers<void>;
}

/** Resolves when the socket is up, the account is given up, or it is over before it began. */
async function firstEvents(
  account: ChannelAccount<DiscordConfig>,
  { open }: Assembled,
  over: Promise<void>,
): Promise<void> {
  await orTimeout(orAborted(Promise.race([open(), over]), account.signal, 'The connection to Discord was given up.'), {
    ms: OPEN_MS,
    error: () => new AppError('timeout', "Discord's gateway did not begin to send in 45 s. It is tried again."),
  });
}

type Assembled = ChannelConnection & { open(): Promise<void> };

async function assemble(
  account: ChannelAccount<DiscordConfig>,
  { api, token, me, application, over }: Proven,
): Promise<Assembled> {
  const { config, log } = account;
  const { call } = api;
  const problems = createProblemBoard(account.report);
  problems.set('intent', contentProblem(application, config));
  const seen = await openSeen({ stateDir: account.stateDir, botId: me.id, log });
  const places = createPlaces({ call, botId: me.id });
  const ledger = createLedger();
  const intake = createIntake({ log, closeMs: CLOSE_MS });
  const responses = createResponses({ call, ephemeral: config.slashCommand?.ephemeral ?? true });
  const downloads = createDownloads({ apiRoot: config.apiRoot, call });
  const { channelOf, ...sending } = createSending({ call, places, account, responses, ledger, botId: me.id });
  const receiver = createReceiver({
    account,
    self: { id: me.id, name: nameOf(me) ?? me.username },
    places,
    intake,
    seen,
    ledger,
    responses,
    authorOf: async (channelId, messageId) =>
      (
        await call<APIMessage>(
          'get',
          Routes.channelMessage(channelId, messageId),
          `reading message ${messageId}`,
        ).catch(absent)
      )?.author.id,
    onGhost: () =>
      problems.set('ghost', {
        kind: 'runtime',
        message: "Another program answers with this bot's token.",
        fix: 'Stop the other one, or reset the token in the Discord Developer Portal and put the new one here alone.',
      }),
  });
  const gateway = createGateway({
    api,
    token,
    seen,
    log,
    intents: intentsOf(application, config),
    onEvent(event) {
      for (const place of places.learn(event)) beginAt(place);
      return receiver.take(event);
    },
    onFresh: () => {
      if (config.catchUp) catchUp({ call, seen, intake, places, receiver, log });
    },
    onAlive: () => account.report({ alive: true }),
    onConnected(connected) {
      account.report({
        connected,
        mode: 'gateway',
        self: { id: me.id, name: nameOf(me) ?? me.username, handle: me.username },
      });
      if (connected) problems.set('socket', undefined);
    },
    onTrouble: (problem) => problems.set('socket', problem),
    onOver: (error) => over.reject(error),
  });

  /** Channels named in the settings are looked after from the start, so that an outage loses nothing there either. */
  function beginAt(place: Place): void {
    const named = place.guildId !== undefined && !place.forum && config.guilds?.[place.guildId]?.channels?.[place.id];
    if (named) seen.begin(place.id, place.lastMessageId, { guildId: place.guildId! });
  }

  const acting = { call, places, account, sending: { channelOf, ...sending }, botId: me.id };
  return {
    ...sending,
    download: downloads.download,
    act: createActing(acting),
    whyNot: createWhyNot(acting),
    ended: over.promise,
    async open() {
      await gateway.open();
      await registerCommands(account.commands, {
        call,
        applicationId: application.id,
        stateDir: account.stateDir,
      }).catch((error: unknown) => {
        problems.set('commands', {
          kind: 'runtime',
          message: `The commands could not be registered with Discord: ${error instanceof Error ? error.message : 'unknown'}`,
        });
      });
    },
    async probe(signal) {
      try {
        await call('get', Routes.user(), 'asking who the bot is', { signal });
        return { ok: true };
      } catch (error) {
        if (error instanceof AppError) return { ok: false, detail: error.message };
        throw error;
      }
    },
    async [Symbol.asyncDispose]() {
      await gateway.close(CLOSE_MS);
      await intake[Symbol.asyncDispose]();
      responses[Symbol.dispose]();
      await seen[Symbol.asyncDispose]();
      await downloads[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
      account.report({ connected: false });
    },
  };
}

function absent(error: unknown): undefined {
  if (error instanceof AppError && !error.retryable) return undefined;
  throw error;
}
