import assert from 'node:assert/strict';
import { test } from 'node:test';
import { media } from '../fake.ts';
import { limitsOf, maxBytesOf } from './limits.ts';

test("every limit is the entry's, else the capability's, else what is built in", () => {
  const config = media({ image: { maxChars: 100, timeoutSeconds: 7, models: [{ provider: 'p', maxBytes: 5 }] } });
  const [entry] = config.image.models;
  assert.deepEqual(limitsOf('image', config.image, entry), {
    maxBytes: 5,
    maxChars: 100,
    timeoutMs: 7000,
    prompt: 'Describe the image. Respond in at most 100 characters.',
  });
  assert.deepEqual(limitsOf('audio', config.audio), { maxBytes: 20 * 1024 * 1024, timeoutMs: 60_000 });
  assert.deepEqual(limitsOf('video', config.video), {
    maxBytes: 50 * 1024 * 1024,
    maxChars: 500,
    timeoutMs: 120_000,
    prompt: 'Describe the video. Respond in at most 500 characters.',
  });
});

test('what is fetched at most is what some entry takes', () => {
  assert.equal(maxBytesOf('image', media()), 10 * 1024 * 1024);
  assert.equal(
    maxBytesOf(
      'audio',
      media({
        audio: {
          maxBytes: 10,
          models: [
            { provider: 'p', maxBytes: 30 },
            { provider: 'q', maxBytes: 3 },
          ],
        },
      }),
    ),
    30,
  );
  assert.equal(
    maxBytesOf('audio', media({ models: [{ provider: 'p', maxBytes: 25 * 1024 * 1024 }] })),
    25 * 1024 * 1024,
  );
});
