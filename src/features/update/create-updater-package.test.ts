import assert from 'node:assert/strict';
import { chmod, mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { isNewer } from './npm-update.ts';
import { installed } from './harness.ts';

describe('a global package', () => {
  it('takes exactly the newest release, and restarts', async () => {
    await using s = await installed();
    await s.latest('"1.4.0"');
    const report = await s.updater.run({});
    assert.deepEqual(
      [report.status, report.mode, report.before, report.after, await s.version()],
      ['ok', 'npm', { version: '1.0.0' }, { version: '1.4.0' }, '1.4.0'],
    );
    assert.deepEqual(await s.asked(), [
      'root --global',
      'view clawdbot@latest version --json --global',
      'install --global clawdbot@1.4.0 --ignore-scripts --no-audit --no-fund',
    ]);
    assert.deepEqual([s.restarts.length, s.restarts[0]!.fresh], [1, true]);
  });

  for (const [text, reason] of [
    ['"1.0.0"', 'up-to-date'],
    ['"0.9.9"', 'up-to-date'],
    ['"1.0.0-beta.1"', 'up-to-date'],
    ['"latest; rm -rf /"', 'registry-failed'],
    ['{"x":1}', 'registry-failed'],
    ['nonsense', 'registry-failed'],
    ['', 'registry-failed'],
  ] as const)
    it(`that is offered ${text || 'nothing'} stays: ${reason}`, async () => {
      await using s = await installed();
      await s.latest(text);
      const report = await s.updater.run({});
      assert.deepEqual(
        [report.reason, report.status, await s.version(), s.restarts.length],
        [reason, reason === 'up-to-date' ? 'skipped' : 'error', '1.0.0', 0],
      );
    });

  for (const [kind, reason] of [
    ['broken', 'install-failed'],
    ['bad', 'self-test-failed'],
  ] as const)
    it(`goes back to the old release when it comes to ${reason}`, async () => {
      await using s = await installed();
      await s.latest('"1.4.0"');
      await writeFile(s.at(`latest.${kind}-1.4.0`), '');
      const report = await s.updater.run({});
      assert.deepEqual(
        [report.status, report.reason, report.after, await s.version(), s.restarts.length],
        ['error', reason, { version: '1.0.0' }, '1.0.0', 0],
      );
      assert.match(report.advice!, /1\.0\.0 is installed again/);
    });

  it('of a project, of nobody, or of another user is skipped with what to do', async () => {
    await using s = await installed();
    await rename(s.at('lib'), s.at('project'));
    await mkdir(s.at('lib', 'node_modules'), { recursive: true });
    assert.equal((await s.updaterAt(s.at('project', 'node_modules', 'clawdbot')).run({})).reason, 'not-global-install');
    await mkdir(s.at('plain'));
    const none = await s.updaterAt(s.at('plain')).run({});
    assert.deepEqual(
      [none.status, none.mode, none.reason, none.restart],
      ['skipped', 'none', 'not-git-install', undefined],
    );
    assert.equal((await s.updaterAt(s.at('plain')).status({ refresh: false })).reason, 'not-git-install');
  });

  it('that this user may not write is skipped', {
    skip: process.getuid?.() === 0 ? 'root may write everywhere' : false,
  }, async () => {
    await using s = await installed();
    await chmod(s.root, 0o555);
    const report = await s.updater.run({});
    await chmod(s.root, 0o755);
    assert.equal(report.reason, 'not-writable');
    assert.ok(await stat(s.root));
  });
});

it('a release is newer by number, and never older', () => {
  for (const [newer, older] of [
    ['1.0.1', '1.0.0'],
    ['1.10.0', '1.9.9'],
    ['2.0.0', '1.99.99'],
    ['1.0.0', '1.0.0-rc.1'],
    ['1.0.0-rc.10', '1.0.0-rc.9'],
  ] as const)
    assert.deepEqual([isNewer(newer, older), isNewer(older, newer), isNewer(newer, newer)], [true, false, false]);
  for (const [a, b] of [
    ['x', '1.0.0'],
    ['1.0.0', 'x'],
    ['1.0', '0.9.0'],
  ] as const)
    assert.equal(isNewer(a, b), false);
});
