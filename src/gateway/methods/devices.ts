/** Serves `device.*`: who may connect from elsewhere, and with which token. */
import { allow, type Requirement } from '../../core/principal.ts';
import { AppError } from '../../core/errors.ts';
import { devicePairDecisionParams, devicePairListParams, devicePairRemoveParams, deviceTokenRevokeParams, deviceTokenRotateParams } from '../../protocol/devices.ts';
import { isScope, shownDevice, type PairingRequest } from '../devices/paired-device.ts';
import { method, refuse, type Call, type Methods } from './method.ts';

export const deviceMethods: Methods = {
  'device.pair.list': method({
    summary: 'Devices that wait and devices that are known.',
    needs: 'operator.pairing',
    params: devicePairListParams,
    run: (_params, { devices }) => ({ pending: devices.pending(), paired: devices.paired().map(shownDevice) }),
  }),

  'device.pair.approve': method({
    summary: 'Lets a waiting device in.',
    needs: 'operator.pairing',
    params: devicePairDecisionParams,
    async run({ requestId }, call) {
      const request = call.devices.pending().find((open) => open.requestId === requestId);
      if (!request) throw unknownRequest(requestId);
      requireScopes(call, request.scopes);
      const decided = await call.devices.approve(requestId);
      if (!decided) throw unknownRequest(requestId);
      announce(call, decided.request, 'approved');
      return { requestId, device: shownDevice(decided.device) };
    },
  }),

  'device.pair.reject': method({
    summary: 'Turns a waiting device away.',
    needs: 'operator.pairing',
    params: devicePairDecisionParams,
    async run({ requestId }, call) {
      const request = await call.devices.reject(requestId);
      if (!request) throw unknownRequest(requestId);
      announce(call, request, 'rejected');
      return { requestId, deviceId: request.deviceId };
    },
  }),

  'device.pair.remove': method({
    summary: 'Forgets a device and closes its connections.',
    needs: 'operator.pairing',
    params: devicePairRemoveParams,
    async run({ deviceId }, call) {
      requireScopes(call, call.devices.find(deviceId)?.scopes ?? []);
      if (!(await call.devices.remove(deviceId))) throw unknownDevice(deviceId);
      dropSockets(call, { deviceId, reason: 'device removed' });
      return { deviceId };
    },
  }),

  'device.token.rotate': method({
    summary: 'Makes a new token for a device; the old one is dead.',
    needs: 'operator.pairing',
    params: deviceTokenRotateParams,
    async run({ deviceId, role, scopes }, call) {
      const device = call.devices.find(deviceId);
      if (!device) throw unknownDevice(deviceId);
      requireScopes(call, [...device.scopes, ...(scopes ?? [])]);
      const token = await call.devices.rotateToken({ deviceId, role, scopes });
      if (!token) throw refuse(`device ${deviceId} was not approved as ${role} with these scopes`);
      dropSockets(call, { deviceId, role, reason: 'device token rotated' });
      return { deviceId, role, token: token.token, tokenDelivery: 'in-band', scopes: token.scopes, rotatedAtMs: token.rotatedAt ?? token.createdAt };
    },
  }),

  'device.token.revoke': method({
    summary: "Takes a device's token away and closes its connections.",
    needs: 'operator.pairing',
    params: deviceTokenRevokeParams,
    async run({ deviceId, role }, call) {
      requireScopes(call, call.devices.find(deviceId)?.scopes ?? []);
      if (!(await call.devices.revokeToken({ deviceId, role }))) throw refuse(`device ${deviceId} has no ${role} token`);
      dropSockets(call, { deviceId, role, reason: 'device token revoked' });
      return { deviceId, role, revokedAtMs: call.clock.now() };
    },
  }),
};

/** Nobody hands out, takes over or takes away more than they hold themselves. */
function requireScopes({ principal }: Call, scopes: readonly string[]): void {
  for (const scope of scopes) {
    const needs: Requirement = isScope(scope) ? scope : 'operator.admin';
    if (!allow(principal, needs)) throw new AppError('denied', `missing scope: ${needs}`, { details: { code: 'MISSING_SCOPE', missingScope: needs, requiredScopes: [needs] } });
  }
}

/** After the answer is out, so that a caller that changed its own token still learns the new one. */
function dropSockets({ hub }: Call, { deviceId, role, reason }: { deviceId: string; role?: string; reason: string }): void {
  setImmediate(() => {
    for (const { peer, close } of hub.connections())
      if (peer.deviceId === deviceId && (role === undefined || peer.role === role)) close(1008, reason);
  });
}

function announce({ hub, clock }: Call, { requestId, deviceId }: PairingRequest, decision: 'approved' | 'rejected'): void {
  hub.publish('device.pair.resolved', { requestId, deviceId, decision, ts: clock.now() });
}

const unknownRequest = (requestId: string): AppError => refuse(`no open pairing request ${requestId}; requests expire after five minutes`, { code: 'PAIRING_REQUEST_NOT_FOUND' });
const unknownDevice = (deviceId: string): AppError => refuse(`no paired device ${deviceId}`, { code: 'DEVICE_NOT_FOUND' });
