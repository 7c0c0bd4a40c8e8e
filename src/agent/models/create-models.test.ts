/** Which model answers, in which order, and the error when none is found. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { silentLog, type Log } from '../../core/log.ts';
import type { ChatModel, Provider } from '../../core/provider.ts';
import { pluginsConfigSchema } from '../../plugins/config.ts';
import { createPluginLoader } from '../../plugins/load.ts';
import { agentsConfigSchema, modelsConfigSchema } from '../config.ts';
import { createModels } from './create-models.ts';
import { refText } from './model-ref.ts';

const loader = createPluginLoader({
  closed: [],
  config: pluginsConfigSchema.parse(undefined),
  log: silentLog,
  home: '/nowhere',
});

interface Fixture {
  agents?: unknown;
  models?: unknown;
  env?: Record<string, string>;
  ollama?: readonly string[];
}

/** The real provider folders, but an Ollama of our own. */
function fixture({ agents, models, env = {}, ollama }: Fixture = {}) {
  const state = { agents: agentsConfigSchema.parse(agents), models: modelsConfigSchema.parse(models) };
  const seen = { probes: 0, warnings: [] as unknown[], now: 0 };
  const log: Log = { ...silentLog, warn: (_event, fields) => void seen.warnings.push(fields?.['model']) };
  const loadProvider = async (id: string): Promise<Provider | undefined> => {
    const provider = await loader.loadProvider(id);
    if (id !== 'ollama' || !provider) return provider;
    return {
      ...provider,
      async discover() {
        seen.probes++;
        return ollama?.map((name) => ({ id: name }));
      },
    };
  };
  const made = createModels({
    config: () => state,
    env,
    log,
    loadProvider,
    providerIds: () => loader.ids('provider'),
    now: () => seen.now,
  });
  return {
    ...made,
    state,
    seen,
    refs: async (agent?: string, override?: string) => (await made.choose(agent, override)).map(refText),
  };
}

