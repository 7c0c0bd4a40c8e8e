/** Updates of a real checkout from a real remote, and of a package from a registry, with an npm that does what the test wants. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { silentLog } from '../../core/log.ts';
import type { RestartRequest } from '../../gateway/services.ts';
import type { UpdateReport } from '../../gateway/update-service.ts';
import { systemClock } from '../../platform/clock.ts';
import { readEnv } from '../../platform/env.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { until } from '../../testing/until.ts';
import { createUpdater } from './create-updater.ts';
import { isNewer } from './npm-update.ts';

const run = promisify(execFile);

/** Writes down what it is asked; builds by copying, once a file that holds it up is gone; fails where a file says so. */
const NPM = `#!/bin/sh
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

async function machine() {
  const dir = await tempDir('update');
  const at = (...parts: readonly string[]): string => join(dir.path, ...parts);
  await mkdir(at('bin'));
  await writeFile(at('bin', 'npm'), NPM);
  await chmod(at('bin', 'npm'), 0o755);
  await writeFile(at('npm.log'), '');
  const vars = { HOME: dir.path, PATH: `${at('bin')}:${process.env['PATH']}`, NPM_LOG: at('npm.log'), NPM_GLOBAL: at('lib', 'node_modules'), NPM_LATEST: at('latest'), HOLD: at('hold'), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@x', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@x' };
  const restarts: RestartRequest[] = [];
  const updaterAt = (root: string) => createUpdater({
    root, env: readEnv(vars), clock: systemClock, log: silentLog,
    requestRestart(request) {
      restarts.push(request);
      return { scheduledAt: systemClock.now() + (request.delayMs ?? 2000) };
    },
  });
  return { dir, at, vars, restarts, updaterAt, asked: async () => (await readFile(at('npm.log'), 'utf8')).split('\n').filter(Boolean) };
}

/** A checkout that follows `main` of a remote, and a second one to publish from. */
async function checkout() {
  const m = await machine();
  const git = async (where: string, ...args: readonly string[]): Promise<string> => (await run('git', args, { cwd: m.at(where), env: m.vars })).stdout.trim();
  const files = async (where: string, given: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, text] of Object.entries(given)) {
      await mkdir(join(m.at(where, name), '..'), { recursive: true });
      await writeFile(m.at(where, name), text);
    }
  };
  await mkdir(m.at('seed'));
  await git('seed', 'init', '--quiet', '--initial-branch=main');
  await git('.', 'init', '--quiet', '--bare', '--initial-branch=main', 'origin.git');
  await git('seed', 'remote', 'add', 'origin', `file://${m.at('origin.git')}`);
  const publish = async (given: Readonly<Record<string, string>>): Promise<string> => {
    await files('seed', given);
    await git('seed', 'add', '--all');
    await git('seed', 'commit', '--quiet', '--message', 'work');
    await git('seed', 'push', '--quiet', 'origin', 'HEAD:main');
    return git('seed', 'rev-parse', 'HEAD');
  };
  const first = await publish({ 'package.json': '{"name":"clawdbot","version":"1.0.0"}', 'package-lock.json': '{}', '.gitignore': 'node_modules\ndist\n', 'src/app.js': 'export const n = 1;\n' });
  await git('.', 'clone', '--quiet', `file://${m.at('origin.git')}`, 'root');
  await files('root', { 'node_modules/x': '', 'dist/app.js': 'export const n = 1;\n' });
  const updater = m.updaterAt(m.at('root'));
  return {
    ...m, git, files, publish, first, updater, head: () => git('root', 'rev-parse', 'HEAD'), built: () => readFile(m.at('root', 'dist', 'app.js'), 'utf8'),
    async [Symbol.asyncDispose]() {
      await updater[Symbol.asyncDispose]();
      await m.dir[Symbol.asyncDispose]();
    },
  };
}

const names = ({ steps }: UpdateReport): readonly string[] => steps.map(({ name }) => name);

