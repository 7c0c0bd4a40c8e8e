import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../core/errors.ts';
import { file, files, media, program, context, fixture, type Fixture } from './fake.ts';
import type { FilmParts } from './local/film/video.ts';

function film(over: Partial<FilmParts> = {}): FilmParts & { closed: boolean } {
  const frame = (atSeconds: number) => ({ ...file('image', { index: 0, name: `frame at ${atSeconds}` }), atSeconds });
  const parts = {
    seconds: 150,
    frames: [frame(25), frame(75), frame(125)],
    sound: file('audio', { name: 'sound.wav' }),
    closed: false,
    ...over,
  };
  return Object.assign(parts, {
    [Symbol.asyncDispose]: async () => {
      parts.closed = true;
    },
  });
}

const seeing: Fixture = {
  vendors: {
    p: {
      image: { defaultModel: 'i', rank: 1, says: ({ fileName }) => `a ${fileName}` },
      audio: { defaultModel: 'a', rank: 1, says: 'hello' },
    },
  },
};

test('a film nobody can watch is looked at and listened to', async () => {
  const parts = film();
  const { media: step, calls } = fixture({ ...seeing, film: parts });
  const { notes, decisions } = await step.run(context({ files: files('video') }), media());
  assert.deepEqual(notes, [
    {
      kind: 'video',
      attachment: 0,
      text: 'At 0:25: a frame at 25\nAt 1:15: a frame at 75\nAt 2:05: a frame at 125\nSound: hello',
      provider: 'cli',
      model: 'ffmpeg',
    },
  ]);
  assert.equal(decisions[2]!.attachments[0]!.chosen?.reason, '3 pictures by p/i, sound by p/a');
  assert.equal(decisions[2]!.attachments[0]!.attempts.length, 5);
  assert.equal(calls[0]!.request?.prompt, 'Describe the image. Respond in at most 166 characters.');
  assert.equal(parts.closed, true);
});

test('a chat model that sees is asked about the pictures of a film, which it cannot be handed', async () => {
  const { media: step, calls } = fixture({
    film: film({ frames: film().frames.slice(0, 1) }),
    active: { provider: 'p', model: 'chat', seesImages: true },
    vendors: { p: { image: { defaultModel: 'i', says: 'x' } } },
  });
  await step.run(context({ files: files('video') }), media());
  assert.deepEqual(
    calls.map(({ model }) => model),
    ['chat'],
  );
});

test('a model that watches films is asked first, and taking apart is no answer to one that somebody named', async () => {
  const vendors = { ...seeing.vendors, v: { video: { defaultModel: 'w', rank: 1, says: 'a chase' } } };
  const watching = await fixture({ vendors, film: film() }).media.run(context({ files: files('video') }), media());
  assert.equal(watching.notes[0]?.kind === 'video' && watching.notes[0].text, 'a chase');
  const named = await fixture({ ...seeing, film: film() }).media.run(
    context({ files: files('video') }),
    media({ video: { models: [{ command: 'gone', args: ['{{MediaPath}}'] }] } }),
  );
  assert.equal(named.notes[0]?.kind, 'remark');
});

test('when the first picture gives nothing the others are not sent, and the sound still counts', async () => {
  const vendors = {
    p: {
      image: { defaultModel: 'i', rank: 1, says: new AppError('rate_limited', 'slow down') },
      audio: { defaultModel: 'a', rank: 1, says: 'hello' },
    },
  };
  const { media: step, calls } = fixture({ vendors, film: film() });
  const { notes } = await step.run(context({ files: files('video') }), media());
  assert.equal(notes[0]?.kind === 'video' && notes[0].text, 'Sound: hello');
  assert.equal(calls.length, 2);
});

test('pictures or sound that are switched off stay so', async () => {
  const { media: step, calls } = fixture({ ...seeing, film: film(), found: { video: [program('gone')] } });
  const { notes } = await step.run(context({ files: files('video') }), media({ image: { enabled: false } }));
  assert.equal(notes[0]?.kind === 'video' && notes[0].text, 'Sound: hello');
  assert.deepEqual(
    calls.map(({ capability }) => capability),
    ['video', 'audio'],
  );
});

test('a scope that keeps pictures or recordings from being looked at holds for those of films too', async () => {
  const denied = { scope: { default: 'deny' as const, rules: [] } };
  for (const [config, asked] of [
    [{ image: denied }, ['audio']],
    [{ audio: denied }, ['image', 'image', 'image']],
    [{ image: denied, audio: denied }, []],
  ] as const) {
    const { media: step, calls } = fixture({ ...seeing, film: film() });
    await step.run(context({ files: files('video') }), media(config));
    assert.deepEqual(
      calls.map(({ capability }) => capability),
      asked,
    );
  }
});

test('a film that is none says so', async () => {
  const { media: step } = fixture({ film: film({ frames: [], sound: file('audio', { trouble: 'it has no sound' }) }) });
  const { notes, decisions } = await step.run(context({ files: files('video') }), media());
  assert.equal(notes[0]?.kind, 'remark');
  assert.equal(decisions[2]!.outcome, 'failed');
});

test('pictures that look alike are told once', async () => {
  const vendors = {
    p: {
      image: {
        defaultModel: 'i',
        rank: 1,
        says: ({ fileName }: { fileName: string }) => (fileName === 'frame at 125' ? 'a dog' : 'a cat'),
      },
    },
  };
  const { notes } = await fixture({ vendors, film: film() }).media.run(context({ files: files('video') }), media());
  assert.equal(notes[0]?.kind === 'video' && notes[0].text, 'At 0:25: a cat\nAt 2:05: a dog');
});

test('T102: what was taken apart is cleaned up when the turn is stopped in the middle', async () => {
  const stop = new AbortController();
  const parts = film();
  const vendors = {
    p: {
      image: {
        defaultModel: 'i',
        rank: 1,
        says: () => {
          stop.abort();
          return new Promise<string>(() => undefined);
        },
      },
    },
  };
  await assert.rejects(
    fixture({ vendors, film: parts }).media.run(context({ files: files('video'), signal: stop.signal }), media()),
    { code: 'aborted' },
  );
  assert.equal(parts.closed, true);
});
