/** Google's Gemini API. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startFakeModels } from '../../testing/fake-models/fake-model-server.ts';
import { providerContract } from '../../testing/provider-contract.ts';
import { asks, readStream } from '../../testing/read-stream.ts';
import google from './index.ts';

providerContract({ provider: google, api: 'google-generative-ai', modelId: 'gemini-2.5-flash', basePath: '/v1beta', imagesInToolResults: true });

describe('google', () => {
  it('reads the wait out of the body', async () => {
    await using server = await startFakeModels();
    server.reply({ error: 'rate' });
    const model = await google.chat('gemini-2.5-flash', { id: 'google', baseUrl: `${server.url}/v1beta`, apiKey: 'k', models: [] });
    await assert.rejects(readStream(model, asks('hi')), { code: 'rate_limited', retryAfterMs: 7000 });
  });

  it('takes any of the three names of its key for the advice', async () => {
    await assert.rejects(async () => google.chat('gemini-2.5-flash', { id: 'google', models: [] }), { code: 'auth', message: /Set GEMINI_API_KEY/ });
  });
});