describe('the choice without a configured model', () => {
  it('takes a key from the environment, in the documented order', async () => {
    const { choose } = fixture({ env: { GROQ_API_KEY: 'g', OPENAI_API_KEY: 'o', OPENROUTER_API_KEY: ' ' } });
    const [first] = await choose();
    assert.deepEqual([first?.provider, first?.modelId, first?.source], ['openai', 'gpt-5.2', 'environment']);
    assert.deepEqual(await fixture({ env: { GROQ_API_KEY: 'g' } }).refs(), ['groq/openai/gpt-oss-120b']);
    assert.deepEqual(await fixture({ env: { OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a' } }).refs(), [
      'anthropic/claude-opus-4-6',
    ]);
  });

  it('takes what Ollama has when there is no key, and asks it at most every few seconds', async () => {
    const { choose, seen } = fixture({ ollama: ['qwen3:8b', 'other'] });
    assert.equal((await choose())[0]?.source, 'ollama');
    assert.deepEqual((await choose()).map(refText), ['ollama/qwen3:8b']);
    assert.equal(seen.probes, 1);
    seen.now = 60_000;
    await choose();
    assert.equal(seen.probes, 2);
  });

  it('ends at the offline concierge, which opens and needs nothing', async () => {
    const { choose, describe: described } = fixture();
    const [only] = await choose();
    assert.deepEqual([refText(only!), only!.source, only!.api], ['offline/concierge', 'offline', undefined]);
    assert.equal((await only!.open()).modelId, 'concierge');
    assert.deepEqual(described(), { provider: 'offline', model: 'concierge', source: 'offline' });
  });

  it('prefers a configured provider to the environment', async () => {
    const models = {
      providers: { lmstudio: { baseUrl: 'http://127.0.0.1:1234/v1', models: [{ id: 'qwen', contextWindow: 32_000 }] } },
    };
    const { choose, describe: described } = fixture({ models, env: { OPENAI_API_KEY: 'o' } });
    const [first] = await choose();
    assert.deepEqual(
      [refText(first!), first!.source, first!.api, first!.info.contextWindow],
      ['lmstudio/qwen', 'config', 'openai-completions', 32_000],
    );
    assert.equal(described().model, 'qwen');
  });
});

describe('the configured choice', () => {
  const agents = {
    defaults: {
      model: { primary: 'opus', fallbacks: ['groq/llama-3.3-70b-versatile', 'grok/x', 'anthropic/claude-opus-4-6'] },
      models: { 'anthropic/claude-opus-4-6': { alias: 'Opus', params: { temperature: 0.2, maxTokens: 1000 } } },
    },
    list: [{ id: 'main' }, { id: 'work', model: 'openai/gpt-5-mini' }],
  };

  it('is primary and fallbacks, aliases resolved, nothing twice, unknown fallbacks left out with a warning', async () => {
    const { refs, seen } = fixture({ agents });
    assert.deepEqual(await refs(), ['anthropic/claude-opus-4-6', 'groq/llama-3.3-70b-versatile']);
    assert.deepEqual(seen.warnings, ['grok/x']);
    assert.deepEqual((await refs('work'))[0], 'openai/gpt-5-mini');
    assert.deepEqual((await refs('work', 'OPUS'))[0], 'anthropic/claude-opus-4-6');
  });

  it('brings limits, prices and call settings along', async () => {
    const [opus] = await fixture({ agents }).choose();
    assert.equal(opus!.info.contextWindow, 200_000);
    assert.equal(opus!.info.cost?.output, 25);
    assert.deepEqual(opus!.params, { temperature: 0.2, maxOutputTokens: 1000 });
    assert.equal(opus!.api, 'anthropic-messages');
  });

  it('says what a name could have meant', async () => {
    const { choose } = fixture({ agents });
    await assert.rejects(choose('main', 'antropic/claude'), {
      code: 'not_found',
      message: /Unknown model provider "antropic"\. Did you mean "anthropic"\?.*models\.providers\.antropic\.baseUrl/,
    });
    await assert.rejects(choose('main', 'opsu'), {
      code: 'invalid',
      message: /"opsu" does not name a model\. Did you mean "Opus"\? Write provider\/model/,
    });
    await assert.rejects(choose('main', '/x'), { code: 'invalid' });
    await assert.rejects(choose('nobody'), { code: 'not_found', message: /Unknown agent "nobody"/ });
  });

  it('follows the configuration when it changes', async () => {
    const { refs, state, describe: described } = fixture({ agents });
    state.agents = agentsConfigSchema.parse({ defaults: { model: 'openai/gpt-5' } });
    assert.deepEqual(await refs(), ['openai/gpt-5']);
    assert.deepEqual(described(), { provider: 'openai', model: 'gpt-5', source: 'config' });
  });
});

describe('a provider', () => {
  const models = {
    providers: {
      mine: { baseUrl: 'http://127.0.0.1:9/v1', api: 'openai-responses', models: [{ id: 'tiny' }] },
      proxy: {
        baseUrl: 'http://127.0.0.1:9',
        api: 'anthropic-messages',
        apiKey: 'p',
        models: [{ id: 'claude-opus-4-6' }],
      },
      openai: {
        baseUrl: 'http://127.0.0.1:9/v1',
        api: 'openai-completions',
        models: [{ id: 'gpt-5', cost: { input: 9 } }],
      },
    },
  };
  const pick = async (ref: string, env = {}) => (await fixture({ models, env }).choose('main', ref))[0]!;

  it('of any name is spoken to in the language its api names', async () => {
    assert.equal((await pick('mine/tiny')).api, 'openai-responses');
    assert.equal((await (await pick('mine/tiny')).open()).provider, 'mine');
    assert.equal((await pick('proxy/claude-opus-4-6')).api, 'anthropic-messages');
    assert.equal((await pick('openai/gpt-5')).api, 'openai-completions');
  });

  it('does not inherit prices or the key of the vendor whose language it speaks', async () => {
    assert.equal((await pick('proxy/claude-opus-4-6')).info.cost, undefined);
    const settings: unknown[] = [];
    const spy = createModels({
      config: () => ({ agents: agentsConfigSchema.parse(undefined), models: modelsConfigSchema.parse(models) }),
      env: { OPENAI_API_KEY: 'secret' },
      log: silentLog,
      now: () => 0,
      providerIds: async () => [],
      loadProvider: async (id) => ({
        id,
        label: id,
        apis: id === 'openai' ? ['openai-responses', 'openai-completions'] : [],
        envKeys: ['OPENAI_API_KEY'],
        chat: (_model, given) => {
          settings.push(given.apiKey);
          return {} as ChatModel;
        },
      }),
    });
    for (const ref of ['mine/tiny', 'openai/gpt-5']) await (await spy.choose('main', ref))[0]?.open();
    assert.deepEqual(settings, [undefined, 'secret']);
  });

  it('takes its key from a named variable, and refuses alone what this version cannot do', async () => {
    const providers = {
      groq: { apiKey: { source: 'env', provider: 'default', id: 'MY_KEY' } },
      vault: { baseUrl: 'http://127.0.0.1:9', apiKey: { source: 'exec', id: 'x' } },
      aws: { baseUrl: 'http://127.0.0.1:9', api: 'bedrock-converse-stream' },
      den: { baseUrl: 'http://127.0.0.1:9', api: 'ollama', models: [{ id: 'q', input: ['text', 'audio'] }] },
    };
    const { choose, list } = fixture({ models: { providers }, env: { MY_KEY: 'k' } });
    assert.equal((await (await choose('main', 'groq/x'))[0]?.open())?.provider, 'groq');
    await assert.rejects(choose('main', 'aws/x'), {
      code: 'unsupported',
      message: /models\.providers\.aws\.api is "bedrock-converse-stream"/,
    });
    await assert.rejects(choose('main', 'vault/x'), { code: 'unsupported', message: /uses the source "exec"/ });
    assert.deepEqual((await choose('main', 'den/q'))[0]?.info.input, ['text']);
    assert.ok((await list()).some(({ provider }) => provider === 'den'));
  });

  it('wins with its configured figures over the catalogue, field by field', async () => {
    const { info } = await pick('openai/gpt-5');
    assert.deepEqual([info.contextWindow, info.cost], [400_000, { input: 9 }]);
  });

  it('knows a family when it does not know the model, and says when it knows nothing', async () => {
    const family = (await pick('anthropic/claude-nova-9')).info;
    assert.deepEqual([family.id, family.contextWindow, family.contextWindowKnown], ['claude-nova-9', 200_000, true]);
    const guess = (await pick('mine/tiny')).info;
    assert.deepEqual([guess.contextWindow, guess.contextWindowKnown], [128_000, false]);
  });

  it('is opened once per settings, and again after it could not be', async () => {
    const { choose } = fixture({ models });
    const open = async () => (await choose('main', 'mine/tiny'))[0]!.open();
    assert.equal(await open(), await open());
    const failing = async () => (await choose('main', 'google/gemini-2.5-pro'))[0]!.open();
    await assert.rejects(failing(), { code: 'auth' });
    await assert.rejects(failing(), { code: 'auth' });
  });

  it('is asked to think only when the model can', async () => {
    assert.deepEqual((await pick('anthropic/claude-opus-4-6')).thinkingOptions('low'), { thinking: { level: 'low' } });
    assert.deepEqual((await pick('openai/gpt-5')).thinkingOptions('high'), {
      openai: { reasoningSummary: 'auto' },
      thinking: { level: 'high' },
    });
    assert.equal((await pick('mine/tiny')).thinkingOptions('high'), undefined);
  });
});

describe('picking a model for a conversation', () => {
  const agents = {
    defaults: { models: { 'anthropic/claude-opus-4-6': { alias: 'Opus' }, 'mine/unlisted': { alias: 'lab' } } },
  };
  const models = { providers: { mine: { baseUrl: 'http://127.0.0.1:9/v1', models: [{ id: 'tiny' }] } } };

  it('takes an alias, a listed name in full or bare, and a newer one of a family we know', async () => {
    const { pick } = fixture({ agents, models, env: { OPENAI_API_KEY: 'o' } });
    for (const [written, expected] of [
      ['opus', 'anthropic/claude-opus-4-6'],
      ['lab', 'mine/unlisted'],
      ['mine/tiny', 'mine/tiny'],
      ['tiny', 'mine/tiny'],
      ['gpt-5', 'openai/gpt-5'],
      ['openai/gpt-5.9-mini', 'openai/gpt-5.9-mini'],
    ] as const)
      assert.equal(refText((await pick(written))!), expected, written);
  });

  it('takes no name that only looks right', async () => {
    const { pick } = fixture({ agents, models });
    assert.equal(await pick('mine/tyni'), undefined);
    await assert.rejects(pick('opsu'), /Did you mean "opus"/i);
    await assert.rejects(pick('minne/tiny'), /Did you mean "mine"/);
  });
});

describe('the list of models', () => {
  it('holds what can be reached: configured, with a key, on Ollama, offline', async () => {
    const { list } = fixture({
      models: { providers: { mine: { baseUrl: 'http://127.0.0.1:9/v1', models: [{ id: 'tiny', name: 'Tiny' }] } } },
      env: { XAI_API_KEY: 'x' },
      ollama: ['qwen3'],
    });
    const listed = await list();
    assert.deepEqual(
      listed.map(({ provider, id }) => `${provider}/${id}`),
      ['mine/tiny', 'xai/grok-4', 'offline/concierge', 'ollama/qwen3'],
    );
    assert.deepEqual(listed[1], {
      id: 'grok-4',
      name: 'Grok 4',
      provider: 'xai',
      contextWindow: 256_000,
      input: ['text', 'image'],
    });
  });

  it('shows only what is written when the mode is replace', async () => {
    const providers = { anthropic: { apiKey: 'a', models: [{ id: 'only' }] } };
    assert.deepEqual(
      (await fixture({ models: { mode: 'replace', providers } }).list()).map(({ id }) => id),
      ['only', 'concierge'],
    );
    assert.ok((await fixture({ models: { providers } }).list()).length > 3);
  });
});
