/** Contract of channels: connecting, staying connected, disconnecting. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { asAppError, type AppError } from '../../core/errors.ts';
import { reachAccount, testAccount } from '../channel-account.ts';
import type { ChannelContract } from './contract.ts';
import { until } from '../until.ts';
import { openHarness } from './harness.ts';

export function contractOfConnections(contract: ChannelContract): void {
  const { plugin, start, chats, people } = contract;

  it('has a well-formed id and the methods its capabilities promise', async () => {
    assert.match(plugin.id, /^[a-z0-9][a-z0-9-]*$/);
    assert.ok(plugin.capabilities.maxTextLength > 0 && plugin.capabilities.chats.length > 0);
    await using harness = await openHarness(contract);
    const { connection } = harness;
    for (const able of ['edit', 'react', 'typing'] as const)
      assert.equal(typeof connection[able] === 'function', plugin.capabilities[able], able);
    assert.equal(typeof connection.remove === 'function', plugin.capabilities.remove ?? false, 'remove');
    assert.equal(typeof connection.poll === 'function', plugin.capabilities.polls !== undefined, 'poll');
    assert.equal(typeof connection.act === 'function', (plugin.actions ?? []).length > 0, 'act');
  });

  it('answers a probe, and says who it is', async () => {
    await using harness = await openHarness(contract);
    assert.equal((await harness.connection.probe(AbortSignal.timeout(60_000))).ok, true);
    assert.equal(harness.fixture.facts.self?.id, harness.platform.botId);
    await until(() => harness.fixture.facts.connected);
  });

  it('comes back after the network was cut, as one consumer, and misses nothing said meanwhile', async () => {
    await using harness = await openHarness(contract);
    await harness.platform.write({ chat: chats.direct, by: people.ann, text: 'before' });
    await harness.heard(({ text }) => text === 'before');
    harness.platform.cut();
    await harness.platform.write({ chat: chats.direct, by: people.ann, text: 'while it was gone' });
    await harness.heard(({ text }) => text === 'while it was gone');
    await harness.platform.write({ chat: chats.direct, by: people.ann, text: 'after' });
    await harness.heard(({ text }) => text === 'after');
    await until(() => harness.platform.consumers === 1);
  });

  it('refuses to start with a secret nobody knows, and says what to do', async () => {
    await using platform = await start();
    platform.revoke();
    await using fixture = await testAccount(plugin, { config: platform.config, credentials: platform.credentials });
    reachAccount(platform, fixture);
    await assert.rejects(fixture.connect(), (error: AppError) => {
      assert.equal(error.code, 'auth');
      for (const secret of Object.values(platform.credentials))
        assert.ok(!error.message.includes(secret), 'the error shows the secret');
      return error.message.length > 20;
    });
    assert.equal(platform.consumers, 0);
  });

  it('ends when its secret is revoked while it runs', async () => {
    await using harness = await openHarness(contract);
    harness.platform.revoke();
    harness.platform.cut();
    assert.ok(harness.connection.ended, 'a channel with secrets tells when it is over');
    await assert.rejects(harness.connection.ended, (error: AppError) => error.code === 'auth');
    await assert.rejects(harness.say(chats.direct, { text: 'x' }), (error: AppError) => error.code === 'auth');
  });

  it('can be stopped on its way', async () => {
    await using platform = await start();
    const fixture = await testAccount(plugin, { config: platform.config, credentials: platform.credentials });
    reachAccount(platform, fixture);
    const connecting = fixture.connect().then(
      (connection) => connection[Symbol.asyncDispose](),
      (error: unknown) => asAppError(error),
    );
    await fixture[Symbol.asyncDispose]();
    const refused = await connecting;
    if (refused)
      assert.ok(
        ['aborted', 'unavailable', 'network', 'timeout'].includes(refused.code),
        `${refused.code}: ${refused.message}`,
      );
    await until(() => platform.consumers === 0);
  });

  it('leaves nothing behind when it is closed', async () => {
    await using platform = await start();
    await using fixture = await testAccount(plugin, { config: platform.config, credentials: platform.credentials });
    reachAccount(platform, fixture);
    const connection = await fixture.connect();
    await until(() => platform.consumers === 1);
    await connection[Symbol.asyncDispose]();
    await until(() => platform.consumers === 0);
    await platform.write({ chat: chats.direct, by: people.ann, text: 'too late' });
    assert.deepEqual(
      fixture.received.map(({ text }) => text),
      [],
    );
  });
}
