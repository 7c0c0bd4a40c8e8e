/**
 * Long-running programs: lines in both directions, the last output at the end, and the end of the whole process group.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAlive } from '../testing/process-alive.ts';
import { until } from '../testing/until.ts';
import { startProgram, stopLeftover } from './program.ts';

const shell = (script: string, more: object = {}) =>
  startProgram({ command: '/bin/sh', args: ['-c', script], ...more });

test('lines go in and come out whole, and its children end with it', async () => {
  const lines: string[] = [];
  const program = await shell('sleep 1000 & echo $!; while read line; do echo "got $line"; done', {
    onLine: (line: string) => lines.push(line),
  });
  assert.ok(program.write('one'));
  await until(() => lines.includes('got one'));
  const child = Number(lines[0]);
  await program[Symbol.asyncDispose]();
  await until(async () => !(await isAlive(program.pid)) && !(await isAlive(child)), 'their end');
  assert.equal(program.write('two'), false);
});

test('its end carries its code and its last words; a line without an end ends it', async () => {
  const { code, lastLine } = await (await shell('echo "no disk" >&2; exit 3')).ended;
  assert.deepEqual([code, lastLine], [3, 'no disk']);
  const { signalName } = await (await shell('head -c 5000 /dev/zero; sleep 1000', { maxLineBytes: 1000 })).ended;
  assert.equal(signalName, 'SIGKILL');
  await assert.rejects(startProgram({ command: '/nowhere/x', args: [] }), { code: 'unavailable' });
});

test('a leftover is stopped only where it still is that program', async () => {
  await using program = await shell('sleep 1000; true');
  assert.equal(await stopLeftover(program.pid, 'another program'), false);
  assert.equal(await stopLeftover(program.pid, 'sleep 1000; true'), true);
  await program.ended;
});
