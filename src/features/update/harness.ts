/** Checkouts and packages to update, with registries and remotes in temporary folders. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { silentLog } from '../../core/log.ts';
import type { RestartRequest } from '../../host/restart.ts';
import type { UpdateReport } from './update-service.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { readEnv } from '../../platform/env.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { createUpdater } from './create-updater.ts';

export const run = promisify(execFile);

/**
 * Writes down what it is asked; builds by copying, once a file that holds it up is gone; fails where a file says so.
 */
export const NPM = `#!/bin/sh
echo "$*" >> "$NPM_LOG"
case "$*" in
  "ci "*) [ -f broken-lock ] && { echo "npm error Bearer abcdefghijklmnop1234" >&2; exit 1; }; mkdir -p node_modules;;
  "run build") grep -q BROKEN src/app.js && { echo "no build"; echo "https://me:pass@reg.example https://tok@git.example" >&2; exit 2; }; i=0; while [ -f "$HOLD" ] && [ $i -lt 600 ]; do i=$((i+1)); sleep 0.1; done; mkdir -p dist; cp src/app.js dist/app.js;;
  "root --global") echo "$NPM_GLOBAL";;
  "view "*) cat "$NPM_LATEST";;
  "install --global "*) version=\${3##*@}; [ -f "$NPM_LATEST.broken-$version" ] && exit 1; sed -i "s/\\"version\\":\\"[^\\"]*\\"/\\"version\\":\\"$version\\"/" "$NPM_GLOBAL/clawdbot/package.json"; [ -f "$NPM_LATEST.bad-$version" ] && echo "throw 1" > "$NPM_GLOBAL/clawdbot/dist/app.js" || echo "" > "$NPM_GLOBAL/clawdbot/dist/app.js";;
esac
exit 0
`;

