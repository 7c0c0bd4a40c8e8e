// Read-only git commands run without approval only where the repository cannot make them do anything else; traced in
// repositories with traps.
import assert from 'node:assert/strict';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { execSchema } from '../../../src/features/exec/config.ts';
import { evaluate } from '../../../src/features/exec/approvals/allowlist.ts';
import { execSettings } from '../../../src/features/exec/exec-settings.ts';
import { readCommand } from '../../../src/features/exec/read-command.ts';
import { shellEnv } from '../../../src/features/exec/shell-program.ts';
import { findProgram } from '../../../src/platform/find-program.ts';
import { folderFingerprint } from '../../../src/testing/folder-fingerprint.ts';
import { tempDir } from '../../../src/testing/temp-dir.ts';
import { sideEffectsOf, type SideEffect } from './side-effects.ts';
import { casesOf } from '../../crash/matrix.ts';
import { copied, honestRepository, PLANTS, type Site } from './planted-repositories.ts';
import { trace, whyNotTraced, type TracedLine } from './tracer.ts';

const strace = await findProgram('strace', process.env['PATH']);
const git = await findProgram('git', '/usr/local/bin:/usr/bin:/bin');
const skip = git === undefined ? 'git not installed' : await whyNotTraced(strace);

/** What somebody who works in a repository asks of it. */
const READERS = [
  'git status',
  'git status -s',
  'git status --porcelain=v1',
  'git status -sb',
  'git status -uno',
  'git log',
  'git log --oneline -5',
  'git log -n 3 -p',
  'git log --stat --graph --all',
  "git log --since='2 weeks ago' --author=Ann",
  'git log --format=%h\\ %s',
  'git log -p -- a.txt',
  'git log v1..HEAD',
  'git log -S two',
  'git log --follow a.txt',
  'git diff',
  'git diff --stat',
  'git diff --cached',
  'git diff HEAD~1',
  'git diff HEAD~1 HEAD -- a.txt',
  'git diff -w --name-only',
  'git show',
  'git show HEAD',
  'git show HEAD:a.txt',
  'git show --stat v1',
  'git blame a.txt',
  'git blame -L 1,2 a.txt',
  'git grep -n one',
  'git grep -i two HEAD',
  'git ls-files',
  'git ls-files -mo --exclude-standard',
  'git ls-tree -r HEAD',
  'git rev-parse HEAD',
  'git rev-parse --abbrev-ref HEAD',
  'git rev-parse --show-toplevel',
  'git rev-list --count HEAD',
  'git merge-base HEAD v1',
  'git branch',
  'git branch -a',
  'git branch -vv',
  'git branch --show-current',
  "git branch --list 'm*'",
  'git tag',
  "git tag -l 'v*'",
  'git remote -v',
  'git describe --tags',
  'git shortlog -sn HEAD',
  'git cat-file -p HEAD',
  'git cat-file -t v1',
  'git show-ref',
  'git count-objects -v',
  'git reflog',
  'git --no-pager log -1',
  'git -C sub status',
  'git -C sub log -1 -- b.ts',
  'cd sub && git diff',
  'git log --oneline | head -n 2',
  'git status && git diff',
  'git --version',
] as const;

/** What a reader does: its command, where, and whether it shows differences or content of files. */
const kindOf = (line: string): string =>
  [
    /^(?:cd sub|git -C)/.exec(line)?.[0] ?? '',
    /git (?:-C \S+ |--no-pager )?(\S+)/.exec(line)![1]!,
    / (?:-p|--stat|--cached|HEAD:\S+)(?= |$)/.exec(line)?.[0] ?? '',
  ].join(' ');
/** Those that are tried on every plant: by default one of each kind. */
const ON_PLANTS = casesOf(READERS, kindOf);

