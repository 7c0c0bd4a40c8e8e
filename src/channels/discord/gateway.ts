/** The gateway socket: reconnects with backoff, resumes its session and reports permanent failures. */
import type { GatewayDispatchPayload } from '@discordjs/core';
import { WebSocketManager, WebSocketShardEvents, type SessionInfo } from '@discordjs/ws';
import {
  type AppError,
  backoff,
  type ChannelProblem,
  jittered,
  type Log,
  pause,
  settlesWithin,
} from '../../sdk/index.ts';
import type { DiscordApi } from './api.ts';
import { discordError } from './errors.ts';
import type { Seen } from './seen.ts';
import { checkSessionsLeft, createThrottle, overBy, untilSessionsLeft } from './session-limits.ts';
import { createSessionProgress, type SessionProgress } from './session-progress.ts';

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
const BACKOFF_MS = { first: 500, max: 60_000 } as const;
const STORM = { breaks: 5, withinMs: 300_000 };

/** What the parts of one gateway share. */
interface Line {
  readonly deps: GatewayDeps;
  readonly session: SessionProgress;
  readonly stop: AbortController;
  /** Whether the next connection waits, how many in a row did not come about, and how the last one ended. */
  readonly state: { mayWait: boolean; failures: number; lastCode: number; breaks: readonly number[] };
}

export function createGateway(deps: GatewayDeps): Gateway {
  const line: Line = {
    deps,
    session: createSessionProgress(deps.seen),
    stop: new AbortController(),
    state: { mayWait: false, failures: 0, lastCode: 0, breaks: [] },
  };
  const { session, stop, state } = line;
  const manager = createManager(line);
  listen(manager, line);
  return {
    async open() {
      try {
        if (session.info() === null) await checkSessionsLeft(manager);
        await manager.connect();
      } catch (error) {
        throw overBy(state.lastCode) ?? discordError(error, 'connecting to its gateway');
      }
    },
    async close(timeoutMs) {
      stop.abort();
      const closed = Promise.resolve(manager.destroy({ code: KEEP_SESSION, reason: 'closing' })).catch(
        (error: unknown) => deps.log.debug('discord.close', { error }),
      );
      await settlesWithin(closed, timeoutMs);
    },
  };
}

function createManager(line: Line): WebSocketManager {
  const { deps, session, stop, state } = line;
  const manager: WebSocketManager = new WebSocketManager({
    token: deps.token,
    intents: deps.intents,
    rest: deps.api.rest,
    shardCount: 1,
    buildIdentifyThrottler: async (owner) =>
      createThrottle((await owner.fetchGatewayInformation()).session_start_limit.max_concurrency, stop.signal),
    retrieveSessionInfo: () => (state.mayWait ? beforeConnecting(manager, line) : session.info()),
    updateSessionInfo: (_shard, info) => void (stop.signal.aborted || session.update(info)),
  });
  return manager;
}

/** The library asks for the session right before it connects: the one place where it can be made to wait. */
async function beforeConnecting(
  manager: WebSocketManager,
  { deps, session, stop: { signal }, state }: Line,
): Promise<SessionInfo | null> {
  state.mayWait = false;
  const attempt = state.failures++;
  if (attempt > 0) await pause(jittered(backoff(BACKOFF_MS, attempt), [0.5, 1], Math.random()), signal);
  if (session.info() === null) await untilSessionsLeft(manager, { ...deps, signal });
  if (signal.aborted) await new Promise(() => undefined); // closed meanwhile: never connect
  return session.info();
}

function listen(manager: WebSocketManager, line: Line): void {
  const { deps, session, stop, state } = line;
  const up = (): void => {
    state.failures = 0;
    deps.onConnected(true);
  };
  manager.on(WebSocketShardEvents.Ready, () => {
    up();
    deps.onFresh();
  });
  manager.on(WebSocketShardEvents.Resumed, up);
  manager.on(WebSocketShardEvents.Closed, (code) => broke(code, line));
  manager.on(WebSocketShardEvents.Hello, deps.onAlive);
  manager.on(WebSocketShardEvents.HeartbeatComplete, deps.onAlive);
  manager.on(WebSocketShardEvents.SocketError, (error) =>
    deps.log.info('discord.socket', { error: error instanceof Error ? error.message : 'unknown' }),
  );
  manager.on(WebSocketShardEvents.Error, (error) => {
    const over = overBy(state.lastCode);
    if (over) deps.onOver(over);
    else deps.log.warn('discord.gateway', { error: error.message });
  });
  manager.on(WebSocketShardEvents.Dispatch, (event) => {
    if (stop.signal.aborted) return;
    deps.onAlive();
    session.track(event.s, deps.onEvent(event));
  });
}

function broke(code: number, { deps, stop, state }: Line): void {
  if (stop.signal.aborted) return;
  const now = performance.now();
  const breaks = [...state.breaks.filter((at) => now - at < STORM.withinMs), now];
  Object.assign(state, { mayWait: true, lastCode: code, breaks });
  deps.onConnected(false);
  deps.log.info('discord.closed', { code });
  if (breaks.length < STORM.breaks) return;
  deps.onTrouble({
    kind: 'runtime',
    message: `The connection to Discord broke ${breaks.length} times in five minutes (code ${code}).`,
    fix: 'Check the network, and make sure no other program uses this token.',
  });
}
