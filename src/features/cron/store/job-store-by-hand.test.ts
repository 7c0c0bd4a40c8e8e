import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { cronInstances, HOUR, MINUTE, NOON, SECOND } from '../harness.ts';
import { until } from '../../../testing/until.ts';
import { hourly, handmade, read, editJobs, names } from './harness.ts';

describe('jobs.json edited by hand', () => {
  it('while the gateway runs is taken up at the next call, and by itself within a minute', async () => {
    await using s = await cronInstances();
    const cron = await s.instance();
    await cron.add({ ...hourly, name: 'was here' });
    await cron.flush();
    const { jobs } = await read(s);
    await editJobs(s, [...jobs, handmade('by-hand')]);
    assert.deepEqual(await names(cron), ['by-hand', 'was here']);
    await editJobs(s, [handmade('by-hand', { schedule: { kind: 'every', everyMs: MINUTE } })]);
    await s.pass(61 * SECOND);
    await until(() => s.news.at(-1)?.action === 'removed', 'the change to be noticed');
    assert.deepEqual(
      s.news.slice(-2).map(({ action }) => action),
      ['updated', 'removed'],
    );
    await s.pass(2 * MINUTE);
    assert.ok(s.slots('by-hand').length > 0, 'it runs under its new schedule');
  });

  it('wins, except over what was changed here since', async () => {
    await using s = await cronInstances();
    const cron = await s.instance();
    const { id } = await cron.add({ ...hourly, name: 'a' });
    await cron.flush();
    const { jobs } = await read(s);
    await cron.update(id, { name: 'changed here' });
    await editJobs(s, [{ ...jobs[0], name: 'changed there' }, handmade('new')]);
    assert.deepEqual(await names(cron), ['changed here', 'new']);
    await cron.flush();
    assert.deepEqual((await read(s)).jobs.map((job: { name: string }) => job.name).sort(), ['changed here', 'new']);
  });

  it('while the gateway was stopped owes nothing under the old schedule', async () => {
    await using s = await cronInstances();
    const first = await s.instance();
    await first.add({ ...hourly, name: 'a' });
    await first.close();
    const { jobs } = await read(s);
    await s.pass(5 * HOUR);
    await editJobs(s, [{ ...jobs[0], schedule: { kind: 'every', everyMs: 2 * HOUR } }]);
    const cron = await s.instance({ outcome: () => ({ status: 'ok' }) });
    await s.pass(MINUTE);
    assert.deepEqual([s.runs.length, cron.get(jobs[0].id)!.state.nextRunAtMs], [0, NOON + 6 * HOUR]);
  });

  it('and removed with its state keeps no job from running again under its id', async () => {
    await using s = await cronInstances();
    const first = await s.instance({ outcome: () => ({ status: 'ok' }) });
    await editJobs(s, [handmade('x', { schedule: { kind: 'at', atMs: NOON + MINUTE } })]);
    await first.list();
    await s.pass(2 * MINUTE);
    assert.equal(s.runs.length, 1);
    await first.flush();
    await editJobs(s, []);
    await first.list();
    await editJobs(s, [handmade('x', { schedule: { kind: 'at', atMs: NOON + MINUTE } })]);
    assert.equal((await first.list()).jobs[0]!.id, 'x');
    await s.pass(10 * SECOND);
    assert.equal(s.runs.length, 1, 'that instant has run');
    await editJobs(s, [handmade('x', { schedule: { kind: 'at', atMs: NOON + HOUR } })]);
    await first.list();
    await s.pass(HOUR);
    assert.equal(s.runs.length, 2);
  });

  it('away is written anew while jobs are known, and empty at a start', async () => {
    await using s = await cronInstances();
    const cron = await s.instance();
    await cron.add(hourly);
    await cron.flush();
    await rm(s.path);
    await cron.list();
    await cron.flush();
    assert.equal((await read(s)).jobs.length, 1);
    await cron.close();
    await rm(s.path);
    const second = await s.instance();
    assert.equal((await second.status()).jobs, 0);
    assert.ok(
      (await readdir(dirname(s.path))).some((name) => name.startsWith('jobs.json.gone-')),
      'its last copy is not written over',
    );
  });
});
