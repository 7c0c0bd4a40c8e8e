import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inertText } from './inert-text.ts';

test('a text that is nothing but commands stays within its limit all the same', () => {
  const marked = inertText('/a\n'.repeat(5_000), 15_000);
  assert.ok(marked.length < 15_000 + 2_100, String(marked.length));
  assert.doesNotMatch(marked, /^\/a/m);
  assert.match(marked, /\[cut: \d+ characters, 17000 shown\]$/);
});

test('an honest text keeps its length, marks come on top', () => {
  assert.equal(inertText(` ${'a'.repeat(10)} `, 10), 'a'.repeat(10));
  assert.equal(inertText('/reset', 6), '[neutralized] /reset');
});
