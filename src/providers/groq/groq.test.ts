/** Recordings at Groq. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startFakeMedia } from '../../testing/fake-media/fake-media-server.ts';
import { BYTES, mediaProviderContract } from '../../testing/media-provider-contract.ts';
import groq from './index.ts';

mediaProviderContract({
  provider: groq,
  capability: 'audio',
  basePath: '/openai/v1',
  key: { header: 'authorization', before: 'Bearer ' },
  sample: { mime: 'audio/ogg', fileName: 'voice.oga', model: 'whisper-large-v3-turbo', language: 'de' },
  wire: {
    path: '/openai/v1/audio/transcriptions',
    body: {
      file: { name: 'voice.ogg', type: 'audio/ogg', base64: BYTES.toString('base64') },
      model: 'whisper-large-v3-turbo',
      language: 'de',
    },
  },
});

describe('groq', () => {
  it('holds no chat: that is a row of the OpenAI-compatible vendors', () => assert.equal(groq.chat, undefined));

  it('takes what Whisper makes of silence for silence, where the segments tell', async () => {
    await using server = await startFakeMedia();
    const heard = (...segments: readonly object[]) => server.reply({ json: { text: 'Thank you.', segments } });
    const ask = () =>
      groq.media!.audio!.run(
        {
          data: BYTES,
          mime: 'audio/ogg',
          fileName: 'a.ogg',
          model: '',
          query: { response_format: 'verbose_json' },
          signal: new AbortController().signal,
        },
        { id: 'groq', baseUrl: server.url, models: [] },
      );
    heard({ no_speech_prob: 0.9, avg_logprob: -1.4 });
    await assert.rejects(ask(), { code: 'bad_response', message: 'groq transcription gave no transcript.' });
    heard({ no_speech_prob: 0.9, avg_logprob: -1.4 }, { no_speech_prob: 0.01, avg_logprob: -0.2 });
    assert.equal((await ask()).text, 'Thank you.');
    heard({ no_speech_prob: 0.9, avg_logprob: -0.1 });
    assert.equal((await ask()).text, 'Thank you.');
    assert.equal(server.requests[0]?.body.response_format, 'verbose_json');
  });
});
