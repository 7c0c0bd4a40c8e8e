/** Recordings at Groq. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BYTES, mediaProviderContract } from '../../testing/media-provider-contract.ts';
import groq from './index.ts';

mediaProviderContract({
  provider: groq, capability: 'audio', basePath: '/openai/v1', key: { header: 'authorization', before: 'Bearer ' },
  sample: { mime: 'audio/ogg', fileName: 'voice.oga', model: 'whisper-large-v3-turbo', language: 'de' },
  wire: { path: '/openai/v1/audio/transcriptions', body: { file: { name: 'voice.ogg', type: 'audio/ogg', base64: BYTES.toString('base64') }, model: 'whisper-large-v3-turbo', language: 'de' } },
});

describe('groq', () => {
  it('holds no chat: that is a row of the OpenAI-compatible vendors', () => assert.equal(groq.chat, undefined));

  it('says where to put a key when there is none', async () => {
    const request = { data: BYTES, mime: 'audio/ogg', fileName: 'a.ogg', model: '', signal: new AbortController().signal };
    await assert.rejects(async () => groq.media?.audio?.run(request, { id: 'groq', models: [] }), { code: 'auth', message: /Set GROQ_API_KEY/ });
  });
});
