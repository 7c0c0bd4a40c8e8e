/** Google's Gemini API. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startFakeModels } from '../../testing/fake-models/fake-model-server.ts';
import { providerContract } from '../../testing/provider-contract.ts';
import { asks, readStream } from '../../testing/read-stream.ts';
import { thinkingOnTheWire } from '../../testing/thinking-on-the-wire.ts';
import google from './index.ts';

providerContract({
  provider: google,
  api: 'google-generative-ai',
  modelId: 'gemini-2.5-flash',
  basePath: '/v1beta',
  imagesInToolResults: true,
});

describe('google', () => {
  it('reads the wait out of the body', async () => {
    await using server = await startFakeModels();
    server.reply({ error: 'rate' });
    const model = await google.chat('gemini-2.5-flash', {
      id: 'google',
      baseUrl: `${server.url}/v1beta`,
      apiKey: 'k',
      models: [],
    });
    await assert.rejects(readStream(model, asks('hi')), { code: 'rate_limited', retryAfterMs: 7000 });
  });

  it('asks for thinking by budget or by level, whichever the model knows, and shows thoughts unless it is off', async () => {
    const budgets = (await thinkingOnTheWire(google, { modelId: 'gemini-2.5-flash', basePath: '/v1beta' })) as {
      thinkingBudget: number;
      includeThoughts?: boolean;
    }[];
    assert.equal(budgets[0]?.thinkingBudget, 0);
    assert.ok(
      budgets.every(
        ({ thinkingBudget: budget }, index) =>
          budget <= 24_576 && (index === 0 || budget >= budgets[index - 1]!.thinkingBudget),
      ),
    );
    assert.deepEqual(
      budgets.map(({ includeThoughts }) => includeThoughts ?? false),
      [false, true, true, true, true, true],
    );
    const levels = (await thinkingOnTheWire(google, { modelId: 'gemini-3-pro-preview', basePath: '/v1beta' })) as {
      thinkingLevel: string;
    }[];
    assert.deepEqual(
      levels.map(({ thinkingLevel }) => thinkingLevel),
      ['low', 'low', 'low', 'medium', 'high', 'high'],
    );
  });

  it('takes any of the three names of its key for the advice', async () => {
    await assert.rejects(async () => google.chat('gemini-2.5-flash', { id: 'google', models: [] }), {
      code: 'auth',
      message: /Set GEMINI_API_KEY/,
    });
  });
});
