/** The contract suite of model providers, for every vendor protocol. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JSONSchema7, LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { z } from 'zod';
import { schemaFor } from '../agent/schema/schema-for.ts';
import { AppError, type ErrorCode } from '../core/errors.ts';
import type { ChatModel, ChatProvider, ProviderApi, ProviderSettings } from '../core/provider.ts';
import { startFakeModels, type FakeModelServer } from './fake-models/fake-model-server.ts';
import type { FakeReply } from './fake-models/wire.ts';
import { asks, readStream } from './read-stream.ts';

export interface ProviderSubject {
  readonly provider: ChatProvider;
  /** Which of the provider's protocols is spoken. */
  readonly api: ProviderApi;
  /** A model of the vendor that thinks. */
  readonly modelId: string;
  /** What follows the fake server's address. */
  readonly basePath: string;
  readonly settings?: Partial<ProviderSettings>;
  /** The protocol carries images inside tool results. */
  readonly imagesInToolResults: boolean;
}

const KEY = 'sk-test-0123456789abcdef';
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const demo = {
  name: 'demo_tool',
  description: 'Does things.',
  input: z.object({
    path: z.string().describe('Where.'),
    count: z.int().optional(),
    mode: z.enum(['a', 'b']).optional(),
    format: z.string().optional(),
    tags: z.array(z.string()).optional(),
    note: z.string().nullable().optional(),
  }),
};

