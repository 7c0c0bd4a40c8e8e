/**
 * The tool policy (spec 2.1–2.3; T211–T216): nine stages in order; each can only remove tools, and gives its reason.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { present } from '../../core/present.ts';
import { agentsConfigSchema, toolsConfigSchema } from '../config.ts';
import { channelsConfigSchema } from '../../plugins/config.ts';
import type { NamedTool } from '../../core/tool-pattern.ts';
import { createPolicyEvaluator } from './decide.ts';
import { policyStages, type PolicyPlace } from './stages.ts';

const TOOLS: readonly NamedTool[] = [
  ...[
    'read',
    'write',
    'edit',
    'apply_patch',
    'bash',
    'process',
    'image',
    'session_status',
    'sessions_send',
    'browser',
    'telegram',
  ].map((name) => ({ name })),
  { name: 'lobster_run', pluginId: 'lobster' },
];
const ALL = TOOLS.map(({ name }) => name);
const but = (...names: string[]): string[] => ALL.filter((name) => !names.includes(name));

interface Written {
  tools?: object;
  agent?: object;
  channels?: object;
}
const MAIN: PolicyPlace = {
  agentId: 'main',
  model: { provider: 'openai', modelId: 'gpt-5' },
  senders: [],
  subagent: false,
};
const SANDBOXED = { sandbox: { workspaceAccess: 'rw' } } as const;

function decisions({ tools = {}, agent, channels = {} }: Written, place: Partial<PolicyPlace> = {}) {
  const config = {
    tools: toolsConfigSchema.parse(tools),
    agents: agentsConfigSchema.parse({ list: [{ id: 'other' }, present({ id: 'main', tools: agent })] }),
    channels: channelsConfigSchema.parse(channels),
  };
  const { stages, profile } = policyStages(config, { ...MAIN, ...place }, ['telegram']);
  const evaluate = createPolicyEvaluator(TOOLS);
  return {
    profile,
    warnings: evaluate.strays(stages),
    of: (name: string) => evaluate.evaluate(TOOLS.find((tool) => tool.name === name)!, stages),
  };
}
function left(written: Written, place?: Partial<PolicyPlace>): string[] {
  const { of } = decisions(written, place);
  return ALL.filter((name) => of(name).every(({ ok }) => ok));
}
/** The stage, setting and entry that removed a tool. */
const removal = (name: string, written: Written, place?: Partial<PolicyPlace>) => {
  const { stage, setting, pattern } =
    decisions(written, place)
      .of(name)
      .find(({ ok }) => !ok) ?? {};
  return [stage, setting, pattern];
};

