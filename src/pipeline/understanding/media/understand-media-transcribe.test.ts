import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../core/errors.ts';
import { files, media, context, fixture } from './fake.ts';
import { of, texts } from './fake.ts';

test('T124: a voice note transcribed for the access gate is not transcribed again', async () => {
  const { media: step, calls } = fixture({ vendors: { p: { audio: { defaultModel: 'm', says: 'hey bot' } } } });
  const config = media({ audio: { models: [{ provider: 'p' }] } });
  const note = context({ files: files('document', 'audio') });
  const heard = await step.transcribe(note, config);
  assert.deepEqual(heard, { kind: 'audio', attachment: 1, text: 'hey bot', provider: 'p', model: 'm' });
  const outcome = await step.run(note, config, heard);
  assert.deepEqual(outcome.notes, [heard]);
  assert.equal(of(outcome, 'audio').outcome, 'success');
  assert.equal(calls.length, 1);
});

test('T124: the access gate gets the first recording whatever the selection, and the selection still holds', async () => {
  const { media: step, calls } = fixture({
    vendors: { p: { audio: { defaultModel: 'm', says: ({ fileName }) => fileName } } },
  });
  const config = media({ audio: { attachments: { prefer: 'last' }, models: [{ provider: 'p' }] } });
  const notes = context({ files: files('audio', 'audio') });
  const outcome = await step.run(notes, config, await step.transcribe(notes, config));
  assert.deepEqual(texts(outcome), ['audio-1', 'audio-2']);
  assert.equal(calls.length, 2);
});

test('T125: what cannot be transcribed for the access gate is undefined, never an error', async () => {
  const config = media({ audio: { models: [{ provider: 'p' }] } });
  const failing = fixture({ vendors: { p: { audio: { defaultModel: 'm', says: new AppError('auth', 'no key') } } } });
  assert.equal(await failing.media.transcribe(context({ files: files('audio') }), config), undefined);
  assert.equal(
    await failing.media.transcribe(context({ files: files(['audio', { data: Buffer.alloc(3) }]) }), config),
    undefined,
  );
  assert.equal(await failing.media.transcribe(context({ files: files('image') }), config), undefined);
  assert.equal(
    await failing.media.transcribe(context({ files: files('audio') }), media({ audio: { enabled: false } })),
    undefined,
  );
});
