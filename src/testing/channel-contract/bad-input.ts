/** Contract of channels: what no platform should say, floods, and a service that is gone; nobody else is affected. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AppError } from '../../core/errors.ts';
import { reachAccount, testAccount } from '../channel-account.ts';
import { until } from '../until.ts';
import type { ChannelContract } from './contract.ts';
import { openHarness } from './harness.ts';

/** Less than platforms hand over at once: what waits behind such a part waits for it. */
const FLOOD = 90;
const CROWD = 1000;

export function contractOfBadInput(contract: ChannelContract): void {
  const { plugin, start, chats, people } = contract;

  it('takes nonsense of its platform for none, and hears what comes behind it', async () => {
    await using harness = await openHarness(contract);
    const say = (text: string) => harness.platform.write({ chat: chats.direct, by: people.ann, text });
    await say('before');
    await harness.heard(({ text }) => text === 'before');
    await harness.platform.babble();
    await say('behind it');
    await harness.heard(({ text }) => text === 'behind it');
    assert.deepEqual(
      harness.fixture.received.map(({ text }) => text),
      ['before', 'behind it'],
    );
    await until(() => harness.platform.consumers === 1, 'the connection');
    await harness.say(chats.direct, { text: 'still here' });
  });

  it('loses nothing of a flood, keeps its order, and lets nobody else wait, in another account neither', async () => {
    const flood = Promise.withResolvers<void>();
    await using harness = await openHarness(contract, ({ text }) =>
      text.startsWith('flood') ? flood.promise : Promise.resolve(),
    );
    const words = Array.from({ length: FLOOD }, (_, nth) => `flood ${nth}`);
    for (const text of words) await harness.platform.write({ chat: chats.group, by: people.bob, text });
    await harness.platform.write({ chat: chats.direct, by: people.ann, text: 'meanwhile' });
    await harness.heard(({ text }) => text === 'meanwhile');
    await using other = await openHarness(contract);
    await other.platform.write({ chat: chats.direct, by: people.ann, text: 'and here?' });
    await other.heard(({ text }) => text === 'and here?');
    await other.say(chats.direct, { text: 'yes' });
    assert.equal(harness.fixture.facts.connected, true, 'a flood is no fault of the account');
    assert.deepEqual(harness.fixture.facts.problems ?? [], []);
    flood.resolve();
    await harness.heard(({ text }) => text === words.at(-1));
    assert.deepEqual(
      harness.fixture.received.map(({ text }) => text),
      ['meanwhile', ...words],
    );
  });

  it('takes a group of a thousand for any other: in order, at once, and no other chat waits for it', {
    skip: contract.untold?.includes('members') && 'the platform tells nothing of who is in a chat, and is not asked',
  }, async () => {
    await using harness = await openHarness(contract);
    harness.platform.crowd!(chats.group, CROWD);
    const words = Array.from({ length: 30 }, (_, nth) => `one of many ${nth}`);
    for (const text of words) await harness.platform.write({ chat: chats.group, by: people.bob, text });
    await harness.platform.write({ chat: chats.direct, by: people.ann, text: 'elsewhere' });
    await harness.heard(({ text }) => text === 'elsewhere');
    await harness.heard(({ text }) => text === words.at(-1));
    const many = harness.fixture.received.filter(({ address }) => address.chat.id === chats.group.id);
    assert.deepEqual(
      many.map(({ text }) => text),
      words,
    );
    for (const { place } of many) assert.ok(place?.members === undefined || place.members === CROWD);
    await harness.say(chats.group, { text: 'still here' });
  });

  it('says what to do where its service is gone, shows no secret, and may be tried again', async () => {
    await using platform = await start();
    const { config, credentials } = platform;
    await (platform.leave?.() ?? platform[Symbol.asyncDispose]());
    await using fixture = await testAccount(plugin, { config, credentials });
    reachAccount(platform, fixture);
    await assert.rejects(fixture.connect(), (error: AppError) => {
      assert.ok(error.retryable, `${error.code}: ${error.message}`);
      assert.ok(error.message.length > 30, error.message);
      for (const secret of Object.values(platform.credentials)) assert.ok(!error.message.includes(secret));
      return true;
    });
  });

  it('leaves other accounts alone when one is refused', async () => {
    await using harness = await openHarness(contract);
    await using broken = await start();
    broken.revoke();
    await using fixture = await testAccount(plugin, {
      config: broken.config,
      credentials: broken.credentials,
      accountId: 'second',
    });
    reachAccount(broken, fixture);
    await assert.rejects(fixture.connect());
    await broken.babble();
    await harness.platform.write({ chat: chats.direct, by: people.ann, text: 'are you there?' });
    await harness.heard(({ text }) => text === 'are you there?');
    await harness.say(chats.direct, { text: 'yes' });
    assert.equal(harness.platform.seen(chats.direct).length, 1);
  });
}
