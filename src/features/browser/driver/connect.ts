/** Connects playwright-core to a running browser. It is loaded with the first connection. */
import type { Browser, BrowserContext, BrowserType } from 'playwright-core';
import { AppError } from '../../../core/errors.ts';
import { raceSignal } from '../../../platform/timeout.ts';
import { limitDownloads } from '../chromium/download-limit.ts';
import { openTransport, type OpenTransport } from '../chromium/transport.ts';

export interface Connected {
  readonly browser: Browser;
  /** The default context, which has the logins of the profile. */
  readonly context: BrowserContext;
  readonly version: string;
  /** Resolves when the connection has ended, for any reason. */
  readonly closed: Promise<void>;
  /** The size of a download from this address that was cancelled as too large. */
  endedDownload(url: string): number | undefined;
  /** Disconnects without changing the browser. */
  leave(): void;
}

export interface ConnectOptions {
  readonly webSocketUrl: string;
  /** The folder for downloads until they are saved. */
  readonly artifactsDir: string;
  /** False for a person's own browser: none of its settings are changed. */
  readonly isOwn: boolean;
  /** The maximum size of a download. */
  maxDownload(): number;
  /** Cancels the attempt and cleans up. */
  readonly signal: AbortSignal;
}

/** Rejects with `AppError('network' | 'bad_response' | 'unsupported')`, and with the reason of the signal. */
export async function connect(options: ConnectOptions): Promise<Connected> {
  const { chromium } = await loadDriver();
  const open = await openTransport(options.webSocketUrl, options.signal);
  try {
    return await drive(chromium, open, options);
  } catch (error) {
    open.transport.close();
    throw error;
  }
}

async function drive(
  chromium: BrowserType,
  { transport, closed }: OpenTransport,
  { artifactsDir, isOwn, signal, maxDownload }: ConnectOptions,
): Promise<Connected> {
  const lost = closed.then(() => {
    throw new AppError('network', 'The browser ended the connection while it was being set up.');
  });
  const connecting = chromium.connectOverCDP(transport, {
    isLocal: isOwn,
    artifactsDir,
    noDefaults: !isOwn,
    timeout: 0,
  });
  const browser = await raceSignal(Promise.race([connecting, lost]), signal);
  const [context] = browser.contexts();
  if (!context) throw new AppError('bad_response', 'The browser has no window to work in.');
  const limit = isOwn
    ? await raceSignal(limitDownloads(browser, { folder: artifactsDir, maxBytes: maxDownload }), signal)
    : undefined;
  return {
    browser,
    context,
    version: browser.version(),
    closed,
    endedDownload: (url) => limit?.endedAt(url),
    leave: () => transport.close(),
  };
}

/** Rejects with `AppError('unsupported')` if it is not installed. */
export async function loadDriver(): Promise<{ readonly chromium: BrowserType }> {
  try {
    return await import('playwright-core');
  } catch (error) {
    throw new AppError(
      'unsupported',
      'playwright-core is not installed; the browser cannot be driven. Run `npm install` again.',
      { cause: error },
    );
  }
}
