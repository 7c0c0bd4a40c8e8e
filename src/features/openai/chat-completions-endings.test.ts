import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { TEST_TOKEN } from '../../testing/http-gateway.ts';
import { startOpenAi } from './harness.ts';
import { usage, chunks } from './fake-turns.ts';

test('a failed turn keeps its status, also in a stream that has not begun; one that has ends with an error', async () => {
  await using gateway = await startOpenAi();
  const post = (stream: boolean) =>
    gateway.post('/v1/chat/completions', { stream, messages: [{ role: 'user', content: 'x' }] });
  const fail = (code: string) =>
    gateway.services.chat.play(() => ({ kind: 'failed', code, message: 'The model said no.', usage }));
  for (const [code, status, type] of [
    ['rate_limited', 429, 'rate_limit_error'],
    ['auth', 502, 'server_error'],
    ['overloaded', 503, 'server_error'],
    ['context_overflow', 400, 'invalid_request_error'],
    ['weird', 502, 'server_error'],
    ['timeout', 504, 'server_error'],
  ] as const) {
    for (const stream of [false, true]) {
      fail(code);
      const response = await post(stream);
      assert.deepEqual([response.status, ((await response.json()) as any).error.type], [status, type], code);
    }
  }
  gateway.services.chat.play(({ emit }) => {
    emit({ type: 'text', delta: 'Half an' });
    return { kind: 'failed', code: 'network', message: 'The model hung up.', usage };
  });
  const text = await (await post(true)).text();
  assert.equal(chunks(text).at(-1).error.message, 'The model hung up.');
  assert.ok(text.endsWith('data: [DONE]\n\n'));
  gateway.services.chat.failNext(new AppError('storage', 'The disk is full.'));
  assert.equal((await post(false)).status, 507);
});

test('text that comes late, notices, the silent marker and repeated ids are handled', async () => {
  await using gateway = await startOpenAi();
  const post = async (headers: Record<string, string> = {}): Promise<any> =>
    (await gateway.post('/v1/chat/completions', { messages: [{ role: 'user', content: 'x' }] }, headers)).json();
  gateway.services.chat.play(({ emit }) => {
    emit({ type: 'text', delta: 'Heard ' });
    return { kind: 'done', text: 'Heard and said.', usage };
  });
  assert.equal((await post()).choices[0].message.content, 'Heard and said.');
  gateway.services.chat.play(({ emit }) => {
    emit({ type: 'notice', text: 'Sessions: 1' });
    return { kind: 'done', text: '', usage };
  });
  assert.equal((await post()).choices[0].message.content, 'Sessions: 1');
  gateway.services.chat.play(({ emit }) => {
    for (const delta of ['NO', '_REPLY']) emit({ type: 'text', delta });
    return { kind: 'done', text: 'NO_REPLY', usage };
  });
  assert.equal((await post()).choices[0].message.content, '');
  gateway.services.chat.play(({ emit }) => {
    for (const delta of ['NO', ' way']) emit({ type: 'text', delta });
    return { kind: 'done', text: 'NO way', usage, stopReason: 'length' };
  });
  const { choices, id } = await post({ 'idempotency-key': 'k-1' });
  assert.deepEqual([choices[0].message.content, choices[0].finish_reason, id], ['NO way', 'length', 'chatcmpl-k-1']);
  const before = gateway.services.chat.requests.length;
  const repeated = await gateway.post(
    '/v1/chat/completions',
    { messages: [{ role: 'user', content: 'x' }] },
    { 'idempotency-key': 'k-1' },
  );
  assert.equal(((await repeated.json()) as any).choices[0].message.content, 'NO way');
  assert.equal(repeated.headers.get('x-clawdbot-session-key'), gateway.services.chat.requests.at(-1)!.sessionKey);
  assert.equal(
    (
      await gateway.post(
        '/v1/chat/completions',
        { messages: [{ role: 'user', content: 'x' }] },
        { 'idempotency-key': 'cron:4711:1000' },
      )
    ).status,
    400,
  );
  assert.equal(gateway.services.chat.requests.length, before);
});

for (const [user, key, stops] of [
  [undefined, undefined, true],
  ['ann', undefined, false],
  [undefined, 'k-9', false],
] as const) {
  test(
    'a client that goes away ' +
      `${stops ? 'stops a stateless turn' : `leaves the turn of a ${user ? 'named session' : 'repeatable request'} running`}`,
    async () => {
      await using gateway = await startOpenAi();
      const started = Promise.withResolvers<AbortSignal>();
      const finish = Promise.withResolvers<void>();
      gateway.services.chat.play(async ({ emit, signal }) => {
        emit({ type: 'text', delta: 'a' });
        started.resolve(signal);
        if (stops) await once(signal, 'abort');
        else await finish.promise;
        return { kind: 'aborted', text: 'a', usage };
      });
      const leave = new AbortController();
      const response = await gateway.fetch('/v1/chat/completions', {
        method: 'POST',
        signal: leave.signal,
        headers: present({
          authorization: `Bearer ${TEST_TOKEN}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        }),
        body: JSON.stringify({ stream: true, user, messages: [{ role: 'user', content: 'x' }] }),
      });
      const signal = await started.promise;
      leave.abort();
      await assert.rejects(response.text());
      if (stops && !signal.aborted) await once(signal, 'abort');
      finish.resolve();
      assert.equal(signal.aborted, stops);
    },
  );
}

test('a silent model is bridged by comments, and a slow reader gets everything', async () => {
  await using gateway = await startOpenAi({ timing: { openAfterMs: 1, keepAliveMs: 5 } });
  const silence = Promise.withResolvers<void>();
  gateway.services.chat.play(async ({ emit }) => {
    await silence.promise;
    for (let i = 0; i < 4_000; i++) emit({ type: 'text', delta: 'x'.repeat(1_000) });
    return { kind: 'done', text: 'x'.repeat(4_000_000), usage };
  });
  const response = await gateway.post('/v1/chat/completions', {
    stream: true,
    messages: [{ role: 'user', content: 'x' }],
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes(': still working')) text += (await reader.read()).value ?? '';
  silence.resolve();
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
  assert.equal(
    chunks(text)
      .map((chunk) => chunk.choices[0].delta.content ?? '')
      .join('').length,
    4_000_000,
  );
});

test('endpoints are off unless switched on, and say how', async () => {
  await using gateway = await startOpenAi({ endpoints: {} });
  for (const [path, name] of [
    ['/v1/chat/completions', 'chatCompletions'],
    ['/v1/responses', 'responses'],
  ] as const) {
    const response = await gateway.post(path, {});
    assert.equal(response.status, 404);
    assert.match(
      ((await response.json()) as any).error.message,
      new RegExp(`gateway\\.http\\.endpoints\\.${name}\\.enabled`),
    );
  }
});

test('the agents are listed as models', async () => {
  await using gateway = await startOpenAi();
  const headers = { authorization: `Bearer ${TEST_TOKEN}` };
  const list = (await (await gateway.fetch('/v1/models', { headers })).json()) as any;
  assert.deepEqual(
    list.data.map((model: any) => model.id),
    ['clawdbot/default', 'clawdbot/main', 'clawdbot/work'],
  );
  assert.equal((await gateway.fetch('/v1/models/clawdbot/work', { headers })).status, 200);
  assert.equal((await gateway.fetch('/v1/models/none', { headers })).status, 404);
  assert.equal((await gateway.fetch('/v1/models')).status, 401);
  assert.equal((await gateway.fetch('/v1/else', { headers })).status, 404);
});
