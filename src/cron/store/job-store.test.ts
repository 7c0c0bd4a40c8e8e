/** jobs.json: written soon, read however people leave it, never written over when it cannot be read (T175). */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { cronLives, HOUR, MINUTE, NOON, SECOND, TEXT, type CronLives } from '../../testing/cron-lives.ts';
import { until } from '../../testing/until.ts';

const hourly = { schedule: { kind: 'every', everyMs: HOUR }, ...TEXT };
const handmade = (id: string, more: object = {}): object => ({ id, name: id, enabled: true, createdAtMs: NOON, updatedAtMs: NOON, schedule: { kind: 'every', everyMs: HOUR }, sessionTarget: 'isolated', wakeMode: 'now', payload: { kind: 'agentTurn', message: 'look' }, ...more });
const read = async (s: CronLives): Promise<any> => JSON.parse(await readFile(s.path, 'utf8'));

/** As an editor does it; at a time of its own, however fast the test is. */
async function edit(s: CronLives, text: string): Promise<void> {
  await mkdir(dirname(s.path), { recursive: true });
  await writeFile(s.path, text);
  const { mtimeMs } = await stat(s.path);
  await utimes(s.path, mtimeMs / 1000, mtimeMs / 1000 + 1 + Math.random());
}
const editJobs = (s: CronLives, jobs: readonly unknown[], head: object = {}): Promise<void> => edit(s, JSON.stringify({ version: 1, ...head, jobs }, null, 2));
const names = async (cron: Awaited<ReturnType<CronLives['life']>>): Promise<string[]> => (await cron.list({ includeDisabled: true, sortBy: 'name' })).jobs.map(({ name }) => name);

describe('jobs.json', () => {
  it('holds one job a line, privately, with its last good copy beside it', async () => {
    await using s = await cronLives();
    const cron = await s.life();
    await cron.add({ ...hourly, name: 'one' });
    await cron.add({ ...hourly, name: 'two' });
    await cron.flush();
    const text = await readFile(s.path, 'utf8');
    assert.deepEqual(text.split('\n').map((line) => line.trim().slice(0, 9)), ['{', '"version"', '"jobs": [', '{"id":"' + text.split('\n')[3]!.trim().slice(7, 9), '{"id":"' + text.split('\n')[4]!.trim().slice(7, 9), ']', '}', '']);
    assert.equal((await stat(s.path)).mode & 0o777, 0o600);
    assert.equal(await readFile(`${s.path}.bak`, 'utf8'), text);
    assert.equal((await read(s)).jobs[0].state.nextRunAtMs, NOON + HOUR);
  });

  it('follows by itself, many changes in one write', async () => {
    await using s = await cronLives();
    const cron = await s.life();
    for (const name of ['a', 'b', 'c']) await cron.add({ ...hourly, name });
    assert.equal(s.journal.cron.redo().length, 3, 'durable before');
    await s.pass(2 * SECOND);
    await until(() => s.journal.cron.redo().length === 0, 'the file to be written');
    assert.deepEqual((await read(s)).jobs.map((job: { name: string }) => job.name), ['a', 'b', 'c']);
  });

  it('that was never written is no loss: the next life has the changes', async () => {
    await using s = await cronLives();
    const first = await s.life();
    const { id } = await first.add({ ...hourly, name: 'kept' });
    await first.add({ ...hourly, name: 'other' });
    await first.flush();
    await first.update(id, { name: 'renamed' });
    const gone = (await first.list()).jobs.find(({ name }) => name === 'other')!;
    await first.remove(gone.id);
    const second = await s.life();
    assert.deepEqual(await names(second), ['renamed']);
  });

  it('keeps what it does not know, in the job and beside the jobs', async () => {
    await using s = await cronLives();
    const first = await s.life();
    await first.close();
    await editJobs(s, [handmade('mine', { colour: 'green', payload: { kind: 'agentTurn', message: 'look', mood: 'calm' } })], { note: 'do not touch' });
    const cron = await s.life();
    await cron.update('mine', { description: 'x' });
    await cron.flush();
    const { note, jobs } = await read(s);
    assert.deepEqual([note, jobs[0].colour, jobs[0].payload.mood, jobs[0].description], ['do not touch', 'green', 'calm', 'x']);
  });

  it('is read as JSON5, with what other eras wrote', async () => {
    await using s = await cronLives();
    await (await s.life()).close();
    await edit(s, `\ufeff// jobs of mine
    { version: 1, jobs: [
      { id: 'old', name: 'old', enabled: 'true', createdAtMs: ${NOON - HOUR}, schedule: { kind: 'at', at: '2026-01-15T13:00:00Z' }, payload: { kind: 'agentTurn', message: 'hi', provider: 'Telegram', to: 42 } },
      { name: 'no id, words', schedule: 'every weekday at 7', delivery: { mode: 'announce', channel: 'slack', to: 'C1' }, payload: { message: 'report' } },
    ] }`);
    const cron = await s.life();
    const [old, words] = (await cron.list({ sortBy: 'name', sortDir: 'desc' })).jobs;
    assert.deepEqual([old!.schedule, old!.payload], [{ kind: 'at', atMs: NOON + HOUR }, { kind: 'agentTurn', message: 'hi', channel: 'telegram', to: '42' }]);
    assert.deepEqual([words!.schedule, words!.payload], [{ kind: 'cron', expr: '0 7 * * 1-5', tz: 'Europe/Berlin' }, { kind: 'agentTurn', message: 'report', deliver: true, channel: 'slack', to: 'C1' }]);
    await s.pass(10 * SECOND);
    await until(async () => (await read(s).catch(() => ({}))).jobs?.[1].id === words!.id, 'what was filled in to be written');
    assert.equal((await s.life()).get(words!.id)!.name, 'no id, words');
  });
});

