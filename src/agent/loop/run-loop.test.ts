// The agent loop: answers, tools, steering, stopping, limits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { textResult } from '../../core/tool.ts';
import type { UserMessage } from '../../core/transcript.ts';
import {
  candidate,
  collect,
  loopInput,
  play,
  rolesOf,
  textDeltas,
  tool,
  toolCall,
  user,
} from '../../testing/loop-fixture.ts';
import { call, calls, finish, says, scriptedModel, text, thinking, usage } from '../../testing/scripted-model.ts';
import { runLoop } from './run-loop.ts';

test('streams an answer and ends once', async () => {
  const { events, outcome } = await play([[...thinking('hm'), ...text('Hel', 'lo'), finish('stop', usage(100, 7))]], {
    candidates: [
      candidate(scriptedModel([[...thinking('hm'), ...text('Hel', 'lo'), finish('stop', usage(100, 7))]]), {
        info: { id: 'x', cost: { input: 1, output: 2 } },
      }),
    ],
  });
  assert.equal(events[0]?.type, 'started');
  assert.equal(textDeltas(events), 'Hello');
  assert.deepEqual(outcome, {
    kind: 'done',
    text: 'Hello',
    stopReason: 'stop',
    usage: { input: 100, output: 7, cacheRead: 0, cacheWrite: 0, total: 107, cost: 0.000114 },
  });
  assert.equal(events.filter((event) => event.type === 'ended').length, 1);
});

test('the deltas joined are the text of the outcome, over several answers', async () => {
  const { events, outcome } = await play([calls(...text('Let me look.'), call('a', 'look')), says('Found it.')], {
    tools: [tool('look')],
  });
  assert.equal(outcome.kind === 'done' && outcome.text, 'Let me look.\n\nFound it.');
  assert.equal(textDeltas(events), 'Let me look.\n\nFound it.');
});

test('T222 parallel calls that finish out of order are answered in order', async () => {
  const slow = Promise.withResolvers<void>();
  const { results, events } = await play([calls(call('1', 'slow'), call('2', 'fast')), says('done')], {
    tools: [
      tool('slow', async () => {
        await slow.promise;
        return textResult('slow');
      }),
      tool('fast', async () => {
        slow.resolve();
        return textResult('fast');
      }),
    ],
  });
  assert.deepEqual(
    results.map((result) => result.toolCallId),
    ['2', '1'],
    'they really ran side by side',
  );
  assert.equal(events.at(-1)?.type, 'ended');
  const model = scriptedModel([calls(call('1', 'slow'), call('2', 'fast')), says('done')]);
  await play([], { candidates: [candidate(model)], tools: [tool('slow'), tool('fast')] });
  const sent = model.requests[1]!.prompt.at(-1)!;
  assert.deepEqual(sent.role === 'tool' && sent.content.map((part) => part.type === 'tool-result' && part.toolCallId), [
    '1',
    '2',
  ]);
});

test('calls on the same path wait for each other when one writes', async () => {
  const log: string[] = [];
  const record = (name: string, readOnly: boolean) =>
    tool(
      name,
      async () => {
        log.push(`${name} begins`);
        await new Promise(setImmediate);
        log.push(`${name} ends`);
        return textResult('');
      },
      { readOnly },
    );
  await play([calls(call('1', 'write', { path: 'a.txt' }), call('2', 'read', { path: './a.txt' })), says('ok')], {
    tools: [record('write', false), record('read', true)],
  });
  assert.deepEqual(log, ['write begins', 'write ends', 'read begins', 'read ends']);
});

test('T221 bad arguments and unknown tools go back to the model as readable errors', async () => {
  const strict = tool('count', async (input) => textResult(JSON.stringify(input)), {
    input: z.object({ n: z.number() }),
  });
  const { results, outcome } = await play(
    [
      calls(call('1', 'count', {}), call('2', 'nope'), call('3', 'count', '{"n":'), call('4', 'count', { n: '5' })),
      says('sorry'),
    ],
    { tools: [strict] },
  );
  assert.equal(outcome.kind, 'done');
  const texts = Object.fromEntries(results.map((result) => [result.toolCallId, result]));
  assert.match(JSON.stringify(texts['1']!.content), /n: is required/);
  assert.match(JSON.stringify(texts['2']!.content), /Tool nope not found\. Available tools: count/);
  assert.equal(texts['3']!.isError, true);
  assert.deepEqual(texts['4']!.content, [{ type: 'text', text: '{"n":5}' }]);
});

