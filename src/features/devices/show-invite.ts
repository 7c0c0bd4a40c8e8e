/** `devices qr`: an address, as a QR code too, that makes the device which opens it first a node. */
import type { Call } from '../../cli/command.ts';
import { AppError } from '../../core/errors.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';
import { qrLines } from '../../platform/qr-code.ts';
import type { answers } from './answers.ts';
import type { z } from 'zod';

type Invited = z.output<(typeof answers)['device.pair.invite']>;

export async function devicesQr({ flags, io, gateway }: Call): Promise<void> {
  const written = flags.text('address');
  const given = written === undefined ? undefined : readAddress(written);
  const link = await gateway();
  const { secret, expiresAtMs, addresses } = await link.request<Invited>('device.pair.invite', {});
  const base = given ?? addresses[0]?.url ?? new URL('/', link.url.replace(/^ws/, 'http')).href;
  // Behind #: it is sent to no server, and is in no log.
  const url = new URL(`node/#${secret}`, base).href;
  if (flags.has('json')) return io.out(JSON.stringify({ url, expiresAtMs }, null, 2));
  io.out(await qrLines(url));
  io.out(url);
  io.out('\nOpen it on the phone or computer. The first device that does becomes a node; the address works for ten');
  io.out(`minutes. Then approve it: \`${OWN_COMMAND} nodes pending\`.`);
  const problem = problemOf(base);
  if (problem) io.err(problem);
}

/** Ends in `/`, so that what follows is below it. */
function readAddress(written: string): string {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new AppError('invalid', `--address: write an http or https address, not ${written}.`);
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/*$/, '/')}`;
}

function problemOf(base: string): string | undefined {
  const { protocol, hostname } = new URL(base);
  if (/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
    return `\nNote: ${hostname} is reached on this machine only. ${WAYS}`;
  return protocol === 'https:'
    ? undefined
    : `\nNote: over plain HTTP browsers give no page a camera, microphone or location. ${WAYS}`;
}

const WAYS =
  'Serve the gateway over HTTPS, e.g. with `tailscale serve --bg <port>`, add that address to ' +
  'gateway.controlUi.allowedOrigins, and give it with --address.';