describe('names (T211)', () => {
  it('warns of no name that only our own lists hold', () => {
    assert.deepEqual(decisions({}, SANDBOXED).warnings, []);
    assert.equal(decisions({ tools: { sandbox: { tools: { deny: ['canvass'] } } } }, SANDBOXED).warnings.length, 1);
  });

  it('leaves everything without a policy', () => assert.deepEqual(left({}), ALL));

  it('lets deny win over allow, at any stage', () => {
    assert.deepEqual(left({ tools: { allow: ['read', 'edit'], deny: ['edit'] } }), ['read']);
    assert.deepEqual(left({ tools: { deny: ['bash'] }, agent: { allow: ['bash', 'read'] } }), ['read', 'apply_patch']);
    assert.deepEqual(left({ tools: { allow: ['*'], deny: ['*'] } }), []);
  });

  it('reads patterns, groups and other spellings, without regard to case', () => {
    assert.deepEqual(left({ tools: { allow: ['SESSION*'] } }), ['session_status', 'sessions_send']);
    assert.deepEqual(left({ tools: { deny: [' Exec '] } }), but('bash'));
    assert.deepEqual(left({ tools: { deny: ['apply-patch', 'view_image'] } }), but('apply_patch', 'image'));
    assert.deepEqual(left({ tools: { deny: ['r.ad'] } }), ALL);
    assert.deepEqual(left({ tools: { deny: ['group:fs'] } }), but('read', 'write', 'edit', 'apply_patch'));
    assert.deepEqual(left({ tools: { allow: ['Group:Sessions'] } }), ['session_status', 'sessions_send']);
    for (const product of ['clawdbot', 'openclaw', 'moltbot'])
      assert.deepEqual(
        left({ tools: { allow: [`group:${product}`] } }),
        ['image', 'session_status', 'sessions_send', 'browser', 'telegram'],
        product,
      );
    assert.deepEqual(left({ tools: { deny: ['constructor', '__proto__'] } }), ALL);
  });

  it('knows the tools of plugins as a group and by their plugin', () => {
    assert.deepEqual(left({ tools: { deny: ['group:plugins'] } }), but('lobster_run'));
    assert.deepEqual(left({ tools: { deny: ['Lobster'] } }), but('lobster_run'));
    assert.deepEqual(
      left({ tools: { allow: ['lobster'] } }),
      ['lobster_run'],
      'a list of plugin tools alone is kept too (T213)',
    );
    const evaluate = createPolicyEvaluator([{ name: 'read' }, { name: 'wipe', pluginId: 'read' }]);
    assert.equal(
      evaluate.evaluate({ name: 'wipe', pluginId: 'read' }, [
        { stage: 'global', deny: [], allow: [{ setting: 'tools.allow', patterns: ['read'] }] },
      ])[0]!.ok,
      false,
      'a plugin cannot borrow the name of a tool',
    );
  });

  it('lets a patch in with commands and with writing, but not out with writing (T216)', () => {
    assert.deepEqual(left({ tools: { allow: ['exec'] } }), ['apply_patch', 'bash']);
    assert.deepEqual(left({ tools: { allow: ['write'] } }), ['write', 'apply_patch']);
    assert.deepEqual(left({ tools: { deny: ['write'] } }), but('write'));
    assert.deepEqual(left({ tools: { allow: ['bash'], deny: ['apply_patch'] } }), ['bash']);
  });

  it('restricts nothing with an empty list; what else is said holds', () => {
    assert.deepEqual(left({ tools: { allow: [] } }), left({}));
    assert.deepEqual(left({ tools: { allow: [], deny: ['write'] } }), but('write'));
    assert.deepEqual(left({ tools: { allow: [], alsoAllow: ['read'] } }), left({}));
    assert.deepEqual(left({ tools: { profile: 'minimal', allow: [] } }), left({ tools: { profile: 'minimal' } }));
  });
});

describe('stages (T212, T215)', () => {
  it("1: begins with a profile, the agent's own in place of the general one", () => {
    assert.deepEqual(left({ tools: { profile: 'minimal', allow: ['*'] } }), ['session_status']);
    assert.deepEqual(left({ tools: { profile: 'minimal', alsoAllow: ['read'] } }), ['read', 'session_status']);
    assert.deepEqual(left({ tools: { profile: 'minimal', alsoAllow: ['read'] }, agent: { alsoAllow: ['edit'] } }), [
      'edit',
      'session_status',
    ]);
    assert.deepEqual(left({ tools: { alsoAllow: ['read'] } }), ALL, 'alsoAllow alone restricts nothing');
    assert.deepEqual(left({ tools: { allow: ['read'], alsoAllow: ['edit'] } }), ['read', 'edit']);
    assert.deepEqual(left({ tools: { profile: 'minimal' }, agent: { profile: 'full' } }), ALL);
    assert.deepEqual(left({ tools: { profile: 'full', deny: ['bash'] }, agent: { profile: 'messaging' } }), [
      'session_status',
      'sessions_send',
    ]);
    assert.deepEqual(removal('bash', { agent: { profile: 'minimal' } }), [
      'profile',
      'agents.list[1].tools.profile',
      'session_status',
    ]);
    assert.equal(decisions({ tools: { profile: 'coding' } }).profile, 'coding');
  });

  it('2, 4, 6: goes by the model, whose full name comes before its provider', () => {
    const byProvider = { OpenAI: { deny: ['bash'] }, 'openai/GPT-5': { deny: ['read'] } };
    assert.deepEqual(left({ tools: { byProvider } }), but('read'));
    assert.deepEqual(left({ tools: { byProvider } }, { model: { provider: 'openai', modelId: 'gpt-4' } }), but('bash'));
    assert.deepEqual(left({ tools: { byProvider } }, { model: { provider: 'ollama', modelId: 'gpt-5' } }), ALL);
    assert.deepEqual(removal('read', { tools: { byProvider } }), [
      'provider',
      'tools.byProvider.openai/GPT-5.deny',
      'read',
    ]);
    assert.deepEqual(left({ tools: { byProvider: { openai: { profile: 'minimal' } } } }), ['session_status']);
    assert.deepEqual(left({ tools: { byProvider: { openai: { profile: 'minimal', alsoAllow: ['read'] } } } }), [
      'read',
      'session_status',
    ]);
    assert.deepEqual(
      left({
        tools: { byProvider: { openai: { profile: 'minimal' } } },
        agent: { byProvider: { openai: { profile: 'full', allow: ['read', 'edit'] } } },
      }),
      ['read', 'edit'],
    );
    assert.deepEqual(
      removal(
        'read',
        { tools: { byProvider: { 'gpt-4.1/x': { deny: ['read'] } } } },
        { model: { provider: 'gpt-4.1', modelId: 'x' } },
      )[1],
      'tools.byProvider["gpt-4.1/x"].deny',
    );
    const router = { provider: 'openrouter', modelId: 'anthropic/opus' };
    for (const key of ['openrouter/anthropic/opus', 'anthropic/opus', 'openrouter'])
      assert.deepEqual(
        left({ tools: { byProvider: { [key]: { deny: ['read'] } } } }, { model: router }),
        but('read'),
        key,
      );
  });

  it('5: removes further for an agent', () => {
    assert.deepEqual(removal('bash', { agent: { deny: ['group:runtime'] } }), [
      'agent',
      'agents.list[1].tools.deny',
      'group:runtime',
    ]);
    assert.deepEqual(left({ agent: { deny: ['group:runtime'] } }, { agentId: 'other' }), ALL);
    assert.deepEqual(left({ tools: { deny: ['read'] }, agent: { allow: ['read', 'edit'] } }), ['edit']);
  });

  it('tells of every stage, also behind the one that removed it', () => {
    const reported = decisions({ tools: { allow: ['read', 'bash'] }, agent: { deny: ['bash'] } }).of('bash');
    assert.deepEqual(
      reported.map(({ stage }) => stage),
      ['profile', 'provider profile', 'global', 'provider', 'agent', 'agent provider'],
    );
    assert.deepEqual(reported[2], { stage: 'global', ok: true, setting: 'tools.allow', pattern: 'bash' });
    assert.deepEqual(reported[3], { stage: 'provider', ok: true });
    assert.deepEqual(removal('edit', { tools: { allow: ['read', 'bash'] } }), ['global', 'tools.allow', 'read, bash']);
  });
});

