/**
 * The page as an app: notifications with their buttons, the number on its icon, and whether it can be installed. With
 * the whole Chromium (`apt-get install chromium`) the browser's own notifications are used. The headless shell has
 * none: there the page records them, and the presses go to the service worker all the same.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';
import { becomes, openHarness, REAL_TOKEN, say, skipWithoutChromium, type Harness } from './ui-harness.ts';

const WHOLE = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path !== '' && existsSync(path),
);
const PUBLIC = join(import.meta.dirname, '..', '..', 'ui', 'public');

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly data: object;
  readonly actions: readonly { readonly action: string; readonly title: string }[];
}

/** What the headless shell lacks. */
const RECORDED = `if (Notification.permission === 'denied') {
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
  let shown = [];
  ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
    const one = { title, ...options, close: () => void (shown = shown.filter((other) => other !== one)) };
    shown = [...shown.filter(({ tag }) => tag !== one.tag), one];
  };
  ServiceWorkerRegistration.prototype.getNotifications = async ({ tag } = {}) =>
    shown.filter((one) => tag === undefined || one.tag === tag);
}`;
/** The number that stands on the icon, which no page can read back. */
const BADGE = `Object.defineProperty(navigator, 'setAppBadge', {
  configurable: true, value: async (count) => void (globalThis.badge = count),
})`;

