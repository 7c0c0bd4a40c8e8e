/** The devices feature: clients with their own key, approved by a person, with their own token. */
import { join } from 'node:path';
import { defineFeature } from '../../host/feature.ts';
import { lanAddresses } from './platform/lan-addresses.ts';
import { tailnetAddress } from '../../platform/tailnet.ts';
import { addressesOf } from './addresses.ts';
import { createDevices } from './create-devices.ts';
import { deviceMethods, deviceSpecs } from './methods.ts';

export default defineFeature({
  id: 'devices',
  summary: 'Pairs client devices: each has its own key, and a person approves it.',
  folders: ['devices'],
  methods: deviceSpecs,
  events: { 'device.pair.requested': 'operator.pairing', 'device.pair.resolved': 'operator.pairing' },

  async create({ machine: { env, clock, log }, config, gateway }) {
    const devices = await createDevices({
      dir: join(env.stateDir, 'devices'),
      clock,
      log,
      onRequested: (request) => gateway.publish('device.pair.requested', request),
    });
    const addresses = (): readonly string[] => {
      const { bind, customBindHost, controlUi } = config.current().gateway;
      const { allowedOrigins } = controlUi;
      const around = { lan: lanAddresses(), tailnet: tailnetAddress(), port: gateway.port() };
      return addressesOf({ bind, customBindHost, allowedOrigins, ...around });
    };
    return {
      methods: deviceMethods(devices, { clock, publish: gateway.publish, addresses }),
      devices: devices.registry,
    };
  },
});
