/** A gateway on a bare HTTP server that remembers devices. */
import { join } from 'node:path';
import { silentLog } from '../../core/log.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from '../../testing/ws-gateway.ts';
import { createDevices } from './create-devices.ts';
import feature from './index.ts';
import { deviceMethods } from './methods.ts';
import type { DeviceStore } from './store.ts';

export async function startDeviceGateway(
  options: TestGatewayOptions = {},
): Promise<TestGateway & { readonly devices: DeviceStore }> {
  const state: { store?: DeviceStore } = {};
  const gateway = await startTestGateway({
    ...options,
    async devices({ stateDir, clock, publish }) {
      const devices = await createDevices({
        dir: join(stateDir, 'devices'),
        clock,
        log: silentLog,
        onRequested: (request) => publish('device.pair.requested', request),
      });
      state.store = devices.store;
      const parts = { methods: deviceMethods(devices, { clock, publish, addresses: () => [] }) };
      return { registry: devices.registry, running: { feature, parts } };
    },
  });
  return { ...gateway, devices: state.store! };
}
