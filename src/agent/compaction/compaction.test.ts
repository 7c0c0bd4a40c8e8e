// Compaction: when it is due, where a history may be cut, and that a failure changes nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AppError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import type { Message } from '../../core/transcript.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { assistant, candidate, toolCall, toolResult, user } from '../../testing/loop-fixture.ts';
import { finish, says, scriptedModel, text, type Scripted } from '../../testing/scripted-model.ts';
import { compact } from './compact.ts';
import type { CompactRequest } from './compact-request.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { shouldCompact } from './should-compact.ts';
import { chunksOf, firstKept } from './split.ts';

const long = (mark: string, tokens = 500): Message => user(mark + ' '.repeat(tokens * 4));
const history: readonly Message[] = Array.from({ length: 20 }, (_, i) => [
  long(`question ${i}`),
  assistant([{ type: 'text', text: `answer ${i}` }]),
]).flat();

function request(script: readonly Scripted[], extra: Partial<CompactRequest> = {}, contextWindow = 100_000) {
  const model = scriptedModel(script);
  const clock = { ...createFakeClock(), sleep: async () => undefined };
  return {
    model,
    request: {
      candidate: candidate(model, { info: { id: 'x', contextWindow } }),
      messages: history,
      keepRecentTokens: 1500,
      signal: new AbortController().signal,
      clock,
      log: silentLog,
      ...extra,
    } satisfies CompactRequest,
  };
}

test('tokens: four bytes each, pictures flat, scripts that need more bytes count more', () => {
  assert.equal(estimateTokens([user('x'.repeat(400))]), 106);
  assert.ok(estimateTokens([user('漢'.repeat(400))]) > 300);
  assert.equal(
    estimateTokens([{ ...user(''), content: [{ type: 'image', data: 'A'.repeat(1e6), mimeType: 'image/png' }] }]),
    1206,
  );
});

test('due when the reserve is touched, with room left in small windows', () => {
  assert.equal(shouldCompact({ tokens: 79_000, contextWindow: 100_000, reserve: 20_000 }), false);
  assert.equal(shouldCompact({ tokens: 81_000, contextWindow: 100_000, reserve: 20_000 }), true);
  assert.equal(shouldCompact({ tokens: 3_000, contextWindow: 8_000, reserve: 20_000 }), false);
});

test('the older part becomes a summary by the model, the newest stays', async () => {
  const { model, request: asked } = request([says('They talked.')], { instructions: 'keep the names' });
  const result = await compact(asked);
  assert.equal(result.kind, 'compacted');
  if (result.kind !== 'compacted') return;
  assert.equal(result.summary, 'They talked.');
  assert.equal(history[result.firstKeptIndex]?.role, 'user');
  assert.ok(result.firstKeptIndex >= 34 && result.tokensAfter < result.tokensBefore / 4);
  const prompt = JSON.stringify(model.requests[0]!.prompt);
  assert.match(prompt, /question 0/);
  assert.match(prompt, /keep the names/);
  assert.doesNotMatch(prompt, /question 19/);
});

test('a history larger than the window is summarised piece by piece', async () => {
  let n = 0;
  const { model, request: asked } = request([() => says(`summary ${++n}`)], {}, 8_000);
  const result = await compact(asked);
  assert.ok(model.requests.length > 2);
  assert.match(JSON.stringify(model.requests[1]!.prompt), /summary 1/);
  assert.equal(result.kind === 'compacted' && result.summary, `summary ${model.requests.length}`);
  for (const one of model.requests) assert.ok(JSON.stringify(one.prompt).length / 4 < 8_000);
});

test('one message larger than the window does not stop it', async () => {
  const { request: asked } = request(
    [says('short')],
    { messages: [long('huge', 50_000), assistant([{ type: 'text', text: 'ok' }]), user('next')] },
    8_000,
  );
  assert.equal((await compact(asked)).kind, 'compacted');
});

test('pieces the model refuses as too long are halved', async () => {
  const { model, request: asked } = request([
    (options) =>
      JSON.stringify(options.prompt).length > 12_000 ? new AppError('context_overflow', 'too long') : says('ok'),
  ]);
  assert.equal((await compact(asked)).kind, 'compacted');
  assert.ok(model.requests.length > 3);
});

test('a failure is reported and changes nothing', async () => {
  const { request: refused } = request([new AppError('auth', 'no key.')]);
  const result = await compact(refused);
  assert.deepEqual(result.kind === 'failed' && [result.error.code, result.error.message], [
    'auth',
    'The conversation could not be summarised and is unchanged: no key.',
  ]);
  assert.equal((await compact(request([[finish()]]).request)).kind, 'failed', 'an empty summary is a failure');
  assert.equal(
    (await compact(request([[...text('half'), { type: 'break', error: new Error('x') }]]).request)).kind,
    'failed',
    'half a summary is a failure',
  );
  assert.equal((await compact({ ...request([says('x')]).request, signal: AbortSignal.abort() })).kind, 'failed');
});

test('a busy model is asked again', async () => {
  const { model, request: asked } = request([new AppError('overloaded', 'busy'), says('ok')]);
  assert.deepEqual([(await compact(asked)).kind, model.requests.length], ['compacted', 2]);
});

test('a short conversation is left alone', async () => {
  assert.equal((await compact(request([says('x')], { messages: [user('a')] }).request)).kind, 'nothing');
});

const anyHistory = fc
  .array(
    fc.oneof(
      fc.nat(400).map((size) => [long('u', size)]),
      fc.tuple(fc.nat(3), fc.nat(400)).map(([calls, size]) => {
        const ids = Array.from({ length: calls }, (_, i) => `${i}`);
        return [
          assistant([{ type: 'text', text: 'a'.repeat(size) }, ...ids.map((id) => toolCall(id))]),
          ...ids.map((id) => toolResult(id, 'r'.repeat(size))),
        ];
      }),
    ),
    { maxLength: 15 },
  )
  .map((turns): Message[] => turns.flat());

test('wherever it is cut, calls stay with their results, and nothing is lost', () => {
  fc.assert(
    fc.property(anyHistory, fc.nat(1000), (messages, keep) => {
      const kept = firstKept(messages, keep);
      assert.notEqual(messages[kept]?.role, 'toolResult');
      const chunks = chunksOf(messages, Math.max(1, keep));
      assert.deepEqual(chunks.flat(), messages);
      for (const chunk of chunks.slice(1)) assert.notEqual(chunk[0]!.role, 'toolResult');
    }),
    { numRuns: 300 },
  );
});
