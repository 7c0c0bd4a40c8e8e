/** Calls another gateway for a tool, and restricts its address, token and methods. */
import { guardedSettings } from '../config/guarded-paths.ts';
import { parseJson5 } from '../config/json5.ts';
import { migrate } from '../config/migrate.ts';
import { isPlainObject } from '../config/paths.ts';
import type { JoinedRules } from '../config/setting-rules.ts';
import { AppError } from '../core/errors.ts';
import { assertAllowed, may, type RecordAccess } from '../core/may.ts';
import { present } from '../core/present.ts';
import type { GatewayAt, ToolContext } from '../core/tool.ts';
import type { Turn } from '../core/turn.ts';
import type { ClientMode } from '../protocol/client-info.ts';
import { guardRefusal } from './turn-rights.ts';

/** Connects to another gateway, as this one does and with this one's client. */
export type ConnectRemote = (options: {
  readonly url: string;
  readonly token?: string;
  readonly password?: string;
  readonly timeoutMs: number;
  readonly client: { readonly id: string; readonly mode: ClientMode; readonly displayName: string };
}) => Promise<
  AsyncDisposable & { call(method: string, params: unknown, options: { readonly timeoutMs: number }): Promise<unknown> }
>;

export interface RemoteRpcDeps {
  readonly turn: Turn;
  /**
   * This gateway: for calls that name no other, and for addresses that turn out to be its own. The bounds of the turn
   * hold in it.
   */
  readonly own: (method: string, params: unknown) => Promise<unknown>;
  config(): Pick<Known, 'remote'>;
  ownPort(): number;
  /** A feature says that another gateway may be asked for it, under the same name. */
  goesElsewhere(method: string): boolean;
  keep?: RecordAccess | undefined;
  readonly connect: ConnectRemote;
  /** The facts about settings; those of other gateways are checked like ours. */
  readonly rules: JoinedRules;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** Longer timers fire at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** What tools call → what that is called on the wire. Besides these only what features say goes out. */
const WIRE: Readonly<Record<string, string>> = {
  'gateway.restart': 'gateway.restart.request',
  'config.get': 'config.get',
  'config.schema': 'config.schema',
  'config.patch': 'config.patch',
};

/**
 * `ctx.rpc` of one turn. Refusals are `denied` and say what is possible; trouble on the way is `network` or `timeout`.
 */
export function createRemoteRpc({
  turn,
  own,
  config,
  ownPort,
  goesElsewhere,
  rules,
  keep,
  connect,
}: RemoteRpcDeps): ToolContext['rpc'] {
  return async (method, params, { url, token, timeoutMs } = {}) => {
    if (url === undefined) return own(method, params);
    const target = whichGateway(url, { remote: config().remote, ownPort: ownPort() });
    // With our own token a call from outside could do everything; from inside it can do what its turn can.
    if (target.kind === 'own') return own(method, params);
    const check = may(turn.authority, 'reach-others', { kind: 'gateway' });
    assertAllowed(check, 'Only a turn of the owner may call other gateways, because it has all rights there.');
    keep?.(turn, check);
    const wire = Object.hasOwn(WIRE, method) ? WIRE[method] : goesElsewhere(method) ? method : undefined;
    if (wire === undefined) throw new AppError('denied', `${method} works on this gateway only; leave out gatewayUrl.`);
    if (method === 'config.patch') checkPatch(params, rules);
    return callThere({ target, wire, params, connect, token, timeout: timeoutOf(timeoutMs) });
  };
}

interface Going {
  readonly target: Extract<Target, { url: string }>;
  readonly wire: string;
  readonly params: unknown;
  readonly connect: ConnectRemote;
  readonly token: string | undefined;
  readonly timeout: number;
}

async function callThere({ target, wire, params, connect, token, timeout }: Going): Promise<unknown> {
  const endsAt = performance.now() + timeout;
  const secrets =
    token === undefined && target.kind === 'remote'
      ? present({ token: target.token || undefined, password: target.password || undefined })
      : token === undefined
        ? {}
        : { token };
  await using connection = await connect({
    url: target.url,
    ...secrets,
    timeoutMs: timeout,
    client: { id: 'gateway-client', mode: 'backend', displayName: 'agent' },
  });
  return await connection.call(wire, params ?? {}, { timeoutMs: Math.max(1, Math.round(endsAt - performance.now())) });
}

const timeoutOf = (timeoutMs: GatewayAt['timeoutMs']): number =>
  timeoutMs === undefined || Number.isNaN(timeoutMs)
    ? DEFAULT_TIMEOUT_MS
    : Math.min(LONGEST_TIMEOUT_MS, Math.max(1, Math.trunc(timeoutMs)));

/** What there is changed there is not known here; so nothing that could be a guard may be named at all. */
function checkPatch(params: unknown, rules: JoinedRules): void {
  const raw = isPlainObject(params) ? params['raw'] : undefined;
  const parsed = parseJson5(typeof raw === 'string' ? raw : '');
  if (!parsed.ok || !isPlainObject(parsed.value)) throw new AppError('invalid', 'raw must be a JSON5 object.');
  const [first] = guardedSettings(migrate(parsed.value, rules).value, rules);
  if (first) throw guardRefusal(first);
}

export type Target =
  | { readonly kind: 'own' }
  | { readonly kind: 'loopback'; readonly url: string }
  | { readonly kind: 'remote'; readonly url: string; readonly token?: string; readonly password?: string };

export interface Known {
  readonly remote: {
    readonly url?: string | undefined;
    readonly token?: string | undefined;
    readonly password?: string | undefined;
  };
  readonly ownPort: number;
}

/**
 * A plain address and nothing clever: scheme, host, port, path, in printable ASCII. What a parser would still make
 * something of is refused.
 */
const PLAIN =
  /^wss?:\/\/(?<host>\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::[0-9]{1,5})?(?:\/[A-Za-z0-9/._~-]*)?$/i;
const DOTS = /(?:^|\/)\.{1,2}(?:\/|$)/;
const LOOPBACK = /^(?:127(?:\.(?:0|[1-9][0-9]{0,2})){3}|\[::1\]|localhost)$/;

/**
 * Which gateway an address names: this one, another on this machine, or the configured remote. Throws
 * `AppError('denied')` for every other.
 */
export function whichGateway(written: string, { remote, ownPort }: Known): Target {
  const parsed = parse(written);
  if (parsed && LOOPBACK.test(parsed.hostname)) {
    if (portOf(parsed) === ownPort) return { kind: 'own' };
    // A name is resolved again when it is connected to; this one needs no resolving.
    if (parsed.hostname === 'localhost' && parsed.protocol === 'ws:') parsed.hostname = '127.0.0.1';
    return { kind: 'loopback', url: parsed.href };
  }
  const { url, token, password } = remote;
  const far = url === undefined ? undefined : parse(url);
  if (parsed && far && parsed.href === far.href)
    return present({ kind: 'remote', url: far.href, token: token || undefined, password: password || undefined });
  throw new AppError(
    'denied',
    'gatewayUrl may be ws:// or wss:// with 127.0.0.1, [::1] or localhost, or exactly what ' +
      `gateway.remote.url says${url === undefined ? ', which is not set' : ''}. Leave it out for this gateway.`,
  );
}

/** The address as it is connected to, when it is written as it is meant. */
function parse(written: string): URL | undefined {
  const host = PLAIN.exec(written)?.groups?.['host'];
  if (host === undefined || DOTS.test(written.slice(written.indexOf('://') + 3)) || !URL.canParse(written))
    return undefined;
  const url = new URL(written);
  // Another spelling of an address (hexadecimal, with zeros, shortened) is not what it looks like.
  return url.hostname === host.toLowerCase() &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === ''
    ? url
    : undefined;
}

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'wss:' ? 443 : 80) : Number(port));
