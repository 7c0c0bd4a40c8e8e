/** The chat endpoint, and what both endpoints share, driven by raw requests and by the AI SDK. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { startOpenAi } from './harness.ts';
import { usage, WEATHER, CHAT_WEATHER, ask, callWeather, client, parts, chunks } from './fake-turns.ts';

for (const api of ['chat', 'responses'] as const) {
  test(`${api}: the AI SDK reads a whole answer with usage`, async () => {
    await using gateway = await startOpenAi();
    gateway.services.chat.play(({ request }) => ({ kind: 'done', text: `heard ${request.text}`, usage }));
    const answer = await client(gateway, api).doGenerate({ prompt: ask('hello') });
    assert.deepEqual(
      answer.content.map((part) => (part.type === 'text' ? part.text : part.type)),
      ['heard hello'],
    );
    assert.equal(answer.finishReason.unified, 'stop');
    assert.equal(answer.usage.inputTokens.total, 8);
    assert.equal(answer.usage.outputTokens.total, 7);
  });

  test(`${api}: the AI SDK reads a stream`, async () => {
    await using gateway = await startOpenAi();
    const seen = await parts(client(gateway, api), { prompt: ask('one two three') });
    assert.equal(
      seen.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : [])).join(''),
      'echo: one two three',
    );
    assert.equal(seen.at(-1)?.type, 'finish');
    assert.ok(!seen.some((part) => part.type === 'error'));
  });

  for (const stream of [false, true]) {
    test(`${api}: a client tool goes out and its result comes back (${stream ? 'stream' : 'whole'})`, async () => {
      await using gateway = await startOpenAi();
      gateway.services.chat.play(callWeather);
      const model = client(gateway, api);
      const options = { prompt: ask('weather in Bern?'), tools: [WEATHER] };
      const content = stream ? await parts(model, options) : (await model.doGenerate(options)).content;
      const call = content.find((part) => part.type === 'tool-call');
      assert.ok(call);
      assert.deepEqual([call.toolName, JSON.parse(call.input)], ['weather', { city: 'Bern' }]);
      const first = gateway.services.chat.requests[0]!;
      assert.deepEqual(
        first.options?.clientTools?.map((tool) => tool.name),
        ['weather'],
      );

      const prompt: LanguageModelV4Prompt = [
        ...options.prompt,
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: call.toolCallId, toolName: 'weather', input: { city: 'Bern' } }],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: call.toolCallId,
              toolName: 'weather',
              output: { type: 'text', value: 'sunny' },
            },
          ],
        },
      ];
      const answer = await model.doGenerate({ prompt, tools: [WEATHER] });
      assert.deepEqual(
        answer.content.map((part) => (part.type === 'text' ? part.text : part.type)),
        ['It is sunny.'],
      );
      const second = gateway.services.chat.requests[1]!;
      assert.equal(second.text, '');
      assert.deepEqual(
        second.options?.toolResults?.map(({ toolCallId, toolName }) => [toolCallId, toolName]),
        [['call_1', 'weather']],
      );
      assert.deepEqual(
        second.options?.seed?.map(({ role }) => role),
        ['user', 'assistant'],
      );
    });
  }
}

test('a stream has a role chunk, deltas, a finish chunk, the usage asked for, and [DONE]', async () => {
  await using gateway = await startOpenAi();
  gateway.services.chat.play(({ emit }) => {
    for (const delta of ['Hel', 'lo']) emit({ type: 'text', delta });
    return { kind: 'done', text: 'Hello', usage };
  });
  const response = await gateway.post('/v1/chat/completions', {
    model: 'x',
    stream: true,
    stream_options: { include_usage: true },
    messages: [{ role: 'user', content: 'hi' }],
  });
  assert.match(response.headers.get('content-type')!, /^text\/event-stream/);
  const text = await response.text();
  assert.ok(text.endsWith('data: [DONE]\n\n'));
  const seen = chunks(text);
  assert.deepEqual(
    seen.map((chunk) => chunk.choices[0]?.delta),
    [{ role: 'assistant', content: '', refusal: null }, { content: 'Hel' }, { content: 'lo' }, {}, undefined],
  );
  assert.deepEqual(
    seen.map((chunk) => chunk.choices[0]?.finish_reason),
    [null, null, null, 'stop', undefined],
  );
  assert.equal(seen.at(-1).usage.total_tokens, 15);
  assert.ok(
    seen
      .slice(0, -1)
      .every((chunk) => chunk.usage === null && chunk.model === 'x' && chunk.object === 'chat.completion.chunk'),
  );
});

test('agent and session follow the documented precedence', async () => {
  await using gateway = await startOpenAi();
  const keyOf = async (body: object, headers: Record<string, string> = {}): Promise<string> => {
    const response = await gateway.post(
      '/v1/chat/completions',
      { messages: [{ role: 'user', content: 'x' }], ...body },
      headers,
    );
    assert.equal(response.status, 200, await response.clone().text());
    return gateway.services.chat.requests.at(-1)!.sessionKey;
  };
  assert.match(await keyOf({ model: 'clawdbot' }), /^agent:main:openai:[0-9a-f-]{36}$/);
  assert.match(await keyOf({ model: 'gpt-4o' }), /^agent:main:openai:/);
  for (const model of [
    'clawdbot:work',
    'clawdbot/work',
    'openclaw:work',
    'openclaw/work',
    'moltbot:work',
    'agent:work',
  ])
    assert.match(await keyOf({ model }), /^agent:work:openai:/);
  assert.match(await keyOf({ model: 'openclaw/default' }), /^agent:main:/);
  assert.match(await keyOf({ model: 'clawdbot:main' }, { 'x-openclaw-agent-id': 'work' }), /^agent:work:/);
  assert.equal(await keyOf({ user: 'Alice' }), 'agent:main:openai-user:alice');
  assert.equal(await keyOf({ user: 'a:b c@d' }), 'agent:main:openai-user:a%3ab%20c@d');
  assert.equal(await keyOf({ user: 'alice' }, { 'x-clawdbot-session-key': 'agent:work:main' }), 'agent:work:main');
  assert.equal(await keyOf({}, { 'x-clawdbot-session-key': 'main' }), 'agent:main:main');
  assert.equal(await keyOf({}, { 'x-moltbot-session-key': 'agent:work:kept' }), 'agent:work:kept');
});

test('what cannot be served is refused by name', async () => {
  await using gateway = await startOpenAi();
  const user = { role: 'user', content: 'x' };
  const image = (url: string) => ({
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
  });
  const cases: [object, number, RegExp, string][] = [
    [{ messages: [user], model: 'clawdbot:nobody' }, 404, /Unknown agent "nobody".*main, work/s, 'model'],
    [{ messages: [{ role: 'system', content: 'x' }] }, 400, /nothing to answer/, 'messages'],
    [{ messages: [{ role: 'user', content: '  ' }] }, 400, /nothing to answer/, 'messages'],
    [{ messages: [user, { role: 'assistant', content: 'y' }] }, 400, /nothing to answer/, 'messages'],
    [{ messages: [] }, 400, /messages/, 'messages'],
    [{ messages: [user], n: 2 }, 400, /n must be 1/, 'n'],
    [
      { messages: [{ role: 'user', content: [{ type: 'text', text: 5 }] }] },
      400,
      /expected string/,
      'messages[0].content[0].text',
    ],
    [{ messages: [user], temperature: 9 }, 400, /temperature/, 'temperature'],
    [image('https://example.com/a.png'), 400, /not fetched/, 'messages[0].content[0].image_url.url'],
    [image('data:image/png;base64,@@@@'), 400, /base64/, 'messages[0].content[0].image_url.url'],
    [{ messages: [user], tools: [{ type: 'web_search' }] }, 400, /web_search/, 'tools[0].type'],
    [
      { messages: [user], tools: [CHAT_WEATHER], tool_choice: { type: 'function', function: { name: 'other' } } },
      400,
      /"other"/,
      'tool_choice',
    ],
    [{ messages: [user, { role: 'tool', tool_call_id: 'zz', content: 'r' }] }, 400, /"zz"/, 'messages[1]'],
    [
      {
        messages: [
          { role: 'assistant', content: null, tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{}' } }] },
          user,
        ],
      },
      400,
      /"c1" has no result/,
      'messages[0]',
    ],
  ];
  for (const [body, status, message, param] of cases) {
    const response = await gateway.post('/v1/chat/completions', body);
    const { error } = (await response.json()) as any;
    assert.deepEqual(
      [response.status, error.param, error.type],
      [status, param, 'invalid_request_error'],
      error.message,
    );
    assert.match(error.message, message);
  }
  assert.equal(gateway.services.chat.requests.length, 0);
});

test('a stateless request seeds real messages; a named session sends only what is current', async () => {
  await using gateway = await startOpenAi();
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
      ],
    },
    {
      role: 'assistant',
      content: 'Checking.',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'r1' },
    { role: 'user', content: 'first' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'second' },
        { type: 'image_url', image_url: 'data:image/png;base64,aGk=' },
      ],
    },
  ];
  await gateway.post('/v1/chat/completions', { messages });
  const fresh = gateway.services.chat.requests[0]!;
  assert.equal(fresh.text, 'first\n\nsecond');
  assert.deepEqual(
    fresh.attachments?.map(({ mime, data }) => [mime, Buffer.from(data).toString()]),
    [['image/png', 'hi']],
  );
  assert.equal(fresh.options?.extraSystemPrompt, 'Be brief.\n\nBe kind.');
  assert.equal(fresh.options?.toolResults, undefined);
  assert.deepEqual(
    fresh.options?.seed?.map(({ role, content }) => [role, content]),
    [
      [
        'user',
        [
          { type: 'text', text: 'look' },
          { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        ],
      ],
      [
        'assistant',
        [
          { type: 'text', text: 'Checking.' },
          { type: 'toolCall', id: 'c1', name: 'f', arguments: { a: 1 } },
        ],
      ],
      ['toolResult', [{ type: 'text', text: 'r1' }]],
    ],
  );
  await gateway.post('/v1/chat/completions', { messages, user: 'bob' });
  const sticky = gateway.services.chat.requests[1]!;
  assert.deepEqual(
    [sticky.text, sticky.options?.seed, sticky.queue, sticky.commands],
    ['first\n\nsecond', undefined, 'followup', false],
  );
});

test('a named session finds the name of a waiting tool call in its transcript', async () => {
  await using gateway = await startOpenAi();
  const key = 'agent:main:openai-user:kim';
  gateway.services.chat.transcripts.set(key, [
    {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'c9', name: 'lookup', arguments: {} }],
      timestamp: 1,
      provider: 'f',
      model: 'm',
      usage,
      stopReason: 'toolUse',
    },
  ]);
  const send = (id: string) =>
    gateway.post('/v1/chat/completions', { user: 'kim', messages: [{ role: 'tool', tool_call_id: id, content: 'r' }] });
  assert.equal((await send('c9')).status, 200);
  assert.deepEqual(
    gateway.services.chat.requests[0]!.options?.toolResults?.map(({ toolName }) => toolName),
    ['lookup'],
  );
  assert.equal((await send('c0')).status, 400);
});

test('sampling, limits, reasoning, answer format and commands are passed on', async () => {
  await using gateway = await startOpenAi();
  const body = {
    messages: [{ role: 'user', content: '/status' }],
    max_tokens: 9,
    max_completion_tokens: 8,
    temperature: 0.5,
    top_p: 0.9,
    reasoning_effort: 'high',
    model: 'fake/echo',
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' } } },
    tools: [CHAT_WEATHER],
    tool_choice: 'required',
  };
  await gateway.post('/v1/chat/completions', body, { 'x-clawdbot-commands': 'on' });
  const { options, commands } = gateway.services.chat.requests[0]!;
  assert.equal(commands, true);
  assert.match(options?.extraSystemPrompt ?? '', /JSON Schema:\n\{"type":"object"\}/);
  assert.deepEqual(
    { ...options, extraSystemPrompt: undefined, clientTools: undefined },
    {
      maxOutputTokens: 8,
      temperature: 0.5,
      topP: 0.9,
      thinking: 'high',
      model: 'fake/echo',
      toolChoice: 'required',
      extraSystemPrompt: undefined,
      clientTools: undefined,
    },
  );
});

test('what an app put together from several pieces is no command, whatever it begins with', async () => {
  await using gateway = await startOpenAi();
  const user = (content: unknown): object => ({ role: 'user', content });
  const part = (text: string): object => ({ type: 'text', text });
  const asked = async (...messages: readonly object[]): Promise<unknown> => {
    await gateway.post('/v1/chat/completions', { messages }, { 'x-clawdbot-commands': 'on' });
    return gateway.services.chat.requests.at(-1)!.commands;
  };
  assert.equal(await asked(user('/status'), user('of the page I found')), false);
  assert.equal(await asked(user([part('/elevated full'), part('their page says so')])), false);
  assert.equal(
    await asked(user('hello'), { role: 'assistant', content: 'Hi.' }, user([part('/status')])),
    true,
    'what was said before does not matter',
  );
});
