import assert from 'node:assert/strict';
import { test } from 'node:test';
import { files, media, context, fixture } from '../fake.ts';

/** As the vendor's folder declares them. */
const spellings = { detectLanguage: 'detect_language', smartFormat: 'smart_format' };

test('T88: address, headers and parameters of vendor, capability and entry come together, the entry wins', async () => {
  const { media: step, calls } = fixture({
    vendors: {
      deepgram: {
        audio: { defaultModel: 'nova-3', says: 'x', spellings },
        baseUrl: 'https://vendor.example',
        headers: { 'X-A': 'vendor', 'X-B': 'vendor' },
      },
    },
  });
  await step.run(
    context({ files: files('audio') }),
    media({
      audio: {
        baseUrl: 'https://block.example',
        headers: { 'x-b': 'block', 'X-C': 'block' },
        providerOptions: { deepgram: { detectLanguage: true, punctuate: false, smart_format: false } },
        models: [
          {
            provider: 'deepgram',
            baseUrl: 'https://entry.example',
            headers: { 'X-c': 'entry' },
            providerOptions: { deepgram: { punctuate: true, keyterm: 'Zoë' } },
          },
        ],
      },
    }),
  );
  const { settings, request } = calls[0]!;
  assert.equal(settings?.baseUrl, 'https://entry.example');
  assert.deepEqual(settings?.headers, { 'X-A': 'vendor', 'x-b': 'block', 'X-c': 'entry' });
  assert.deepEqual(request?.query, { detect_language: true, punctuate: true, smart_format: false, keyterm: 'Zoë' });
  assert.equal(request?.model, 'nova-3');
});

test('T88: options are spelled as the vendor declares, and go to no other', async () => {
  const audio = { defaultModel: 'm', says: 'x' };
  const run = async (provider: string) => {
    const { media: step, calls } = fixture({
      vendors: { deepgram: { audio: { ...audio, spellings } }, other: { audio } },
    });
    await step.run(
      context({ files: files('audio') }),
      media({
        audio: {
          providerOptions: { deepgram: { smartFormat: true }, other: { camelCase: 1 } },
          models: [{ provider, providerOptions: { deepgram: { smartFormat: false } } }],
        },
      }),
    );
    return calls[0]!.request?.query;
  };
  assert.deepEqual(await run('deepgram'), { smart_format: false });
  assert.deepEqual(await run('other'), { camelCase: 1 });
});
