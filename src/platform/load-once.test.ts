/** Parts that are created once for all callers, and again after a failure. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOnce } from './load-once.ts';

test('who asks while a part is being built shares it; nothing is begun before', async () => {
  const builds = [Promise.withResolvers<string>()];
  let count = 0;
  const part = loadOnce(() => builds[count++]!.promise);
  assert.equal(part.begun, undefined);
  const asked = [part.get(), part.get()];
  builds[0]!.resolve('built');
  assert.deepEqual(
    [await Promise.all(asked), await part.get(), await part.begun, count],
    [['built', 'built'], 'built', 'built', 1],
  );
});

test('after a failure, which everybody who asked sees, the next one builds anew', async () => {
  let count = 0;
  const part = loadOnce(async () => {
    if (count++ === 0) throw new Error('no memory');
    return 'built';
  });
  const [first, second] = [part.get(), part.get()];
  await assert.rejects(first, /no memory/);
  await assert.rejects(second, /no memory/);
  assert.equal(part.begun, undefined);
  assert.deepEqual([await part.get(), count], ['built', 2]);
});
