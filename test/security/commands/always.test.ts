// Permanently allowed commands: the same bytes and access, and nothing else, with the real shell and real programs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { realShell, type RealShell } from '../../../src/testing/real-shell.ts';

const settings = { security: 'allowlist', ask: 'on-miss' };

/** What a person is offered, and what became of the command: they say always where they may, else no. */
async function said(
  real: RealShell,
  command: string,
  workdir?: string,
): Promise<'ran unasked' | 'always' | 'once at most'> {
  let offered: boolean | undefined;
  const stop = real.pending.subscribe((news) => {
    if (!('requested' in news)) return;
    const { id, rememberable } = news.requested;
    offered = rememberable;
    setImmediate(() => void real.pending.resolve(id, rememberable ? 'allow-always' : 'deny', 'me'));
  });
  try {
    await real
      .shellOf('main', { settings })
      .run(
        { command, ...(workdir === undefined ? {} : { workdir }) },
        { signal: new AbortController().signal, progress: () => undefined },
      );
  } finally {
    stop();
  }
  return offered === undefined ? 'ran unasked' : offered ? 'always' : 'once at most';
}

/** Made by the agent beforehand: what it writes is what would run. */
async function harness(): Promise<RealShell & { readonly outside: string }> {
  const real = await realShell();
  const outside = join(real.workspace, '..', 'outside');
  for (const folder of [real.workspace, outside]) {
    await mkdir(folder, { recursive: true });
    execFileSync('git', ['init', '-q', folder]);
    execFileSync('git', ['-C', folder, 'config', 'core.fsmonitor', './run.sh']);
    for (const name of ['secret', 'other', 'run.sh', 'run.py', 'Makefile', 'package.json'])
      await writeFile(join(folder, name), name === 'package.json' ? '{}' : 'true\n', { mode: 0o755 });
  }
  return Object.assign(real, { outside });
}

test('programs that take code or settings from where the agent writes', async (t) => {
  await using real = await harness();
  const lines = [
    'git status',
    'git log',
    'git diff',
    'git add .',
    'git commit -m x',
    'git fetch',
    'git pull',
    'git push',
    'git checkout main',
    'git stash',
    'git branch',
    'git show',
    'git blame secret',
    'git -C . status',
    'git rev-parse HEAD',
    `git -C ${real.workspace} status`,
    'sh run.sh',
    'bash run.sh',
    'python3 run.py',
    'python3 -c "import run"',
    'perl run.py',
    'make',
    'make test',
    'npm test',
    'npx x',
    'node run.py',
    './run.sh',
    'env git status',
    'nice git status',
    'timeout 5 git status',
  ];
  let cases = 0;
  for (const line of lines) {
    assert.notEqual(await said(real, line), 'always', line);
    assert.notEqual(await said(real, line), 'ran unasked', line);
    cases++;
  }
  assert.notEqual(await said(real, `git -C ${real.workspace} status`, real.outside), 'always', 'from elsewhere');
  t.diagnostic(`commands, always where the agent writes: ${cases + 1}/${cases + 1} are none`);
});

test('what is fed to a program that runs code', async (t) => {
  await using real = await harness();
  const lines = [
    'cat run.sh | sh',
    'echo id | sh',
    'echo id | bash',
    'echo "print(1)" | python3',
    'cat run.sh | bash -s',
    'echo id | env sh',
    'cat run.py | perl',
    'head -n 1 run.sh | sh',
    'cat run.sh | grep true | sh',
    'echo x | xargs touch',
    'sh < run.sh',
    'sh <<< id',
    'sh <<EOF\nid\nEOF',
    'python3 - < run.py',
  ];
  for (const line of lines)
    for (const folder of [undefined, real.outside]) assert.equal(await said(real, line, folder), 'once at most', line);
  t.diagnostic(`commands, fed code: ${lines.length}/${lines.length} are asked about each time`);
});

test('a reader is allowed what it was allowed to read, and nothing else', async (t) => {
  await using real = await harness();
  const readers = [
    'cat',
    'head',
    'tail',
    'wc',
    'sort',
    'grep x',
    'cp -t .',
    'base64',
    'od',
    'cksum',
    'tac',
    'nl',
    'stat',
    'file',
    'diff /dev/null',
    'ls',
  ];
  let cases = 0;
  for (const reader of readers) {
    assert.equal(await said(real, `${reader} ${real.outside}/secret`), 'always', reader);
    assert.equal(await said(real, `${reader} ${real.outside}/secret`), 'ran unasked', reader);
    assert.equal(
      await said(real, `${reader} ${real.outside}/secret`, real.outside),
      'always',
      `${reader}: in another folder it is another command`,
    );
    for (const other of [
      `${real.outside}/other`,
      '/etc/shadow',
      '/etc/passwd',
      `${real.outside}/secret /etc/passwd`,
      real.approvalsPath,
    ]) {
      assert.notEqual(await said(real, `${reader} ${other} 2>/dev/null; true`), 'ran unasked', `${reader} ${other}`);
      cases++;
    }
  }
  t.diagnostic(`commands, readers: ${cases}/${cases} other files are asked about`);
});

test('what changes nothing of that is allowed for good', async () => {
  await using real = await harness();
  for (const line of ['touch made', 'mkdir -p made/deep', 'rm -f made', 'mv secret moved', 'git --version']) {
    const first = await said(real, line);
    assert.ok(first === 'always' || line.startsWith('git'), line);
    if (first === 'always') assert.equal(await said(real, line), 'ran unasked', line);
  }
  for (const line of ['touch other-one', 'mkdir -p elsewhere', 'rm -rf secret'])
    assert.notEqual(await said(real, line), 'ran unasked', line);
});
