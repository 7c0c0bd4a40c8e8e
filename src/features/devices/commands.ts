/** `devices list|approve|reject|revoke`: manages paired devices. */
import type { Call } from '../../cli/command.ts';
import { listing } from '../../cli/columns.ts';
import { ago } from '../../cli/durations.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

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
