/** Cron that costs nothing while there is nothing to run. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import { cronInstances, HOUR, MINUTE, TEXT } from './harness.ts';
import { until } from '../../testing/until.ts';
import { createLazyCron } from './lazy-cron.ts';

async function harness() {
  const instances = await cronInstances();
  const loads: string[] = [];
  const trouble: AppError[] = [];
  const cron = createLazyCron({
    path: instances.path,
    ledger: instances.ledger,
    clock: instances.clock,
    log: silentLog,
    async load() {
      loads.push('load');
      const failure = trouble.shift();
      if (failure) throw failure;
      return instances.begin();
    },
  });
  return {
    ...instances,
    cron,
    loads,
    trouble,
    async [Symbol.asyncDispose]() {
      await cron.close();
      await instances[Symbol.asyncDispose]();
    },
  };
}

const writeFileAt = async (path: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(
    path,
    JSON.stringify({
      version: 1,
      jobs: [
        {
          id: 'hand',
          name: 'By hand',
          enabled: true,
          schedule: { kind: 'every', everyMs: HOUR },
          sessionTarget: 'isolated',
          wakeMode: 'now',
          ...TEXT,
        },
      ],
    }),
  );
};

describe('cron with nothing to run', () => {
  it('is not loaded, and ends', async () => {
    await using at = await harness();
    await at.cron.start();
    at.cron.configChanged();
    await at.pass(10 * MINUTE);
    assert.deepEqual([at.loads, at.cron.get('x')], [[], undefined]);
  });

  it('is loaded once by whoever asks, tells what happens, and runs what is added', async () => {
    await using at = await harness();
    const news: string[] = [];
    at.cron.subscribe(({ action }) => void news.push(action));
    await at.cron.start();
    await Promise.all([at.cron.status(), at.cron.list(), at.cron.calendar({ fromMs: 0, toMs: 1, limit: 1 })]);
    const job = await at.cron.add({ schedule: { kind: 'every', everyMs: HOUR }, ...TEXT });
    assert.equal(at.cron.get(job.id)?.id, job.id);
    await at.pass(HOUR);
    assert.deepEqual([at.loads.length, at.slots(job.id).length, news], [1, 1, ['added', 'started']]);
  });

  it('is loaded for a file somebody put there, and at the start for one that is there', async () => {
    await using at = await harness();
    await at.cron.start();
    await writeFileAt(at.path);
    await at.pass(MINUTE);
    await until(() => at.cron.get('hand'), 'the job');
    await at.cron.close();
    const next = createLazyCron({
      path: at.path,
      ledger: at.ledger,
      clock: at.clock,
      log: silentLog,
      load: async () => at.begin(),
    });
    await next.start();
    assert.equal(next.get('hand')?.name, 'By hand');
    await next.close();
  });

  it('that could not be started is tried again', async () => {
    await using at = await harness();
    await writeFileAt(at.path);
    at.trouble.push(new AppError('storage', 'The disk reported an error.'));
    await assert.rejects(at.cron.start(), { code: 'storage' });
    await at.pass(MINUTE);
    await until(() => at.cron.get('hand'), 'the second try');
    await at.pass(HOUR);
    await until(() => at.slots('hand').length > 0, 'the run');
    assert.equal(at.loads.length, 2);
  });
});
