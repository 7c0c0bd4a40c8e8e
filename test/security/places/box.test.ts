// A command in a box with a read-write workspace: what every turn is told stays as it is there too.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createSandboxes } from '../../../src/exec/sandbox/create-sandboxes.ts';
import { silentLog } from '../../../src/core/log.ts';
import { findBubblewrap } from '../../../src/platform/bubblewrap.ts';
import { readEnv } from '../../../src/platform/env.ts';
import { exec } from '../../../src/platform/exec.ts';
import { boxedWorld } from '../../../src/testing/boxed-world.ts';
import { tempDir } from '../../../src/testing/temp-dir.ts';

const bubblewrap = await findBubblewrap({ path: readEnv().get('PATH') });
const skip = 'problem' in bubblewrap ? bubblewrap.problem : false;

const TRIES = [
  'echo planted > AGENTS.md', 'echo planted >> AGENTS.md', 'rm -f AGENTS.md; echo planted > AGENTS.md', 'echo planted > x; mv -f x AGENTS.md', 'mv AGENTS.md away; echo planted > AGENTS.md', 'ln -f notes.md AGENTS.md',
  'sed -i s/as/planted/ AGENTS.md', 'cp notes.md AGENTS.md', 'chmod 777 AGENTS.md; tee AGENTS.md < notes.md', 'echo planted > skills/own/SKILL.md', 'mkdir -p skills/new && echo planted > skills/new/SKILL.md', 'mv skills s2; mkdir skills; echo planted > skills/own.md',
  'rm -rf skills', 'umount AGENTS.md; echo planted > AGENTS.md', 'mount -o remount,rw /workspace/AGENTS.md; echo planted > AGENTS.md',
];

test('prompt files cannot be changed by a command in the box, and its neighbours can', { skip }, async (t) => {
  await using world = await boxedWorld();
  await using state = await tempDir('box-state');
  const { workspace } = world;
  await mkdir(join(workspace, 'skills/own'), { recursive: true });
  for (const name of ['AGENTS.md', 'skills/own/SKILL.md']) await writeFile(join(workspace, name), 'as it was');
  const sandboxes = createSandboxes({ vars: readEnv().vars, log: silentLog, stateDir: state.path });
  const run = async (shellCommand: string, sealed: readonly string[]): Promise<void> => {
    const wrapped = await sandboxes.wrap(world.setting(), { shellCommand, env: {}, pty: false, sealed });
    assert.ok(!('problem' in wrapped));
    await exec({ command: wrapped.argv[0], args: wrapped.argv.slice(1), env: wrapped.env, cwd: wrapped.cwd, timeoutMs: 10_000, maxOutputBytes: 10_000, signal: new AbortController().signal });
    await wrapped.onEnd?.();
  };
  const sealed = ['AGENTS.md', 'skills', 'SOUL.md'].map((name) => join(workspace, name));
  for (const line of TRIES) {
    await run(`echo planted > notes.md; ${line}`, sealed);
    for (const name of ['AGENTS.md', 'skills/own/SKILL.md']) assert.equal(await readFile(join(workspace, name), 'utf8'), 'as it was', line);
    await assert.rejects(readFile(join(workspace, 'skills/new/SKILL.md')), line);
    assert.equal(await readFile(join(workspace, 'notes.md'), 'utf8'), 'planted\n', line);
  }
  await run('echo mine > AGENTS.md', []);
  assert.equal(await readFile(join(workspace, 'AGENTS.md'), 'utf8'), 'mine\n');
  t.diagnostic(`places, in the box: ${TRIES.length}/${TRIES.length}`);
});
