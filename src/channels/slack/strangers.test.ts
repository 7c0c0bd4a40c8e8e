// People who wrote to the bot for the first time while nothing could come in, and Slack gave up on delivering it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testAccount } from '../../testing/channel-account.ts';
import { until } from '../../testing/until.ts';
import { startFakeSlack } from './fake.ts';
import slack from './index.ts';

const direct = (id: string) => ({ kind: 'direct', id }) as const;
const [ANN, BOB, EVE] = ['U0ANN00001', 'U0BOB00001', 'U0EVE00001'] as const;

async function outage(forbidden?: string) {
  const platform = await startFakeSlack();
  const fixture = await testAccount(slack, { config: platform.config, credentials: platform.credentials });
  const texts = () => fixture.received.map(({ text }) => text);
  await platform.write({ chat: direct(EVE), by: EVE, text: 'before the bot was there' });
  const first = await fixture.connect();
  await platform.write({ chat: direct(ANN), by: ANN, text: 'hello' });
  await until(() => texts().includes('hello'));
  if (forbidden !== undefined) platform.forbidden.set(forbidden, 'im:read');
  await first[Symbol.asyncDispose]();
  await platform.write({ chat: direct(BOB), by: BOB, text: 'is anybody there?' });
  await platform.write({ chat: direct(ANN), by: ANN, text: 'hello again' });
  await fixture.connect();
  await until(() => texts().includes('hello again'));
  return {
    platform,
    fixture,
    texts,
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await platform[Symbol.asyncDispose]();
    },
  };
}

describe('the first message of a stranger', () => {
  it('in an outage is read afterwards, once, and nothing older', async () => {
    await using on = await outage();
    await until(() => on.texts().includes('is anybody there?'));
    const [found] = on.fixture.received.filter(({ text }) => text === 'is anybody there?');
    assert.deepEqual([found!.sender.id, found!.address.chat], [BOB, direct(BOB)]);
    on.platform.cut();
    await on.platform.write({ chat: direct(BOB), by: BOB, text: 'still there?' });
    await until(() => on.texts().includes('still there?'));
    assert.deepEqual(on.texts().toSorted(), ['hello', 'hello again', 'is anybody there?', 'still there?']);
  });

  it('cannot be read by an app without im:read, which holds up nobody else', async () => {
    await using on = await outage('users.conversations');
    assert.deepEqual(on.texts(), ['hello', 'hello again']);
  });
});
