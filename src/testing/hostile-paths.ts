/** Paths that try to leave the workspace, and the check that a tool opens none of them in any parameter. */
import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Tool, ToolContext } from '../core/tool.ts';
import { textOf } from '../core/transcript.ts';
import { tempDir } from './temp-dir.ts';
import { runTool, toolContext } from './tool-contract.ts';

export const SECRET = 's3cret-of-the-owner';

/** A workspace `work` with traps in it, beside a `secret` and a look-alike folder. */
export async function layTraps(folder: string): Promise<string> {
  const workspace = join(folder, 'work');
  await mkdir(join(workspace, 'sub'), { recursive: true });
  await mkdir(join(folder, 'work-evil'));
  for (const path of ['secret', 'work-evil/secret']) await writeFile(join(folder, path), SECRET);
  const links = {
    link: join(folder, 'secret'),
    up: folder,
    dangling: '../nowhere',
    loop: 'loop',
    twice: join(workspace, 'up'),
    'sub/rel': '../..',
    root: '/proc/self/root',
    'sub/cwd': '/',
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, join(workspace, name));
  return workspace;
}

/** Names of the secret, and of places that are none of the workspace's business. */
export function hostilePaths(folder: string): readonly string[] {
  const outside = join(folder, 'secret');
  return [
    '../secret',
    'sub/../../secret',
    './/..//secret',
    'sub/../sub/../../secret',
    '../work-evil/secret',
    '../work/../secret',
    outside,
    `${folder}/work/../secret`,
    `${folder}/work-evil/secret`,
    `//${outside}`,
    'link',
    'link/',
    'link/x',
    'up/secret',
    'up/work-evil/../secret',
    'sub/rel/secret',
    'twice/secret',
    'dangling',
    'dangling/x',
    'loop',
    'loop/x',
    'up/new/deep/file',
    'up/nowhere',
    `root${outside}`,
    `/proc/self/root${outside}`,
    `/proc/self/cwd/${outside}`,
    `/proc/${process.pid}/root${outside}`,
    '/proc/self/environ',
    `/proc/${process.pid}/environ`,
    '/proc/self/fd/0',
    'sub/cwd/etc/passwd',
    '/etc/passwd',
    '/dev/zero',
    '~/.ssh/id_rsa',
    '~',
    'a\0/../../secret',
    `${outside}\0.txt`,
    '',
    '   ',
    '..',
    '/',
    '../WORK/../secret',
  ];
}

/**
 * `inputs`: the inputs that name the path, one for each spelling of the parameter. `extra`: what the tool needs in its
 * context.
 */
export function refusesHostilePaths({
  tool,
  inputs,
  extra = {},
}: {
  tool: Tool;
  inputs(path: string): readonly Readonly<Record<string, unknown>>[];
  extra?: Partial<ToolContext>;
}): void {
  test(`${tool.name}: no spelling of a path leads out of the workspace (T219)`, async () => {
    await using dir = await tempDir(`hostile-${tool.name}`);
    const workspace = await layTraps(dir.path);
    for (const path of hostilePaths(dir.path))
      for (const input of inputs(path)) {
        const result = await runTool(tool, input, toolContext(workspace, extra));
        assert.equal(result.isError, true, `${tool.name} took ${JSON.stringify(input)}`);
        assert.doesNotMatch(textOf(result.content), new RegExp(`${SECRET}|root:`));
      }
    for (const path of ['secret', 'work-evil/secret'])
      assert.equal(await readFile(join(dir.path, path), 'utf8'), SECRET);
  });
}
