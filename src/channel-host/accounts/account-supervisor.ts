/** Supervises one account: connects, reconnects with increasing delays, stops on request. */
import { backoff, jittered } from '../../core/backoff.ts';
import type { ChannelConnection } from '../../core/channel.ts';
import { AppError, asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Clock } from '../../platform/clock.ts';
import { settlesWithin } from '../../platform/timeout.ts';
import type { AccountPlan } from '../../plugins/channel-accounts.ts';
import { resolveCredentials } from '../../plugins/channel-credentials.ts';
import { live, CONNECTION_TIMES, type ConnectionSpec, type ConnectionTimes } from './account-connection.ts';
import { openScope, type AccountContext } from './account-scope.ts';
import type { AccountState } from './account-state.ts';
import { pause } from '../../platform/pause.ts';

/** Milliseconds. */
export interface RetryTimes {
  readonly first: number;
  readonly longest: number;
  /** After a refused secret: trying more often changes nothing and may lock the account. */
  readonly refused: number;
  /** A connection that held this long begins with the first pause again. */
  readonly steady: number;
}

export const RETRY_TIMES: RetryTimes = { first: 1_000, longest: 60_000, refused: 5 * 60_000, steady: 60_000 };

export interface SupervisorDeps {
  readonly context: AccountContext;
  readonly clock: Clock;
  readonly log: Log;
  readonly home: string;
  /** From 0 up to 1: spreads the pauses of many gateways. */
  random(): number;
  readonly times?: Partial<ConnectionTimes & RetryTimes>;
  /** An account can send again: what waits for it may go. */
  onConnected(): void;
}

export interface Supervised {
  readonly plan: AccountPlan;
  readonly connection: ChannelConnection | undefined;
  /** Settles when it tried to connect once. */
  readonly tried: Promise<void>;
  /** Ends a pause before the next try. */
  hurry(): void;
  /**
   * Resolves when nothing of it is left, or the deadline went by; it cannot do anything from the moment this is called.
   */
  stop(): Promise<void>;
}

/** How it stands at this moment. */
interface Now {
  connection: ChannelConnection | undefined;
  upAt: number | undefined;
  attempts: number;
  abort: AbortController;
  pause: AbortController;
}

export function supervise(plan: AccountPlan, state: AccountState, deps: SupervisorDeps): Supervised {
  const { clock } = deps;
  const times = { ...CONNECTION_TIMES, ...RETRY_TIMES, ...deps.times };
  const log = deps.log.child({ channel: plan.plugin.id, accountId: plan.accountId });
  const stop = new AbortController();
  const tried = Promise.withResolvers<void>();
  const now: Now = {
    connection: undefined,
    upAt: undefined,
    attempts: 0,
    abort: new AbortController(),
    pause: new AbortController(),
  };

  function onUp(connection: ChannelConnection): void {
    [now.connection, now.upAt] = [connection, clock.monotonic()];
    log.info('channel.connected');
    tried.resolve();
    deps.onConnected();
  }

  function onDown(why?: AppError): void {
    now.connection = undefined;
    if (why && !stop.signal.aborted) state.down(why, now.attempts + 1); // it may take its time to close
  }

  /** Reports that the connection is down, and waits for the next attempt. */
  async function rest(error: AppError): Promise<void> {
    now.attempts = now.upAt !== undefined && clock.monotonic() - now.upAt >= times.steady ? 1 : now.attempts + 1;
    const retryInMs = pauseAfter(error, now.attempts, { ...times, random: deps.random() });
    state.down(error, now.attempts);
    log.error('channel.down', { code: error.code, error: error.message, attempts: now.attempts, retryInMs });
    tried.resolve();
    now.pause = new AbortController();
    await pause(retryInMs, now.pause.signal, clock); // hurried, or stopping: the loop looks
  }

  async function run(): Promise<void> {
    state.started();
    while (!stop.signal.aborted) {
      now.upAt = undefined;
      now.abort = new AbortController();
      const error = await connectOnce(
        plan,
        { state, deps, log, times, stopping: stop.signal, onUp, onDown },
        now.abort,
      ).then(
        () => undefined,
        (thrown: unknown) => asAppError(thrown),
      );
      if (stop.signal.aborted || !error) break;
      await rest(error);
    }
  }

  const done = run()
    .catch((error: unknown) => log.error('channel.supervisor', { error }))
    .finally(tried.resolve);

  return {
    plan,
    get connection() {
      return now.connection;
    },
    tried: tried.promise,
    hurry: () => now.pause.abort(),
    async stop() {
      stop.abort();
      now.connection = undefined;
      now.pause.abort();
      now.abort.abort();
      if (!(await settlesWithin(done, 2 * times.stop, clock))) log.error('channel.stop.late');
    },
  };
}

interface Once extends Pick<ConnectionSpec, 'state' | 'log' | 'times' | 'onUp' | 'onDown'> {
  readonly deps: SupervisorDeps;
  readonly stopping: AbortSignal;
}

/** One connection; resolves when it was stopped on request. */
async function connectOnce(
  plan: AccountPlan,
  { deps, stopping, ...rest }: Once,
  abort: AbortController,
): Promise<void> {
  const { state, log } = rest;
  const { credentials, problems } = await resolveCredentials({ ...plan.place, home: deps.home });
  if (stopping.aborted) return;
  state.found(problems);
  if (problems.length > 0) throw new AppError('auth', problems[0]!.message, { details: { fix: problems[0]!.fix } });
  const { account, close } = openScope(deps.context, {
    plan,
    config: plan.plugin.config.parse(plan.raw),
    credentials,
    state,
    log,
    signal: abort.signal,
    onBack: deps.onConnected,
  });
  await live({ ...rest, plugin: plan.plugin, account, close, clock: deps.clock }, abort);
}

/** Between three quarters of the pause and all of it, so that many do not come back at once. */
function pauseAfter(
  { code, retryAfterMs = 0 }: AppError,
  attempts: number,
  { first, longest, refused, random }: RetryTimes & { readonly random: number },
): number {
  if (code === 'auth') return refused;
  const pause = backoff({ first, max: longest }, attempts - 1);
  return Math.max(retryAfterMs, Math.round(jittered(pause, [0.75, 1], random)));
}
