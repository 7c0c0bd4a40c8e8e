import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../../core/errors.ts';
import type { Attempt } from '../../../../core/understanding.ts';
import { files, media, context, fixture, type FakeFile, type FileSpec, type Fixture } from '../fake.ts';

const attempts = async (
  facts: Fixture,
  config: unknown,
  ...given: FileSpec[]
): Promise<{ attempts: readonly Attempt[]; calls: ReturnType<typeof fixture>['calls'] }> => {
  const { media: step, calls } = fixture(facts);
  const { decisions } = await step.run(context({ files: files(...given) }), media(config));
  return { attempts: decisions.flatMap(({ attachments }) => attachments.flatMap((one) => one.attempts)), calls };
};

test('T117: the length is asked for with pictures and films, configured prompts too, never with recordings', async () => {
  const handler = { defaultModel: 'm', says: 'x' };
  const vendors = { p: { image: handler, audio: handler, video: handler } };
  const { calls } = await attempts(
    { vendors },
    {
      concurrency: 1,
      models: [{ provider: 'p' }],
      image: { maxChars: 80 },
      audio: { maxChars: 80 },
      video: { prompt: 'What happens?' },
    },
    'image',
    'audio',
    'video',
  );
  assert.deepEqual(
    calls.map(({ request }) => request?.prompt),
    [
      'Describe the image. Respond in at most 80 characters.',
      undefined,
      'What happens? Respond in at most 500 characters.',
    ],
  );
  const configured = await attempts(
    { vendors },
    { models: [{ provider: 'p' }], audio: { prompt: 'Names: Zoë', maxChars: 10, language: ' de ' } },
    'audio',
  );
  assert.deepEqual(
    [configured.calls[0]?.request?.prompt, configured.calls[0]?.request?.language],
    ['Names: Zoë', 'de'],
  );
});

test('T116: the text is cut to what the entry allows, else the capability', async () => {
  const facts = { vendors: { p: { image: { defaultModel: 'm', says: 'one two three four' } } } };
  const cut = async (config: unknown): Promise<string | undefined> => {
    const { notes } = await fixture(facts).media.run(context({ files: files('image') }), media(config));
    return notes[0]?.kind === 'image' ? notes[0].text : undefined;
  };
  assert.equal(await cut({ image: { maxChars: 9, models: [{ provider: 'p' }] } }), 'one two…');
  assert.equal(await cut({ image: { maxChars: 9, models: [{ provider: 'p', maxChars: 100 }] } }), 'one two three four');
});

test('a transcript without a limit of its own is bounded all the same', async () => {
  const { media: step } = fixture({ vendors: { p: { audio: { defaultModel: 'm', says: 'so '.repeat(1_000_000) } } } });
  const { notes } = await step.run(
    context({ files: files('audio') }),
    media({ audio: { models: [{ provider: 'p' }] } }),
  );
  assert.equal(notes[0]?.kind === 'audio' && notes[0].text.length <= 200_000 && notes[0].text.endsWith('so…'), true);
});

test('T119: a type the vendor does not take is not sent', async () => {
  const vendors = { minimax: { image: { defaultModel: 'm', accepts: ['image/png', 'image/jpeg'], says: 'x' } } };
  const { attempts: tried, calls } = await attempts({ vendors }, { image: { models: [{ provider: 'minimax' }] } }, [
    'image',
    { mime: 'image/gif', data: Buffer.from('GIF89a\x01\0\x01\0', 'latin1') },
  ]);
  assert.equal(calls.length, 0);
  assert.deepEqual([tried[0]?.outcome, tried[0]?.reason], ['skipped', 'unsupported: minimax takes no image/gif']);
});

test('T119: a type is the same in whatever spelling', async () => {
  const vendors = { p: { audio: { defaultModel: 'm', accepts: ['audio/wav', 'audio/mp4'], says: 'x' } } };
  for (const mime of ['audio/x-wav', 'audio/x-m4a', 'audio/wav']) {
    const { calls } = await attempts({ vendors }, { audio: { models: [{ provider: 'p' }] } }, ['audio', { mime }]);
    assert.equal(calls.length, 1, mime);
  }
});

