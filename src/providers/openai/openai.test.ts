/** OpenAI over both of its protocols. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startFakeModels } from '../../testing/fake-models/fake-model-server.ts';
import { providerContract } from '../../testing/provider-contract.ts';
import { asks, readStream } from '../../testing/read-stream.ts';
import { thinkingOnTheWire } from '../../testing/thinking-on-the-wire.ts';
import openai from './index.ts';

const common = { provider: openai, modelId: 'gpt-5.2', basePath: '/v1' } as const;
providerContract({ ...common, api: 'openai-responses', imagesInToolResults: true });

describe('openai', () => {
  it('stores nothing at the vendor and gets its thinking back encrypted', async () => {
    await using server = await startFakeModels();
    await readStream(
      await openai.chat('gpt-5.2', { id: 'openai', baseUrl: `${server.url}/v1`, apiKey: 'k', models: [] }),
      asks('hi'),
    );
    assert.equal(server.requests[0]?.body.store, false);
    assert.deepEqual(server.requests[0]?.body.include, ['reasoning.encrypted_content']);
  });

  it('speaks Chat Completions where the configuration says so', async () => {
    await using server = await startFakeModels();
    server.reply({ text: ['hello'], usage: { input: 1, output: 2 } });
    const heard = await readStream(
      await openai.chat('gpt-4.1', {
        id: 'openai',
        api: 'openai-completions',
        baseUrl: `${server.url}/v1`,
        apiKey: 'k',
        models: [],
      }),
      asks('hi'),
    );
    assert.equal(heard.text, 'hello');
    assert.equal(server.requests[0]?.path, '/v1/chat/completions');
  });

  it('asks for thinking in the levels each model knows', async () => {
    const efforts = async (modelId: string): Promise<unknown[]> =>
      (await thinkingOnTheWire(openai, { modelId, basePath: '/v1' })).map((seen: any) => seen?.effort);
    assert.deepEqual(await efforts('gpt-5.2'), ['none', 'low', 'low', 'medium', 'high', 'xhigh']);
    assert.deepEqual(await efforts('gpt-5'), ['minimal', 'minimal', 'low', 'medium', 'high', 'high']);
    assert.deepEqual(await efforts('o3'), ['low', 'low', 'low', 'medium', 'high', 'high']);
    assert.deepEqual(
      await thinkingOnTheWire(openai, { modelId: 'o4-mini', basePath: '/v1', api: 'openai-completions' }),
      ['low', 'low', 'low', 'medium', 'high', 'high'],
    );
  });

  it('says where to put a key when there is none', async () => {
    await assert.rejects(async () => openai.chat('gpt-5.2', { id: 'openai', models: [] }), {
      code: 'auth',
      message: /Set OPENAI_API_KEY, or models\.providers\.openai\.apiKey/,
    });
  });
});