describe('jobs.json edited by hand', () => {
  it('while the gateway runs is taken up at the next call, and by itself within a minute', async () => {
    await using s = await cronLives();
    const cron = await s.life();
    await cron.add({ ...hourly, name: 'was here' });
    await cron.flush();
    const { jobs } = await read(s);
    await editJobs(s, [...jobs, handmade('by-hand')]);
    assert.deepEqual(await names(cron), ['by-hand', 'was here']);
    await editJobs(s, [handmade('by-hand', { schedule: { kind: 'every', everyMs: MINUTE } })]);
    await s.pass(61 * SECOND);
    await until(() => s.news.at(-1)?.action === 'removed', 'the change to be noticed');
    assert.deepEqual(s.news.slice(-2).map(({ action }) => action), ['updated', 'removed']);
    await s.pass(2 * MINUTE);
    assert.ok(s.slots('by-hand').length > 0, 'it runs under its new schedule');
  });

  it('wins, except over what was changed here since', async () => {
    await using s = await cronLives();
    const cron = await s.life();
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
    await using s = await cronLives();
    const first = await s.life();
    await first.add({ ...hourly, name: 'a' });
    await first.close();
    const { jobs } = await read(s);
    await s.pass(5 * HOUR);
    await editJobs(s, [{ ...jobs[0], schedule: { kind: 'every', everyMs: 2 * HOUR } }]);
    const cron = await s.life({ outcome: () => ({ status: 'ok' }) });
    await s.pass(MINUTE);
    assert.deepEqual([s.runs.length, cron.get(jobs[0].id)!.state.nextRunAtMs], [0, NOON + 6 * HOUR]);
  });

  it('and removed with its state keeps no job from running again under its id', async () => {
    await using s = await cronLives();
    const first = await s.life({ outcome: () => ({ status: 'ok' }) });
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
    await using s = await cronLives();
    const cron = await s.life();
    await cron.add(hourly);
    await cron.flush();
    await rm(s.path);
    await cron.list();
    await cron.flush();
    assert.equal((await read(s)).jobs.length, 1);
    await cron.close();
    await rm(s.path);
    const second = await s.life();
    assert.equal((await second.status()).jobs, 0);
    assert.ok((await readdir(dirname(s.path))).some((name) => name.startsWith('jobs.json.gone-')), 'its last copy is not written over');
  });
});

describe('jobs.json that cannot be read (T175)', () => {
  const BROKEN = '{ "version": 1,\n  "jobs": [\n    {"id": "a", "name": "secret words"\n';

  async function broken(text = BROKEN) {
    const s = await cronLives();
    const first = await s.life({ outcome: () => ({ status: 'ok' }) });
    const { id } = await first.add({ ...hourly, name: 'goes on' });
    await first.flush();
    return { s, id, first, [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](), damage: () => edit(s, text) };
  }
  const aside = async (s: CronLives): Promise<string[]> => (await readdir(dirname(s.path))).filter((name) => name.startsWith('jobs.json.broken-'));

  it('is set aside once and never written over; its jobs go on, and every change is refused with what to do', async () => {
    await using b = await broken();
    await b.damage();
    await assert.rejects(b.first.add(hourly), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'conflict');
      assert.match(error.message, /jobs\.json cannot be read: not valid JSON5 at line \d+.*Correct it, or copy .*\.bak over it.*broken-/);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
    for (const change of [() => b.first.update(b.id, { name: 'x' }), () => b.first.remove(b.id)]) await assert.rejects(change(), { code: 'conflict' });
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
    const second = await b.s.life({ outcome: () => ({ status: 'ok' }) });
    assert.deepEqual([second.get(b.id)?.name, second.get(b.id)?.state.nextRunAtMs, b.s.runs.length], ['goes on', NOON + 2 * HOUR, 1]);
    await b.s.pass(HOUR);
    assert.equal(b.s.runs.length, 2);
    const third = await b.s.life();
    assert.deepEqual([(await third.status()).jobs, (await aside(b.s)).length], [1, 1], 'still one copy of it');
  });

  it('is read again as soon as it can be', async () => {
    await using b = await broken();
    const good = await readFile(b.s.path, 'utf8');
    await b.damage();
    assert.equal((await b.first.list()).total, 1);
    await edit(b.s, good.replace('"jobs": [\n', `"jobs": [\n${JSON.stringify(handmade('added'))},\n`));
    await b.first.add({ ...hourly, name: 'new' });
    assert.deepEqual([await names(b.first), (await b.first.status()).problem], [['added', 'goes on', 'new'], undefined]);
  });

  it('keeps a job that was done meanwhile from coming back', async () => {
    await using s = await cronLives();
    const cron = await s.life({ outcome: () => ({ status: 'ok' }) });
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
    ['empty', '   \n', /it is empty/], ['a list', '[]', /must hold one object/], ['without jobs', '{"version":1}', /must hold one object/], ['jobs that are no list', '{"version":1,"jobs":{}}', /must be a list/],
    ['newer', '{"version":2,"jobs":[]}', /version is 2/], ['text', 'hello', /not valid JSON5 at line 1/], ['cut off', '{"version":1,"jobs":[', /ends too early/],
  ] as const) it(`that is ${what} is not taken for an empty one`, async () => {
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
    const second = await b.s.life();
    assert.match((await second.status()).problem!, /access was refused/);
  });
});

