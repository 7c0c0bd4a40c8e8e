/**
 * Runs one restart at a time: several requests become one, at the earliest requested time, and all requesters are
 * notified afterwards.
 */
import { delegatedVia } from '../core/authority.ts';
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { present } from '../core/present.ts';
import type { RestartRequest, RequestRestart } from './restart.ts';
import type { Clock, Timer } from '../platform/clock.ts';
import { createSerialQueue } from '../platform/keyed-queue.ts';
import { dropSentinel, keepSentinel, type RestartNote, type RestartStats } from './restart-sentinel.ts';

const DEFAULT_DELAY_MS = 2000;
const LONGEST_DELAY_MS = 60_000;
/** A signal that comes in place of a restart that was granted may be so much later. */
export const SIGNAL_GRACE_MS = 5000;

/** What planning a restart needs; the note for afterwards lies in the state directory. */
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
export const noRestart: RequestRestart = () => {
  throw new AppError('unsupported', 'This gateway cannot restart itself.');
};

/** Plans restarts: requests that come before it happens become one with it. */
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

/** A restart that no chat asked for sends no notice: a changed setting, a person at the command line. */
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
    ...present({ sessionKey, replyTo, authority: authority ? delegatedVia(authority, 'restart') : undefined }),
    ...(stats ? { stats: { reason, ...(stats as RestartStats) } } : { stats: { reason } }),
  };
}
