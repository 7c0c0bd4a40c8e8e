/**
 * Configuration in a running gateway: an invalid file does not stop it, changes apply by themselves, edits keep the
 * rest of the file.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';

describe('a configuration file', () => {
  it('of another release of the family drives this gateway too', async () => {
    await using gateway = await startGateway();
    await gateway.restart({
      while: () =>
        gateway.writeConfig(`{
      // written for the newest release
      meta: { lastTouchedVersion: '2026.9.6' },
      models: { providers: { mock: { baseUrl: '${gateway.models.url}/v1', apiKey: 'k', api: 'openai-completions', models: [{ id: 'm', name: 'M', reasoning: false, input: ['text'], cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }, contextWindow: 100000, maxTokens: 8000 }] } } },
      agents: { defaults: { model: { primary: 'mock/m' }, heartbeat: { every: '0m' } }, entries: { main: { default: true }, helper: { name: 'Helper' } } },
      gateway: { mode: 'local', bind: 'loopback', auth: { mode: 'token', token: 'x' }, http: { endpoints: { chatCompletions: { enabled: true } } } },
      plugins: { entries: { telegram: { enabled: false } } }, skills: { install: { nodeManager: 'npm' } },
    }`),
    });
    await using chat = await gateway.connect();
    assert.equal(await chat.say('hi'), 'ok');
    assert.deepEqual(
      (await chat.call('agents.list', {})).agents.map((agent: any) => agent.id),
      ['main', 'helper'],
    );
    assert.equal(gateway.instance.config.snapshot().valid, true);
    const response = await gateway.fetch('/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify({ model: 'clawdbot', messages: [{ role: 'user', content: 'hi' }] }),
    });
    assert.equal(response.status, 200);
    assert.equal(((await response.json()) as any).choices[0].message.content, 'ok');
  });

  it('that is invalid at the first start means safe mode, told everywhere, and is applied once repaired', async () => {
    await using gateway = await startGateway({
      config: '{ agents: { defaults: { model: 7 } }, gatewy: {} }',
      offline: true,
    });
    await using chat = await gateway.connect();
    assert.match(await chat.say('hi'), /concierge/);
    const snapshot = gateway.instance.config.snapshot();
    assert.deepEqual([snapshot.valid, snapshot.safeMode], [false, true]);
    assert.ok(
      snapshot.issues.some(({ path }) => path === 'agents.defaults.model'),
      JSON.stringify(snapshot.issues),
    );
    const health = await chat.call('health', {});
    assert.match(JSON.stringify(health), /agents\.defaults\.model/);
    assert.match(JSON.stringify(await (await gateway.fetch('/readyz')).json()), /"safeMode":true/);
    await gateway.writeConfig('{ agents: { defaults: { model: "offline/concierge" } } }');
    await until(() => gateway.instance.config.snapshot().valid, 'the repaired file');
  });

  it('that breaks while the gateway runs changes nothing; after a restart the last good one holds', async () => {
    await using gateway = await startGateway();
    await gateway.writeConfig('{ broken');
    await until(() => !gateway.instance.config.snapshot().valid, 'the broken file to be noticed');
    {
      await using chat = await gateway.connect();
      assert.equal(await chat.say('hi'), 'ok');
    }
    await gateway.restart();
    assert.equal(gateway.instance.config.snapshot().source, 'last-good');
    await using chat = await gateway.connect();
    assert.equal(await chat.say('still'), 'ok');
  });

  it('changes live; a turn keeps the configuration it began with', async () => {
    await using gateway = await startGateway({ config: { messages: { queue: { mode: 'followup' } } } });
    await using chat = await gateway.connect();
    gateway.models.reply(
      { calls: [{ id: 'a', name: 'write', args: { path: 'x', content: 'y' } }] },
      { text: ['old model to the end'] },
      { text: ['new model'] },
    );
    const first = await chat.send('one');
    await until(() => gateway.models.requests.length >= 1, 'the first request');
    const { hash } = await chat.call('config.get', {});
    await chat.call('config.patch', {
      raw: JSON.stringify({ agents: { defaults: { model: 'fake/other' } } }),
      baseHash: hash,
    });
    await first.ended;
    assert.equal(await chat.say('two'), 'new model');
    const names = gateway.models.requests.map(({ body }) => body.model);
    assert.deepEqual([names.at(0), names.at(-1)], ['model', 'other']);
    assert.equal(new Set(names.slice(0, -1)).size, 1, 'the first turn kept its model');
  });

  it('restarts the gateway only for what needs it, and only in a mode that may', async () => {
    const config = (mode: string, basePath: string, name: string): object => ({
      gateway: { reload: { mode, debounceMs: 0 }, controlUi: { basePath } },
      agents: { list: [{ id: 'main', name }] },
    });
    await using gateway = await startGateway({ config: config('hybrid', '/', 'Ada') });
    const nameNow = (): string | undefined => gateway.instance.config.current().agents.list[0]?.name;
    const requests: string[] = [];
    const watch = (): void => void gateway.instance.stopRequest.then(({ reason }) => requests.push(reason));
    watch();

    await gateway.writeConfig({ ...config('hybrid', '/', 'Berta'), meta: { lastTouchedAt: 'now' } });
    await until(() => nameNow() === 'Berta', 'the new name');
    await gateway.writeConfig(config('hot', '/', 'Berta'));
    await until(() => gateway.instance.config.current().gateway.reload.mode === 'hot', 'the mode');
    await gateway.writeConfig(config('hot', '/chat', 'Carla'));
    await until(() => nameNow() === 'Carla', 'what can change at once');
    await using chat = await gateway.connect();
    const warned = async (): Promise<boolean> =>
      (await chat.call('logs.tail', {})).lines.some(
        (line: string) => line.includes('config.restart-needed') && line.includes('gateway.controlUi.basePath'),
      );
    await until(warned, 'the advice to restart');
    assert.deepEqual(requests, []);

    await gateway.restart({ while: () => gateway.writeConfig(config('hybrid', '/chat', 'Carla')) });
    watch();
    await gateway.writeConfig(config('hybrid', '/other', 'Carla'));
    await until(() => requests.length > 0, 'the wish to restart');
    assert.deepEqual(requests, ['configuration: gateway.controlUi.basePath']);
  });

  it('keeps comments and ${ENV} text through edits, and never shows or accepts a hidden secret', async () => {
    await using gateway = await startGateway({
      config:
        '{\n  // my notes\n  gateway: { auth: { token: "very-secret-token-0123" } },\n  session: { dmScope: "main" }, // how DMs are told apart\n}\n',
      offline: true,
    });
    await using chat = await gateway.connect();
    const shown = await chat.call('config.get', {});
    assert.ok(!JSON.stringify(shown).includes('very-secret-token'));
    await chat.call('config.patch', { raw: '{ session: { dmScope: "per-peer" } }', baseHash: shown.hash });
    const text = readFileSync(join(gateway.stateDir, 'clawdbot.json'), 'utf8');
    assert.match(text, /\/\/ my notes/);
    assert.match(text, /dmScope: "per-peer" *}, \/\/ how DMs/);
    assert.match(text, /very-secret-token-0123/);
    await assert.rejects(chat.call('config.patch', { raw: '{}', baseHash: shown.hash }), /changed since/);
    const now = await chat.call('config.get', {});
    await chat.call('config.set', { raw: now.raw, baseHash: now.hash });
    assert.equal(
      readFileSync(join(gateway.stateDir, 'clawdbot.json'), 'utf8'),
      text,
      'what was shown may be saved: what was hidden stands where it stood',
    );
  });
});
