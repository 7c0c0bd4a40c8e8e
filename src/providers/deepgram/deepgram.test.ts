/** Recordings at Deepgram. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startFakeMedia } from '../../testing/fake-media/fake-media-server.ts';
import { BYTES, mediaProviderContract } from '../../testing/media-provider-contract.ts';
import deepgram from './index.ts';

const key = { header: 'authorization', before: 'Token ' };
// T94: the address, the language trimmed, the order of the query, the content type.
mediaProviderContract({
  provider: deepgram,
  capability: 'audio',
  basePath: '/v1',
  key,
  sample: {
    mime: 'audio/wav',
    fileName: 'a.wav',
    model: 'nova-3',
    language: ' en ',
    query: { punctuate: false, smart_format: true },
  },
  wire: {
    path: '/v1/listen?model=nova-3&language=en&punctuate=false&smart_format=true',
    body: BYTES.toString('base64'),
    headers: { 'content-type': 'audio/wav' },
  },
});

describe('deepgram', () => {
  const audio = deepgram.media!.audio!;
  const request = {
    data: BYTES,
    mime: 'audio/ogg',
    fileName: 'a.ogg',
    model: 'nova-3',
    signal: new AbortController().signal,
  };

  it('T93 keeps a lower-case authorization and a content type of the settings', async () => {
    await using server = await startFakeMedia();
    await audio.run(request, {
      id: 'deepgram',
      baseUrl: server.url,
      apiKey: 'k',
      models: [],
      headers: { authorization: 'Token override', 'content-type': 'audio/x-mine' },
    });
    assert.equal(server.requests[0]?.headers.authorization, 'Token override');
    assert.equal(server.requests[0]?.headers['content-type'], 'audio/x-mine');
    assert.equal(server.requests[0]?.path, '/listen?model=nova-3');
  });

  it('T88 tells how configuration may spell its options', () => {
    assert.deepEqual(audio.spellings, { detectLanguage: 'detect_language', smartFormat: 'smart_format' });
  });

  it('T88 sends options in their order, the later one of a name wins', async () => {
    await using server = await startFakeMedia();
    await audio.run(
      {
        ...request,
        mime: '',
        language: 'de',
        query: { detect_language: true, smart_format: false, language: 'multi', keyterm: 'a b&c' },
      },
      { id: 'deepgram', baseUrl: `${server.url}/v1/?tag=x`, apiKey: 'k', models: [] },
    );
    assert.equal(
      server.requests[0]?.path,
      '/v1/listen?tag=x&model=nova-3&language=multi&detect_language=true&smart_format=false&keyterm=a+b%26c',
    );
    assert.equal(server.requests[0]?.headers['content-type'], 'application/octet-stream');
  });

  it('joins what each channel said by blank lines, and leaves out those that were silent', async () => {
    await using server = await startFakeMedia();
    const channel = (transcript?: string) => ({
      alternatives: transcript === undefined ? [] : [{ transcript }, { transcript: 'a second guess' }],
    });
    server.reply({
      json: { results: { channels: [channel(' hello '), channel(''), channel(), channel('good bye')] } },
    });
    assert.equal(
      (await audio.run(request, { id: 'deepgram', baseUrl: server.url, models: [] })).text,
      'hello\n\ngood bye',
    );
  });

  it('says that flux models hear live calls only, before anything is sent', async () => {
    await assert.rejects(
      audio.run({ ...request, model: 'flux-general-en' }, { id: 'deepgram', apiKey: 'k', models: [] }),
      { code: 'unsupported', message: /flux-general-en supports live audio only\. Use nova-3/ },
    );
  });
});
