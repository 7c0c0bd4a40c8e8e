/** Reads the version and the WebSocket address from the DevTools endpoint of a browser. */
import { AppError } from '../../../core/errors.ts';
import { readBody } from '../../../platform/bounded-body.ts';

/** The version information of a browser. */
export interface BrowserVersion {
  readonly browser: string;
  /** The address to connect to, with its credentials. */
  readonly webSocketUrl: string;
}

const MAX_BYTES = 64 * 1024;

/** Rejects with `AppError('network' | 'timeout' | 'bad_response')`. */
export async function readVersion(
  cdpUrl: string,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<BrowserVersion> {
  const base = new URL(cdpUrl);
  if (base.protocol === 'ws:' || base.protocol === 'wss:') return { browser: 'unknown', webSocketUrl: cdpUrl };
  const answer = await ask(atPath(base, '/json/version'), timeoutMs);
  const { Browser: browser, webSocketDebuggerUrl: offered } = answer as Readonly<Record<string, unknown>>;
  if (typeof offered !== 'string')
    throw new AppError('bad_response', `${base.host} answers, but is no browser with DevTools.`);
  return { browser: typeof browser === 'string' ? browser : 'unknown', webSocketUrl: webSocketFor(offered, base) };
}

/** Replaces the path of a DevTools address and keeps the query; user and password are returned separately. */
export function atPath(base: URL, path: string): { readonly url: string; readonly headers: Record<string, string> } {
  const url = new URL(base.href);
  url.pathname = path;
  return withoutUser(url);
}

/** Converts user and password of an address to a header, because WebSocket clients do not send them otherwise. */
export function withoutUser(url: URL): { readonly url: string; readonly headers: Record<string, string> } {
  const { username, password } = url;
  const bare = new URL(url.href);
  bare.username = bare.password = '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    url: bare.href,
    headers: username || password ? { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } : {},
  };
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '0.0.0.0', '[::1]', '[::]']);

/**
 * A browser behind a tunnel reports its own loopback address, so host, credentials, query and TLS of the configured
 * address are used.
 */
export function webSocketFor(offered: string, base: URL): string {
  const url = new URL(offered);
  if (LOOPBACK.has(url.hostname) && !(LOOPBACK.has(base.hostname) && base.protocol === 'http:')) {
    url.hostname = base.hostname;
    url.port = base.port;
  }
  if (base.protocol === 'https:') url.protocol = 'wss:';
  if (url.hostname === base.hostname) {
    url.username = base.username;
    url.password = base.password;
  }
  for (const [name, value] of base.searchParams) if (!url.searchParams.has(name)) url.searchParams.set(name, value);
  return url.href;
}

async function ask(
  { url, headers }: { readonly url: string; readonly headers: Record<string, string> },
  timeoutMs: number,
): Promise<unknown> {
  const { host } = new URL(url);
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    const body = await readBody(response as never, {
      maxBytes: MAX_BYTES,
      tooLarge: () => new AppError('bad_response', `${host} answers too much to be a browser with DevTools.`),
    });
    if (!response.ok)
      throw new AppError('bad_response', `${host} answered ${response.status} to a question for its version.`);
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof SyntaxError)
      throw new AppError('bad_response', `${host} answers, but is no browser with DevTools.`, { cause: error });
    const late = error instanceof Error && error.name === 'TimeoutError';
    throw new AppError(late ? 'timeout' : 'network', `No browser answers at ${host}.`, { cause: error });
  }
}
