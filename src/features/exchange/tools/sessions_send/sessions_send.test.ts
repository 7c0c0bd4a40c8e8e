// The sessions_send tool: what counts as taken, and that the same call is known again after a crash.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../../../../core/transcript.ts';
import { runTool, toolContext, toolContract } from '../../../../testing/tool-contract.ts';
import send from './index.ts';

toolContract({
  tool: send,
  good: { sessionKey: 'agent:main:work', message: 'hi' },
  bad: [
    { input: { sessionKey: 'main' }, says: /message/ },
    { input: { sessionKey: {}, message: 'x' }, says: /sessionKey/ },
  ],
  failing: [
    { input: { message: 'x' }, says: /Either sessionKey or label is required/ },
    { input: { sessionKey: 'main', message: 'x' }, says: /"forbidden"/ },
  ],
  rpc: async (_method, params) => {
    const { sessionKey, runId } = params as { sessionKey?: string; runId: string };
    if (sessionKey === undefined) return { runId, status: 'error', error: 'Either sessionKey or label is required' };
    return sessionKey === 'main'
      ? { runId, status: 'forbidden', error: 'itself' }
      : { runId, status: 'ok', reply: 'hello', sessionKey };
  },
});

test('passes on all parameters with the id of its call, and is run again after a crash', async () => {
  const asked: any[] = [];
  const ctx = toolContext('/w', {
    rpc: async (method, params) => {
      asked.push([method, params]);
      return { status: 'accepted', runId: 'r' };
    },
  });
  await runTool(send, { label: 'x', agentId: 'work', text: 'hi', timeout: 0, announce: false }, ctx);
  assert.deepEqual(asked, [
    [
      'sessions.send',
      {
        label: 'x',
        agentId: 'work',
        message: 'hi',
        timeoutSeconds: 0,
        announce: false,
        runId: 'turn-1:call-1',
        signal: ctx.signal,
      },
    ],
  ]);
  assert.equal(send.resumes!({} as never), true);
});

test('a timeout is no failure: the message is on its way', async () => {
  for (const [status, isError] of [
    ['timeout', undefined],
    ['accepted', undefined],
    ['error', true],
    ['forbidden', true],
  ] as const) {
    const result = await runTool(
      send,
      { label: 'x', message: 'hi' },
      toolContext('/w', { rpc: async () => ({ runId: 'r', status }) }),
    );
    assert.deepEqual([result.isError, JSON.parse(textOf(result.content))], [isError, { runId: 'r', status }]);
  }
});