test('T122: a film whose base64 would pass 70 MiB is not even read', async () => {
  const heavy: FakeFile = { size: 53 * 1024 * 1024, data: Buffer.alloc(1) };
  const vendors = { p: { video: { defaultModel: 'm', says: 'x' } } };
  const config = { video: { maxBytes: 100 * 1024 * 1024, models: [{ provider: 'p' }] } };
  const over = await attempts({ vendors }, config, ['video', heavy]);
  assert.deepEqual(
    [over.calls.length, over.attempts[0]?.outcome, over.attempts[0]?.reason],
    [0, 'skipped', 'maxBytes: it is larger than 70 MiB when encoded'],
  );
  const exactly = await attempts({ vendors }, config, ['video', { ...heavy, size: 52.5 * 1024 * 1024 }]);
  assert.equal(exactly.calls.length, 1);
});

test('an attempt that takes too long ends in time, even when nobody listens to the signal', async () => {
  let seen: AbortSignal | undefined;
  const { media: step, clock } = fixture({
    vendors: {
      p: {
        image: {
          defaultModel: 'm',
          says: ({ signal }) => {
            seen = signal;
            return new Promise<string>(() => undefined);
          },
        },
      },
      q: { image: { defaultModel: 'n', says: 'second' } },
    },
  });
  const running = step.run(
    context({ files: files('image') }),
    media({ image: { timeoutSeconds: 5, models: [{ provider: 'p' }, { provider: 'q' }] } }),
  );
  await clock.advance(4999);
  assert.equal(seen?.aborted, false);
  await clock.advance(1);
  const { decisions, notes } = await running;
  assert.equal(seen?.aborted, true);
  assert.deepEqual(
    decisions[0]!.attachments[0]!.attempts.map(({ outcome, reason }) => [outcome, reason]),
    [
      ['failed', 'timeout: no answer within 5 s'],
      ['success', undefined],
    ],
  );
  assert.equal(notes[0]?.kind, 'image');
  assert.equal(clock.pending(), 0);
});

test('entries that cannot work say why: no such vendor, no such handler, no model', async () => {
  const { attempts: tried } = await attempts(
    { vendors: { q: { audio: { says: 'x' } }, r: { image: { says: 'x' } } } },
    { image: { models: [{ provider: 'p' }, { provider: 'q' }, { provider: 'r' }] } },
    'image',
  );
  assert.deepEqual(
    tried.map(({ outcome, reason }) => [outcome, reason]),
    [
      ['failed', 'there is no model vendor p'],
      ['skipped', 'unsupported: q has no image understanding'],
      ['failed', 'r has no default model for this; name one'],
    ],
  );
});

test('a vendor that was asked and failed is named with the model it was asked for', async () => {
  const { attempts: tried } = await attempts(
    { vendors: { p: { image: { defaultModel: 'm', says: new AppError('bad_response', 'no') } } } },
    { image: { models: [{ provider: 'p' }, { provider: 'p', model: 'own' }] } },
    'image',
  );
  assert.deepEqual(
    tried.map(({ provider, model, outcome }) => [provider, model, outcome]),
    [
      ['p', 'm', 'failed'],
      ['p', 'own', 'failed'],
    ],
  );
});

test('what a vendor says of its failure stays one line of bounded length', async () => {
  const { attempts: tried } = await attempts(
    { vendors: { p: { image: { defaultModel: 'm', says: new AppError('bad_response', `no\n${'x '.repeat(400)}`) } } } },
    { image: { models: [{ provider: 'p' }] } },
    'image',
  );
  assert.ok(tried[0]!.reason!.length <= 300);
  assert.doesNotMatch(tried[0]!.reason!, /\n/);
});