describe('groups and senders (T212)', () => {
  const channels = {
    telegram: {
      groups: {
        '*': { tools: { deny: ['bash'] } },
        '-100Ab': {
          tools: { allow: ['read'] },
          toolsBySender: { '4711': { allow: ['*'] }, 'id:0815': { deny: ['edit'] } },
        },
        quiet: { toolsBySender: { boss: { deny: ['read'] }, '*': { deny: ['write'] } } },
      },
    },
  };
  const at = (id: string, ...senders: string[]): string[] =>
    left({ channels }, { groups: [{ channel: 'telegram', id }], senders });

  it('7: the group named comes before `*`, a sender before the group', () => {
    assert.deepEqual(at('elsewhere'), but('bash'));
    assert.deepEqual(at('-100ab', '1'), ['read'], 'session keys are lower-case');
    assert.deepEqual(at('-100Ab', '4711'), ALL);
    assert.deepEqual(at('-100Ab', '0815'), but('edit'));
    assert.deepEqual(at('quiet', 'boss'), but('read'));
    assert.deepEqual(at('quiet', 'anybody'), but('write'));
    assert.deepEqual(at('quiet'), but('write'), 'work nobody wrote is nobody named');
  });

  it('asks for every sender of a turn', () => {
    assert.deepEqual(at('quiet', 'boss', 'anybody'), but('read', 'write'));
    assert.deepEqual(at('-100Ab', '4711', '1'), ['read']);
    assert.deepEqual(
      removal('bash', { channels }, { groups: [{ channel: 'telegram', id: '-100Ab' }], senders: ['4711', '1'] }),
      ['group', 'channels.telegram.groups.-100Ab.tools.allow', 'read'],
    );
    assert.deepEqual(
      removal('read', { channels }, { groups: [{ channel: 'telegram', id: 'quiet' }], senders: ['boss'] })[1],
      'channels.telegram.groups.quiet.toolsBySender.boss.deny',
    );
  });

  it('says nothing on other channels and outside groups', () => {
    assert.deepEqual(left({ channels }, { groups: [{ channel: 'discord', id: '-100Ab' }] }), ALL);
    assert.deepEqual(left({ channels }), ALL);
    assert.deepEqual(left({ channels }, { groups: [{ channel: 'telegram', id: 'constructor' }] }), but('bash'));
  });
});