test('a tool that throws becomes an error result', async () => {
  const { results } = await play([calls(call('1', 'boom')), says('ok')], {
    tools: [tool('boom', () => Promise.reject(new Error('no such door')))],
  });
  assert.deepEqual([results[0]!.isError, results[0]!.content], [true, [{ type: 'text', text: 'no such door' }]]);
});

test('T226 an empty toolset sends no tools', async () => {
  const model = scriptedModel([says('hi')]);
  await play([], { candidates: [candidate(model)] });
  assert.equal('tools' in model.requests[0]!, false);
});

test('T223 a message that arrives during call 1 of 3 skips the calls that have not begun', async () => {
  const waiting: UserMessage[] = [];
  const model = scriptedModel([calls(call('1', 'act'), call('2', 'act'), call('3', 'act')), says('changed course')]);
  let ran = 0;
  const { results, outcome } = await play([], {
    candidates: [candidate(model)],
    limits: { toolConcurrency: 1 },
    tools: [
      tool('act', async () => {
        ran++;
        waiting.push(user('stop that, do this'));
        return textResult('done');
      }),
    ],
    steer: () => waiting.splice(0),
    steerWaiting: () => waiting.length > 0,
  });
  assert.equal(ran, 1);
  assert.deepEqual(
    results.map((result) => result.content),
    [
      [{ type: 'text', text: 'done' }],
      ...['', ''].map(() => [{ type: 'text', text: 'Skipped due to queued user message.' }]),
    ],
  );
  assert.equal(rolesOf(model.requests[1]!.prompt), 'system user assistant tool user');
  assert.equal(outcome.kind === 'done' && outcome.text, 'changed course');
});

test('a message that arrives during the final answer is answered in the same turn', async () => {
  let waiting: UserMessage[] = [];
  const model = scriptedModel([
    () => {
      waiting = [user('and that?')];
      return says('this');
    },
    says('that'),
  ]);
  const { outcome } = await play([], {
    candidates: [candidate(model)],
    steer: () => waiting.splice(0),
    steerWaiting: () => waiting.length > 0,
  });
  assert.equal(outcome.kind === 'done' && outcome.text, 'this\n\nthat');
});

test('an abort keeps what was said, even when the model does not listen', async () => {
  const abort = new AbortController();
  const input = loopInput([[...text('Once upon'), { type: 'hang' }]], { signal: abort.signal });
  const seen = [];
  for await (const event of runLoop(input)) {
    seen.push(event);
    if (event.type === 'text') abort.abort();
  }
  const last = seen.at(-1);
  assert.deepEqual(
    last?.type === 'ended' && [last.outcome.kind, last.outcome.kind === 'aborted' && last.outcome.text],
    ['aborted', 'Once upon'],
  );
  const message = seen.find((event) => event.type === 'message');
  assert.deepEqual(message?.type === 'message' && [message.message.stopReason, message.message.content], [
    'aborted',
    [{ type: 'text', text: 'Once upon' }],
  ]);
});

test('T224 an abort during a tool asks no model again, even when the tool does not listen', async () => {
  const abort = new AbortController();
  const model = scriptedModel([calls(call('1', 'forever')), says('never')]);
  const { outcome, results } = await play([], {
    candidates: [candidate(model)],
    signal: abort.signal,
    limits: { toolGraceMs: 1 },
    tools: [
      tool('forever', () => {
        abort.abort();
        return new Promise(() => undefined);
      }),
    ],
  });
  assert.equal(outcome.kind, 'aborted');
  assert.equal(model.requests.length, 1);
  assert.match(JSON.stringify(results[0]!.content), /may have taken effect/);
});

test('a tool that ends by itself when stopped says what it got', async () => {
  const abort = new AbortController();
  const { outcome, results } = await play([calls(call('1', 'listening'))], {
    signal: abort.signal,
    tools: [
      tool(
        'listening',
        (_, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve(textResult('half of it')));
            abort.abort();
          }),
      ),
    ],
  });
  assert.deepEqual([outcome.kind, results[0]!.content], ['aborted', [{ type: 'text', text: 'half of it' }]]);
});

test('a reader that leaves stops the turn', async () => {
  const stopped = Promise.withResolvers<void>();
  const input = loopInput([calls(call('1', 'wait'))], {
    limits: { toolGraceMs: 1 },
    tools: [
      tool(
        'wait',
        (_, { signal }) =>
          new Promise(() => {
            signal.addEventListener('abort', () => stopped.resolve());
          }),
      ),
    ],
  });
  for await (const event of runLoop(input)) if (event.type === 'tool.started') break;
  await stopped.promise;
});