describe('a checkout', () => {
  it('takes newer commits, builds, tries, and restarts with the new code', async () => {
    await using s = await checkout();
    const second = await s.publish({ 'src/app.js': 'export const n = 2;\n', 'package.json': '{"name":"clawdbot","version":"1.1.0"}', 'package-lock.json': '{"x":1}' });
    const told: string[] = [];
    const report = await s.updater.run({ sessionKey: 'agent:main:main', note: 'go on', restartDelayMs: 100, progress: (text) => void told.push(text) });
    assert.deepEqual([report.status, report.mode, report.before, report.after, report.reason], ['ok', 'git', { version: '1.0.0', sha: s.first }, { version: '1.1.0', sha: second }, undefined]);
    assert.deepEqual(names(report), ['fetch', 'fast-forward', 'install', 'build', 'self-test']);
    assert.deepEqual(told, names(report).map((name) => `Updating: ${name}`));
    assert.deepEqual([await s.head(), await s.built()], [second, 'export const n = 2;\n']);
    assert.deepEqual(await s.asked(), ['ci --include=dev --include=optional --ignore-scripts --no-audit --no-fund', 'run build']);
    const [restart] = s.restarts;
    assert.deepEqual([s.restarts.length, restart!.fresh, restart!.kind, restart!.delayMs, restart!.sessionKey], [1, true, 'update', 100, 'agent:main:main']);
    assert.match(restart!.note!, /^⚙️ The gateway is back, updated from 1\.0\.0 \([0-9a-f]{10}\) to 1\.1\.0 \([0-9a-f]{10}\)\. go on$/);
    assert.deepEqual((restart!.stats as unknown as UpdateReport).after, report.after);
    assert.equal((await s.updater.status({ refresh: false })).last?.status, 'ok');
  });

  it('does not install again what has not changed: the running gateway still loads from there', async () => {
    await using s = await checkout();
    await s.publish({ 'src/app.js': 'export const n = 2;\n' });
    assert.deepEqual(names(await s.updater.run({})), ['fetch', 'fast-forward', 'build', 'self-test']);
    assert.equal(s.restarts[0]!.note, undefined, 'nobody asked to be told');
    await rm(s.at('root', 'node_modules'), { recursive: true });
    await s.publish({ 'src/app.js': 'export const n = 3;\n' });
    assert.ok(names(await s.updater.run({})).includes('install'));
  });

  it('does nothing, and restarts nothing, when there is nothing newer', async () => {
    await using s = await checkout();
    const report = await s.updater.run({ sessionKey: 'agent:main:main' });
    assert.deepEqual([report.status, report.reason, report.restart, s.restarts.length, await s.asked()], ['skipped', 'up-to-date', undefined, 0, []]);
  });

  it('leaves work of the person alone', async () => {
    await using s = await checkout();
    await s.publish({ 'src/app.js': 'export const n = 2;\n' });
    await s.files('root', { 'notes.txt': 'mine', 'src/app.js': 'export const n = 7;\n' });
    assert.deepEqual([(await s.updater.run({})).reason, await readFile(s.at('root', 'src', 'app.js'), 'utf8')], ['dirty', 'export const n = 7;\n']);
    await s.git('root', 'commit', '--quiet', '--all', '--message', 'mine');
    const diverged = await s.updater.run({});
    assert.deepEqual([diverged.status, diverged.reason], ['skipped', 'diverged']);
    assert.match(diverged.advice!, /1 commits of its own/);
    await s.git('root', 'reset', '--quiet', '--hard', 'HEAD~1');
    assert.equal((await s.updater.run({})).status, 'ok', 'a file git does not know is in nobody’s way');
    assert.equal(await readFile(s.at('root', 'notes.txt'), 'utf8'), 'mine');
    assert.equal(s.restarts.length, 1);
  });

  it('without a branch to follow is skipped with what to do', async () => {
    await using s = await checkout();
    await s.publish({ 'src/app.js': 'export const n = 2;\n' });
    await s.git('root', 'checkout', '--quiet', '--detach');
    assert.deepEqual([(await s.updater.run({})).reason], ['no-upstream']);
    await s.git('root', 'checkout', '--quiet', '-b', 'own', '--no-track');
    const report = await s.updater.run({});
    assert.deepEqual([report.status, report.reason], ['skipped', 'no-upstream']);
    assert.match(report.advice!, /--set-upstream-to/);
  });

  it('whose remote is gone is an error, and nothing else', async () => {
    await using s = await checkout();
    await rename(s.at('origin.git'), s.at('gone.git'));
    const report = await s.updater.run({});
    assert.deepEqual([report.status, report.reason, names(report), report.steps[0]!.log.exitCode !== 0], ['error', 'fetch-failed', ['fetch'], true]);
    assert.deepEqual([await s.head(), s.restarts.length], [s.first, 0]);
  });

  const BROKEN: readonly (readonly [reason: string, files: Readonly<Record<string, string>>])[] = [
    ['build-failed', { 'src/app.js': '// BROKEN\n' }], ['install-failed', { 'broken-lock': 'x', 'package-lock.json': '{"x":1}' }], ['self-test-failed', { 'src/app.js': 'import "./nowhere.js";\n' }],
  ];
  for (const [reason, files] of BROKEN)
    it(`goes back to the old code when it comes to ${reason}`, async () => {
      await using s = await checkout();
      await s.publish(files);
      const report = await s.updater.run({ sessionKey: 'agent:main:main' });
      assert.deepEqual([report.status, report.reason, report.after, report.restart, s.restarts.length], ['error', reason, { version: '1.0.0', sha: s.first }, undefined, 0]);
      assert.match(report.advice!, /The old code is in place again/);
      assert.deepEqual([await s.head(), await s.built()], [s.first, 'export const n = 1;\n']);
      assert.deepEqual(names(report).slice(-2).map((name) => name.split(':')[0]), ['back', 'back']);
      assert.equal((await s.updater.status({ refresh: false })).last?.reason, reason);
    });

  it('keeps the ends of what was written, without secrets', async () => {
    await using s = await checkout();
    await s.publish({ 'src/app.js': '// BROKEN\n', 'broken-lock': '', 'package-lock.json': '{"x":1}' });
    const report = await s.updater.run({});
    const { log } = report.steps.find(({ name }) => name === 'install')!;
    assert.deepEqual([log.exitCode, log.stderrTail.includes('abcdefghijklmnop1234')], [1, false]);
    await s.git('seed', 'rm', '--quiet', 'broken-lock');
    await s.publish({});
    const build = (await s.updater.run({})).steps.find(({ name }) => name === 'build')!;
    assert.deepEqual([build.log.stdoutTail.trim(), build.log.exitCode, /pass@|tok@/.test(build.log.stderrTail)], ['no build', 2, false]);
    for (const step of report.steps) assert.ok(step.log.stdoutTail.length <= 8000 && step.log.stderrTail.length <= 8000 && step.cwd === s.at('root') && step.durationMs >= 0);
  });

  it('is updated once at a time, says how far it is, and ends with the gateway', async () => {
    await using s = await checkout();
    await s.files('.', { hold: '' });
    await s.publish({ 'src/app.js': 'export const n = 2;\n' });
    const going = s.updater.run({});
    await until(async () => (await s.updater.status({ refresh: true })).running?.step === 'build', 'the build');
    assert.equal((await s.updater.run({})).reason, 'already-running');
    await rm(s.at('hold'));
    await s.updater[Symbol.asyncDispose]();
    const report = await going;
    assert.deepEqual([report.status, report.reason, await s.head(), s.restarts.length], ['error', 'build-failed', s.first, 0]);
  });

  it('is given so much time and no more', async () => {
    await using s = await checkout();
    await s.files('.', { hold: '' });
    await s.publish({ 'src/app.js': 'export const n = 2;\n' });
    const going = s.updater.run({ timeoutMs: 1000 });
    // The way back waits for the file too, in its build. On a busy machine the time is over before anything waits.
    let over = false;
    void going.finally(() => (over = true));
    await until(async () => over || (await s.updater.status({ refresh: false })).running?.step.startsWith('back') === true, 'the way back');
    await rm(s.at('hold'));
    const report = await going;
    assert.match(report.advice!, /took too long/);
    assert.equal(await s.head(), s.first);
  });

  it('inside another repository is not ours to move', async () => {
    await using s = await checkout();
    await mkdir(s.at('root', 'vendor', 'clawdbot', '.git'), { recursive: true });
    await rm(s.at('root', 'vendor', 'clawdbot', '.git'), { recursive: true });
    await writeFile(s.at('root', 'vendor', 'clawdbot', '.git'), `gitdir: ${s.at('root', '.git')}\n`);
    await s.git('root', 'config', 'core.worktree', s.at('root'));
    assert.equal((await s.updaterAt(s.at('root', 'vendor', 'clawdbot')).run({})).reason, 'not-git-install');
  });

  it('shows what there would be, without touching it, and asks the remote once a minute', async () => {
    await using s = await checkout();
    assert.equal((await s.updater.status({ refresh: false })).reason, 'up-to-date');
    const second = await s.publish({ 'package.json': '{"name":"clawdbot","version":"1.2.0"}' });
    assert.equal((await s.updater.status({ refresh: false })).available, undefined);
    const status = await s.updater.status({ refresh: true });
    assert.deepEqual([status.current, status.available], [{ version: '1.0.0', sha: s.first }, { version: '1.2.0', sha: second, upstream: 'origin/main', behind: 1 }]);
    assert.equal(await s.head(), s.first);
  });
});

