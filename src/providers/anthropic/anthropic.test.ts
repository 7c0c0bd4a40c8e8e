/** Anthropic, and servers that speak its protocol. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startFakeModels } from '../../testing/fake-models/fake-model-server.ts';
import { providerContract } from '../../testing/provider-contract.ts';
import { asks, readStream } from '../../testing/read-stream.ts';
import { thinkingOnTheWire } from '../../testing/thinking-on-the-wire.ts';
import anthropic from './index.ts';

providerContract({
  provider: anthropic,
  api: 'anthropic-messages',
  modelId: 'claude-opus-4-6',
  basePath: '',
  imagesInToolResults: true,
});

describe('anthropic', () => {
  it('finds the path whether or not the base URL names the version', async () => {
    await using server = await startFakeModels();
    for (const path of ['', '/', '/v1', '/anthropic/v1/', '/anthropic'])
      await readStream(
        await anthropic.chat('claude-x', { id: 'minimax', baseUrl: server.url + path, models: [] }),
        asks('hi'),
      );
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ['/v1/messages', '/v1/messages', '/v1/messages', '/anthropic/v1/messages', '/anthropic/v1/messages'],
    );
  });

  it('sends the key as a bearer token where the server wants it so', async () => {
    await using server = await startFakeModels();
    await readStream(
      await anthropic.chat('claude-x', { id: 'mine', baseUrl: server.url, apiKey: 'k1', authHeader: true, models: [] }),
      asks('hi'),
    );
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer k1');
    assert.equal(server.requests[0]?.headers['x-api-key'], undefined);
  });

  it('hands back the signature of its thinking', async () => {
    await using server = await startFakeModels();
    server.reply({ thinking: ['hm'], text: ['yes'] });
    const heard = await readStream(
      await anthropic.chat('claude-opus-4-6', { id: 'anthropic', baseUrl: server.url, apiKey: 'k', models: [] }),
      asks('hi'),
    );
    assert.ok(
      heard.parts.some(
        (part) => 'providerMetadata' in part && part.providerMetadata?.['anthropic']?.['signature'] === 'SIG',
      ),
    );
  });

  it('gives older models a budget that grows with the level, within what they may answer', async () => {
    const seen = (await thinkingOnTheWire(anthropic, { modelId: 'claude-sonnet-4-5', basePath: '' })) as {
      type: string;
      budget_tokens?: number;
    }[];
    assert.deepEqual(
      seen.map(({ type }) => type),
      ['disabled', ...Array.from({ length: 5 }, () => 'enabled')],
    );
    const budgets = seen.flatMap(({ budget_tokens: budget }) => budget ?? []);
    assert.ok(
      budgets.every(
        (budget, index) => budget >= 1024 && budget < 64_000 && (index === 0 || budget > budgets[index - 1]!),
      ),
      budgets.join(),
    );
    const newer = (await thinkingOnTheWire(anthropic, { modelId: 'claude-opus-4-6', basePath: '' })) as {
      type: string;
    }[];
    assert.deepEqual(
      newer.map(({ type }) => type),
      ['disabled', ...Array.from({ length: 5 }, () => 'adaptive')],
    );
  });

  it('says where to put a key when there is none', async () => {
    await assert.rejects(async () => anthropic.chat('claude-opus-4-6', { id: 'anthropic', models: [] }), {
      code: 'auth',
      message: /Set ANTHROPIC_API_KEY, or models\.providers\.anthropic\.apiKey/,
    });
  });
});
