/** Serves `device.*`: pairing of devices and their tokens. */
import { allow, type Requirement } from '../../core/principal.ts';
import { AppError } from '../../core/errors.ts';
import { isScope } from '../../host/devices.ts';
import type { HostGateway } from '../../host/host.ts';
import { defineMethods, refuse, type MethodCall, type MethodWorks } from '../../host/method.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Devices } from './create-devices.ts';
import { shownDevice, type PairingRequest } from './paired-device.ts';
import {
  devicePairDecisionParams,
  devicePairInviteParams,
  devicePairListParams,
  devicePairRemoveParams,
  deviceTokenRevokeParams,
  deviceTokenRotateParams,
} from './wire.ts';

export const deviceSpecs = defineMethods({
  'device.pair.list': {
    summary: 'Lists pending and paired devices.',
    needs: 'operator.pairing',
    params: devicePairListParams,
  },
  'device.pair.invite': {
    summary: 'Makes a one-time secret, valid for ten minutes, with which one device may connect as a node.',
    needs: 'operator.pairing',
    params: devicePairInviteParams,
  },
  'device.pair.approve': {
    summary: 'Approves a pending device.',
    needs: 'operator.pairing',
    params: devicePairDecisionParams,
  },
  'device.pair.reject': {
    summary: 'Rejects a pending device.',
    needs: 'operator.pairing',
    params: devicePairDecisionParams,
  },
  'device.pair.remove': {
    summary: 'Removes a device and closes its connections.',
    needs: 'operator.pairing',
    params: devicePairRemoveParams,
  },
  'device.token.rotate': {
    summary: 'Issues a new token for a device; the old token is revoked.',
    needs: 'operator.pairing',
    params: deviceTokenRotateParams,
  },
  'device.token.revoke': {
    summary: "Revokes a device's token and closes its connections.",
    needs: 'operator.pairing',
    params: deviceTokenRevokeParams,
  },
});

export interface DeviceMethodDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly publish: HostGateway['publish'];
  /** Where other devices reach this gateway, as far as the configuration says; ending in `/`. */
  addresses(): readonly string[];
}

export function deviceMethods(
  { store, invites, revoked }: Devices,
  { clock, publish, addresses }: DeviceMethodDeps,
): MethodWorks<typeof deviceSpecs> {
  const announce = ({ requestId, deviceId }: PairingRequest, decision: 'approved' | 'rejected'): void =>
    publish('device.pair.resolved', { requestId, deviceId, decision, ts: clock.now() });
  return {
    'device.pair.list': () => ({ pending: store.pending(), paired: store.paired().map(shownDevice) }),

    'device.pair.invite': () => ({
      ...invites.create(),
      addresses: addresses().map((url) => ({ url, secure: isSecure(url) })),
    }),

    async 'device.pair.approve'({ requestId }, call) {
      const request = store.pending().find((open) => open.requestId === requestId);
      if (!request) throw unknownRequest(requestId);
      requireScopes(call, request.scopes);
      const decided = await store.approve(requestId);
      if (!decided) throw unknownRequest(requestId);
      announce(decided.request, 'approved');
      return { requestId, device: shownDevice(decided.device) };
    },

    async 'device.pair.reject'({ requestId }) {
      const request = await store.reject(requestId);
      if (!request) throw unknownRequest(requestId);
      announce(request, 'rejected');
      return { requestId, deviceId: request.deviceId };
    },

    async 'device.pair.remove'({ deviceId }, call) {
      requireScopes(call, store.find(deviceId)?.scopes ?? []);
      if (!(await store.remove(deviceId))) throw unknownDevice(deviceId);
      revoked({ deviceId, reason: 'device removed' });
      return { deviceId };
    },

    async 'device.token.rotate'({ deviceId, role, scopes }, call) {
      const device = store.find(deviceId);
      if (!device) throw unknownDevice(deviceId);
      requireScopes(call, [...device.scopes, ...(scopes ?? [])]);
      const token = await store.rotateToken({ deviceId, role, scopes });
      if (!token) throw refuse(`device ${deviceId} was not approved as ${role} with these scopes`);
      revoked({ deviceId, role, reason: 'device token rotated' });
      return {
        deviceId,
        role,
        token: token.token,
        tokenDelivery: 'in-band',
        scopes: token.scopes,
        rotatedAtMs: token.rotatedAt ?? token.createdAt,
      };
    },

    async 'device.token.revoke'({ deviceId, role }, call) {
      requireScopes(call, store.find(deviceId)?.scopes ?? []);
      if (!(await store.revokeToken({ deviceId, role }))) throw refuse(`device ${deviceId} has no ${role} token`);
      revoked({ deviceId, role, reason: 'device token revoked' });
      return { deviceId, role, revokedAtMs: clock.now() };
    },
  };
}

/** Browsers also trust this machine itself. */
const isSecure = (url: string): boolean =>
  url.startsWith('https:') || /^http:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])[:/]/.test(url);

/** Nobody hands out, takes over or takes away more than they hold themselves. */
function requireScopes({ principal }: MethodCall, scopes: readonly string[]): void {
  for (const scope of scopes) {
    const needs: Requirement = isScope(scope) ? scope : 'operator.admin';
    if (!allow(principal, needs))
      throw new AppError('denied', `missing scope: ${needs}`, {
        details: { code: 'MISSING_SCOPE', missingScope: needs, requiredScopes: [needs] },
      });
  }
}

const unknownRequest = (requestId: string): AppError =>
  refuse(`no open pairing request ${requestId}; requests expire after five minutes`, {
    code: 'PAIRING_REQUEST_NOT_FOUND',
  });
const unknownDevice = (deviceId: string): AppError =>
  refuse(`no paired device ${deviceId}`, { code: 'DEVICE_NOT_FOUND' });
