/** Looks at the machine's processes are shared, and never older than the question. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sharedLook, type Surroundings } from './surroundings.ts';

it('who asks while a look is under way gets the next one, and shares it', async () => {
  const looks: PromiseWithResolvers<Surroundings>[] = [];
  const shared = sharedLook(() => {
    const look = Promise.withResolvers<Surroundings>();
    looks.push(look);
    return look.promise;
  });
  const seen = (): Surroundings => ({ rows: [], marks: new Map() });
  const together = [shared(), shared()];
  await Promise.resolve();
  const later = [shared(), shared(), shared()];
  assert.equal(looks.length, 1);
  looks[0]!.resolve(seen());
  const [first, second] = await Promise.all(together);
  assert.equal(first, second);
  await new Promise(setImmediate);
  assert.equal(looks.length, 2);
  looks[1]!.reject(new Error('no handle left'));
  assert.deepEqual(
    (await Promise.allSettled(later)).map(({ status }) => status),
    ['rejected', 'rejected', 'rejected'],
  );
  const after = shared();
  await new Promise(setImmediate);
  looks[2]!.resolve(seen());
  assert.deepEqual((await after).rows, []);
});
