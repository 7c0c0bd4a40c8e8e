/**
 * T38 Processes across restarts of the gateway: the real one is killed, or closes, and the next one takes up what it
 * left.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { aliveIn, pollUntil, processHarness, specOf, type ProcessHarness } from '../../../testing/processes-harness.ts';
import { built } from '../../../testing/built.ts';
import { until } from '../../../testing/until.ts';
import { tempDir } from '../../../testing/temp-dir.ts';

const child = built('src/testing/process-keeper-child.ts');
const now = { waitMs: 0, signal: new AbortController().signal };

/** A first run that starts the commands and is killed; `how:` before each says in what role. */
async function killedInstance(
  dir: string,
  commands: readonly string[],
  before: (ids: readonly string[]) => Promise<void> = async () => {},
): Promise<readonly string[]> {
  const instance = spawn(process.execPath, [child, dir, ...commands], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(instance.stdout, 'data')) as [Buffer];
  const ids = JSON.parse(line.toString()) as string[];
  await before(ids);
  const exited = once(instance, 'exit');
  instance.kill('SIGKILL');
  await exited;
  return ids;
}

const nextInstance = (dir: string, more: Parameters<typeof processHarness>[0] = {}): Promise<ProcessHarness> =>
  processHarness({ dir, ownerExists: ({ agentId }) => agentId === 'main', ...more });
const statuses = async (harness: ProcessHarness): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await harness.registry.list()).map(({ sessionId, status, exitCode, endReason }) => [
      sessionId,
      `${status} ${exitCode ?? ''} ${endReason ?? ''}`.trim(),
    ]),
  );

describe('T38 after the gateway was killed', () => {
  it('what runs is watched again: output without a gap, input still open, its end reported', async () => {
    await using temp = await tempDir('restart');
    const [id] = await killedInstance(temp.path, [
      'background:echo before; read a; echo got $a; read b; echo end; exit 5',
    ]);
    await using harness = await nextInstance(temp.path);
    assert.deepEqual(await harness.registry.attach(), { running: 1, endedMeanwhile: 0, killed: 0 });
    const mine = harness.registry.of('main');
    assert.equal(await pollUntil(harness.registry, id!, (output) => output.length > 0), 'before\n');
    assert.equal(await mine.write(id!, 'one\n'), 4);
    assert.equal(await pollUntil(harness.registry, id!, (output) => output.length > 0), 'got one\n');
    assert.equal(await mine.write(id!, 'two', { eof: true }), 3);
    await until(() => harness.exits.length === 1);
    assert.equal(await pollUntil(harness.registry, id!, (_, status) => status !== 'running'), 'end\n');
    assert.deepEqual([harness.exits[0]?.view.exitCode, harness.exits[0]?.owner.turnId], [5, 'turn']);
    assert.equal(await harness.registry.wasNotified(id!), true);
  });

  it('none of them sees the end of its input because we went', async () => {
    await using temp = await tempDir('restart');
    const ids = await killedInstance(
      temp.path,
      Array.from({ length: 4 }, (_, index) => `background:cat; echo ${index} saw the end`),
    );
    await using harness = await nextInstance(temp.path);
    await harness.registry.attach();
    const mine = harness.registry.of('main');
    for (const id of ids) assert.equal(await mine.write(id, `to ${id}\n`), id.length + 4);
    for (const id of ids)
      assert.equal(await pollUntil(harness.registry, id, (output) => output.length > 0), `to ${id}\n`);
    await mine.write(ids[2]!, '', { eof: true });
    assert.equal(await pollUntil(harness.registry, ids[2]!, (_, status) => status !== 'running'), '2 saw the end\n');
    assert.equal((await harness.registry.list()).filter(({ status }) => status === 'running').length, 3);
  });

  it('what ended meanwhile is reported with its code, or as lost', async () => {
    await using temp = await tempDir('restart');
    const [ended, lost] = await killedInstance(temp.path, [
      'background:read a; exit 3',
      'background:echo mine; read a',
    ]);
    await writeFile(`${temp.path}/${ended}/in`, '\n', { flag: 'r+' });
    await using harness = await nextInstance(temp.path);
    await until(async () => (await readdir(`${temp.path}/${ended}`)).includes('exit'));
    const { holder: victim } = JSON.parse(await readFile(`${temp.path}/${lost}/meta.json`, 'utf8')) as {
      holder: { pid: number };
    };
    process.kill(-victim.pid, 'SIGKILL');
    await until(async () => (await aliveIn(temp.path)).length === 0);
    assert.deepEqual(await harness.registry.attach(), { running: 0, endedMeanwhile: 2, killed: 0 });
    await until(() => harness.exits.length === 2);
    assert.deepEqual(await statuses(harness), { [ended!]: 'failed 3 exit', [lost!]: 'failed  lost' });
  });

  it('orphans end: foreground commands, those of a removed agent, and those without a record', async () => {
    await using temp = await tempDir('restart');
    const ids = await killedInstance(
      temp.path,
      [
        'foreground:sleep 300',
        'orphan:sleep 301 & sleep 302',
        'background:sleep 303',
        'background:(setsid sleep 304 &); sleep 305',
      ],
      async ([, , , unrecorded]) => {
        // A process that is just becoming another program has no readable mark, so it cannot be found yet.
        await until(async () => (await aliveIn(temp.path)).filter((each) => each.includes(' sleep')).length === 6);
        await rm(`${temp.path}/${unrecorded}`, { recursive: true });
      },
    );
    await using harness = await nextInstance(temp.path);
    assert.deepEqual(await harness.registry.attach(), { running: 1, endedMeanwhile: 0, killed: 3 });
    assert.deepEqual(
      (await harness.registry.list()).map(({ sessionId }) => sessionId),
      [ids[2]],
    );
    assert.deepEqual((await harness.alive()).map((each) => each.split(' ')[1]).sort(), ['sh', 'sleep']);
    assert.deepEqual(harness.exits, []);
  });

  it('the timeout goes on counting from the start', async () => {
    await using temp = await tempDir('restart');
    const [id] = await killedInstance(temp.path, ['background:sleep 300']);
    const path = `${temp.path}/${id}/meta.json`;
    await writeFile(path, JSON.stringify({ ...(JSON.parse(await readFile(path, 'utf8')) as object), timeoutMs: 1 }));
    await using harness = await nextInstance(temp.path);
    await harness.registry.attach();
    await until(() => harness.exits.length === 1);
    assert.equal(harness.exits[0]?.view.endReason, 'timeout');
    assert.deepEqual(await harness.alive(), []);
  });

  it('one on a terminal goes on, too', async () => {
    await using temp = await tempDir('restart');
    const [id] = await killedInstance(temp.path, ['pty:read a; test -t 0 && echo got $a']);
    await using harness = await nextInstance(temp.path);
    await harness.registry.attach();
    await harness.registry.of('main').write(id!, 'it\r');
    assert.match(await pollUntil(harness.registry, id!, (_, status) => status !== 'running'), /got it\n$/);
  });

  it('an end that could not be reported is reported again, in this instance and the next, until it is', async () => {
    await using temp = await tempDir('restart');
    const [id] = await killedInstance(temp.path, ['background:exit 4'], async ([first]) => {
      await until(async () => JSON.parse(await readFile(`${temp.path}/${first}/meta.json`, 'utf8')).over === true);
    });
    const failing = await nextInstance(temp.path, { onExit: () => Promise.reject(new Error('not now')) });
    await failing.registry.attach();
    assert.equal(await failing.registry.wasNotified(id!), false);
    await failing.registry.suspend();
    const next = await nextInstance(temp.path);
    assert.deepEqual(await next.registry.attach(), { running: 0, endedMeanwhile: 0, killed: 0 });
    await until(() => next.exits.length === 1);
    await until(() => next.registry.wasNotified(id!));
    await next.registry.suspend();
    await using last = await nextInstance(temp.path);
    await last.registry.attach();
    assert.deepEqual([last.exits, await statuses(last)], [[], { [id!]: 'failed 4 exit' }]);
  });

  it('what makes no sense in the folder is cleared away', async () => {
    await using temp = await tempDir('restart');
    await mkdir(`${temp.path}/no-record`);
    await mkdir(`${temp.path}/broken`);
    await writeFile(`${temp.path}/broken/meta.json`, '{"version":1,');
    await using harness = await nextInstance(temp.path);
    assert.deepEqual(await harness.registry.attach(), { running: 0, endedMeanwhile: 0, killed: 0 });
    assert.deepEqual(await readdir(temp.path), []);
  });
});

