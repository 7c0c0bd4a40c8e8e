// Paths as a sandboxed conversation writes them.
import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sandboxSchema } from '../../config/exec-config.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { reach } from './reach.ts';
import { resolveSandbox } from './resolve-sandbox.ts';

async function world(workspaceInside = 'clawd') {
  const dir = await tempDir('reach');
  const [workspace, stateDir] = [join(dir.path, workspaceInside), join(dir.path, 'state')];
  await Promise.all([mkdir(join(workspace, 'sub'), { recursive: true }), mkdir(join(stateDir, 'media/inbound'), { recursive: true })]);
  await Promise.all([writeFile(join(workspace, 'sub/a.txt'), 'a'), writeFile(join(stateDir, 'clawdbot.json'), '{}'), writeFile(join(stateDir, 'media/inbound/cat.png'), 'png'), writeFile(join(dir.path, 'secret'), 's')]);
  await symlink(join(dir.path, 'secret'), join(workspace, 'link'));
  const setting = resolveSandbox({ defaults: sandboxSchema.parse({ mode: 'all', workspaceAccess: 'rw' }), agentId: 'main', sessionKey: 'k', mainKey: 'm', agentWorkspace: workspace, stateDir })!;
  const to = (path: string, media = false) => reach({ setting, path, stateDir, media });
  return { dir, workspace, stateDir, to, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

describe('reach', () => {
  it('takes the path inside, the relative one and the one on this machine for the same file', async () => {
    await using at = await world();
    const file = join(at.workspace, 'sub/a.txt');
    for (const path of ['/workspace/sub/a.txt', 'sub/a.txt', './sub/../sub/a.txt', '/workspace/./sub/a.txt', file]) assert.equal((await at.to(path)).path, file, path);
    assert.equal((await at.to('/workspace')).path, at.workspace);
    assert.equal((await at.to('/workspace/new/file')).path, join(at.workspace, 'new/file'));
  });

  it('refuses everything else', async () => {
    await using at = await world();
    for (const path of ['/etc/passwd', '../secret', '/workspace/../etc/passwd', '/workspace/../../secret', '/workspaces/x', 'link', '/workspace/link', join(at.dir.path, 'secret'), join(at.stateDir, 'clawdbot.json'), '/proc/self/environ'])
      await assert.rejects(at.to(path), { code: 'denied' }, path);
    for (const path of ['', '~/x', 'a\0b']) await assert.rejects(at.to(path), { code: 'invalid' }, path);
  });

  it('refuses the state directory inside a workspace that holds it', async () => {
    await using at = await world('.');
    await assert.rejects(at.to('/workspace/state/clawdbot.json'), { code: 'denied', message: /not shown in the sandbox/ });
    assert.equal((await at.to('secret')).path, join(at.dir.path, 'secret'));
  });

  it('T150 takes an outside path for a received file of that name, where received files are meant', async () => {
    await using at = await world();
    assert.deepEqual(await at.to('/data/inbox/cat.png', true), { path: join(at.stateDir, 'media/inbound/cat.png'), rewrittenFrom: '/data/inbox/cat.png' });
    await assert.rejects(at.to('/data/inbox/cat.png'), { code: 'denied' });
    await assert.rejects(at.to('/data/inbox/dog.png', true), { code: 'denied' });
    await assert.rejects(at.to('/data/inbox/..', true), { code: 'denied' });
  });
});
