/** Servers that speak Chat Completions, and the vendors that need no code. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startFakeModels } from '../../testing/fake-models/fake-model-server.ts';
import { providerContract } from '../../testing/provider-contract.ts';
import { asks, readStream } from '../../testing/read-stream.ts';
import compatible from './index.ts';

providerContract({
  provider: compatible,
  api: 'openai-completions',
  modelId: 'some-model',
  basePath: '/v1',
  imagesInToolResults: false,
});

describe('openai-compatible', () => {
  it('needs an address and no key', async () => {
    await using server = await startFakeModels();
    await readStream(
      await compatible.chat('m', { id: 'lmstudio', baseUrl: `${server.url}/v1/`, models: [] }),
      asks('hi'),
    );
    assert.equal(server.requests[0]?.path, '/v1/chat/completions');
    assert.equal(server.requests[0]?.headers.authorization, undefined);
    await assert.rejects(async () => compatible.chat('m', { id: 'lmstudio', models: [] }), {
      code: 'invalid',
      message: /models\.providers\.lmstudio has no baseUrl/,
    });
  });

  it('knows the address of a listed vendor and asks for its key', async () => {
    await assert.rejects(async () => compatible.chat('m', { id: 'groq', models: [] }), {
      code: 'auth',
      message: /groq has no API key. Set GROQ_API_KEY/,
    });
    assert.equal((await compatible.chat('m', { id: 'groq', apiKey: 'k', models: [] })).provider, 'groq');
  });

  it('asks for thinking in the three levels every server knows', async () => {
    await using server = await startFakeModels();
    const model = await compatible.chat('m', { id: 'mine', baseUrl: server.url, models: [] });
    for (const level of ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'])
      await readStream(model, { ...asks('hi'), providerOptions: { thinking: { level } } });
    assert.deepEqual(
      server.requests.map(({ thinking }) => thinking),
      [undefined, 'low', 'low', 'medium', 'high', 'high'],
    );
  });
});
