/** Connects playwright-core to a running browser. It is loaded with the first connection. */
import type { Browser, BrowserContext, BrowserType } from 'playwright-core';
import { AppError } from '../../../core/errors.ts';
import { onFailure } from '../../../platform/settled.ts';
import { raceSignal } from '../../../platform/timeout.ts';
import { limitDownloads } from '../chromium/download-limit.ts';
import { openTransport, type OpenTransport, type Transport } from '../chromium/transport.ts';

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
  /** Runs over the connection before the driver gets it. */
  prepare?(transport: Transport): Promise<void>;
  /** The maximum size of a download. */
  maxDownload(): number;
  /** Cancels the attempt and cleans up. */
  readonly signal: AbortSignal;
}

/** Rejects with `AppError('network' | 'bad_response' | 'unsupported')`, and with the reason of the signal. */
export async function connect(options: ConnectOptions): Promise<Connected> {
  const loading = loadDriver();
  onFailure(loading, () => undefined); // told below
  const open = await openTransport(options.webSocketUrl, options.signal);
  try {
    const prepared = Promise.race([options.prepare?.(open.transport), lost(open)]);
    await raceSignal(prepared, options.signal);
    return await drive((await loading).chromium, open, options);
  } catch (error) {
    open.transport.close();
    throw error;
  }
}

async function drive(
  chromium: BrowserType,
  open: OpenTransport,
  { artifactsDir, isOwn, signal, maxDownload }: ConnectOptions,
): Promise<Connected> {
  const { transport, closed } = open;
  const connecting = chromium.connectOverCDP(transport, {
    isLocal: isOwn,
    artifactsDir,
    noDefaults: !isOwn,
    timeout: 0,
  });
  const browser = await raceSignal(Promise.race([connecting, lost(open)]), signal);
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

const lost = ({ closed }: OpenTransport): Promise<never> =>
  closed.then(() => {
    throw new AppError('network', 'The browser ended the connection while it was being set up.');
  });

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
