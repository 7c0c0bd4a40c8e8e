/** The client side of SOCKS 5 (RFC 1928) with user name and password (RFC 1929). */
import { isIPv6, type Socket } from 'node:net';
import { present } from '../../../core/present.ts';
import { parseAddress } from '../guard/address.ts';
import type { Connection, Target } from './connection.ts';

const VERSION = 5;
const NO_AUTH = 0;
const PASSWORD = 2;
const REFUSED = [
  '',
  'general failure',
  'not allowed by its rules',
  'network unreachable',
  'host unreachable',
  'connection refused',
  'TTL expired',
  'command not supported',
  'address type not supported',
];

/**
 * `socks5:` is handed the vetted address, `socks5h:` the name, which it then looks up by itself. Rejects with a plain
 * `Error`.
 */
export async function socksHandshake(
  socket: Socket,
  { proxy, target }: { readonly proxy: URL; readonly target: Target },
): Promise<Connection> {
  await greet(socket, proxy);
  const address = proxy.protocol === 'socks5h:' ? undefined : target.addresses[0]!.address;
  const port = Buffer.alloc(2);
  port.writeUInt16BE(target.port);
  socket.write(Buffer.concat([Buffer.from([VERSION, 1, 0]), destination(address ?? target.host), port]));
  const [, status, , kind] = await read(socket, 4);
  if (status !== 0) throw new Error(`it answered: ${REFUSED[status ?? 1] ?? 'unknown failure'}`);
  const length = kind === 1 ? 4 : kind === 4 ? 16 : (await read(socket, 1))[0]!;
  await read(socket, length + 2);
  return present({ socket, address });
}

async function greet(socket: Socket, { username, password }: URL): Promise<void> {
  const method = username ? PASSWORD : NO_AUTH;
  socket.write(Buffer.from([VERSION, 1, method]));
  const [version, chosen] = await read(socket, 2);
  if (version !== VERSION || chosen !== method)
    throw new Error(
      method === PASSWORD
        ? 'it does not support user names and passwords'
        : 'it requires an authentication method that its URL does not provide',
    );
  if (method === NO_AUTH) return;
  socket.write(
    Buffer.concat([
      Buffer.from([1]),
      withLength(decodeURIComponent(username)),
      withLength(decodeURIComponent(password)),
    ]),
  );
  if ((await read(socket, 2))[1] !== 0) throw new Error('it rejected the user name and password');
}

/** Kind of address and the address: IPv4, name, IPv6. */
function destination(host: string): Buffer {
  const bytes = parseAddress(host)?.toByteArray();
  if (!bytes) return Buffer.concat([Buffer.from([3]), withLength(host)]);
  return Buffer.from([isIPv6(host) && bytes.length === 16 ? 4 : 1, ...bytes]);
}

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 255) throw new Error('a name is too long for SOCKS');
  return Buffer.concat([Buffer.from([bytes.length]), bytes]);
}

/** Exactly `length` bytes; what came with them is put back. */
function read(socket: Socket, length: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let got: Buffer = Buffer.alloc(0);
    function release(): void {
      socket.pause().off('data', more).off('close', closed).off('end', closed).off('error', failed);
    }
    function more(chunk: Buffer): void {
      got = Buffer.concat([got, chunk]);
      if (got.length < length) return;
      release();
      if (got.length > length) socket.unshift(got.subarray(length));
      resolve(got.subarray(0, length));
    }
    function failed(error: Error): void {
      release();
      reject(error);
    }
    function closed(): void {
      failed(new Error('it closed the connection'));
    }
    if (socket.destroyed || socket.readableEnded) return closed();
    socket.on('data', more).once('close', closed).once('end', closed).once('error', failed).resume();
  });
}
