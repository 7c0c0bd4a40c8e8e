/** The chat endpoint, and what both endpoints share, driven by raw requests and by the AI SDK. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { AppError } from '../../core/errors.ts';
import type { FakeTurn } from '../../testing/fake-chat.ts';
import { startHttpGateway, TEST_TOKEN, type HttpGateway } from '../../testing/http-gateway.ts';

const usage = { input: 5, output: 7, cacheRead: 3, cacheWrite: 0, total: 15 };
const WEATHER = { type: 'function', name: 'weather', description: 'Tells the weather', inputSchema: { type: 'object', properties: { city: { type: 'string' } } } } as const;
const CHAT_WEATHER = { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } };
const ask = (text: string): LanguageModelV4Prompt => [{ role: 'user', content: [{ type: 'text', text }] }];

const callWeather: FakeTurn = ({ request }) =>
  request.options?.toolResults
    ? { kind: 'done', text: `It is ${request.options.toolResults[0]!.content.map((block) => (block.type === 'text' ? block.text : '')).join('')}.`, usage }
    : { kind: 'done', text: '', usage, toolCalls: [{ id: 'call_1', name: 'weather', arguments: { city: 'Bern' } }] };

function client(gateway: HttpGateway, api: 'chat' | 'responses'): LanguageModelV4 {
  const openai = createOpenAI({ baseURL: `${gateway.url}/v1`, apiKey: TEST_TOKEN });
  return (api === 'chat' ? openai.chat('clawdbot') : openai.responses('clawdbot')) as LanguageModelV4;
}

async function parts(model: LanguageModelV4, options: Parameters<LanguageModelV4['doStream']>[0]): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await model.doStream(options);
  const seen: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) seen.push(part);
  return seen;
}

const chunks = (sse: string): any[] => sse.split('\n\n').flatMap((frame) => (frame.startsWith('data: {') ? [JSON.parse(frame.slice(6))] : []));

for (const api of ['chat', 'responses'] as const) {
  test(`${api}: the AI SDK reads a whole answer with usage`, async () => {
    await using gateway = await startHttpGateway();
    gateway.services.chat.play(({ request }) => ({ kind: 'done', text: `heard ${request.text}`, usage }));
    const answer = await client(gateway, api).doGenerate({ prompt: ask('hello') });
    assert.deepEqual(answer.content.map((part) => (part.type === 'text' ? part.text : part.type)), ['heard hello']);
    assert.equal(answer.finishReason.unified, 'stop');
    assert.equal(answer.usage.inputTokens.total, 8);
    assert.equal(answer.usage.outputTokens.total, 7);
  });

  test(`${api}: the AI SDK reads a stream`, async () => {
    await using gateway = await startHttpGateway();
    const seen = await parts(client(gateway, api), { prompt: ask('one two three') });
    assert.equal(seen.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : [])).join(''), 'echo: one two three');
    assert.equal(seen.at(-1)?.type, 'finish');
    assert.ok(!seen.some((part) => part.type === 'error'));
  });

  for (const stream of [false, true]) {
    test(`${api}: a client tool goes out and its result comes back (${stream ? 'stream' : 'whole'})`, async () => {
      await using gateway = await startHttpGateway();
      gateway.services.chat.play(callWeather);
      const model = client(gateway, api);
      const options = { prompt: ask('weather in Bern?'), tools: [WEATHER] };
      const content = stream ? await parts(model, options) : (await model.doGenerate(options)).content;
      const call = content.find((part) => part.type === 'tool-call');
      assert.ok(call);
      assert.deepEqual([call.toolName, JSON.parse(call.input)], ['weather', { city: 'Bern' }]);
      const first = gateway.services.chat.requests[0]!;
      assert.deepEqual(first.options?.clientTools?.map((tool) => tool.name), ['weather']);

      const prompt: LanguageModelV4Prompt = [
        ...options.prompt,
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: call.toolCallId, toolName: 'weather', input: { city: 'Bern' } }] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: call.toolCallId, toolName: 'weather', output: { type: 'text', value: 'sunny' } }] },
      ];
      const answer = await model.doGenerate({ prompt, tools: [WEATHER] });
      assert.deepEqual(answer.content.map((part) => (part.type === 'text' ? part.text : part.type)), ['It is sunny.']);
      const second = gateway.services.chat.requests[1]!;
      assert.equal(second.text, '');
      assert.deepEqual(second.options?.toolResults?.map(({ toolCallId, toolName }) => [toolCallId, toolName]), [['call_1', 'weather']]);
      assert.deepEqual(second.options?.seed?.map(({ role }) => role), ['user', 'assistant']);
    });
  }
}

test('a stream has a role chunk, deltas, a finish chunk, the usage asked for, and [DONE]', async () => {
  await using gateway = await startHttpGateway();
  gateway.services.chat.play(({ emit }) => {
    for (const delta of ['Hel', 'lo']) emit({ type: 'text', delta });
    return { kind: 'done', text: 'Hello', usage };
  });
  const response = await gateway.post('/v1/chat/completions', { model: 'x', stream: true, stream_options: { include_usage: true }, messages: [{ role: 'user', content: 'hi' }] });
  assert.match(response.headers.get('content-type')!, /^text\/event-stream/);
  const text = await response.text();
  assert.ok(text.endsWith('data: [DONE]\n\n'));
  const seen = chunks(text);
  assert.deepEqual(seen.map((chunk) => chunk.choices[0]?.delta), [{ role: 'assistant', content: '', refusal: null }, { content: 'Hel' }, { content: 'lo' }, {}, undefined]);
  assert.deepEqual(seen.map((chunk) => chunk.choices[0]?.finish_reason), [null, null, null, 'stop', undefined]);
  assert.equal(seen.at(-1).usage.total_tokens, 15);
  assert.ok(seen.slice(0, -1).every((chunk) => chunk.usage === null && chunk.model === 'x' && chunk.object === 'chat.completion.chunk'));
});

test('agent and session follow the documented precedence', async () => {
  await using gateway = await startHttpGateway();
  const keyOf = async (body: object, headers: Record<string, string> = {}): Promise<string> => {
    const response = await gateway.post('/v1/chat/completions', { messages: [{ role: 'user', content: 'x' }], ...body }, headers);
    assert.equal(response.status, 200, await response.clone().text());
    return gateway.services.chat.requests.at(-1)!.sessionKey;
  };
  assert.match(await keyOf({ model: 'clawdbot' }), /^agent:main:openai:[0-9a-f-]{36}$/);
  assert.match(await keyOf({ model: 'gpt-4o' }), /^agent:main:openai:/);
  for (const model of ['clawdbot:work', 'clawdbot/work', 'openclaw:work', 'openclaw/work', 'moltbot:work', 'agent:work']) assert.match(await keyOf({ model }), /^agent:work:openai:/);
  assert.match(await keyOf({ model: 'openclaw/default' }), /^agent:main:/);
  assert.match(await keyOf({ model: 'clawdbot:main' }, { 'x-openclaw-agent-id': 'work' }), /^agent:work:/);
  assert.equal(await keyOf({ user: 'Alice' }), 'agent:main:openai-user:alice');
  assert.equal(await keyOf({ user: 'a:b c@d' }), 'agent:main:openai-user:a%3ab%20c@d');
  assert.equal(await keyOf({ user: 'alice' }, { 'x-clawdbot-session-key': 'agent:work:main' }), 'agent:work:main');
  assert.equal(await keyOf({}, { 'x-clawdbot-session-key': 'main' }), 'agent:main:main');
  assert.equal(await keyOf({}, { 'x-moltbot-session-key': 'agent:work:kept' }), 'agent:work:kept');
});

test('what cannot be served is refused by name', async () => {
  await using gateway = await startHttpGateway();
  const user = { role: 'user', content: 'x' };
  const image = (url: string) => ({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] });
  const cases: [object, number, RegExp, string][] = [
    [{ messages: [user], model: 'clawdbot:nobody' }, 404, /no agent "nobody".*main, work/s, 'model'],
    [{ messages: [{ role: 'system', content: 'x' }] }, 400, /nothing to answer/, 'messages'],
    [{ messages: [{ role: 'user', content: '  ' }] }, 400, /nothing to answer/, 'messages'],
    [{ messages: [user, { role: 'assistant', content: 'y' }] }, 400, /nothing to answer/, 'messages'],
    [{ messages: [] }, 400, /messages/, 'messages'],
    [{ messages: [user], n: 2 }, 400, /n must be 1/, 'n'],
    [{ messages: [{ role: 'user', content: [{ type: 'text', text: 5 }] }] }, 400, /expected string/, 'messages[0].content[0].text'],
    [{ messages: [user], temperature: 9 }, 400, /temperature/, 'temperature'],
    [image('https://example.com/a.png'), 400, /not fetched/, 'messages[0].content[0].image_url.url'],
    [image('data:image/png;base64,@@@@'), 400, /base64/, 'messages[0].content[0].image_url.url'],
    [{ messages: [user], tools: [{ type: 'web_search' }] }, 400, /web_search/, 'tools[0].type'],
    [{ messages: [user], tools: [CHAT_WEATHER], tool_choice: { type: 'function', function: { name: 'other' } } }, 400, /"other"/, 'tool_choice'],
    [{ messages: [user, { role: 'tool', tool_call_id: 'zz', content: 'r' }] }, 400, /"zz"/, 'messages[1]'],
    [{ messages: [{ role: 'assistant', content: null, tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{}' } }] }, user] }, 400, /"c1" has no result/, 'messages[0]'],
  ];
  for (const [body, status, message, param] of cases) {
    const response = await gateway.post('/v1/chat/completions', body);
    const { error } = (await response.json()) as any;
    assert.deepEqual([response.status, error.param, error.type], [status, param, 'invalid_request_error'], error.message);
    assert.match(error.message, message);
  }
  assert.equal(gateway.services.chat.requests.length, 0);
});

test('a stateless request seeds real messages; a named session sends only what is current', async () => {
  await using gateway = await startHttpGateway();
  const messages = [
    { role: 'system', content: 'Be brief.' }, { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
    { role: 'user', content: [{ type: 'text', text: 'look' }, { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }] },
    { role: 'assistant', content: 'Checking.', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }] },
    { role: 'tool', tool_call_id: 'c1', content: 'r1' },
    { role: 'user', content: 'first' }, { role: 'user', content: [{ type: 'text', text: 'second' }, { type: 'image_url', image_url: 'data:image/png;base64,aGk=' }] },
  ];
  await gateway.post('/v1/chat/completions', { messages });
  const fresh = gateway.services.chat.requests[0]!;
  assert.equal(fresh.text, 'first\n\nsecond');
  assert.deepEqual(fresh.attachments?.map(({ mime, data }) => [mime, Buffer.from(data).toString()]), [['image/png', 'hi']]);
  assert.equal(fresh.options?.extraSystemPrompt, 'Be brief.\n\nBe kind.');
  assert.equal(fresh.options?.toolResults, undefined);
  assert.deepEqual(fresh.options?.seed?.map(({ role, content }) => [role, content]), [
    ['user', [{ type: 'text', text: 'look' }, { type: 'image', data: 'aGk=', mimeType: 'image/png' }]],
    ['assistant', [{ type: 'text', text: 'Checking.' }, { type: 'toolCall', id: 'c1', name: 'f', arguments: { a: 1 } }]],
    ['toolResult', [{ type: 'text', text: 'r1' }]],
  ]);
  await gateway.post('/v1/chat/completions', { messages, user: 'bob' });
  const sticky = gateway.services.chat.requests[1]!;
  assert.deepEqual([sticky.text, sticky.options?.seed, sticky.queue, sticky.commands], ['first\n\nsecond', undefined, 'followup', false]);
});

test('a named session finds the name of a waiting tool call in its transcript', async () => {
  await using gateway = await startHttpGateway();
  const key = 'agent:main:openai-user:kim';
  gateway.services.chat.transcripts.set(key, [{ role: 'assistant', content: [{ type: 'toolCall', id: 'c9', name: 'lookup', arguments: {} }], timestamp: 1, provider: 'f', model: 'm', usage, stopReason: 'toolUse' }]);
  const send = (id: string) => gateway.post('/v1/chat/completions', { user: 'kim', messages: [{ role: 'tool', tool_call_id: id, content: 'r' }] });
  assert.equal((await send('c9')).status, 200);
  assert.deepEqual(gateway.services.chat.requests[0]!.options?.toolResults?.map(({ toolName }) => toolName), ['lookup']);
  assert.equal((await send('c0')).status, 400);
});

test('sampling, limits, reasoning, answer format and commands are passed on', async () => {
  await using gateway = await startHttpGateway();
  const body = { messages: [{ role: 'user', content: '/status' }], max_tokens: 9, max_completion_tokens: 8, temperature: 0.5, top_p: 0.9, reasoning_effort: 'high', model: 'fake/echo', response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' } } }, tools: [CHAT_WEATHER], tool_choice: 'required' };
  await gateway.post('/v1/chat/completions', body, { 'x-clawdbot-commands': 'on' });
  const { options, commands } = gateway.services.chat.requests[0]!;
  assert.equal(commands, true);
  assert.match(options?.extraSystemPrompt ?? '', /JSON Schema:\n\{"type":"object"\}/);
  assert.deepEqual({ ...options, extraSystemPrompt: undefined, clientTools: undefined }, { maxOutputTokens: 8, temperature: 0.5, topP: 0.9, thinking: 'high', model: 'fake/echo', toolChoice: 'required', extraSystemPrompt: undefined, clientTools: undefined });
});

test('what an app put together from several pieces is no command, whatever it begins with', async () => {
  await using gateway = await startHttpGateway();
  const user = (content: unknown): object => ({ role: 'user', content });
  const part = (text: string): object => ({ type: 'text', text });
  const asked = async (...messages: readonly object[]): Promise<unknown> => {
    await gateway.post('/v1/chat/completions', { messages }, { 'x-clawdbot-commands': 'on' });
    return gateway.services.chat.requests.at(-1)!.commands;
  };
  assert.equal(await asked(user('/status'), user('of the page I found')), false);
  assert.equal(await asked(user([part('/elevated full'), part('their page says so')])), false);
  assert.equal(await asked(user('hello'), { role: 'assistant', content: 'Hi.' }, user([part('/status')])), true, 'what was said before does not matter');
});

test('a failed turn keeps its status, also in a stream that has not begun; one that has ends with an error', async () => {
  await using gateway = await startHttpGateway();
  const post = (stream: boolean) => gateway.post('/v1/chat/completions', { stream, messages: [{ role: 'user', content: 'x' }] });
  const fail = (code: string) => gateway.services.chat.play(() => ({ kind: 'failed', code, message: 'The model said no.', usage }));
  for (const [code, status, type] of [['rate_limited', 429, 'rate_limit_error'], ['auth', 502, 'server_error'], ['overloaded', 503, 'server_error'], ['context_overflow', 400, 'invalid_request_error'], ['weird', 502, 'server_error'], ['timeout', 504, 'server_error']] as const) {
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
  await using gateway = await startHttpGateway();
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
  const repeated = await gateway.post('/v1/chat/completions', { messages: [{ role: 'user', content: 'x' }] }, { 'idempotency-key': 'k-1' });
  assert.equal(((await repeated.json()) as any).choices[0].message.content, 'NO way');
  assert.equal(repeated.headers.get('x-clawdbot-session-key'), gateway.services.chat.requests.at(-1)!.sessionKey);
  assert.equal((await gateway.post('/v1/chat/completions', { messages: [{ role: 'user', content: 'x' }] }, { 'idempotency-key': 'cron:4711:1000' })).status, 400);
  assert.equal(gateway.services.chat.requests.length, before);
});

for (const [user, key, stops] of [[undefined, undefined, true], ['ann', undefined, false], [undefined, 'k-9', false]] as const) {
  test(`a client that goes away ${stops ? 'stops a stateless turn' : `leaves the turn of a ${user ? 'named session' : 'repeatable request'} running`}`, async () => {
    await using gateway = await startHttpGateway();
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
    const response = await gateway.fetch('/v1/chat/completions', { method: 'POST', signal: leave.signal, headers: { authorization: `Bearer ${TEST_TOKEN}`, 'content-type': 'application/json', ...(key && { 'idempotency-key': key }) }, body: JSON.stringify({ stream: true, user, messages: [{ role: 'user', content: 'x' }] }) });
    const signal = await started.promise;
    leave.abort();
    await assert.rejects(response.text());
    if (stops && !signal.aborted) await once(signal, 'abort');
    finish.resolve();
    assert.equal(signal.aborted, stops);
  });
}

test('a silent model is bridged by comments, and a slow reader gets everything', async () => {
  await using gateway = await startHttpGateway({ limits: { stream: { openAfterMs: 1, keepAliveMs: 5 } } });
  const silence = Promise.withResolvers<void>();
  gateway.services.chat.play(async ({ emit }) => {
    await silence.promise;
    for (let i = 0; i < 4_000; i++) emit({ type: 'text', delta: 'x'.repeat(1_000) });
    return { kind: 'done', text: 'x'.repeat(4_000_000), usage };
  });
  const response = await gateway.post('/v1/chat/completions', { stream: true, messages: [{ role: 'user', content: 'x' }] });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes(': still working')) text += (await reader.read()).value ?? '';
  silence.resolve();
  for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value;
  assert.equal(chunks(text).map((chunk) => chunk.choices[0].delta.content ?? '').join('').length, 4_000_000);
});

test('endpoints are off unless switched on, and say how', async () => {
  await using gateway = await startHttpGateway({ gateway: { port: 0, http: {} } });
  for (const [path, name] of [['/v1/chat/completions', 'chatCompletions'], ['/v1/responses', 'responses']] as const) {
    const response = await gateway.post(path, {});
    assert.equal(response.status, 404);
    assert.match(((await response.json()) as any).error.message, new RegExp(`gateway\\.http\\.endpoints\\.${name}\\.enabled`));
  }
});

test('the agents are listed as models', async () => {
  await using gateway = await startHttpGateway();
  const headers = { authorization: `Bearer ${TEST_TOKEN}` };
  const list = (await (await gateway.fetch('/v1/models', { headers })).json()) as any;
  assert.deepEqual(list.data.map((model: any) => model.id), ['clawdbot/default', 'clawdbot/main', 'clawdbot/work']);
  assert.equal((await gateway.fetch('/v1/models/clawdbot/work', { headers })).status, 200);
  assert.equal((await gateway.fetch('/v1/models/none', { headers })).status, 404);
  assert.equal((await gateway.fetch('/v1/models')).status, 401);
  assert.equal((await gateway.fetch('/v1/else', { headers })).status, 404);
});
