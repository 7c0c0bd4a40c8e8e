/** Connects playwright-core to a browser that runs. It is loaded with the first connection. */
import type { Browser, BrowserContext, BrowserType } from 'playwright-core';
import { AppError, asAppError } from '../../../core/errors.ts';
import { pause } from '../../../platform/pause.ts';
import { readVersion } from '../chromium/endpoint.ts';
import { openTransport } from '../chromium/transport.ts';

export interface Connected {
  readonly browser: Browser;
  /** The one with the logins of the profile. */
  readonly context: BrowserContext;
  readonly version: string;
  /** Leaves the browser as it is. */
  leave(): void;
}

export interface ConnectOptions {
  readonly cdpUrl: string;
  /** Downloads go there until they are handed on. */
  readonly artifactsDir: string;
  /** A browser of a person: nothing of it is set otherwise than it is. */
  readonly isOwn: boolean;
  readonly signal: AbortSignal;
  closed(): void;
}

const TIMEOUTS_MS: readonly number[] = [5000, 7000, 9000];

/** Rejects with `AppError('network' | 'timeout' | 'bad_response' | 'unsupported')`. */
export async function connect(options: ConnectOptions): Promise<Connected> {
  let failure: AppError | undefined;
  for (const timeoutMs of TIMEOUTS_MS) {
    options.signal.throwIfAborted();
    try {
      return await attempt(options, timeoutMs);
    } catch (error) {
      failure = asAppError(error, 'network');
      if (!failure.retryable) break;
      // Nobody listens there: it does not help to ask again and again.
      if (failure.code === 'network') await pause(50, options.signal);
    }
  }
  throw failure!;
}

async function attempt({ cdpUrl, artifactsDir, isOwn, closed }: ConnectOptions, timeoutMs: number): Promise<Connected> {
  const { webSocketUrl, browser: version } = await readVersion(cdpUrl, { timeoutMs });
  const { chromium } = await loadPlaywright();
  const transport = await openTransport(webSocketUrl, { timeoutMs, closed });
  const browser = await chromium.connectOverCDP(transport, {
    isLocal: isOwn,
    artifactsDir,
    noDefaults: !isOwn,
    timeout: timeoutMs * 4,
  });
  const [context] = browser.contexts();
  if (!context) throw new AppError('bad_response', 'The browser has no window to work in.');
  return { browser, context, version, leave: () => transport.close() };
}

async function loadPlaywright(): Promise<{ readonly chromium: BrowserType }> {
  try {
    return await import('playwright-core');
  } catch (error) {
    throw new AppError(
      'unsupported',
      'playwright-core is not installed; the browser cannot be driven. Run `npm install` again.',
      {
        cause: error,
      },
    );
  }
}
