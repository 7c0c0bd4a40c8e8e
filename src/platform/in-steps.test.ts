/** A long list does not block the event loop. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inSteps } from './in-steps.ts';

test('everything comes in order, and others get their turn before the end', async () => {
  const seen: (number | string)[] = [];
  setImmediate(() => seen.push('somebody else'));
  for await (const one of inSteps([1, 2, 3, 4])) {
    seen.push(one);
    for (const begun = performance.now(); performance.now() - begun < 6; );
  }
  assert.deepEqual(
    seen.filter((one) => typeof one === 'number'),
    [1, 2, 3, 4],
  );
  assert.ok(seen.indexOf('somebody else') < 3, String(seen));
});
