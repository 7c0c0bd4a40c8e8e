// The sessions_list tool: what it asks the gateway for, and that it shows the answer as it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../../core/transcript.ts';
import { runTool, toolContext, toolContract } from '../../testing/tool-contract.ts';
import list from './index.ts';

const answer = { count: 1, sessions: [{ key: 'main', kind: 'main', channel: 'webchat' }] };

toolContract({
  tool: list,
  good: { kinds: ['main', 'nonsense'], limit: 5, activeMinutes: 60, messageLimit: 3 },
  bad: [
    { input: { kinds: [{}] }, says: /kinds/ },
    { input: { limit: 'many' }, says: /limit/ },
  ],
  failing: [{ input: { limit: 13 }, says: /No luck/ }],
  rpc: async (_method, params) => {
    if ((params as { limit?: number }).limit === 13) throw new Error('No luck.');
    return answer;
  },
  fingerprint: async () => 'it writes nothing',
});

test('hands over what was asked for, other spellings included, and shows the answer', async () => {
  const asked: unknown[] = [];
  const ctx = toolContext('/w', {
    rpc: async (method, params) => {
      asked.push([method, params]);
      return answer;
    },
  });
  const result = await runTool(list, { kind: ['cron'], limit: '3', messages: 2 }, ctx);
  assert.deepEqual(asked, [
    ['sessions.list', { kinds: ['cron'], limit: 3, activeMinutes: undefined, messageLimit: 2 }],
  ]);
  assert.deepEqual([JSON.parse(textOf(result.content)), result.details], [answer, answer]);
});
