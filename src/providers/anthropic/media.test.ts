/** Pictures at Anthropic. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startFakeMedia } from '../../testing/fake-media/fake-media-server.ts';
import { BYTES, mediaProviderContract } from '../../testing/media-provider-contract.ts';
import anthropic from './index.ts';

mediaProviderContract({
  provider: anthropic,
  capability: 'image',
  basePath: '',
  key: { header: 'x-api-key' },
  sample: { mime: 'image/webp', fileName: 'a.webp', model: 'claude-haiku-4-5', prompt: 'What is this?' },
  wire: {
    path: '/v1/messages',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: {
      model: 'claude-haiku-4-5',
      max_tokens: 4096,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', source: { type: 'base64', media_type: 'image/webp', data: BYTES.toString('base64') } },
          ],
        },
      ],
    },
  },
});

describe('anthropic media', () => {
  const ask = (baseUrl: string, more = {}) =>
    anthropic.media!.image!.run(
      { data: BYTES, mime: 'image/png', fileName: 'a.png', model: 'small', signal: new AbortController().signal },
      { id: 'anthropic', baseUrl, models: [], ...more },
    );

  it('asks for no more tokens than the model may give, and lets the version be overridden', async () => {
    await using server = await startFakeMedia();
    await ask(server.url, {
      models: [{ id: 'small', maxTokens: 1024 }],
      headers: { 'Anthropic-Version': '2099-01-01' },
    });
    await ask(server.url, { models: [{ id: 'small', maxTokens: 64_000 }] });
    assert.equal(server.requests[1]?.body.max_tokens, 4096);
    assert.equal(server.requests[0]?.body.max_tokens, 1024);
    assert.equal(server.requests[0]?.headers['anthropic-version'], '2099-01-01');
  });

  it('joins the text, leaves the thinking out, and reads a refusal', async () => {
    await using server = await startFakeMedia();
    server.reply(
      {
        json: {
          stop_reason: 'end_turn',
          content: [
            { type: 'thinking', thinking: 'hm' },
            { type: 'text', text: 'a cat' },
            { type: 'text', text: 'on a mat' },
          ],
        },
      },
      { json: { stop_reason: 'refusal', content: [] } },
    );
    assert.equal((await ask(server.url)).text, 'a cat\non a mat');
    await assert.rejects(ask(server.url), { code: 'denied', message: /refused/ });
  });
});
