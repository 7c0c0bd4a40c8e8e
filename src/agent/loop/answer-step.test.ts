// One answer from models that fail: retries, fallbacks, broken streams, and no text sent twice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, type ErrorCode } from '../../core/errors.ts';
import { textResult } from '../../core/tool.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { candidate, collect, loopInput, play, textDeltas, tool } from '../../testing/loop-fixture.ts';
import { call, calls, finish, says, scriptedModel, text, thinking } from '../../testing/scripted-model.ts';
import type { LoopInput } from './loop-input.ts';
import { runLoop } from './run-loop.ts';

const fault = (code: ErrorCode, retryAfterMs?: number): AppError =>
  new AppError(code, `it was ${code}`, { retryAfterMs });
const failure = (outcome: { kind: string; code?: string; message?: string }): string =>
  outcome.kind === 'failed' ? outcome.code! : outcome.kind;

/** Two models; answers what happened and how often each was asked. */
async function playTwo(
  first: Parameters<typeof scriptedModel>[0],
  second: Parameters<typeof scriptedModel>[0],
  extra: Partial<LoopInput> = {},
) {
  const models = [scriptedModel(first, { modelId: 'one' }), scriptedModel(second, { modelId: 'two' })] as const;
  const played = await play([], { candidates: models.map((model) => candidate(model)), ...extra });
  return { ...played, asked: models.map((model) => model.requests.length) };
}

for (const code of ['rate_limited', 'overloaded', 'network', 'timeout'] as const) {
  test(`${code} is asked again`, async () => {
    const { outcome, asked } = await playTwo([fault(code), fault(code), says('third time')], [says('never')]);
    assert.deepEqual([outcome.kind === 'done' && outcome.text, asked], ['third time', [3, 0]]);
  });
}

test('a fault that lasts falls over to the next model', async () => {
  const { outcome, asked, messages } = await playTwo([fault('overloaded')], [says('here')]);
  assert.deepEqual([outcome.kind, asked, messages[0]?.model], ['done', [3, 1], 'two']);
});

for (const code of ['auth', 'denied', 'not_found', 'invalid'] as const) {
  test(`${code} falls over at once`, async () => {
    const { outcome, asked } = await playTwo([fault(code)], [says('here')]);
    assert.deepEqual([outcome.kind, asked], ['done', [1, 1]]);
  });
}

test('a fallback that worked is kept for the rest of the turn', async () => {
  const { asked } = await playTwo([fault('auth')], [calls(call('1', 'look')), says('ok')], { tools: [tool('look')] });
  assert.deepEqual(asked, [1, 2]);
});

test('a context overflow is reported immediately to the caller, which can compact', async () => {
  const { outcome, asked, events } = await playTwo([fault('context_overflow')], [says('x')]);
  assert.deepEqual([failure(outcome), asked, textDeltas(events)], ['context_overflow', [1, 0], '']);
});

test('what is too long for one model is asked of the next that holds more, and of no other', async () => {
  const windows = [8_000, 4_000, 8_000, 200_000];
  const models = windows.map((_size, index) =>
    scriptedModel([index === 3 ? says('it fits') : fault('context_overflow')], { modelId: `m${index}` }),
  );
  const { outcome } = await play([], {
    candidates: models.map((model, index) =>
      candidate(model, { info: { id: model.modelId, contextWindow: windows[index]! } }),
    ),
  });
  assert.deepEqual(
    [outcome.kind === 'done' && outcome.text, models.map(({ requests }) => requests.length)],
    ['it fits', [1, 0, 0, 1]],
  );
});

test('a conversation that is too long for all models is reported to the caller, which can compact', async () => {
  const models = [8_000, 200_000].map((size) => ({ size, model: scriptedModel([fault('context_overflow')]) }));
  const { outcome } = await play([], {
    candidates: models.map(({ size, model }) => candidate(model, { info: { id: 'm', contextWindow: size } })),
  });
  assert.deepEqual([failure(outcome), models.map(({ model }) => model.requests.length)], ['context_overflow', [1, 1]]);
});

test('an answer that breaks off before anything was shown falls over; white space shows nothing', async () => {
  for (const parts of [thinking('hm'), text('\n '), []]) {
    const { outcome, asked } = await playTwo([[...parts, { type: 'break', error: fault('network') }]], [says('here')]);
    assert.ok(outcome.kind === 'done' && outcome.text.trim() === 'here', JSON.stringify(outcome));
    assert.deepEqual(asked, [3, 1]);
  }
});

test('an overflow after tools ran shortens their results instead of beginning again', async () => {
  const model = scriptedModel([
    calls(call('1', 'big')),
    (options) => (JSON.stringify(options.prompt).length > 20_000 ? fault('context_overflow') : says('fits')),
  ]);
  let ran = 0;
  const big = tool('big', async () => {
    ran++;
    return textResult('y'.repeat(50_000));
  });
  const { outcome } = await play([], { candidates: [candidate(model)], tools: [big] });
  assert.deepEqual([outcome.kind, ran, model.requests.length], ['done', 1, 3]);
});

test('an overflow that shortening cannot fix is not reported as one to retry after compaction', async () => {
  const { outcome } = await play([calls(call('1', 'look')), fault('context_overflow')], { tools: [tool('look')] });
  assert.equal(failure(outcome), 'too_large');
  const { outcome: midText } = await play([[...text('So'), { type: 'error', error: fault('context_overflow') }]]);
  assert.equal(failure(midText), 'too_large');
});

