/** Jobs due while the gateway was stopped, and edits of jobs.json: nothing runs twice, nothing is overwritten. */
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { runCli } from '../../src/cli/cli.ts';
import { connect } from '../../src/cli/connect.ts';
import { fakeTerminal } from '../../src/cli/fake.ts';
import { AppError } from '../../src/core/errors.ts';
import { until } from '../../src/testing/until.ts';
import { openTime, soon } from './time-harness.ts';

const say = (text: string) => ({ text: [text] });

describe('time passes while nobody is there', () => {
  it('(T171) a slot missed over a restart runs exactly once, and one that ran does not run again', async () => {
    await using harness = await openTime('missed');
    harness.model([[/./, say('ran')]]);
    const job = await harness.job({
      name: 'Missed',
      schedule: { kind: 'at', atMs: soon(250) },
      payload: { kind: 'agentTurn', message: 'go', deliver: true, channel: 'desk', to: 'ann' },
    });
    await harness.gateway.restart({ while: () => new Promise((resolve) => setTimeout(resolve, 300)) });
    await harness.again();
    assert.equal((await harness.finished(job.id)).status, 'ok');
    await harness.gateway.restart();
    await harness.again();
    assert.equal((await harness.runs(job.id)).length, 1);
    assert.equal(harness.gateway.models.requests.length, 1);
  });

  it('a run under way goes on after the restart, and is one run', async () => {
    await using harness = await openTime('underway');
    harness.gateway.models.reply({ hang: true, text: ['half'] });
    const job = await harness.job({
      name: 'Long',
      schedule: { kind: 'at', atMs: soon() },
      payload: { kind: 'agentTurn', message: 'go', deliver: true, channel: 'desk', to: 'ann' },
    });
    await until(() => harness.gateway.models.requests.length === 1, 'the model call');
    await harness.gateway.restart({ while: () => harness.gateway.models.reply(say('whole')) });
    await harness.again();
    const run = await harness.finished(job.id);
    assert.deepEqual([run.status, run.summary], ['ok', 'whole']);
    await until(() => harness.said().length > 0, 'the answer');
    assert.deepEqual(harness.said(), ['whole']);
  });

  it('the end of the gateway waits neither for a look a job asked for nor for a notice that cannot be sent', async () => {
    await using harness = await openTime('ending');
    harness.model([
      [/hello/, say('hello Ann')],
      [/look at it/, { hang: true, text: ['half'] }],
    ]);
    await harness.desk.write({ text: 'hello' });
    await until(() => harness.said().length > 0, 'somebody to tell');
    harness.desk.failures.push(new AppError('rate_limited', 'Too many messages.', { retryAfterMs: 3_600_000 }));
    const strict = await harness.job({
      name: 'Strict',
      schedule: { kind: 'at', atMs: soon() },
      payload: { kind: 'agentTurn', message: 'x', deliver: true, channel: 'desk', to: 'Nobody!' },
    });
    await harness.finished(strict.id);
    await until(() => harness.desk.failures.length === 0, 'the notice to be tried');
    const job = await harness.job({
      name: 'Wake',
      schedule: { kind: 'at', atMs: soon() },
      sessionTarget: 'main',
      wakeMode: 'now',
      payload: { kind: 'systemEvent', text: 'look at it' },
    });
    await until(() => harness.asked(/look at it/).length > 0, 'the look');
    await harness.gateway.restart({ while: () => harness.gateway.models.reply(say('looked')) });
    await harness.again();
    assert.equal((await harness.finished(job.id)).status, 'ok');
    await until(() => harness.said().some((text) => text.includes('Strict')), 'the notice in the next run');
  });
});

