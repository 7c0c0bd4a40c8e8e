// The feature as the gateway holds it: what may be asked elsewhere, and an update under way when the gateway ends.
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { it } from 'node:test';
import { silentLog } from '../../core/log.ts';
import { canonicalSessionKey } from '../../core/session-key.ts';
import type { FeatureParts } from '../../host/feature.ts';
import type { Host } from '../../host/host.ts';
import { systemClock } from '../../platform/clock.ts';
import { readEnv } from '../../platform/env.ts';
import { until } from '../../testing/until.ts';
import { checkout } from './harness.ts';
import update from './index.ts';
import type { UpdateReport } from './update-service.ts';

it('lets tools ask another gateway for what they may ask of this one', () => {
  assert.deepEqual([...update.toolMethodsElsewhere].sort(), Object.keys(update.methods).sort());
});

it('closing stops an update and waits for nothing; the old code is back when it has finished', async () => {
  await using s = await checkout();
  await s.publish({ 'src/app.js': 'export const n = 2;\n' });
  await writeFile(s.at('hold'), '');
  const parts: FeatureParts = update.create({
    machine: { root: s.at('root'), env: readEnv(s.vars), clock: systemClock, log: silentLog },
    gateway: { requestRestart: () => assert.fail('nothing new to begin with') },
    sessions: { canonicalKey: (raw: string) => canonicalSessionKey(raw) },
    agents: { ids: () => ['main'] },
  } as unknown as Host);
  const going = parts.methods!['update.run']!({} as never, {} as never) as Promise<{ result: UpdateReport }>;
  await until(async () => (await s.asked()).includes('run build'));
  await parts.close!();
  await rm(s.at('hold'));
  await parts.finish!();
  assert.deepEqual([(await going).result.status, await s.head()], ['error', s.first]);
  assert.match(await s.built(), /n = 1/);
});