const hide = (page: Page, hidden: boolean): Promise<unknown> =>
  page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} }),
    document.dispatchEvent(new Event('visibilitychange'))`);
const shown = (page: Page): Promise<readonly Shown[]> =>
  page.evaluate(`navigator.serviceWorker.ready.then((one) => one.getNotifications()).then((all) =>
    all.map(({ title, body, tag, data, actions }) => ({ title, body, tag, data, actions })))`);

/** As a press on a button of the notification, or on itself, reaches the worker. */
async function press(context: BrowserContext, { data }: Shown, action: string): Promise<void> {
  await context.serviceWorkers()[0]!.evaluate(`{
    const event = new Event('notificationclick');
    const notification = { data: ${JSON.stringify(data)}, close() {} };
    Object.assign(event, { notification, action: ${JSON.stringify(action)}, waitUntil: () => undefined });
    self.dispatchEvent(event);
  }`);
}

describe('the page as an app', { skip: skipWithoutChromium }, () => {
  let harness: Harness;
  let gateway: RunningGateway;
  let context: BrowserContext;
  let page: Page;
  before(async () => {
    harness = await openHarness();
    gateway = await startGateway({ offline: true });
    const url = `http://127.0.0.1:${gateway.instance.port}/#token=${REAL_TOKEN}`;
    const recorded = async (opened: Page): Promise<void> => {
      await opened.addInitScript(RECORDED);
      await opened.addInitScript(BADGE);
    };
    if (WHOLE === undefined)
      page = await harness.open(url, { kept: true, serviceWorkers: 'allow', permissions: ['notifications'] }, recorded);
    else {
      const profile = await tempDir('profile');
      const whole = await chromium.launchPersistentContext(profile.path, {
        executablePath: WHOLE,
        args: ['--headless=new', '--no-sandbox'],
        permissions: ['notifications'],
        reducedMotion: 'reduce',
      });
      harness.atTheEnd(async () => {
        await whole.close();
        await profile[Symbol.asyncDispose]();
      });
      page = await whole.newPage();
      await recorded(page);
      await page.goto(url);
    }
    context = page.context();
    await page.waitForSelector('.chat claw-composer textarea');
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.click('button:has-text("Alerts")');
    await page.click('label:has-text("with the text of answers") input');
    await page.keyboard.press('Escape');
  });
  after(async () => {
    await harness.close();
    await gateway[Symbol.asyncDispose]();
    assert.deepEqual(harness.errors, [], 'the page logged no errors');
  });
  const isNotRun = (name: string): boolean => !existsSync(join(gateway.stateDir, '..', 'clawd', name));
  const one = (ofTag: string): Promise<Shown> =>
    until(async () => (await shown(page)).find(({ tag }) => tag.startsWith(ofTag)), `a notification ${ofTag}`);

  test('an answer while nobody looks is a notification that opens its conversation, and goes once it is read', async () => {
    await using chat = await gateway.connect();
    await say(page, 'hello');
    await page.waitForSelector('.answer.done');
    assert.deepEqual(await shown(page), [], 'none while the page is looked at');
    await hide(page, true);
    await chat.say('hello again', { session: 'agent:main:elsewhere' });
    const { title, body, tag, actions, ...rest } = await one('chat:agent:main:elsewhere');
    assert.ok(title.length > 0 && body.length > 0);
    assert.deepEqual(
      actions.map(({ action }) => action),
      ['open'],
    );
    await press(context, { title, body, tag, actions, ...rest }, 'open');
    await becomes(page, `new URL(location.href).searchParams.get('session') === 'agent:main:elsewhere'`);
    // The address is ahead of what is drawn by a frame: what is written before that is a draft of the other one.
    await becomes(page, `document.querySelector('claw-composer').conversation === 'agent:main:elsewhere'`);
    await hide(page, false);
    await until(async () => (await shown(page)).length === 0, 'it to go');
  });

  test('a command is denied and allowed once by the buttons of its notification; the icon counts what waits', async () => {
    await becomes(page, 'globalThis.badge === 0');
    await hide(page, true);
    for (const [name, action, runs] of [
      ['denied-here', 'deny', false],
      ['allowed-here', 'allow-once', true],
    ] as const) {
      await say(page, `run touch ${name}`);
      await page.waitForSelector(`.person :text("run touch ${name}")`);
      const asked = await one('approval:');
      assert.equal(asked.body, `touch ${name}`);
      assert.deepEqual(
        asked.actions.map((button) => [button.action, button.title]),
        [
          ['allow-once', 'Allow once'],
          ['deny', 'Deny'],
        ],
      );
      await becomes(page, 'globalThis.badge >= 1');
      assert.ok(isNotRun(name), 'nothing runs before the answer');
      await press(context, asked, action);
      await page.waitForSelector(`claw-answer:last-child .answer.done .tool.${runs ? 'ok' : 'error'}`);
      assert.equal(isNotRun(name), !runs);
      await until(async () => !(await shown(page)).some(({ tag }) => tag.startsWith('approval:')), 'it to go');
    }
    await hide(page, false);
    await becomes(page, 'globalThis.badge === 0');
  });

  test('a command that is not whole in it can be reviewed and denied there, not allowed', async () => {
    await hide(page, true);
    await say(page, `run touch ${'x'.repeat(190)}`);
    const asked = await one('approval:');
    assert.deepEqual(
      asked.actions.map(({ action }) => action),
      ['review', 'deny'],
    );
    await press(context, asked, 'allow-always');
    await press(context, asked, 'deny');
    await page.waitForSelector('claw-answer:last-child .tool.error');
    await hide(page, false);
  });

  test('it has what browsers want of an app that is installed', async () => {
    const manifest = JSON.parse(await readFile(join(PUBLIC, 'manifest.webmanifest'), 'utf8'));
    assert.equal(manifest.display, 'standalone');
    for (const { src, sizes } of manifest.icons) {
      const response = await gateway.fetch(`/${src.replace('./', '')}`);
      assert.equal(response.status, 200, src);
      if (!src.endsWith('.png')) continue;
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src);
    }
    const devtools = await context.newCDPSession(page);
    const { errors } = await devtools.send('Page.getAppManifest');
    assert.deepEqual(errors, []);
    const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
    assert.deepEqual(
      installabilityErrors.map(({ errorId }) => errorId),
      [],
      WHOLE ?? 'headless shell',
    );
  });
});
