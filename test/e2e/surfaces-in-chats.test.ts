/** Surfaces in chats: buttons and menus whose press reaches the session that offered them, once, as nobody's words. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANN as DISCORD_ANN } from '../../src/channels/discord/fake-discord.ts';
import { startFakeDiscord } from '../../src/channels/discord/fake.ts';
import { startFakeIrc } from '../../src/channels/irc/fake.ts';
import { startFakeSlack } from '../../src/channels/slack/fake.ts';
import { startFakeTelegram } from '../../src/channels/telegram/fake.ts';
import { begin, components, data, jsonl } from '../../src/features/a2ui/harness.ts';
import type { Chat } from '../../src/testing/channel-platform.ts';
import { until } from '../../src/testing/until.ts';
import { openHarness, requested } from './channel-harness.ts';

const label = (value: string) => ({ Text: { text: { literalString: value } } });
const options = ['small', 'large'].map((value) => ({ label: { literalString: value }, value }));
const order = (key: string, path: string) => ({ name: 'order', context: [{ key, value: { path } }] });
/** A menu, a button, and a field that needs the page. */
const SURFACE = jsonl(
  components({
    root: { Column: { children: { explicitList: ['title', 'size', 'go', 'stop'] } } },
    title: label('Which size?'),
    size: { MultipleChoice: { selections: { path: '/size' }, options, maxAllowedSelections: 1 } },
    go: { Button: { child: 'go-text', action: order('size', '/size') } },
    'go-text': label('Order'),
    stop: { Button: { child: 'stop-text', action: order('why', '/why') } },
    'stop-text': label('Stop'),
  }),
  data([{ key: 'why', valueString: '/elevated full' }]),
  begin(),
);
const push = { calls: [{ id: 'c', name: 'canvas', args: { action: 'a2ui_push', node: 'gateway', jsonl: SURFACE } }] };
const telegram = async () => {
  const platform = await startFakeTelegram();
  const own = { allowFrom: ['tg:501'], groupAllowFrom: ['501', '666'], streaming: 'off', groups: { '*': {} } };
  const settings = { ...platform.config, ...platform.credentials, ...own };
  return openHarness({ channel: 'telegram', platform, ann: '501', connected: false, settings });
};

