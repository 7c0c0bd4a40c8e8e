/** Starts or attaches to the browser of a profile within one timeout; cleans up after a failure. */
import { join } from 'node:path';
import { AppError, asAppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import type { Clock } from '../../../platform/clock.ts';
import { startDeadline, withDeadline } from '../../../platform/deadline.ts';
import type { EgressLease } from '../../../platform/net/egress/egress-proxy.ts';
import { pause } from '../../../platform/pause.ts';
import { whenOver } from '../../../platform/settled.ts';
import { raceSignal } from '../../../platform/timeout.ts';
import { readVersion } from '../chromium/endpoint.ts';
import { isHeadless } from '../chromium/launch-options.ts';
import { onFirstPage } from '../chromium/first-page.ts';
import { launch, notStarted, type Launched } from '../chromium/launch.ts';
import { refuseOld } from '../chromium/old-browser.ts';
import { logIn, logInAgain, proxyLogin, type ProxyLogin } from '../chromium/proxy-login.ts';
import type { BrowserConfig } from '../config.ts';
import type { Egress } from '../guard/egress.ts';
import type { ChildProgram } from '../platform/child-program.ts';
import { whenIdle } from '../platform/progress.ts';
import type { Profile } from '../profiles/resolve-profiles.ts';
import { connect, loadDriver, type Connected } from './connect.ts';

export interface StartBrowserDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly vars: Readonly<Record<string, string>>;
  readonly system: { readonly linux: boolean; readonly isRoot: boolean };
  readonly egress: Egress;
  config(): BrowserConfig;
  /** The folder of the profile, absolute. */
  readonly folder: string;
}

/** The resources of a started browser, which are released together. */
export interface StartedBrowser {
  readonly connected: Connected;
  /** Undefined: the browser was started by somebody else. */
  readonly launched: Launched | undefined;
  /**
   * Authenticates at the egress proxy again, because a new network process has lost the credentials. False: there is no
   * proxy.
   */
  logInAgain(): Promise<boolean>;
  /** Disconnects, ends the process if it was started here, and closes its proxy lease. */
  letGo(graceMs: number): Promise<void>;
}

/** Timeout of the whole start in milliseconds: process, connection and login. A busy machine needs tens of seconds. */
const START_MS = 90_000;
/** Seconds without processor time after which a starting browser counts as stuck. */
const IDLE_SECONDS = 12;
/** Timeout of each attempt to attach, in milliseconds. */
const ATTEMPTS_MS: readonly number[] = [5000, 7000, 9000];
const BETWEEN_MS = 50;
/** Temporary errors, after which another attempt may succeed. */
const PASSING: ReadonlySet<string> = new Set(['unavailable', 'network', 'bad_response']);

/**
 * Starts a browser, with one retry if the first exits or gets stuck. Rejects with `AppError`: `timeout` after
 * `START_MS`, `conflict` if the port is in use, `unavailable` if it does not start, `aborted` if the caller cancelled.
 */
export async function startBrowser(
  profile: Profile,
  deps: StartBrowserDeps,
  signal: AbortSignal,
): Promise<StartedBrowser> {
  if (profile.attachOnly) return attach(profile, deps, signal);
  using bound = startDeadline({
    clock: deps.clock,
    timeoutMs: START_MS,
    signal,
    late: `The browser of the profile "${profile.name}" was not ready within ${START_MS / 1000} s.`,
    stopped: 'The caller no longer waits for the browser.',
  });
  try {
    return await start(profile, deps, bound.signal);
  } catch (error) {
    const failure = asAppError(error, 'unavailable');
    if (bound.signal.aborted || !PASSING.has(failure.code)) throw failure;
    deps.log.warn('browser.started-again', { profile: profile.name, error: failure });
  }
  return start(profile, deps, bound.signal).catch((error: unknown) => {
    throw asAppError(error, 'unavailable');
  });
}

const MB = 1024 * 1024;
const maxDownloadOf =
  ({ config }: Pick<StartBrowserDeps, 'config'>) =>
  (): number =>
    config().limits.downloadMaxMb * MB;

interface Parts {
  /** The current step, for error messages. */
  waitsFor: string;
  process?: ChildProgram;
  login?: ProxyLogin;
  lease?: EgressLease;
  connected?: Connected;
}

