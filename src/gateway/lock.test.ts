/** One gateway per state directory, also when processes race for a dead one's lock. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { silentLog } from '../core/log.ts';
import { systemClock } from '../platform/clock.ts';
import { machineName, processStartTime } from '../platform/lock-file.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { acquireGatewayLock, lockPath } from './lock.ts';

const acquire = (stateDir: string) => acquireGatewayLock({ stateDir, configPath: '/c.json', clock: systemClock, log: silentLog });
const leave = (stateDir: string, owner: object | string) => writeFile(lockPath(stateDir), typeof owner === 'string' ? owner : JSON.stringify(owner));
const DEAD_PID = 2 ** 22 + 1;
const dead = { pid: DEAD_PID, createdAt: 1, configPath: '/c.json', host: machineName(), nonce: 'n' };

test('the lock names its owner, refuses a second one, and goes away', async () => {
  await using dir = await tempDir('lock');
  {
    await using lock = await acquire(dir.path);
    await lock.setPort(18789);
    const owner = JSON.parse(await readFile(lock.path, 'utf8'));
    assert.deepEqual([owner.pid, owner.port, owner.configPath, owner.startTime], [process.pid, 18789, '/c.json', await processStartTime(process.pid)]);
    await assert.rejects(acquire(dir.path), { code: 'conflict', message: new RegExp(`gateway already running \\(pid ${process.pid}, port 18789\\)`) });
  }
  assert.deepEqual(await readdir(dir.path), []);
});

test('a dead owner and a recycled pid are taken over', async () => {
  await using dir = await tempDir('lock');
  for (const owner of [dead, { ...dead, pid: process.pid, startTime: '1' }]) {
    await leave(dir.path, owner);
    await using lock = await acquire(dir.path);
    assert.equal(JSON.parse(await readFile(lock.path, 'utf8')).pid, process.pid);
  }
  assert.deepEqual(await readdir(dir.path), []);
});

test('an owner that cannot be looked at counts as gone after 30 s without a sign', async () => {
  await using dir = await tempDir('lock');
  for (const owner of ['not json', { ...dead, host: 'another-machine' }]) {
    await leave(dir.path, owner);
    await assert.rejects(acquire(dir.path), { code: 'conflict' });
    const past = new Date(Date.now() - 31_000);
    await utimes(lockPath(dir.path), past, past);
    await using lock = await acquire(dir.path);
    assert.ok(lock);
  }
});

test('somebody who died while taking over does not block the next', async () => {
  await using dir = await tempDir('lock');
  await leave(dir.path, dead);
  const { createHash } = await import('node:crypto');
  const guard = createHash('sha256').update(JSON.stringify(dead)).digest('hex').slice(0, 16);
  await writeFile(`${lockPath(dir.path)}.${guard}`, JSON.stringify({ ...dead, nonce: 'other' }));
  {
    await using lock = await acquire(dir.path);
    assert.equal(JSON.parse(await readFile(lock.path, 'utf8')).pid, process.pid);
  }
  assert.deepEqual(await readdir(dir.path), []);
});

test('of processes racing for a dead lock exactly one wins', async () => {
  await using dir = await tempDir('lock');
  const program = `
    const { acquireGatewayLock } = await import(${JSON.stringify(new URL('./lock.ts', import.meta.url).href)});
    const { systemClock } = await import(${JSON.stringify(new URL('../platform/clock.ts', import.meta.url).href)});
    const { silentLog } = await import(${JSON.stringify(new URL('../core/log.ts', import.meta.url).href)});
    const stateDir = ${JSON.stringify(dir.path)};
    process.stdout.write('R');
    process.stdin.once('data', async () => {
      try { await acquireGatewayLock({ stateDir, configPath: '/c', clock: systemClock, log: silentLog }); process.stdout.write('W'); }
      catch (error) { process.stdout.write(error.code === 'conflict' ? 'L' : String(error)); }
    });
    process.stdin.once('end', () => process.exit());`;
  for (let round = 0; round < 3; round++) {
    await leave(dir.path, { ...dead, nonce: `n${round}` });
    const racers = Array.from({ length: 4 }, () => spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] }));
    const heard = racers.map(() => '');
    const said = (letters: number) => Promise.all(racers.map(async (racer, index) => {
      while (heard[index]!.length < letters) heard[index] += String((await once(racer.stdout, 'data'))[0]);
    }));
    await said(1);
    for (const racer of racers) racer.stdin.write('go');
    await said(2);
    assert.deepEqual(heard.toSorted(), ['RL', 'RL', 'RL', 'RW']);
    for (const racer of racers) racer.stdin.end();
    await Promise.all(racers.map((racer) => text(racer.stdout)));
  }
});
