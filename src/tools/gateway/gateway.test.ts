// The gateway tool: what it asks the gateway for, what it refuses before asking, and what it tells the model.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { neutralSchema } from '../../agent/schema/schema-for.ts';
import { jsonSchema } from '../../config/schema-hints.ts';
import { AppError } from '../../core/errors.ts';
import type { GatewayAt, ToolResult } from '../../core/tool.ts';
import { textOf } from '../../core/transcript.ts';
import { present } from '../../sdk/index.ts';
import { configSchema } from '../../testing/whole-schema.ts';
import { runTool, toolContext, toolContract } from '../../testing/tool-contract.ts';
import { bounded, keysOf, MAX, schemaPart, valueAt, type Schema } from './config-part.ts';
import gateway from './index.ts';

const SCHEMA = jsonSchema(configSchema) as Schema;
const SNAPSHOT = {
  path: '/state/clawdbot.json',
  exists: true,
  hash: 'h1',
  valid: true,
  issues: [],
  warnings: [],
  raw: '{ messages: {} }',
  parsed: { messages: {} },
  config: { messages: { queue: { mode: 'collect' } }, 'a.b': { c: [1] } },
};

interface Asked {
  readonly method: string;
  readonly params: any;
  readonly at: GatewayAt | undefined;
}

function harness(answers: Readonly<Record<string, unknown>> = {}) {
  const asked: Asked[] = [];
  const reported: string[] = [];
  const rpc = async (method: string, params: unknown, at?: GatewayAt): Promise<unknown> => {
    asked.push({ method, params, at });
    if (method in answers) return answers[method];
    if (method === 'config.get') return SNAPSHOT;
    if (method === 'config.schema') return { schema: SCHEMA };
    if ((params as { baseHash?: string }).baseHash === 'old')
      throw new AppError('conflict', 'The configuration changed since it was read. Run config.get again.');
    return { ok: true };
  };
  const run = (input: object): Promise<ToolResult> =>
    runTool(gateway, input, toolContext('/w', { rpc, progress: (text) => void reported.push(text) }));
  return { asked, reported: reported, rpc, run };
}

toolContract({
  tool: gateway,
  good: { action: 'config.get' },
  bad: [
    { input: {}, says: /action/ },
    { input: { action: 'stop' }, says: /action/ },
    { input: { action: 'restart', delayMs: 'soon' }, says: /delayMs/ },
  ],
  failing: [
    { input: { action: 'config.patch' }, says: /needs raw/ },
    { input: { action: 'config.apply', raw: ' ' }, says: /needs raw/ },
    { input: { action: 'config.patch', raw: '{}', baseHash: 'old' }, says: /Run config\.get again/ },
    { input: { action: 'config.schema', path: 'no.such' }, says: /Unknown setting no\.such/ },
  ],
  rpc: harness().rpc,
});

describe('restart', () => {
  for (const [given, sent] of [
    [undefined, undefined],
    [-5, 0],
    [1e9, 60_000],
    [1500.9, 1500],
    ['250', 250],
  ] as const)
    test(`(T182) delayMs ${given} is asked for as ${sent}`, async () => {
      const s = harness();
      await s.run(present({ action: 'restart', delayMs: given }));
      assert.deepEqual(
        s.asked.map(({ method, params }) => [method, params]),
        [['gateway.restart', sent === undefined ? {} : { delayMs: sent }]],
      );
    });

  test('(T178) carries reason, note and conversation; blank ones count as absent, a long reason is cut', async () => {
    const s = harness({ 'gateway.restart': { ok: true, pid: 7, signal: 'SIGUSR1' } });
    const result = await s.run({
      action: 'restart',
      reason: 'x'.repeat(300),
      note: ' continue with 3 ',
      sessionKey: 'agent:main:work',
    });
    await s.run({ action: 'restart', reason: ' ', note: '', sessionKey: ' ' });
    assert.deepEqual(
      s.asked.map(({ params }) => params),
      [{ reason: 'x'.repeat(200), note: 'continue with 3', sessionKey: 'agent:main:work' }, {}],
    );
    assert.deepEqual(JSON.parse(textOf(result.content)), { ok: true, pid: 7, signal: 'SIGUSR1' });
    assert.deepEqual(result.details, { ok: true, pid: 7, signal: 'SIGUSR1' });
  });

  test('a refusal is an error result', async () => {
    const result = await runTool(
      gateway,
      { action: 'restart' },
      toolContext('/w', { rpc: () => Promise.reject(new AppError('denied', 'Restarts are turned off.')) }),
    );
    assert.equal(result.isError, true);
    assert.match(textOf(result.content), /turned off/);
  });
});

