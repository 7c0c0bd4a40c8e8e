/**
 * A feature is removed by removing its folder: the tree without heartbeats passes every check, starts and answers.
 * Several minutes of processor time, so it runs with the long tests.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';

const ROOT = join(import.meta.dirname, '../..');
const FEATURE = 'src/features/heartbeat/';
const run = promisify(execFile);

/** What git knows of, without the feature; the tools and libraries are those of this checkout. */
async function copyWithout(feature: string, to: string): Promise<void> {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = stdout.split('\0').filter((path) => path !== '' && !path.startsWith(feature));
  for (const folder of new Set(files.map(dirname))) await mkdir(join(to, folder), { recursive: true });
  for (const path of files) await cp(join(ROOT, path), join(to, path), { force: true });
  await symlink(join(ROOT, 'node_modules'), join(to, 'node_modules'));
}

test('without heartbeats the tree passes npm run check, starts and answers', { timeout: 1_200_000 }, async () => {
  await using dir = await tempDir('removed');
  const tree = join(dir.path, 'tree');
  const env = { PATH: process.env['PATH'], HOME: dir.path, CLAWDBOT_STATE_DIR: join(dir.path, 'state') };
  const node = (...args: string[]) => run(process.execPath, args, { cwd: tree, env, maxBuffer: 64 * 1024 * 1024 });
  await copyWithout(FEATURE, tree);
  for (const script of ['reference', 'docs-pages']) await node(`scripts/${script}.mjs`);
  const checked = await node('scripts/check.mjs').catch((error: { stdout: string }) => error);
  assert.match(checked.stdout, /All checks passed/);

  const gateway = spawn(process.execPath, ['src/main.ts', 'gateway', 'run', '--port', '0'], {
    cwd: tree,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let said = '';
    gateway.stdout.setEncoding('utf8').on('data', (text: string) => void (said += text));
    const port = await until(() => /web chat: http:\/\/127\.0\.0\.1:(\d+)\//.exec(said)?.[1], 'the gateway');
    const main = (...args: string[]) =>
      run(process.execPath, ['src/main.ts', ...args], { cwd: tree, env: { ...env, CLAWDBOT_GATEWAY_PORT: port } });
    assert.match((await main('agent', 'hello')).stdout, /\w/);
    await assert.rejects(main('system', 'heartbeat', 'last'), { code: 2 });
  } finally {
    gateway.kill('SIGKILL');
  }
});