test('the pause a vendor asks for is kept, and given up when it is too long', async () => {
  const clock = createFakeClock();
  const model = scriptedModel([fault('rate_limited', 7000), says('ok')]);
  const playing = collect(runLoop(loopInput([], { candidates: [candidate(model)], clock })));
  await clock.advance(6999);
  assert.equal(model.requests.length, 1);
  await clock.advance(2);
  assert.equal((await playing).outcome.kind, 'done');
  const { asked } = await playTwo([fault('rate_limited', 600_000)], [says('ok')]);
  assert.deepEqual(asked, [1, 1]);
});

test('an abort ends the wait before a retry', async () => {
  const clock = createFakeClock();
  const abort = new AbortController();
  const playing = collect(runLoop(loopInput([fault('rate_limited', 50_000)], { clock, signal: abort.signal })));
  await clock.advance(10);
  abort.abort();
  assert.equal((await playing).outcome.kind, 'aborted');
});

test('a stream that breaks after text was sent is not retried: the text is kept and the failure reported', async () => {
  const { outcome, asked, events, messages } = await playTwo(
    [[...text('The answer is'), { type: 'break', error: fault('network') }]],
    [says('never')],
  );
  assert.deepEqual([failure(outcome), asked, textDeltas(events)], ['network', [1, 0], 'The answer is']);
  assert.deepEqual(
    [messages[0]?.stopReason, messages[0]?.errorMessage, messages[0]?.content],
    ['error', 'it was network', [{ type: 'text', text: 'The answer is' }]],
  );
});

test('a stream that breaks before text is asked again, and its thinking shown once', async () => {
  const { outcome, events, messages } = await play(
    [
      [...thinking('let me'), call('1', 'look'), { type: 'error', error: fault('overloaded') }],
      [...thinking('let me see'), ...text('ok'), finish()],
    ],
    { tools: [tool('look')] },
  );
  assert.equal(outcome.kind, 'done');
  assert.deepEqual(
    events.filter((event) => event.type === 'thinking').map((event) => event.delta),
    ['let me'],
  );
  assert.deepEqual(messages[0]?.content[0], { type: 'thinking', thinking: 'let me see' });
  assert.equal(
    events.some((event) => event.type === 'tool.started'),
    false,
  );
});

test('lying streams: no finish, no parts, garbage', async () => {
  const once = { retry: { attempts: 1 } };
  assert.equal(failure((await play([[...text('half')]], once)).outcome), 'bad_response');
  assert.equal(failure((await play([[]], once)).outcome), 'bad_response');
  assert.equal(failure((await play([[null as never]], once)).outcome), 'bad_response');
  assert.equal(failure((await play([[{ nonsense: true } as never]], once)).outcome), 'bad_response');
  assert.equal(failure((await play([[finish('error')]], once)).outcome), 'bad_response');
  assert.equal(failure((await play([[...text('half'), finish('interrupted')]], once)).outcome), 'network');
  assert.equal(failure((await play([new TypeError('x is not a function')], once)).outcome), 'bad_response');
});

test('an empty answer is requested once more, then reported', async () => {
  const { outcome, asked } = await playTwo([[finish()]], [says('two')]);
  assert.deepEqual([outcome.kind, asked], ['done', [2, 1]]);
  assert.match(JSON.stringify((await play([[...text('  \n'), finish()]])).outcome), /empty answer|failed/);
  assert.equal(failure((await play([[finish()]])).outcome), 'bad_response');
});

test('an empty end after something was said is an ordinary end', async () => {
  const { outcome } = await play([calls(...text('Done, see the file.'), call('1', 'look')), [finish()]], {
    tools: [tool('look')],
  });
  assert.equal(outcome.kind === 'done' && outcome.text, 'Done, see the file.');
});

test('an answer that is all thinking says what to change', async () => {
  const { outcome } = await play([[...thinking('…'), finish('length')]]);
  assert.match(outcome.kind === 'failed' ? outcome.message : '', /Raise the output limit/);
});

test('an answer filtered by the vendor is reported', async () => {
  assert.equal(failure((await play([[finish('content-filter')]])).outcome), 'denied');
});

test('a stream that falls silent is broken, one that goes on slowly is not', async () => {
  const clock = createFakeClock();
  const hung = collect(
    runLoop(loopInput([[{ type: 'hang' }]], { clock, limits: { idleTimeoutMs: 1000 }, retry: { attempts: 1 } })),
  );
  await clock.advance(900);
  await clock.advance(700);
  const { outcome } = await hung;
  assert.deepEqual([failure(outcome), /sent nothing for 1 s/.test(JSON.stringify(outcome))], ['timeout', true]);

  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const slow = collect(
    runLoop(
      loopInput(
        [[...gates.flatMap((gate) => [{ type: 'wait' as const, until: gate.promise }, ...text('.')]), finish()]],
        { clock, limits: { idleTimeoutMs: 1000 } },
      ),
    ),
  );
  for (const gate of gates) {
    await clock.advance(900);
    gate.resolve();
  }
  assert.equal((await slow).outcome.kind, 'done');
});

test('when every model fails, the first error counts and all are listed', async () => {
  const { outcome } = await playTwo([fault('rate_limited')], [fault('auth')]);
  assert.deepEqual(outcome.kind === 'failed' && [outcome.code, outcome.message], [
    'rate_limited',
    'Every model failed. it was rate_limited / it was auth',
  ]);
});

test('a missing model is reported', async () => {
  assert.equal(failure((await play([], { candidates: [] })).outcome), 'unavailable');
});

test('costs of all answers add up', async () => {
  const { outcome } = await play([calls(call('1', 'look')), says('ok')], { tools: [tool('look')] });
  assert.deepEqual(outcome.usage, { input: 20, output: 10, cacheRead: 0, cacheWrite: 0, total: 30 });
});
