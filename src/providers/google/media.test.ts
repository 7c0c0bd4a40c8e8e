/** Pictures, recordings and films at Google. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startFakeMedia } from '../../testing/fake-media/fake-media-server.ts';
import { BYTES, mediaProviderContract } from '../../testing/media-provider-contract.ts';
import google from './index.ts';

const base64 = BYTES.toString('base64');
const common = { provider: google, basePath: '/v1beta', key: { header: 'x-goog-api-key' } } as const;
const body = (text: string, mime_type: string) => ({
  contents: [{ role: 'user', parts: [{ text }, { inline_data: { mime_type, data: base64 } }] }],
});

// T97: the alias, the parts.
mediaProviderContract({
  ...common,
  capability: 'video',
  sample: { mime: 'video/quicktime', fileName: 'a.mov', model: 'gemini-3-pro', prompt: 'What happens?' },
  wire: {
    path: '/v1beta/models/gemini-3-pro-preview:generateContent',
    body: body('What happens?', 'video/quicktime'),
    headers: { 'content-type': 'application/json' },
  },
});
mediaProviderContract({
  ...common,
  capability: 'image',
  sample: { mime: 'image/heic', fileName: 'a.heic', model: 'models/gemini-3-flash-preview' },
  wire: {
    path: '/v1beta/models/gemini-3-flash-preview:generateContent',
    body: body('Describe the image.', 'image/heic'),
  },
});
mediaProviderContract({
  ...common,
  capability: 'audio',
  sample: { mime: 'audio/ogg', fileName: 'a.ogg', model: 'gemini-3-flash', prompt: 'Names: Ada, Grace.' },
  wire: {
    path: '/v1beta/models/gemini-3-flash-preview:generateContent',
    body: body('Names: Ada, Grace.', 'audio/ogg'),
  },
});

describe('google media', () => {
  const { audio, video } = google.media!;
  const request = { data: BYTES, mime: '', fileName: '', model: 'gemini-3-pro', signal: new AbortController().signal };

  it('T97 joins the parts of the answer, without thoughts and empty ones, and names the model it asked', async () => {
    await using server = await startFakeMedia();
    const parts = [{ text: 'hm', thought: true }, { text: ' first ' }, { text: ' ' }, {}, { text: 'second' }];
    server.reply({ json: { candidates: [{ content: { parts } }, { content: { parts: [{ text: 'another' }] } }] } });
    assert.deepEqual(await video!.run(request, { id: 'google', baseUrl: server.url, models: [] }), {
      text: 'first\nsecond',
      model: 'gemini-3-pro-preview',
    });
    assert.equal(server.requests[0]?.body.contents[0].parts[1].inline_data.mime_type, 'video/mp4');
  });

  it('T98 keeps X-Goog-Api-Key of the settings in any case', async () => {
    await using server = await startFakeMedia();
    for (const name of ['X-Goog-Api-Key', 'x-goog-api-key', 'X-GOOG-API-KEY'])
      await audio!.run(request, {
        id: 'google',
        baseUrl: server.url,
        apiKey: 'k',
        models: [],
        headers: { [name]: 'override' },
      });
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['x-goog-api-key']),
      ['override', 'override', 'override'],
    );
  });

  it('asks for a transcript and nothing else when nobody worded it', async () => {
    await using server = await startFakeMedia();
    await audio!.run({ ...request, language: 'de' }, { id: 'google', baseUrl: server.url, models: [] });
    const [{ text }, file] = server.requests[0]!.body.contents[0].parts;
    assert.match(text, /word for word and in its own language \(de\)/);
    assert.equal(file.inline_data.mime_type, 'audio/wav');
  });

  it('escapes the model in the path', async () => {
    await using server = await startFakeMedia();
    for (const model of ['../../files?x=1#', 'a/b:c d', '..'])
      await audio!.run({ ...request, model }, { id: 'google', baseUrl: `${server.url}/v1beta`, models: [] });
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ['..%2F..%2Ffiles%3Fx%3D1%23', 'a%2Fb%3Ac%20d', '..'].map((model) => `/v1beta/models/${model}:generateContent`),
    );
  });

  it('says why there is no text', async () => {
    await using server = await startFakeMedia();
    const cases = [
      [
        { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } },
        'denied',
        /refused to process this file \(PROHIBITED_CONTENT\)/,
      ],
      [{ candidates: [{ finishReason: 'SAFETY' }] }, 'denied', /\(SAFETY\)/],
      [
        { candidates: [{ finishReason: 'MAX_TOKENS', content: { role: 'model' } }] },
        'bad_response',
        /returned no text \(MAX_TOKENS\)/,
      ],
      [{ candidates: [{ finishReason: 'STOP', content: { parts: [] } }] }, 'bad_response', /gave no text/],
      [{ candidates: [] }, 'bad_response', /gave no text/],
    ] as const;
    for (const [json, code, message] of cases) {
      server.reply({ json });
      await assert.rejects(video!.run(request, { id: 'google', baseUrl: server.url, models: [] }), { code, message });
    }
  });
});
