// `jobs.json` as documented: its shape, one that another product wrote, and every way in which one cannot be read.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { cronInstances, HOUR, NOON, TEXT, type CronInstances } from '../harness.ts';

const every = (over: object = {}): object => ({
  name: 'J',
  schedule: { kind: 'every', everyMs: HOUR, anchorMs: NOON },
  ...TEXT,
  ...over,
});
const kept = (id: string, over: object = {}): object => ({
  ...every(),
  id,
  enabled: true,
  createdAtMs: 1,
  updatedAtMs: 1,
  sessionTarget: 'isolated',
  wakeMode: 'now',
  state: {},
  ...over,
});
const put = async ({ path }: CronInstances, value: unknown): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, typeof value === 'string' ? value : JSON.stringify(value));
};
const text = ({ path }: CronInstances): Promise<string> => readFile(path, 'utf8');
const aside = async ({ path }: CronInstances): Promise<string[]> =>
  (await readdir(dirname(path))).filter((name) => /\.(broken|gone)-/.test(name));
const names = async (cron: Awaited<ReturnType<CronInstances['instance']>>): Promise<string[]> =>
  (await cron.list({ includeDisabled: true })).jobs.map(({ name }) => name).sort();

describe('the file', () => {
  it('has the documented shape, a job a line, and a copy beside it', async () => {
    await using s = await cronInstances();
    const cron = await s.instance();
    const { id } = await cron.add(every());
    await cron.add(every({ name: 'K', enabled: false }));
    await cron.flush();
    const written = JSON.parse(await text(s));
    assert.deepEqual([written.version, written.jobs.length], [1, 2]);
    assert.deepEqual(
      written.jobs.find((job: any) => job.id === id),
      {
        id,
        name: 'J',
        enabled: true,
        createdAtMs: NOON,
        updatedAtMs: NOON,
        schedule: { kind: 'every', everyMs: HOUR, anchorMs: NOON },
        sessionTarget: 'isolated',
        wakeMode: 'next-heartbeat',
        payload: { kind: 'agentTurn', message: 'look around' },
        state: { nextRunAtMs: NOON + HOUR },
      },
    );
    assert.equal((await text(s)).trim().split('\n').length, 5 + 2);
    assert.equal(await readFile(`${s.path}.bak`, 'utf8'), await text(s));
  });

  it('of another product is taken over: what was due there runs once', async () => {
    await using s = await cronInstances();
    await put(s, {
      version: 1,
      jobs: [
        kept('owed', {
          schedule: { kind: 'every', everyMs: HOUR, anchorMs: NOON - HOUR / 2 },
          state: { nextRunAtMs: NOON - HOUR / 2, lastRunAtMs: NOON - 2 * HOUR, lastStatus: 'ok' },
        }),
        kept('not-owed', { state: { nextRunAtMs: NOON + HOUR } }),
      ],
    });
    const cron = await s.instance({ outcome: () => ({ status: 'ok' }) });
    await s.pass(60_000);
    assert.deepEqual(
      s.runs.map(({ job, run }) => [job.id, run.trigger]),
      [['owed', 'catch-up']],
    );
    assert.equal(cron.get('not-owed')!.state.lastStatus, undefined);
  });
});

describe('a file that cannot be read', () => {
  const BROKEN = ['{ "version": 1, "jobs": [', '[]', '{"version":1,"jobs":{}}', '{"version":7,"jobs":[]}', 'null', ''];

  for (const broken of BROKEN)
    it(`(T175) is never written over: ${broken || 'empty'}`, async () => {
      await using s = await cronInstances();
      const cron = await s.instance({ outcome: () => ({ status: 'ok' }) });
      const { id } = await cron.add(every());
      await cron.flush();
      const good = await text(s);
      await put(s, broken);
      for (const change of [() => cron.add(every()), () => cron.update(id, { name: 'x' }), () => cron.remove(id)])
        await assert.rejects(change(), {
          code: 'conflict',
          message: /jobs\.json cannot be read: .*Fix it, or copy .*jobs\.json\.bak over it/s,
        });
      assert.match((await cron.status()).problem!, /jobs\.json/);
      await s.pass(HOUR);
      assert.deepEqual(s.slots(id), [NOON + HOUR], 'its jobs go on');
      await cron.close();
      assert.equal(await text(s), broken);
      assert.equal(
        await readFile(`${s.path}.bak`, 'utf8').then((copy) => JSON.parse(copy).jobs.length),
        JSON.parse(good).jobs.length,
      );
      assert.equal((await aside(s)).length, 1);

      const next = await s.instance({ outcome: () => ({ status: 'ok' }) });
      assert.deepEqual(await names(next), ['J'], 'in the next run, too');
      await s.pass(HOUR);
      assert.deepEqual(s.slots(id), [NOON + HOUR, NOON + 2 * HOUR], 'and nothing runs twice');
      assert.equal((await aside(s)).length, 1, 'one copy of one state');
      await put(s, good);
      await next.update(id, { name: 'mended' });
      assert.equal((await next.status()).problem, undefined);
    });
});
