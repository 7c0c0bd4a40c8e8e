// Vendors for media: an unknown name is an error.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '../core/present.ts';
import { readEnv } from '../platform/env.ts';
import { configSchema } from '../testing/whole-schema.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { configCheck } from './check-config.ts';

async function findings(config: object): Promise<{ errors: readonly string[]; warnings: readonly string[] }> {
  await using dir = await tempDir('vendors');
  const { errors, warnings } = await configCheck(readEnv({ HOME: dir.path, CLAWDBOT_STATE_DIR: dir.path }))(
    configSchema.parse(config),
  );
  const reported = (issues: typeof errors): string[] =>
    issues.map(({ path, problem, fix }) => `${path}: ${problem}. ${fix}`);
  return { errors: reported(errors), warnings: reported(warnings) };
}

const audio = (...providers: string[]) => ({
  tools: { media: { audio: { models: providers.map((provider) => ({ provider })) } } },
});

test('an unknown vendor is an error with a did-you-mean', async () => {
  const { errors } = await findings(audio('groq', 'depgram'));
  assert.deepEqual(errors, [
    'tools.media.audio.models[1].provider: unknown model provider "depgram". Did you mean "deepgram"?',
  ]);
});

test('folders, other names, vendors of a protocol and those of the file are known', async () => {
  assert.deepEqual(
    (
      await findings({
        ...audio('Deepgram', 'gemini', 'openrouter', 'mine'),
        models: { providers: { mine: { baseUrl: 'http://127.0.0.1:1/v1' } } },
      })
    ).errors,
    [],
  );
});

test('where plugins are configured it is a warning, and none of them is run', async () => {
  const { errors, warnings } = await findings({
    ...audio('from-a-plugin'),
    plugins: { load: { paths: ['/nowhere'] } },
  });
  assert.deepEqual([errors.length, warnings.length], [0, 1]);
});

test('a model named to look at pictures that takes none is told, with those that do', async () => {
  const mine = (input: readonly string[] | undefined) => ({
    agents: { defaults: { imageModel: { primary: 'mine/eyes', fallbacks: ['mine/other'] } } },
    models: {
      providers: {
        mine: {
          baseUrl: 'http://127.0.0.1:1/v1',
          models: [present({ id: 'eyes', input }), { id: 'other', input: ['text', 'image'] }],
        },
      },
    },
  });
  const { errors, warnings } = await findings(mine(['text']));
  assert.deepEqual([errors, warnings.length], [[], 1]);
  assert.match(
    warnings[0]!,
    /^agents\.defaults\.imageModel: mine\/eyes does not accept images and is skipped\. Use one that does, such as mine\/other;/,
  );
  for (const input of [['text', 'image'], undefined]) assert.deepEqual((await findings(mine(input))).warnings, []);
});
