import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startTimeOf, stillRuns } from '../../../platform/process-identity.ts';
import { until } from '../../../testing/until.ts';
import { startChildProgram } from './child-program.ts';
import { whenIdle } from './progress.ts';

const never = new AbortController().signal;
const shell = (script: string) =>
  startChildProgram({ command: '/bin/sh', args: ['-c', script], env: { PATH: '/usr/bin:/bin' } });

describe('a program beside the gateway', { skip: process.platform === 'win32' && 'no /bin/sh here' }, () => {
  test('what it writes is found when it comes, and when it came already', async () => {
    const one = await shell('echo "first 1" >&2; sleep 60');
    assert.equal((await one.says(/first (\d)/, never))![1], '1');
    assert.equal((await one.says(/first (\d)/, never))![1], '1');
    const given = new AbortController();
    const waits = one.says(/second/, given.signal);
    given.abort(new Error('given up'));
    await assert.rejects(waits, /given up/);
    await one.end(0);
    assert.equal(await stillRuns(one.pid, one.birth), false);
  });

  test('one that ends without it says so, and how it ended', async () => {
    const one = await shell('echo "last words" >&2; exit 3');
    assert.equal(await one.says(/never/, never), undefined);
    assert.deepEqual(await one.exited, { code: 3, signalName: null });
    assert.match(one.said(), /last words/);
  });

  test('what it started ends with it', async () => {
    const one = await shell('sleep 60 & echo "child $!" >&2; wait');
    const child = Number((await one.says(/child (\d+)/, never))![1]);
    const birth = (await startTimeOf(child))!;
    await one.end(0);
    await until(async () => !(await stillRuns(child, birth)));
  });

  test('one that uses no processor time is found idle', {
    skip: process.platform !== 'linux' && 'only Linux says',
  }, async () => {
    // The process must have used some processor time first.
    const one = await shell('i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; echo ready >&2; exec sleep 60');
    await one.says(/ready/, never);
    await whenIdle(one.pid, { seconds: 1, signal: never });
    await one.end(0);
  });
});
