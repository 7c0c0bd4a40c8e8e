/**
 * The pure rules of processes: their names, how they came out, how long they are remembered, where their output can be
 * cut.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cleaned } from '../output/cleaner.ts';
import { outcomeOf, statusOf } from './outcome.ts';
import { expired, MAX_BYTES, MAX_ENDED, sweepEvery } from './retention.ts';
import { newSlug } from './slug.ts';
import { ADJECTIVES } from './slug-adjectives.ts';
import { NOUNS } from './slug-nouns.ts';
import { safeCut } from './safe-cut.ts';

describe('names', () => {
  const first = () => 0;
  it('T20 two words; a number when they are taken, then a third word, then something random', () => {
    assert.equal(
      newSlug(() => false, first),
      'amber-acorn',
    );
    assert.equal(
      newSlug((slug) => slug === 'amber-acorn', first),
      'amber-acorn-2',
    );
    assert.equal(
      newSlug((slug) => /^amber-acorn(-\d+)?$/.test(slug) && slug !== 'amber-acorn-12', first),
      'amber-acorn-12',
    );
    assert.equal(
      newSlug((slug) => /^amber-acorn(-\d+)?$/.test(slug), first),
      'amber-acorn-acorn',
    );
    assert.match(
      newSlug(() => true, first),
      /^amber-acorn-acorn-[0-9a-f]{8}$/,
    );
    for (let times = 0; times < 50; times++)
      assert.match(
        newSlug(() => false),
        /^[a-z]+-[a-z]+$/,
      );
  });
  it('no word stands twice', () => {
    for (const words of [ADJECTIVES, NOUNS]) assert.equal(new Set(words).size, words.length);
  });
});

describe('outcomes', () => {
  it('codes above 128 are signals only where there is such a signal', () => {
    const of = (code: number | null, signal: string | null = null) => {
      const { exitSignal, reason } = outcomeOf({ code, signal }, 5, undefined);
      return [exitSignal, reason];
    };
    assert.deepEqual(
      [of(0), of(128), of(137), of(143), of(255), of(null, 'SIGTERM')],
      [
        [undefined, 'exit'],
        [undefined, 'exit'],
        ['SIGKILL', 'signal'],
        ['SIGTERM', 'signal'],
        [undefined, 'exit'],
        ['SIGTERM', 'signal'],
      ],
    );
  });
  it('only code 0 by itself is a success', () => {
    const status = (code: number, why?: 'timeout') =>
      statusOf({ over: true, outcome: outcomeOf({ code, signal: null }, 5, why) });
    assert.deepEqual(
      [
        status(0),
        status(1),
        status(0, 'timeout'),
        statusOf({ over: false, outcome: undefined }),
        statusOf({ over: true, outcome: { at: 1, reason: 'lost' } }),
      ],
      ['completed', 'failed', 'failed', 'running', 'failed'],
    );
  });
});

describe('forgetting', () => {
  const ended = (endedAt: number, more: object = {}) => ({ endedAt, bytes: 1, needed: false, ...more });
  const limits = { now: 100_000, cleanupMs: 60_000 };
  it('T78 the old go, those somebody waits for stay a day', () => {
    const all = [ended(39_999), ended(40_000), ended(1, { needed: true })];
    assert.deepEqual(expired(all, limits), [all[0]]);
    assert.deepEqual(expired([ended(1, { needed: true })], { now: 25 * 3600_000, cleanupMs: 60_000 }).length, 1);
  });
  it('the oldest go when there are too many, or when they take too much room', () => {
    const many = Array.from({ length: MAX_ENDED + 3 }, (_, index) => ended(90_000 + index));
    assert.deepEqual(
      expired(many, limits)
        .map(({ endedAt }) => endedAt)
        .sort(),
      [90_000, 90_001, 90_002],
    );
    const big = [
      ended(90_000, { bytes: MAX_BYTES }),
      ended(90_001, { bytes: MAX_BYTES / 2 }),
      ended(90_002, { bytes: MAX_BYTES / 2 }),
    ];
    assert.deepEqual(expired(big, limits), [big[0]]);
    assert.deepEqual(expired([ended(90_000, { bytes: 2 * MAX_BYTES })], limits), []);
  });
  it('is looked after often enough', () =>
    assert.deepEqual([sweepEvery(60_000), sweepEvery(1_800_000)], [30_000, 300_000]));
});

describe('where output can be cut', () => {
  for (const [text, end] of [
    ['abc', 3],
    ['', 0],
    ['a\r', 1],
    ['a\r\n', 3],
    ['a\x1b', 1],
    ['a\x1b[31', 1],
    ['a\x1b[31m', 6],
    ['a\x1b]0;title', 1],
    ['a\x1b]0;title\x1b', 1],
    ['a\x1b]0;title\x07', 11],
    ['\x1b[0mab\x1b(', 6],
  ] as const)
    it(`${JSON.stringify(text)} at ${end}`, () => assert.equal(safeCut(Buffer.from(text)), end));
  it('behind whole characters', () => {
    for (const text of ['é', '€', '😀'])
      for (let bytes = 1; bytes < Buffer.byteLength(text); bytes++)
        assert.equal(safeCut(Buffer.from(`a${text}`).subarray(0, 1 + bytes)), 1);
    assert.equal(safeCut(Buffer.from([0x80, 0x80, 0x80, 0x80])), 4);
  });
  it('so that both parts read as the whole, for text and colours', () => {
    const piece = fc.constantFrom('word', 'é', '😀', '\x1b[31m', '\x1b[0m', '\x1b]0;t\x07', '\n', '\r\n');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(200), (parts, at) => {
        const bytes = Buffer.from(parts.join(''));
        const cut = safeCut(bytes.subarray(0, at));
        assert.equal(cleaned(bytes.subarray(0, cut)) + cleaned(bytes.subarray(cut)), cleaned(bytes));
      }),
    );
  });
});
