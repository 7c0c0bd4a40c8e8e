// The holder of a terminal on a machine that has none to give.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempDir } from '../../../testing/temp-dir.ts';
import { findProgram } from '../../../platform/find-program.ts';
import { createFifoPool } from './fifo-pool.ts';

const bwrap = await findProgram('bwrap', process.env['PATH']);

test('T17 where no terminal can be opened the command runs without one, says so, and leaves its code', {
  skip: bwrap ? false : 'bubblewrap is not installed',
}, async () => {
  await using dir = await tempDir('no-terminal');
  const at = (name: string): string => join(dir.path, name);
  await using pipes = createFifoPool(at('pipes'));
  assert.equal(await pipes.take(at('in')), true);
  const output = openSync(at('out'), 'a');
  // A machine whose /dev has no terminals.
  const dev = [
    '--tmpfs',
    '/dev',
    ...['null', 'zero', 'urandom', 'random'].flatMap((name) => ['--dev-bind', `/dev/${name}`, `/dev/${name}`]),
  ];
  const child = spawn(
    bwrap!,
    ['--dev-bind', '/', '/', ...dev, process.execPath, join(import.meta.dirname, 'pty-holder.ts')],
    { stdio: ['ignore', output, 'inherit', 'pipe'], env: {} },
  );
  const orders = {
    argv: ['/bin/sh', '-c', 'test -t 1 || echo no terminal; read word; echo "read $word"; exit 5'],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    input: at('in'),
    ready: at('ready'),
    exit: at('exit'),
  };
  (child.stdio[3] as NodeJS.WritableStream).end(JSON.stringify(orders));
  const input = openSync(at('in'), 'r+');
  writeSync(input, 'hello\n');
  const code = await new Promise((resolve) => child.once('exit', resolve));
  closeSync(input);
  closeSync(output);
  const said = await readFile(at('out'), 'utf8');
  assert.match(said, /^Warning: no terminal could be opened \(.+\); running without one\.\nno terminal\nread hello\n$/);
  assert.deepEqual([code, await readFile(at('exit'), 'utf8')], [5, '5\n']);
});
