import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assert as check, constantFrom, integer, property, string } from 'fast-check';
import { trimText } from './trim-text.ts';

test('T116: cut where a word ends, with an ellipsis, never through a character', () => {
  assert.equal(trimText('the quick brown fox', 12), 'the quick…');
  assert.equal(trimText('the quick brown fox', 10), 'the quick…');
  assert.equal(trimText('  short ', 10), 'short');
  assert.equal(trimText('你好你好你好', 4), '你好你…');
  assert.equal(trimText('ab😀😀😀', 4), 'ab…');
  assert.equal(trimText('ab😀😀😀', 5), 'ab😀…');
  assert.equal(trimText('no limit at all', undefined), 'no limit at all');
});

test('T116: never longer than allowed, never half a pair, whatever the text', () => {
  check(
    property(
      string({ unit: constantFrom('a', ' ', '\n', 'é', '漢', '😀', '👩‍👧'), maxLength: 60 }),
      integer({ min: 1, max: 40 }),
      (text, limit) => {
        const cut = trimText(text, limit);
        assert.ok(cut.length <= limit);
        assert.equal(cut.isWellFormed(), true);
      },
    ),
  );
});
