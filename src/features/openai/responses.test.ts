/** The responses endpoint: its events, its memory, its refusals, and any body at all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4, LanguageModelV4Message } from '@ai-sdk/provider';
import fc from 'fast-check';
import { present } from '../../core/present.ts';
import { TEST_TOKEN } from '../../testing/http-gateway.ts';
import { startOpenAi } from './harness.ts';
import { createItemMemory } from './item-memory.ts';
import { responseId, sessionOfResponse } from './response-id.ts';

const usage = { input: 5, output: 7, cacheRead: 3, cacheWrite: 0, total: 15 };
const WEATHER = {
  type: 'function',
  name: 'weather',
  description: null,
  parameters: { type: 'object', properties: {} },
};

/** Fields the Open Responses schema requires of every response object. */
const REQUIRED = [
  'id',
  'object',
  'created_at',
  'completed_at',
  'status',
  'incomplete_details',
  'model',
  'previous_response_id',
  'instructions',
  'output',
  'error',
  'tools',
  'tool_choice',
  'truncation',
  'parallel_tool_calls',
  'text',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'top_logprobs',
  'temperature',
  'reasoning',
  'user',
  'usage',
  'max_output_tokens',
  'max_tool_calls',
  'store',
  'background',
  'service_tier',
  'metadata',
  'safety_identifier',
  'prompt_cache_key',
];

function readEvents(sse: string): any[] {
  const frames = sse.split('\n\n').filter((frame) => frame && !frame.startsWith(':'));
  assert.equal(frames.pop(), 'data: [DONE]');
  return frames.map((frame, index) => {
    const [event, data] = frame.split('\n');
    const body = JSON.parse(data!.slice('data: '.length));
    assert.equal(event, `event: ${body.type}`);
    assert.equal(body.sequence_number, index);
    return body;
  });
}

test('a streamed answer has the events of the specification, in order', async () => {
  await using gateway = await startOpenAi();
  gateway.services.chat.play(({ emit }) => {
    for (const delta of ['Hel', 'lo']) emit({ type: 'text', delta });
    return { kind: 'done', text: 'Hello', usage, toolCalls: [{ id: 'c1', name: 'weather', arguments: { a: 1 } }] };
  });
  const events = readEvents(
    await (
      await gateway.post('/v1/responses', { model: 'clawdbot', stream: true, input: 'hi', tools: [WEATHER] })
    ).text(),
  );
  assert.deepEqual(
    events.map(({ type }) => type.replace('response.', '')),
    [
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ],
  );
  const last = events.at(-1).response;
  assert.deepEqual(
    REQUIRED.filter((field) => !(field in last)),
    [],
  );
  assert.deepEqual(
    last.output.map((item: any) => [item.type, item.status]),
    [
      ['message', 'completed'],
      ['function_call', 'completed'],
    ],
  );
  assert.equal(last.output[0].content[0].text, 'Hello');
  assert.deepEqual(last.usage, {
    input_tokens: 8,
    input_tokens_details: { cached_tokens: 3 },
    output_tokens: 7,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  });
  assert.equal(events[0].response.status, 'in_progress');
  assert.deepEqual(
    REQUIRED.filter((field) => !(field in events[0].response)),
    [],
  );
  const ids = events.filter(({ output_index }) => output_index === 0).map((event) => event.item_id ?? event.item.id);
  assert.equal(new Set(ids).size, 1);
});

test('an answer cut by its token limit is incomplete, one that fails under way is failed', async () => {
  await using gateway = await startOpenAi();
  gateway.services.chat.play(() => ({ kind: 'done', text: 'Hel', usage, stopReason: 'length' }));
  const whole = (await (await gateway.post('/v1/responses', { input: 'hi', max_output_tokens: 16 })).json()) as any;
  assert.deepEqual(
    [whole.status, whole.incomplete_details.reason, whole.output[0].status, whole.max_output_tokens],
    ['incomplete', 'max_output_tokens', 'incomplete', 16],
  );
  gateway.services.chat.play(({ emit }) => {
    emit({ type: 'text', delta: 'H' });
    return { kind: 'failed', code: 'rate_limited', message: 'Slow down.', usage };
  });
  const events = readEvents(await (await gateway.post('/v1/responses', { input: 'hi', stream: true })).text());
  assert.equal(events.at(-1).type, 'response.failed');
  assert.deepEqual(events.at(-1).response.error, { code: 'rate_limited', message: 'Slow down.' });
});

