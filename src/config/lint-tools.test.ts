/**
 * Tool lists that cannot mean what they say (T213): told where they stand, with what was meant; the file stays in
 * force.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readdirSync } from 'node:fs';
import { it } from 'node:test';
import { FAMILY_TOOLS } from '../core/tool-groups.ts';
import { silentLog } from '../core/log.ts';
import { readEnv } from '../platform/env.ts';
import { configSchema, settingRules } from '../testing/whole-schema.ts';
import type { Config } from '../schema.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { createConfigStore } from './create-store.ts';
import { lintConfig } from './lint.ts';
import type { ConfigStore } from './store.ts';

async function withConfig(config: object, check: (store: ConfigStore<Config>) => void | Promise<void>): Promise<void> {
  await using dir = await tempDir('lint-tools');
  await writeFile(join(dir.path, 'clawdbot.json'), JSON.stringify(config));
  await using store = await createConfigStore({
    schema: configSchema,
    rules: settingRules,
    lint: lintConfig,
    env: readEnv({ HOME: dir.path, CLAWDBOT_STATE_DIR: dir.path }),
    log: silentLog,
  });
  await check(store);
}

it('an allow list that names nothing known is an error with a did-you-mean; the file is in force', () =>
  withConfig({ tools: { allow: ['brwoser'] } }, (store) => {
    const { valid, issues, config } = store.snapshot();
    assert.deepEqual(issues, [
      {
        path: 'tools.allow[0]',
        problem: 'there is no tool "brwoser"; the list names nothing else, so it allows no tool at all',
        fix: 'Did you mean "browser"?',
      },
    ]);
    assert.deepEqual(
      [valid, config.tools.allow],
      [true, ['brwoser']],
      'an earlier or default configuration might open more',
    );
  }));

it('saving one is refused, correcting it and changing something else is not', async () => {
  await withConfig({ tools: { allow: ['read'] } }, async (store) => {
    await assert.rejects(
      store.edit([{ path: 'tools.allow', value: ['brwoser'] }]),
      /tools\.allow\[0\] there is no tool "brwoser".*Did you mean "browser"\?/,
    );
    assert.deepEqual(store.current().tools.allow, ['read']);
  });
  await withConfig({ tools: { allow: ['brwoser'] } }, async (store) => {
    await store.edit([{ path: 'logging.level', value: 'debug' }]);
    await store.edit([{ path: 'tools.allow', value: ['browser'] }]);
    assert.deepEqual(store.snapshot().issues, []);
  });
});

it('wherever tools are named', () => {
  const lists = { allow: ['nosuch'] };
  const config = {
    tools: { byProvider: { openai: lists }, sandbox: { tools: lists }, subagents: { tools: lists } },
    agents: { list: [{ id: 'a', tools: { ...lists, byProvider: { 'openai/x.1': lists } } }] },
    channels: { webchat: { groups: { '*': { tools: lists, toolsBySender: { me: lists } } } } },
  };
  return withConfig(config, (store) =>
    assert.deepEqual(
      store.snapshot().issues.map(({ path }) => path),
      [
        'tools.byProvider.openai.allow[0]',
        'tools.sandbox.tools.allow[0]',
        'tools.subagents.tools.allow[0]',
        'agents.list[0].tools.allow[0]',
        'agents.list[0].tools.byProvider["openai/x.1"].allow[0]',
        'channels.webchat.groups.*.tools.allow[0]',
        'channels.webchat.groups.*.toolsBySender.me.allow[0]',
      ],
    ),
  );
});

it('in mixed lists and in deny they are warnings', () =>
  withConfig({ tools: { allow: ['read', 'raed'], alsoAllow: ['nosuch'], deny: ['group:runtim'] } }, (store) => {
    const { issues, warnings } = store.snapshot();
    assert.deepEqual(issues, []);
    assert.deepEqual(
      warnings.map(({ path, fix }) => [path, fix]),
      [
        ['tools.allow[1]', 'Did you mean "read"?'],
        ['tools.alsoAllow[0]', 'Remove it; `clawdbot tools list` names the tools.'],
        ['tools.deny[0]', 'Did you mean "group:runtime"?'],
      ],
    );
  }));

it('where plugins are configured only the gateway knows', () =>
  withConfig({ tools: { allow: ['brwoser'] }, plugins: { load: { paths: ['/nowhere'] } } }, (store) => {
    const { issues, warnings } = store.snapshot();
    assert.deepEqual(issues, []);
    assert.match(warnings[0]!.problem, /no tool "brwoser".*unless a plugin adds it$/);
  }));

it('known are all tools of the family, groups, patterns and other spellings', () =>
  withConfig(
    { tools: { allow: ['Exec', 'apply-patch', 'group:memory', 'group:plugins', 'discord', 'sess*', '*'] } },
    (store) => {
      assert.deepEqual([...store.snapshot().issues, ...store.snapshot().warnings], []);
    },
  ));

it('an empty list and a sender that is a name are warnings', () =>
  withConfig(
    {
      tools: { allow: [] },
      channels: { webchat: { groups: { g: { toolsBySender: { 'name:Bob': {}, '@bob': {}, '4711': {} } } } } },
    },
    (store) => {
      assert.deepEqual(
        store.snapshot().warnings.map(({ path }) => path),
        [
          'tools.allow',
          'channels.webchat.groups.g.toolsBySender.name:Bob',
          'channels.webchat.groups.g.toolsBySender.@bob',
        ],
      );
    },
  ));

it('every tool this version brings is one of the family', () => {
  for (const name of readdirSync(join(import.meta.dirname, '../tools')))
    assert.ok(FAMILY_TOOLS.includes(name), `${name} belongs into core/tool-groups.ts`);
});
