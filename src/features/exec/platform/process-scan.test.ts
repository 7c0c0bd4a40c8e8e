/** Looks at the machine's processes are shared, and never older than the question. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sharedScan, type ProcessScanner } from './process-scan.ts';

it('who asks while a look is under way gets the next one, and shares it', async () => {
  const scans: PromiseWithResolvers<ProcessScanner>[] = [];
  const shared = sharedScan(() => {
    const scan = Promise.withResolvers<ProcessScanner>();
    scans.push(scan);
    return scan.promise;
  });
  const seen = (): ProcessScanner => ({ rows: [], marks: new Map() });
  const together = [shared(), shared()];
  await Promise.resolve();
  const later = [shared(), shared(), shared()];
  assert.equal(scans.length, 1);
  scans[0]!.resolve(seen());
  const [first, second] = await Promise.all(together);
  assert.equal(first, second);
  await new Promise(setImmediate);
  assert.equal(scans.length, 2);
  scans[1]!.reject(new Error('no handle left'));
  assert.deepEqual(
    (await Promise.allSettled(later)).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  const after = shared();
  await new Promise(setImmediate);
  scans[2]!.resolve(seen());
  assert.deepEqual((await after).rows, []);
});