export function providerContract(subject: ProviderSubject): void {
  const { provider, api, modelId } = subject;
  const open = async (server: FakeModelServer, more: Partial<ProviderSettings> = {}): Promise<ChatModel> =>
    provider.chat(modelId, {
      id: provider.id,
      baseUrl: `${server.url}${subject.basePath}`,
      apiKey: KEY,
      api,
      models: [],
      ...subject.settings,
      ...more,
    });
  const tools: LanguageModelV4CallOptions['tools'] = [
    {
      type: 'function',
      name: demo.name,
      description: demo.description,
      inputSchema: schemaFor(api, demo) as JSONSchema7,
    },
  ];
  const failing = async (reply: FakeReply): Promise<AppError> => {
    await using server = await startFakeModels();
    server.reply(reply);
    const model = await open(server);
    const error: unknown = await readStream(model, asks('hi')).then(
      (heard) => heard.error,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof AppError, `expected an AppError, got ${String(error)}`);
    assert.equal(server.requests.length, 1, 'nothing is retried at this level');
    return error;
  };

  describe(`provider contract: ${provider.id} over ${api}`, () => {
    it('declares the protocol it speaks', () => {
      assert.ok(provider.apis.includes(api));
      assert.match(provider.id, /^[a-z0-9-]+$/);
    });

    it('streams text delta by delta and reports usage', async () => {
      await using server = await startFakeModels();
      server.reply({ text: ['Hel', 'lo ', 'wörld'], usage: { input: 100, output: 7, cacheRead: 40 } });
      const heard = await readStream(await open(server), asks('hi'));
      assert.deepEqual(heard.deltas, ['Hel', 'lo ', 'wörld']);
      assert.equal(heard.finish, 'stop');
      assert.equal(heard.usage?.inputTokens.total, 100);
      assert.equal(heard.usage?.inputTokens.cacheRead, 40);
      assert.equal(heard.usage?.outputTokens.total, 7);
      assert.equal(heard.parts.at(-1)?.type, 'finish');
    });

    it('sends the key, the headers of the settings, the system prompt and the words', async () => {
      await using server = await startFakeModels();
      const model = await open(server, { headers: { 'x-extra': 'yes' } });
      await readStream(model, { prompt: [{ role: 'system', content: 'Be brief.' }, ...asks('hello').prompt] });
      const [request] = server.requests;
      assert.ok(JSON.stringify(request?.headers).includes(KEY));
      assert.equal(request?.headers['x-extra'], 'yes');
      assert.equal(request?.system, 'Be brief.');
      assert.deepEqual(request?.texts, ['hello']);
      assert.ok(!request?.path.includes(KEY), 'the key never stands in the address');
    });

    it('streams thinking apart from text', async () => {
      await using server = await startFakeModels();
      server.reply({ thinking: ['let me ', 'see'], text: ['done'] });
      const heard = await readStream(await open(server), asks('hi'));
      assert.equal(heard.thinking, 'let me see');
      assert.equal(heard.text, 'done');
    });

    it('asks for thinking only at a level, and in the words of the vendor', async () => {
      await using server = await startFakeModels();
      const model = await open(server);
      const providerOptions = {
        ...provider.thinking?.('high', modelId),
        thinking: { level: 'high' },
      } as LanguageModelV4CallOptions['providerOptions'] & object;
      await readStream(model, { ...asks('think'), providerOptions });
      await readStream(model, asks('plain'));
      assert.ok(server.requests[0]?.thinking, 'asked');
      assert.ok(!server.requests[1]?.thinking, 'not asked');
    });

    it('takes parallel tool calls', async () => {
      await using server = await startFakeModels();
      server.reply({
        text: ['Looking.'],
        calls: [
          { id: 'call_a', name: 'demo_tool', args: { path: 'a/ü' } },
          { id: 'call_b', name: 'demo_tool', args: { path: 'b', count: 2 } },
        ],
      });
      const heard = await readStream(await open(server), { ...asks('go'), tools });
      assert.deepEqual(heard.calls, [
        { id: 'call_a', name: 'demo_tool', input: { path: 'a/ü' } },
        { id: 'call_b', name: 'demo_tool', input: { path: 'b', count: 2 } },
      ]);
      assert.equal(heard.text, 'Looking.');
      assert.equal(heard.finish, 'tool-calls');
    });

    it('shows the tools exactly as their schema was written for it', async () => {
      await using server = await startFakeModels();
      await readStream(await open(server), { ...asks('go'), tools });
      assert.deepEqual(server.requests[0]?.tools, [
        { name: 'demo_tool', description: 'Does things.', schema: schemaFor(api, demo) },
      ]);
    });

    it('sends no tools field without tools', async () => {
      await using server = await startFakeModels();
      await readStream(await open(server), asks('go'));
      assert.equal('tools' in (server.requests[0]?.body ?? {}), false);
    });

    it('shows images and the results of tools', async () => {
      await using server = await startFakeModels();
      await readStream(await open(server), { prompt: conversation(subject.imagesInToolResults), tools });
      const [request] = server.requests;
      assert.deepEqual(request?.images, subject.imagesInToolResults ? [PIXEL, PIXEL] : [PIXEL]);
      assert.deepEqual(
        request?.calls.map(({ name, args }) => ({ name, args })),
        [
          { name: 'demo_tool', args: { path: 'a' } },
          { name: 'demo_tool', args: { path: 'b' } },
        ],
      );
      assert.equal(request?.toolResults.length, 2);
      assert.match(request?.toolResults[0]?.text ?? '', /the content/);
      assert.match(request?.toolResults[1]?.text ?? '', /no such file/);
    });

    it('keeps what was said when it is stopped, and closes the connection', async () => {
      await using server = await startFakeModels();
      server.reply({ hang: true, text: ['so ', 'far'] });
      const stop = new AbortController();
      const heard = await readStream(
        await open(server),
        { ...asks('hi'), abortSignal: stop.signal },
        ({ text }) => text === 'so far' && stop.abort(),
      );
      assert.equal(heard.text, 'so far');
      assert.ok(heard.error instanceof AppError && heard.error.code === 'aborted');
      await server.requests[0]?.dropped;
    });

    it('tells a time-out from a stop', async () => {
      await using server = await startFakeModels();
      server.reply({ hang: true, text: ['so far'] });
      const stop = new AbortController();
      const heard = await readStream(
        await open(server),
        { ...asks('hi'), abortSignal: stop.signal },
        ({ text }) => text && stop.abort(new DOMException('too slow', 'TimeoutError')),
      );
      assert.ok(heard.error instanceof AppError && heard.error.code === 'timeout');
    });

    it('does not even ask when it is stopped already', async () => {
      await using server = await startFakeModels();
      await assert.rejects(readStream(await open(server), { ...asks('hi'), abortSignal: AbortSignal.abort() }), {
        name: 'AppError',
        code: 'aborted',
      });
      assert.equal(server.requests.length, 0);
    });

    const errors: readonly (readonly [FakeReply, ErrorCode, RegExp])[] = [
      [{ error: 'auth' }, 'auth', /refused the API key/],
      [{ error: 'rate' }, 'rate_limited', /limits the rate/],
      [{ error: 'overloaded' }, 'overloaded', /is overloaded/],
      [{ error: 'overflow' }, 'context_overflow', /too long/],
      [{ error: 'broken' }, 'bad_response', /server error \(500\)/],
      [{ error: 'quota' }, 'denied', /no credit or quota/],
      [{ error: 'unknown-model' }, 'not_found', /has no model/],
      [{ error: 'picture' }, 'invalid', /image/],
      [{ errorInStream: 'overloaded' }, 'overloaded', /is overloaded/],
      [{ errorInStream: 'overloaded', text: ['so far'] }, 'overloaded', /is overloaded/],
      [{ garbage: 'data: {not json\n\n' }, 'bad_response', /invalid response/],
      [{ garbage: 'data: {"surprise":true}\n\n' }, 'bad_response', /invalid response|returned nothing/],
      [{ garbage: '<html>It works!</html>' }, 'bad_response', /returned nothing|invalid response/],
      [{ silent: true }, 'bad_response', /returned nothing|invalid response/],
      [{ cut: 'reset', text: ['so far'] }, 'network', /ended early/],
      [{ cut: 'clean', text: ['so far'] }, 'network', /before it was complete|ended early/],
    ];
    for (const [reply, code, words] of errors)
      it(`answers ${code} for ${JSON.stringify(reply)}`, async () => {
        const error = await failing(reply);
        assert.equal(error.code, code, error.message);
        assert.match(error.message, words);
        assert.ok(error.message.includes(provider.id));
      });

    it('passes on how long to wait', async () => {
      assert.equal((await failing({ error: 'rate', headers: { 'retry-after': '3' } })).retryAfterMs, 3000);
      assert.equal(
        (await failing({ error: 'rate', headers: { 'retry-after-ms': '1500', 'retry-after': '9' } })).retryAfterMs,
        1500,
      );
    });

    it('answers network when nobody listens', async () => {
      const server = await startFakeModels();
      const model = await open(server);
      await server[Symbol.asyncDispose]();
      await assert.rejects(readStream(model, asks('hi')), { name: 'AppError', code: 'network' });
    });

    it('never repeats the key', async () => {
      await using server = await startFakeModels();
      server.reply({ garbage: `data: {"error":{"message":"bad key ${KEY}","type":"x","code":null}}\n\n` });
      const error: unknown = await readStream(await open(server), asks('hi')).then(
        (heard) => heard.error,
        (thrown: unknown) => thrown,
      );
      assert.ok(error instanceof AppError);
      assert.ok(!`${error.message} ${String(error.cause)} ${JSON.stringify(error.cause)}`.includes(KEY));
    });
  });
}

function conversation(imagesInResults: boolean): LanguageModelV4Prompt {
  const image = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PIXEL } } as const;
  const seen = imagesInResults
    ? { type: 'content' as const, value: [{ type: 'text' as const, text: 'the content' }, image] }
    : { type: 'text' as const, value: 'the content' };
  return [
    { role: 'user', content: [{ type: 'text', text: 'Look.' }, image] },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'call_a', toolName: 'demo_tool', input: { path: 'a' } },
        { type: 'tool-call', toolCallId: 'call_b', toolName: 'demo_tool', input: { path: 'b' } },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'call_a', toolName: 'demo_tool', output: seen },
        {
          type: 'tool-result',
          toolCallId: 'call_b',
          toolName: 'demo_tool',
          output: { type: 'error-text', value: 'no such file' },
        },
      ],
    },
  ];
}
