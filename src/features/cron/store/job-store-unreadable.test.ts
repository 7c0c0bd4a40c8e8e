import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { cronInstances, HOUR, MINUTE, NOON, type CronInstances } from '../harness.ts';
import { hourly, handmade, read, edit, editJobs, names } from './harness.ts';

describe('jobs.json that cannot be read (T175)', () => {
  const BROKEN = '{ "version": 1,\n  "jobs": [\n    {"id": "a", "name": "secret words"\n';

  async function broken(text = BROKEN) {
    const s = await cronInstances();
    const first = await s.instance({ outcome: () => ({ status: 'ok' }) });
    const { id } = await first.add({ ...hourly, name: 'goes on' });
    await first.flush();
    return { s, id, first, [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](), damage: () => edit(s, text) };
  }
  const aside = async (s: CronInstances): Promise<string[]> =>
    (await readdir(dirname(s.path))).filter((name) => name.startsWith('jobs.json.broken-'));

  it('is set aside once and never written over; its jobs go on, and every change is refused with what to do', async () => {
    await using b = await broken();
    await b.damage();
    await assert.rejects(b.first.add(hourly), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'conflict');
      assert.match(
        error.message,
        /jobs\.json cannot be read: not valid JSON5 at line \d+.*Fix it, or copy .*\.bak over it.*broken-/,
      );
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
    for (const change of [() => b.first.update(b.id, { name: 'x' }), () => b.first.remove(b.id)])
      await assert.rejects(change(), { code: 'conflict' });
    assert.match((await b.first.status()).problem!, /cannot be read/);
    assert.deepEqual([(await b.first.list()).total, (await aside(b.s)).length], [1, 1]);
    await b.s.pass(2 * HOUR);
    await b.first.flush();
    assert.equal(await readFile(b.s.path, 'utf8'), BROKEN);
    assert.equal(b.s.runs.length, 2, 'it ran on');
    assert.equal((await b.first.run(b.id, 'force')).ran, true);
    await b.first.close();
    assert.equal(await readFile(b.s.path, 'utf8'), BROKEN, 'nor at the end');
  });

  it('at a start: the last good copy goes on, and what ran does not run again', async () => {
    await using b = await broken();
    await b.s.pass(HOUR + MINUTE);
    await b.first.close();
    await b.damage();
    const second = await b.s.instance({ outcome: () => ({ status: 'ok' }) });
    assert.deepEqual(
      [second.get(b.id)?.name, second.get(b.id)?.state.nextRunAtMs, b.s.runs.length],
      ['goes on', NOON + 2 * HOUR, 1],
    );
    await b.s.pass(HOUR);
    assert.equal(b.s.runs.length, 2);
    const third = await b.s.instance();
    assert.deepEqual([(await third.status()).jobs, (await aside(b.s)).length], [1, 1], 'still one copy of it');
  });

  it('is read again as soon as it can be', async () => {
    await using b = await broken();
    const good = await readFile(b.s.path, 'utf8');
    await b.damage();
    assert.equal((await b.first.list()).total, 1);
    await edit(b.s, good.replace('"jobs": [\n', `"jobs": [\n${JSON.stringify(handmade('added'))},\n`));
    await b.first.add({ ...hourly, name: 'new' });
    assert.deepEqual(
      [await names(b.first), (await b.first.status()).problem],
      [['added', 'goes on', 'new'], undefined],
    );
  });

  it('keeps a job that was done meanwhile from coming back', async () => {
    await using s = await cronInstances();
    const cron = await s.instance({ outcome: () => ({ status: 'ok' }) });
    const { id } = await cron.add({ ...hourly, schedule: { kind: 'at', atMs: NOON + MINUTE }, deleteAfterRun: true });
    await cron.flush();
    const good = await readFile(s.path, 'utf8');
    await edit(s, BROKEN);
    await cron.list();
    await s.pass(2 * MINUTE);
    assert.equal(cron.get(id), undefined);
    await edit(s, good);
    assert.equal((await cron.list({ includeDisabled: true })).total, 0);
    await cron.flush();
    assert.deepEqual((await read(s)).jobs, []);
  });

  for (const [what, text, why] of [
    ['empty', '   \n', /it is empty/],
    ['a list', '[]', /must hold one object/],
    ['without jobs', '{"version":1}', /must hold one object/],
    ['jobs that are no list', '{"version":1,"jobs":{}}', /must be a list/],
    ['newer', '{"version":2,"jobs":[]}', /version is 2/],
    ['text', 'hello', /not valid JSON5 at line 1/],
    ['cut off', '{"version":1,"jobs":[', /ends too early/],
  ] as const)
    it(`that is ${what} is not taken for an empty one`, async () => {
      await using b = await broken(text);
      await b.damage();
      assert.equal((await b.first.list()).total, 1);
      assert.match((await b.first.status()).problem!, why);
      assert.equal(await readFile(b.s.path, 'utf8'), text);
    });

  it('that nobody may read is no empty one either', async (t) => {
    if (process.getuid?.() === 0) return t.skip('root may read everything');
    await using b = await broken('{"version":1,"jobs":[]}');
    await b.damage();
    await (await import('node:fs/promises')).chmod(b.s.path, 0);
    const second = await b.s.instance();
    assert.match((await second.status()).problem!, /access was refused/);
  });
});

