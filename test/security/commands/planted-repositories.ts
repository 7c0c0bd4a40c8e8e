/**
 * Repositories that make a git reader start a program, read elsewhere or write: each technique, added to an honest
 * repository.
 */
import { execFileSync } from 'node:child_process';
import { appendFile, chmod, cp, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** `dir`: the worktree; `outside`: a folder beside it that is nobody's to read. */
export interface Site {
  readonly dir: string;
  readonly outside: string;
  git(...args: readonly string[]): string;
}
export interface Plant {
  readonly name: string;
  plant(site: Site): Promise<void>;
}

const EVIL = './evil.sh';
const config = (name: string, text: string): Plant => ({
  name,
  plant: ({ dir }) => appendFile(join(dir, '.git/config'), text),
});
const attributes = (name: string, rule: string, text: string): Plant => ({
  name,
  async plant({ dir }) {
    await appendFile(join(dir, '.git/config'), text);
    await writeFile(join(dir, '.gitattributes'), rule);
  },
});
const HOOKS = [
  'post-index-change',
  'fsmonitor-watchman',
  'pre-commit',
  'post-checkout',
  'reference-transaction',
  'pre-auto-gc',
  'query-watchman',
];

/** Settings that name programs, in each way the file lets them be written. */
const SETTINGS: readonly Plant[] = [
  config('a watcher', `[core]\n\tfsmonitor = ${EVIL}\n`),
  config('a watcher of git itself', '[core]\n\tfsmonitor = true\n'),
  config('a watcher, old protocol', `[core]\n\tfsmonitor = ${EVIL}\n\tfsmonitorHookVersion = 1\n`),
  config('a watcher behind the section', `[core] fsmonitor = ${EVIL}\n`),
  config('a watcher in capitals', `[CORE]\n\tFSMONITOR = ${EVIL}\n`),
  config('a watcher behind a continued line', `[user]\n\tname = a\\\n[core]\n\tfsmonitor = ${EVIL}\n`),
  config('a watcher hidden by a continued line', `[core]\n\tabbrev = 7 ; \\\n[user]\n\tfsmonitor = ${EVIL}\n`),
  config('a watcher behind quotes', `[core]\n\tfsmonitor = "${EVIL}"\n`),
  config('a watcher behind a carriage return', `[core]\r\n\tfsmonitor = ${EVIL}\r\n`),
  config('a pager', `[core]\n\tpager = ${EVIL}\n`),
  config(
    'a pager of one command',
    `[pager]\n\tlog = ${EVIL}\n\tstatus = ${EVIL}\n\tdiff = ${EVIL}\n\tshow = ${EVIL}\n`,
  ),
  config('hooks elsewhere', '[core]\n\thooksPath = .\n'),
  config('an external diff', `[diff]\n\texternal = ${EVIL}\n`),
  config('signatures in the log', `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${EVIL}\n`),
  config('a format that verifies', `[format]\n\tpretty = %G?\n[gpg]\n\tprogram = ${EVIL}\n`),
  config('a named format that verifies', `[pretty]\n\tshort = %GG\n[gpg]\n\tprogram = ${EVIL}\n`),
  config('another folder of work', '[core]\n\tworktree = ../outside\n'),
  config('attributes from elsewhere', '[core]\n\tattributesFile = ../outside/attributes\n'),
  config('settings from elsewhere', '[include]\n\tpath = ../evil.config\n'),
  config('settings from elsewhere, in this folder', '[includeIf "gitdir:**"]\n\tpath = ../evil.config\n'),
  config('an alias', '[alias]\n\tlog = !./evil.sh\n\tstatus = !./evil.sh\n'),
  config('names from elsewhere', '[mailmap]\n\tfile = ../outside/secret.txt\n'),
  config('an order from elsewhere', '[diff]\n\torderFile = ../outside/secret.txt\n'),
  config('ignored revisions from elsewhere', '[blame]\n\tignoreRevsFile = ../outside/secret.txt\n'),
  config('diffs of merges by program', `[log]\n\tdiffMerges = remerge\n[merge "evil"]\n\tdriver = ${EVIL}\n`),
  config('submodules read whole', '[diff]\n\tsubmodule = diff\n[status]\n\tsubmoduleSummary = true\n'),
  config('submodules gone into', '[submodule]\n\trecurse = true\n'),
  config(
    'columns by program',
    `[column]\n\tui = always\n[core]\n\teditor = ${EVIL}\n\taskPass = ${EVIL}\n\tsshCommand = ${EVIL}\n\tgitProxy = ${EVIL}\n`,
  ),
  config(
    'what is missing is fetched',
    `[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ext::${EVIL}\n\tpromisor = true\n`,
  ),
  config('an old way to name a section', `[filter.evil]\n\tclean = ${EVIL}\n`),
  config('a trailer', `[trailer "x"]\n\tcommand = ${EVIL}\n`),
  config('a nul', `[core]\n\tabbrev = 7\0\n\tfsmonitor = ${EVIL}\n`),
];

const FILTERS: readonly Plant[] = ['clean', 'smudge', 'process'].map((kind) =>
  attributes(`a filter: ${kind}`, '* filter=evil\n', `[filter "evil"]\n\t${kind} = ${EVIL}\n\trequired = true\n`),
);

/** Files of the repository that lead elsewhere, or run. */
const FILES: readonly Plant[] = [
  attributes('a driver of diffs', '* diff=evil\n', `[diff "evil"]\n\tcommand = ${EVIL}\n`),
  attributes('text made by program', '* diff=evil\n', `[diff "evil"]\n\ttextconv = ${EVIL}\n\tcachetextconv = true\n`),
  {
    name: 'attributes inside .git',
    async plant({ dir }) {
      await writeFile(join(dir, '.git/info/attributes'), '* filter=evil diff=evil\n');
      await appendFile(
        join(dir, '.git/config'),
        `[filter "evil"]\n\tclean = ${EVIL}\n[diff "evil"]\n\tcommand = ${EVIL}\n`,
      );
    },
  },
  {
    name: 'hooks',
    async plant({ dir }) {
      for (const hook of HOOKS) {
        await writeFile(join(dir, '.git/hooks', hook), '#!/bin/sh\ntouch pwned\n');
        await chmod(join(dir, '.git/hooks', hook), 0o755);
      }
      await writeFile(join(dir, 'a.txt'), 'changed\n');
      await writeFile(join(dir, 'a.txt'), 'one\n'); // the index is stale: whoever refreshes it writes it
    },
  },
  {
    name: 'settings of one working tree',
    async plant({ dir }) {
      await appendFile(
        join(dir, '.git/config'),
        '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n',
      );
      await writeFile(join(dir, '.git/config.worktree'), `[core]\n\tfsmonitor = ${EVIL}\n`);
    },
  },
  {
    name: 'objects of another repository',
    plant: ({ dir, outside }) => writeFile(join(dir, '.git/objects/info/alternates'), `${outside}/repo/.git/objects\n`),
  },
  {
    name: 'a folder of objects that is a link',
    async plant({ dir, outside }) {
      const [first] = (await readdir(join(dir, '.git/objects'))).filter((name) => /^[0-9a-f]{2}$/.test(name));
      await rename(join(dir, '.git/objects', first!), join(outside, first!));
      await symlink(join(outside, first!), join(dir, '.git/objects', first!));
    },
  },
  {
    name: 'a common folder elsewhere',
    async plant({ dir, outside }) {
      await writeFile(join(dir, '.git/commondir'), `${outside}/repo/.git\n`);
    },
  },
  {
    name: '.git is a file that leads away',
    async plant({ dir, outside }) {
      await rename(join(dir, '.git'), join(outside, 'moved'));
      await writeFile(join(dir, '.git'), `gitdir: ${outside}/moved\n`);
    },
  },
  {
    name: '.git is a link',
    async plant({ dir, outside }) {
      await rename(join(dir, '.git'), join(outside, 'moved'));
      await symlink(join(outside, 'moved'), join(dir, '.git'));
    },
  },
  {
    name: 'settings that are a link',
    async plant({ dir, outside }) {
      await rename(join(dir, '.git/config'), join(outside, 'config'));
      await symlink(join(outside, 'config'), join(dir, '.git/config'));
    },
  },
  {
    name: 'a branch that is a link to a secret',
    async plant({ dir, outside }) {
      await symlink(join(outside, 'secret.txt'), join(dir, '.git/refs/heads/leak'));
    },
  },
  {
    name: 'a bare repository in the folder',
    async plant({ dir }) {
      await cp(join(dir, '.git'), join(dir, 'sub'), { recursive: true });
      await writeFile(
        join(dir, 'sub/config'),
        `[core]\n\tbare = true\n\tfsmonitor = ${EVIL}\n[diff]\n\texternal = ${EVIL}\n`,
      );
    },
  },
  {
    name: 'a submodule with a watcher and a filter',
    async plant({ dir, git }) {
      await mkdir(join(dir, 'mod'));
      execFileSync('git', ['init', '-q', join(dir, 'mod')], { env: QUIET });
      execFileSync('git', ['-C', join(dir, 'mod'), 'commit', '-q', '--allow-empty', '-m', 'x'], { env: QUIET });
      git('-c', 'advice.addEmbeddedRepo=false', 'add', 'mod');
      git('commit', '-qm', 'mod');
      await appendFile(
        join(dir, 'mod/.git/config'),
        `[core]\n\tfsmonitor = ../evil.sh\n[filter "evil"]\n\tclean = ../evil.sh\n`,
      );
      await writeFile(join(dir, 'mod/.gitattributes'), '* filter=evil\n');
      await writeFile(join(dir, 'mod/x'), 'x\n');
    },
  },
  { name: 'no settings at all', plant: ({ dir }) => rm(join(dir, '.git/config')) },
];

export const PLANTS: readonly Plant[] = [...SETTINGS, ...FILTERS, ...FILES];

/** Commits are the same everywhere, and nobody's own settings count. */
const QUIET = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ann',
  GIT_AUTHOR_EMAIL: 'ann@example.com',
  GIT_COMMITTER_NAME: 'Ann',
  GIT_COMMITTER_EMAIL: 'ann@example.com',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};

