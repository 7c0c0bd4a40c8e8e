/**
 * One gateway per state directory: however the previous one ended, and whatever its lock file contains, the next one
 * starts.
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { systemClock } from '../platform/clock.ts';
import { machineName } from '../platform/machine-name.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { acquireGatewayLock, lockPath } from './lock.ts';

const acquire = (stateDir: string) => acquireGatewayLock({ stateDir, configPath: '/c.json', clock: systemClock });
const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** Says its number; at a line of input it takes the lock and says `W`, or `L` where another has it. */
const racer = (stateDir: string): string => `
  const { acquireGatewayLock } = await import(${url('./lock.ts')});
  const { systemClock } = await import(${url('../platform/clock.ts')});
  process.stdout.write(process.pid + '\\n');
  process.stdin.once('data', async () => {
    try { globalThis.lock = await acquireGatewayLock({ stateDir: ${JSON.stringify(stateDir)}, configPath: '/c', clock: systemClock }); process.stdout.write('W'); }
    catch (error) { process.stdout.write(error.code === 'conflict' ? 'L' : String(error)); }
  });
  process.stdin.once('end', () => process.exit());`;
const start = (program: string): ChildProcess =>
  spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });

async function heard(child: ChildProcess, pattern: RegExp, before = ''): Promise<string> {
  let text = before;
  while (!pattern.test(text)) text += String((await once(child.stdout!, 'data'))[0]);
  return text;
}

test('the lock names its owner, refuses a second one, and is free again', async () => {
  await using dir = await tempDir('lock');
  for (const port of [18789, 18790]) {
    await using lock = await acquire(dir.path);
    await lock.setPort(port);
    const owner = JSON.parse(await readFile(lock.path, 'utf8'));
    assert.deepEqual([owner.pid, owner.port, owner.configPath], [process.pid, port, '/c.json']);
    await assert.rejects(acquire(dir.path), {
      code: 'conflict',
      message: new RegExp(`gateway already running \\(pid ${process.pid}, port ${port}\\)`),
    });
    await assert.rejects(acquire(dir.path), { code: 'conflict' }, 'being refused takes nothing from its owner');
    for (const file of await readdir(dir.path)) assert.equal((await stat(`${dir.path}/${file}`)).mode & 0o077, 0, file);
  }
  assert.deepEqual(await readdir(dir.path), ['gateway.held']);
});

test('what the file says keeps nobody out: torn, empty, of another machine, of a process that runs', async () => {
  await using dir = await tempDir('lock');
  for (const left of [
    '',
    '{"pid":',
    'not json',
    '\0\0\0\0',
    { pid: 1, host: 'another-machine' },
    { pid: process.pid, host: machineName(), createdAt: 1, configPath: '/c.json' },
  ]) {
    await writeFile(lockPath(dir.path), typeof left === 'string' ? left : JSON.stringify(left));
    await using lock = await acquire(dir.path);
    assert.equal(JSON.parse(await readFile(lock.path, 'utf8')).pid, process.pid);
  }
});

test('without a readable file a second gateway is refused all the same', async () => {
  await using dir = await tempDir('lock');
  await using lock = await acquire(dir.path);
  await writeFile(lock.path, '{"pid":');
  await assert.rejects(acquire(dir.path), {
    code: 'conflict',
    message: new RegExp(`already running \\(on ${dir.path}\\)`),
  });
});

test('something else at the path of the lock is reported with what to do', async () => {
  await using dir = await tempDir('lock');
  await writeFile(`${dir.path}/gateway.held`, 'x'.repeat(5000));
  await assert.rejects(acquire(dir.path), {
    code: 'storage',
    message: /gateway\.held: it should be empty; remove it while no gateway runs here/,
  });
});

test('an owner that was killed, and that nobody has buried yet, is gone', {
  skip: process.platform === 'win32' && 'there are no zombies',
}, async () => {
  await using dir = await tempDir('lock');
  // As in a container whose first process does not reap: the shell becomes `sleep`, which never waits for its child.
  const parent = spawn(
    '/bin/sh',
    ['-c', '"$0" --input-type=module -e "$1" <&3 & exec sleep 600', process.execPath, racer(dir.path)],
    { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] },
  );
  try {
    const said = await heard(parent, /\n/);
    (parent.stdio[3] as NodeJS.WritableStream).write('go\n');
    await heard(parent, /W/, said);
    const owner = parseInt(said, 10);
    await assert.rejects(acquire(dir.path), { code: 'conflict', message: new RegExp(`pid ${owner}\\b`) });
    process.kill(owner, 'SIGKILL');
    while (process.platform === 'linux' && !/\) Z /.test(await readFile(`/proc/${owner}/stat`, 'latin1')))
      await new Promise(setImmediate);
    process.kill(owner, 0);
    await using lock = await acquire(dir.path);
    assert.equal(JSON.parse(await readFile(lock.path, 'utf8')).pid, process.pid);
  } finally {
    parent.kill('SIGKILL');
  }
});

test('of processes racing for it exactly one wins', async () => {
  await using dir = await tempDir('lock');
  for (let round = 0; round < 3; round++) {
    await writeFile(
      lockPath(dir.path),
      JSON.stringify({ pid: 1, createdAt: round, configPath: '/c', host: machineName() }),
    );
    const racers = Array.from({ length: 4 }, () => start(racer(dir.path)));
    const born = await Promise.all(racers.map((one) => heard(one, /\n/)));
    for (const one of racers) one.stdin!.write('go\n');
    const ends = await Promise.all(racers.map((one, index) => heard(one, /[WL]/, born[index]!)));
    assert.deepEqual(ends.map((text) => text.trim().at(-1)).toSorted(), ['L', 'L', 'L', 'W']);
    for (const one of racers) one.kill('SIGKILL');
    await Promise.all(racers.map((one) => once(one, 'exit')));
  }
});
