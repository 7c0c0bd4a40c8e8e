// How agents looked by themselves, at the terminal, and the switch.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand as run } from '../../cli/harness.ts';
import { heartbeatDisable, heartbeatEnable, heartbeatLast } from './commands.ts';

const MIN = 60_000;

test('system heartbeat tells how the last look went, and is switched', async () => {
  assert.equal((await run(heartbeatLast, { 'last-heartbeat': null })).out, 'No heartbeat yet.');
  const { out } = await run(heartbeatLast, {
    'last-heartbeat': {
      ts: Date.now() - 5 * MIN,
      agentId: 'main',
      status: 'sent',
      reason: 'interval',
      channel: 'telegram',
      to: '42',
      preview: 'Mail came',
    },
  });
  assert.match(out, /^5 min ago, main: sent \(interval\), telegram 42\.\n {2}Mail came$/);
  assert.match(
    (
      await run(heartbeatLast, {
        'last-heartbeat': { ts: Date.now(), status: 'skipped', reason: 'empty-heartbeat-file' },
      })
    ).out,
    /skipped \(HEARTBEAT\.md is empty\)/,
  );
  assert.deepEqual((await run(heartbeatDisable, { 'set-heartbeats': { ok: true } })).sent('set-heartbeats'), {
    enabled: false,
  });
  assert.deepEqual((await run(heartbeatEnable, { 'set-heartbeats': { ok: true } })).sent('set-heartbeats'), {
    enabled: true,
  });
});
