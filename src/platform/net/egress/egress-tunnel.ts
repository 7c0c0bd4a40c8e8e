/** Handles CONNECT through the egress proxy: forwards bytes between a command and one checked target. */
import type { Socket } from 'node:net';
import { asAppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { dial } from '../route/dial.ts';
import { connectFailed, refusal, admitTarget, type Egress } from './egress-target.ts';

interface TunnelRequest {
  /** `host:port` */
  readonly authority: string;
  readonly socket: Socket;
  /** What the command sent without waiting. */
  readonly head: Buffer;
}

/** Never rejects: failures are reported to the command. */
export async function openTunnel({ authority, socket, head }: TunnelRequest, egress: Egress): Promise<void> {
  const { lease } = egress;
  socket.on('error', () => socket.destroy());
  lease.hold(socket);
  const leave = lease.enter();
  if (!leave) return answer(socket, '503 Service Unavailable', 'Too many concurrent connections.\n');
  socket.once('close', leave);
  try {
    await connectTo(authority, { socket, head, egress });
  } catch (error) {
    answer(socket, '502 Bad Gateway', `${asAppError(error).message}\n`);
  }
}

async function connectTo(
  authority: string,
  { socket, head, egress }: Pick<TunnelRequest, 'socket' | 'head'> & { readonly egress: Egress },
): Promise<void> {
  const { lease } = egress;
  const url = targetUrl(authority);
  if (!url) return answer(socket, '400 Bad Request', 'CONNECT requires host:port.\n');
  const vetted = await admitTarget(url, egress);
  if (!vetted.ok) return answer(socket, '403 Forbidden', refusal(vetted.why));
  const gone = goneSignal(socket);
  const connection = await dial(vetted.target, {
    upstream: vetted.upstream,
    signal: AbortSignal.any([lease.signal, gone]),
  }).catch((error: unknown) => {
    throw connectFailed(error, { target: vetted.target, ...egress });
  });
  lease.note(present({ host: vetted.target.host, port: vetted.target.port, address: connection.address }));
  lease.hold(connection.socket);
  socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  if (head.length > 0) connection.socket.write(head);
  join(socket, connection.socket);
}

/** A tunnel may carry anything; the guard judges it as what it most likely is. */
function targetUrl(authority: string): URL | undefined {
  if (!/^[^/?#@\\\s]+:\d{1,5}$/.test(authority)) return undefined;
  return URL.parse(`https://${authority}/`) ?? undefined;
}

/** Each side's end ends the other; a side that breaks takes the other along. */
function join(near: Socket, far: Socket): void {
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('error', () => from.destroy());
    // Data in flight is still delivered.
    from.once('close', () => to.destroySoon());
    from.pipe(to);
  }
}

function goneSignal(socket: Socket): AbortSignal {
  const controller = new AbortController();
  if (socket.destroyed) controller.abort();
  else socket.once('close', () => controller.abort());
  return controller.signal;
}

function answer(socket: Socket, status: string, body: string): void {
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