describe('a surface in a chat', () => {
  it('has buttons on Telegram; a press is one message to its session, by whoever pressed, also after a restart', async () => {
    await using harness = await telegram();
    const GROUP: Chat = { kind: 'group', id: '-1001' };
    const { gateway, platform } = harness;
    gateway.models.reply(push, { text: ['Choose.'] });
    await harness.say(GROUP, { text: 'order', mention: true });
    await harness.said(GROUP, 2);
    const asked = platform.seen(GROUP).find(({ text }) => text.startsWith('Which size?'))!;
    assert.match(asked.text, /Choose: Order: small · Order: large · Stop/);
    await gateway.restart();
    gateway.models.reply({ text: ['Large it is.'] });
    const calls = gateway.models.requests.length;
    await platform.press!(GROUP, asked.id, 'Order: large', '666');
    await harness.said(GROUP, 3);
    assert.match(
      requested(gateway),
      /666[\s\S]*CANVAS_A2UI action=order session=agent:main:telegram:group:-1001 surface=main component=go host=telegram instance=chat ctx=\{[^}]*large[^}]*\} default=update_canvas/,
    );
    await platform.press!(GROUP, asked.id, 'Order: large', '666');
    gateway.models.reply({ text: ['Stopped.'] });
    await platform.press!(GROUP, asked.id, 'Stop', '501');
    await harness.said(GROUP, 4);
    assert.equal(gateway.models.requests.length, calls + 2, 'the same press of the same person counts once');
    await using chat = await gateway.connect();
    const { sessions } = await chat.call('sessions.list', {});
    assert.doesNotMatch(JSON.stringify(sessions), /"elevatedLevel":"full"/, 'values of a surface are nobody’s words');
  });

  it('has a menu on Discord and on Slack', async () => {
    const [discord, slack] = await Promise.all([startFakeDiscord(), startFakeSlack()]);
    const { userToken: _, ...credentials } = slack.credentials;
    const harnesses = [
      {
        channel: 'discord',
        platform: discord,
        ann: DISCORD_ANN,
        settings: { ...discord.config, ...discord.credentials, allowFrom: [DISCORD_ANN] },
      },
      {
        channel: 'slack',
        platform: slack,
        ann: 'U0ANN00001',
        settings: { ...slack.config, ...credentials, allowFrom: ['U0ANN00001'] },
      },
    ];
    for (const given of harnesses) {
      await using harness = await openHarness(given as Parameters<typeof openHarness>[0]);
      const DIRECT: Chat = { kind: 'direct', id: given.ann };
      const { gateway, platform } = harness;
      gateway.models.reply(push, { text: ['Choose.'] }, { text: ['Small it is.'] });
      await harness.say(DIRECT, { text: 'order' });
      await harness.said(DIRECT, 2);
      const asked = platform.seen(DIRECT).find(({ text }) => text.startsWith('Which size?'))!;
      await platform.press!(DIRECT, asked.id, 'small', given.ann);
      await until(() => platform.seen(DIRECT).some(({ text }) => text === 'Small it is.'), given.channel);
      assert.match(requested(gateway), new RegExp(`component=go host=${given.channel} instance=chat ctx=[^ ]*small`));
    }
  });

  it('is words and a link to its page where there are no buttons (IRC)', async () => {
    const platform = await startFakeIrc();
    const ann = 'Ann';
    const settings = { ...platform.config, ...platform.credentials, dmPolicy: 'open', allowFrom: ['*'] };
    const config = { canvasHost: { publicUrl: 'https://claw.example.net/' } };
    await using harness = await openHarness({ channel: 'irc', platform, ann, settings, config });
    const DIRECT: Chat = { kind: 'direct', id: ann };
    const { gateway } = harness;
    gateway.models.reply(push, { text: ['Choose.'] }, { text: ['Large it is.'] });
    await harness.say(DIRECT, { text: 'order' });
    await until(async () => (await harness.said(DIRECT, 1)).includes('Choose.'));
    const said = (await harness.said(DIRECT, 1)).join('\n');
    assert.match(said, /Which size\?[\s\S]*Choose: Order: small · Order: large · Stop/);
    const path = /As a page: https:\/\/claw\.example\.net(\/__clawdbot__\/a2ui\/[0-9a-f]+\/)/.exec(said)?.[1];
    assert.ok(path, said);
    const page = await fetch(`http://127.0.0.1:${gateway.instance.port}${path}`);
    assert.equal(page.status, 200, JSON.stringify(said));
    await harness.say(DIRECT, { text: 'Order: large' });
    await until(async () => (await harness.said(DIRECT, 1)).includes('Large it is.'));
    assert.doesNotMatch(requested(gateway), /CANVAS_A2UI/, 'words are words of the person, and no press');
  });

  it('is gone with its session, page and links too; a reset keeps it', async () => {
    await using harness = await telegram();
    await using chat = await harness.gateway.connect();
    const sessionKey = 'agent:main:side';
    await chat.say('hello', { session: sessionKey });
    await chat.call('a2ui.push', { sessionKey, jsonl: SURFACE });
    const { path } = await chat.call('a2ui.link', { sessionKey });
    const count = async () => (await chat.call('a2ui.list', {})).canvases.length;
    await chat.call('sessions.reset', { key: sessionKey });
    assert.deepEqual([await count(), (await harness.gateway.fetch(path)).status], [1, 200]);
    const { canvas } = await chat.call('status', {});
    assert.equal(canvas.summary, '1 surface in 1 session, 0 viewers');
    await chat.call('sessions.delete', { key: sessionKey });
    assert.deepEqual([await count(), (await harness.gateway.fetch(path)).status], [0, 404]);
    assert.equal((await chat.call('status', {})).canvas, undefined);
  });
});