test('previous_response_id continues the session, also in another process', async () => {
  await using gateway = await startOpenAi();
  const first = (await (await gateway.post('/v1/responses', { input: 'one' })).json()) as any;
  const key = gateway.services.chat.requests[0]!.sessionKey;
  assert.match(key, /^agent:main:openresponses:/);
  gateway.services.sessionEntries.set(key, { sessionId: 's', updatedAt: 1 });
  const second = (await (
    await gateway.post('/v1/responses', { input: 'two', previous_response_id: first.id })
  ).json()) as any;
  assert.equal(gateway.services.chat.requests[1]!.sessionKey, key);
  assert.equal(second.previous_response_id, first.id);
  for (const id of ['resp_unknown', responseId('agent:main:openresponses:gone', 'r')]) {
    const refused = await gateway.post('/v1/responses', { input: 'x', previous_response_id: id });
    assert.deepEqual(
      [refused.status, ((await refused.json()) as any).error.code],
      [400, 'previous_response_not_found'],
    );
  }
});

test('the AI SDK can refer to earlier answers by item id', async () => {
  await using gateway = await startOpenAi();
  const model = createOpenAI({ baseURL: `${gateway.url}/v1`, apiKey: TEST_TOKEN }).responses(
    'clawdbot',
  ) as LanguageModelV4;
  const user = (text: string): LanguageModelV4Message => ({ role: 'user', content: [{ type: 'text', text }] });
  const first = await model.doGenerate({ prompt: [user('one')] });
  const said = first.content.flatMap((part) =>
    part.type === 'text'
      ? [present({ type: 'text' as const, text: part.text, providerOptions: part.providerMetadata })]
      : [],
  );
  await model.doGenerate({ prompt: [user('one'), { role: 'assistant', content: said }, user('two')] });
  const { text, options } = gateway.services.chat.requests[1]!;
  assert.equal(text, 'two');
  assert.deepEqual(
    options?.seed?.map(({ role, content }) => [role, content]),
    [
      ['user', [{ type: 'text', text: 'one' }]],
      ['assistant', [{ type: 'text', text: 'echo: one' }]],
    ],
  );
  const lost = await gateway.post('/v1/responses', {
    input: [
      { type: 'item_reference', id: 'msg_lost' },
      { role: 'user', content: 'x' },
    ],
  });
  assert.deepEqual([lost.status, ((await lost.json()) as any).error.param], [400, 'input[0].id']);
});

test('items become messages: calls beside their message, results, images, files, instructions', async () => {
  await using gateway = await startOpenAi();
  const response = await gateway.post('/v1/responses', {
    instructions: 'Be brief.',
    input: [
      { role: 'system', content: 'Be kind.' },
      { type: 'message', role: 'user', content: 'q' },
      { type: 'reasoning', summary: [] },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Checking.' }] },
      { type: 'function_call', call_id: 'c1', name: 'a', arguments: '{}' },
      { type: 'function_call', call_id: 'c2', name: 'b', arguments: 'broken' },
      { type: 'function_call_output', call_id: 'c1', output: 'r1' },
      { type: 'function_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'r2' }] },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'now' },
          { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
          { type: 'input_file', filename: 'n.pdf', file_data: 'aGk=' },
        ],
      },
    ],
    tools: [WEATHER, { ...WEATHER, name: 'other' }],
    tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'other' }] },
  });
  assert.equal(response.status, 200, await response.clone().text());
  const { text, attachments, options } = gateway.services.chat.requests[0]!;
  assert.equal(text, 'now');
  assert.deepEqual(
    attachments?.map(({ mime, name }) => [mime, name]),
    [
      ['image/png', undefined],
      ['application/pdf', 'n.pdf'],
    ],
  );
  assert.equal(options?.extraSystemPrompt, 'Be brief.\n\nBe kind.');
  assert.deepEqual(
    options?.seed?.map(({ role }) => role),
    ['user', 'assistant', 'toolResult', 'toolResult'],
  );
  assert.deepEqual(options?.seed?.[1]?.content, [
    { type: 'text', text: 'Checking.' },
    { type: 'toolCall', id: 'c1', name: 'a', arguments: {} },
    { type: 'toolCall', id: 'c2', name: 'b', arguments: { input: 'broken' } },
  ]);
  assert.deepEqual([options?.clientTools?.map(({ name }) => name), options?.toolChoice], [['other'], 'required']);
});

