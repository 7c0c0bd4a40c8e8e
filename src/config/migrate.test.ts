import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingRules } from '../testing/whole-schema.ts';
import { migrate as migrateBy } from './migrate.ts';

const migrate = (value: unknown) => migrateBy(value, settingRules);

const CASES: readonly (readonly [name: string, old: unknown, now: unknown])[] = [
  ['agent.tools', { agent: { tools: { deny: ['bash'] } } }, { tools: { deny: ['bash'] } }],
  [
    'agent.elevated',
    { agent: { elevated: { enabled: false, allowFrom: { telegram: ['1'] } }, elevatedDefault: 'ask' } },
    {
      tools: { elevated: { enabled: false, allowFrom: { telegram: ['1'] } } },
      agents: { defaults: { elevatedDefault: 'ask' } },
    },
  ],
  [
    'agent.bash',
    { agent: { bash: { backgroundMs: 5, timeoutSec: 6, cleanupMs: 7 } } },
    { tools: { exec: { backgroundMs: 5, timeoutSec: 6, cleanupMs: 7 } } },
  ],
  [
    'tools.bash beneath tools.exec',
    { tools: { bash: { timeoutSec: 6, ask: 'off' }, exec: { ask: 'always' } } },
    { tools: { exec: { timeoutSec: 6, ask: 'always' } } },
  ],
  [
    'agent.sandbox',
    {
      agent: {
        sandbox: { mode: 'non-main', perSession: true, workspaceAccess: 'ro', tools: { deny: ['browser'] } },
        subagents: { tools: { deny: ['cron'] } },
      },
    },
    {
      agents: { defaults: { sandbox: { mode: 'non-main', scope: 'session', workspaceAccess: 'ro' } } },
      tools: { sandbox: { tools: { deny: ['browser'] } }, subagents: { tools: { deny: ['cron'] } } },
    },
  ],
  [
    'sandbox.perSession of one agent, and beside scope',
    {
      agents: {
        defaults: { sandbox: { perSession: false, scope: 'agent' } },
        list: [{ id: 'a', sandbox: { perSession: false } }],
      },
    },
    { agents: { defaults: { sandbox: { scope: 'agent' } }, list: [{ id: 'a', sandbox: { scope: 'shared' } }] } },
  ],
  [
    'agent.imageModelFallbacks without a model',
    { agent: { imageModelFallbacks: ['x/y', 'a/b'] } },
    { agents: { defaults: { imageModel: { fallbacks: ['x/y', 'a/b'] } } } },
  ],
  [
    'agent.imageModel with fallbacks',
    { agent: { imageModel: 'x/y', imageModelFallbacks: ['a/b'] } },
    { agents: { defaults: { imageModel: { primary: 'x/y', fallbacks: ['a/b'] } } } },
  ],
  ['agent.imageModel', { agent: { imageModel: 'x/y' } }, { agents: { defaults: { imageModel: 'x/y' } } }],
  [
    'agent.model with fallbacks',
    { agent: { model: 'x/y', modelFallbacks: ['a/b'] } },
    { agents: { defaults: { model: { primary: 'x/y', fallbacks: ['a/b'] } } } },
  ],
  [
    'agent.*',
    { agent: { workspace: '~/w', timeoutSeconds: 5 } },
    { agents: { defaults: { workspace: '~/w', timeoutSeconds: 5 } } },
  ],
  [
    'agent.* beneath agents.defaults',
    { agent: { compaction: { mode: 'default', model: 'a' } }, agents: { defaults: { compaction: { model: 'b' } } } },
    { agents: { defaults: { compaction: { mode: 'default', model: 'b' } } } },
  ],
  [
    'agents.entries',
    { agents: { entries: { main: { name: 'Ada' }, work: {} } } },
    { agents: { list: [{ id: 'main', name: 'Ada' }, { id: 'work' }] } },
  ],
  [
    'agents.entries beside list',
    { agents: { list: [{ id: 'main', name: 'Eve' }], entries: { main: { name: 'Ada', model: 'm' }, x: {} } } },
    { agents: { list: [{ id: 'main', name: 'Eve', model: 'm' }, { id: 'x' }] } },
  ],
  [
    'match.provider',
    { bindings: [{ agentId: 'a', match: { provider: 'slack', accountID: 'biz' } }] },
    { bindings: [{ agentId: 'a', match: { channel: 'slack', accountId: 'biz' } }] },
  ],
  [
    'routing.bindings',
    { routing: { bindings: [{ agentId: 'a', match: { provider: 'slack' } }] } },
    { bindings: [{ agentId: 'a', match: { channel: 'slack' } }] },
  ],
  ['routing.queue', { routing: { queue: { mode: 'steer' } } }, { messages: { queue: { mode: 'steer' } } }],
  [
    'root channels',
    { telegram: { botToken: 't' }, msteams: {}, discord: { actions: { roles: true } } },
    { channels: { telegram: { botToken: 't' }, msteams: {}, discord: { actions: { roles: true } } } },
  ],
  ['session.idleMinutes', { session: { idleMinutes: 30 } }, { session: { reset: { mode: 'idle', idleMinutes: 30 } } }],
  [
    'session.idleMinutes beside reset',
    { session: { idleMinutes: 30, reset: { mode: 'daily' } } },
    { session: { reset: { mode: 'daily', idleMinutes: 30 } } },
  ],
  [
    'audio.transcription',
    { audio: { transcription: { command: ['whisper', '--model', 'base', '{input}'], timeoutSeconds: 45 } } },
    {
      tools: {
        media: {
          audio: {
            models: [
              { type: 'cli', command: 'whisper', args: ['--model', 'base', '{{MediaPath}}'], timeoutSeconds: 45 },
            ],
          },
        },
      },
    },
  ],
  [
    'tools.media.*.deepgram',
    {
      tools: {
        media: {
          audio: {
            deepgram: { smartFormat: true, punctuate: true },
            providerOptions: { deepgram: { punctuate: false } },
            models: [{ provider: 'deepgram', deepgram: { detectLanguage: true } }],
          },
          models: [{ provider: 'deepgram', deepgram: { punctuate: true } }],
        },
      },
    },
    {
      tools: {
        media: {
          audio: {
            providerOptions: { deepgram: { smartFormat: true, punctuate: false } },
            models: [{ provider: 'deepgram', providerOptions: { deepgram: { detectLanguage: true } } }],
          },
          models: [{ provider: 'deepgram', providerOptions: { deepgram: { punctuate: true } } }],
        },
      },
    },
  ],
  [
    'routing.transcribeAudio',
    { routing: { transcribeAudio: { command: ['hear', '{{MediaPath}}'] } } },
    { tools: { media: { audio: { models: [{ type: 'cli', command: 'hear', args: ['{{MediaPath}}'] }] } } } },
  ],
  [
    'audio.transcription beside the list',
    {
      audio: { transcription: { command: ['old', '{input}'] } },
      tools: { media: { audio: { models: [{ provider: 'groq' }] } } },
    },
    { tools: { media: { audio: { models: [{ provider: 'groq' }] } } } },
  ],
  ['identity', { identity: { name: 'Ada' } }, { agents: { list: [{ id: 'main', identity: { name: 'Ada' } }] } }],
  [
    'identity of the default agent',
    { identity: { name: 'Ada' }, agents: { list: [{ id: 'x' }, { id: 'y', default: true }] } },
    { agents: { list: [{ id: 'x' }, { id: 'y', default: true, identity: { name: 'Ada' } }] } },
  ],
];

