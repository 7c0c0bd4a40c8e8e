/**
 * The toolbox: loaded tools after the policy, tools that fit the place, and why the others are missing (T213–T216,
 * T226).
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { present } from '../../core/present.ts';
import { agentsConfigSchema, toolsConfigSchema } from '../config.ts';
import type { ReachableChannel } from '../../core/reachable-channel.ts';
import type { SessionKey } from '../../core/session-key.ts';
import { defineTool, textResult, type Tool } from '../../core/tool.ts';
import { channelsConfigSchema } from '../../plugins/config.ts';
import { createToolbox, type ToolboxContext } from './toolbox.ts';

const tool = (name: string, available?: Tool['available']): Tool =>
  defineTool({
    name,
    summary: `Does ${name}`,
    description: 'd',
    input: z.object({}),
    run: async () => textResult('x'),
    ...present({ available }),
  });
const TOOLS = [
  tool('read'),
  tool('bash'),
  tool('image', ({ describesPictures }) => describesPictures !== false),
  tool('discord', ({ route }) => route.replyTo.channel === 'discord'),
  tool('disk', ({ sandbox }) => sandbox?.workspaceAccess !== 'none'),
  tool('lobster_run'),
];

const fixture = (extra: Partial<ToolboxContext> = {}, sessionKey = 'agent:main:main'): ToolboxContext => ({
  route: {
    agentId: 'main',
    sessionKey: sessionKey as SessionKey,
    matchedBy: 'default',
    replyTo: { channel: 'webchat', accountId: 'default', chat: { kind: 'direct', id: 'me' } },
  },
  senders: [],
  model: { provider: 'openai', modelId: 'gpt-5' },
  describesPictures: true,
  ...extra,
});

function box(written: { tools?: object; channels?: object } = {}) {
  const config = {
    tools: toolsConfigSchema.parse(written.tools ?? {}),
    agents: agentsConfigSchema.parse({}),
    channels: channelsConfigSchema.parse(written.channels ?? {}),
  };
  return createToolbox({
    config: () => config,
    tools: TOOLS,
    origins: new Map([['lobster_run', 'lobster']]),
    channelIds: ['discord'],
  });
}
const names = (tools: readonly Tool[]): string[] => tools.map(({ name }) => name);

describe('what is left', () => {
  it('is what the policy allows and the place has a use for', () => {
    assert.deepEqual(names(box().of(fixture()).tools), ['read', 'bash', 'image', 'disk', 'lobster_run']);
    assert.deepEqual(
      names(box({ tools: { deny: ['group:runtime'] } }).of(fixture({ describesPictures: false })).tools),
      ['read', 'disk', 'lobster_run'],
    );
    assert.deepEqual(box({ tools: { deny: ['*'] } }).of(fixture()).tools, []);
  });

  it('fits a tool to the channels there are and the one it is used on, as one object each', () => {
    const channels: ReachableChannel[] = [{ id: 'alpha', label: 'Alpha', actions: [] }];
    const fitting: Tool = {
      ...tool('message', (where) => (where.channels?.length ?? 0) > 0),
      for: (where) => ({
        description: `${where.channels!.map(({ id }) => id).join()} from ${where.route.replyTo.channel}`,
        input: z.object({}),
      }),
    };
    const config = { tools: toolsConfigSchema.parse({}), agents: agentsConfigSchema.parse({}), channels: {} };
    const on = (channel: string): ToolboxContext => {
      const made = fixture();
      return { ...made, route: { ...made.route, replyTo: { ...made.route.replyTo, channel } } };
    };
    let there: readonly ReachableChannel[] = channels;
    const toolbox = createToolbox({ config: () => config, tools: [fitting], channels: () => there });
    const [first] = toolbox.of(on('alpha')).tools;
    assert.equal(first!.description, 'alpha from alpha');
    assert.equal(toolbox.of(on('alpha')).tools[0], first, 'what is kept by the object of a tool stays kept');
    assert.equal(toolbox.of(on('beta')).tools[0]!.description, 'alpha from beta');
    there = [];
    assert.deepEqual(toolbox.of(on('alpha')).tools, []);
    assert.equal(toolbox.of(on('alpha')).decisions[0]!.stages.at(-1)!.setting, 'channels: none is configured');
  });

  it('follows a configuration that changes', () => {
    let deny: string[] = [];
    const toolbox = createToolbox({
      config: () => ({ tools: toolsConfigSchema.parse({ deny }), agents: agentsConfigSchema.parse({}), channels: {} }),
      tools: TOOLS,
    });
    assert.equal(names(toolbox.of(fixture()).tools).includes('bash'), true);
    deny = ['bash'];
    assert.equal(names(toolbox.of(fixture()).tools).includes('bash'), false);
  });

  it('goes by the group of the conversation, also for the sub-agents it started', () => {
    const toolbox = box({ channels: { telegram: { groups: { '-100': { tools: { allow: ['read', 'bash'] } } } } } });
    assert.deepEqual(names(toolbox.of(fixture({}, 'agent:main:telegram:group:-100')).tools), ['read', 'bash']);
    assert.deepEqual(
      names(
        toolbox.of(
          fixture(
            { origins: ['agent:main:cron:j1', 'agent:main:telegram:group:-100:topic:7'] },
            'agent:main:subagent:1',
          ),
        ).tools,
      ),
      ['read', 'bash'],
    );
    assert.ok(names(toolbox.of(fixture()).tools).length > 2);
  });

  it('recognizes a sub-agent by its session key (T214)', () => {
    const toolbox = box({ tools: { subagents: { tools: { allow: ['read'] } } } });
    assert.deepEqual(names(toolbox.of(fixture({}, 'agent:main:subagent:1')).tools), ['read']);
  });
});

describe('why', () => {
  const why = (name: string, written: Parameters<typeof box>[0], at: ToolboxContext) =>
    box(written)
      .of(at)
      .decisions.find((one) => one.name === name)!;

  it('names stage, setting and entry', () => {
    const bash = why('bash', { tools: { deny: ['group:runtime'] } }, fixture());
    assert.deepEqual([bash.allowed, bash.source, bash.summary], [false, 'core', 'Does bash']);
    assert.deepEqual(
      bash.stages.find(({ ok }) => !ok),
      { stage: 'global', ok: false, setting: 'tools.deny', pattern: 'group:runtime' },
    );
    assert.deepEqual(bash.stages.at(-1), { stage: 'available', ok: true });
    const { source, pluginId } = why('lobster_run', {}, fixture());
    assert.deepEqual([source, pluginId], ['plugin', 'lobster']);
  });

  it('says what a tool misses in a place', () => {
    const missing = (name: string, at: ToolboxContext): string | undefined =>
      why(name, { tools: { sandbox: { tools: { allow: ['*'], deny: [] } } } }, at).stages.at(-1)!.setting;
    assert.match(missing('image', fixture({ describesPictures: false }))!, /^agents\.defaults\.imageModel/);
    assert.equal(
      missing('disk', fixture({ sandbox: { workspaceAccess: 'none' } })),
      'agents.defaults.sandbox.workspaceAccess = "none"',
    );
    assert.match(missing('discord', fixture())!, /^the tool itself/);
    assert.equal(missing('read', fixture()), undefined);
  });

  it('tells of names nobody has', () => {
    assert.deepEqual(box({ tools: { allow: ['raed'] } }).of(fixture()).warnings, [
      'tools.allow names "raed", which is not a tool; the list allows nothing. Did you mean "read"?',
    ]);
    assert.deepEqual(box({ tools: { deny: ['lobster', 'lobster_run', 'group:plugins'] } }).of(fixture()).warnings, []);
  });
});
