/** Syncs on a slow disk: few at once, in order of request; a failed sync frees its permit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syncAll, syncData } from './disk-sync.ts';

test('two syncs at once, the others in the order of asking; one that fails makes room too', async () => {
  const begun: string[] = [];
  const files = ['a', 'b', 'c', 'd', 'e'].map((name) => {
    const disk = Promise.withResolvers<void>();
    const sync = (): Promise<void> => {
      begun.push(name);
      return disk.promise;
    };
    return { disk, file: { sync, datasync: sync } };
  });
  const [a, b, c, d, e] = files.map(({ file }, index) => (index % 2 === 0 ? syncData(file) : syncAll(file)));
  assert.deepEqual(begun, ['a', 'b']);
  files[1]!.disk.reject(new Error('EIO'));
  await assert.rejects(b!, /EIO/);
  await new Promise(setImmediate);
  assert.deepEqual(begun, ['a', 'b', 'c']);
  for (const { disk } of files) disk.resolve();
  await Promise.all([a, c, d, e]);
  assert.deepEqual(begun, ['a', 'b', 'c', 'd', 'e']);
  const last = { sync: async () => {}, datasync: async () => {} };
  await Promise.all([syncAll(last), syncData(last), syncAll(last)]);
});
