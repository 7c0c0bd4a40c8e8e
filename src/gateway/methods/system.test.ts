// Methods about the gateway: configuration, health, logs, presence, channels, wakes.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { writeFileAtomic } from '../../platform/files.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { startTestGateway } from '../../testing/ws-gateway.ts';

const account = { accountId: 'default', enabled: true, configured: true, running: true, problems: [] };

describe('config', () => {
  it('is changed only by who has read the newest', async () => {
    await using gateway = await startTestGateway({ services: { gateway: { port: 1, bind: 'lan' } } });
    const client = await gateway.client();
    const before = await client.call('config.get');
    assert.equal(before.valid, true);
    assert.match((await client.request('config.set', { raw: '{}' })).error.message, /baseHash is required/);
    assert.match(
      (await client.request('config.patch', { raw: '{}', baseHash: 'old' })).error.message,
      /changed since last load/,
    );
    assert.match(
      (await client.request('config.patch', { raw: '{', baseHash: before.hash })).error.message,
      /not JSON5/,
    );
    assert.match(
      (await client.request('config.patch', { raw: '[]', baseHash: before.hash })).error.message,
      /must be an object/,
    );
    const patched = await client.call('config.patch', {
      raw: "{ gateway: { port: null, mode: 'local' } } // json5",
      baseHash: before.hash,
    });
    assert.deepEqual(patched.config, { gateway: { bind: 'lan', mode: 'local' } });
    assert.deepEqual(gateway.services.restarts, [], 'the reload rules decide');
    const set = await client.call('config.set', { raw: '{"gateway":{}}', baseHash: patched.hash });
    assert.deepEqual((await client.call('config.get')).parsed, { gateway: {} });
    assert.equal((await client.request('config.set', { raw: '{', baseHash: set.hash })).error.code, 'INVALID_REQUEST');
  });

  it('config.apply restarts and remembers whom to tell', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    const { hash } = await client.call('config.get');
    const { restart } = await client.call('config.apply', {
      raw: '{}',
      baseHash: hash,
      sessionKey: 'agent:main:main',
      note: 'new port',
      restartDelayMs: 99_000_000,
    });
    assert.equal(restart.delayMs, 60_000);
    assert.deepEqual(gateway.services.restarts, [
      {
        reason: 'config.apply',
        kind: 'config-apply',
        delayMs: 60_000,
        sessionKey: 'agent:main:main',
        note: 'new port',
      },
    ]);
  });

  it('describes itself', async () => {
    await using gateway = await startTestGateway();
    const schema = await (await gateway.client()).call('config.schema');
    assert.equal(schema.uiHints['gateway.auth.token'].sensitive, true);
  });
});

describe('health and status', () => {
  it('carry what features add to them', async () => {
    const parts = { health: () => ({ heartbeatSeconds: 7 }), status: () => ({ moon: { phase: 'full' } }) };
    await using gateway = await startTestGateway({
      services: { features: [{ feature: { id: 'moon', summary: 'The moon.' }, parts }] },
    });
    const client = await gateway.client();
    assert.equal((await client.call('health')).heartbeatSeconds, 7);
    assert.deepEqual((await client.call('status')).moon, { phase: 'full' });
  });

  it('a failing probe costs its own line only', async () => {
    await using gateway = await startTestGateway();
    gateway.services.setChannels([
      {
        id: 'telegram',
        label: 'Telegram',
        accounts: [{ ...account, probe: { ok: false, detail: '401 Unauthorized' } }],
      },
      { id: 'discord', label: 'Discord', accounts: [{ ...account, probe: { ok: true } }] },
      { id: 'slack', label: 'Slack', accounts: [{ ...account, configured: false, running: false }] },
    ]);
    const client = await gateway.client();
    const health = await client.call('health', { probe: true });
    assert.equal(health.ok, true);
    assert.deepEqual(
      Object.values(health.channels).map((channel: any) => channel.summary),
      ['Telegram: failed (default) - 401 Unauthorized', 'Discord: running', 'Slack: not configured'],
    );
    const event = await client.event('health', ({ channels }) => channels.telegram !== undefined);
    assert.ok(event.stateVersion.health > 0);
    assert.deepEqual((await client.call('status')).channelSummary.length, 3);
  });

  it('tells what holds now, not what held when it was last collected', async () => {
    const clock = createFakeClock();
    await using gateway = await startTestGateway({ clock });
    const client = await gateway.client();
    await client.call('health');
    gateway.services.setChannels([{ id: 'telegram', label: 'Telegram', accounts: [account] }]);
    await clock.advance(1000);
    assert.equal((await client.call('health')).channels.telegram.summary, 'Telegram: running');
  });

  it('survives a channel service that throws, and shows a broken config', async () => {
    await using gateway = await startTestGateway();
    gateway.services.channels.status = () => Promise.reject(new Error('boom'));
    gateway.services.setStatus({
      config: {
        valid: false,
        source: 'defaults',
        safeMode: true,
        issues: [{ path: 'gateway.port', problem: 'must be a number', fix: 'write 18789' }],
      },
    });
    const health = await (await gateway.client()).call('health', { probe: true });
    assert.deepEqual([health.ok, health.config.safeMode, health.config.issues[0].path], [true, true, 'gateway.port']);
  });
});

