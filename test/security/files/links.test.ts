/** Hard links, devices and pipes under an innocent name: a file is judged by what was opened. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Tool, ToolContext } from '../../../src/core/tool.ts';
import { tempDir } from '../../../src/testing/temp-dir.ts';
import { runTool, toolContext } from '../../../src/testing/tool-contract.ts';
import edit from '../../../src/tools/edit/index.ts';
import image from '../../../src/tools/image/index.ts';
import read from '../../../src/tools/read/index.ts';
import write from '../../../src/tools/write/index.ts';

const SECRET = 'token-of-the-gateway';
const skip = process.platform === 'win32' ? 'links and pipes are of other systems' : false;

async function world() {
  const dir = await tempDir('links');
  const [workspace, state] = [join(dir.path, 'work'), join(dir.path, 'state')];
  await Promise.all([workspace, state, join(state, 'credentials')].map((folder) => mkdir(folder, { recursive: true })));
  await writeFile(join(state, 'gateway.token'), SECRET);
  await writeFile(join(state, 'credentials', 'x.json'), SECRET);
  await writeFile(join(dir.path, 'elsewhere.txt'), SECRET);
  await writeFile(join(workspace, 'own.txt'), 'mine');
  await link(join(workspace, 'own.txt'), join(workspace, 'own-too.txt'));
  await link(join(state, 'gateway.token'), join(workspace, 'hard.txt'));
  await link(join(state, 'credentials', 'x.json'), join(workspace, 'deep.txt'));
  await link(join(dir.path, 'elsewhere.txt'), join(workspace, 'other.txt'));
  await symlink(join(state, 'gateway.token'), join(workspace, 'soft.txt'));
  await symlink(workspace, join(workspace, 'round'));
  await promisify(execFile)('mkfifo', [join(workspace, 'pipe')]);
  const told = async (tool: Tool, input: Record<string, unknown>, extra: Partial<ToolContext>): Promise<string> =>
    JSON.stringify(await runTool(tool, input, toolContext(workspace, { deniedPaths: [join(state, 'gateway.token'), join(state, 'credentials')], ...extra })));
  return { workspace, state, told, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

describe('a name that is another file', { skip }, () => {
  let [asked, held] = [0, 0];
  const holds = (text: string, what: string): void => {
    asked += 1;
    assert.ok(!text.includes(SECRET) && !text.includes(Buffer.from(SECRET).toString('base64')), `${what}: ${text}`);
    held += 1;
  };

  for (const [kind, extra] of [['confined', { confined: true }], ['sandboxed', { sandboxed: true, workspaceShownAs: '/workspace' }], ['free', { confined: false }]] as const) {
    it(`tells no secret: ${kind}`, async () => {
      await using on = await world();
      const names = ['hard.txt', 'deep.txt', 'soft.txt', 'round/hard.txt', 'round/round/deep.txt', './hard.txt', 'own.txt/../hard.txt', ...(kind === 'free' ? [] : ['other.txt'])];
      for (const name of names) {
        holds(await on.told(read, { path: name }, extra), `read ${name}`);
        holds(await on.told(edit, { path: name, oldText: 'token', newText: 'x' }, extra), `edit ${name}`);
        holds(await on.told(image, { image: name }, { ...extra, describePicture: async ({ data }) => ({ ok: true, text: Buffer.from(data).toString('latin1'), model: 'a/b', attempts: [] }) }), `image ${name}`);
        await on.told(write, { path: name, content: 'planted' }, extra);
        asked += 1;
        assert.equal(await readFile(join(on.state, 'gateway.token'), 'utf8'), SECRET, `write ${name}`);
        assert.equal(await readFile(join(on.state, 'credentials', 'x.json'), 'utf8'), SECRET, `write ${name}`);
        held += 1;
      }
    });

    it(`waits for no pipe, and opens its own: ${kind}`, async () => {
      await using on = await world();
      for (const tool of [read, edit]) assert.match(await on.told(tool, { path: 'pipe', oldText: 'a', newText: 'b' }, extra), /isError/);
      await writeFile(join(on.workspace, 'plain.txt'), 'plain');
      assert.match(await on.told(read, { path: 'plain.txt' }, extra), /plain/);
      assert.match(await on.told(read, { path: 'round/plain.txt' }, extra), /plain/);
    });
  }

  it('free of a sandbox a file of two names that is nobody’s secret is read', async () => {
    await using on = await world();
    assert.match(await on.told(read, { path: 'own-too.txt' }, { confined: false }), /mine/);
  });

  it('is told', (t) => t.diagnostic(`files, links: ${held}/${asked}`));
});
