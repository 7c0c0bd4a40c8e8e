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
import { checkGit, takeFromGit } from './git-update.ts';
import { findInstall, versionAt, type Install, type UpdateCheck } from './kinds.ts';
import { checkNpm, takeFromNpm } from './npm-update.ts';
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
const CHECK_TIMEOUT_MS = 60_000;
const FRESH_MS = 60_000;

interface Seen {
  readonly at: number;
  readonly status: UpdateStatus;
}

export const createUpdater = (deps: UpdaterDeps): Updater => new OneAtATime(deps);

class OneAtATime implements Updater {
  readonly #deps: UpdaterDeps;
  readonly #ending = new AbortController();
  #going: Promise<UpdateReport> | undefined;
  #running: UpdateStatus['running'];
  #last: UpdateStatus['last'];
  #seen: Seen | undefined;
  #checking: Promise<Seen> | undefined;

  constructor(deps: UpdaterDeps) {
    this.#deps = deps;
  }

  run(request: UpdateRequest): Promise<UpdateReport> {
    // Two at a time would pull the code from under each other.
    if (this.#going)
      return Promise.resolve({
        status: 'skipped',
        reason: 'already-running',
        advice: 'An update is already running; update.status shows its progress.',
        mode: 'none',
        root: this.#deps.root,
        steps: [],
        durationMs: 0,
      });
    const going = this.#update(request)
      .then((report) => this.#ended(report))
      .finally(() => {
        this.#going = undefined;
        this.#running = undefined;
        this.#seen = undefined;
      });
    this.#going = going;
    this.#running = { step: 'look', startedAt: this.#deps.clock.now() };
    return going;
  }

  async status({ refresh }: Parameters<UpdateService['status']>[0]): Promise<UpdateStatus> {
    const { root, clock } = this.#deps;
    // While the code moves nobody looks at it.
    if (!this.#going && (refresh || !this.#seen || clock.now() - this.#seen.at > FRESH_MS)) {
      this.#checking ??= this.#check().finally(() => {
        this.#checking = undefined;
      });
      this.#seen = await this.#checking;
    }
    const known = this.#seen?.status ?? { mode: 'none' as const, root, current: { version: await versionAt(root) } };
    return { ...known, ...present({ running: this.#running, last: this.#last }) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await Promise.allSettled([this.#going, this.#checking]);
  }

  #ended(report: UpdateReport): UpdateReport {
    const { clock, log } = this.#deps;
    const { status, reason, advice, before, after } = report;
    log[status === 'error' ? 'error' : 'info']('update.ended', { status, reason, advice, before, after });
    this.#last = present({ status, endedAt: clock.now(), reason: reason || undefined });
    return report;
  }

  #stepsFor(timeoutMs: number, signal: AbortSignal, progress?: (text: string) => void): Steps {
    const { root, env, clock, log } = this.#deps;
    return createSteps({
      cwd: root,
      env,
      clock,
      timeoutMs,
      signal,
      begins: (step) => {
        if (this.#going) this.#running = { step, startedAt: clock.now() };
        log.info('update.step', { step });
        progress?.(`Updating: ${step}`);
      },
    });
  }

  async #update(request: UpdateRequest): Promise<UpdateReport> {
    const { root, clock } = this.#deps;
    const begun = clock.monotonic();
    const steps = this.#stepsFor(timeoutOf(request), this.#ending.signal, request.progress);
    // Half an update is no place to stop at: going back goes on when everything else ends.
    const back = this.#stepsFor(BACK_TIMEOUT_MS, new AbortController().signal, request.progress);
    const install = await findInstall(root, steps);
    const rest = (): Rest => ({
      mode: install.mode,
      root,
      steps: [...steps.done, ...back.done],
      durationMs: Math.round(clock.monotonic() - begun),
    });
    if (install.mode === 'none')
      return { ...rest(), status: 'skipped', reason: install.reason, advice: install.advice };
    const found = await checkForUpdate(install, root, steps);
    const { current, available } = found;
    if (!available)
      return { ...rest(), status: found.failed ? 'error' : 'skipped', before: current, after: current, ...why(found) };
    const taken =
      install.mode === 'git'
        ? await takeFromGit(root, { current, available }, steps, back)
        : await takeFromNpm(root, { name: install.name, current, available }, steps, back);
    if (!taken.ok) {
      const { intact, reason, advice } = taken;
      const after = intact ? current : undefined;
      return { ...rest(), status: 'error', before: current, ...present({ after }), reason, advice };
    }
    const after = present({ version: available.version, sha: available.sha || undefined });
    const report: UpdateReport = { ...rest(), status: 'ok', before: current, after };
    return { ...report, restart: this.#restartFor(report, request) };
  }

  #restartFor(
    { before, after, mode, steps, durationMs }: UpdateReport,
    { restartDelayMs, sessionKey, replyTo, authority, note }: UpdateRequest,
  ): NonNullable<UpdateReport['restart']> {
    const { root, clock } = this.#deps;
    const said = `⚙️ The gateway is back, updated from ${nameOf(before)} to ${nameOf(after)}.${note ? ` ${note}` : ''}`;
    const { scheduledAt } = this.#deps.requestRestart({
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

  async #check(): Promise<Seen> {
    const { root, clock } = this.#deps;
    const steps = this.#stepsFor(CHECK_TIMEOUT_MS, this.#ending.signal);
    const install = await findInstall(root, steps);
    const found: UpdateCheck =
      install.mode === 'none'
        ? { current: { version: await versionAt(root) }, reason: install.reason, advice: install.advice }
        : await checkForUpdate(install, root, steps);
    const { current, available } = found;
    return {
      at: clock.now(),
      status: { mode: install.mode, root, current, ...present({ available }), ...why(found) },
    };
  }
}

/** What every report says, however far it came. */
type Rest = Pick<UpdateReport, 'steps' | 'durationMs' | 'mode' | 'root'>;

function timeoutOf({ timeoutMs = DEFAULT_TIMEOUT_MS }: UpdateRequest): number {
  if (!Number.isFinite(timeoutMs)) return DEFAULT_TIMEOUT_MS;
  return Math.min(LONGEST_TIMEOUT_MS, Math.max(LEAST_TIMEOUT_MS, timeoutMs));
}

const checkForUpdate = (
  install: Exclude<Install, { mode: 'none' }>,
  root: string,
  steps: Steps,
): Promise<UpdateCheck> => (install.mode === 'git' ? checkGit(root, steps) : checkNpm(root, install.name, steps));
const why = ({ reason, advice }: UpdateCheck): Pick<UpdateReport, 'reason' | 'advice'> =>
  present({ reason: reason || undefined, advice: advice || undefined });
const nameOf = (code: UpdateReport['before']): string =>
  code ? `${code.version}${code.sha ? ` (${code.sha.slice(0, 10)})` : ''}` : 'unknown';
