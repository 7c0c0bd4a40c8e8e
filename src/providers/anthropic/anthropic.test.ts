/** Anthropic, and servers that speak its protocol. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startFakeModels } from '../../testing/fake-models/fake-model-server.ts';
import { providerContract } from '../../testing/provider-contract.ts';
import { asks, readStream } from '../../testing/read-stream.ts';
import anthropic from './index.ts';

providerContract({ provider: anthropic, api: 'anthropic-messages', modelId: 'claude-opus-4-6', basePath: '', imagesInToolResults: true });

describe('anthropic', () => {
  it('finds the path whether or not the base URL names the version', async () => {
    await using server = await startFakeModels();
    for (const path of ['', '/', '/v1', '/anthropic/v1/', '/anthropic'])
      await readStream(await anthropic.chat('claude-x', { id: 'minimax', baseUrl: server.url + path, models: [] }), asks('hi'));
    assert.deepEqual(server.requests.map(({ path }) => path), ['/v1/messages', '/v1/messages', '/v1/messages', '/anthropic/v1/messages', '/anthropic/v1/messages']);
  });

  it('sends the key as a bearer token where the server wants it so', async () => {
    await using server = await startFakeModels();
    await readStream(await anthropic.chat('claude-x', { id: 'mine', baseUrl: server.url, apiKey: 'k1', authHeader: true, models: [] }), asks('hi'));
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer k1');
    assert.equal(server.requests[0]?.headers['x-api-key'], undefined);
  });

  it('hands back the signature of its thinking', async () => {
    await using server = await startFakeModels();
    server.reply({ thinking: ['hm'], text: ['yes'] });
    const heard = await readStream(await anthropic.chat('claude-opus-4-6', { id: 'anthropic', baseUrl: server.url, apiKey: 'k', models: [] }), asks('hi'));
    assert.ok(heard.parts.some((part) => 'providerMetadata' in part && part.providerMetadata?.['anthropic']?.['signature'] === 'SIG'));
  });

  it('says where to put a key when there is none', async () => {
    await assert.rejects(async () => anthropic.chat('claude-opus-4-6', { id: 'anthropic', models: [] }), { code: 'auth', message: /Set ANTHROPIC_API_KEY, or models\.providers\.anthropic\.apiKey/ });
  });
});
