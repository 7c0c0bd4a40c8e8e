/** An HTTP client that can connect only to one checked target. */
import { callbackify } from 'node:util';
import type { Dispatcher, buildConnector } from 'undici';
import { AppError } from '../../../core/errors.ts';
import type { Connection, Target } from '../route/connection.ts';
import { dial } from '../route/dial.ts';
import { openProxySocket, proxyAuthorization } from '../route/tunnel.ts';

/** Connections that go to the addresses that were checked, and nowhere else. */
export interface PinnedAgent extends AsyncDisposable {
  readonly dispatcher: Dispatcher;
  /** To send with the request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Where the connections go; `upstream` is the proxy in between. */
export interface PinnedAgentOptions {
  readonly target: Target;
  /** Plain HTTP is forwarded by an HTTP proxy, everything else tunnelled. */
  readonly origin: string;
  readonly upstream: URL | undefined;
  readonly signal: AbortSignal;
  connected(connection: Omit<Connection, 'socket'>): void;
}

/** For one request; it is closed with it. */
export async function createPinnedAgent(options: PinnedAgentOptions): Promise<PinnedAgent> {
  const { Agent, buildConnector } = await import('undici');
  const forwarder =
    options.origin.startsWith('http:') && options.upstream?.protocol.startsWith('http') ? options.upstream : undefined;
  const overTls = buildConnector({ maxCachedSessions: 0 });
  const opened = callbackify((target: buildConnector.Options) => open(target, { ...options, forwarder }));
  const connect: buildConnector.connector = (target, callback) =>
    opened(target, (error, connection) => {
      if (error) callback(error, null);
      else if (target.protocol === 'https:') overTls({ ...target, httpSocket: connection.socket }, callback);
      else callback(null, connection.socket);
    });
  // The deadline of the whole fetch is the only clock; without pipelining no connection outlives its request.
  const agent = new Agent({ connect, pipelining: 0, headersTimeout: 0, bodyTimeout: 0 });
  return {
    dispatcher: forwarder ? agent.compose(absoluteForm(options.origin)) : agent,
    headers: forwarder ? proxyAuthorization(forwarder) : {},
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}

/** The client library says where it will connect; only the checked address is allowed. */
async function open(
  wanted: buildConnector.Options,
  { target, upstream, forwarder, signal, connected }: PinnedAgentOptions & { readonly forwarder: URL | undefined },
): Promise<Connection> {
  if (wanted.hostname.replace(/^\[|\]$/g, '') !== target.host)
    throw new AppError('denied', `${wanted.hostname} was not checked.`);
  const connection = forwarder
    ? { socket: await openProxySocket(forwarder, signal) }
    : await dial(target, { upstream, signal });
  connected('address' in connection && connection.address !== undefined ? { address: connection.address } : {});
  return connection;
}

/** RFC 9112, section 3.2.2: a proxy is asked with the whole URL. */
const absoluteForm =
  (origin: string): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (request, handler) =>
    dispatch({ ...request, path: `${origin}${request.path}` }, handler);