test('the time limit of the turn ends it as failed, with a notice', async () => {
  const { outcome } = await play([[{ type: 'hang' }]], { timeoutMs: 10 });
  assert.deepEqual(outcome.kind === 'failed' && [outcome.code, /longer than/.test(outcome.message)], ['timeout', true]);
});

test('a call to a client tool ends the turn, after our own tools ran', async () => {
  let ran = false;
  const { outcome } = await play([calls(call('1', 'theirs', { x: 1 }), call('2', 'ours'))], {
    tools: [
      tool('ours', async () => {
        ran = true;
        return textResult('ok');
      }),
    ],
    clientTools: [{ name: 'theirs', parameters: { type: 'object', properties: {} } }],
  });
  assert.equal(ran, true);
  assert.deepEqual(outcome.kind === 'done' && outcome.toolCalls, [{ id: '1', name: 'theirs', arguments: { x: 1 } }]);
});

test('a model that repeats itself is warned, then stopped', async () => {
  const model = scriptedModel([calls(call('same', 'look', { at: 1 }))]);
  const { outcome, results } = await play([], { candidates: [candidate(model)], tools: [tool('look')] });
  assert.equal(results.length, 5);
  assert.equal(new Set(results.map((result) => result.toolCallId)).size, 5, 'repeated ids of a vendor are told apart');
  assert.match(JSON.stringify(model.requests[3]!.prompt), /3rd time/);
  assert.doesNotMatch(JSON.stringify(model.requests[2]!.prompt), /time you made exactly this call/);
  assert.match(outcome.kind === 'failed' ? outcome.message : '', /called look 5 times/);
});

test('looking again after a change is no loop', async () => {
  let n = 0;
  const { outcome } = await play(
    [() => (n < 12 ? calls(call(`c${n}`, n % 2 ? 'change' : 'look', n % 2 ? { n: n++ } : (n++, {}))) : says('ok'))],
    { tools: [tool('look', undefined, { readOnly: true }), tool('change')] },
  );
  assert.equal(outcome.kind, 'done');
});

test('a turn has an end even when every call is different', async () => {
  let n = 0;
  const { outcome } = await play([() => calls(call(`c${n}`, 'look', { n: n++ }))], {
    tools: [tool('look', async () => textResult(String(n)))],
    limits: { maxSteps: 7 },
  });
  assert.match(outcome.kind === 'failed' ? outcome.message : '', /at the limit of 7 model calls/);
  assert.equal(n, 7);
});

test('a forced tool choice holds for the first request only', async () => {
  const model = scriptedModel([calls(call('1', 'look')), says('ok')]);
  await play([], { candidates: [candidate(model)], tools: [tool('look')], toolChoice: 'required' });
  assert.deepEqual(
    model.requests.map((request) => request.toolChoice),
    [{ type: 'required' }, { type: 'auto' }],
  );
});

test('a slow reader gets joined deltas, nothing lost', async () => {
  const parts = Array.from({ length: 500 }, (_, i) => `${i} `);
  const stream = runLoop(loopInput([[...text(...parts), finish()]]))[Symbol.asyncIterator]();
  await stream.next();
  await new Promise((resolve) => setTimeout(resolve, 0));
  const rest = await collect({ [Symbol.asyncIterator]: () => stream });
  assert.equal(textDeltas(rest.events), parts.join(''));
});

test('a fault of ours ends the turn instead of throwing', async () => {
  const { outcome } = await play([says('x')], {
    steps: {
      ...loopInput([]).steps,
      recalledModel: () => {
        throw new Error('disk on fire');
      },
    },
  });
  assert.deepEqual(outcome.kind === 'failed' && [outcome.code, outcome.message], ['internal', 'disk on fire']);
});

test('a long tool result is cut before the model reads it', async () => {
  const { results } = await play([calls(call('1', 'big')), says('ok')], {
    tools: [tool('big', async () => textResult('x'.repeat(5000)))],
    limits: { toolResultChars: 1000 },
  });
  assert.match(JSON.stringify(results[0]!.content), /4000 characters of this result were left out/);
});

test('T228 history with an unanswered call reaches the model repaired', async () => {
  const model = scriptedModel([says('ok')]);
  await play([], {
    candidates: [candidate(model)],
    history: [user('a'), { ...(await play([says('x')])).messages[0]!, content: [toolCall('lost')] }],
  });
  assert.match(JSON.stringify(model.requests[0]!.prompt), /No result provided/);
});
