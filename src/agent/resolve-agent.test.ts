/** The default agent, and what an agent inherits from the defaults. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agentsConfigSchema, modelsConfigSchema } from './config.ts';
import { agentIds, defaultAgentId, resolveAgent } from './resolve-agent.ts';

const agents = (raw: unknown) => ({ agents: agentsConfigSchema.parse(raw) });

describe('the agents slice', () => {
  it('has every default when nothing is written', () => {
    const { defaults, list } = agentsConfigSchema.parse(undefined);
    assert.deepEqual(list, []);
    assert.equal(defaults.workspace, '~/clawd');
    assert.equal(defaults.timeoutSeconds, 600);
    assert.equal(defaults.maxConcurrent, undefined);
    assert.equal(defaults.compaction.mode, 'safeguard');
  });

  it('keeps keys of other releases and takes both spellings of a model', () => {
    const { defaults } = agentsConfigSchema.parse({
      defaults: { model: 'openai/gpt-5.2', imageModel: { primary: 'google/gemini' } },
    });
    assert.equal(defaults.model, 'openai/gpt-5.2');
  });

  it('names the path of a wrong value', () => {
    const result = modelsConfigSchema.safeParse({ providers: { mine: { baseUrl: 'localhost', api: 'soap' } } });
    assert.deepEqual(result.error?.issues.map((issue) => issue.path.join('.')).sort(), [
      'providers.mine.api',
      'providers.mine.baseUrl',
    ]);
  });
});

describe('the default agent', () => {
  it('is main without a list, the first of a list, and the marked one before the first', () => {
    assert.equal(defaultAgentId(agents({})), 'main');
    assert.equal(defaultAgentId(agents({ list: [{ id: 'home' }, { id: 'work' }] })), 'home');
    assert.equal(defaultAgentId(agents({ list: [{ id: 'home' }, { id: 'Work', default: true }] })), 'work');
    assert.deepEqual(agentIds(agents({})), ['main']);
  });
});

describe('one agent', () => {
  const config = agents({
    defaults: {
      model: { primary: 'anthropic/a', fallbacks: ['openai/b'] },
      workspace: '/srv/clawd/',
      timeoutSeconds: 5,
    },
    list: [
      { id: 'home' },
      { id: 'work', model: 'openai/c' },
      { id: 'solo', model: { fallbacks: [] }, workspace: '/solo', skills: ['x'] },
    ],
  });

  it('inherits, overrides, and switches fallbacks off', () => {
    assert.deepEqual(resolveAgent(config).model, { primary: 'anthropic/a', fallbacks: ['openai/b'] });
    assert.deepEqual(resolveAgent(config, 'work').model, { primary: 'openai/c', fallbacks: ['openai/b'] });
    assert.deepEqual(resolveAgent(config, 'solo').model, { primary: 'anthropic/a', fallbacks: [] });
    assert.equal(resolveAgent(config, 'work').timeoutMs, 5000);
  });

  it('never shares a workspace with the default agent by accident', () => {
    assert.deepEqual(
      ['home', 'work', 'solo'].map((id) => resolveAgent(config, id).workspace),
      ['/srv/clawd/', '/srv/clawd-work', '/solo'],
    );
  });

  it('must exist', () => {
    assert.throws(() => resolveAgent(config, 'ghost'), {
      code: 'not_found',
      message: /Unknown agent "ghost".*home, work, solo/,
    });
  });
});
