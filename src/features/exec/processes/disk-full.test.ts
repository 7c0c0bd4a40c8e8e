// A disk with no room left, as a real small file system.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { exec, findProgram } from '../../../platform/exec.ts';
import { diskIsFull } from './disk-full.ts';

const bwrap = await findProgram('bwrap', process.env['PATH']);

const INSIDE = `
  const { processHarness } = await import(process.argv[1]);
  await using stage = await processHarness({ dir: '/mnt/processes' });
  const started = await stage.start('yes "some words" | head -c 4000000; test \${PIPESTATUS[1]} = 0');
  const view = await started.ended;
  const { output } = await started.read({ headChars: 100, tailChars: 200 });
  await started.discard();
  console.log(JSON.stringify({ code: view.exitCode, begin: output.slice(0, 11), end: output.split('\\n').at(-1) }));
`;

test('a command whose output did not fit on the disk is reported with that', {
  skip: bwrap ? false : 'bubblewrap is not installed',
}, async (t) => {
  const args = [
    '--dev-bind',
    '/',
    '/',
    '--size',
    '2000000',
    '--tmpfs',
    '/mnt',
    process.execPath,
    '--input-type=module',
    '-e',
    INSIDE,
    join(import.meta.dirname, '../../../testing/processes-harness.ts'),
  ];
  const run = await exec({
    command: bwrap!,
    args,
    env: { PATH: '/usr/bin:/bin' },
    timeoutMs: 30_000,
    maxOutputBytes: 100_000,
    signal: t.signal,
  });
  assert.equal(run.kind, 'exited');
  assert.deepEqual(JSON.parse(run.stdout.toString() || `"${run.stderr}"`), {
    code: 1,
    begin: 'some words\n',
    end: '[The disk of the gateway is full; the end of the output may be missing.]',
  });
});

test('a disk that cannot be asked is not taken for a full one', async () => {
  assert.equal(await diskIsFull('/dev/null/nowhere'), false);
});
