/** Finding the media vendor, its key and its address. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { silentLog } from '../../core/log.ts';
import { createPluginLoader } from '../../plugins/load.ts';
import { pluginsConfigSchema } from '../../plugins/config.ts';
import { modelsConfigSchema } from '../config.ts';
import { findMedia } from './find-media.ts';

const loader = createPluginLoader({
  closed: [],
  config: pluginsConfigSchema.parse(undefined),
  log: silentLog,
  home: '/nowhere',
});
const find = (name: string, { providers = {}, env = {} }: { providers?: object; env?: Record<string, string> } = {}) =>
  findMedia(name, {
    models: modelsConfigSchema.parse({ providers }),
    env,
    loadProvider: (id) => loader.loadProvider(id),
    providerIds: () => loader.ids('provider'),
  });

it('knows the six vendors, by other names too, and says whether there is a key', async () => {
  for (const id of ['groq', 'openai', 'google', 'anthropic', 'minimax', 'deepgram'])
    assert.equal((await find(id))?.id, id);
  assert.deepEqual(
    [
      (await find(' Gemini '))?.id,
      (await find('gemini', { env: { GEMINI_API_KEY: 'k' } }))?.hasKey,
      (await find('google'))?.hasKey,
    ],
    ['google', true, false],
  );
  assert.equal(await find('nobody'), undefined);
});

it('a vendor of media keeps its own abilities whatever its conversations are spoken in', async () => {
  const found = await find('minimax', {
    providers: { minimax: { api: 'anthropic-messages', baseUrl: 'https://api.minimax.io/anthropic' } },
    env: { MINIMAX_API_KEY: 'k' },
  });
  assert.deepEqual(
    [found?.media.image?.defaultModel, found?.settings.apiKey, found?.settings.baseUrl],
    ['MiniMax-VL-01', 'k', 'https://api.minimax.io/anthropic'],
  );
  assert.equal(
    (await find('groq', { providers: { groq: { api: 'openai-completions' } }, env: { GROQ_API_KEY: 'k' } }))?.media
      .audio?.defaultModel,
    'whisper-large-v3-turbo',
  );
});

it('takes the address of a vendor from the environment where none is configured', async () => {
  const env = { MINIMAX_API_HOST: 'https://api.minimaxi.com' };
  assert.equal((await find('minimax', { env }))?.settings.baseUrl, 'https://api.minimaxi.com');
  assert.equal((await find('minimax', { env }))?.hasKey, false, 'an address is no key');
});

it('a foreign server has neither the models nor the place of the vendor whose language it speaks', async () => {
  const mine = await find('mine', {
    providers: { mine: { baseUrl: 'http://127.0.0.1:9', api: 'anthropic-messages' } },
  });
  assert.deepEqual(
    [mine?.media.image?.defaultModel, mine?.media.image?.rank, mine?.hasKey],
    [undefined, undefined, true],
  );
  assert.ok(
    (await find('mine', { providers: { mine: { baseUrl: 'http://127.0.0.1:9' } } }))?.media.audio,
    'any compatible server transcribes',
  );
});
