/** Unsigned requests: each is refused, and some are logged. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { silentLog } from '../../core/log.ts';
import { createWebhook } from './webhook.ts';

it('does not let strangers fill the log', async () => {
  const said: string[] = [];
  let now = 1_700_000_000_000;
  const handler = createWebhook({
    signingSecret: 'test-secret',
    log: { ...silentLog, warn: (event) => void said.push(event) },
    now: () => now,
    onUpdate: () => Promise.reject(new Error('must not be reached')),
    onAlive: () => assert.fail('nobody proved to be Slack'),
  });
  const post = async (): Promise<number> =>
    (await handler({ method: 'POST', headers: {}, query: new URLSearchParams(), body: Buffer.from('{}') })).status;
  for (let count = 0; count < 5; count++) assert.equal(await post(), 401);
  assert.deepEqual(said, ['slack.signature']);
  now += 60_000;
  await post();
  assert.equal(said.length, 2);
});
