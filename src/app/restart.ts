/**
 * One restart at a time: several requests become one, as early as the earliest of them, and everybody who asked is told
 * afterwards.
 */
import { handedOn, together, type Authority } from '../core/authority.ts';
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { present } from '../core/present.ts';
import type { GatewayServices } from '../gateway/services.ts';
import type { RestartRequest, RequestRestart } from '../host/restart.ts';
import type { Clock, Timer } from '../platform/clock.ts';
import { createSerialQueue } from '../platform/keyed-queue.ts';
import { dropSentinel, keepSentinel, type RestartNote, type RestartStats } from '../host/restart-sentinel.ts';

const DEFAULT_DELAY_MS = 2000;
const LONGEST_DELAY_MS = 60_000;
/** A signal that comes in place of a restart that was granted may be so much later. */
export const SIGNAL_GRACE_MS = 5000;

export interface RestarterDeps {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * `fresh`: with the code on disk, which is another than the one running. Throws when it cannot; then requests go on
   * as if there had been none.
   */
  restart(reason: string, fresh: boolean): void;
  /** One signal may restart the process until then, milliseconds since the epoch; `fresh` as above. */
  authorise?(until: number, fresh: boolean): void;
}

interface Planned {
  readonly at: number;
  readonly timer: Timer;
  readonly reasons: readonly string[];
  readonly fresh: boolean;
  readonly notes: readonly RestartNote[];
}

/** Where the process is somebody else's. */
export const nobodyRestarts: RequestRestart = () => {
  throw new AppError('unsupported', 'Nobody here restarts the gateway.');
};

export function createRestarter(deps: RestarterDeps): RequestRestart {
  const { stateDir, clock, log } = deps;
  let planned: Planned | undefined;
  /** The file is written and removed in order. Ends well: what went wrong is in the log. */
  const disk = createSerialQueue();

  const onDisk = (change: () => Promise<void>): Promise<void> =>
    disk.run(change).catch((error: unknown) => log.error('gateway.restart.note', { error }));

  async function fire(): Promise<void> {
    await disk.idle();
    const { reasons, fresh } = planned!;
    try {
      deps.restart(reasons.join('; '), fresh);
    } catch (error) {
      // What was refused is over: the next request is a restart of its own, and nobody is told of one that never was.
      planned = undefined;
      log.error('gateway.restart.refused', { error });
      await onDisk(() => dropSentinel(stateDir));
    }
  }

  return (request) => {
    const at = clock.now() + waitOf(request.delayMs);
    const note = noteOf(request);
    const first = planned === undefined;
    const known = planned?.notes.some((one) => one.sessionKey === note?.sessionKey && one.text === note?.text);
    const notes = [...(planned?.notes ?? []), ...(note && !known ? [note] : [])];
    if (note && !known) void onDisk(() => keepSentinel(stateDir, notes, clock.now()));
    const earlier = planned === undefined || at < planned.at;
    if (earlier) planned?.timer.cancel();
    planned = {
      notes,
      at: earlier ? at : planned!.at,
      timer: earlier ? clock.setTimeout(() => void fire(), at - clock.now()).unref() : planned!.timer,
      reasons: [...new Set([...(planned?.reasons ?? []), request.reason])],
      fresh: request.fresh === true || (planned?.fresh ?? false),
    };
    deps.authorise?.(planned.at + SIGNAL_GRACE_MS, planned.fresh);
    log.info('gateway.restart.scheduled', {
      reason: request.reason,
      delayMs: Math.max(0, planned.at - clock.now()),
      joined: !first,
    });
    return present({ scheduledAt: planned.at, joined: first ? undefined : true });
  };
}

const waitOf = (delayMs = DEFAULT_DELAY_MS): number =>
  Number.isFinite(delayMs) ? Math.min(LONGEST_DELAY_MS, Math.max(0, Math.trunc(delayMs))) : DEFAULT_DELAY_MS;

/** Nobody is told of a restart nobody asked for: a changed setting, a person at the command line. */
function noteOf({
  reason,
  sessionKey,
  note,
  replyTo,
  authority,
  kind = 'restart',
  stats,
}: RestartRequest): RestartNote | undefined {
  if (sessionKey === undefined && note === undefined && replyTo === undefined) return undefined;
  return {
    kind,
    text: note ?? `The gateway was restarted (${reason}).`,
    ...present({ sessionKey, replyTo, authority: authority ? handedOn(authority, 'restart') : undefined }),
    ...(stats ? { stats: { reason, ...(stats as RestartStats) } } : { stats: { reason } }),
  };
}

/** Whether a signal may restart the process: once for each restart that was planned, in its place. */
export interface SignalGate {
  /** Until then, milliseconds since the epoch. `fresh`: what is planned is a restart with new code. */
  authorise(until: number, fresh: boolean): void;
  /** True once for what was authorised. */
  take(): boolean;
  /** The restart happens: nothing is planned any more. Answers whether new code was. */
  clear(): boolean;
}

export function createSignalGate(clock: Pick<Clock, 'now'>): SignalGate {
  let planned = { until: -Infinity, fresh: false };
  return {
    authorise(until, fresh) {
      planned = { until, fresh };
    },
    take() {
      const open = clock.now() <= planned.until;
      planned = { ...planned, until: -Infinity };
      return open;
    },
    clear() {
      const { fresh } = planned;
      planned = { until: -Infinity, fresh: false };
      return fresh;
    },
  };
}

export interface NotifyDeps {
  readonly log: Log;
  /** Says something to a chat without a turn. */
  postNotice(
    address: NonNullable<RestartNote['replyTo']>,
    note: { readonly sessionKey: string; readonly text: string },
  ): Promise<void>;
  wake: GatewayServices['wake'];
}

/**
 * Tells each of them where it was asked: in its chat, else its session, else the main one; once, however often it was
 * asked there. What cannot be told is in the log.
 */
export async function notifyRestarted(
  notes: readonly RestartNote[],
  { log, postNotice, wake }: NotifyDeps,
): Promise<void> {
  for (const { sessionKey, text, replyTo, authority } of byPlace(notes)) {
    const telling =
      replyTo && sessionKey !== undefined
        ? postNotice(replyTo, { sessionKey, text })
        : wake(present({ text, mode: sessionKey === undefined ? 'next-heartbeat' : 'now', sessionKey, authority }));
    await telling.catch((error: unknown) => log.error('gateway.restart.note', { error }));
  }
}

/** One note for each place, with all that is said there; what another one begins with is said by it. */
function byPlace(notes: readonly RestartNote[]): readonly RestartNote[] {
  const places = Map.groupBy(notes, ({ sessionKey, replyTo }) =>
    JSON.stringify([sessionKey, replyTo?.channel, replyTo?.accountId, replyTo?.chat.id, replyTo?.threadId]),
  );
  return [...places.values()].map((same) => {
    const texts = [...new Set(same.map(({ text }) => text))];
    const asked = same.flatMap(({ authority }) => authority ?? []);
    const { authority: _, ...note } = same[0]!;
    return {
      ...note,
      ...present({
        authority: asked.length === same.length ? together(asked as [Authority, ...Authority[]]) : undefined,
      }),
      text: texts.filter((text) => !texts.some((other) => other !== text && other.startsWith(text))).join('\n'),
    };
  });
}
