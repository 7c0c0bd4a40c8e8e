// The sessions_spawn tool: what it hands over, and what a refusal looks like.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runTool, toolContext, toolContract } from '../../../../testing/tool-contract.ts';
import spawn from './index.ts';

toolContract({
  tool: spawn,
  good: { task: 'count the files' },
  bad: [
    { input: {}, says: /task/ },
    { input: { task: 'x', cleanup: 'burn' }, says: /cleanup/ },
    { input: { task: 'x', runTimeoutSeconds: 'soon' }, says: /runTimeoutSeconds/ },
  ],
  failing: [{ input: { task: 'x', agentId: 'work' }, says: /forbidden/ }],
  rpc: async (_method, params) =>
    (params as { agentId?: string }).agentId
      ? { status: 'forbidden', error: 'not allowed' }
      : { status: 'accepted', childSessionKey: 'agent:main:subagent:1', runId: 'r' },
});

test('passes on the task with the id of its call, and is run again after a crash', async () => {
  const asked: unknown[] = [];
  const ctx = toolContext('/w', {
    rpc: async (method, params) => {
      asked.push([method, params]);
      return { status: 'accepted' };
    },
  });
  await runTool(
    spawn,
    { task: 'x', label: 'l', model: 'm', thinking: 'low', timeoutSeconds: 9, cleanup: 'delete' },
    ctx,
  );
  assert.deepEqual(asked, [
    [
      'sessions.spawn',
      {
        task: 'x',
        label: 'l',
        model: 'm',
        thinking: 'low',
        runTimeoutSeconds: 9,
        cleanup: 'delete',
        runId: 'turn-1:call-1',
      },
    ],
  ]);
  assert.equal(spawn.resumes!({} as never), true);
});
