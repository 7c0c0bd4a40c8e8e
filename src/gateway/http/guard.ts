/** Checks every request and WebSocket upgrade before it is processed: Host, Origin, and no secret in the URL. */
import { isIP } from 'node:net';
import { AppError } from '../../core/errors.ts';
import { isLoopback } from '../auth.ts';

export interface GuardRules {
  /** True when only this machine can connect: then only local names are believable in `Host`. */
  readonly loopbackOnly: boolean;
  /** Further host names that are ours (without port), lower case. */
  readonly hostNames: readonly string[];
  /** `gateway.controlUi.allowedOrigins`. */
  readonly allowedOrigins: readonly string[];
}

export interface GuardedRequest {
  readonly query: string;
  readonly headers: { readonly host?: string | undefined; readonly origin?: string | undefined };
}

/**
 * Throws `AppError` with a sentence for the person who made the mistake; `rules` is asked anew so that a reload counts.
 */
export function checkRequest({ query, headers }: GuardedRequest, rules: GuardRules): void {
  checkHost(headers.host, rules);
  checkOrigin(headers.origin, headers.host, rules);
  if (query) checkQuery(query);
}

/**
 * A script that is a service worker stands between every later page of its folder and the gateway. Only that of the
 * Control UI and those of our features (`workers`) may: nothing an agent, a document or a plugin serves becomes one.
 */
export function checkWorker(
  { path, headers }: { readonly path: string; readonly headers: Readonly<Record<string, unknown>> },
  basePath: string,
  workers: readonly string[],
): void {
  if (headers['service-worker'] === undefined || path === `${basePath === '/' ? '' : basePath}/sw.js`) return;
  if (workers.includes(path)) return;
  throw new AppError('denied', 'This script may not be a service worker here.');
}

/**
 * A page of another site can point its own name at this address (DNS rebinding); the name it used stays visible in
 * `Host`.
 */
function checkHost(host: string | undefined, rules: GuardRules): void {
  const name = host === undefined ? undefined : hostName(host);
  if (name !== undefined && isOurs(name, rules)) return;
  const shown = JSON.stringify(host ?? '').slice(0, 120);
  throw new AppError(
    'denied',
    `The Host header ${shown} is not allowed. Use localhost or an IP address, or add the web ` +
      'address to gateway.controlUi.allowedOrigins.',
  );
}

function isOurs(name: string, rules: GuardRules): boolean {
  if (name === 'localhost' || name === '::1' || isLoopback(name)) return true;
  // An address is no name: it cannot be rebound. On a loopback bind nobody has a reason to use another one.
  if (isIP(name) !== 0) return !rules.loopbackOnly;
  return rules.hostNames.includes(name) || rules.allowedOrigins.some((origin) => originHost(origin) === name);
}

/** `example.org:80` → `example.org`, `[::1]:80` → `::1`; undefined for anything that is not host and port. */
export function hostName(host: string): string | undefined {
  const text = host.trim().toLowerCase();
  if (text.startsWith('[')) return /^\[([0-9a-f:.]+)\](?::\d+)?$/.exec(text)?.[1];
  const colon = text.indexOf(':');
  const name = colon < 0 ? text : text.slice(0, colon);
  return name && (colon < 0 || /^\d+$/.test(text.slice(colon + 1))) ? name : undefined;
}

const originHost = (origin: string): string | undefined =>
  hostName(origin.slice(origin.indexOf('://') + 3).replace(/\/$/, ''));

/** Browsers send `Origin` whenever a page of another site is behind the request; programs send none. */
function checkOrigin(origin: string | undefined, host: string | undefined, rules: GuardRules): void {
  if (origin === undefined || isSameOrigin(origin, host) || isAllowedOrigin(origin, rules)) return;
  throw new AppError(
    'denied',
    `The web origin ${JSON.stringify(origin).slice(0, 200)} may not use this gateway. Add it to ` +
      'gateway.controlUi.allowedOrigins if it is yours.',
  );
}

/** The scheme is left out: behind a TLS proxy the gateway itself is asked over plain HTTP. */
function isSameOrigin(origin: string, host: string | undefined): boolean {
  const at = origin.indexOf('://');
  return at > 0 && host !== undefined && origin.slice(at + 3).toLowerCase() === host.trim().toLowerCase();
}

export function isAllowedOrigin(origin: string, { allowedOrigins }: Pick<GuardRules, 'allowedOrigins'>): boolean {
  const wanted = origin.toLowerCase();
  return allowedOrigins.some((allowed) => allowed.replace(/\/$/, '').toLowerCase() === wanted);
}

const SECRET_PARAMETERS = new Set([
  'token',
  'access_token',
  'auth',
  'auth_token',
  'api_key',
  'apikey',
  'key',
  'password',
  'secret',
  'bearer',
  'authorization',
]);

/** Addresses end up in histories, logs and referrers, so a secret there is refused rather than used. */
function checkQuery(query: string): void {
  for (const pair of query.split('&')) {
    const name = decodeName(pair.split('=', 1)[0]!);
    if (SECRET_PARAMETERS.has(name))
      throw new AppError(
        'invalid',
        `The URL contains a secret (?${name}=…), which browsers and proxies record. Send it as ` +
          '"Authorization: Bearer …", or open the Control UI with #token=… after the address.',
        { details: { param: name } },
      );
  }
}

function decodeName(raw: string): string {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' ')).trim().toLowerCase();
  } catch (error) {
    if (error instanceof URIError) return raw.toLowerCase();
    throw error;
  }
}
