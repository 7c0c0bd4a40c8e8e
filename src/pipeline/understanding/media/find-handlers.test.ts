import assert from 'node:assert/strict';
import { test } from 'node:test';
import { media, program, context, fixture } from './fake.ts';

const sees = { provider: 'p', model: 'm', seesImages: true };

test('who would be asked is told without asking anybody', async () => {
  const { media: step, calls } = fixture({
    vendors: { p: { image: { says: 'x', defaultModel: 'eyes' }, audio: { says: 'x', rank: 1, defaultModel: 'ears' } } },
    active: { ...sees, seesImages: false },
    found: { audio: [program('whisper-cli')], image: [program('tesseract', true)] },
    film: { frames: [], seconds: 0, [Symbol.asyncDispose]: async () => undefined },
  });
  assert.deepEqual(await step.who(context(), media()), [
    { kind: 'image', on: true, by: ['p', 'tesseract'] },
    { kind: 'audio', on: true, by: ['whisper-cli', 'p'] },
    { kind: 'video', on: true, by: ['ffmpeg'] },
  ]);
  assert.deepEqual(calls, []);
});

test('configuration is told word for word, and a chat model that sees stands for pictures', async () => {
  const { media: step } = fixture({ active: sees, vendors: { q: { audio: { says: 'x' } } } });
  assert.deepEqual(
    await step.who(
      context(),
      media({ audio: { models: [{ provider: 'q', model: 'big' }] }, video: { enabled: false } }),
    ),
    [
      { kind: 'image', on: true, by: ['p/m'], shown: true },
      { kind: 'audio', on: true, by: ['q/big'] },
      { kind: 'video', on: false, by: [] },
    ],
  );
});

test('the vendor of the chat is not asked about what it has no model for', async () => {
  const { media: step } = fixture({ vendors: { p: { image: { says: 'x' } } }, active: { ...sees, seesImages: false } });
  assert.deepEqual((await step.who(context(), media()))[0], { kind: 'image', on: true, by: [] });
});
