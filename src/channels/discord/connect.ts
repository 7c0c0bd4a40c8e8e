/** Connects one account: verifies the token, opens the gateway socket and wires up this folder's parts. */
import { Routes, type APIApplication, type APIMessage, type APIUser } from '@discordjs/core';
import {
  AppError,
  createIntake,
  createProblemBoard,
  markHandled,
  orAborted,
  orTimeout,
  type ChannelAccount,
  type ChannelConnection,
  type ChannelProblem,
  type ProblemBoard,
} from '../../sdk/index.ts';
import { createActing } from './act.ts';
import { createWhyNot } from './may-moderate.ts';
import { createApi, type DiscordApi } from './api.ts';
import { catchUp } from './catch-up.ts';
import type { DiscordConfig } from './config.ts';
import { createDownloads } from './download.ts';
import { tokenRefused } from './errors.ts';
import { createGateway, type GatewayDeps } from './gateway.ts';
import { contentProblem, intentsOf } from './intents.ts';
import { createLedger } from './ledger.ts';
import { registerCommands } from './native-commands.ts';
import { createPlaces } from './places.ts';
import type { Place } from './place.ts';
import { createReceiver } from './receiver.ts';
import { createResponses } from './responses.ts';
import { openSeen, type Seen } from './seen.ts';
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
  markHandled(over.promise); // the supervisor looks; nobody has to
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
  await orTimeout(orAborted(Promise.race([open(), over]), account.signal, 'The connection to Discord was abandoned.'), {
    ms: OPEN_MS,
    error: () => new AppError('timeout', "Discord's gateway sent nothing within 45 s. The connection is retried."),
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
    self: selfOf(me),
    places,
    intake,
    seen,
    ledger,
    responses,
    authorOf: authorsIn(call),
    onGhost: () => problems.set('ghost', GHOST),
  });
  const gateway = createGateway({
    api,
    token,
    seen,
    log,
    intents: intentsOf(application, config),
    onEvent(event) {
      for (const place of places.learn(event)) beginAt(place, config, seen);
      return receiver.take(event);
    },
    onFresh: () => {
      if (config.catchUp) catchUp({ call, seen, intake, places, receiver, log });
    },
    ...reports(account, problems, me),
    onOver: (error) => over.reject(error),
  });

  const acting = { call, places, account, sending: { channelOf, ...sending }, botId: me.id };
  return {
    ...sending,
    download: (ref, limits) => downloads.download(ref, limits),
    act: createActing(acting),
    whyNot: createWhyNot(acting),
    ended: over.promise,
    async open() {
      await gateway.open();
      await offerCommands(account, { call, applicationId: application.id, problems });
    },
    probe: (signal) => probe(call, signal),
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

const selfOf = (me: APIUser): { readonly id: string; readonly name: string } => ({
  id: me.id,
  name: nameOf(me) ?? me.username,
});

const GHOST: ChannelProblem = {
  kind: 'runtime',
  message: 'Another program uses the token of this bot.',
  fix: 'Stop the other program, or reset the token in the Discord Developer Portal and set the new one only here.',
};

/** Who wrote a message; undefined when Discord does not tell. */
function authorsIn(call: DiscordApi['call']): (channelId: string, messageId: string) => Promise<string | undefined> {
  return async (channelId, messageId) => {
    const at = Routes.channelMessage(channelId, messageId);
    const message = await call<APIMessage>('get', at, `reading message ${messageId}`).catch(absent);
    return message?.author.id;
  };
}

/** Channels named in the settings are looked after from the start, so that an outage loses nothing there either. */
function beginAt(place: Place, { guilds }: DiscordConfig, seen: Seen): void {
  const named = place.guildId !== undefined && !place.forum && guilds?.[place.guildId]?.channels?.[place.id];
  if (named) seen.begin(place.id, place.lastMessageId, { guildId: place.guildId! });
}

/** What the socket says of itself, as the account reports it. */
function reports(
  account: ChannelAccount<DiscordConfig>,
  problems: ProblemBoard,
  me: APIUser,
): Pick<GatewayDeps, 'onAlive' | 'onConnected' | 'onTrouble'> {
  return {
    onAlive: () => account.report({ alive: true }),
    onConnected(connected) {
      account.report({ connected, mode: 'gateway', self: { ...selfOf(me), handle: me.username } });
      if (connected) problems.set('socket', undefined);
    },
    onTrouble: (problem) => problems.set('socket', problem),
  };
}

/** Commands that cannot be registered are a problem of the account; messages are answered all the same. */
async function offerCommands(
  { commands, stateDir }: ChannelAccount<DiscordConfig>,
  {
    problems,
    ...to
  }: { readonly call: DiscordApi['call']; readonly applicationId: string; readonly problems: ProblemBoard },
): Promise<void> {
  await registerCommands(commands, { ...to, stateDir }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : 'unknown';
    problems.set('commands', {
      kind: 'runtime',
      message: `The commands could not be registered with Discord: ${why}`,
    });
  });
}

async function probe(
  call: DiscordApi['call'],
  signal: AbortSignal,
): Promise<{ readonly ok: boolean; readonly detail?: string }> {
  try {
    await call('get', Routes.user(), 'asking who the bot is', { signal });
    return { ok: true };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, detail: error.message };
    throw error;
  }
}

function absent(error: unknown): undefined {
  if (error instanceof AppError && !error.retryable) return undefined;
  throw error;
}