describe('a folder full of junk', () => {
  it('keeps nobody from being taken up, and nothing outside of it is touched', async () => {
    await using temp = await tempDir('restart');
    await using outside = await tempDir('outside');
    const [id] = await killedInstance(temp.path, ['background:read a; echo got $a']);
    await writeFile(`${outside.path}/mine`, '');
    await symlink(outside.path, `${temp.path}/link`);
    await writeFile(`${temp.path}/file`, '');
    await mkdir(`${temp.path}/trouble/meta.json`, { recursive: true });
    await cp(`${temp.path}/${id}/meta.json`, `${temp.path}/copy/meta.json`);
    await using harness = await nextInstance(temp.path);
    assert.deepEqual(await harness.registry.attach(), { running: 1, endedMeanwhile: 0, killed: 0 });
    assert.deepEqual(
      (await readdir(temp.path)).filter((name) => !name.startsWith('.')).sort(),
      ['file', 'link', 'trouble', id].sort(),
    );
    assert.deepEqual(await readdir(outside.path), ['mine']);
  });
});

describe('when the gateway closes', () => {
  it('the foreground ends, the background goes on, and a registry of the same process takes it up', async () => {
    await using temp = await tempDir('restart');
    const first = await processHarness({ dir: temp.path });
    const foreground = await first.start('sleep 300');
    const background = await first.background('read a; echo got $a; exit 6');
    await first.registry.suspend();
    assert.equal((await foreground.ended).endReason, 'aborted');
    assert.ok('problem' in (await first.registry.start(specOf('true'))));
    await using second = await nextInstance(temp.path);
    assert.deepEqual(await second.registry.attach(), { running: 1, endedMeanwhile: 0, killed: 0 });
    await second.registry.of('main').write(background.id, 'it\n');
    assert.equal(await pollUntil(second.registry, background.id, (_, status) => status !== 'running'), 'got it\n');
    assert.deepEqual(Object.values(await statuses(second)), ['failed 6 exit']);
    assert.deepEqual([first.exits.length, await second.registry.of('main').poll('no-such', now)], [0, 'unknown']);
  });
});