/** A repository with two commits, a tag, something staged and something changed. */
export async function honestRepository(dir: string, outside: string): Promise<Site> {
  const { git } = siteAt(dir, outside);
  await mkdir(join(dir, 'sub'), { recursive: true });
  await mkdir(outside, { recursive: true });
  await writeFile(join(outside, 'secret.txt'), 'ref: a secret\n');
  await writeFile(join(outside, '..', 'evil.config'), `[core]\n\tfsmonitor = ${EVIL}\n`);
  execFileSync('git', ['init', '-q', '-b', 'main', dir], { env: QUIET });
  await writeFile(join(dir, 'a.txt'), 'one\n');
  await writeFile(join(dir, 'sub/b.ts'), 'export const b = 2;\n');
  await writeFile(join(dir, 'evil.sh'), '#!/bin/sh\ntouch pwned\ncat\n');
  await chmod(join(dir, 'evil.sh'), 0o755);
  git('add', '.');
  git('commit', '-qm', 'first');
  await writeFile(join(dir, 'a.txt'), 'one\ntwo\n');
  git('commit', '-qam', 'second');
  git('tag', 'v1');
  git('remote', 'add', 'origin', 'https://example.com/repo.git');
  await appendFile(
    join(dir, '.git/config'),
    '# by hand\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = Ann Onymous\n\temail = ann@example.com\n[pull]\n\trebase = true\n[submodule "x"]\n\turl = https://example.com/x.git\n\tactive = true\n',
  );
  await writeFile(join(dir, 'c.txt'), 'staged\n');
  git('add', 'c.txt');
  await writeFile(join(dir, 'sub/b.ts'), 'export const b = 3;\n');
  await writeFile(join(dir, 'new.txt'), 'untracked\n');
  return siteAt(dir, outside);
}

/** A copy of a repository and what lies beside it. */
export async function copied(from: Site, to: string): Promise<Site> {
  await cp(join(from.dir, '..'), to, { recursive: true, verbatimSymlinks: true });
  return siteAt(join(to, 'work'), join(to, 'outside'));
}

const siteAt = (dir: string, outside: string): Site => ({
  dir,
  outside,
  git: (...args) =>
    execFileSync('git', ['-C', dir, ...args], { env: QUIET, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }),
});