describe('one bad job among good ones', () => {
  const BAD: readonly (readonly [string, unknown, RegExp])[] = [
    ['never', handmade('bad', { schedule: { kind: 'cron', expr: '0 0 31 2 *' } }), /never happens/],
    ['zone', handmade('bad', { schedule: { kind: 'cron', expr: '0 7 * * *', tz: 'Europe/Berln' } }), /Berln/],
    ['expression', handmade('bad', { schedule: { kind: 'cron', expr: '99 7 * * *' } }), /is invalid/],
    ['number', handmade('bad', { schedule: { kind: 'every', everyMs: 'soon' } }), /everyMs/],
    ['no schedule', handmade('bad', { schedule: undefined }), /schedule/],
    ['payload', handmade('bad', { payload: { kind: 'agentTurn' } }), /message/],
    ['main and agentTurn', handmade('bad', { sessionTarget: 'main' }), /main cron jobs require/],
    ['a trigger', handmade('bad', { trigger: { script: 'x' } }), /trigger scripts are not supported/],
    ['no job', 'nonsense', /must be an object/],
    ['a list', [1, 2], /must be an object/],
    ['nothing', null, /must be an object/],
    ['id', handmade('a job'), /id: must be/],
    ['another type', handmade('bad', { name: 7, enabled: 'perhaps' }), /enabled|name/],
  ];
  for (const [what, bad, why] of BAD)
    it(`(${what}) is shown with what is wrong, kept as it is, and the others run`, async () => {
      await using s = await cronInstances();
      await (await s.instance()).close();
      await editJobs(s, [handmade('good'), bad]);
      const cron = await s.instance({ outcome: () => ({ status: 'ok' }) });
      const shown = (await cron.list()).jobs.find(({ problem }) => problem !== undefined)!;
      assert.match(shown.problem!, why);
      assert.deepEqual(
        [shown.nextRunsAtMs, (await cron.status()).problem, cron.get(shown.id)!.problem],
        [[], undefined, shown.problem],
      );
      await s.pass(HOUR);
      assert.deepEqual(s.slots(), [NOON + HOUR]);
      await assert.rejects(cron.run(shown.id, 'force'), { code: 'invalid' });
      await cron.add({ ...hourly, name: 'another' });
      await cron.flush();
      assert.deepEqual((await read(s)).jobs[1], JSON.parse(JSON.stringify(bad)));
    });

  it('can be put right, or removed', async () => {
    await using s = await cronInstances();
    await (await s.instance()).close();
    await editJobs(s, [
      handmade('a', { schedule: { kind: 'cron', expr: '0 0 31 2 *' } }),
      'nonsense',
      handmade('b', { enabled: 'perhaps' }),
    ]);
    const cron = await s.instance();
    const put = await cron.update('a', { schedule: 'every day at 8' });
    assert.deepEqual([put.problem, put.nextRunsAtMs.length], [undefined, 3]);
    await assert.rejects(cron.update('b', { name: 'still wrong' }), /enabled/);
    assert.equal((await cron.update('b', { enabled: true })).problem, undefined);
    const nonsense = (await cron.list()).jobs.find(({ problem }) => problem)!;
    assert.deepEqual(await cron.remove(nonsense.id), { removed: true });
    await cron.flush();
    assert.equal((await read(s)).jobs.length, 2);
  });

  it('may be a second one under one id: the first runs, the second waits for another id', async () => {
    await using s = await cronInstances();
    await (await s.instance()).close();
    await editJobs(s, [handmade('x', { name: 'first' }), handmade('x', { name: 'second' })]);
    const cron = await s.instance({ outcome: () => ({ status: 'ok' }) });
    const { jobs } = await cron.list({ sortBy: 'name' });
    assert.deepEqual(
      jobs.map(({ id, problem }) => [id === 'x', problem?.includes('change the id') ?? false]),
      [
        [true, false],
        [false, true],
      ],
    );
    await cron.flush();
    await editJobs(s, [handmade('x', { name: 'first' }), handmade('x', { name: 'second' }), handmade('y')]);
    assert.equal((await cron.list()).total, 3, 'taken up once');
    await editJobs(s, [handmade('x', { name: 'first' }), handmade('z', { name: 'second' })]);
    assert.ok((await cron.list()).jobs.every(({ problem }) => problem === undefined));
  });
});