async function start(profile: Profile, deps: StartBrowserDeps, signal: AbortSignal): Promise<StartedBrowser> {
  const parts: Parts = { waitsFor: 'the egress proxy' };
  const over = new AbortController();
  const letGo = async (graceMs: number): Promise<void> => {
    parts.connected?.leave();
    await parts.process?.end(graceMs);
    await parts.lease?.[Symbol.asyncDispose]();
  };
  const failed = (error: unknown): void => over.abort(error);
  const stop = (): void => failed(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    const launched = await raceSignal(raise(profile, parts, { deps, signal: over.signal, failed }), over.signal);
    return { connected: parts.connected!, launched, letGo, logInAgain: () => logInOnceMore(parts) };
  } catch (error) {
    failed(error);
    await letGo(0);
    throw error instanceof AppError && error.code === 'timeout' ? late(error, parts) : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function logInOnceMore({ connected, login }: Parts): Promise<boolean> {
  if (!connected || !login) return false;
  try {
    await logInAgain(connected.browser, login);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false; // the proxy did not request credentials
    throw error;
  }
}

function late({ message }: AppError, { waitsFor, process }: Parts): AppError {
  const said = process?.said().trim().split('\n').slice(-2).join('\n') ?? '';
  return new AppError('timeout', `${message} It waited for ${waitsFor}.${said && ` Its last output:\n${said}`}`);
}

/** Fills `parts` step by step, so that they can be released at any time. */
async function raise(
  profile: Profile,
  parts: Parts,
  {
    deps,
    signal,
    failed,
  }: { readonly deps: StartBrowserDeps; readonly signal: AbortSignal; failed(error: unknown): void },
): Promise<Launched> {
  const { vars, folder, log } = deps;
  const { linux, isRoot } = deps.system;
  const config = deps.config();
  const lease = (parts.lease = await deps.egress.proxy.lease());
  const login = (parts.login = proxyLogin(lease.env['HTTP_PROXY']!));
  const watch = new AbortController();
  parts.waitsFor = 'its DevTools to listen';
  try {
    const launched = await launch(profile, folder, {
      vars,
      linux,
      log,
      executablePath: config.executablePath,
      headless: isHeadless(config, { linux, vars }),
      noSandbox: config.noSandbox ?? (linux && isRoot),
      proxy: login.server,
      signal,
      begun(process) {
        parts.process = process;
        // Returns as soon as the browser is ready.
        void whenOver(loadDriver());
        const idle = whenIdle(process.pid, { seconds: IDLE_SECONDS, signal: watch.signal });
        const stuck = (): AppError =>
          notStarted(process, `It was idle for ${IDLE_SECONDS} s, waiting for ${parts.waitsFor}.`);
        void idle.then(() => failed(stuck()));
      },
    });
    const { webSocketUrl } = launched;
    parts.waitsFor = 'the DevTools connection';
    const artifactsDir = join(folder, 'artifacts');
    const connected = (parts.connected = await connect({
      webSocketUrl,
      artifactsDir,
      isOwn: true,
      signal,
      maxDownload: maxDownloadOf(deps),
      async prepare(transport) {
        parts.waitsFor = 'its login to the egress proxy';
        await onFirstPage(transport, (page) => logIn(page, login));
        parts.waitsFor = 'the DevTools connection';
      },
    }));
    refuseOld(connected.version);
    return launched;
  } finally {
    watch.abort();
  }
}

async function attach(profile: Profile, deps: StartBrowserDeps, signal: AbortSignal): Promise<StartedBrowser> {
  const artifactsDir = join(deps.folder, 'artifacts');
  const attempt = async (inner: AbortSignal, timeoutMs: number): Promise<Connected> => {
    const { webSocketUrl, browser } = await readVersion(profile.cdpUrl, { timeoutMs });
    refuseOld(browser);
    return connect({
      webSocketUrl,
      artifactsDir,
      isOwn: false,
      signal: inner,
      maxDownload: maxDownloadOf(deps),
    });
  };
  let failure: AppError | undefined;
  for (const timeoutMs of ATTEMPTS_MS) {
    const stopped = 'The caller no longer waits for the browser.';
    const late = `It did not take the connection within ${timeoutMs / 1000} s.`;
    const bound = { clock: deps.clock, timeoutMs, signal, late, stopped };
    try {
      const connected = await withDeadline(bound, (inner) => attempt(inner, timeoutMs));
      return {
        connected,
        launched: undefined,
        letGo: async () => connected.leave(),
        logInAgain: async () => false,
      };
    } catch (error) {
      failure = asAppError(error, 'network');
      if (signal.aborted || failure.code === 'unsupported') throw failure;
      if (!failure.retryable) break;
      await pause(BETWEEN_MS, signal);
    }
  }
  throw notAttached(profile, failure!);
}

function notAttached({ name, cdpUrl }: Profile, failure: AppError): AppError {
  const { host } = new URL(cdpUrl);
  return new AppError(
    'unavailable',
    `The profile "${name}" is attached to the browser at ${host}, and that does not answer: ${failure.message} Start ` +
      `it there with --remote-debugging-port, or correct browser.profiles.${name}.`,
    { cause: failure },
  );
}
