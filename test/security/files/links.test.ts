// Hard links and special files: checked by the opened handle, whatever the name is.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { link, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Tool, ToolContext } from '../../../src/core/tool.ts';
import { textOf } from '../../../src/core/transcript.ts';
import { hostilePaths, layTraps } from '../../../src/testing/hostile-paths.ts';
import { tempDir } from '../../../src/testing/temp-dir.ts';
import { runTool, toolContext } from '../../../src/testing/tool-contract.ts';
import applyPatch from '../../../src/tools/apply_patch/index.ts';
import edit from '../../../src/tools/edit/index.ts';
import image from '../../../src/tools/image/index.ts';
import message from '../../../src/tools/message/index.ts';
import read from '../../../src/tools/read/index.ts';
import write from '../../../src/tools/write/index.ts';

const SECRET = 's3cret-of-the-owner';
const CALLS: readonly (readonly [Tool, (path: string) => Record<string, unknown>])[] = [
  [read, (path) => ({ path })],
  [write, (path) => ({ path, content: 'planted' })],
  [edit, (path) => ({ path, oldText: SECRET.slice(0, -1), newText: 'planted' })],
  [image, (path) => ({ image: path })],
  [message, (path) => ({ action: 'send', message: 'x', media: path })],
  [
    applyPatch,
    (path) => ({
      input: `*** Begin Patch\n*** Update File: ${path}\n*** Move to: moved-${path.length}\n*** End Patch`,
    }),
  ],
  [applyPatch, (path) => ({ input: `*** Begin Patch\n*** Add File: ${path}/x/y\n+planted\n*** End Patch` })],
  [applyPatch, (path) => ({ input: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` })],
];
const describing: Partial<ToolContext> = {
  describePicture: async () => ({ ok: true, text: 'seen', model: 'a/b', attempts: [] }),
};

test('a hard link in the workspace is no way to what lies elsewhere', async (t) => {
  await using dir = await tempDir('links');
  const workspace = join(dir.path, 'work');
  await mkdir(workspace);
  await writeFile(join(dir.path, 'secret'), SECRET);
  await link(join(dir.path, 'secret'), join(workspace, 'planted'));
  let refused = 0;
  for (const context of [{ confined: true }, { sandboxed: true, workspaceShownAs: '/workspace' }])
    for (const [tool, input] of CALLS) {
      const result = await runTool(tool, input('planted'), toolContext(workspace, { ...describing, ...context }));
      assert.equal(result.isError, true, tool.name);
      assert.doesNotMatch(textOf(result.content), /s3cret/);
      refused++;
    }
  assert.equal(await readFile(join(dir.path, 'secret'), 'utf8'), SECRET);
  t.diagnostic(`files, links: ${refused}/${refused} refused`);
});

test("free to go everywhere: files of several names are read, unless one of the names is the gateway's own", async () => {
  await using dir = await tempDir('links');
  const [workspace, state, store] = ['work', 'state', 'store'].map((name) => join(dir.path, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [workspace, join(state, 'credentials/deep'), store, join(dir.path, 'docs')])
    await mkdir(folder, { recursive: true });
  const secrets = ['gateway.token', 'gateway.token.bak', 'credentials/deep/key'];
  for (const [at, name] of secrets.entries()) {
    await writeFile(join(state, name), SECRET);
    await link(join(state, name), join(workspace, `ours-${at}`));
  }
  await writeFile(join(store, 'index.js'), 'a package');
  await link(join(store, 'index.js'), join(workspace, 'index.js'));
  await link(join(store, 'index.js'), join(dir.path, 'docs/page.md'));
  const free = { confined: false, deniedPaths: [join(state, 'gateway.token'), join(state, 'credentials')] };
  for (const at of secrets.keys())
    for (const [tool, input] of CALLS) {
      const result = await runTool(tool, input(`ours-${at}`), toolContext(workspace, { ...describing, ...free }));
      assert.equal(result.isError, true, `${tool.name} ${at}`);
      assert.doesNotMatch(textOf(result.content), /s3cret/);
    }
  for (const path of ['index.js', join(store, 'index.js')])
    assert.match(textOf((await runTool(read, { path }, toolContext(workspace, free))).content), /a package/);
  const boxed = toolContext(workspace, { sandboxed: true, readableRoots: [join(dir.path, 'docs')] });
  assert.match(
    textOf((await runTool(read, { path: join(dir.path, 'docs/page.md') }, boxed)).content),
    /a package/,
    'documentation a package manager linked',
  );
});

test('pipes, sockets and devices are not opened', { skip: process.platform === 'win32' }, async () => {
  await using dir = await tempDir('links');
  await promisify(execFile)('mkfifo', [join(dir.path, 'pipe')]);
  const server = createServer().listen(join(dir.path, 'socket'));
  try {
    for (const context of [{ sandboxed: true }, { confined: false }])
      for (const path of ['pipe', 'socket', '/dev/zero', '/dev/null'])
        for (const [tool, input] of CALLS)
          assert.equal(
            (await runTool(tool, input(path), toolContext(dir.path, { ...describing, ...context }))).isError,
            true,
            `${tool.name} ${path}`,
          );
  } finally {
    server.close();
  }
});

test('a refusal in a sandbox names no path of the machine, and tells nobody what is there', async (t) => {
  await using dir = await tempDir('links');
  const workspace = await layTraps(dir.path);
  const paths = [
    ...hostilePaths(dir.path),
    'sub',
    'x'.repeat(300),
    'secret/x/y',
    'sub/\u0001',
    'link/../../x',
    '/workspace/up/x',
    '/workspace/../x',
  ];
  let reported = 0;
  for (const path of paths)
    for (const [tool, input] of CALLS) {
      const result = await runTool(
        tool,
        input(path),
        toolContext(workspace, {
          ...describing,
          sandboxed: true,
          workspaceShownAs: '/workspace',
          mediaFolder: join(dir.path, 'media'),
        }),
      );
      const text = textOf(result.content).replaceAll(path.trim() || '\0', '');
      if (!path.includes(dir.path)) assert.ok(!text.includes(dir.path), `${tool.name} ${path}: ${text}`);
      reported++;
    }
  const answer = async (path: string): Promise<string> =>
    textOf((await runTool(read, { path }, toolContext(workspace, { sandboxed: true }))).content).replaceAll(path, '…');
  assert.deepEqual(
    new Set(await Promise.all(['link', 'up/secret', 'up/nowhere', 'dangling', 'loop'].map(answer))).size,
    1,
    'there or not, it is said in the same words',
  );
  t.diagnostic(`files, refusals: ${reported}/${reported} without a path of the machine`);
});
