/** The channels page in a real Chromium: status, approvals, recent messages, and setup. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { join } from 'node:path';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { loginOf, sampleChannels } from '../../ui/dev/fake-channels.ts';
import { until } from '../../src/testing/until.ts';
import { createFixture } from '../crash/fixture.ts';
import { becomes, harnessOfCases, REAL_TOKEN, skipWithoutChromium, TOKEN } from './ui-harness.ts';
import { sharedPage } from './ui-shared-page.ts';

const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

describe('channels page', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();
  const shared = sharedPage(harness);

  const page = (fill: typeof sampleChannels = sampleChannels) =>
    shared.at('/channels', 'claw-channels .column.channels', ({ state }) => fill(state.channels));

  test('a card per account says how it stands and what to do', async () => {
    const { page: here } = await page();
    assert.deepEqual(await here.locator('.channel-state').allTextContents(), [
      'connected',
      'connected',
      'not connected, 4 attempts',
    ]);
    await here.waitForSelector('.channel:has-text("Telegram") >> text=token in the environment');
    assert.equal(
      await here.locator('.channel.bad .channel-problems li').count(),
      1,
      'the last error is not said twice',
    );
    await here.waitForSelector('.channel.bad :text("Make a new one in the developer portal")');
  });

  test('probe tells what it found; reconnect is asked for this account', async () => {
    const { page: here, gateway } = await page();
    await here.click('.channel:has-text("Telegram") button:text("Test connection")');
    await here.waitForSelector('.channel:has-text("Telegram") .channel-probe.good:has-text("Working (84 ms)")');
    await here.click('.channel.bad button:text("Reconnect")');
    await here.waitForSelector('.channel:has-text("work") .channel-state:text-is("connected")');
    assert.deepEqual(
      gateway.requests.filter(({ method }) => method === 'channels.restart').map(({ params }) => params),
      [{ channel: 'discord', accountId: 'work' }],
    );
  });

  test('an account that a phone confirms logs in by a picture, or by a code', async () => {
    const { page: here, gateway } = await page((channels) => {
      sampleChannels(channels);
      channels.accounts = {
        ...channels.accounts,
        whatsapp: [
          { accountId: 'default', enabled: true, configured: true, running: true, connected: false, problems: [] },
        ],
      };
    });
    const card = '.channel:has-text("WhatsApp")';
    await here.click(`${card} button:text("Log in")`);
    await here.waitForSelector('dialog.login img.login-qr[src^="data:image/png"]');
    await here.waitForSelector('dialog.login li:has-text("Linked devices")');
    await here.click('dialog.login button:text("Phone number")');
    await here.fill('dialog.login input[name="phone"]', '+491511234567');
    await here.click('dialog.login button:text("Get a code")');
    await here.waitForSelector('dialog.login .login-code:text-is("ABCD-1234")');
    const { channels } = gateway.state;
    channels.loginEnds!.resolve({
      ...loginOf({ channel: 'whatsapp', accountId: 'default' }),
      state: 'failed',
      message: 'Nobody typed it.',
    });
    await here.waitForSelector('dialog.login [role="alert"]:has-text("Nobody typed it.")');
    await here.click('dialog.login button:text("QR code")');
    await here.waitForSelector('dialog.login img.login-qr');
    channels.loginEnds!.resolve({ ...loginOf({ channel: 'whatsapp', accountId: 'default' }), state: 'linked' });
    await here.waitForSelector('.toast:has-text("WhatsApp is logged in")');
    await becomes(here, `document.querySelector('dialog.login') === null`);
    assert.deepEqual(
      gateway.requests.filter(({ method }) => method === 'web.login.start').map(({ params }) => (params as any).method),
      ['qr', 'code', 'qr'],
    );
  });

  test('who asks to be let in shows at once, and is approved or rejected', async () => {
    const { page: here, gateway } = await page();
    const { channels } = gateway.state;
    channels.ask({ ...channels.pending[0]!, id: '5', code: 'BBBBBBBB', name: 'Bruno' });
    await here.waitForSelector('.pairing .row:has-text("Bruno")');
    await here.click('.pairing .row:has-text("Ana Alves") button:text("Approve")');
    await here.waitForSelector('.toast:has-text("Ana Alves can now send messages")');
    await here.click('.pairing .row:has-text("Bruno") button:text("Reject")');
    await until(() => channels.pending.length === 0, 'both decided');
    await becomes(here, `document.querySelector('.pairing') === null`);
    assert.deepEqual(
      gateway.requests
        .filter(({ method }) => /pairing\.(approve|reject)/.test(method))
        .map(({ method, params }) => [method, params]),
      [
        ['channel.pairing.approve', { channel: 'telegram', code: 'K7QX2MPA' }],
        ['channel.pairing.reject', { channel: 'telegram', code: 'BBBBBBBB' }],
      ],
    );
  });

  test('messages of all channels, the ignored ones alone with the reason, and the timeline of one', async () => {
    const { page: here, gateway } = await page();
    gateway.state.timelines.set('seen-3', [{ stage: 'accepted', at: Date.now(), ms: 1, detail: 'discord', ok: true }]);
    assert.equal(await here.locator('.recent-row').count(), 5);
    await here.click('.recent .check');
    await becomes(here, `document.querySelectorAll('.recent-row').length === 2`);
    await here.waitForSelector(
      '.recent-why:text("The bot was not mentioned (channels.discord.guilds.*.requireMention)")',
    );
    await here.click('.recent-row:has-text("bruno")');
    await here.waitForSelector('dialog.timeline .timeline-row');
  });

  test('without a channel it offers to set one up, in its place', async () => {
    const { page: here } = await page(() => undefined);
    await here.waitForSelector('.channels-empty :text("No channels configured")');
    assert.deepEqual(await here.locator('.other-channel b').allTextContents(), [
      'Telegram',
      'Discord',
      'Slack',
      'WhatsApp',
    ]);
    await here.click('.other-channel:has-text("Slack") button:has-text("Set up")');
    await here.waitForSelector('claw-channel-setup [name="secret:appToken"][required]');
    await here.waitForSelector('.more-settings [name="secret:signingSecret"]:not([required])', { state: 'attached' });
    await here.click('claw-channel-setup .choice:has-text("Only these people")');
    await here.waitForSelector('claw-channel-setup [name=allowFrom]');
    await here.waitForSelector('.other-channel code:text-is("clawdbot channels add --channel slack")');
    await here.click('.other-channel:has-text("Slack") button:has-text("Cancel")');
    await becomes(here, "!document.querySelector('claw-channel-setup')");
  });

  test('an owner is made after a question that says what an owner may', async () => {
    const { page: here, gateway } = await page();
    await here.click('.pairing .row:has-text("Ana Alves") button:text("Make owner")');
    await here.waitForSelector('dialog:has-text("change settings and prompt files")');
    await here.click('dialog button:text("Cancel")');
    await here.click('.pairing .row:has-text("Ana Alves") button:text("Make owner")');
    await here.click('dialog button:text("Make owner")');
    await here.waitForSelector('.toast:has-text("Ana Alves is now an owner")');
    assert.deepEqual(
      gateway.requests.filter(({ method }) => method.startsWith('channel.pairing.approve')).map(({ params }) => params),
      [{ channel: 'telegram', code: 'K7QX2MPA', owner: true }],
    );
  });

  test('who may not make owners is offered none', async () => {
    const gateway = await harness.gateway();
    gateway.state.scopes = ['operator.read', 'operator.write', 'operator.pairing'];
    sampleChannels(gateway.state.channels);
    const here = await harness.open(`${gateway.url}/channels#token=${TOKEN}`);
    await here.waitForSelector('.pairing .row');
    assert.equal(await here.locator('button:text("Make owner")').count(), 0);
  });

  test('who may what: thing by thing, and why, by keyboard too', async () => {
    const { page: here } = await page();
    await here.fill('claw-sender-rights [name=sender]', '4711');
    await here.press('claw-sender-rights [name=sender]', 'Enter');
    await here.waitForSelector('.who-asks:has-text("4711"):has-text("member")');
    assert.deepEqual(
      await here.locator('.who-table > div', { hasText: 'configuration' }).locator('button').allTextContents(),
      ['read: never', 'change: never'],
    );
    await here.locator('.who-table button', { hasText: 'read: of their own conversation' }).first().focus();
    await here.keyboard.press('Enter');
    await here.waitForSelector('.who-why article.bad :text("Only within their own conversation.")');
    await here.waitForSelector('.who-why :text("To change this:")');
  });

  test('fits a phone', async () => {
    const gateway = await harness.gateway();
    sampleChannels(gateway.state.channels);
    const here = await harness.open(`${gateway.url}/channels#token=${TOKEN}`, PHONE);
    await here.waitForSelector('claw-channels .channel.bad');
    assert.equal(
      await here.evaluate<boolean>(
        'document.scrollingElement.scrollWidth <= innerWidth && document.querySelector("main").scrollWidth <= innerWidth',
      ),
      true,
    );
  });

  test('on the real gateway: a stranger is let in, and the messages say so', {
    skip: skipWithoutChromium,
  }, async () => {
    const fixture = await createFixture();
    try {
      await using gateway = await startGateway({
        config: {
          plugins: { load: { paths: [join(import.meta.dirname, '../crash/plugin')] } },
          channels: { pipe: { url: fixture.url } },
        },
      });
      const here = await harness.open(`http://127.0.0.1:${gateway.instance.port}/channels#token=${REAL_TOKEN}`);
      await here.waitForSelector('.channel:has-text("Pipe") .channel-state:text-is("connected")');
      fixture.unacknowledged.set('m1', { id: 'm1', chat: 'ann', text: 'Hello, it is me' });
      await here.click('.pairing .row:has-text("ann") button:text("Approve")');
      await here.waitForSelector('.toast:has-text("can now send messages")');
      await here.waitForSelector('.recent-row:has-text("Hello, it is me") .recent-state:text-is("ignored")');
      fixture.unacknowledged.set('m2', { id: 'm2', chat: 'ann', text: 'And now?' });
      await here.waitForSelector('.recent-row:has-text("And now?") .recent-state:text-is("answered")');
      await here.fill('claw-sender-rights [name=sender]', 'ann');
      await here.press('claw-sender-rights [name=sender]', 'Enter');
      await here.waitForSelector('.who-asks:has-text("ann"):has-text("member")');
      await here.locator('.who-table > div', { hasText: 'received file' }).locator('button').first().click();
      await here.waitForSelector('.who-why article.bad :text("only within their own conversation")');
      await here.waitForSelector('.who-why :text(\'Add "received-files" to access.open\')');
      await here.click('.channel:has-text("Pipe") button:text("Test connection")');
      await here.waitForSelector('.channel-probe.good');
      await here.waitForSelector('.other-channel:has-text("Telegram") button:has-text("Set up")');
    } finally {
      await fixture.close();
    }
  });
});
