/** Settings of the browser as others of the family write them: read as ours, with a word on the new name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { migrate } from '../../config/migrate.ts';
import { settingRules } from '../../testing/whole-schema.ts';
import { browserConfigSchema } from './config.ts';

const CASES: readonly (readonly [old: object, now: object])[] = [
  [
    { gateway: { nodes: { browser: { mode: 'auto', node: 'desk' } } } },
    { browser: { node: { mode: 'auto', id: 'desk' } } },
  ],
  [{ gateway: { nodes: { browser: { mode: 'off' } } } }, { browser: { node: { mode: 'off' } } }],
  [
    { tools: { browser: { visionEnabled: false, visionPrompt: 'What is it?' } } },
    { browser: { visionEnabled: false, visionPrompt: 'What is it?' } },
  ],
  [
    { browser: { ssrfPolicy: { allowPrivateNetwork: true } } },
    { browser: { ssrfPolicy: { dangerouslyAllowPrivateNetwork: true } } },
  ],
  [
    { browser: { models: [{ provider: 'google', model: 'gemini' }] } },
    { tools: { media: { image: { models: [{ provider: 'google', model: 'gemini' }] } } } },
  ],
  [
    { tools: { browser: { models: [{ provider: 'google', model: 'gemini' }] } } },
    { tools: { media: { image: { models: [{ provider: 'google', model: 'gemini' }] } } } },
  ],
];

test('old names are read as the new ones, and said', () => {
  for (const [old, now] of CASES) {
    const { value, warnings } = migrate(old, settingRules);
    assert.deepEqual(value, now, JSON.stringify(old));
    assert.ok(warnings.length > 0, JSON.stringify(old));
    const { browser } = now as { readonly browser?: object };
    assert.ok(browserConfigSchema.safeParse(browser).success, JSON.stringify(now));
  }
});

test('what stands under the new name wins', () => {
  const both = { browser: { node: { mode: 'manual' } }, gateway: { nodes: { browser: { mode: 'auto' } } } };
  assert.deepEqual(migrate(both, settingRules).value, { browser: { node: { mode: 'manual' } } });
});
