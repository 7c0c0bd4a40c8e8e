/** Ollama on loopback: found when it is there, quickly not found when it is not. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { present } from '../../sdk/index.ts';
import { startFakeModels } from '../../testing/fake-models/fake-model-server.ts';
import { startFakeMedia } from '../../testing/fake-media/fake-media-server.ts';
import { BYTES, mediaProviderContract } from '../../testing/media-provider-contract.ts';
import { providerContract } from '../../testing/provider-contract.ts';
import { asks, readStream } from '../../testing/read-stream.ts';
import { startFakeOllama } from './fake.ts';
import ollama, { createOllama } from './index.ts';

providerContract({
  provider: ollama,
  api: 'openai-completions',
  modelId: 'llama3.2',
  basePath: '',
  imagesInToolResults: false,
});

mediaProviderContract({
  provider: ollama,
  capability: 'image',
  basePath: '',
  key: { header: 'authorization', before: 'Bearer ' },
  sample: { mime: 'image/png', fileName: 'a.png', model: 'llava', prompt: 'What is this?' },
  wire: {
    path: '/v1/chat/completions',
    body: {
      model: 'llava',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${BYTES.toString('base64')}` } },
          ],
        },
      ],
    },
  },
});

const never = new AbortController().signal;

describe('ollama', () => {
  it('finds its chat models', async () => {
    await using server = await startFakeOllama('nomic-embed-text:latest', 'llama3.2:latest', 'qwen3:8b');
    const found = await createOllama(server.url).discover?.(never);
    assert.deepEqual(
      found?.map(({ id }) => id),
      ['llama3.2:latest', 'qwen3:8b'],
    );
  });

  it('is not there when nobody listens, when it has no models, when it answers nonsense', async () => {
    const gone = await startFakeModels();
    await gone[Symbol.asyncDispose]();
    await using empty = await startFakeOllama();
    await using other = await startFakeModels({ '/api/tags': ['no'] });
    await using stranger = await startFakeModels();
    for (const { url } of [gone, empty, other, stranger])
      assert.equal(await createOllama(url).discover?.(never), undefined);
    assert.equal(await createOllama(empty.url).discover?.(AbortSignal.abort()), undefined);
  });

  it('looks at pictures without a key, where it was found', async () => {
    await using server = await startFakeMedia();
    const answer = await createOllama(server.url).media!.image!.run(
      { data: BYTES, mime: 'image/png', fileName: 'a.png', model: 'llava', signal: never },
      { id: 'ollama', models: [] },
    );
    assert.deepEqual(answer, { text: 'ok', model: 'llava' });
    assert.equal(server.requests[0]?.headers.authorization, undefined);
  });

  it('is spoken to under /v1', async () => {
    await using server = await startFakeModels();
    for (const baseUrl of [undefined, server.url, `${server.url}/v1/`])
      await readStream(
        await createOllama(server.url).chat('llama3.2', {
          id: 'ollama',
          models: [],
          ...present({ baseUrl: baseUrl || undefined }),
        }),
        asks('hi'),
      );
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      Array(3).fill('/v1/chat/completions'),
    );
  });
});