describe('one bad job among good ones', () => {
  const BAD: readonly (readonly [string, unknown, RegExp])[] = [
    ['never', handmade('bad', { schedule: { kind: 'cron', expr: '0 0 31 2 *' } }), /never happens/],
    ['zone', handmade('bad', { schedule: { kind: 'cron', expr: '0 7 * * *', tz: 'Europe/Berln' } }), /Berln/],
    ['expression', handmade('bad', { schedule: { kind: 'cron', expr: '99 7 * * *' } }), /cannot be read/],
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
  for (const [what, bad, why] of BAD) it(`(${what}) is shown with what is wrong, kept as it is, and the others run`, async () => {
    await using s = await cronLives();
    await (await s.life()).close();
    await editJobs(s, [handmade('good'), bad]);
    const cron = await s.life({ outcome: () => ({ status: 'ok' }) });
    const shown = (await cron.list()).jobs.find(({ problem }) => problem !== undefined)!;
    assert.match(shown.problem!, why);
    assert.deepEqual([shown.nextRunsAtMs, (await cron.status()).problem, cron.get(shown.id)!.problem], [[], undefined, shown.problem]);
    await s.pass(HOUR);
    assert.deepEqual(s.slots(), [NOON + HOUR]);
    await assert.rejects(cron.run(shown.id, 'force'), { code: 'invalid' });
    await cron.add({ ...hourly, name: 'another' });
    await cron.flush();
    assert.deepEqual((await read(s)).jobs[1], JSON.parse(JSON.stringify(bad)));
  });

  it('can be put right, or removed', async () => {
    await using s = await cronLives();
    await (await s.life()).close();
    await editJobs(s, [handmade('a', { schedule: { kind: 'cron', expr: '0 0 31 2 *' } }), 'nonsense', handmade('b', { enabled: 'perhaps' })]);
    const cron = await s.life();
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
    await using s = await cronLives();
    await (await s.life()).close();
    await editJobs(s, [handmade('x', { name: 'first' }), handmade('x', { name: 'second' })]);
    const cron = await s.life({ outcome: () => ({ status: 'ok' }) });
    const { jobs } = await cron.list({ sortBy: 'name' });
    assert.deepEqual(jobs.map(({ id, problem }) => [id === 'x', problem?.includes('another id') ?? false]), [[true, false], [false, true]]);
    await cron.flush();
    await editJobs(s, [handmade('x', { name: 'first' }), handmade('x', { name: 'second' }), handmade('y')]);
    assert.equal((await cron.list()).total, 3, 'taken up once');
    await editJobs(s, [handmade('x', { name: 'first' }), handmade('z', { name: 'second' })]);
    assert.ok((await cron.list()).jobs.every(({ problem }) => problem === undefined));
  });
});

describe('ten thousand jobs', () => {
  it('are written and read without holding the event loop, and come back as they were', async () => {
    await using s = await cronLives();
    await (await s.life()).close();
    const jobs = Array.from({ length: 2000 }, (_, nth) => handmade(`job-${nth}`, { payload: { kind: 'agentTurn', message: `a line "${nth}"\nand another` } }));
    await editJobs(s, jobs);
    const cron = await s.life();
    await cron.update('job-7', { name: 'changed' });
    await cron.flush();
    const text = await readFile(s.path, 'utf8');
    assert.equal(text.split('\n').length, 2000 + 6);
    await cron.close();
    const again = await s.life();
    assert.deepEqual([(await again.status()).jobs, again.get('job-7')!.name, (again.get('job-1999')!.payload as { message: string }).message], [2000, 'changed', 'a line "1999"\nand another']);
    assert.equal(join(s.dir, 'cron', 'jobs.json'), s.path);
  });
});
