/** One connection of an account: connects, watches whether it is alive, disconnects. */
import type { ChannelAccount, ChannelConnection, ChannelPlugin, Probe } from '../../core/channel.ts';
import { AppError, asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Clock } from '../../platform/clock.ts';
import { pause } from '../../platform/pause.ts';
import { onceAborted, orTimeout, settlesWithin } from '../../platform/timeout.ts';
import type { AccountState } from './account-state.ts';

/** Milliseconds. */
export interface ConnectionTimes {
  readonly connect: number;
  /** For a connection to close; then it is left to itself. */
  readonly stop: number;
  /** After this time without events, the platform is probed. */
  readonly quiet: number;
  readonly probe: number;
  /** Between two checks of the watchdog, and between two probes. */
  readonly check: number;
}

export const CONNECTION_TIMES: ConnectionTimes = {
  connect: 60_000,
  stop: 5_000,
  quiet: 5 * 60_000,
  probe: 10_000,
  check: 30_000,
};

export interface ConnectionSpec {
  readonly plugin: ChannelPlugin;
  readonly account: ChannelAccount<unknown>;
  /** Ends what the account was handed. */
  close(): void;
  readonly state: AccountState;
  readonly clock: Clock;
  readonly log: Log;
  readonly times: ConnectionTimes;
  /** Messages can flow. */
  onUp(connection: ChannelConnection): void;
  /** Nothing more may be sent through it; `why`: the connection was lost unexpectedly. */
  onDown(why?: AppError): void;
}

/** Resolves when `stop` fired, rejects with what ended it; either way nothing of it is left that could do anything. */
export async function live(spec: ConnectionSpec, stop: AbortController): Promise<void> {
  const connecting = Promise.resolve().then(() => spec.plugin.connect(spec.account));
  const stopped = onceAborted(stop.signal);
  const over = new AbortController();
  let why: AppError | undefined;
  try {
    const connection = await orTimeout(Promise.race([connecting, stopped]), {
      ms: spec.times.connect,
      clock: spec.clock,
      error: () =>
        new AppError('timeout', `${spec.plugin.label} did not connect within ${spec.times.connect / 1000} s.`),
    });
    if (!connection || stop.signal.aborted) return;
    spec.state.up();
    spec.onUp(connection);
    await Promise.race([stopped, ending(connection), watch(connection, spec, over.signal)]);
  } catch (error) {
    throw (why = asAppError(error, 'unavailable'));
  } finally {
    over.abort();
    stop.abort();
    spec.close();
    spec.onDown(why);
    await leave(connecting, spec);
  }
}

/** Also for one that connects after we gave up on it. */
async function leave(connecting: Promise<ChannelConnection>, { clock, log, times }: ConnectionSpec): Promise<void> {
  const leaving = closed(connecting).catch((error: unknown) =>
    log.warn('channel.close', { error: asAppError(error).message }),
  );
  if (!(await settlesWithin(leaving, times.stop, clock))) log.error('channel.close.late', { timeoutMs: times.stop });
}

/** The reason why there is nothing to close was reported already. */
async function closed(connecting: Promise<ChannelConnection>): Promise<void> {
  const [made] = await Promise.allSettled([connecting]);
  if (made.status === 'fulfilled') await made.value[Symbol.asyncDispose]();
}

/** Never resolves for a connection that mends itself. */
async function ending({ ended }: ChannelConnection): Promise<void> {
  if (!ended) return new Promise(() => {});
  await ended;
  throw new AppError('network', 'The platform closed the connection.');
}

/**
 * A wall clock that ran ahead of the monotonic one by this means that the machine slept: connections rarely survive
 * that.
 */
const SLEPT_MS = 60_000;

/** Rejects when the platform is silent and does not answer two probes. */
async function watch(
  connection: ChannelConnection,
  { plugin, state, clock, times, log }: ConnectionSpec,
  over: AbortSignal,
): Promise<void> {
  if (!plugin.capabilities.deliverable) return new Promise(() => {});
  const ahead = (): number => clock.now() - clock.monotonic();
  let failures = 0;
  for (let offset = ahead(); !over.aborted; offset = ahead()) {
    if (!(await pause(times.check, over, clock))) return;
    const slept = ahead() - offset > SLEPT_MS;
    if (failures === 0 && !slept && state.silentFor() < times.quiet) continue;
    const { ok, detail = 'no answer' } = await probed(connection, { clock, state, timeoutMs: times.probe });
    if (over.aborted) return;
    failures = ok ? 0 : failures + 1;
    if (!ok) log.warn('channel.deaf', { failures, detail });
    if (failures >= 2)
      throw new AppError('timeout', `${plugin.label} sends no updates and does not respond: ${detail}`);
  }
}

/** Asks whether it really works. Never rejects. */
export async function probed(
  connection: ChannelConnection,
  { clock, state, timeoutMs }: { readonly clock: Clock; readonly state: AccountState; readonly timeoutMs: number },
): Promise<Probe> {
  const begun = clock.monotonic();
  const giveUp = new AbortController();
  const asking = Promise.resolve().then(() => connection.probe(giveUp.signal));
  const answer = await orTimeout(asking, {
    ms: timeoutMs,
    clock,
    error: () => new AppError('timeout', `no answer within ${timeoutMs} ms`),
  }).catch((error: unknown): Probe => ({ ok: false, detail: asAppError(error).message }));
  giveUp.abort();
  state.probed(answer, clock.monotonic() - begun);
  return answer;
}