async function installed(version = '1.0.0') {
  const m = await machine();
  const root = m.at('lib', 'node_modules', 'clawdbot');
  await mkdir(join(root, 'dist'), { recursive: true });
  await writeFile(join(root, 'package.json'), `{"name":"clawdbot","version":"${version}"}`);
  await writeFile(join(root, 'dist', 'app.js'), '');
  const updater = m.updaterAt(root);
  return {
    ...m, root, updater, latest: (text: string) => writeFile(m.at('latest'), text),
    version: async () => (JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }).version,
    [Symbol.asyncDispose]: () => m.dir[Symbol.asyncDispose](),
  };
}

describe('a global package', () => {
  it('takes exactly the newest release, and restarts', async () => {
    await using s = await installed();
    await s.latest('"1.4.0"');
    const report = await s.updater.run({});
    assert.deepEqual([report.status, report.mode, report.before, report.after, await s.version()], ['ok', 'npm', { version: '1.0.0' }, { version: '1.4.0' }, '1.4.0']);
    assert.deepEqual(await s.asked(), ['root --global', 'view clawdbot@latest version --json --global', 'install --global clawdbot@1.4.0 --ignore-scripts --no-audit --no-fund']);
    assert.deepEqual([s.restarts.length, s.restarts[0]!.fresh], [1, true]);
  });

  for (const [text, reason] of [['"1.0.0"', 'up-to-date'], ['"0.9.9"', 'up-to-date'], ['"1.0.0-beta.1"', 'up-to-date'], ['"latest; rm -rf /"', 'registry-failed'], ['{"x":1}', 'registry-failed'], ['nonsense', 'registry-failed'], ['', 'registry-failed']] as const)
    it(`that is offered ${text || 'nothing'} stays: ${reason}`, async () => {
      await using s = await installed();
      await s.latest(text);
      const report = await s.updater.run({});
      assert.deepEqual([report.reason, report.status, await s.version(), s.restarts.length], [reason, reason === 'up-to-date' ? 'skipped' : 'error', '1.0.0', 0]);
    });

  for (const [kind, reason] of [['broken', 'install-failed'], ['bad', 'self-test-failed']] as const)
    it(`goes back to the old release when it comes to ${reason}`, async () => {
      await using s = await installed();
      await s.latest('"1.4.0"');
      await writeFile(s.at(`latest.${kind}-1.4.0`), '');
      const report = await s.updater.run({});
      assert.deepEqual([report.status, report.reason, report.after, await s.version(), s.restarts.length], ['error', reason, { version: '1.0.0' }, '1.0.0', 0]);
      assert.match(report.advice!, /1\.0\.0 is installed again/);
    });

  it('of a project, of nobody, or of another user is skipped with what to do', async () => {
    await using s = await installed();
    await rename(s.at('lib'), s.at('project'));
    await mkdir(s.at('lib', 'node_modules'), { recursive: true });
    assert.equal((await s.updaterAt(s.at('project', 'node_modules', 'clawdbot')).run({})).reason, 'not-global-install');
    await mkdir(s.at('plain'));
    const none = await s.updaterAt(s.at('plain')).run({});
    assert.deepEqual([none.status, none.mode, none.reason, none.restart], ['skipped', 'none', 'not-git-install', undefined]);
    assert.equal((await s.updaterAt(s.at('plain')).status({ refresh: false })).reason, 'not-git-install');
  });

  it('that this user may not write is skipped', { skip: process.getuid?.() === 0 ? 'root may write everywhere' : false }, async () => {
    await using s = await installed();
    await chmod(s.root, 0o555);
    const report = await s.updater.run({});
    await chmod(s.root, 0o755);
    assert.equal(report.reason, 'not-writable');
    assert.ok(await stat(s.root));
  });
});

it('a release is newer by number, and never older', () => {
  for (const [newer, older] of [['1.0.1', '1.0.0'], ['1.10.0', '1.9.9'], ['2.0.0', '1.99.99'], ['1.0.0', '1.0.0-rc.1'], ['1.0.0-rc.10', '1.0.0-rc.9']] as const) assert.deepEqual([isNewer(newer, older), isNewer(older, newer), isNewer(newer, newer)], [true, false, false]);
  for (const [a, b] of [['x', '1.0.0'], ['1.0.0', 'x'], ['1.0', '0.9.0']] as const) assert.equal(isNewer(a, b), false);
});
