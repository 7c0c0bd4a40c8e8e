/** Connects through the user's proxy: HTTP CONNECT, plain or over TLS, and SOCKS 5. */
import { request } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { openSocket, type Connection, type Target } from './connection.ts';
import { socksHandshake } from './socks.ts';

/** Rejects with `AppError('network')` when proxy or target cannot be reached, or with the signal's reason. */
export async function tunnelThrough(proxy: URL, target: Target, signal: AbortSignal): Promise<Connection> {
  const socket = await openProxySocket(proxy, signal);
  const stop = (): void => void socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return proxy.protocol.startsWith('socks')
      ? await socksHandshake(socket, { proxy, target })
      : await connectThrough(socket, { proxy, target });
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    throw new AppError(
      'network',
      `The proxy ${proxy.host} did not connect to ${target.host}:${target.port}: ` +
        `${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** A socket on which the proxy listens; for an `https:` proxy behind its TLS. */
export async function openProxySocket(proxy: URL, signal: AbortSignal): Promise<Socket> {
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const socket = await openSocket({ host, port: Number(proxy.port || DEFAULT_PORTS[proxy.protocol]) }, signal);
  if (proxy.protocol !== 'https:') return socket;
  return new Promise((resolve, reject) => {
    const secure = connectTls({ socket, servername: isIP(host) ? '' : host });
    const stop = (): void => void secure.destroy(signal.reason as Error);
    const failed = (error: Error): void => {
      signal.removeEventListener('abort', stop);
      reject(
        signal.aborted
          ? signal.reason
          : new AppError('network', `The proxy ${proxy.host} returned an invalid TLS response.`, { cause: error }),
      );
    };
    signal.addEventListener('abort', stop, { once: true });
    secure.once('error', failed).once('secureConnect', () => {
      signal.removeEventListener('abort', stop);
      resolve(secure.off('error', failed));
    });
  });
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'socks5:': 1080,
  'socks5h:': 1080,
};

/** `Proxy-Authorization` for the user name and password in the proxy's URL. */
export function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (!username && !password) return {};
  return {
    'proxy-authorization': `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`,
  };
}

/** By name, as such proxies expect it; which address it goes to is then the proxy's business. */
function connectThrough(socket: Socket, { proxy, target }: { proxy: URL; target: Target }): Promise<Connection> {
  const authority = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  return new Promise((resolve, reject) => {
    const connecting = request({
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyAuthorization(proxy) },
      createConnection: () => socket,
    });
    connecting.once('error', reject);
    connecting.once('response', (answer) => reject(new Error(`it answered ${answer.statusCode}`)));
    connecting.once('connect', (answer, connected, head) => {
      if (answer.statusCode !== 200) return reject(new Error(`it answered ${answer.statusCode}`));
      if (head.length > 0) connected.unshift(head);
      const [literal] = target.addresses;
      resolve(
        present({
          socket: connected as Socket,
          address: literal?.address === target.host ? literal.address : undefined,
        }),
      );
    });
    connecting.end();
  });
}
