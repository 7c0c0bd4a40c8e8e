// What the tools of a turn may access, depending on their environment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nobodysAuthority } from '../../core/authority.ts';
import { sandboxSchema } from '../../features/exec/config.ts';
import { resolveSandbox } from '../../features/exec/sandbox/resolve-sandbox.ts';
import { createToolBounds, type ToolBoundsDeps } from './tool-bounds.ts';

const HOME = '/home/ada';
const STATE = '/home/ada/.clawdbot';

/** An agent whose workspace is the home folder, with the state directory in it. */
function boundsOf(sandbox: object) {
  const setting = resolveSandbox({
    defaults: sandboxSchema.parse(sandbox),
    agentId: 'main',
    sessionKey: 'k',
    mainKey: 'm',
    agentWorkspace: HOME,
    stateDir: STATE,
  });
  const place = {
    agentWorkspace: HOME,
    workspace: setting?.workspace ?? HOME,
    shownAs: setting ? '/workspace' : HOME,
    sandbox: setting,
  };
  const deps = {
    shellOf: () => undefined,
    pictures: { describer: () => undefined },
    media: { folder: `${STATE}/media`, folderOf: (key: string) => `${STATE}/media/of-${key}` },
    agentWorkspaces: () => [HOME],
    home: HOME,
    stateDir: STATE,
    docsPath: '/docs',
    ownFiles: () => [`${STATE}/clawdbot.json`, `${STATE}/of-a-feature`, '/elsewhere/jobs.json'],
    config: () => ({ tools: { fs: { workspaceOnly: true } }, access: { open: [] } }),
  } as unknown as ToolBoundsDeps;
  return createToolBounds(deps)
    .of({
      turn: {
        id: 't',
        route: { sessionKey: 'k' },
        authority: nobodysAuthority({
          agentId: 'main',
          sessionKey: 'k',
          address: { channel: 'pipe', accountId: 'default', chat: { kind: 'direct', id: 'c' } },
        }),
      },
      entry: undefined,
      place,
      tools: [],
    } as unknown as Parameters<ReturnType<typeof createToolBounds>['of']>[0])
    .of('call');
}

test('a workspace around the state directory shows a sandbox neither its secrets nor what other sandboxes hold', () => {
  for (const workspaceAccess of ['ro', 'rw']) {
    const { deniedPaths, workspaceShownAs, confined, home } = boundsOf({ mode: 'all', workspaceAccess });
    for (const hidden of [
      'gateway.token',
      'channels',
      'credentials',
      'agents',
      'sandboxes',
      'clawdbot.json',
      'restart-sentinel.json',
      'of-a-feature',
    ])
      assert.ok(deniedPaths?.includes(`${STATE}/${hidden}`), hidden);
    assert.ok(deniedPaths?.includes('/elsewhere/jobs.json'));
    assert.deepEqual([workspaceShownAs, confined, home], ['/workspace', true, undefined]);
  }
});

test('a sandbox with a folder of its own may open that', () => {
  const { workspace, deniedPaths = [] } = boundsOf({ mode: 'all', workspaceAccess: 'none' });
  assert.ok(workspace.startsWith(`${STATE}/sandboxes/`));
  assert.equal(
    deniedPaths.some((path) => workspace.startsWith(path)),
    false,
  );
});