/** What is no reader, or not for certain. */
const ASKED = [
  'git',
  'git commit -m x',
  'git add .',
  'git checkout main',
  'git fetch',
  'git pull',
  'git push',
  'git stash',
  'git stash list',
  'git branch new',
  'git branch -d main',
  'git branch -m x',
  'git tag v2',
  'git tag -d v1',
  'git remote add x y',
  'git remote show origin',
  'git remote update',
  'git config -l',
  'git config core.pager x',
  'git gc',
  'git reflog expire --all',
  'git notes',
  'git bisect log',
  'git -c core.pager=./evil.sh log',
  'git -c core.fsmonitor=./evil.sh status',
  'git --git-dir=../outside/repo/.git log',
  'git --work-tree=.. status',
  'git --exec-path=. status',
  'git -p log',
  'git --paginate log',
  'git -C .. status',
  'git -C ../outside log',
  'git -C /etc log',
  'git -C a -C b log',
  'git --config-env=core.pager=X log',
  'git diff --no-index a.txt ../outside/secret.txt',
  'git diff a.txt ../outside/secret.txt',
  'git diff /etc/passwd /etc/hosts',
  'git diff -- /etc/passwd a.txt',
  'git diff - a.txt',
  'git diff ~/x a.txt',
  'git diff sub/../../outside/secret.txt a.txt',
  'git diff --ext-diff',
  'git diff --textconv',
  'git diff --output=pwned',
  'git diff --output pwned',
  'git diff -Osecret',
  'git diff --submodule=diff',
  'git diff --ignore-submodules=none',
  'git log --output=pwned',
  'git log --ext-diff -p',
  'git log --textconv -p',
  'git log --show-signature',
  "git log --format='%G?'",
  "git log --format '%G?'",
  'git log --pretty=format:%GS',
  'git log --remerge-diff',
  'git show --show-signature',
  'git show --textconv HEAD:a.txt',
  'git log --stdin',
  'git log --mailmap-file=x',
  'git blame --contents ../outside/secret.txt a.txt',
  'git blame --ignore-revs-file ../outside/secret.txt a.txt',
  'git blame --textconv a.txt',
  'git grep -O./evil.sh one',
  'git grep --open-files-in-pager=./evil.sh one',
  'git grep --no-index x ..',
  'git grep -f ../outside/secret.txt',
  'git grep --textconv one',
  'git grep --recurse-submodules one',
  'git grep one -- ../outside',
  'git cat-file --textconv HEAD:a.txt',
  'git cat-file --filters HEAD:a.txt',
  'git cat-file --batch',
  'git ls-files -X ../outside/secret.txt',
  'git ls-files --with-tree=x --recurse-submodules',
  'git describe --dirty',
  'git describe --broken',
  'git branch --edit-description',
  'git branch --sort=signature',
  'git tag -v v1',
  "git tag --format='%(signature)' -l",
  'git for-each-ref --format=%(signature)',
  'git verify-commit HEAD',
  'git status -v',
  'git status --ignore-submodules=none',
  'git difftool',
  'git archive HEAD',
  'git ls-remote .',
  'git rev-parse --parseopt',
  'git submodule status',
  'git worktree list',
  'git var GIT_EDITOR',
  'git help log',
  'git log --help',
  'GIT_EXTERNAL_DIFF=./evil.sh git diff',
  'GIT_PAGER=./evil.sh git log',
  'env -i git status',
  'env git status',
  'timeout 5 git status',
  'touch x && git status',
  'git add . && git status',
  './git status',
  'git st',
  'git LOG',
  'git log $(id)',
  'git "log --x"',
  'cd .. && git status',
  'git -C "" log',
] as const;

async function harness(site: Site) {
  const env = shellEnv({
    vars: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: join(site.dir, '..'),
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      TERM: 'dumb',
    },
    extra: {},
    pass: [],
    pathPrepend: [],
    loginPath: undefined,
  });
  const settings = execSettings(execSchema.parse({ security: 'allowlist', ask: 'on-miss' }), undefined);
  async function unasked(line: string): Promise<TracedLine | undefined> {
    const { analysis, argv, facts } = await readCommand(line, {
      cwd: site.dir,
      env,
      shell: '/bin/bash',
      place: { workspace: site.dir, readableRoots: [], deniedPaths: [], settings },
      usesPlan: true,
    });
    return evaluate(analysis, [], { autoAllowSkills: false, variables: {} }).satisfied
      ? { line, argv, programs: facts.programs.slice(1) }
      : undefined;
  }
  async function sideEffects(lines: readonly TracedLine[]): Promise<readonly SideEffect[]> {
    const folder = join(site.dir, '..', 'trace');
    await mkdir(folder, { recursive: true });
    return (await trace(lines, { folder, cwd: site.dir, env })).flatMap((run) =>
      sideEffectsOf(run, { cwd: site.dir, secrets: [join(site.outside, 'secret.txt')] }),
    );
  }
  return { unasked, sideEffects };
}

