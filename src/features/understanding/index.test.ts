// What becomes text, as clients are told.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Host } from '../../host/host.ts';
import { startTestGateway } from '../../testing/ws-gateway.ts';
import understanding from './index.ts';

it('tells what becomes text and by whom', async () => {
  const abilities = [
    { kind: 'link', on: false, by: [] },
    { kind: 'image', on: true, by: ['fake/echo'], shown: true },
  ] as const;
  const parts = await understanding.create({ understanding: { abilities: async () => abilities } } as unknown as Host);
  await using gateway = await startTestGateway({ services: { features: [{ feature: understanding, parts }] } });
  const client = await gateway.client({ scopes: ['operator.read'] });
  assert.deepEqual(await client.call('understanding.status'), { abilities });
});
