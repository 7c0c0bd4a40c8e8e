// A turn resumed after a crash: completed steps are reused, and no side effect happens twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textResult } from '../../core/tool.ts';
import type { AssistantMessage, ToolResultMessage, UserMessage } from '../../core/transcript.ts';
import {
  assistant,
  candidate,
  play,
  rolesOf,
  textDeltas,
  tool,
  toolCall,
  toolResult,
  user,
} from '../../testing/loop-fixture.ts';
import { call, calls, says, scriptedModel } from '../../testing/scripted-model.ts';
import { noSteps, type StepLog } from '../steps.ts';

interface Remembered {
  models?: readonly AssistantMessage[];
  tools?: Record<string, ToolResultMessage | 'unknown'>;
  steered?: Record<number, readonly UserMessage[]>;
}

/** A journal with an earlier run in it, which also writes down what it is told. */
function journal({ models = [], tools = {}, steered = {} }: Remembered = {}): StepLog & { readonly wrote: string[] } {
  const wrote: string[] = [];
  return {
    ...noSteps,
    wrote,
    recalledModel: (index) => models[index],
    recalledTool: (callId) =>
      tools[callId] === 'unknown'
        ? { state: 'unknown' }
        : tools[callId] && { state: 'finished', result: tools[callId] },
    recalledSteer: (index) => steered[index],
    modelFinished: async (index, message, started) =>
      void wrote.push(
        `model ${index} ${message.stopReason} ` +
          `[${started.map((one) => `${one.callId}${one.readOnly ? ' ro' : ''}`).join(', ')}]`,
      ),
    toolFinished: async (result) => void wrote.push(`tool ${result.toolCallId}`),
    steered: async (index, messages) => void wrote.push(`steered ${index} ${messages.length}`),
  };
}

test('a turn that is not resumed writes every step, before it acts', async () => {
  const steps = journal();
  let atRun: readonly string[] = [];
  await play([calls(call('1', 'act')), says('ok')], {
    steps,
    tools: [
      tool('act', async () => {
        atRun = [...steps.wrote];
        return textResult('');
      }),
    ],
  });
  assert.deepEqual(atRun, ['model 0 toolUse [1]']);
  assert.deepEqual(steps.wrote, ['model 0 toolUse [1]', 'tool 1', 'model 1 stop []']);
});

test('finished steps are reused: no model, no tool, the same events', async () => {
  const steps = journal({
    models: [
      assistant([{ type: 'text', text: 'Looking.' }, toolCall('1', 'act')], { stopReason: 'toolUse' }),
      assistant([{ type: 'text', text: 'Done.' }]),
    ],
    tools: { '1': toolResult('1', 'it is there', 'act') },
  });
  const model = scriptedModel([says('never')]);
  const { events, outcome, results } = await play([], {
    candidates: [candidate(model)],
    steps,
    tools: [tool('act', () => Promise.reject(new Error('ran twice')))],
  });
  assert.deepEqual([model.requests.length, steps.wrote], [0, []]);
  assert.deepEqual(
    events.map((event) => event.type),
    ['started', 'text', 'message', 'tool.started', 'tool.ended', 'text', 'message', 'ended'],
  );
  assert.equal(textDeltas(events), 'Looking.\n\nDone.');
  assert.equal(outcome.kind === 'done' && outcome.text, 'Looking.\n\nDone.');
  assert.deepEqual(results, [toolResult('1', 'it is there', 'act')]);
});

test('an unfinished read-only tool runs again, an effectful one is reported as of unknown outcome', async () => {
  const steps = journal({
    models: [assistant([toolCall('r', 'look'), toolCall('w', 'act')], { stopReason: 'toolUse' })],
    tools: { r: 'unknown', w: 'unknown' },
  });
  const model = scriptedModel([says('I checked.')]);
  const { results } = await play([], {
    candidates: [candidate(model)],
    steps,
    tools: [
      tool('look', async () => textResult('seen'), { readOnly: true }),
      tool('act', () => Promise.reject(new Error('ran twice'))),
    ],
  });
  assert.deepEqual(results.map((result) => [result.toolCallId, result.isError]).sort(), [
    ['r', false],
    ['w', true],
  ]);
  const prompt = JSON.stringify(model.requests[0]!.prompt);
  assert.match(prompt, /gateway was restarted.*outcome is unknown/);
  assert.match(prompt, /read the file/);
  assert.deepEqual(steps.wrote.toSorted(), ['model 1 stop []', 'tool r', 'tool w']);
});

test('an unfinished tool whose calls have their effect once runs again, under the same ids', async () => {
  const steps = journal({
    models: [assistant([toolCall('w', 'act')], { stopReason: 'toolUse' })],
    tools: { w: 'unknown' },
  });
  const ran: string[] = [];
  const { results } = await play([], {
    candidates: [candidate(scriptedModel([says('Done.')]))],
    steps,
    tools: [
      tool(
        'act',
        async (_input, { callId }) => {
          ran.push(callId);
          return textResult('sent');
        },
        { resumes: () => true },
      ),
    ],
  });
  assert.deepEqual([ran, results.map((result) => result.isError)], [['w'], [false]]);
});

test('what was steered in comes back at its place', async () => {
  const steps = journal({
    models: [assistant([toolCall('1')], { stopReason: 'toolUse' })],
    tools: { '1': toolResult('1') },
    steered: { 1: [user('also this')] },
  });
  const model = scriptedModel([says('both')]);
  await play([], { candidates: [candidate(model)], steps, tools: [tool('look')] });
  assert.equal(rolesOf(model.requests[0]!.prompt), 'system user assistant tool user');
});

test('an answer that was steered on is continued, not taken for the end', async () => {
  const steps = journal({ models: [assistant([{ type: 'text', text: 'first' }])], steered: { 1: [user('and?')] } });
  const { outcome } = await play([says('second')], { steps });
  assert.equal(outcome.kind === 'done' && outcome.text, 'first\n\nsecond');
});

test('a journal that cannot be written ends the turn before anything is done', async () => {
  let ran = false;
  const { outcome } = await play([calls(call('1', 'act'))], {
    steps: { ...journal(), modelFinished: () => Promise.reject(new Error('disk full')) },
    tools: [
      tool('act', async () => {
        ran = true;
        return textResult('');
      }),
    ],
  });
  assert.deepEqual([outcome.kind, ran], ['failed', false]);
});

test('a client tool call that was journaled ends the turn again', async () => {
  const steps = journal({ models: [assistant([toolCall('1', 'theirs', { a: 1 })], { stopReason: 'toolUse' })] });
  const { outcome } = await play([says('never')], { steps, clientTools: [{ name: 'theirs', parameters: {} }] });
  assert.deepEqual(outcome.kind === 'done' && outcome.toolCalls, [{ id: '1', name: 'theirs', arguments: { a: 1 } }]);
});
