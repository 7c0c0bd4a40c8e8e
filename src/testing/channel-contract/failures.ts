/** Contract of channels: failures between platform and gateway, and what they must not cause. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { AppError } from '../../core/errors.ts';
import type { ChannelContract } from './contract.ts';
import { until } from '../until.ts';
import { openHarness } from './harness.ts';

export function contractOfFailures(contract: ChannelContract): void {
  const { plugin, chats, people } = contract;
  const { capabilities } = plugin;

  it('acknowledges a message only once it is taken', async () => {
    const taken = Promise.withResolvers<void>();
    await using harness = await openHarness(contract, () => taken.promise);
    const id = await harness.platform.write({ chat: chats.direct, by: people.ann, text: 'wait for it' });
    await harness.platform.write({ chat: chats.group, by: people.bob, text: 'meanwhile' });
    assert.ok(!harness.platform.acknowledged.includes(id));
    taken.resolve();
    await harness.heard(({ text }) => text === 'wait for it');
    await until(() => harness.platform.acknowledged.includes(id), 'the acknowledgement');
  });

  it('offers a message again that could not be taken, before those behind it', async () => {
    const refusals = { left: 2 };
    await using harness = await openHarness(contract, async ({ text }) => {
      if (text === 'first' && refusals.left-- > 0) throw new AppError('unavailable', 'not now', { retryAfterMs: 5 });
    });
    for (const text of ['first', 'second']) await harness.platform.write({ chat: chats.direct, by: people.ann, text });
    await harness.heard(({ text }) => text === 'second');
    assert.deepEqual(
      harness.fixture.received.map(({ text }) => text),
      ['first', 'second'],
    );
  });

  it('gives a message up that can never be taken, and goes on with those behind it', async () => {
    const refusals = { count: 0 };
    await using harness = await openHarness(contract, async ({ text }) => {
      if (text !== 'poison') return;
      refusals.count += 1;
      throw new AppError('invalid', 'never', { retryAfterMs: 1 });
    });
    const id = await harness.platform.write({ chat: chats.direct, by: people.ann, text: 'poison' });
    await harness.platform.write({ chat: chats.direct, by: people.ann, text: 'behind it' });
    await harness.heard(({ text }) => text === 'behind it');
    await until(() => harness.platform.acknowledged.includes(id), 'the acknowledgement');
    assert.ok(refusals.count > 5, 'the account itself gives up at its fifth try, and decides');
  });

  it('keeps the order of a chat, and lets no chat wait for another', async () => {
    const slow = Promise.withResolvers<void>();
    await using harness = await openHarness(contract, ({ address }) =>
      address.chat.id === chats.direct.id ? slow.promise : Promise.resolve(),
    );
    for (const text of ['1', '2', '3']) await harness.platform.write({ chat: chats.direct, by: people.ann, text });
    await harness.platform.write({ chat: chats.group, by: people.bob, text: 'elsewhere' });
    await harness.heard(({ text }) => text === 'elsewhere');
    slow.resolve();
    await harness.heard(({ text }) => text === '3');
    assert.deepEqual(
      harness.fixture.received.map(({ text }) => text),
      ['elsewhere', '1', '2', '3'],
    );
  });

  it('passes a rate limit on with the time to wait, and shows nothing', async () => {
    await using harness = await openHarness(contract);
    harness.platform.failSends('rate-limit', 1);
    await assert.rejects(
      harness.say(chats.direct, { text: 'x' }),
      (error: AppError) => error.code === 'rate_limited' && (error.retryAfterMs ?? 0) > 0,
    );
    assert.deepEqual(harness.platform.seen(chats.direct), []);
    await harness.say(chats.direct, { text: 'now' });
    assert.equal(harness.platform.seen(chats.direct).length, 1);
  });

  it('tells a refusal for good from a fault that passes', async () => {
    await using harness = await openHarness(contract);
    harness.platform.failSends('refused', 1);
    await assert.rejects(
      harness.say(chats.direct, { text: 'x' }),
      (error: AppError) => !error.retryable && error.code !== 'internal',
    );
    harness.platform.failSends('server-error', 1);
    await assert.rejects(harness.say(chats.direct, { text: 'x' }), (error: AppError) => error.retryable);
    assert.deepEqual(harness.platform.seen(chats.direct), []);
  });

  it('does not repeat a send whose answer never came, and lets it be looked up where the platform can', async () => {
    await using harness = await openHarness(contract);
    const since = Date.now();
    const payload = { kind: 'final', text: 'once only' } as const;
    harness.platform.failSends('accepted-timeout', 1);
    await assert.rejects(
      harness.say(chats.direct, payload, 'tok-a'),
      (error: AppError) => error.code === 'timeout' || error.code === 'network',
    );
    assert.equal(harness.platform.seen(chats.direct).length, 1);
    if (capabilities.idempotentSend) await harness.say(chats.direct, payload, 'tok-a');
    if (harness.connection.readBack) {
      assert.deepEqual(
        await harness.connection.readBack(harness.address(chats.direct), 'tok-a', { payload, since }),
        harness.platform.seen(chats.direct).map(({ id }) => id),
      );
      assert.deepEqual(
        (await harness.connection.readBack(harness.address(chats.direct), 'tok-b', { payload, since })) ?? [],
        [],
      );
    }
    assert.equal(harness.platform.seen(chats.direct).length, 1);
  });

  it('keeps its word on sending the same token twice', {
    skip: !capabilities.idempotentSend && 'capabilities.idempotentSend is false: the outbox never repeats blindly',
  }, async () => {
    await using harness = await openHarness(contract);
    for (const _ of [1, 2]) await harness.say(chats.direct, { text: 'once' }, 'same');
    assert.equal(harness.platform.seen(chats.direct).length, 1);
  });
}
