/** The watermark never passes an unaccepted event, and survives a restart. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../core/log.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { openWatermark } from './watermark.ts';

test('the position moves past events that are taken, in the order in which they came', async () => {
  await using dir = await tempDir('watermark');
  const options = { stateDir: dir.path, log: silentLog, file: 'seen.json' };
  await using mark = await openWatermark(options);
  const [one, two, three] = ['1', '2', '3'].map((id) => mark.came(id));
  two!();
  assert.equal(mark.last, undefined, 'the first one is not taken yet');
  one!();
  assert.equal(mark.last, '2');
  mark.came(undefined)();
  assert.equal(mark.last, '2');
  await mark[Symbol.asyncDispose]();
  await using again = await openWatermark(options);
  assert.deepEqual([again.last, again.since], ['2', mark.since]);
  three!();
  again.renew();
  assert.equal(again.last, undefined);
  await again.begin('9');
  assert.equal((await openWatermark(options)).last, '9');
});
