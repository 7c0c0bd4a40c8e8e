/** What comes in time is the answer, whatever does not is the error of whoever waits. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withinTime } from './within-time.ts';

it('answers, fails or ends the waiting', async () => {
  const late = (): Error => new Error('too late');
  assert.equal(await withinTime(async () => 1, 60_000, late), 1);
  await assert.rejects(
    withinTime(
      () => {
        throw new Error('at once');
      },
      60_000,
      late,
    ),
    /at once/,
  );
  await assert.rejects(
    withinTime(() => new Promise<never>(() => undefined), 1, late),
    /too late/,
  );
});
