/** Processes in the foreground as the tools use them: real ones, from start to the last trace. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { processHarness, specOf } from '../../../testing/processes-harness.ts';
import { until } from '../../../testing/until.ts';

const SHOWN = { headChars: 8_000, tailChars: 22_000 };
const folders = async (dir: string): Promise<readonly string[]> =>
  (await readdir(dir)).filter((name) => !name.startsWith('.'));

describe('a command in the foreground', () => {
  it('gives both streams in order, its code, and leaves no trace', async () => {
    await using harness = await processHarness();
    const started = await harness.start('echo one; echo two >&2; echo three; exit 3');
    const view = await started.ended;
    assert.deepEqual([view.status, view.exitCode, view.exitSignal, view.endReason], ['failed', 3, undefined, 'exit']);
    assert.deepEqual(await started.read(SHOWN), { output: 'one\ntwo\nthree\n', cut: 0 });
    await started.discard();
    await until(async () => (await folders(harness.dir)).length === 0);
    assert.deepEqual(await harness.registry.list(), []);
    assert.equal(await harness.registry.wasNotified(started.id), true);
  });

  it('T26 a signal is named, also when the shell tells of it by its code', async () => {
    await using harness = await processHarness();
    const killed = await (await harness.start('kill -9 $$')).ended;
    assert.deepEqual(
      [killed.exitCode, killed.exitSignal, killed.endReason, killed.tail],
      [137, 'SIGKILL', 'signal', ''],
    );
    const child = await (await harness.start('(kill -TERM $BASHPID); exit $?')).ended;
    assert.deepEqual([child.exitCode, child.exitSignal], [143, 'SIGTERM']);
    assert.equal((await (await harness.start('exit 255')).ended).exitSignal, undefined);
  });

  it('sees its own environment and nothing of ours', async () => {
    await using harness = await processHarness();
    const started = await harness.start('', { argv: ['/usr/bin/env'], env: { B: 'x y', A: '' } });
    await started.ended;
    const { output } = await started.read(SHOWN);
    const names = output
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('_='));
    assert.deepEqual(names.sort(), ['A=', 'B=x y', `CLAWDBOT_PROCESS=${/CLAWDBOT_PROCESS=(.*)/.exec(output)![1]}`]);
  });

  it('starts with the signals of the system and no open files but its own three', async () => {
    await using harness = await processHarness();
    const started = await harness.start('', {
      argv: ['/bin/sh', '-c', 'cat /proc/self/status; for fd in 0 1 2; do readlink /proc/self/fd/$fd; done'],
    });
    await started.ended;
    const { output } = await started.read(SHOWN);
    assert.deepEqual(
      [...output.matchAll(/^Sig(?:Blk|Ign|Cgt):\t(\w+)$/gm)].map(([, mask]) => Number.parseInt(mask!, 16)),
      [0, 0, 0],
    );
    const folder = `${harness.dir}/${started.id}`;
    assert.deepEqual(output.trim().split('\n').slice(-3), [`${folder}/in`, `${folder}/out`, `${folder}/out`]);
  });

  it('a program that is not there is a sentence, and no trace', async () => {
    await using harness = await processHarness();
    const missing = await harness.registry.start(specOf('x', { argv: ['/nowhere/program'] }));
    assert.ok('problem' in missing && /\/nowhere\/program does not exist/.test(missing.problem));
    const nowhere = await harness.registry.start(specOf('true', { cwd: '/nowhere' }));
    assert.ok('problem' in nowhere && /folder \/nowhere does not exist/.test(nowhere.problem));
    assert.deepEqual(await folders(harness.dir), []);
  });

  it('a disk in trouble is a sentence, too', async () => {
    await using harness = await processHarness({ dir: '/dev/null/processes' });
    const refused = await harness.registry.start(specOf('true'));
    assert.ok(
      'problem' in refused &&
        refused.problem.startsWith('The command was not started: Could not create the directory /dev/null'),
      JSON.stringify(refused),
    );
  });

  it('what the system itself refuses is a sentence, and no handle stays open', async () => {
    await using harness = await processHarness();
    const first = await harness.start('true');
    await first.ended;
    await first.discard();
    await until(async () => (await folders(harness.dir)).length === 0);
    const open = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
    const before = await open();
    for (const more of [
      { argv: ['/bin/sh', '-c', 'x'.repeat(300_000)] },
      { argv: ['/bin/sh', '-c', 'tr\0ue'] },
      { argv: ['/nowhere'] },
      { cwd: '/nowhere' },
    ] as const) {
      const refused = await harness.registry.start(specOf('x', more));
      assert.ok(
        'problem' in refused && /too long|null character|does not exist/.test(refused.problem),
        JSON.stringify(refused),
      );
    }
    await until(async () => (await open()) <= before);
    assert.deepEqual(await folders(harness.dir), []);
  });

  it('an end from outside is explained in its output', async () => {
    await using harness = await processHarness();
    const started = await harness.start('echo working; kill -9 $$', {
      lastWord: async () => 'It used too much memory.',
    });
    assert.equal((await started.ended).exitCode, 137);
    assert.equal((await started.read(SHOWN)).output, 'working\n\nIt used too much memory.\n');
    const aborted = await harness.start('sleep 300', { lastWord: async () => 'It used too much memory.' });
    await aborted.abort();
    assert.equal((await aborted.read(SHOWN)).output, '');
  });

  it('many that end at the same time cost a few looks at all processes, not one each', async () => {
    await using harness = await processHarness();
    const all = await Promise.all(Array.from({ length: 40 }, () => harness.start('sleep 300')));
    await harness.registry.suspend();
    assert.deepEqual(
      new Set((await Promise.all(all.map(({ ended }) => ended))).map(({ endReason }) => endReason)),
      new Set(['aborted']),
    );
    assert.deepEqual(await harness.alive(), []);
  });

  it('T11 an abort ends it with all its children, whatever they do', async () => {
    await using harness = await processHarness();
    const started = await harness.start(
      `trap '' TERM; sleep 300 & (trap '' TERM; setsid sleep 301 >/dev/null 2>&1 </dev/null &) ; (env -i ` +
        '/bin/sleep 302 &) ; echo ready; sleep 303',
    );
    await new Promise<void>((resolve) => {
      started.onOutput((tail) => tail.includes('ready') && resolve());
    });
    assert.ok((await harness.alive()).length >= 4);
    await started.abort();
    const view = await started.ended;
    assert.deepEqual([view.status, view.endReason], ['failed', 'aborted']);
    assert.deepEqual(await harness.alive(), []);
    assert.deepEqual(await started.read(SHOWN), { output: 'ready\n', cut: 0 });
  });

  it('is asked before it is made to end, so that it may clean up', async () => {
    await using harness = await processHarness();
    const started = await harness.start(`trap 'echo cleaned; exit 7' TERM; echo ready; while :; do sleep 0.02; done`);
    await new Promise<void>((resolve) => {
      started.onOutput((tail) => tail.includes('ready') && resolve());
    });
    await started.abort();
    const view = await started.ended;
    assert.deepEqual([view.exitCode, view.endReason], [7, 'aborted']);
    assert.match(view.tail, /^ready\n(Terminated\n)?cleaned\n$/);
  });

  it('tells its tail while it runs, with whole characters and without colours', async () => {
    await using harness = await processHarness();
    const started = await harness.start(
      String.raw`printf '\033[31mred\033[0m \303'; sleep 0.2; printf '\251\n'; sleep 300`,
    );
    const tails: string[] = [];
    started.onOutput((tail) => tails.push(tail));
    await until(() => tails.at(-1) === 'red é\n');
    await started.abort();
  });
});

describe('what a command leaves behind', () => {
  it('T28 a child in its group: the result comes at once, the process goes on, and kill ends it', async () => {
    await using harness = await processHarness();
    const started = await harness.start('sleep 300 & until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done; echo done');
    const view = await started.ended;
    assert.deepEqual(
      [view.status, view.exitCode, view.leftBehind?.map(({ name }) => name)],
      ['completed', 0, ['sleep']],
    );
    assert.equal((await started.read(SHOWN)).output, 'done\n');
    await started.discard();
    const [listed] = await harness.registry.list();
    assert.deepEqual([listed?.sessionId, listed?.status, listed?.leftBehind?.length], [started.id, 'running', 1]);
    await harness.registry.of('main').kill(started.id);
    assert.deepEqual(await harness.alive(), []);
    assert.equal((await harness.registry.list())[0]?.status, 'completed');
    assert.deepEqual(harness.exits, []);
  });

  it('the timeout counts for its group', async () => {
    await using harness = await processHarness();
    const started = await harness.start('sleep 300 & echo done', { timeoutMs: 300 });
    await started.ended;
    await until(async () => (await harness.alive()).length === 0);
    await until(async () => (await harness.registry.list())[0]?.status !== 'running');
  });

  it('a child in a session of its own is found after the result, listed, and ended by remove', async () => {
    await using harness = await processHarness();
    const started = await harness.start(
      `(setsid sh -c 'echo > ${harness.dir}/.up; exec sleep 300' >/dev/null 2>&1 </dev/null &); until [ -e ` +
        `${harness.dir}/.up ]; do sleep 0.01; done; echo done`,
      { timeoutMs: 10_000 },
    );
    const view = await started.ended;
    assert.deepEqual([view.status, view.leftBehind], ['completed', undefined]);
    await started.discard();
    const listed = await until(async () => (await harness.registry.list())[0]);
    assert.deepEqual([listed.status, listed.leftBehind?.map(({ name }) => name)], ['completed', ['sleep']]);
    assert.equal(await harness.registry.of('main').clear(started.id), 'running');
    assert.equal(await harness.registry.of('main').remove(started.id), 'removed');
    assert.deepEqual(await harness.alive(), []);
  });

  it('a child that closed all its files ends with the command', async () => {
    await using harness = await processHarness();
    const started = await harness.background('sleep 300 >&- 2>&- <&- & sleep 301');
    await harness.registry.of('main').kill(started.id);
    assert.deepEqual(await harness.alive(), []);
  });
});
