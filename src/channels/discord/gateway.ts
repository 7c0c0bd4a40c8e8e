/**
 * The socket to Discord's gateway: comes back by itself with growing pauses, takes up its session where everything
 * before was taken, and tells when it is over for good.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewayDispatchPayload } from '@discordjs/core';
import { WebSocketManager, WebSocketShardEvents, type SessionInfo } from '@discordjs/ws';
import { AppError, backoff, type ChannelProblem, jittered, type Log } from '../../sdk/index.ts';
import type { DiscordApi } from './api.ts';
import { discordError, tokenRefused } from './errors.ts';
import type { Seen } from './seen.ts';

export interface GatewayDeps {
  readonly api: DiscordApi;
  readonly token: string;
  readonly intents: number;
  readonly seen: Seen;
  readonly log: Log;
  /** Resolves with true once the event is taken: only then it is not asked for again. */
  onEvent(event: GatewayDispatchPayload): Promise<boolean>;
  /** A new session began: what was said before it is not coming. */
  onFresh(): void;
  onAlive(): void;
  onConnected(connected: boolean): void;
  onTrouble(problem: ChannelProblem | undefined): void;
  onOver(error: AppError): void;
}

export interface Gateway {
  /** Resolves when events flow. */
  open(): Promise<void>;
  close(timeoutMs: number): Promise<void>;
}

/** Discord keeps a session for a while when it is closed with any other code than 1000 and 1001. */
const KEEP_SESSION = 4200;
const LONGEST_WAIT_MS = 60_000;
const IDENTIFY_WINDOW_MS = 5500;
const STORM = { breaks: 5, withinMs: 300_000 };

export function createGateway(deps: GatewayDeps): Gateway {
  const { seen, log } = deps;
  const stop = new AbortController();
  const session = createTaken(seen);
  const state = { mayWait: false, failures: 0, lastCode: 0, breaks: [] as number[] };

  const manager = new WebSocketManager({
    token: deps.token,
    intents: deps.intents,
    rest: deps.api.rest,
    shardCount: 1,
    buildIdentifyThrottler: async (owner) =>
      createThrottle((await owner.fetchGatewayInformation()).session_start_limit.max_concurrency, pause),
    retrieveSessionInfo: () => (state.mayWait ? beforeConnecting() : session.info()),
    updateSessionInfo: (_shard, info) => void (stop.signal.aborted || session.update(info)),
  });

  /** The library asks for the session right before it connects: the one place where it can be made to wait. */
  async function beforeConnecting(): Promise<SessionInfo | null> {
    state.mayWait = false;
    const attempt = state.failures++;
    if (attempt > 0)
      await pause(jittered(backoff({ first: 500, most: LONGEST_WAIT_MS }, attempt), [0.5, 1], Math.random()));
    if (session.info() === null) await untilSessionsLeft();
    if (stop.signal.aborted) await new Promise(() => undefined); // closed meanwhile: never connect
    return session.info();
  }

  /** Discord resets the token of a bot that identifies too often in a day. */
  async function untilSessionsLeft(): Promise<void> {
    try {
      const { session_start_limit: limit } = await manager.fetchGatewayInformation(true);
      if (limit.remaining > 0) return;
      deps.onTrouble({
        kind: 'runtime',
        message: 'Discord allows no further connection today: there were too many.',
        fix: 'Look for a second program that uses this token; the connection is tried again by itself.',
      });
      await pause(limit.reset_after);
    } catch (error) {
      log.debug('discord.sessions', { error }); // the connection itself will tell what is wrong
    }
  }

  const pause = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: stop.signal, ref: false }).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });

  const up = (): void => {
    Object.assign(state, { failures: 0 });
    deps.onConnected(true);
  };

  function broke(code: number): void {
    if (stop.signal.aborted) return;
    Object.assign(state, { mayWait: true, lastCode: code });
    deps.onConnected(false);
    const now = performance.now();
    state.breaks = [...state.breaks.filter((at) => now - at < STORM.withinMs), now];
    log.info('discord.closed', { code });
    if (state.breaks.length < STORM.breaks) return;
    deps.onTrouble({
      kind: 'runtime',
      message: `The connection to Discord broke ${state.breaks.length} times in five minutes (code ${code}).`,
      fix: 'Check the network, and that no second program uses this token.',
    });
  }

  manager.on(WebSocketShardEvents.Ready, () => {
    up();
    deps.onFresh();
  });
  manager.on(WebSocketShardEvents.Resumed, up);
  manager.on(WebSocketShardEvents.Closed, broke);
  manager.on(WebSocketShardEvents.Hello, deps.onAlive);
  manager.on(WebSocketShardEvents.HeartbeatComplete, deps.onAlive);
  manager.on(WebSocketShardEvents.SocketError, (error) =>
    log.info('discord.socket', { error: error instanceof Error ? error.message : 'unknown' }),
  );
  manager.on(WebSocketShardEvents.Error, (error) => {
    const over = overBy(state.lastCode);
    if (over) deps.onOver(over);
    else log.warn('discord.gateway', { error: error.message });
  });
  manager.on(WebSocketShardEvents.Dispatch, (event) => {
    if (stop.signal.aborted) return;
    deps.onAlive();
    session.track(event.s, deps.onEvent(event));
  });

  return {
    async open() {
      try {
        if (session.info() === null) await firstLook(manager);
        await manager.connect();
      } catch (error) {
        throw overBy(state.lastCode) ?? discordError(error, 'connecting to its gateway');
      }
    },
    async close(timeoutMs) {
      stop.abort();
      await Promise.race([
        manager.destroy({ code: KEEP_SESSION, reason: 'closing' }),
        sleep(timeoutMs, undefined, { ref: false }),
      ]);
    },
  };
}