test('what the endpoint cannot do is refused by name', async () => {
  await using gateway = await startOpenAi();
  const cases: [object, string][] = [
    [{}, 'input'],
    [{ input: '' }, 'input'],
    [{ input: 'x', background: true }, 'background'],
    [{ input: 'x', conversation: 'c' }, 'conversation'],
    [{ input: 'x', prompt: { id: 'p' } }, 'prompt'],
    [
      { input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'http://h/i.png' }] }] },
      'input[0].content[0].image_url',
    ],
    [
      { input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'http://h/i.pdf' }] }] },
      'input[0].content[0]',
    ],
    [{ input: [{ type: 'function_call_output', call_id: 'c', output: 'r' }] }, 'input[0]'],
    [{ input: 'x', tools: [{ type: 'web_search' }] }, 'tools[0].type'],
  ];
  for (const [body, param] of cases) {
    const response = await gateway.post('/v1/responses', body);
    assert.deepEqual([response.status, ((await response.json()) as any).error.param], [400, param]);
  }
});

test('any body gets an answer below 500 and the gateway stays up', async () => {
  await using gateway = await startOpenAi();
  const headers = { authorization: `Bearer ${TEST_TOKEN}`, 'content-type': 'application/json' };
  const field = fc.constantFrom(
    'messages',
    'input',
    'model',
    'tools',
    'stream',
    'user',
    'role',
    'content',
    'type',
    'function',
    '__proto__',
    'tool_choice',
    'text',
  );
  const word = fc.constantFrom(
    'user',
    'assistant',
    'tool',
    'text',
    'input_text',
    'message',
    'function',
    'function_call_output',
    'data:;base64,',
    'agent:x',
    '\ud800',
    '\u0000',
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'medium' },
      word,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(field, tie('tree'), { maxKeys: 6 }),
    ),
  }));
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.dictionary(field, tree, { maxKeys: 8 }).map((value) => JSON.stringify(value)),
    fc
      .dictionary(field, tree, { maxKeys: 8 })
      .map((value) => JSON.stringify({ messages: [{ role: 'user', content: 'x' }], input: 'x', ...value })),
    fc.integer({ min: 1, max: 20_000 }).map((depth) => '['.repeat(depth)),
    fc
      .integer({ min: 1, max: 20_000 })
      .map((depth) => `{"messages":${'['.repeat(depth)}${']'.repeat(depth)},"input":1}`),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('/v1/chat/completions', '/v1/responses'), body, async (path, sent) => {
      const response = await gateway.fetch(path, {
        method: 'POST',
        headers,
        body: sent as NonNullable<RequestInit['body']>,
      });
      await response.text();
      assert.ok(response.status < 500, `${response.status} for ${sent}`);
    }),
    { numRuns: 150 },
  );
  assert.equal((await gateway.fetch('/healthz')).status, 200);
});

test('response ids round-trip any session key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[\w.:-]{1,40}$/), (rest, runId) => {
      assert.equal(
        sessionOfResponse(responseId(`agent:${rest.toWellFormed()}`, runId)),
        `agent:${rest.toWellFormed()}`,
      );
    }),
  );
  assert.equal(sessionOfResponse('resp_abc'), undefined);
});

test('the item memory forgets the oldest', () => {
  const memory = createItemMemory<number>(2, 10);
  memory.keep('a', 1, 4);
  memory.keep('b', 2, 4);
  memory.keep('c', 3, 4);
  assert.deepEqual(['a', 'b', 'c'].map(memory.find), [undefined, 2, 3]);
  memory.keep('d', 4, 9);
  assert.deepEqual(['b', 'c', 'd'].map(memory.find), [undefined, undefined, 4]);
});