/** The honest one, and as many copies of it as are asked for. */
async function repository() {
  const dir = await tempDir('git');
  const root = await realpath(dir.path);
  const site = await honestRepository(join(root, 'first', 'work'), join(root, 'first', 'outside'));
  let copies = 0;
  const again = async () => {
    const copy = await copied(site, join(root, `copy-${copies++}`));
    return { site: copy, ...(await harness(copy)) };
  };
  return { site, ...(await harness(site)), again, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

describe('readers of git', { skip }, () => {
  test('run unasked in an honest repository, and do nothing but read it', async (t) => {
    await using s = await repository();
    const evaluated = await Promise.all(READERS.map(async (line) => ({ line, runs: await s.unasked(line) })));
    assert.deepEqual(
      evaluated.filter(({ runs }) => !runs).map(({ line }) => line),
      [],
    );
    const before = await folderFingerprint(s.site.dir);
    const sideEffects = await s.sideEffects(evaluated.flatMap(({ runs }) => runs ?? []));
    t.diagnostic(`git: ${READERS.length}/${READERS.length} readers unasked, ${sideEffects.length} sideEffects`);
    assert.deepEqual(
      sideEffects.map(({ line, kind, what }) => `${line}: ${kind}: ${what}`),
      [],
    );
    assert.deepEqual(await folderFingerprint(s.site.dir), before);
  });

  test('everything else asks', async (t) => {
    await using s = await repository();
    await writeFile(join(s.site.dir, 'git'), '#!/bin/sh\ntouch pwned\n', { mode: 0o755 });
    const evaluated = await Promise.all(ASKED.map(async (line) => ((await s.unasked(line)) ? line : undefined)));
    t.diagnostic(
      `git: ${evaluated.filter((line) => line === undefined).length}/${ASKED.length} hostile or changing lines ask`,
    );
    assert.deepEqual(
      evaluated.filter((line) => line !== undefined),
      [],
    );
  });

  test('in a planted repository they ask, or do nothing but read all the same', async (t) => {
    const scores: string[] = [];
    let asking = 0;
    let ran = 0;
    await using honest = await repository();
    for (const { name, plant } of PLANTS) {
      const s = await honest.again();
      await plant(s.site);
      const lines = (
        await Promise.all([...ON_PLANTS, 'git -C mod status', 'cd mod && git status'].map(s.unasked))
      ).flatMap((runs) => runs ?? []);
      const reading = lines.filter(({ line }) => line !== 'git --version');
      if (reading.length === 0) asking++;
      else ran += reading.length;
      for (const { line, kind, what } of reading.length === 0 ? [] : await s.sideEffects(reading))
        scores.push(`${name}: ${line}: ${kind}: ${what}`);
    }
    t.diagnostic(
      `git: ${PLANTS.length} plants, ${asking} ask about every reader, ${ran} calls run in the others, ${scores.length} sideEffects`,
    );
    assert.deepEqual(scores, []);
  });

  test('the plants bite: git as it is written does more than read in them', async (t) => {
    const bites: string[] = [];
    await using honest = await repository();
    for (const { name, plant } of PLANTS.filter(({ name: each }) =>
      /^(?:a watcher|a watcher in capitals|a watcher hidden.*|an external diff|a filter: clean|a filter: process|hooks|text made by program|a driver of diffs|settings of one working tree|settings from elsewhere|a submodule.*|objects of another.*|\.git is a (?:link|file).*)$/.test(
        each,
      ),
    )) {
      const s = await honest.again();
      await plant(s.site);
      const sideEffects = await s.sideEffects(
        ['git status', 'git diff', 'git log -p', 'git cat-file -p HEAD'].map((line) => ({
          line,
          argv: ['/bin/bash', '-c', line],
          programs: [git!],
        })),
      );
      if (sideEffects.some(({ kind }) => kind !== 'looked')) bites.push(name);
      else assert.fail(`${name} does nothing`);
    }
    t.diagnostic(`git: ${bites.length} plants seen to bite`);
  });
});
