/** Pieces of a result: in order, without gaps, up to a limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPieces } from './pieces.ts';

test('pieces become one text, in their order; one that is missing or comes twice ends it', () => {
  const pieces = createPieces(10);
  assert.equal(pieces.text(), undefined);
  assert.equal(pieces.add(0, ''), undefined);
  assert.equal(pieces.text(), '', 'an empty result is one');
  assert.equal(pieces.add(1, 'ab'), undefined);
  assert.match(pieces.add(1, 'ab')!.message, /piece 1 of its result where 2 was due/);
  assert.match(pieces.add(3, 'ab')!.message, /piece 3 .* where 2 was due/);
  assert.equal(pieces.add(2, 'cd'), undefined);
  assert.equal(pieces.text(), 'abcd');
  assert.equal(pieces.add(3, '1234567')!.code, 'too_large');
});
