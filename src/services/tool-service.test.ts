/** The tools service: the context it builds from a request, and direct calls under the tool policy. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { agentsConfigSchema, toolsConfigSchema } from '../agent/config.ts';
import { silentLog } from '../core/log.ts';
import { defineTool, textResult, type Tool } from '../core/tool.ts';
import type { ToolInvocation } from '../host/tool-service.ts';
import { accessConfigSchema } from '../config/access-config.ts';
import { channelsConfigSchema } from '../plugins/config.ts';
import type { SessionEntry } from '../sessions/entry.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { toolContext } from '../testing/tool-contract.ts';
import read from '../tools/read/index.ts';
import type { Workplace } from '../host/tool-environment.ts';
import { createToolbox } from '../agent/toolbox/toolbox.ts';
import { createToolService, type ToolServiceDeps } from './tool-service.ts';

const seen: unknown[] = [];
const act = defineTool({
  name: 'act',
  summary: 's',
  description: 'd',
  input: z.object({ action: z.string().describe('a'), n: z.number().optional().describe('n') }),
  run: async (input) => {
    seen.push(input);
    return textResult('acted');
  },
});
const waits: Tool = defineTool({
  name: 'waits',
  summary: 's',
  description: 'd',
  input: z.object({}),
  run: (_input, { signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
      seen.push('waits');
    }),
});

interface Given {
  readonly tools?: object;
  readonly agents?: object;
  readonly channels?: object;
  readonly entries?: Readonly<Record<string, Partial<SessionEntry>>>;
  readonly workspace?: string;
  readonly sandbox?: Workplace['sandbox'];
}

function service({
  tools = {},
  agents = { list: [{ id: 'main', default: true }, { id: 'work' }] },
  channels = {},
  entries = {},
  workspace = '/nonexistent',
  sandbox,
}: Given = {}) {
  const config = {
    tools: toolsConfigSchema.parse(tools),
    agents: agentsConfigSchema.parse(agents),
    channels: channelsConfigSchema.parse(channels),
    access: accessConfigSchema.parse({}),
  };
  const chosen: unknown[] = [];
  const turns: any[] = [];
  const deps: ToolServiceDeps = {
    config: () => config,
    log: silentLog,
    rpc: () => async () => undefined,
    toolbox: createToolbox({ config: () => config, tools: [read, act, waits] }),
    models: {
      choose: async (agentId, override) => {
        chosen.push([agentId, override]);
        return [{ provider: 'openai', modelId: override ?? 'gpt-5' } as never];
      },
    },
    sessions: { get: async (key) => entries[key] as SessionEntry | undefined },
    rules: () => ({
      bindings: [],
      session: { dmScope: 'main', identityLinks: {}, mainKey: 'main', scope: 'per-sender' } as never,
      defaultAgentId: 'main',
      agentIds: ['main', 'work'],
    }),
    place: () => ({ agentWorkspace: workspace, workspace, shownAs: workspace, sandbox }),
    pictures: { available: async () => false },
    tools: [read, act, waits],
    access: { asker: () => Promise.reject(new Error('not here')) },
    toolBounds: {
      of: (whose) => {
        turns.push(whose);
        return { of: () => toolContext(workspace) };
      },
    },
  };
  return { ...createToolService(deps), chosen, turns };
}
const call = (
  tool: string,
  args: Record<string, unknown> = {},
  extra: Partial<ToolInvocation> = {},
): ToolInvocation => ({ tool, args, principal: { kind: 'owner' }, signal: new AbortController().signal, ...extra });

describe('the place', () => {
  it('is the main session of the default agent unless something else is named', async () => {
    const { decisions, chosen } = service();
    const where = async (place: object) => {
      const { agentId, sessionKey } = await decisions(place);
      return [agentId, sessionKey];
    };
    assert.deepEqual(await where({}), ['main', 'agent:main:main']);
    assert.deepEqual(await where({ agentId: 'Work' }), ['work', 'agent:work:main']);
    assert.deepEqual(await where({ sessionKey: 'agent:work:trip' }), ['work', 'agent:work:trip']);
    assert.deepEqual(await where({ agentId: 'work', sessionKey: 'trip' }), ['work', 'agent:work:trip']);
    await decisions({ model: 'fake/echo' });
    assert.deepEqual(chosen.at(-1), ['main', 'fake/echo']);
    await assert.rejects(decisions({ agentId: 'main', sessionKey: 'agent:work:main' }), { code: 'invalid' });
    await assert.rejects(decisions({ agentId: 'ghost' }), { code: 'not_found' });
    await assert.rejects(decisions({ sessionKey: 'agent:ghost:main' }), { code: 'not_found' });
  });

  it('is a group when one is named, when the session was last answered in one, or when its key says so', async () => {
    const groups = { g1: { tools: { deny: ['read'] }, toolsBySender: { boss: { deny: ['act'] } } } };
    const entries = {
      'agent:main:trip': { lastChannel: 'telegram', lastTo: 'g1', chatType: 'group' as const },
      'agent:main:subagent:1': { spawnedBy: 'agent:main:telegram:group:g1' },
      'agent:main:cron:1': { spawnedBy: 'agent:main:telegram:group:g1' },
      'agent:main:subagent:2': { spawnedBy: 'agent:main:cron:1' },
    };
    const { decisions } = service({ channels: { telegram: { groups } }, entries });
    const gone = async (place: object): Promise<string[]> =>
      (await decisions(place)).decisions.filter(({ allowed }) => !allowed).map(({ name }) => name);
    assert.deepEqual(await gone({ channel: 'telegram', groupId: 'g1' }), ['read']);
    assert.deepEqual(await gone({ channel: 'telegram', groupId: 'g1', sender: 'boss' }), ['act']);
    assert.deepEqual(await gone({ sessionKey: 'trip' }), ['read']);
    assert.deepEqual(await gone({ sessionKey: 'trip', channel: 'slack' }), []);
    assert.deepEqual(await gone({ sessionKey: 'telegram:group:g1:topic:4' }), ['read']);
    assert.deepEqual(await gone({ sessionKey: 'subagent:1' }), ['read']);
    assert.deepEqual(await gone({ sessionKey: 'subagent:2' }), ['read'], 'of a job that was asked for there');
    assert.deepEqual(
      await gone({ sessionKey: 'cron:1', channel: 'telegram', groupId: 'g2' }),
      ['read'],
      'also when the answer goes to another group',
    );
    assert.deepEqual(await gone({}), []);
  });

  it('tells of names nobody has', async () => {
    assert.deepEqual((await service({ tools: { allow: ['raed'] } }).decisions({})).warnings, [
      'tools.allow names "raed", which is not a tool; the list allows nothing. Did you mean "read"?',
    ]);
  });
});

describe('a call', () => {
  it('runs the tool in the workspace, with the rights of the caller', async () => {
    await using dir = await tempDir('tool-service');
    await writeFile(join(dir.path, 'a.txt'), 'hello');
    const { invoke, turns } = service({ workspace: dir.path });
    assert.deepEqual((await invoke(call('Read', { file_path: 'a.txt' }))).content, [{ type: 'text', text: 'hello' }]);
    assert.deepEqual(
      [turns[0].turn.route.sessionKey, turns[0].turn.authority.rights, turns[0].tools.map(({ name }: Tool) => name)],
      ['agent:main:main', ['approve', 'elevate', 'configure'], ['read', 'act', 'waits']],
    );
    const missing = await invoke(call('read', { path: 'b.txt' }));
    assert.equal(missing.isError, true);
  });

  it('takes `action` where the tool has one; the arguments win', async () => {
    await using dir = await tempDir('tool-service');
    const { invoke } = service({ workspace: dir.path });
    seen.length = 0;
    await invoke(call('act', { n: '5' }, { action: 'go' }));
    await invoke(call('act', { action: 'stay' }, { action: 'go' }));
    await writeFile(join(dir.path, 'a.txt'), 'hello');
    await invoke(call('read', { path: 'a.txt' }, { action: 'go' }));
    assert.deepEqual(seen, [{ action: 'go', n: 5 }, { action: 'stay' }]);
  });

  it('is refused when the policy removed the tool, saying where; and readably when the arguments are wrong', async () => {
    const { invoke } = service({ tools: { deny: ['group:fs'] } });
    await assert.rejects(invoke(call('read', { path: 'a' })), {
      code: 'not_found',
      message: 'read is not available here: the global stage removed it (tools.deny: group:fs).',
    });
    await assert.rejects(invoke(call('acct')), {
      code: 'not_found',
      message: 'There is no tool "acct". Did you mean "act"?',
    });
    await assert.rejects(invoke(call('act', {})), {
      code: 'invalid',
      message: /^The input of act is not valid:\n- action: is required/,
    });
  });

  it('runs nothing in a dry run, but checks everything', async () => {
    const { invoke, turns } = service();
    seen.length = 0;
    const { details } = await invoke(call('act', { action: 'go' }, { dryRun: true }));
    assert.deepEqual([details, seen, turns], [{ dryRun: true, args: { action: 'go' } }, [], []]);
    await assert.rejects(invoke(call('act', {}, { dryRun: true })), { code: 'invalid' });
  });

  it('ends when the caller goes away', async () => {
    await using dir = await tempDir('tool-service');
    const stop = new AbortController();
    const { invoke } = service({ workspace: dir.path });
    seen.length = 0;
    const running = invoke(call('waits', {}, { signal: stop.signal }));
    while (seen.length === 0) await new Promise(setImmediate);
    stop.abort();
    await assert.rejects(running, { code: 'aborted' });
    await assert.rejects(
      invoke(call('waits', {}, { signal: stop.signal })),
      { code: 'aborted' },
      'nothing begins for somebody who has gone',
    );
    assert.equal(seen.length, 1);
  });
});
