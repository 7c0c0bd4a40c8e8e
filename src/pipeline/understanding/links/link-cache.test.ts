import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinkCache } from './link-cache.ts';

test('a text is kept as long as it was asked to be', () => {
  let now = 0;
  const cache = createLinkCache(() => now);
  cache.put('a', 'text', 100);
  cache.put('never', 'text', 0);
  now = 99;
  assert.deepEqual([cache.get('a'), cache.get('never'), cache.get('b')], ['text', undefined, undefined]);
  now = 100;
  assert.equal(cache.get('a'), undefined);
});

test('the oldest give way, by number and by size; what is too large is not kept', () => {
  const cache = createLinkCache(() => 0);
  for (let index = 0; index < 250; index++) cache.put(`k${index}`, 'x', 1000);
  assert.deepEqual([cache.get('k49'), cache.get('k50')], [undefined, 'x']);
  const half = 'x'.repeat(3 * 1024 * 1024);
  cache.put('big1', half, 1000);
  cache.put('big2', half, 1000);
  assert.deepEqual(
    [cache.get('big1'), cache.get('big2')?.length, cache.get('k249')],
    [undefined, half.length, undefined],
  );
  cache.put('huge', half + half, 1000);
  assert.deepEqual([cache.get('huge'), cache.get('big2')?.length], [undefined, half.length]);
});
