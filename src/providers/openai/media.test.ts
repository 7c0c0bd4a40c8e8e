/** Pictures and recordings at OpenAI. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startFakeMedia } from '../../testing/fake-media/fake-media-server.ts';
import { BYTES, mediaProviderContract } from '../../testing/media-provider-contract.ts';
import openai from './index.ts';

const base64 = BYTES.toString('base64');
const common = { provider: openai, basePath: '/v1', key: { header: 'authorization', before: 'Bearer ' } } as const;
const picture = { mime: 'image/png', fileName: 'a.png', model: 'gpt-5-mini', prompt: 'What is this?' };

mediaProviderContract({
  ...common,
  capability: 'image',
  sample: picture,
  wire: {
    path: '/v1/responses',
    headers: { 'content-type': 'application/json' },
    body: {
      model: 'gpt-5-mini',
      store: false,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is this?' },
            { type: 'input_image', image_url: `data:image/png;base64,${base64}` },
          ],
        },
      ],
    },
  },
});
mediaProviderContract({
  ...common,
  capability: 'image',
  sample: picture,
  settings: { api: 'openai-completions' },
  wire: {
    path: '/v1/chat/completions',
    body: {
      model: 'gpt-5-mini',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } },
          ],
        },
      ],
    },
  },
});
// T95: every field of the form trimmed.
mediaProviderContract({
  ...common,
  capability: 'audio',
  sample: {
    mime: 'audio/ogg; codecs=opus',
    fileName: '../voice "note".oga',
    model: ' gpt-4o-transcribe ',
    language: ' en ',
    prompt: ' hello ',
    query: { temperature: 0 },
  },
  wire: {
    path: '/v1/audio/transcriptions',
    body: {
      file: { name: 'voice note.ogg', type: 'audio/ogg', base64 },
      model: 'gpt-4o-transcribe',
      language: 'en',
      prompt: 'hello',
      temperature: '0',
    },
  },
});

describe('openai media', () => {
  const { image, audio } = openai.media!;
  const request = { data: BYTES, mime: 'audio/mpeg', fileName: '', model: '  ', signal: new AbortController().signal };

  it('T86, T95 transcribes with its own default, without a prompt nobody asked for', async () => {
    await using server = await startFakeMedia();
    const answer = await audio!.run(
      { ...request, prompt: ' ', language: '' },
      { id: 'openai', baseUrl: server.url, apiKey: 'k', models: [] },
    );
    assert.deepEqual(server.requests[0]?.body, {
      file: { name: 'audio.mp3', type: 'audio/mpeg', base64 },
      model: 'gpt-4o-transcribe',
    });
    assert.equal(answer.model, 'gpt-4o-transcribe');
  });

  it('T96 keeps an Authorization of the settings, and never lets them break the form', async () => {
    await using server = await startFakeMedia();
    await audio!.run(request, {
      id: 'openai',
      baseUrl: server.url,
      apiKey: 'k',
      models: [],
      headers: { Authorization: 'Bearer override', 'Content-Type': 'text/plain' },
    });
    assert.equal(server.requests[0]?.headers.authorization, 'Bearer override');
    assert.match(server.requests[0]?.headers['content-type'] ?? '', /^multipart\/form-data; boundary=/);
  });

  it('names the file so that the vendor knows its type', async () => {
    await using server = await startFakeMedia();
    for (const [mime, fileName] of [
      ['audio/opus', 'x.opus'],
      ['audio/x-m4a', 'ünï.caf'],
      ['video/webm', 'clip'],
      ['audio/wav', '.wav'],
    ] as const)
      await audio!.run({ ...request, mime, fileName }, { id: 'openai', baseUrl: server.url, models: [] });
    assert.deepEqual(
      server.requests.map(({ body }) => body.file.name),
      ['x.ogg', 'ünï.m4a', 'clip.webm', 'audio.wav'],
    );
  });

  it('refuses a recording of a type the vendor does not take', async () => {
    await assert.rejects(audio!.run({ ...request, mime: 'audio/amr' }, { id: 'openai', apiKey: 'k', models: [] }), {
      code: 'unsupported',
      message: /this is audio\/amr/,
    });
  });

  it('reads a refusal, a failure and an answer that never began', async () => {
    await using server = await startFakeMedia();
    const ask = () => image!.run({ ...request, mime: 'image/png' }, { id: 'openai', baseUrl: server.url, models: [] });
    const output = (content: object) => [{ type: 'message', content: [content] }];
    server.reply(
      { json: { status: 'completed', output: output({ type: 'refusal', refusal: 'No.' }) } },
      { json: { status: 'failed', error: { code: 'server_error', message: 'It broke.' }, output: [] } },
      {
        json: {
          status: 'incomplete',
          incomplete_details: { reason: 'max_output_tokens' },
          output: [{ type: 'reasoning', summary: [] }],
        },
      },
      {
        json: {
          status: 'incomplete',
          incomplete_details: { reason: 'max_output_tokens' },
          output: output({ type: 'output_text', text: 'a half' }),
        },
      },
    );
    await assert.rejects(ask(), { code: 'denied', message: /No\.$/ });
    await assert.rejects(ask(), { code: 'bad_response', message: /It broke\.$/ });
    await assert.rejects(ask(), { code: 'bad_response', message: /ended before it began: max_output_tokens/ });
    assert.equal((await ask()).text, 'a half');
  });
});
