/** Pictures and recordings at servers that speak OpenAI's language. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startFakeMedia } from '../../testing/fake-media/fake-media-server.ts';
import { BYTES, mediaProviderContract } from '../../testing/media-provider-contract.ts';
import compatible from './index.ts';

const base64 = BYTES.toString('base64');
const common = { provider: compatible, basePath: '/v1', key: { header: 'authorization', before: 'Bearer ' } } as const;

mediaProviderContract({
  ...common,
  capability: 'image',
  sample: { mime: 'image/tiff', fileName: 'a.tiff', model: 'qwen-vl', prompt: 'What is this?' },
  wire: {
    path: '/v1/chat/completions',
    headers: { 'content-type': 'application/json' },
    body: {
      model: 'qwen-vl',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: `data:image/tiff;base64,${base64}` } },
          ],
        },
      ],
    },
  },
});
mediaProviderContract({
  ...common,
  capability: 'audio',
  sample: { mime: 'audio/amr', fileName: 'C:\\voice\\note.amr', model: 'voxtral' },
  wire: {
    path: '/v1/audio/transcriptions',
    body: { file: { name: 'note.amr', type: 'audio/amr', base64 }, model: 'voxtral' },
  },
});

describe('openai-compatible media', () => {
  const request = {
    data: BYTES,
    mime: 'image/png',
    fileName: 'a.png',
    model: 'm',
    signal: new AbortController().signal,
  };
  const { image, audio } = compatible.media!;

  it('is never chosen by itself, and has no model of its own', () => {
    for (const handler of [image, audio]) assert.deepEqual(Object.keys(handler!), ['run']);
  });

  it('serves the listed vendors, with their address and their key', async () => {
    await using server = await startFakeMedia();
    for (const id of ['mistral', 'openrouter', 'xai']) {
      await assert.rejects(image!.run(request, { id, models: [] }), {
        code: 'auth',
        message: new RegExp(`^${id} has no API key. Set ${id.toUpperCase()}_API_KEY`),
      });
      await image!.run(request, { id, baseUrl: server.url, apiKey: `key-of-${id}`, models: [] });
    }
    assert.deepEqual(
      server.requests.map(({ headers }) => headers.authorization),
      ['Bearer key-of-mistral', 'Bearer key-of-openrouter', 'Bearer key-of-xai'],
    );
  });

  it('needs an address for a server nobody listed', async () => {
    await assert.rejects(audio!.run({ ...request, mime: 'audio/ogg' }, { id: 'lmstudio', models: [] }), {
      code: 'invalid',
      message: /models\.providers\.lmstudio has no baseUrl/,
    });
  });

  it('lets no odd type or name write into the form', async () => {
    await using server = await startFakeMedia();
    await audio!.run(
      {
        ...request,
        mime: 'audio/x-odd\r\nX-Evil: 1',
        fileName: 'a"; name="model\r\n.bin',
        prompt: '--x\r\nContent-Disposition: form-data; name="model"\r\n\r\nother',
      },
      { id: 'mine', baseUrl: server.url, models: [] },
    );
    assert.deepEqual(server.requests[0]?.body, {
      file: { name: 'a; name=model.bin', type: 'audio/x-odd', base64 },
      model: 'm',
      prompt: '--x\r\nContent-Disposition: form-data; name="model"\r\n\r\nother',
    });
  });

  it('takes an answer in parts, and a refusal for what it is', async () => {
    await using server = await startFakeMedia();
    const saying = (message: object, finish_reason = 'stop') =>
      server.reply({ json: { choices: [{ index: 0, message, finish_reason }] } });
    const ask = () => image!.run(request, { id: 'mine', baseUrl: server.url, models: [] });
    saying({
      content: [
        { type: 'text', text: 'a cat' },
        { type: 'text', text: 'on a mat' },
      ],
    });
    assert.equal((await ask()).text, 'a cat\non a mat');
    saying({ content: null, refusal: 'I cannot help with that.' });
    await assert.rejects(ask(), { code: 'denied', message: 'mine image description failed: I cannot help with that.' });
    saying({ content: '' }, 'content_filter');
    await assert.rejects(ask(), { code: 'denied', message: /filtered/ });
    saying({ content: null });
    await assert.rejects(ask(), { code: 'bad_response', message: /gave no text/ });
  });
});