describe('channels', () => {
  it('are shown as maps, and in the oldest words too', async () => {
    await using gateway = await startTestGateway();
    gateway.services.setChannels([
      {
        id: 'telegram',
        label: 'Telegram',
        accounts: [
          { ...account, configured: false, problems: [] },
          { ...account, accountId: 'work' },
        ],
      },
    ]);
    const client = await gateway.client();
    const status = await client.call('channels.status');
    assert.deepEqual(
      [status.channelOrder, status.channelLabels, status.channelDefaultAccountId],
      [['telegram'], { telegram: 'Telegram' }, { telegram: 'work' }],
    );
    const old = await client.call('providers.status', { probe: false });
    assert.deepEqual(Object.keys(old).sort(), [
      'providerAccounts',
      'providerDefaultAccountId',
      'providerLabels',
      'providerOrder',
      'providers',
      'ts',
    ]);
    assert.deepEqual((await client.call('channels.status', { channel: 'discord' })).channelOrder, []);
  });
});

describe('logs.tail', () => {
  it('follows whole lines, falls back to the newest file, and starts over after a rotation', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    assert.deepEqual((await client.call('logs.tail')).lines, [], 'no file yet');
    await writeFileAtomic(join(gateway.stateDir, 'logs', 'clawdbot-2026-01-14.log'), 'yesterday\n');
    assert.deepEqual((await client.call('logs.tail')).lines, ['yesterday']);
    const file = gateway.services.logFile.path();
    await writeFileAtomic(file, 'one\ntwö\nhalf');
    const first = await client.call('logs.tail');
    assert.deepEqual([first.file, first.lines, first.truncated, first.reset], [file, ['one', 'twö'], false, false]);
    await writeFileAtomic(file, 'one\ntwö\nhalf a line\n');
    const next = await client.call('logs.tail', { cursor: first.cursor });
    assert.deepEqual(next.lines, ['half a line']);
    assert.deepEqual((await client.call('logs.tail', { cursor: next.cursor })).lines, []);
    await writeFileAtomic(file, 'new\n');
    const reset = await client.call('logs.tail', { cursor: next.cursor });
    assert.deepEqual([reset.lines, reset.reset], [['new'], true]);
  });

  it('shows no secret, even from a log that was kept with them', async () => {
    await using gateway = await startTestGateway();
    await writeFileAtomic(
      gateway.services.logFile.path(),
      '{"event":"x","authorization":"Bearer abcdefghijklmnopqrstuvwxyz","apiKey":"sk-0123456789abcdefghij"}\n',
    );
    const { lines } = await (await gateway.client({ scopes: ['operator.read'] })).call('logs.tail');
    assert.doesNotMatch(lines[0], /klmnopq|456789abc/);
  });

  it('says when lines were left out', async () => {
    await using gateway = await startTestGateway();
    await writeFileAtomic(
      gateway.services.logFile.path(),
      Array.from({ length: 100 }, (_, i) => `line ${i}\n`).join(''),
    );
    const client = await gateway.client();
    const few = await client.call('logs.tail', { limit: 2 });
    assert.deepEqual([few.lines, few.truncated], [['line 98', 'line 99'], true]);
    const short = await client.call('logs.tail', { maxBytes: 20 });
    assert.deepEqual([short.lines, short.truncated], [['line 98', 'line 99'], true]);
  });
});

describe('presence and nudges', () => {
  it('shows who is around, but no command line, and who left', async () => {
    await using gateway = await startTestGateway();
    const watcher = await gateway.client({
      client: { id: 'gateway-client', version: '1', platform: 'linux', mode: 'backend', instanceId: 'watcher' },
    });
    const cli = await gateway.client({
      client: { id: 'cli', version: '1', platform: 'linux', mode: 'cli', instanceId: 'shell' },
    });
    const guest = await gateway.client({
      client: { id: 'test', version: '1', platform: 'linux', mode: 'test', instanceId: 'guest' },
    });
    const list = await watcher.call('system-presence');
    assert.deepEqual(
      list.map((entry: any) => entry.instanceId ?? entry.mode),
      ['gateway', 'watcher', 'guest'],
    );
    guest.socket.close();
    const event = await watcher.frame(
      (frame) =>
        frame.event === 'presence' &&
        frame.payload.presence.some((entry: any) => entry.instanceId === 'guest' && entry.reason === 'disconnect'),
    );
    assert.ok(event.seq > 0 && event.stateVersion.presence > 0);
    cli.socket.close();
  });

  it('system-event updates presence and wakes; a beacon without news does not', async () => {
    await using gateway = await startTestGateway();
    const client = await gateway.client();
    const beacon = { text: 'Node: desk', instanceId: 'desk', host: 'desk.local', lastInputSeconds: 3.4 };
    await client.call('system-event', beacon);
    await client.call('system-event', beacon);
    await client.call('system-event', { text: 'the door bell rang', wake: true });
    assert.deepEqual(
      gateway.services.wakes.map(({ text, mode }) => [text, mode]),
      [
        ['Node: desk', 'next-heartbeat'],
        ['the door bell rang', 'now'],
      ],
    );
    assert.equal(
      (await client.call('system-presence')).find((entry: any) => entry.instanceId === 'desk').lastInputSeconds,
      3,
    );
    await client.call('wake', { mode: 'now', text: 'up', extra: 'fact' });
    assert.equal(gateway.services.wakes.length, 3);
    for (const text of ['', ' \n']) assert.deepEqual(await client.call('wake', { mode: 'now', text }), { ok: false });
    assert.equal(gateway.services.wakes.length, 3, 'nothing to say wakes nobody');
    assert.equal((await client.request('wake', { mode: 'later', text: 'up' })).error.code, 'INVALID_REQUEST');
  });

  it('restarts on request', async () => {
    await using gateway = await startTestGateway();
    const answer = await (await gateway.client()).call('gateway.restart.request', { reason: 'update', delayMs: 10 });
    assert.equal(answer.ok, true);
    assert.deepEqual(gateway.services.restarts, [{ reason: 'update', delayMs: 10 }]);
  });
});
