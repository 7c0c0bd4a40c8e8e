import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../../core/errors.ts';
import type { MediaCapability } from '../../../../core/understanding.ts';
import { files, media, program, context, fixture, type Fixture } from '../fake.ts';

/** Who was asked, in order; nobody answers unless told to. */
const asked = async (facts: Fixture, config: unknown, capability: MediaCapability = 'image'): Promise<string[]> => {
  const { media: step, calls } = fixture(facts);
  await step.run(context({ files: files(capability) }), media(config));
  return calls.map(({ who, model }) => (model ? `${who}/${model}` : who));
};
const mute = { says: '' };
const command = (name: string, over = {}) => ({ command: name, args: ['{{MediaPath}}'], ...over });

test('T66: a shared command that names the capability is used when the capability has no block', async () => {
  assert.deepEqual(await asked({ commands: { see: 'x' } }, { models: [command('see', { capabilities: ['image'] })] }), [
    'see',
  ]);
});

test('T81: a shared vendor entry serves what the vendor can', async () => {
  const vendors = { openai: { image: { defaultModel: 'i', says: 'x' } } };
  assert.deepEqual(await asked({ vendors }, { models: [{ provider: 'openai' }] }, 'image'), ['openai/i']);
  assert.deepEqual(await asked({ vendors }, { models: [{ provider: 'openai' }] }, 'audio'), []);
});

test('T82 T83: without capabilities an entry of the list is fine, a shared command is not', async () => {
  assert.deepEqual(await asked({ commands: { see: 'x' } }, { image: { models: [command('see')] } }), ['see']);
  assert.deepEqual(await asked({ commands: { see: 'x' } }, { models: [command('see')] }), []);
  assert.deepEqual(
    await asked({ commands: { see: 'x' } }, { image: { models: [command('see', { capabilities: ['audio'] })] } }),
    [],
  );
});

test('the own list comes before the shared one', async () => {
  assert.deepEqual(
    await asked({}, { models: [command('shared', { capabilities: ['image'] })], image: { models: [command('own')] } }),
    ['own', 'shared'],
  );
});

test('the preferred model comes first, the others keep their order', async () => {
  const models = [command('a'), { provider: 'p', model: 'm' }, { provider: 'q', model: 'm' }, { provider: 'q' }];
  const vendors = { p: { image: mute }, q: { image: { defaultModel: 'd', ...mute } } };
  const first = (preferredModel: string) => asked({ vendors }, { image: { preferredModel, models } });
  assert.deepEqual(await first('q/m'), ['q/m', 'a', 'p/m', 'q/d']);
  assert.deepEqual(await first('m'), ['p/m', 'q/m', 'a', 'q/d']);
  assert.deepEqual(await first('provider:q'), ['q/d', 'a', 'p/m', 'q/m']);
  assert.deepEqual(await first('cli:a'), ['a', 'p/m', 'q/m', 'q/d']);
  assert.deepEqual(await first('nobody'), ['a', 'p/m', 'q/m', 'q/d']);
});

test('T84: configured entries are asked, what would be found is not', async () => {
  const facts = {
    active: { provider: 'a', model: 'm', seesImages: false },
    vendors: { a: { image: { defaultModel: 'x', rank: 1, says: 'x' } } },
  };
  assert.deepEqual(await asked(facts, { image: { models: [command('mine')] } }), ['mine']);
});

test('T67 T85: the vendor of the chat is asked when it has the handler', async () => {
  const facts = {
    active: { provider: 'groq', model: 'chat', seesImages: false },
    vendors: { groq: { audio: { defaultModel: 'whisper', says: 'x' } } },
  };
  assert.deepEqual(await asked(facts, { audio: { enabled: true } }, 'audio'), ['groq/whisper']);
  assert.deepEqual(await asked(facts, {}, 'image'), []);
});

