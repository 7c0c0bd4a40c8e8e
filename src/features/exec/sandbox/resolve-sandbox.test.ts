// Which sessions are boxed in, and with which settings.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agentSandboxSchema, sandboxSchema } from '../config.ts';
import { decideSandbox, resolveSandbox, type SandboxQuestion } from './resolve-sandbox.ts';

const question = (
  defaults: object,
  { agent, ...rest }: Partial<Omit<SandboxQuestion, 'agent'>> & { agent?: object } = {},
): SandboxQuestion => ({
  defaults: sandboxSchema.parse(defaults),
  agent: agent && agentSandboxSchema.parse(agent),
  agentId: 'main',
  sessionKey: 'agent:main:telegram:dm:7',
  mainKey: 'agent:main:main',
  agentWorkspace: '/home/u/clawd',
  stateDir: '/home/u/.clawdbot',
  ...rest,
});

describe('resolveSandbox', () => {
  it("goes by mode and session, and an agent's own mode wins", () => {
    const main = { sessionKey: 'agent:main:main' };
    const rows: readonly [object, Parameters<typeof question>[1], boolean][] = [
      [{}, {}, false],
      [{ mode: 'all' }, main, true],
      [{ mode: 'non-main' }, {}, true],
      [{ mode: 'non-main' }, main, false],
      [{ mode: 'all' }, { agent: { mode: 'off' } }, false],
      [{ mode: 'off' }, { agent: { mode: 'non-main' } }, true],
    ];
    for (const [defaults, rest, sandboxed] of rows) {
      assert.equal(resolveSandbox(question(defaults, rest)) !== undefined, sandboxed, JSON.stringify([defaults, rest]));
      assert.equal(decideSandbox(question(defaults, rest)).sandboxed, sandboxed);
    }
    assert.equal(
      decideSandbox(question({ mode: 'non-main' }, main)).because,
      'agents.defaults.sandbox.mode = "non-main"; agent:main:main is the main session',
    );
    assert.equal(
      decideSandbox(question({}, { agent: { mode: 'all' } })).because,
      'agents.list[] (main) sandbox.mode = "all"',
    );
  });

  it('merges field by field', () => {
    const setting = resolveSandbox(
      question(
        {
          mode: 'all',
          network: true,
          limits: { memoryMb: 100, diskMb: 50 },
          env: { A: '1', B: '2' },
          docker: { image: 'one' },
        },
        { agent: { network: false, limits: { memoryMb: 64 }, env: { B: '3' }, workspaceAccess: 'rw' } },
      ),
    )!;
    assert.deepEqual(
      [setting.network, setting.limits, setting.env, setting.docker],
      [false, { memoryMb: 64, processes: 256, diskMb: 50 }, { A: '1', B: '3' }, { image: 'one' }],
    );
    assert.deepEqual([setting.workspaceAccess, setting.workspace, setting.scope], ['rw', '/home/u/clawd', 'session']);
  });

  it('gives a sandbox without the workspace a folder of its own, shared as the scope says', () => {
    const folder = (scope: string, rest: Parameters<typeof question>[1] = {}): string =>
      resolveSandbox(question({ mode: 'all', scope }, rest))!.workspace;
    const other = { sessionKey: 'agent:main:telegram:dm-7' };
    assert.match(
      folder('session'),
      /^\/home\/u\/\.clawdbot\/sandboxes\/session-agent-main-telegram-dm-7-[0-9a-f]{12}\/work$/,
    );
    assert.notEqual(folder('session'), folder('session', other));
    assert.equal(folder('agent'), folder('agent', other));
    assert.notEqual(folder('agent'), folder('agent', { agentId: 'work' }));
    assert.equal(folder('shared'), folder('shared', { agentId: 'work' }));
    assert.doesNotMatch(folder('session', { sessionKey: 'agent:main:../../../etc' }), /\.\./);
  });
});
