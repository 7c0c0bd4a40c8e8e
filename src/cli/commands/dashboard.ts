/** `dashboard`: the address that opens the Control UI. The token stands behind `#`, which browsers send to nobody. */
import type { Call } from '../command.ts';
import { findGateway } from '../connect.ts';

export async function dashboard({ io, flags }: Call): Promise<void> {
  const { url: socket, token, address } = await findGateway({ env: io.env() });
  const page = new URL(address.basePath, socket.replace(/^ws/, 'http'));
  const url = `${page.href}${token === undefined ? '' : `#token=${encodeURIComponent(token)}`}`;
  io.out(flags.has('json') ? JSON.stringify({ url }) : url);
  if (token === undefined && !flags.has('json')) io.err('No token is known yet; the gateway makes one when it first starts.');
}