for (const [name, old, now] of CASES) {
  test(`old name: ${name}`, () => {
    const before = structuredClone(old);
    const { value, warnings, moves } = migrate(old);
    assert.deepEqual(value, now);
    assert.deepEqual(old, before, 'the input is not touched');
    assert.ok(moves.length > 0 && moves.length === warnings.length);
    assert.deepEqual(migrate(now).value, now, 'present names stay');
    assert.deepEqual(migrate(now).warnings, []);
  });
}

test('every move names the old and the new path', () => {
  const { warnings } = migrate({ agent: { model: 'x' } });
  assert.deepEqual(warnings, [
    {
      path: 'agent.model',
      problem: '"agent.model" is an old name of "agents.defaults.model"',
      fix: 'Rename it to "agents.defaults.model"; it works as it is.',
    },
  ]);
});

test('if both names are set, the present one applies and the old one is reported', () => {
  const { value, warnings } = migrate({ agent: { model: 'old' }, agents: { defaults: { model: 'new' } } });
  assert.deepEqual(value, { agents: { defaults: { model: 'new' } } });
  assert.match(warnings[0]?.problem ?? '', /wins/);
  assert.equal(warnings[0]?.fix, 'Remove "agent.model".');
});

test('a secret named by an object becomes the same secret named by text, without a warning', () => {
  const { value, warnings } = migrate({
    models: { providers: { x: { apiKey: { source: 'env', provider: 'default', id: 'X_KEY' } } } },
  });
  assert.deepEqual(value, { models: { providers: { x: { apiKey: '${X_KEY}' } } } });
  assert.deepEqual(warnings, []);
});

test('odd shapes do not stop it', () => {
  for (const odd of [
    [],
    'x',
    null,
    { agent: 7 },
    { agents: { entries: [1] } },
    { bindings: {} },
    { identity: 'x' },
    { routing: null },
    { audio: { transcription: 'whisper' } },
    { audio: { transcription: { command: [1] } } },
  ])
    assert.doesNotThrow(() => migrate(odd));
});
