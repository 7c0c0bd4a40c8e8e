/** Socket Mode: one connection, reopened when it closes; an envelope is acknowledged once recorded. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { SocketModeClient } from '@slack/socket-mode';
import {
  AppError,
  backoff,
  type ChannelProblem,
  markHandled,
  jittered,
  type Log,
  orAborted,
  pause,
  settlesWithin,
  ignoreOutcome,
  parseJson,
} from '../../sdk/index.ts';
import { recordOf, textOf, type Answer } from './answer.ts';
import { quietLogger } from './api.ts';
import { slackError } from './errors.ts';
import { updateOf, type Update } from './update.ts';

export interface SocketDeps {
  readonly appToken: string;
  readonly apiRoot: string;
  readonly timeoutMs: number;
  readonly log: Log;
  readonly signal: AbortSignal;
  onUpdate(update: Update): Promise<void>;
  /** Messages flow, perhaps after they did not for a while. */
  onUp(): void;
  onDown(problem?: ChannelProblem): void;
  /** Anything came. */
  onAlive(): void;
  /** How many connections share the token. */
  onShared(count: number): void;
}

export interface Socket extends AsyncDisposable {
  /** Rejects when it is over for good. */
  readonly ended: Promise<never>;
  /** Gives the connection up for a new one: nothing comes over it although it stands. */
  renew(): void;
}

const HELLO_MS = 20_000;
const CLOSE_MS = 1000;
/** Beyond what a busy event loop needs: a pong that is late is no dead line. */
const PONG_MS = 20_000;
const PING_MS = 60_000;
const BACKOFF_MS = { first: 250, max: 30_000 } as const;
/** A connection that ended sooner was none. */
const LIVED_MS = 5000;

/** Resolves once the first connection stands. */
export async function openSocket(deps: SocketDeps): Promise<Socket> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, deps.signal]);
  const state = { line: await openLine(deps, signal) };
  deps.onUp();
  const over = Promise.withResolvers<never>();
  markHandled(over.promise); // whoever wants to know looks at `ended`
  const keeping = keepOpen({ deps, state, signal }).catch((error: unknown) => over.reject(error));
  return {
    ended: over.promise,
    renew: () => void state.line.close(),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await state.line.close();
      await keeping;
    },
  };
}

async function keepOpen({
  deps,
  state,
  signal,
}: {
  readonly deps: SocketDeps;
  readonly state: { line: Line };
  readonly signal: AbortSignal;
}): Promise<void> {
  let short = 0;
  for (;;) {
    const since = performance.now();
    const reason = await state.line.closed;
    if (signal.aborted) return;
    if (reason === 'link_disabled')
      throw new AppError(
        'auth',
        'Slack turned Socket Mode off for this app. Turn it on again (app settings, Socket Mode), or use ' +
          'channels.slack.mode "http".',
      );
    deps.onDown();
    short = performance.now() - since < LIVED_MS ? short + 1 : 0;
    const line = await reopen(deps, signal, Math.max(0, short - 1));
    if (!line) return;
    state.line = line;
    if (signal.aborted) return line.close();
    deps.onUp();
  }
}

/** Undefined: nobody wants it any more. `failures`: how many went before. */
async function reopen(deps: SocketDeps, signal: AbortSignal, before: number): Promise<Line | undefined> {
  for (let failures = before; !signal.aborted; failures++) {
    const max = failures === 0 ? 50 : backoff(BACKOFF_MS, failures);
    await pause(jittered(max, [0.5, 1], Math.random()), signal);
    if (signal.aborted) return undefined;
    try {
      return await openLine(deps, signal);
    } catch (error) {
      const known = slackError(error, 'apps.connections.open');
      if (signal.aborted) return undefined;
      if (known.code === 'auth') throw known;
      deps.log.warn('slack.reconnect', { failures: failures + 1, reason: known.message });
      deps.onDown({ kind: 'runtime', message: `Slack cannot be reached: ${known.message}` });
      if (known.retryAfterMs) await pause(known.retryAfterMs, signal);
    }
  }
  return undefined;
}

interface Line {
  readonly closed: Promise<string | undefined>;
  close(): Promise<void>;
}

