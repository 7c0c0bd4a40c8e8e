// A command in a sandbox with a read-write workspace cannot change the files that every prompt contains.
import assert from 'node:assert/strict';
import { execFile as execFileWithCallback } from 'node:child_process';
import { link, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createSandboxes } from '../../../src/features/exec/sandbox/create-sandboxes.ts';
import { silentLog } from '../../../src/core/log.ts';
import { findBubblewrap } from '../../../src/features/exec/platform/bubblewrap.ts';
import { readEnv } from '../../../src/platform/env.ts';
import { exec } from '../../../src/platform/exec.ts';
import { sandboxFixture } from '../../../src/testing/sandbox-fixture.ts';
import { tempDir } from '../../../src/testing/temp-dir.ts';

const execFile = promisify(execFileWithCallback);
const bubblewrap = await findBubblewrap({ path: readEnv().get('PATH') });
const skip = 'problem' in bubblewrap ? bubblewrap.problem : false;

const TRIES = [
  'echo planted > AGENTS.md',
  'echo planted >> AGENTS.md',
  'rm -f AGENTS.md; echo planted > AGENTS.md',
  'echo planted > x; mv -f x AGENTS.md',
  'mv AGENTS.md away; echo planted > AGENTS.md',
  'ln -f notes.md AGENTS.md',
  'sed -i s/as/planted/ AGENTS.md',
  'cp notes.md AGENTS.md',
  'chmod 777 AGENTS.md; tee AGENTS.md < notes.md',
  'echo planted > skills/own/SKILL.md',
  'mkdir -p skills/new && echo planted > skills/new/SKILL.md',
  'mv skills s2; mkdir skills; echo planted > skills/own.md',
  'mv b c; mkdir b; echo planted > b/AGENTS.md',
  'echo planted > SOUL.md',
  'rm -f SOUL.md; echo planted > SOUL.md',
  'mkfifo HEARTBEAT.md; rm HEARTBEAT.md; echo planted > HEARTBEAT.md',
  'ln -s notes.md MEMORY.md; echo planted > MEMORY.md',
  'mkdir -p memory; echo planted > memory/today.md',
  'mv memory m; mkdir memory; echo planted > memory/today.md',
  'ln AGENTS.md own.md; echo planted > own.md',
  'rm -rf skills',
  'umount AGENTS.md; echo planted > AGENTS.md',
  'mount -o remount,rw /workspace/AGENTS.md; echo planted > AGENTS.md',
];

const THERE = ['AGENTS.md', 'skills/own/SKILL.md', 'b/AGENTS.md'];

test('prompt files cannot be changed by a command in the box, and its neighbours can', { skip }, async (t) => {
  await using fixture = await sandboxFixture();
  await using state = await tempDir('box-state');
  const { workspace } = fixture;
  await mkdir(join(workspace, 'skills/own'), { recursive: true });
  await mkdir(join(workspace, 'b'));
  for (const name of THERE) await writeFile(join(workspace, name), 'as it was');
  const sandboxes = createSandboxes({
    vars: readEnv().vars,
    log: silentLog,
    stateDir: state.path,
    firstWords: { 'HEARTBEAT.md': 'look' },
  });
  const run = async (shellCommand: string, readOnly: readonly string[]): Promise<void> => {
    const wrapped = await sandboxes.wrap(fixture.setting(), { shellCommand, env: {}, pty: false, readOnly });
    assert.ok(!('problem' in wrapped));
    await exec({
      command: wrapped.argv[0],
      args: wrapped.argv.slice(1),
      env: wrapped.env,
      cwd: wrapped.cwd,
      timeoutMs: 10_000,
      maxOutputBytes: 10_000,
      signal: new AbortController().signal,
    });
    await wrapped.onEnd?.();
  };
  const readOnly = [
    'AGENTS.md',
    'skills',
    'SOUL.md',
    'HEARTBEAT.md',
    'MEMORY.md',
    'memory',
    'b/AGENTS.md',
    'nowhere/AGENTS.md',
  ].map((name) => join(workspace, name));
  for (const line of TRIES) {
    await run(`echo planted > notes.md; ${line}`, readOnly);
    for (const name of THERE) assert.equal(await readFile(join(workspace, name), 'utf8'), 'as it was', line);
    for (const [name, text] of [
      ['SOUL.md', ''],
      ['MEMORY.md', ''],
      ['HEARTBEAT.md', 'look'],
    ] as const)
      assert.equal(await readFile(join(workspace, name), 'utf8'), text, line);
    for (const name of ['skills/new/SKILL.md', 'memory/today.md'])
      await assert.rejects(readFile(join(workspace, name)), line);
    assert.equal(await readFile(join(workspace, 'notes.md'), 'utf8'), 'planted\n', line);
  }
  await run('echo mine > AGENTS.md', []);
  assert.equal(await readFile(join(workspace, 'AGENTS.md'), 'utf8'), 'mine\n');
  t.diagnostic(`places, in the box: ${TRIES.length}/${TRIES.length}`);
});

test('what cannot be held is not worked around: nothing runs, and the reason names the way inside', {
  skip,
}, async (t) => {
  await using fixture = await sandboxFixture();
  const path = join(fixture.workspace, 'AGENTS.md');
  const wrap = async (readOnly: readonly string[], workspaceAccess = 'rw') =>
    fixture.sandboxes.wrap(fixture.setting({ workspaceAccess }), {
      shellCommand: 'true',
      env: {},
      pty: false,
      readOnly,
    });
  const OBSTACLES: readonly (() => Promise<void>)[] = [
    () => symlink(join(fixture.workspace, 'readme'), path),
    () => symlink('readme', path),
    () => symlink('nothing', path),
    () => symlink(fixture.home, path),
    () => link(join(fixture.workspace, 'readme'), path),
    () => execFile('mkfifo', [path]).then(() => undefined),
  ];
  for (const make of OBSTACLES) {
    await make();
    const refused = await wrap([path]);
    assert.match(
      'problem' in refused ? refused.problem : '',
      /^\/workspace\/AGENTS\.md (?:is|has) .* nothing was run\. .*workspaceAccess/,
    );
    assert.doesNotMatch(JSON.stringify(refused), new RegExp(fixture.workspace));
    assert.ok(!('problem' in (await wrap([]))) && !('problem' in (await wrap([path], 'ro'))));
    await rm(path);
  }
  t.diagnostic(`places, in the box: ${OBSTACLES.length}/${OBSTACLES.length} that cannot be held`);
});

test('a box ends when somebody outside puts another file in place of one it is kept from', { skip }, async () => {
  await using fixture = await sandboxFixture();
  const path = join(fixture.workspace, 'AGENTS.md');
  await writeFile(path, 'as it was');
  const wrapped = await fixture.sandboxes.wrap(fixture.setting(), {
    shellCommand: 'true',
    env: {},
    pty: false,
    readOnly: [path],
  });
  assert.ok(!('problem' in wrapped));
  assert.equal(await wrapped.guard!(process.pid), undefined);
  await writeFile(`${path}.new`, 'changed by its owner');
  await rename(`${path}.new`, path);
  assert.match((await wrapped.guard!(process.pid)) ?? '', /^\/workspace\/AGENTS\.md was replaced while it ran/);
  await wrapped.onEnd?.();
});
