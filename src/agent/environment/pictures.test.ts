// Which model looks at pictures for an agent, and that a text-only model is never asked.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FoundMedia } from '../models/find-media.ts';
import type { Models } from '../models/create-models.ts';
import { silentLog } from '../../core/log.ts';
import type { MediaHandler } from '../../core/media-provider.ts';
import { configSchema } from '../../testing/whole-schema.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { toolContext } from '../../testing/tool-contract.ts';
import { recogniser } from '../../pipeline/understanding/media/format.ts';
import { createPictures, type PicturesDeps } from './pictures.ts';

const handler = (more: Partial<MediaHandler>): MediaHandler => ({
  run: async () => ({ text: '', model: '' }),
  ...more,
});

function pictures(
  config: object,
  vendors: Readonly<Record<string, Partial<MediaHandler> & { readonly hasKey?: boolean }>> = {},
  path = '/nowhere',
  chosen: object = { provider: 'v', model: 'm' },
) {
  const asked: unknown[] = [];
  const models = {
    sees: async (written: string) => (written.includes('unknown') ? undefined : !written.includes('blind')),
    media: async (id: string): Promise<FoundMedia | undefined> =>
      vendors[id] && {
        id,
        media: { image: handler(vendors[id]) },
        settings: {} as FoundMedia['settings'],
        hasKey: vendors[id].hasKey ?? true,
      },
    choose: async (_agent: string, written: string) => [
      {
        provider: written.split('/')[0],
        modelId: written.split('/')[1],
        info: {
          input: written.includes('blind') ? ['text'] : written.includes('unknown') ? undefined : ['text', 'image'],
        },
      },
    ],
  } as unknown as Models;
  const describe: PicturesDeps['describe'] = async (request) => {
    asked.push(request);
    return { text: 'seen', chosen: { ...chosen, outcome: 'success' } as never, attempts: [] };
  };
  const parsed = configSchema.parse(config);
  return {
    asked,
    ...createPictures({
      config: () => parsed,
      models,
      describe,
      recogniser: async (by) => recogniser(by),
      vars: { PATH: path },
      log: silentLog,
    }),
  };
}

const chat = (provider: string, input?: readonly ('text' | 'image')[]) => ({
  provider,
  modelId: 'm',
  info: input === undefined ? {} : { input },
});

test('a model that sees, a reader of text alone, or nobody', async () => {
  await using dir = await tempDir('reader');
  await writeFile(join(dir.path, 'tesseract'), '#!/bin/sh\n', { mode: 0o755 });
  const of = (
    config: object,
    vendors: Parameters<typeof pictures>[1],
    who: Parameters<ReturnType<typeof pictures>['available']>[0],
    path?: string,
  ) => pictures(config, vendors, path).available(who);
  assert.equal(await of({ agents: { defaults: { imageModel: 'v/eye' } } }, {}, chat('x')), true);
  assert.deepEqual(
    await Promise.all(
      ['v/blind', 'v/unknown', { primary: 'v/blind', fallbacks: ['v/eye'] }].map((imageModel) =>
        of({ agents: { defaults: { imageModel } } }, {}, chat('x')),
      ),
    ),
    [false, true, true],
    'one that takes no pictures is nobody',
  );
  assert.equal(
    await of(
      { tools: { media: { models: [{ provider: 'v', model: 'eye', capabilities: ['image'] }] } } },
      {},
      chat('x'),
    ),
    true,
    'a shared entry for pictures',
  );
  assert.equal(await of({}, { own: {} }, chat('own', ['text', 'image'])), true, 'the model that answers sees');
  assert.equal(await of({}, { own: {} }, chat('own')), true, 'nobody said what it takes');
  assert.equal(await of({}, { own: {} }, chat('own', ['text'])), false, 'it is blind, and its server has no other');
  assert.equal(await of({}, { own: { defaultModel: 'eye' } }, chat('own', ['text'])), true, 'its vendor has another');
  assert.equal(await of({}, { own: {} }, chat('own', ['text']), dir.path), 'text');
  assert.equal(
    await of({ tools: { media: { image: { enabled: false } } } }, { own: {} }, chat('own'), dir.path),
    false,
  );
});

test('a model that takes no pictures is not asked; one of which nobody knows is', async () => {
  const s = pictures({});
  const describe = (model: string) =>
    s.describer(
      toolContext('/w').route,
      'r',
    )({ data: new Uint8Array(1), mime: 'image/png', prompt: 'p', model, signal: new AbortController().signal });
  const refused = await describe('v/blind');
  assert.ok(!refused.ok && refused.error.startsWith('Model does not support images: v/blind'));
  assert.equal(s.asked.length, 0);
  for (const model of ['v/eye', 'v/unknown']) assert.ok((await describe(model)).ok, model);
});

test('what a program only recognised says so, with its name; what a model or a command saw does not', async () => {
  const said = async (chosen: object): Promise<string> => {
    const describe = pictures({}, {}, undefined, chosen).describer(toolContext('/w').route, 'r');
    const answer = await describe({
      data: new Uint8Array(1),
      mime: 'image/png',
      prompt: 'p',
      signal: new AbortController().signal,
    });
    return answer.ok ? answer.text : answer.error;
  };
  assert.deepEqual(
    [
      await said({ command: 'tesseract' }),
      await said({ command: 'my-describer' }),
      await said({ provider: 'v', model: 'm' }),
    ],
    ['Recognised by: tesseract\nseen', 'seen', 'seen'],
  );
});