/** One connection: resolves after Slack's hello. */
async function openLine(deps: SocketDeps, signal: AbortSignal): Promise<Line> {
  const client = new SocketModeClient({
    appToken: deps.appToken,
    autoReconnectEnabled: false,
    clientPingTimeout: PONG_MS,
    serverPingTimeout: PING_MS,
    logger: quietLogger(deps.log),
    clientOptions: {
      slackApiUrl: deps.apiRoot,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: deps.timeoutMs,
    },
  });
  const closed = Promise.withResolvers<string | undefined>();
  const state: { reason?: string | undefined } = {};
  const deaf = listenToPings(client, deps.onAlive);
  client.on('disconnected', () => {
    deaf();
    closed.resolve(state.reason);
  });
  guard(client, deps, (reason) => void (state.reason = reason));
  const close = (): Promise<void> => closeClient(client);
  const tooLate = setTimeout(() => void close(), HELLO_MS);
  const started = client.start();
  try {
    await orAborted(started, signal);
  } catch (error) {
    deaf();
    if (signal.aborted) void ignoreOutcome(started.then(close)); // the library cannot be stopped on its way
    throw error instanceof Error
      ? slackError(error, 'apps.connections.open')
      : new AppError('network', 'Slack closed the socket before the hello message.');
  } finally {
    clearTimeout(tooLate);
  }
  return { closed: closed.promise, close };
}

/** The library waits half a minute for the other side's farewell; asked twice, it leaves. */
async function closeClient(client: SocketModeClient): Promise<void> {
  for (const _ of ['farewell', 'leave']) {
    await settlesWithin(client.disconnect(), CLOSE_MS);
  }
}

/**
 * Stands between the wire and the library, which keeps the connection and would take every event's type for a name of
 * its own events,
 * and a malformed one for reason to fail.
 */
function guard(client: SocketModeClient, deps: SocketDeps, onReason: (reason: string | undefined) => void): void {
  const library = client.listeners('ws_message');
  client.removeAllListeners('ws_message');
  client.on('ws_message', (data: unknown, isBinary: unknown) => {
    deps.onAlive();
    const frame = parse(data);
    const type = textOf(frame['type']);
    if (type === 'hello') deps.onShared(typeof frame['num_connections'] === 'number' ? frame['num_connections'] : 1);
    if (type === 'disconnect') onReason(textOf(frame['reason']));
    if (type === 'hello' || type === 'disconnect')
      for (const pass of library) (pass as (data: unknown, isBinary: unknown) => void)(data, isBinary);
    else if (textOf(frame['envelope_id'])) void answer(client, frame, deps);
  });
}

function parse(data: unknown): Answer {
  if (typeof data !== 'string') return {};
  return recordOf(parseJson(data)); // empty: no frame of the protocol
}

async function answer(client: SocketModeClient, frame: Answer, { onUpdate, log }: SocketDeps): Promise<void> {
  const id = textOf(frame['envelope_id'])!;
  const update = updateOf(textOf(frame['type']) ?? '', frame['payload']);
  try {
    if (update) await onUpdate(update);
    else log.debug('slack.unknown', { type: String(frame['type']).slice(0, 40) });
  } catch (error) {
    log.warn('slack.not-taken', { reason: error instanceof Error ? error.message : 'unknown' });
    return; // not acknowledged: Slack delivers it again
  }
  // The library offers this only along with its own reading of the envelope, which `guard` replaces.
  const { send } = client as unknown as { send(this: unknown, id: string): Promise<void> };
  await send
    .call(client, id)
    .catch((error: unknown) => log.debug('slack.ack', { reason: error instanceof Error ? error.message : 'unknown' }));
}

/**
 * In a quiet workspace only Slack's pings show that the socket is alive. They arrive for every socket of the process:
 * ours is known by its address.
 */
function listenToPings(client: SocketModeClient, onAlive: () => void): () => void {
  const state: { url?: string | undefined } = {};
  client.on('authenticated', (answered: unknown) => void (state.url = textOf(recordOf(answered)['url'])));
  const received = (message: unknown): void => {
    const { websocket } = (message ?? {}) as { websocket?: { url?: unknown } };
    if (state.url !== undefined && websocket?.url === new URL(state.url).href) onAlive();
  };
  for (const name of ['undici:websocket:ping', 'undici:websocket:pong']) subscribe(name, received);
  return () => {
    for (const name of ['undici:websocket:ping', 'undici:websocket:pong']) unsubscribe(name, received);
  };
}
