/** Downloads from untrusted addresses: checked, pinned, and limited in bytes and time. */
import type { Response } from 'undici';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import type { Reached } from '../../../core/understanding.ts';
import { systemClock, type Clock } from '../../clock.ts';
import type { Target } from '../route/connection.ts';
import { startDeadline } from '../../deadline.ts';
import { fetchFailure } from './fetch-failure.ts';
import { fileFacts } from './file-facts.ts';
import type { NetGuard } from '../guard/guard.ts';
import { createPinnedAgent } from './pinned-agent.ts';
import { readBody } from '../../bounded-body.ts';
import { isPassing, MAX_RETRIES, retryDelay } from './retry.ts';
import { readProxyUrl, type Upstream } from '../route/user-proxy.ts';

/** Limits of one download. */
export interface FetchOptions {
  /** Bytes of the body after decompression. */
  readonly maxBytes: number;
  /** Milliseconds for everything: names, redirects, retries, the last byte. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Those that are not about content are left out once a redirect leaves the origin. */
  readonly headers?: Readonly<Record<string, string>>;
  /** 3 by default. */
  readonly maxRedirects?: number;
  /** `Accept`; anything by default. */
  readonly accept?: string;
}

/** What was downloaded. */
export interface FetchedFile {
  /** Where it came from after redirects. */
  readonly url: string;
  /** Below 400; 304 when `headers` asked for a newer one. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** As the server says, without parameters; the bytes may say otherwise. */
  readonly mime: string;
  readonly charset?: string;
  /** From `Content-Disposition` or the URL, without a path. */
  readonly fileName?: string;
  readonly body: Buffer;
  /** Every connection, in order. */
  readonly reached: readonly Reached[];
}

/** Downloads from addresses that strangers may have written: every connection is checked and pinned. */
export interface GuardedFetch {
  /**
   * GET. Rejects with `AppError`: `denied` (guard), `too_large`, `timeout`, `aborted`, `network`, `bad_response`
   * (status of 400
   * and more, endless redirects), `invalid` (no URL, or a proxy setting that is none). `details.reached` lists the
   * connections.
   */
  fetch(url: string | URL, options: FetchOptions): Promise<FetchedFile>;
}

/** What downloads check with and call themselves. */
export interface GuardedFetchDeps {
  readonly guard: NetGuard;
  readonly userAgent: string;
  /** The proxy this machine has to use; none by default. */
  readonly upstream?: Upstream;
  readonly clock?: Clock;
  /** 0 ≤ n < 1 */
  readonly random?: () => number;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;
/** What another origin may know of the request. */
const HARMLESS: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent']);

/** One request of several that a download may take. */
interface Hop {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

interface Journey {
  readonly deps: Required<GuardedFetchDeps>;
  readonly options: FetchOptions;
  readonly signal: AbortSignal;
  readonly reached: Reached[];
}

/** Follows redirects and tries again what passes by itself, within the one deadline. */
export function createGuardedFetch(parts: GuardedFetchDeps): GuardedFetch {
  const deps = { upstream: () => undefined, clock: systemClock, random: Math.random, ...parts };
  return {
    async fetch(address, options) {
      const url = URL.parse(String(address));
      if (!url) throw new AppError('invalid', 'The value to fetch is not a URL.');
      using deadline = startDeadline({
        clock: deps.clock,
        timeoutMs: options.timeoutMs,
        signal: options.signal,
        late: `Fetching from ${url.host} took longer than ${options.timeoutMs / 1000} s.`,
        stopped: `Fetching from ${url.host} was stopped.`,
      });
      const journey: Journey = { deps, options, signal: deadline.signal, reached: [] };
      try {
        return await follow({ url, headers: firstHeaders(deps.userAgent, options) }, journey);
      } catch (error) {
        throw fetchFailure(deadline.signal.aborted ? deadline.signal.reason : error, { url, reached: journey.reached });
      }
    },
  };
}

async function follow(start: Hop, journey: Journey): Promise<FetchedFile> {
  const maxRedirects = journey.options.maxRedirects ?? MAX_REDIRECTS;
  let hop = start;
  for (let redirects = 0; ; redirects++) {
    await using exchange = await ask(hop, journey);
    const { response } = exchange;
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
    if (location === null) return await receive(response, { url: hop.url, journey });
    if (redirects === maxRedirects)
      throw new AppError('bad_response', `${start.url.host} redirects more than ${maxRedirects} times.`);
    hop = nextHop(hop, location);
  }
}

function nextHop({ url, headers }: Hop, location: string): Hop {
  const next = URL.parse(location, url.href);
  if (!next) throw new AppError('bad_response', `${url.host} redirects to an invalid URL.`);
  if (next.origin === url.origin) return { url: next, headers };
  return { url: next, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name))) };
}

async function ask(
  { url, headers }: Hop,
  journey: Journey,
): Promise<{ readonly response: Response } & AsyncDisposable> {
  const { deps, signal } = journey;
  const target = await vet(url, journey);
  const proxy = deps.upstream({ protocol: url.protocol, hostname: url.hostname, port: target.port });
  const { fetch } = await import('undici');
  for (let attempt = 1; ; attempt++) {
    const agent = await createPinnedAgent({
      target,
      origin: url.origin,
      upstream: proxy === undefined ? undefined : readProxyUrl(proxy),
      signal,
      connected: ({ address }) => void journey.reached.push(present({ host: target.host, port: target.port, address })),
    });
    try {
      const response = await fetch(url, {
        dispatcher: agent.dispatcher,
        redirect: 'manual',
        headers: { ...headers, ...agent.headers },
        signal,
      });
      return { response, [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose]() };
    } catch (error) {
      await agent[Symbol.asyncDispose]();
      if (attempt > MAX_RETRIES || signal.aborted || !isPassing(error)) throw error;
    }
    await deps.clock.sleep(retryDelay(attempt, deps.random), signal);
  }
}

/** Every hop is checked separately, because an allowed one says nothing about the next. */
async function vet(url: URL, { deps, signal, reached }: Journey): Promise<Target> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const check = await deps.guard.check(url, signal);
  if (check.ok) return { host, port, addresses: check.addresses };
  reached.push({ host, port, blocked: check.why });
  throw new AppError('denied', `The address is not allowed: ${check.why}.`);
}

async function receive(
  response: Response,
  { url, journey }: { readonly url: URL; readonly journey: Journey },
): Promise<FetchedFile> {
  if (response.status >= 400)
    throw new AppError('bad_response', `${url.host} answered with status ${response.status}.`, {
      details: { status: response.status },
    });
  const headers = Object.fromEntries(response.headers);
  const { maxBytes } = journey.options;
  const body = await readBody(response, {
    maxBytes,
    tooLarge: () => new AppError('too_large', `The file at ${url.host} is larger than ${maxBytes} bytes.`),
  });
  return {
    url: url.href,
    status: response.status,
    headers,
    ...fileFacts(headers, url),
    body,
    reached: journey.reached,
  };
}

function firstHeaders(
  userAgent: string,
  { accept = '*/*', headers = {} }: FetchOptions,
): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { accept, 'user-agent': userAgent, ...Object.fromEntries(entries) };
}