describe('the file', () => {
  const doctor = async ({ gateway }: Awaited<ReturnType<typeof openTime>>): Promise<string> => {
    const io = {
      ...fakeTerminal({
        vars: {
          HOME: gateway.stateDir,
          CLAWDBOT_GATEWAY_PORT: String(gateway.instance.port),
          CLAWDBOT_GATEWAY_TOKEN: 'test-token-of-sufficient-length',
        },
      }),
      connect,
    };
    await runCli(['doctor'], io);
    return io.lines.join('\n');
  };

  it('(T175) edited by hand and broken is never overwritten; corrected it counts again', async () => {
    await using harness = await openTime('broken');
    const path = join(harness.gateway.stateDir, 'cron', 'jobs.json');
    const job = await harness.job({
      name: 'Kept',
      schedule: { kind: 'cron', expr: '0 9 * * *', tz: 'Europe/Berlin' },
      payload: { kind: 'agentTurn', message: 'x' },
    });
    await until(async () => (await readFile(path, 'utf8').catch(() => '')).includes(job.id), 'the file');
    const good = await readFile(path, 'utf8');
    await writeFile(path, `${good.slice(0, -4)} oops`);
    await assert.rejects(harness.chat.call('cron.update', { id: job.id, patch: { name: 'Lost?' } }), /jobs\.json/);
    assert.match((await harness.chat.call('cron.status')).problem, /jobs\.json/);
    assert.match(await doctor(harness), /FAIL {2}cron jobs: .*jobs\.json cannot be read/);
    assert.match(await readFile(path, 'utf8'), /oops$/);
    const aside = (await readdir(dirname(path))).find((name) => name.startsWith('jobs.json.broken-'))!;
    assert.match(await readFile(join(dirname(path), aside), 'utf8'), /oops$/, 'a copy is set aside');
    assert.equal((await harness.chat.call('cron.list')).jobs.length, 1, 'the jobs of the last good file go on');
    await harness.gateway.restart();
    await harness.again();
    assert.deepEqual(
      (await harness.chat.call('cron.list')).jobs.map(({ name }: any) => name),
      ['Kept'],
      'after a restart, too',
    );
    assert.match(await readFile(path, 'utf8'), /oops$/);
    await writeFile(
      path,
      `// JSON5 will do\n${good.replace('"Kept"', '"By hand", note: \'mine\'').replace('"version"', 'version')}`,
    );
    assert.equal((await harness.chat.call('cron.list')).jobs[0].name, 'By hand');
    assert.equal((await harness.chat.call('cron.status')).problem, undefined);
    await harness.chat.call('cron.update', { id: job.id, patch: { name: 'Again' } });
    await until(async () => (await readFile(path, 'utf8')).includes('Again'), 'the file');
    const written = JSON.parse(await readFile(path, 'utf8'));
    assert.deepEqual(
      [written.version, written.jobs.length, written.jobs[0].note],
      [1, 1, 'mine'],
      'what somebody added stays',
    );
    assert.deepEqual(
      Object.keys(written.jobs[0]).filter((key) => key !== 'note'),
      [
        'id',
        'name',
        'enabled',
        'createdAtMs',
        'updatedAtMs',
        'schedule',
        'sessionTarget',
        'wakeMode',
        'payload',
        'state',
      ],
    );
    await until(async () => (await readFile(`${path}.bak`, 'utf8')).includes('Again'), 'the copy');
  });

  it('says what keeps a job from running: an agent that is gone, a schedule nobody can read', async () => {
    await using harness = await openTime('odd', {
      before: async (stateDir) => {
        const { mkdir } = await import('node:fs/promises');
        await mkdir(join(stateDir, 'cron'), { recursive: true });
        const job = (id: string, over: object) => ({
          id,
          name: id,
          enabled: true,
          createdAtMs: 1,
          updatedAtMs: 1,
          schedule: { kind: 'cron', expr: '0 9 * * *' },
          sessionTarget: 'isolated',
          wakeMode: 'next-heartbeat',
          payload: { kind: 'agentTurn', message: 'x' },
          state: {},
          ...over,
        });
        await writeFile(
          join(stateDir, 'cron', 'jobs.json'),
          JSON.stringify({
            version: 1,
            jobs: [
              job('good', {}),
              job('gone', { agentId: 'nobody' }),
              job('never', { schedule: { kind: 'cron', expr: '0 0 31 2 *' } }),
              job('zone', { schedule: { kind: 'cron', expr: '0 9 * * *', tz: 'Europe/Atlantis' } }),
            ],
          }),
        );
      },
    });
    const jobs = (await harness.chat.call('cron.list', { includeDisabled: true })).jobs;
    const problems = Object.fromEntries(jobs.map(({ id, problem }: any) => [id, problem]));
    assert.equal(problems.good, undefined);
    assert.match(problems.gone, /nobody/);
    assert.ok(problems.never && problems.zone);
    assert.match(problems.zone, /Atlantis/);
    assert.match(await doctor(harness), /warn {2}cron jobs: .* \(and 2 more\)/);
  });
});
