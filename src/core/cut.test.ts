/** Cuts: never longer than the limit, never half a character, unchanged if it fits. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { characterStart, cut, excerpt, head, sizedExcerpt } from './cut.ts';

const text = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '…', '漢', '😀', '👩‍👩‍👧'), maxLength: 40 });
const limit = fc.integer({ min: -2, max: 60 });

describe('the limits, exactly', () => {
  const table: readonly (readonly [string, number, { head: string; cut: string; excerpt: string }])[] = [
    ['', 0, { head: '', cut: '', excerpt: '' }],
    ['', 3, { head: '', cut: '', excerpt: '' }],
    ['abc', 3, { head: 'abc', cut: 'abc', excerpt: 'abc' }],
    ['abcd', 3, { head: 'abc', cut: 'ab…', excerpt: 'abc…' }],
    ['abcd', 1, { head: 'a', cut: '…', excerpt: 'a…' }],
    ['abcd', 0, { head: '', cut: '', excerpt: '…' }],
    ['abcd', -1, { head: '', cut: '', excerpt: '…' }],
    ['a😀', 3, { head: 'a😀', cut: 'a😀', excerpt: 'a😀' }],
    ['a😀b', 3, { head: 'a😀', cut: 'a…', excerpt: 'a😀…' }],
    ['a😀b', 2, { head: 'a', cut: 'a…', excerpt: 'a…' }],
    ['😀😀', 1, { head: '', cut: '…', excerpt: '…' }],
    ['\ud83dab', 1, { head: '\ud83d', cut: '…', excerpt: '\ud83d…' }], // it was half a character before
  ];
  for (const [given, max, expected] of table)
    it(`${JSON.stringify(given)} to ${max}`, () => {
      assert.deepEqual({ head: head(given, max), cut: cut(given, max), excerpt: excerpt(given, max) }, expected);
    });
});

it('tells how long the whole was, where it was cut', () => {
  assert.equal(sizedExcerpt('a😀b', 4), 'a😀b');
  assert.equal(sizedExcerpt('a😀b', 2), 'a… (4 characters)');
});

describe('whatever the text', () => {
  it('is never longer than allowed', () => {
    fc.assert(
      fc.property(text, limit, (given, max) => {
        const room = Math.max(0, max);
        assert.ok(head(given, max).length <= room);
        assert.ok(cut(given, max).length <= room);
        assert.ok(excerpt(given, max).length <= room + 1);
      }),
    );
  });

  it('stays as it is where it fits', () => {
    fc.assert(
      fc.property(text, fc.nat(20), (given, spare) => {
        for (const shorten of [head, cut, excerpt]) assert.equal(shorten(given, given.length + spare), given);
      }),
    );
  });

  it('loses no more than half a pair beyond the limit, and is a beginning of the text', () => {
    fc.assert(
      fc.property(text, fc.nat(60), (given, max) => {
        const kept = head(given, max);
        assert.ok(given.startsWith(kept));
        assert.ok(kept.length >= Math.min(given.length, max) - 1);
      }),
    );
  });

  it('holds no half of a character', () => {
    fc.assert(
      fc.property(text, limit, (given, max) => {
        for (const shorten of [head, cut, excerpt]) assert.ok(shorten(given, max).isWellFormed());
      }),
    );
  });

  it('a place inside a pair is moved to its beginning, any other stays', () => {
    fc.assert(
      fc.property(text, (given) => {
        let starts = 0;
        for (const character of given) {
          assert.equal(characterStart(given, starts), starts);
          if (character.length === 2) assert.equal(characterStart(given, starts + 1), starts);
          starts += character.length;
        }
      }),
    );
  });
});
