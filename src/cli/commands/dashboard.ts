/** `dashboard`: the address that opens the Control UI. The token stands behind `#`, which browsers send to nobody. */
import { showsSecrets } from '../attended.ts';
import type { Call } from '../command.ts';
import { findGateway } from '../connect.ts';

export async function dashboard(call: Call): Promise<void> {
  const { io, flags } = call;
  const { url: socket, token, address } = await findGateway({ env: io.env() });
  const page = new URL(address.basePath, socket.replace(/^ws/, 'http'));
  const shown = showsSecrets(call);
  const url = `${page.href}${token === undefined || !shown ? '' : `#token=${encodeURIComponent(token)}`}`;
  io.out(flags.has('json') ? JSON.stringify({ url }) : url);
  if (token === undefined && !flags.has('json')) io.err('No token is known yet; the gateway makes one when it first starts.');
  else if (!shown && token !== undefined) io.err('Its token is left out, for this is no terminal. Add --show-token to print it anyway.');
}
