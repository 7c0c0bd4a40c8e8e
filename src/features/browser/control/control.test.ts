import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { test } from 'node:test';
import { silentLog } from '../../../core/log.ts';
import { browserConfigSchema } from '../config.ts';
import { createControl } from './control.ts';

const access = { authorize: () => ({}), trusts: () => true } as never;

async function started({ config = {}, gatewayPort }: { config?: object; gatewayPort?: number } = {}) {
  const control = createControl({
    log: silentLog,
    files: '/nowhere',
    config: () => browserConfigSchema.parse(config),
    gatewayPort: () => gatewayPort,
  });
  control.mount(access);
  await control.start(async () => ({ ok: true }));
  return { port: control.port(), [Symbol.asyncDispose]: control.close };
}

async function taken() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => void server.close() };
}

test('a port that is taken keeps no gateway from starting: the service goes where there is room', async () => {
  using other = await taken();
  await using control = await started({ gatewayPort: other.port - 2 });
  assert.ok(control.port! > 0 && control.port !== other.port);
  assert.equal((await fetch(`http://127.0.0.1:${control.port}/`)).status, 200);
});

test('an address of the configuration is used as it is, or not at all', async () => {
  using other = await taken();
  await using control = await started({ config: { controlUrl: `http://127.0.0.1:${other.port}` } });
  assert.equal(control.port, undefined);
});

test('it listens nowhere when the browser is switched off or elsewhere', async () => {
  for (const config of [{ enabled: false }, { controlUrl: 'http://far.example:18791' }]) {
    await using control = await started({ config });
    assert.equal(control.port, undefined);
  }
});

test('beside the last port there is, and beside a port of the system, the system chooses', async () => {
  for (const gatewayPort of [65_535, undefined]) {
    await using control = await started(gatewayPort === undefined ? {} : { gatewayPort });
    assert.ok(control.port! > 0);
  }
});