describe('sandbox and sub-agents (T214, T216)', () => {
  it("8: begins with its own lists; the agent's replace the general ones, which replace the default", () => {
    assert.deepEqual(left({}, SANDBOXED), but('browser', 'telegram', 'lobster_run'));
    assert.deepEqual(removal('browser', {}, SANDBOXED), ['sandbox', 'tools.sandbox.tools.deny', 'browser']);
    assert.deepEqual(
      removal('telegram', {}, SANDBOXED),
      ['sandbox', 'tools.sandbox.tools.deny', 'telegram'],
      'a tool called like a channel acts outside',
    );
    assert.deepEqual(
      left({ tools: { sandbox: { tools: { deny: ['bash'] } } } }, SANDBOXED),
      but('bash', 'browser', 'telegram', 'lobster_run'),
      'allow and deny each for itself',
    );
    assert.deepEqual(
      left({ tools: { sandbox: { tools: { allow: ['read', 'browser'] } } } }, SANDBOXED),
      ['read', 'image'],
      'image comes along, browser is still denied',
    );
    assert.deepEqual(
      left({ tools: { sandbox: { tools: { allow: ['read', 'browser'], deny: ['image'] } } } }, SANDBOXED),
      ['read', 'browser'],
    );
    assert.deepEqual(
      left(
        {
          tools: { sandbox: { tools: { allow: ['read'], deny: ['read'] } } },
          agent: { sandbox: { tools: { deny: [] } } },
        },
        SANDBOXED,
      ),
      ['read', 'image'],
    );
    assert.deepEqual(
      left({ tools: { deny: ['read'], sandbox: { tools: { allow: ['*'] } } } }, SANDBOXED).includes('read'),
      false,
      'what an earlier stage removed stays away',
    );
  });

  it('8: writes nothing where the workspace is read-only, whatever is allowed', () => {
    const place = { sandbox: { workspaceAccess: 'ro' } } as const;
    assert.deepEqual(
      left({ tools: { sandbox: { tools: { allow: ['*'], deny: [] } } } }, place),
      but('write', 'edit', 'apply_patch'),
    );
    assert.deepEqual(removal('edit', {}, place), ['sandbox', 'sandbox.workspaceAccess: ro', 'edit']);
  });

  it('9: keeps other conversations and the gateway from sub-agents, whatever is allowed', () => {
    const place = { subagent: true };
    assert.deepEqual(left({}, place), but('session_status', 'sessions_send'));
    assert.deepEqual(left({ tools: { subagents: { tools: { allow: ['read', 'sessions_send'] } } } }, place), ['read']);
    assert.deepEqual(
      left(
        {
          tools: { subagents: { tools: { allow: ['read'], deny: ['bash'] } } },
          agent: { subagents: { tools: { allow: ['bash', 'read'] } } },
        },
        place,
      ),
      ['read', 'apply_patch'],
    );
    assert.deepEqual(removal('sessions_send', {}, place), ['sub-agent', 'built in', 'sessions_send']);
  });
});

describe('names nobody has (T213)', () => {
  it('close a list that names nothing else, and say what may have been meant', () => {
    const { warnings } = decisions({ tools: { allow: ['brwoser'] } });
    assert.deepEqual(left({ tools: { allow: ['brwoser'] } }), []);
    assert.deepEqual(warnings, [
      'tools.allow names "brwoser", which is not a tool; the list allows nothing. Did you mean "browser"?',
    ]);
  });

  it('are reported and ignored in mixed lists and in deny', () => {
    const written = { tools: { allow: ['read', 'raed'], deny: ['group:runtim'] } };
    assert.deepEqual(left(written), ['read']);
    assert.deepEqual(decisions(written).warnings, [
      'tools.allow names "raed", which is not a tool. Did you mean "read"?',
      'tools.deny names "group:runtim", which is not a tool. Did you mean "group:runtime"?',
    ]);
  });

  it('are not those this version does not bring, and not those of plugins', () => {
    assert.deepEqual(
      decisions({
        tools: {
          allow: [
            'web_search',
            'discord',
            'lobster',
            'lobster_run',
            'group:plugins',
            'group:memory',
            'memory_*',
            'exec',
            '*',
          ],
        },
      }).warnings,
      [],
    );
  });
});
