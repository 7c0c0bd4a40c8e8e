import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { systemEvent } from './system.ts';
import { runCommand as run } from '../harness.ts';

describe('system', () => {
  test('event tells the agent, now or later', async () => {
    const later = await run(systemEvent, { wake: { ok: true } }, { flags: { text: ' look ' } });
    assert.deepEqual(
      [later.sent('wake'), later.out],
      [{ text: 'look', mode: 'next-heartbeat' }, 'Sent. The agent reads it with the next heartbeat or message.'],
    );
    const now = await run(
      systemEvent,
      { wake: { ok: true } },
      { flags: { text: '-', mode: 'now', session: 'agent:work:main' }, stdin: 'from a script\n' },
    );
    assert.deepEqual(now.sent('wake'), { text: 'from a script', mode: 'now', sessionKey: 'agent:work:main' });
    for (const flags of [{ text: 'x', mode: 'later' }, { text: '  ' }])
      await assert.rejects(run(systemEvent, {}, { flags }), { code: 'invalid' });
  });
});
