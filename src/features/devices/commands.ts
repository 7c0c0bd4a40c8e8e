/** `devices list|qr|approve|reject|revoke`: manages paired devices, and invites new ones. */
import type { Call } from '../../cli/command.ts';
import { listing } from '../../cli/columns.ts';
import { ago } from '../../cli/durations.ts';
import { AppError } from '../../core/errors.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';
import { qrLines } from '../../platform/qr-code.ts';
import type { answers } from './answers.ts';
import type { z } from 'zod';

interface PendingDevice {
  readonly requestId: string;
  readonly deviceId: string;
  readonly displayName?: string;
  readonly platform?: string;
  readonly role?: string;
  readonly ts?: number;
}
interface PairedDevice {
  readonly deviceId: string;
  readonly displayName?: string;
  readonly platform?: string;
  readonly roles?: readonly string[];
  readonly role?: string;
  readonly approvedAtMs?: number;
}

export async function devicesList(call: Call): Promise<void> {
  const link = await call.gateway();
  const answer = await link.request<{ pending: readonly PendingDevice[]; paired: readonly PairedDevice[] }>(
    'device.pair.list',
    {},
  );
  if (call.flags.has('json')) return call.io.out(JSON.stringify(answer, null, 2));
  if (answer.pending.length > 0) {
    call.io.out('Pending requests:');
    call.io.out(
      listing(
        ['request', 'role', 'name', 'platform', 'asked'],
        answer.pending.map((device) => [
          device.requestId,
          device.role ?? '',
          device.displayName ?? device.deviceId,
          device.platform ?? '',
          ago(device.ts),
        ]),
        '',
      ),
    );
    call.io.out(`\nTo approve, run \`${OWN_COMMAND} devices approve <request>\`.\n`);
  }
  call.io.out(
    listing(
      ['device', 'roles', 'name', 'platform', 'admitted'],
      answer.paired.map((device) => [
        device.deviceId,
        (device.roles ?? [device.role ?? '']).join(', '),
        device.displayName ?? '',
        device.platform ?? '',
        ago(device.approvedAtMs),
      ]),
      'No paired devices.',
    ),
  );
}

export const devicesApprove = (call: Call): Promise<void> =>
  decide(call, 'device.pair.approve', { requestId: call.args[0] }, 'Admitted.');

export const devicesReject = (call: Call): Promise<void> =>
  decide(call, 'device.pair.reject', { requestId: call.args[0] }, 'Refused.');

export const devicesRevoke = (call: Call): Promise<void> =>
  decide(
    call,
    'device.token.revoke',
    { deviceId: call.args[0], role: call.flags.text('role') ?? 'operator' },
    'Token revoked; the device must pair again.',
  );

async function decide(call: Call, method: string, params: unknown, done: string): Promise<void> {
  const answer = await (await call.gateway()).request<unknown>(method, params);
  call.io.out(call.flags.has('json') ? JSON.stringify(answer, null, 2) : done);
}

type Invited = z.output<(typeof answers)['device.pair.invite']>;

export async function devicesQr({ flags, io, gateway }: Call): Promise<void> {
  const written = flags.text('address');
  const input = written === undefined ? undefined : readAddress(written);
  const link = await gateway();
  const { secret, expiresAtMs, addresses } = await link.request<Invited>('device.pair.invite', {});
  const base = input ?? addresses[0]?.url ?? new URL('/', link.url.replace(/^ws/, 'http')).href;
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
    return `\nNote: ${hostname} is reached on this machine only. ${HTTPS_ADVICE}`;
  return protocol === 'https:'
    ? undefined
    : `\nNote: over plain HTTP browsers give no page a camera, microphone or location. ${HTTPS_ADVICE}`;
}

const HTTPS_ADVICE =
  'Serve the gateway over HTTPS, e.g. with `tailscale serve --bg <port>`, add that address to ' +
  'gateway.controlUi.allowedOrigins, and give it with --address.';
