/** The gateway tool in a turn: allowed requesters, required configuration, and notices afterwards. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createConfigStore } from '../config/create-store.ts';
import { REDACTED } from '../config/redact.ts';
import type { Trigger } from '../core/trigger.ts';
import { silentLog } from '../core/log.ts';
import type { ChatAddress } from '../core/message.ts';
import type { Right } from '../core/principal.ts';
import { canonicalSessionKey } from '../core/session-key.ts';
import type { Turn } from '../core/turn.ts';
import type { RestartRequest } from '../host/restart.ts';
import { readEnv } from '../platform/env.ts';
import { configSchema, settingRules } from '../testing/whole-schema.ts';
import type { Config } from '../schema.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { restartRules } from '../host/reload-rules.ts';
import { createToolGateway, type ToolGateway } from './tool-gateway.ts';
import { nobodysAuthority } from '../core/authority.ts';
import { present } from '../core/present.ts';
import { peopleAuthority } from '../testing/sample-authority.ts';

const KEY = 'agent:main:telegram:group:-100:topic:7';
const TOPIC: ChatAddress = {
  channel: 'telegram',
  accountId: 'work',
  chat: { kind: 'group', id: '-100' },
  threadId: '7',
};
const CONFIG = {
  gateway: { auth: { token: 'very-secret-token' } },
  messages: { responsePrefix: 'a', queue: { mode: 'collect' } },
  tools: { deny: ['x'] },
};
const OWNER = peopleAuthority({ home: { sessionKey: KEY, address: TOPIC }, rights: ['configure'] });
interface Given {
  readonly config?: object | undefined;
  readonly rights?: readonly Right[];
  readonly over?: Partial<Turn>;
  readonly text?: string;
}

async function harness({ config = CONFIG, rights = ['configure'], over = {}, text }: Given = {}) {
  const dir = await tempDir('tool-gateway');
  const file = join(dir.path, 'clawdbot.json');
  if (text !== '') await writeFile(file, text ?? JSON.stringify(config, null, 2));
  const store = await createConfigStore<Config>({
    schema: configSchema,
    rules: settingRules,
    env: readEnv({ HOME: dir.path, CLAWDBOT_STATE_DIR: dir.path }),
    log: silentLog,
  });
  const restarts: RestartRequest[] = [];
  const turn = {
    id: 't',
    origin: 'message',
    text: '',
    images: [],
    options: {},
    authority: peopleAuthority({
      home: { sessionKey: KEY, address: TOPIC },
      rights,
      hands: over.trigger || over.system ? ['somebody'] : [],
    }),
    route: { agentId: 'main', sessionKey: KEY, matchedBy: 'default', replyTo: { ...TOPIC, via: 'expires' } },
    ...over,
  } as unknown as Turn;
  const tool = createToolGateway({
    turn,
    config: store,
    needsRestart: restartRules([]),
    now: () => 1000,
    canonicalKey: (raw) => canonicalSessionKey(raw),
    requestRestart(request) {
      restarts.push(request);
      return present({ scheduledAt: 1000 + (request.delayMs ?? 2000), joined: restarts.length > 1 ? true : undefined });
    },
  });
  return {
    tool,
    store,
    file,
    restarts,
    hash: () => store.snapshot().hash,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

const raw = (value: object): string => JSON.stringify(value);

describe('restart', () => {
  it('(T178) goes back to the chat and thread of the turn, by the way that is still open then', async () => {
    await using s = await harness();
    assert.deepEqual(
      await s.tool['gateway.restart']({ delayMs: 500, reason: 'new plugin', note: 'go on with step 3' }),
      {
        ok: true,
        pid: process.pid,
        signal: 'SIGUSR1',
        mode: 'emit',
        reason: 'new plugin',
        delayMs: 500,
        scheduledAt: 1500,
      },
    );
    assert.deepEqual(s.restarts, [
      {
        reason: 'new plugin',
        kind: 'restart',
        note: '⚙️ The gateway is back. go on with step 3',
        delayMs: 500,
        sessionKey: KEY,
        replyTo: TOPIC,
        authority: OWNER,
      },
    ]);
  });

  it('(T178) default delay 2000; (T183) says that it joined another', async () => {
    await using s = await harness();
    assert.deepEqual(
      [((await s.tool['gateway.restart']({})) as any).delayMs, ((await s.tool['gateway.restart']({})) as any).joined],
      [2000, true],
    );
  });

  const CASES: readonly (readonly [what: string, restart: boolean | undefined, given: Given, allowed: boolean])[] = [
    ['the owner, nothing said', undefined, {}, true],
    ['the owner, turned off', false, {}, false],
    ['the owner, turned on', true, {}, true],
    ['others, nothing said', undefined, { rights: ['approve'] }, false],
    ['others, turned on', true, { rights: [] }, true],
    ['others, turned off', false, { rights: [] }, false],
    [
      'nobody',
      undefined,
      { over: { authority: nobodysAuthority({ agentId: 'main', sessionKey: KEY, address: TOPIC }) } },
      false,
    ],
  ];
  for (const [what, restart, given, allowed] of CASES)
    it(`(T178) by ${what}: ${allowed ? 'allowed' : 'refused'}`, async () => {
      await using s = await harness({ config: restart === undefined ? {} : { commands: { restart } }, ...given });
      if (allowed) await s.tool['gateway.restart']({});
      else await assert.rejects(s.tool['gateway.restart']({}), { code: 'denied', message: /commands\.restart/ });
      assert.equal(s.restarts.length, allowed ? 1 : 0);
    });

  const TRIGGERS: readonly Partial<Turn>[] = [
    ...(
      [
        { origin: 'cron', jobId: 'j', slotMs: 1, attempt: 1, delivers: 'auto' },
        { origin: 'heartbeat', reason: 'interval' },
        { origin: 'session', exchangeId: 'x', step: 'ask' },
        { origin: 'webhook', hook: 'h' },
        { origin: 'restart' },
      ] satisfies Trigger[]
    ).map((trigger) => ({ origin: trigger.origin, trigger })),
    { system: true },
  ];
  for (const over of TRIGGERS)
    it(
      `is not for turns nobody wrote: ${over.origin ?? 'system'}, whatever rights they carry and whatever is ` +
        'turned on',
      async () => {
        await using s = await harness({ config: { commands: { restart: true } }, over });
        for (const method of ['gateway.restart', 'config.get', 'config.patch', 'config.apply'] as const)
          await assert.rejects(s.tool[method]({ raw: '{}', baseHash: s.hash() }), { code: 'denied' }, method);
        assert.deepEqual(s.restarts, []);
        await s.tool['config.schema']({});
      },
    );

  it('tells another conversation of the same agent by its agent, and none of another', async () => {
    await using s = await harness();
    await s.tool['gateway.restart']({ sessionKey: 'agent:main:work', note: 'x' });
    assert.deepEqual([s.restarts[0]!.sessionKey, s.restarts[0]!.replyTo], ['agent:main:work', undefined]);
    for (const sessionKey of ['agent:other:main', 'agent:../x:main'])
      await assert.rejects(s.tool['gateway.restart']({ sessionKey }), { code: 'denied' });
    assert.equal(s.restarts.length, 1);
  });

  it('refuses parameters it does not know', async () => {
    await using s = await harness();
    for (const params of [
      { delayMs: -1 },
      { delayMs: 'x' },
      { reason: 'x'.repeat(201) },
      { fresh: true },
      7,
      { kind: 'update' },
    ])
      await assert.rejects(s.tool['gateway.restart'](params), { code: 'invalid' }, JSON.stringify(params));
  });
});

describe('the configuration', () => {
  it('is shown without its secrets, to the owner alone', async () => {
    await using s = await harness();
    const shown = (await s.tool['config.get']({})) as any;
    assert.equal(JSON.stringify(shown).includes('very-secret-token'), false);
    assert.deepEqual(
      [shown.parsed.gateway.auth.token, shown.hash, shown.valid, shown.exists],
      [REDACTED, s.hash(), true, true],
    );
    await using other = await harness({ rights: ['approve', 'elevate'] });
    for (const method of ['config.get', 'config.patch', 'config.apply'] as const)
      await assert.rejects(
        other.tool[method]({ raw: '{}', baseHash: 'x' }),
        { code: 'denied', message: /owner/ },
        method,
      );
    assert.equal(typeof ((await other.tool['config.schema']({})) as any).schema, 'object');
  });

  it('(T180) patch: siblings stay, null deletes, and the reload rules decide whether it restarts', async () => {
    await using s = await harness();
    const done = (await s.tool['config.patch']({
      raw: `{ messages: { responsePrefix: null, queue: { cap: 5 } } }`,
      baseHash: s.hash(),
    })) as any;
    assert.deepEqual(JSON.parse(await readFile(s.file, 'utf8')), {
      ...CONFIG,
      messages: { queue: { mode: 'collect', cap: 5 } },
    });
    assert.deepEqual(
      [done.ok, done.hash, done.changed, done.restart],
      [
        true,
        s.hash(),
        ['messages.queue.cap', 'messages.responsePrefix'].sort(
          (a, b) => done.changed.indexOf(a) - done.changed.indexOf(b),
        ),
        undefined,
      ],
    );
    await s.tool['config.patch']({ raw: `{ logging: { level: 'debug' } }`, baseHash: s.hash(), note: 'n' });
    await s.tool['config.patch']({
      raw: `{ messages: { queue: { cap: 6 } } }`,
      baseHash: s.hash(),
      restartDelayMs: 90_000,
    });
    assert.deepEqual(
      s.restarts.map(({ reason, kind, delayMs, note, replyTo }) => [reason, kind, delayMs, note, replyTo]),
      [
        ['config.patch', 'config-apply', undefined, '⚙️ The gateway is back with the changed configuration. n', TOPIC],
        ['config.patch', 'config-apply', 60_000, '⚙️ The gateway is back with the changed configuration.', TOPIC],
      ],
    );
  });

  it('(T180) without a hash, or with an old one: refused with what to do', async () => {
    await using s = await harness();
    for (const method of ['config.patch', 'config.apply'] as const) {
      for (const baseHash of [undefined, ''])
        await assert.rejects(s.tool[method](present({ raw: raw(CONFIG), baseHash })), {
          code: 'invalid',
          message: /run config\.get/,
        });
      await assert.rejects(s.tool[method]({ raw: raw(CONFIG), baseHash: 'stale' }), {
        code: 'conflict',
        message: /Run config\.get again/,
      });
    }
    assert.equal(s.restarts.length, 0);
    const before = s.hash();
    await writeFile(s.file, `${raw(CONFIG)}\n`); // somebody else, a moment ago
    await assert.rejects(s.tool['config.patch']({ raw: '{}', baseHash: before }), { code: 'conflict' });
  });

  it('(T180) that is no object, no JSON5 or no configuration is refused, and the file stays', async () => {
    await using s = await harness();
    const before = await readFile(s.file, 'utf8');
    for (const text of [
      '[]',
      '7',
      'null',
      '"x"',
      '{',
      '',
      '{ messages: { queue: { cap: "many" } } }',
      '{ "__proto__": { "tools": {} } }',
      '{ messages: { "__proto__": 1 } }',
      '{ messages: { $include: "./x" } }',
      '{ messages: { "constructor": {} } }',
      `{ messages: { responsePrefix: "${REDACTED}" } }`,
    ])
      for (const method of ['config.patch', 'config.apply'] as const)
        await assert.rejects(
          s.tool[method]({ raw: text, baseHash: s.hash() }),
          (error: any) => ['invalid', 'denied'].includes(error.code),
          `${method} ${text}`,
        );
    assert.equal(await readFile(s.file, 'utf8'), before);
    assert.deepEqual(s.restarts, []);
  });

  it('(T179) apply replaces the file as it was given, comments and all, and restarts', async () => {
    await using s = await harness();
    const document = `// by the agent\n${raw({ ...CONFIG, messages: { responsePrefix: 'b' } })}`;
    const done = (await s.tool['config.apply']({ raw: document, baseHash: s.hash() })) as any;
    assert.equal(await readFile(s.file, 'utf8'), document);
    assert.deepEqual([done.hash, done.restart.delayMs, s.restarts[0]!.kind], [s.hash(), 2000, 'config-apply']);
  });

  it('may be written where there is none yet, without a hash; guards hold there too', async () => {
    await using s = await harness({ text: '' });
    await assert.rejects(s.tool['config.patch']({ raw: '{ tools: { exec: { security: "full" } } }' }), {
      code: 'denied',
    });
    await s.tool['config.patch']({ raw: '{ messages: { responsePrefix: "x" } }' });
    assert.equal(s.store.current().messages.responsePrefix, 'x');
  });

  it('keeps its guards, and says which and whose they are; a second reading of the same words changes nothing', async () => {
    await using s = await harness();
    await assert.rejects(
      s.tool['config.patch']({ raw: '{ messages: { responsePrefix: "y" }, tools: { deny: [] } }', baseHash: s.hash() }),
      {
        code: 'denied',
        message:
          'tools.deny[0] decides which tools there are. A turn may not change its own limits, whoever asks; ' +
          'nothing was changed. The owner changes it with `clawdbot config set <path> <value>` or in the ' +
          'Control UI.',
      },
    );
    await assert.rejects(s.tool['config.apply']({ raw: '{}', baseHash: s.hash() }), {
      code: 'denied',
      message: /and \d+ more such settings/,
    });
    assert.deepEqual(JSON.parse(await readFile(s.file, 'utf8')), CONFIG);
  });

  it('tells nobody of another agent', async () => {
    await using s = await harness();
    await assert.rejects(
      s.tool['config.patch']({
        raw: '{ messages: { responsePrefix: "y" } }',
        baseHash: s.hash(),
        sessionKey: 'agent:other:main',
      }),
      { code: 'denied' },
    );
    assert.deepEqual(JSON.parse(await readFile(s.file, 'utf8')), CONFIG);
  });
});

it('is a closed list', async () => {
  await using s = await harness();
  assert.deepEqual(Object.keys(s.tool satisfies ToolGateway).sort(), [
    'config.apply',
    'config.get',
    'config.patch',
    'config.schema',
    'gateway.restart',
  ]);
});
