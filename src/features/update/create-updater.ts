/**
 * The gateway's own renewal: one at a time, in steps that are told, and with a restart only when the code is another
 * one.
 */
import type { Log } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import type { RequestRestart } from '../../host/restart.ts';
import type { UpdateReport, UpdateRequest, UpdateService, UpdateStatus } from './update-service.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Env } from '../../platform/env.ts';
import { lookAtGit, takeFromGit } from './git-update.ts';
import { findInstall, versionAt, type Install, type Look } from './kinds.ts';
import { lookAtNpm, takeFromNpm } from './npm-update.ts';
import { createSteps, type Steps } from './steps.ts';

export interface UpdaterDeps {
  /** The installed package or checkout. */
  readonly root: string;
  readonly env: Env;
  readonly clock: Clock;
  readonly log: Log;
  requestRestart: RequestRestart;
}

export interface Updater extends UpdateService, AsyncDisposable {}

const DEFAULT_TIMEOUT_MS = 20 * 60_000;
const LEAST_TIMEOUT_MS = 1000;
const LONGEST_TIMEOUT_MS = 60 * 60_000;
/** Going back must not run out of time because going forward did. */
const BACK_TIMEOUT_MS = 10 * 60_000;
const LOOK_TIMEOUT_MS = 60_000;
const FRESH_MS = 60_000;

interface Seen {
  readonly at: number;
  readonly status: UpdateStatus;
}

export function createUpdater(deps: UpdaterDeps): Updater {
  const { root, env, clock, log } = deps;
  const ending = new AbortController();
  const state: {
    going: Promise<UpdateReport> | undefined;
    running: UpdateStatus['running'];
    last: UpdateStatus['last'];
    seen: Seen | undefined;
    looking: Promise<Seen> | undefined;
  } = { going: undefined, running: undefined, last: undefined, seen: undefined, looking: undefined };

  const stepsFor = (timeoutMs: number, signal: AbortSignal, progress?: (text: string) => void): Steps =>
    createSteps({
      cwd: root,
      env,
      clock,
      timeoutMs,
      signal,
      begins(step) {
        if (state.going) state.running = { step, startedAt: clock.now() };
        log.info('update.step', { step });
        progress?.(`Updating: ${step}`);
      },
    });

  async function run(request: UpdateRequest): Promise<UpdateReport> {
    const begun = clock.monotonic();
    const asked = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const steps = stepsFor(
      Number.isFinite(asked) ? Math.min(LONGEST_TIMEOUT_MS, Math.max(LEAST_TIMEOUT_MS, asked)) : DEFAULT_TIMEOUT_MS,
      ending.signal,
      request.progress,
    );
    // Half an update is no place to stop at: going back goes on when everything else ends.
    const back = stepsFor(BACK_TIMEOUT_MS, new AbortController().signal, request.progress);
    const install = await findInstall(root, steps);
    const rest = (): Pick<UpdateReport, 'steps' | 'durationMs' | 'mode' | 'root'> => ({
      mode: install.mode,
      root,
      steps: [...steps.done, ...back.done],
      durationMs: Math.round(clock.monotonic() - begun),
    });
    if (install.mode === 'none')
      return { ...rest(), status: 'skipped', reason: install.reason, advice: install.advice };
    const look = await lookAt(install, root, steps);
    const { current, available } = look;
    if (!available)
      return { ...rest(), status: look.failed ? 'error' : 'skipped', before: current, after: current, ...why(look) };
    const taken =
      install.mode === 'git'
        ? await takeFromGit(root, { current, available }, steps, back)
        : await takeFromNpm(root, { name: install.name, current, available }, steps, back);
    if (!taken.ok)
      return {
        ...rest(),
        status: 'error',
        before: current,
        ...present({ after: taken.intact ? current : undefined }),
        reason: taken.reason,
        advice: taken.advice,
      };
    const { version, sha } = available;
    const report: UpdateReport = {
      ...rest(),
      status: 'ok',
      before: current,
      after: present({ version, sha: sha || undefined }),
    };
    return { ...report, restart: restartFor(report, request) };
  }

  function restartFor(
    { before, after, mode, steps, durationMs }: UpdateReport,
    { restartDelayMs, sessionKey, replyTo, authority, note }: UpdateRequest,
  ): NonNullable<UpdateReport['restart']> {
    const said = `⚙️ The gateway is back, updated from ${nameOf(before)} to ${nameOf(after)}.${note ? ` ${note}` : ''}`;
    const { scheduledAt } = deps.requestRestart({
      reason: 'update',
      kind: 'update',
      fresh: true,
      stats: { mode, root, before, after, steps, durationMs },
      ...present({
        delayMs: restartDelayMs,
        sessionKey: sessionKey || undefined,
        replyTo,
        authority,
        note: sessionKey || note ? said : undefined,
      }),
    });
    return { scheduledAt, delayMs: Math.max(0, scheduledAt - clock.now()) };
  }

  async function look(): Promise<Seen> {
    const steps = stepsFor(LOOK_TIMEOUT_MS, ending.signal);
    const install = await findInstall(root, steps);
    const found: Look =
      install.mode === 'none'
        ? { current: { version: await versionAt(root) }, reason: install.reason, advice: install.advice }
        : await lookAt(install, root, steps);
    const { current, available } = found;
    return {
      at: clock.now(),
      status: { mode: install.mode, root, current, ...present({ available }), ...why(found) },
    };
  }

  return {
    run(request) {
      // Two at a time would pull the code from under each other.
      if (state.going)
        return Promise.resolve({
          status: 'skipped',
          reason: 'already-running',
          advice: 'An update is going on; update.status tells how far it is.',
          mode: 'none',
          root,
          steps: [],
          durationMs: 0,
        });
      const going = run(request)
        .then((report) => {
          const { status, reason, advice, before, after } = report;
          log[status === 'error' ? 'error' : 'info']('update.ended', { status, reason, advice, before, after });
          state.last = present({ status, endedAt: clock.now(), reason: reason || undefined });
          return report;
        })
        .finally(() => {
          Object.assign(state, { going: undefined, running: undefined, seen: undefined });
        });
      state.going = going;
      state.running = { step: 'look', startedAt: clock.now() };
      return going;
    },

    async status({ refresh }) {
      // While the code moves nobody looks at it.
      if (!state.going && (refresh || !state.seen || clock.now() - state.seen.at > FRESH_MS)) {
        state.looking ??= look().finally(() => {
          state.looking = undefined;
        });
        state.seen = await state.looking;
      }
      const known = state.seen?.status ?? { mode: 'none' as const, root, current: { version: await versionAt(root) } };
      return { ...known, ...present({ running: state.running, last: state.last }) };
    },

    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.allSettled([state.going, state.looking]);
    },
  };
}

const lookAt = (install: Exclude<Install, { mode: 'none' }>, root: string, steps: Steps): Promise<Look> =>
  install.mode === 'git' ? lookAtGit(root, steps) : lookAtNpm(root, install.name, steps);
const why = ({ reason, advice }: Look): Pick<UpdateReport, 'reason' | 'advice'> =>
  present({ reason: reason || undefined, advice: advice || undefined });
const nameOf = (code: UpdateReport['before']): string =>
  code ? `${code.version}${code.sha ? ` (${code.sha.slice(0, 10)})` : ''}` : 'unknown';