describe('the configuration', () => {
  test('is shown as written, with its hash; a part of it as in force too', async () => {
    const s = harness();
    assert.deepEqual((await s.run({ action: 'config.get' })).details, {
      ok: true,
      result: { path: '/state/clawdbot.json', exists: true, hash: 'h1', valid: true, raw: '{ messages: {} }' },
    });
    const of = async (path: string) =>
      ((await s.run({ action: 'config.get', path })).details as { result: { inForce: unknown; written: unknown } })
        .result;
    assert.deepEqual(
      [(await of('messages.queue')).inForce, (await of('messages.queue')).written],
      [{ mode: 'collect' }, null],
    );
    assert.equal((await of('["a.b"].c[0]')).inForce, 1);
    assert.equal((await of('constructor')).inForce, null);
  });

  test('that is too long is named by its parts', async () => {
    const long = { agents: { list: Array.from({ length: 4000 }, (_, id) => ({ id: `agent-${id}` })) } };
    const s = harness({ 'config.get': { ...SNAPSHOT, raw: JSON.stringify(long), parsed: long, config: long } });
    for (const path of [undefined, 'agents'])
      assert.ok(
        textOf((await s.run(present({ action: 'config.get', path: path || undefined }))).content).length < 2 * MAX,
      );
  });

  test(
    '(T179) apply passes document, hash and what comes afterwards on; (T180) patch does, and never looks the ' +
      'hash up',
    async () => {
      const s = harness();
      await s.run({ action: 'config.apply', raw: '{ messages: {} }', baseHash: 'h1', note: 'n', restartDelayMs: -1 });
      await s.run({ action: 'config.patch', raw: '{ messages: null }', hash: 'h1' });
      await s.run({ action: 'config.patch', raw: '{}', baseHash: ' ' });
      assert.deepEqual(
        s.asked.map(({ method, params }) => [method, params]),
        [
          ['config.apply', { raw: '{ messages: {} }', baseHash: 'h1', restartDelayMs: 0, note: 'n' }],
          ['config.patch', { raw: '{ messages: null }', baseHash: 'h1' }],
          ['config.patch', { raw: '{}' }],
        ],
      );
    },
  );

  test('its schema comes in parts that fit', async () => {
    const s = harness();
    const whole = (await s.run({ action: 'config.schema' })).details as {
      result: { schema: { settings: Record<string, string> } };
    };
    assert.ok(
      ['agents', 'channels', 'gateway', 'messages', 'tools'].every((name) => name in whole.result.schema.settings),
    );
    assert.ok(Object.values(whole.result.schema.settings).every((line) => line.length <= 160 && !line.includes('\n')));
    const names = (node: Schema, path: string, depth: number): string[] =>
      depth === 0
        ? []
        : Object.entries(node.properties ?? {}).flatMap(([key, child]) => [
            `${path}${key}`,
            ...names(child, `${path}${key}.`, depth - 1),
          ]);
    for (const path of names(SCHEMA, '', 3)) {
      const result = await s.run({ action: 'config.schema', path });
      assert.notEqual(result.isError, true, path);
      assert.ok(textOf(result.content).length <= 3 * MAX, `${path}: ${textOf(result.content).length}`);
    }
    assert.match(
      textOf((await s.run({ action: 'config.schema', path: 'messages.queue.cap' })).content),
      /Maximum number of queued messages/,
    );
    assert.match(
      textOf((await s.run({ action: 'config.schema', path: 'channels.telegram.groups.-100.requireMention' })).content),
      /addressed/,
    );
  });
});

describe('update.run', () => {
  test('shows progress, takes at least a second, and an error is one', async () => {
    const s = harness({ 'update.run': { ok: false, result: { status: 'error', reason: 'build-failed' } } });
    const result = await s.run({ action: 'update.run', timeoutMs: 5, restartDelayMs: 100 });
    const { progress, ...params } = s.asked[0]!.params;
    assert.deepEqual(params, { timeoutMs: 1000, restartDelayMs: 100 });
    progress('Updating: build');
    assert.deepEqual(s.reported, ['Looking for newer code', 'Updating: build']);
    assert.equal(result.isError, true);
    assert.match(textOf(result.content), /build-failed/);
  });

  test('elsewhere is given twenty minutes, and no function', async () => {
    const s = harness();
    await s.run({ action: 'update.run', gatewayUrl: 'ws://127.0.0.1:5', gatewayToken: 't' });
    assert.deepEqual(s.asked, [
      { method: 'update.run', params: {}, at: { url: 'ws://127.0.0.1:5', token: 't', timeoutMs: 1_200_000 } },
    ]);
  });
});

test('every action names its gateway; blank means this one', async () => {
  const s = harness();
  for (const action of ['restart', 'config.get', 'config.schema']) {
    await s.run({ action, gatewayUrl: 'ws://127.0.0.1:5', gatewayToken: 't', timeoutMs: 7 });
    await s.run({ action, gatewayUrl: ' ', gatewayToken: '' });
  }
  assert.deepEqual(
    s.asked.map(({ at }) => at),
    Array.from({ length: 3 }, () => [{ url: 'ws://127.0.0.1:5', token: 't', timeoutMs: 7 }, {}]).flat(),
  );
});

test('its parameters are those of the documentation', () => {
  assert.deepEqual(Object.keys((neutralSchema(gateway) as { properties: object }).properties).sort(), [
    'action',
    'baseHash',
    'delayMs',
    'gatewayToken',
    'gatewayUrl',
    'note',
    'path',
    'raw',
    'reason',
    'restartDelayMs',
    'sessionKey',
    'timeoutMs',
  ]);
});

test('a turn that was stopped asks for nothing', async () => {
  const s = harness();
  const result = await runTool(
    gateway,
    { action: 'restart' },
    toolContext('/w', { rpc: s.rpc, signal: AbortSignal.abort() }),
  );
  assert.equal(result.isError, true);
  assert.deepEqual(s.asked, []);
});

test('paths are read as the configuration writes them', () => {
  assert.deepEqual(keysOf('agents.list[0].models["openai/gpt-4.1"].alias'), [
    'agents',
    'list',
    '0',
    'models',
    'openai/gpt-4.1',
    'alias',
  ]);
  assert.deepEqual(keysOf(''), []);
  assert.equal(valueAt({ a: null }, 'a.b'), undefined);
  assert.equal(bounded('x'.repeat(MAX + 5)), `${'x'.repeat(MAX)}… (7 more characters)`);
  assert.equal(schemaPart(SCHEMA, 'gateway.nope'), undefined);
});
