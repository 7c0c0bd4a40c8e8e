/**
 * Updates of a real checkout from a real remote, and of a package from a registry, with an npm that does what the test
 * wants.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { UpdateReport } from './update-service.ts';
import { systemClock } from '../../platform/clock.ts';
import { until } from '../../testing/until.ts';
import { checkout, names } from './harness.ts';

describe('a checkout', () => {
  it('takes newer commits, builds, tries, and restarts with the new code', async () => {
    await using s = await checkout();
    const second = await s.publish({
      'src/app.js': 'export const n = 2;\n',
      'package.json': '{"name":"clawdbot","version":"1.1.0"}',
      'package-lock.json': '{"x":1}',
    });
    const reported: string[] = [];
    const report = await s.updater.run({
      sessionKey: 'agent:main:main',
      note: 'go on',
      restartDelayMs: 100,
      progress: (text) => void reported.push(text),
    });
    assert.deepEqual(
      [report.status, report.mode, report.before, report.after, report.reason],
      ['ok', 'git', { version: '1.0.0', sha: s.first }, { version: '1.1.0', sha: second }, undefined],
    );
    assert.deepEqual(names(report), ['fetch', 'fast-forward', 'install', 'build', 'self-test']);
    assert.deepEqual(
      reported,
      names(report).map((name) => `Updating: ${name}`),
    );
    assert.deepEqual([await s.head(), await s.built()], [second, 'export const n = 2;\n']);
    assert.deepEqual(await s.asked(), [
      'ci --include=dev --include=optional --ignore-scripts --no-audit --no-fund',
      'run build',
    ]);
    const [restart] = s.restarts;
    assert.deepEqual(
      [s.restarts.length, restart!.fresh, restart!.kind, restart!.delayMs, restart!.sessionKey],
      [1, true, 'update', 100, 'agent:main:main'],
    );
    assert.match(
      restart!.note!,
      /^⚙️ The gateway is back, updated from 1\.0\.0 \([0-9a-f]{10}\) to 1\.1\.0 \([0-9a-f]{10}\)\. go on$/,
    );
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
    assert.deepEqual(
      [report.status, report.reason, report.restart, s.restarts.length, await s.asked()],
      ['skipped', 'up-to-date', undefined, 0, []],
    );
  });

  it('leaves work of the person alone', async () => {
    await using s = await checkout();
    await s.publish({ 'src/app.js': 'export const n = 2;\n' });
    await s.files('root', { 'notes.txt': 'mine', 'src/app.js': 'export const n = 7;\n' });
    assert.deepEqual(
      [(await s.updater.run({})).reason, await readFile(s.at('root', 'src', 'app.js'), 'utf8')],
      ['dirty', 'export const n = 7;\n'],
    );
    await s.git('root', 'commit', '--quiet', '--all', '--message', 'mine');
    const diverged = await s.updater.run({});
    assert.deepEqual([diverged.status, diverged.reason], ['skipped', 'diverged']);
    assert.match(diverged.advice!, /1 local commit that is/);
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
    assert.deepEqual(
      [report.status, report.reason, names(report), report.steps[0]!.log.exitCode !== 0],
      ['error', 'fetch-failed', ['fetch'], true],
    );
    assert.deepEqual([await s.head(), s.restarts.length], [s.first, 0]);
  });

  const BROKEN: readonly (readonly [reason: string, files: Readonly<Record<string, string>>])[] = [
    ['build-failed', { 'src/app.js': '// BROKEN\n' }],
    ['install-failed', { 'broken-lock': 'x', 'package-lock.json': '{"x":1}' }],
    ['self-test-failed', { 'src/app.js': 'import "./nowhere.js";\n' }],
  ];
  for (const [reason, files] of BROKEN)
    it(`goes back to the old code when it comes to ${reason}`, async () => {
      await using s = await checkout();
      await s.publish(files);
      const report = await s.updater.run({ sessionKey: 'agent:main:main' });
      assert.deepEqual(
        [report.status, report.reason, report.after, report.restart, s.restarts.length],
        ['error', reason, { version: '1.0.0', sha: s.first }, undefined, 0],
      );
      assert.match(report.advice!, /The old code was restored/);
      assert.deepEqual([await s.head(), await s.built()], [s.first, 'export const n = 1;\n']);
      assert.deepEqual(
        names(report)
          .slice(-2)
          .map((name) => name.split(':')[0]),
        ['back', 'back'],
      );
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
    assert.deepEqual(
      [build.log.stdoutTail.trim(), build.log.exitCode, /pass@|tok@/.test(build.log.stderrTail)],
      ['no build', 2, false],
    );
    for (const step of report.steps)
      assert.ok(
        step.log.stdoutTail.length <= 8000 &&
          step.log.stderrTail.length <= 8000 &&
          step.cwd === s.at('root') &&
          step.durationMs >= 0,
      );
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
    assert.deepEqual(
      [report.status, report.reason, await s.head(), s.restarts.length],
      ['error', 'build-failed', s.first, 0],
    );
  });

  it('is given so much time and no more, and going back has its own', async () => {
    await using s = await checkout();
    await s.files('.', { hold: '' });
    await s.publish({ 'src/app.js': 'export const n = 2;\n', 'package-lock.json': '{"x":1}' });
    const isInstalled = (): boolean => readFileSync(s.at('npm.log'), 'utf8').includes('ci ');
    await using updater = s.updaterAt(s.at('root'), {
      ...systemClock,
      monotonic: () => (isInstalled() ? 2 * 60 * 60_000 : 0), // the installation takes two hours
    });
    const going = updater.run({});
    // The build of the way back waits for the file, too.
    const isGoingBack = async (): Promise<boolean> =>
      (await updater.status({ refresh: false })).running?.step.startsWith('back') === true;
    await until(isGoingBack, 'the way back');
    await rm(s.at('hold'));
    const report = await going;
    assert.match(report.advice!, /took too long/);
    assert.equal(await s.head(), s.first);
    assert.equal(await s.built(), 'export const n = 1;\n');
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
    assert.deepEqual(
      [status.current, status.available],
      [
        { version: '1.0.0', sha: s.first },
        { version: '1.2.0', sha: second, upstream: 'origin/main', behind: 1 },
      ],
    );
    assert.equal(await s.head(), s.first);
  });
});
