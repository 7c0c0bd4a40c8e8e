/** The devices of a running gateway: paired devices, pending requests, and connections to close. */
import type { DeviceRegistry, Revoked } from '../../host/devices.ts';
import type { PairingRequest } from './paired-device.ts';
import { createInvites, type Invites } from './invites.ts';
import { openDeviceStore, type DeviceStore, type DeviceStoreDeps } from './store.ts';

export interface Devices {
  readonly store: DeviceStore;
  readonly invites: Invites;
  /** As the gateway's authentication knows them. */
  readonly registry: DeviceRegistry;
  revoked(what: Revoked): void;
}

/** `asked`: told of every new request. */
export async function createDevices({
  onRequested,
  ...deps
}: DeviceStoreDeps & { onRequested(request: PairingRequest): void }): Promise<Devices> {
  const store = await openDeviceStore(deps);
  const invites = createInvites(deps.clock);
  const listeners = new Set<(revoked: Revoked) => void>();
  return {
    store,
    invites,
    registry: {
      ...store,
      takeInvite(presented) {
        const taken = invites.take(presented);
        deps.log.info('devices.invite', { deviceId: presented.deviceId, taken });
        return taken;
      },
      async request(attempt) {
        const { request, fresh } = await store.request(attempt);
        if (fresh) onRequested(request);
        return request;
      },
      async retire({ deviceId, role, reason }) {
        invites.end(deviceId);
        const had = await store.revokeToken({ deviceId, role });
        if (had) listeners.forEach((listener) => listener({ deviceId, role, reason }));
        return had;
      },
      onRevoked(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    revoked(what) {
      invites.end(what.deviceId);
      listeners.forEach((listener) => listener(what));
    },
  };
}