export async function machine() {
  const dir = await tempDir('update');
  const at = (...parts: readonly string[]): string => join(dir.path, ...parts);
  await mkdir(at('bin'));
  await writeFile(at('bin', 'npm'), NPM);
  await chmod(at('bin', 'npm'), 0o755);
  await writeFile(at('npm.log'), '');
  const vars = {
    HOME: dir.path,
    PATH: `${at('bin')}:${process.env['PATH']}`,
    NPM_LOG: at('npm.log'),
    NPM_GLOBAL: at('lib', 'node_modules'),
    NPM_LATEST: at('latest'),
    HOLD: at('hold'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@x',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@x',
  };
  const restarts: RestartRequest[] = [];
  const updaterAt = (root: string, clock: Clock = systemClock) =>
    createUpdater({
      root,
      env: readEnv(vars),
      clock,
      log: silentLog,
      requestRestart(request) {
        restarts.push(request);
        return { scheduledAt: systemClock.now() + (request.delayMs ?? 2000) };
      },
    });
  return {
    dir,
    at,
    vars,
    restarts,
    updaterAt,
    asked: async () => (await readFile(at('npm.log'), 'utf8')).split('\n').filter(Boolean),
  };
}

type Machine = Awaited<ReturnType<typeof machine>>;

/** The commands of git in a folder of this machine. */
const gitOn =
  (m: Machine) =>
  async (where: string, ...args: readonly string[]): Promise<string> =>
    (await run('git', args, { cwd: m.at(where), env: m.vars })).stdout.trim();

/** What git makes of a remote, a checkout that follows it and one to publish from. */
interface Repositories {
  readonly first: string;
  /** The folder they were made in, which some of their files name. */
  readonly madeIn: string;
  readonly files: readonly (readonly [path: string, data: Buffer])[];
}

/** Made once by git, with some twenty processes, and then copied. The remote reads its objects from `seed`. */
const shared: { repositories?: Promise<Repositories> } = {};

async function makeRepositories(): Promise<Repositories> {
  const m = await machine();
  await using _ = m.dir;
  const git = gitOn(m);
  await mkdir(m.at('seed', 'src'), { recursive: true });
  await git('seed', 'init', '--quiet', '--template=', '--initial-branch=main');
  await git('.', 'init', '--quiet', '--template=', '--bare', '--initial-branch=main', 'origin.git');
  await git('seed', 'remote', 'add', 'origin', `file://${m.at('origin.git')}`);
  // Housekeeping after a commit is a process of its own.
  await git('seed', 'config', 'maintenance.auto', 'false');
  await writeFile(m.at('origin.git/objects/info/alternates'), `${m.at('seed/.git/objects')}\n`);
  for (const [name, text] of Object.entries({
    'package.json': '{"name":"clawdbot","version":"1.0.0"}',
    'package-lock.json': '{}',
    '.gitignore': 'node_modules\ndist\n',
    'src/app.js': 'export const n = 1;\n',
  }))
    await writeFile(m.at('seed', name), text);
  await git('seed', 'add', '--all');
  await git('seed', 'commit', '--quiet', '--message', 'work');
  await git('seed', 'push', '--quiet', 'origin', 'HEAD:main');
  await git('.', 'clone', '--quiet', '--template=', `file://${m.at('origin.git')}`, 'root');
  const entries = await readdir(m.dir.path, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(m.dir.path, join(entry.parentPath, entry.name)))
    .filter((path) => /^(?:seed|root|origin\.git)\//.test(path));
  return {
    first: await git('seed', 'rev-parse', 'HEAD'),
    madeIn: m.dir.path,
    files: await Promise.all(paths.map(async (path) => [path, await readFile(m.at(path))] as const)),
  };
}

async function copyRepositories(m: Machine): Promise<string> {
  const { first, madeIn, files } = await (shared.repositories ??= makeRepositories());
  for (const [path, data] of files) {
    await mkdir(dirname(m.at(path)), { recursive: true });
    const text = /\/(?:config|alternates)$/.test(path) ? data.toString().replaceAll(madeIn, m.dir.path) : data;
    await writeFile(m.at(path), text);
  }
  return first;
}

/** A checkout that follows `main` of a remote, and a second one to publish from. */
export async function checkout() {
  const m = await machine();
  const git = gitOn(m);
  const files = async (where: string, given: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, text] of Object.entries(given)) {
      await mkdir(join(m.at(where, name), '..'), { recursive: true });
      await writeFile(m.at(where, name), text);
    }
  };
  const first = await copyRepositories(m);
  const publish = async (given: Readonly<Record<string, string>>): Promise<string> => {
    await files('seed', given);
    await git('seed', 'add', '--all');
    await git('seed', 'commit', '--quiet', '--message', 'work');
    const sha = (await readFile(m.at('seed/.git/refs/heads/main'), 'utf8')).trim();
    // As a push would, which starts eight processes: the remote has the objects already.
    await writeFile(m.at('origin.git/refs/heads/main'), `${sha}\n`);
    return sha;
  };
  await files('root', { 'node_modules/x': '', 'dist/app.js': 'export const n = 1;\n' });
  const updater = m.updaterAt(m.at('root'));
  return {
    ...m,
    git,
    files,
    publish,
    first,
    updater,
    head: () => git('root', 'rev-parse', 'HEAD'),
    built: () => readFile(m.at('root', 'dist', 'app.js'), 'utf8'),
    async [Symbol.asyncDispose]() {
      await updater[Symbol.asyncDispose]();
      await m.dir[Symbol.asyncDispose]();
    },
  };
}

export const names = ({ steps }: UpdateReport): readonly string[] => steps.map(({ name }) => name);

export async function installed(version = '1.0.0') {
  const m = await machine();
  const root = m.at('lib', 'node_modules', 'clawdbot');
  await mkdir(join(root, 'dist'), { recursive: true });
  await writeFile(join(root, 'package.json'), `{"name":"clawdbot","version":"${version}"}`);
  await writeFile(join(root, 'dist', 'app.js'), '');
  const updater = m.updaterAt(root);
  return {
    ...m,
    root,
    updater,
    latest: (text: string) => writeFile(m.at('latest'), text),
    version: async () =>
      (JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }).version,
    [Symbol.asyncDispose]: () => m.dir[Symbol.asyncDispose](),
  };
}
