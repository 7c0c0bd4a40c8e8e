// The sessions_history tool: a page of messages, or why there is none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../../core/transcript.ts';
import { runTool, toolContext, toolContract } from '../../testing/tool-contract.ts';
import history from './index.ts';

const answer = {
  sessionKey: 'main',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }], timestamp: 1 }],
};

toolContract({
  tool: history,
  good: { sessionKey: 'main' },
  bad: [
    { input: {}, says: /sessionKey/ },
    { input: { sessionKey: '' }, says: /sessionKey/ },
    { input: { sessionKey: 'main', limit: [] }, says: /limit/ },
  ],
  failing: [{ input: { sessionKey: 'agent:work:main' }, says: /forbidden/ }],
  rpc: async (_method, params) =>
    (params as { sessionKey: string }).sessionKey === 'main' ? answer : { status: 'forbidden', error: 'out of reach' },
  fingerprint: async () => 'it writes nothing',
});

test('(T190) hands over key or id, page and the choice of tools', async () => {
  const asked: unknown[] = [];
  const ctx = toolContext('/w', {
    rpc: async (method, params) => {
      asked.push([method, params]);
      return answer;
    },
  });
  const result = await runTool(history, { sessionId: '1-2', limit: 5, offset: 10, includeTools: true }, ctx);
  assert.deepEqual(asked, [['sessions.history', { sessionKey: '1-2', limit: 5, offset: 10, includeTools: true }]]);
  assert.deepEqual(JSON.parse(textOf(result.content)), answer);
});
