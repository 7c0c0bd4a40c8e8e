// The corpus of command lines: hostile ones need approval in any context, everyday ones run; with real programs, files
// and links.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { execSchema } from '../../../src/features/exec/config.ts';
import { evaluate } from '../../../src/features/exec/approvals/allowlist.ts';
import { execSettings } from '../../../src/features/exec/exec-settings.ts';
import { readCommand } from '../../../src/features/exec/read-command.ts';
import { tempDir } from '../../../src/testing/temp-dir.ts';
import { linesOf, placed } from './line-files.ts';
import { tracedWorkspace } from './traced-workspace.ts';

const run = promisify(execFile);
const onLinux = process.platform === 'linux' ? false : 'who may change /usr is only known for Linux';

/** `plan`: what runs unasked. */
async function harness(surroundings: { readonly roots?: readonly string[] } = {}) {
  const dir = await tempDir('asked');
  const { home, workspace } = await tracedWorkspace(dir.path);
  const place = {
    workspace,
    readableRoots: surroundings.roots ?? [],
    deniedPaths: [],
    settings: execSettings(execSchema.parse({}), undefined),
  };
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, LANG: 'C.UTF-8' };
  return {
    home,
    workspace,
    env,
    async plan(
      line: string,
      variables: Readonly<Record<string, string>> = {},
    ): Promise<{ readonly runs?: string; readonly why: string }> {
      const { analysis } = await readCommand(placed(line, { workspace, home }), {
        cwd: workspace,
        env: { ...env, ...variables },
        shell: '/bin/sh',
        place,
        usesPlan: true,
      });
      const { satisfied, reasons } = evaluate(analysis, [], { autoAllowSkills: false, variables });
      return { ...(satisfied && analysis.proven ? { runs: analysis.plan } : {}), why: reasons.join(' ') };
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

test('hostile lines ask, everyday lines run', { skip: onLinux }, async (t) => {
  await using s = await harness();
  const [hostile, everyday] = [['reads', 'writes', 'runs'].flatMap(linesOf), linesOf('everyday')];
  const unasked: string[] = [];
  for (const line of hostile) if ((await s.plan(line)).runs !== undefined) unasked.push(line);
  const asked: string[] = [];
  for (const line of everyday) {
    const { runs, why } = await s.plan(line);
    // A program this machine does not have.
    if (runs === undefined && !/^Program "(?:jq|file)" not found\.$/.test(why)) asked.push(`${line}: ${why}`);
  }
  t.diagnostic(
    `commands: ${hostile.length - unasked.length}/${hostile.length} hostile lines ask, ${everyday.length - asked.length}/${everyday.length} everyday lines run`,
  );
  assert.deepEqual([unasked, asked], [[], []]);
  assert.ok(hostile.length >= 1000 && everyday.length >= 150);
});

test('the same words are read as the strictest of their readers does: nothing behind the first operand is a file that may not be read or written', {
  skip: onLinux,
}, async () => {
  await using s = await harness();
  const env = { ...s.env, POSIXLY_CORRECT: '1' };
  const before = await readdir(s.workspace);
  // What these do where options end at the first operand, as with many programs of macOS.
  assert.match(
    (
      await run('head', ['notes.txt', '-n', '../secret.txt'], { cwd: s.workspace, env }).catch(
        (error: { stdout: string }) => error,
      )
    ).stdout,
    /SECRET/,
  );
  for (const line of [
    'head notes.txt -n ../secret.txt',
    'grep one notes.txt -e ../secret.txt',
    'uniq notes.txt -c',
    'sort -u notes.txt -k ../secret.txt',
  ])
    assert.equal((await s.plan(line)).runs, undefined, line);
  for (const line of [
    'head notes.txt -n 2',
    'grep one notes.txt -A 1',
    "grep -rn one . --include 'src/*.ts'",
    'diff notes.txt other.txt -u',
    'uniq -c notes.txt',
  ]) {
    const { runs } = await s.plan(line);
    assert.ok(runs !== undefined, line);
    const { stdout } = await run('/bin/sh', ['-c', runs], { cwd: s.workspace, env }).catch(
      (error: { stdout: string }) => error,
    );
    assert.doesNotMatch(stdout, /SECRET/, line);
  }
  assert.deepEqual(await readdir(s.workspace), before);
});

test("a path that is another one for each process is nobody's to read", { skip: onLinux }, async () => {
  // The gateway may be started in a folder that may be read; the shell of the command is elsewhere by then.
  await using s = await harness({ roots: [process.cwd()] });
  await symlink('here', join(s.workspace, 'here2'));
  for (const line of [
    'cd /etc && cat /proc/self/cwd/passwd',
    'cd /etc && head -n 1 /proc/thread-self/cwd/passwd',
    `cat /proc/${process.pid}/cwd/package.json`,
    'cat here/package.json',
    'cat here2/package.json',
    'ls here/',
    'cd here && cat package.json',
    'cat /dev/stdin',
    'cat /dev/fd/0',
    'cat /proc/self/fd/1',
  ])
    assert.equal((await s.plan(line)).runs, undefined, line);
  for (const line of [
    `cat ${process.cwd()}/package.json`,
    `cd ${process.cwd()} && cat package.json`,
    'cat inner/a.ts',
    'cat < /dev/null',
    'cat /dev/null',
  ])
    assert.ok((await s.plan(line)).runs !== undefined, line);
});

test('settings a program reads from the home folder, and a time zone out of a file, make it ask', {
  skip: onLinux,
}, async () => {
  await using s = await harness();
  const jq = 'echo 1 | jq leak';
  const here = (await s.plan('echo 1 | jq .')).runs !== undefined;
  for (const [file, line] of [
    ['.jq', jq],
    ['.magic', 'file notes.txt'],
  ] as const) {
    assert.equal((await s.plan(line)).runs !== undefined, here || file !== '.jq', 'without such a file');
    await writeFile(join(s.home, file), 'def leak: $ENV;\n');
    assert.equal((await s.plan(line)).runs, undefined, file);
  }
  await mkdir(join(s.home, '.magic.mgc'));
  for (const TZ of ['/etc/shadow', ':/etc/shadow', '../../../etc/shadow'])
    assert.equal((await s.plan('date', { TZ })).runs, undefined, TZ);
  for (const TZ of ['UTC', 'Europe/Berlin', 'CET-1CEST,M3.5.0,M10.5.0/3'])
    assert.ok((await s.plan('date', { TZ })).runs !== undefined, TZ);
});
