// Error messages inside a sandbox never contain host paths.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { link, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { silentLog } from '../../../src/core/log.ts';
import type { Tool, ToolContext } from '../../../src/core/tool.ts';
import { createSandboxes } from '../../../src/features/exec/sandbox/create-sandboxes.ts';
import { findBubblewrap } from '../../../src/features/exec/platform/bubblewrap.ts';
import { readEnv } from '../../../src/platform/env.ts';
import { sandboxFixture } from '../../../src/testing/sandbox-fixture.ts';
import { tempDir } from '../../../src/testing/temp-dir.ts';
import { runTool, toolContext } from '../../../src/testing/tool-contract.ts';
import applyPatch from '../../../src/tools/apply_patch/index.ts';
import edit from '../../../src/tools/edit/index.ts';
import image from '../../../src/tools/image/index.ts';
import message from '../../../src/tools/message/index.ts';
import read from '../../../src/tools/read/index.ts';
import write from '../../../src/tools/write/index.ts';

const bubblewrap = await findBubblewrap({ path: readEnv().get('PATH') });
const patch = (...lines: readonly string[]) => ({ input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
const CALLS: readonly (readonly [Tool, (path: string) => Record<string, unknown>])[] = [
  [read, (path) => ({ path })],
  [read, (path) => ({ path, offset: 9999 })],
  [write, (path) => ({ path, content: 'x' })],
  [write, (path) => ({ path: `${path}/x/y`, content: 'x' })],
  [edit, (path) => ({ path, oldText: 'absent', newText: 'x' })],
  [image, (path) => ({ image: path })],
  [image, (path) => ({ image: `file://${path}` })],
  [message, (path) => ({ action: 'send', message: 'x', media: path })],
  [applyPatch, (path) => patch(`*** Update File: ${path}`, '@@', '-absent', '+x')],
  [applyPatch, (path) => patch(`*** Update File: ${path}`, `*** Move to: ${path}/moved`)],
  [applyPatch, (path) => patch(`*** Update File: readme`, `*** Move to: ${path}`)],
  [applyPatch, (path) => patch(`*** Add File: ${path}`, '+x')],
  [applyPatch, (path) => patch(`*** Add File: ${path}/x`, '+x')],
  [applyPatch, (path) => patch(`*** Delete File: ${path}`)],
];
const PATHS = [
  'readme',
  'folder',
  'out',
  'out/secret',
  'out/nothing',
  'nowhere',
  'dangling',
  'dangling/x',
  'pipe',
  'hard',
  'sealed',
  'closed/x',
  'readme/x',
  'loop',
  'loop/x',
  'x'.repeat(300),
  `folder/${'y'.repeat(256)}`,
  '../secret',
  '/etc/shadow',
  '/workspace/../secret',
  '~/x',
  'empty.png',
  'state/token',
  '',
  'a\0b',
];
const seen: Partial<ToolContext> = {
  describePicture: async () => ({ ok: true, text: 'seen', model: 'a/b', attempts: [] }),
};

test('no tool of files tells where the box lies, whatever goes wrong', async (t) => {
  let reported = 0;
  for (const [tool, input] of CALLS) {
    await using dir = await tempDir('told');
    const workspace = join(dir.path, 'work');
    for (const folder of ['folder', 'closed', 'state']) await mkdir(join(workspace, folder), { recursive: true });
    for (const name of ['readme', 'sealed', 'closed/x', 'state/token', 'empty.png', '../secret'])
      await writeFile(join(workspace, name), 'text');
    for (const [target, name] of [
      [dir.path, 'out'],
      [join(dir.path, 'not-there'), 'dangling'],
      ['loop', 'loop'],
    ] as const)
      await symlink(target, join(workspace, name));
    await link(join(dir.path, 'secret'), join(workspace, 'hard'));
    await promisify(execFile)('mkfifo', [join(workspace, 'pipe')]);
    const context = toolContext(workspace, {
      ...seen,
      sandboxed: true,
      workspaceShownAs: '/workspace',
      deniedPaths: [join(workspace, 'state')],
      readOnly: { paths: [join(workspace, 'sealed')], why: 'stays.' },
      closed: { folder: join(workspace, 'closed'), but: [], why: 'is of another conversation.' },
    });
    for (const path of PATHS) {
      const result = await runTool(tool, input(path), context);
      assert.ok(
        !JSON.stringify(result).includes(dir.path),
        `${tool.name} ${JSON.stringify(input(path)).slice(0, 100)}: ${JSON.stringify(result).slice(0, 600)}`,
      );
      reported++;
    }
  }
  t.diagnostic(`told: ${reported}/${reported} answers without a path of the machine`);
});

test('nor does a box that cannot be made, or a command in it', {
  skip: 'problem' in bubblewrap ? bubblewrap.problem : false,
}, async (t) => {
  await using fixture = await sandboxFixture();
  const elsewhere = join(fixture.workspace, 'state');
  const around = createSandboxes({ vars: readEnv().vars, log: silentLog, stateDir: elsewhere });
  await mkdir(elsewhere);
  const file = join(fixture.home, 'a-file');
  await writeFile(file, '');
  const say = async (act: () => Promise<object>): Promise<string> =>
    act().then(
      (done) => JSON.stringify('problem' in done ? done : {}),
      (error: Error) => error.message,
    );
  const request = { shellCommand: 'true', env: {}, pty: false };
  const said = [
    await say(() => around.wrap({ ...fixture.setting(), workspace: elsewhere }, request)),
    await say(() => fixture.sandboxes.wrap({ ...fixture.setting(), workspace: '/' }, request)),
    await say(() => fixture.sandboxes.wrap({ ...fixture.setting(), workspace: join(file, 'x') }, request)),
    await say(() =>
      createSandboxes({ vars: readEnv().vars, log: silentLog, stateDir: file }).wrap(fixture.setting(), request),
    ),
    (await fixture.run('cat nothing; cd nowhere; ls /root "$PWD/../x"; exec ./readme', { workdir: '../../etc' }))
      .output,
    (await fixture.run('cat /workspace/link/x; cat </workspace/pipe-not-there')).output,
  ];
  await rm(file);
  for (const [at, text] of said.entries())
    assert.ok(
      ![fixture.workspace, fixture.stateDir, fixture.home].some((path) => text.includes(path)),
      `${at}: ${text}`,
    );
  for (const text of said) assert.ok(text.length > 20, text);
  t.diagnostic(`told: ${said.length}/${said.length} refusals of boxes without one`);
});