/** Discord takes so many new sessions in five seconds. */
function createThrottle(most: number, pause: (ms: number) => Promise<void>): { waitForIdentify(): Promise<void> } {
  const state: { begun: readonly number[] } = { begun: [] };
  return {
    async waitForIdentify() {
      state.begun = state.begun.filter((at) => performance.now() - at < IDENTIFY_WINDOW_MS);
      const first = state.begun.at(-most);
      if (first !== undefined) await pause(first + IDENTIFY_WINDOW_MS - performance.now());
      state.begun = [...state.begun, performance.now()];
    },
  };
}

async function firstLook(manager: WebSocketManager): Promise<void> {
  const { session_start_limit: limit } = await manager.fetchGatewayInformation();
  if (limit.remaining < 1)
    throw new AppError(
      'rate_limited',
      'Discord allows no further connection of this bot today. Look for a second program that uses its token.',
      { retryAfterMs: limit.reset_after },
    );
}

/** Close codes after which it makes no sense to come back. */
function overBy(code: number): AppError | undefined {
  if (code === 4004) return tokenRefused();
  if (code === 4013 || code === 4014)
    return new AppError(
      'auth',
      'Discord refused the intents asked for. Turn them on in the Discord Developer Portal (Bot, Privileged Gateway Intents), or turn them off in channels.discord.intents.',
    );
  if (code === 4010 || code === 4011)
    return new AppError(
      'unsupported',
      'Discord wants this bot to connect in several parts (shards): it is in too many servers for one gateway.',
    );
  return code === 4012
    ? new AppError('unsupported', 'Discord does not speak version 10 of its gateway any more. Update Clawdbot.')
    : undefined;
}

/**
 * Up to which event everything was taken: what the gateway is told in heartbeats, and where a resumed session goes on.
 */
function createTaken(seen: Seen): {
  info(): SessionInfo | null;
  update(info: SessionInfo | null): void;
  track(sequence: number, done: Promise<boolean>): void;
} {
  const state: { session: SessionInfo | null; received: number; open: Set<number> } = {
    session: seen.session ?? null,
    received: seen.session?.sequence ?? 0,
    open: new Set(),
  };
  const taken = (): number => {
    const [first] = state.open;
    return first === undefined ? state.received : first - 1;
  };
  const info = (): SessionInfo | null => state.session && { ...state.session, sequence: taken() };
  return {
    info,
    update(next) {
      if (next?.sessionId === state.session?.sessionId && next) return; // only counting, which `track` does
      Object.assign(state, { session: next, received: next?.sequence ?? 0, open: new Set() });
      seen.keepSession(next ?? undefined);
    },
    track(sequence, done) {
      const { open, session } = state;
      state.received = Math.max(state.received, sequence);
      open.add(sequence);
      void done.then((finished) => {
        if (!finished) return;
        open.delete(sequence);
        if (state.session?.sessionId === session?.sessionId) seen.keepSession(info() ?? undefined);
      });
    },
  };
}
