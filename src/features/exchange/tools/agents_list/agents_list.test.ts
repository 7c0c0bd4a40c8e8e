// The agents_list tool: the agents the gateway names, as they are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../../../../core/transcript.ts';
import { runTool, toolContext, toolContract } from '../../../../testing/tool-contract.ts';
import agents from './index.ts';

const answer = { requester: 'main', allowAny: false, agents: [{ id: 'main', configured: true }] };

toolContract({
  tool: agents,
  good: {},
  bad: [{ input: 'main', says: /JSON object/ }],
  failing: [],
  rpc: async () => answer,
  fingerprint: async () => 'it writes nothing',
});

test('shows what the gateway says, and says why it cannot', async () => {
  const result = await runTool(
    agents,
    {},
    toolContext('/w', { rpc: async (method) => (method === 'agents.list' ? answer : undefined) }),
  );
  assert.deepEqual([JSON.parse(textOf(result.content)), result.details], [answer, answer]);
  const failed = await runTool(agents, {}, toolContext('/w'));
  assert.deepEqual([failed.isError, textOf(failed.content)], [true, 'No agents.list here.']);
});
