/** jobs.json on a disk that does not take it. */
import assert from 'node:assert/strict';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { silentLog } from '../../../core/log.ts';
import { cronInstances, HOUR, MINUTE, SECOND, TEXT } from '../harness.ts';
import { until } from '../../../testing/until.ts';

describe('a file that cannot be written', () => {
  it('is said and tried again now and then, not every second, and written when it can be', async () => {
    await using s = await cronInstances();
    const troubles: string[] = [];
    const log = { ...silentLog, error: (event: string) => void troubles.push(event) };
    const cron = await s.instance({ log });
    await mkdir(`${s.path}.bak`, { recursive: true });
    await cron.add({ schedule: { kind: 'every', everyMs: HOUR }, ...TEXT, name: 'kept' });
    await s.pass(2 * SECOND);
    await until(() => troubles.length === 1, 'the trouble');
    for (let second = 0; second < 20; second++) {
      await s.pass(SECOND);
      await cron.list(); // behind whatever is written
    }
    assert.deepEqual(troubles, ['cron.store.write']);
    await rm(`${s.path}.bak`, { recursive: true });
    await s.pass(MINUTE);
    await until(async () => (await s.ledger.redo()).length === 0, 'the file');
    assert.equal(JSON.parse(await readFile(s.path, 'utf8')).jobs[0].name, 'kept');
  });
});