test('T86 T130: recordings go to the transcription model, never to the chat model', async () => {
  const vendors = { openai: { audio: { defaultModel: 'gpt-transcribe', rank: 20, says: 'x' } } };
  assert.deepEqual(await asked({ vendors }, {}, 'audio'), ['openai/gpt-transcribe']);
  assert.deepEqual(
    await asked({ vendors, active: { provider: 'openai', model: 'gpt-x', seesImages: true } }, {}, 'audio'),
    ['openai/gpt-transcribe'],
  );
});

test(
  'recordings: programs, the vendor of the chat, vendors by rank with a key, last resorts; cloud puts vendors ' +
    'first',
  async () => {
    const audio = (rank: number) => ({ audio: { defaultModel: 'm', rank, says: new AppError('auth', 'no key') } });
    const facts: Fixture = {
      active: { provider: 'c', model: 'chat', seesImages: false },
      vendors: {
        a: audio(30),
        b: audio(20),
        c: audio(40),
        nokey: { ...audio(1), hasKey: false },
        unranked: { audio: { defaultModel: 'm', says: 'x' } },
      },
      found: { audio: [program('whisper-cli'), program('pocketsphinx', true)] },
    };
    assert.deepEqual(await asked(facts, {}, 'audio'), ['whisper-cli', 'c/m', 'b/m', 'a/m', 'pocketsphinx']);
    assert.deepEqual(await asked(facts, { prefer: 'cloud' }, 'audio'), [
      'c/m',
      'b/m',
      'a/m',
      'whisper-cli',
      'pocketsphinx',
    ]);
  },
);

test('a recording that one vendor failed on goes to no other vendor, but to programs of this machine', async () => {
  const failing = (rank: number, error: AppError) => ({ audio: { defaultModel: 'm', rank, says: error } });
  const facts = (error: AppError): Fixture => ({
    vendors: { a: failing(1, error), b: failing(2, error) },
    found: { audio: [program('pocketsphinx', true)] },
  });
  assert.deepEqual(await asked(facts(new AppError('bad_response', 'HTTP 500')), {}, 'audio'), ['a/m', 'pocketsphinx']);
  assert.deepEqual(await asked(facts(new AppError('timeout', 'slow')), {}, 'audio'), ['a/m', 'pocketsphinx']);
  assert.deepEqual(await asked(facts(new AppError('auth', 'bad key')), {}, 'audio'), ['a/m', 'b/m', 'pocketsphinx']);
  const named = { audio: { models: [{ provider: 'a' }, { provider: 'b' }] } };
  assert.deepEqual(
    await asked(facts(new AppError('bad_response', 'HTTP 500')), named, 'audio'),
    ['a/m', 'b/m'],
    'named entries are all tried',
  );
});

test('pictures: the image model, the vendor of the chat, programs, vendors by rank, last resorts', async () => {
  const image = (rank: number) => ({ image: { defaultModel: 'd', rank, ...mute } });
  const facts: Fixture = {
    active: { provider: 'c', model: 'chat', seesImages: false },
    imageModels: ['i/one', 'i/two', 'gone/x', 'broken'],
    vendors: { i: image(5), a: image(30), b: image(20), c: image(10) },
    found: { image: [program('gemini'), program('tesseract', true)] },
  };
  assert.deepEqual(await asked(facts, { prefer: 'cloud' }), [
    'i/one',
    'i/two',
    'c/d',
    'gemini',
    'b/d',
    'a/d',
    'tesseract',
  ]);
});

test('T90 T91 T92: a program that is found is asked; its words are the text', async () => {
  for (const [capability, name] of [
    ['audio', 'sherpa-onnx-offline'],
    ['audio', 'whisper-cli'],
    ['image', 'gemini'],
  ] as const) {
    const { media: step } = fixture({ commands: { [name]: 'its words' }, found: { [capability]: [program(name)] } });
    const { notes } = await step.run(context({ files: files(capability) }), media());
    assert.deepEqual(notes, [{ kind: capability, attachment: 0, text: 'its words', provider: 'cli', model: name }]);
  }
});
