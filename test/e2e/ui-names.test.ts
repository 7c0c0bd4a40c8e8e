/** Names in the web chat: agents, people on channels; and the size of a long answer on the wire. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startFakeTelegram } from '../../src/channels/telegram/fake.ts';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import { becomes, harnessOfCases, REAL_TOKEN, say, skipWithoutChromium } from './ui-harness.ts';
import { sharedGateway } from './ui-shared-page.ts';

const GROUP = { kind: 'group', id: '-1001' } as const;
const AGENTS = [
  { id: 'main', default: true, identity: { name: 'Clawd' } },
  { id: 'research', identity: { name: 'Minerva' } },
];

describe('names in the web chat', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();
  const shared = sharedGateway(harness, { config: { agents: { list: AGENTS } } });

  test('agents are named, their main conversations too; pages have labels, and the list is only beside the chat', async () => {
    const { page, gateway } = await shared.at('/?session=agent:research:main', '.top-title:text-is("Minerva")');
    await say(page, 'hello');
    await page.waitForSelector('.answer.done .writer:text-is("Minerva")');
    await using chat = await gateway.connect();
    await chat.say('hello');
    await page.waitForSelector(
      '.session:has(.session-title:text-is("Clawd")) .session-channel:text-is("Main conversation")',
    );
    await page.waitForSelector('.session.current .session-title:text-is("Minerva")');
    assert.deepEqual(
      await page.locator('.rail-item span').filter({ visible: true }).allTextContents(),
      await page.locator('.rail-item span').allTextContents(),
    );
    await page.click('[title="Logs"]');
    await becomes(page, "getComputedStyle(document.querySelector('.sessions')).display === 'none'");
  });

  test('an answer streams its new text alone', async () => {
    const { page, gateway } = await shared.conversation();
    const frames: string[] = [];
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    session.on('Network.webSocketFrameReceived', ({ response }) => void frames.push(response.payloadData));
    const rest = Promise.withResolvers<void>();
    gateway.models.reply({ text: ['Once upon ', 'a time'], pause: rest.promise });
    await say(page, 'a story');
    await page.waitForSelector('.answer.streaming :text("Once upon")');
    rest.resolve();
    await page.waitForSelector('.answer.done :text("Once upon a time")');
    assert.ok(frames.some((frame) => frame.includes('"event":"chat.delta"')));
    assert.deepEqual(
      frames.filter((frame) => frame.includes('"state":"delta"') || frame.includes('"stream":"assistant"')),
      [],
    );
  });

  test('in a group the people who write are named, and the conversation has the name of the group', async () => {
    await using platform = await startFakeTelegram();
    await using gateway = await startGateway({
      config: {
        channels: {
          telegram: {
            ...platform.config,
            ...platform.credentials,
            groups: { '*': { requireMention: false } },
            groupAllowFrom: ['501', '502'],
            streaming: 'off',
          },
        },
      },
    });
    await until(() => platform.acknowledged !== undefined);
    await platform.write({ chat: GROUP, by: '501', text: 'who brings the cake' });
    await until(() => platform.seen(GROUP).length === 1, 'the first answer');
    await platform.write({ chat: GROUP, by: '502', text: 'I do' });
    await until(() => platform.seen(GROUP).length === 2, 'the second answer');
    const page = await harness.open(`http://127.0.0.1:${gateway.instance.port}/#token=${REAL_TOKEN}`);
    await page.click('.session:has(.session-channel:text-is("Telegram")) .session-open');
    await page.waitForSelector('.person.other:has-text("I do") .writer');
    const [first, second] = await page.locator('.person.other .writer').allTextContents();
    assert.notEqual(first, second);
    const title = await page.locator('.top-title').textContent();
    assert.ok(!title!.includes('cake'), `the title is not the first message: ${title}`);
    await page.waitForSelector('.answer .writer');
  });
});
