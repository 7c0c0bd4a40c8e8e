/** jobs.json: written soon, read however people leave it, never written over when it cannot be read (T175). */
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { cronInstances, HOUR, NOON, SECOND } from '../harness.ts';
import { until } from '../../../testing/until.ts';
import { hourly, handmade, read, edit, editJobs, names } from './harness.ts';

describe('jobs.json', () => {
  it('holds one job a line, privately, with its last good copy beside it', async () => {
    await using s = await cronInstances();
    const cron = await s.instance();
    await cron.add({ ...hourly, name: 'one' });
    await cron.add({ ...hourly, name: 'two' });
    await cron.flush();
    const text = await readFile(s.path, 'utf8');
    assert.deepEqual(
      text.split('\n').map((line) => line.trim().slice(0, 9)),
      [
        '{',
        '"version"',
        '"jobs": [',
        '{"id":"' + text.split('\n')[3]!.trim().slice(7, 9),
        '{"id":"' + text.split('\n')[4]!.trim().slice(7, 9),
        ']',
        '}',
        '',
      ],
    );
    assert.equal((await stat(s.path)).mode & 0o777, 0o600);
    assert.equal(await readFile(`${s.path}.bak`, 'utf8'), text);
    assert.equal((await read(s)).jobs[0].state.nextRunAtMs, NOON + HOUR);
  });

  it('follows by itself, many changes in one write', async () => {
    await using s = await cronInstances();
    const cron = await s.instance();
    for (const name of ['a', 'b', 'c']) await cron.add({ ...hourly, name });
    assert.equal((await s.ledger.redo()).length, 3, 'durable before');
    await s.pass(2 * SECOND);
    await until(async () => (await s.ledger.redo()).length === 0, 'the file to be written');
    assert.deepEqual(
      (await read(s)).jobs.map((job: { name: string }) => job.name),
      ['a', 'b', 'c'],
    );
  });

  it('that was never written is no loss: the next run has the changes', async () => {
    await using s = await cronInstances();
    const first = await s.instance();
    const { id } = await first.add({ ...hourly, name: 'kept' });
    await first.add({ ...hourly, name: 'other' });
    await first.flush();
    await first.update(id, { name: 'renamed' });
    const gone = (await first.list()).jobs.find(({ name }) => name === 'other')!;
    await first.remove(gone.id);
    const second = await s.instance();
    assert.deepEqual(await names(second), ['renamed']);
  });

  it('keeps what it does not know, in the job and beside the jobs', async () => {
    await using s = await cronInstances();
    const first = await s.instance();
    await first.close();
    await editJobs(
      s,
      [handmade('mine', { colour: 'green', payload: { kind: 'agentTurn', message: 'look', mood: 'calm' } })],
      { note: 'do not touch' },
    );
    const cron = await s.instance();
    await cron.update('mine', { description: 'x' });
    await cron.flush();
    const { note, jobs } = await read(s);
    assert.deepEqual(
      [note, jobs[0].colour, jobs[0].payload.mood, jobs[0].description],
      ['do not touch', 'green', 'calm', 'x'],
    );
  });

  it('is read as JSON5, with what other eras wrote', async () => {
    await using s = await cronInstances();
    await (await s.instance()).close();
    await edit(
      s,
      `\ufeff// jobs of mine
    { version: 1, jobs: [
      { id: 'old', name: 'old', enabled: 'true', createdAtMs: ${NOON - HOUR}, schedule: { kind: 'at', at: '2026-01-15T13:00:00Z' }, payload: { kind: 'agentTurn', message: 'hi', provider: 'Telegram', to: 42 } },
      { name: 'no id, words', schedule: 'every weekday at 7', delivery: { mode: 'announce', channel: 'slack', to: 'C1' }, payload: { message: 'report' } },
    ] }`,
    );
    const cron = await s.instance();
    const [old, words] = (await cron.list({ sortBy: 'name', sortDir: 'desc' })).jobs;
    assert.deepEqual(
      [old!.schedule, old!.payload],
      [
        { kind: 'at', atMs: NOON + HOUR },
        { kind: 'agentTurn', message: 'hi', channel: 'telegram', to: '42' },
      ],
    );
    assert.deepEqual(
      [words!.schedule, words!.payload],
      [
        { kind: 'cron', expr: '0 7 * * 1-5', tz: 'Europe/Berlin' },
        { kind: 'agentTurn', message: 'report', deliver: true, channel: 'slack', to: 'C1' },
      ],
    );
    await s.pass(10 * SECOND);
    await until(
      async () => (await read(s).catch(() => ({}))).jobs?.[1].id === words!.id,
      'what was filled in to be written',
    );
    assert.equal((await s.instance()).get(words!.id)!.name, 'no id, words');
  });
});

describe('ten thousand jobs', () => {
  it('are written and read without holding the event loop, and come back as they were', async () => {
    await using s = await cronInstances();
    await (await s.instance()).close();
    const jobs = Array.from({ length: 2000 }, (_, nth) =>
      handmade(`job-${nth}`, { payload: { kind: 'agentTurn', message: `a line "${nth}"\nand another` } }),
    );
    await editJobs(s, jobs);
    const cron = await s.instance();
    await cron.update('job-7', { name: 'changed' });
    await cron.flush();
    const text = await readFile(s.path, 'utf8');
    assert.equal(text.split('\n').length, 2000 + 6);
    await cron.close();
    const again = await s.instance();
    assert.deepEqual(
      [
        (await again.status()).jobs,
        again.get('job-7')!.name,
        (again.get('job-1999')!.payload as { message: string }).message,
      ],
      [2000, 'changed', 'a line "1999"\nand another'],
    );
    assert.equal(join(s.dir, 'cron', 'jobs.json'), s.path);
  });
});
