/** The page of web nodes in a real Chromium with fake devices, on a real gateway. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { AppError } from '../../src/core/errors.ts';
import { startGateway, type Chat, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import { becomes, openHarness, REAL_TOKEN, skipWithoutChromium, type Harness } from './ui-harness.ts';

const PHONE = {
  viewport: { width: 390, height: 780 },
  hasTouch: true,
  isMobile: true,
  serviceWorkers: 'allow',
} as const;
const FITS = 'document.scrollingElement.scrollWidth <= innerWidth';
const SHOTS = process.env['NODES_SHOTS'];

describe('a browser as a node', { skip: skipWithoutChromium }, () => {
  let harness: Harness;
  let gateway: RunningGateway;
  let chat: Chat;
  let origin: string;
  before(async () => {
    harness = await openHarness();
    gateway = await startGateway({ config: {}, token: REAL_TOKEN });
    chat = await gateway.connect();
    origin = `http://127.0.0.1:${gateway.instance.port}`;
    if (SHOTS) await mkdir(SHOTS, { recursive: true });
  });
  after(async () => {
    await harness.close();
    await chat[Symbol.asyncDispose]();
    await gateway[Symbol.asyncDispose]();
    assert.deepEqual(harness.errors, [], 'the page logged no errors');
  });

  const invite = async (): Promise<string> => (await chat.call('device.pair.invite')).secret;
  const nodeOf = async (page: Page): Promise<any> => {
    const code = await page.textContent('.card code >> nth=-1');
    return (await chat.call('node.list')).nodes.find(({ nodeId }: any) => nodeId.startsWith(code!));
  };
  const on = (page: Page, id: string): Promise<void> => page.click(`[aria-labelledby="of-${id}"]`);
  const isOn = (id: string): string =>
    `document.querySelector('[aria-labelledby="of-${id}"]').getAttribute('aria-checked') === 'true'`;
  const invoke = (nodeId: string, command: string, params: object = {}): Promise<any> =>
    chat
      .call('node.invoke', { nodeId, command, params, idempotencyKey: crypto.randomUUID() })
      .then(({ payload }: any) => payload);
  const refused = (nodeId: string, command: string, params?: object): Promise<string> =>
    invoke(nodeId, command, params).then(
      () => assert.fail(`${command} was carried out`),
      (error: AppError) => error.message,
    );

  /** Opened by its QR code, and approved. */
  async function connected(before?: (page: Page) => Promise<void>): Promise<{ page: Page; nodeId: string }> {
    const page = await harness.open(`${origin}/node/#${await invite()}`, PHONE, before);
    await page.waitForSelector('text=Waiting for approval');
    const { nodeId, requestId } = await nodeOf(page);
    await chat.call('node.pair.approve', { requestId });
    await becomes(page, "!document.body.textContent.includes('Waiting for approval')");
    return { page, nodeId };
  }

  test('comes in by its invitation, waits for approval, and may use nothing until its person says yes', async () => {
    const secret = await invite();
    const page = await harness.open(`${origin}/node/#${secret}`, PHONE);
    await page.waitForSelector('text=Waiting for approval');
    assert.equal(page.url(), `${origin}/node/`, 'the secret left the address');
    const before = await nodeOf(page);
    assert.equal(before.approvalState, 'pending-approval');
    assert.deepEqual(before.commands, []);
    assert.equal(before.platform, 'web');
    await chat.call('node.pair.approve', { requestId: before.requestId });
    await becomes(page, "!document.body.textContent.includes('Waiting for approval')");
    const approved = await nodeOf(page);
    assert.deepEqual(approved.commands, [], 'everything is off');
    assert.match(await refused(approved.nodeId, 'camera.snap'), /CAMERA_DISABLED/);
    assert.match(await refused(approved.nodeId, 'canvas.present', { url: 'https://a.b/' }), /CANVAS_DISABLED/);
    await on(page, 'camera');
    await until(async () => (await nodeOf(page)).commands.includes('camera.snap'));
    assert.equal((await nodeOf(page)).permissions.camera, true);
    const { devices } = await invoke(approved.nodeId, 'camera.list');
    assert.ok(devices.length > 0);
    const picture = await invoke(approved.nodeId, 'camera.snap', { maxWidth: 320 });
    assert.equal(picture.format, 'jpg');
    assert.equal(Buffer.from(picture.base64, 'base64').toString('hex', 0, 3), 'ffd8ff');
    assert.equal(picture.width, 320);
    // Nobody else gets in by the same address.
    const other = await harness.open(`${origin}/node/#${secret}`, PHONE);
    await other.waitForSelector('text=was used by another device');
    // The page comes back with its own token.
    await page.reload();
    await becomes(page, `document.querySelector('.state.connected') && ${isOn('camera')}`);
    await until(async () => (await nodeOf(page)).commands.includes('camera.snap'));
  });

  test('records clips, sound, its place and its screen, each with a yes of its own, and shows who asked', async () => {
    const { page, nodeId } = await connected();
    const context = page.context();
    await context.grantPermissions(['camera', 'microphone', 'geolocation', 'notifications'], { origin });
    await context.setGeolocation({ latitude: 52.52, longitude: 13.4, accuracy: 12 });
    for (const id of ['camera', 'location', 'notifications', 'screen']) {
      await on(page, id);
      await becomes(page, isOn(id));
    }
    await until(async () => (await nodeOf(page)).commands.includes('screen.record'));
    const clip = invoke(nodeId, 'camera.clip', { durationMs: 2000 });
    await page.waitForSelector('.in-use:has-text("Camera in use for operator")');
    await until(async () => (await nodeOf(page)).inUse[0]?.what === 'camera');
    if (SHOTS) await page.screenshot({ path: join(SHOTS, 'web-in-use.png') });
    const { format, base64, durationMs, hasAudio } = await clip;
    assert.ok(['mp4', 'webm'].includes(format));
    assert.ok(Buffer.from(base64, 'base64').length > 5000);
    assert.ok(durationMs >= 250 && durationMs <= 2000);
    assert.equal(hasAudio, false, 'the microphone is off, so the clip has no sound');
    await page.waitForSelector('.in-use', { state: 'detached' });
    assert.match(await refused(nodeId, 'microphone.clip'), /MIC_DISABLED/);
    await on(page, 'microphone');
    await until(async () => (await nodeOf(page)).commands.includes('microphone.clip'));
    assert.equal((await invoke(nodeId, 'camera.clip', { durationMs: 2000 })).hasAudio, true);
    assert.ok((await invoke(nodeId, 'microphone.clip', { durationMs: 2000 })).base64.length > 400);
    const place = await invoke(nodeId, 'location.get');
    assert.deepEqual([place.lat, place.lon, place.isPrecise, place.source], [52.52, 13.4, true, 'browser']);
    // The shell of Chromium shows no notifications: what it is asked to show is looked at.
    const shown = await page.evaluateHandle<unknown[]>(`(() => {
      const asked = [];
      ServiceWorkerRegistration.prototype.showNotification = async (title, { body }) => void asked.push([title, body]);
      return asked;
    })()`);
    assert.deepEqual(await invoke(nodeId, 'system.notify', { body: 'hello' }), { ok: true });
    assert.deepEqual(await shown.jsonValue(), [['Clawdbot', 'hello']]);
    const screen = await invoke(nodeId, 'screen.record', { durationMs: 2000 });
    assert.ok(Buffer.from(screen.base64, 'base64').length > 1000);
    assert.equal((await invoke(nodeId, 'screen.snapshot')).format, 'jpg');
    // The person ends a recording.
    await page.waitForSelector('.in-use', { state: 'detached' });
    const stopped = refused(nodeId, 'camera.clip', { durationMs: 30_000 });
    await page.click('.in-use:has-text("Camera") button:text-is("Stop")');
    assert.match(await stopped, /STOPPED/);
  });

  test('tells the gateway when the browser takes a permission back, and when the page is not in front', async () => {
    const { page, nodeId } = await connected();
    await on(page, 'camera');
    await becomes(page, isOn('camera'));
    const isAllowed = () =>
      invoke(nodeId, 'camera.snap').then(
        () => true,
        () => false,
      );
    await until(isAllowed, 'the gateway to know that the camera is on');
    const clip = refused(nodeId, 'camera.clip', { durationMs: 30_000 });
    await page.waitForSelector('.in-use');
    const visibility = (state: string): Promise<void> =>
      page.evaluate(`{
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }`);
    await visibility('hidden');
    assert.match(await clip, /NODE_BACKGROUND_UNAVAILABLE/);
    await until(async () => (await nodeOf(page)).background === true);
    assert.match(await refused(nodeId, 'camera.snap'), /NODE_BACKGROUND_UNAVAILABLE/);
    await visibility('visible');
    await until(async () => (await nodeOf(page)).background === false);
    await invoke(nodeId, 'camera.snap');
    await page.context().clearPermissions();
    await page.context().grantPermissions(['geolocation'], { origin }); // and nothing else any more
    await page.waitForSelector('text=The browser blocks it');
    await until(async () => !(await nodeOf(page)).commands.includes('camera.snap'));
    assert.match(await refused(nodeId, 'camera.snap'), /CAMERA_PERMISSION_REQUIRED/);
    await on(page, 'notifications');
    await page.waitForSelector('.notice:has-text("Notifications: still off")');
    assert.equal(await page.evaluate(isOn('notifications')), false);
  });

  test('a connection lost in the middle of a clip ends it on both sides, and the node comes back', async () => {
    const line: { cut?: () => Promise<unknown> } = {};
    const { page, nodeId } = await connected((fresh) =>
      fresh.routeWebSocket(/./, (socket) => {
        const server = socket.connectToServer();
        line.cut = () => Promise.all([socket.close(), server.close()]);
      }),
    );
    await on(page, 'camera');
    await becomes(page, isOn('camera'));
    await until(async () => (await nodeOf(page))?.commands.includes('camera.clip'));
    const clip = refused(nodeId, 'camera.clip', { durationMs: 30_000 });
    await page.waitForSelector('.in-use');
    await line.cut!();
    assert.match(await clip, /node disconnected \(camera\.clip\)/);
    await page.waitForSelector('.in-use', { state: 'detached' });
    await becomes(page, "document.querySelector('.state.connected')");
    await until(async () => (await nodeOf(page))?.commands.includes('camera.snap'));
    assert.ok((await invoke(nodeId, 'camera.snap')).base64.length > 100, 'one camera, free again');
  });

  test('a page that was frozen reports at once when it wakes', async () => {
    const { page, nodeId } = await connected();
    await on(page, 'camera');
    await becomes(page, isOn('camera'));
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setWebLifecycleState', { state: 'frozen' });
    const slow = chat
      .call('node.invoke', { nodeId, command: 'camera.snap', timeoutMs: 300, idempotencyKey: 'frozen' })
      .catch((error: AppError) => error.message);
    assert.match(String(await slow), /timed out/);
    await session.send('Page.setWebLifecycleState', { state: 'active' });
    await becomes(page, "document.querySelector('.state.connected')");
    assert.ok((await invoke(nodeId, 'camera.snap')).base64.length > 100);
  });

  test('shows surfaces without an origin, and frames nothing else of the gateway', async () => {
    const { page, nodeId } = await connected();
    await on(page, 'canvas');
    await until(async () => (await nodeOf(page)).commands.includes('canvas.present'));
    const push = await chat.call('tools.invoke', {
      name: 'canvas',
      args: { action: 'a2ui_push', jsonl: SURFACE },
    });
    assert.ok(push.ok, JSON.stringify(push));
    const frame = page.frameLocator('.canvas iframe');
    await frame.locator('text=Good morning').waitFor();
    if (SHOTS) await page.screenshot({ path: join(SHOTS, 'web-canvas.png') });
    const inside = page.frames().find((one) => one !== page.mainFrame())!;
    const reach = await inside.evaluate(`[
      () => localStorage.length,
      () => indexedDB.open('clawdbot-node') && top.location.href,
      () => parent.document.title,
      () => document.cookie,
    ].map((look) => {
      try {
        return String(look());
      } catch (error) {
        return error.name;
      }
    })`);
    assert.deepEqual(reach, ['SecurityError', 'SecurityError', 'SecurityError', 'SecurityError']);
    for (const url of [
      '/',
      '/nodes',
      '/node/',
      '/__clawdbot__/../nodes',
      '/__clawdbot__/%2e%2e/nodes',
      `${origin}/nodes`,
    ])
      assert.match(await refused(nodeId, 'canvas.navigate', { url }), /INVALID_REQUEST/, url);
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'blob:x', 'file:///etc/passwd', 'http://a.b/'])
      assert.match(await refused(nodeId, 'canvas.present', { url }), /INVALID_REQUEST/, url);
    await page.click('.canvas button:text-is("Close")');
    await page.waitForSelector('.canvas', { state: 'detached' });
  });

  test('what is shared with the page goes to the agent once its person sends it, and once only', async () => {
    const { page, nodeId } = await connected();
    await becomes(page, 'navigator.serviceWorker.controller');
    // The page opens where the gateway is not reached, from what its worker kept, and connects when it is again.
    await page.context().setOffline(true);
    await page.reload();
    await page.waitForSelector('.state:not(.connected)');
    await page.context().setOffline(false);
    await becomes(page, "document.querySelector('.state.connected')");
    await page.evaluate(`{
      const form = Object.assign(document.createElement('form'), { method: 'post', action: 'share' });
      form.enctype = 'multipart/form-data';
      form.innerHTML = '<input name="title" value="A page"><input name="url" value="https://example.org/x">';
      document.body.append(form);
      form.submit();
    }`);
    await page.waitForSelector('.quote:has-text("https://example.org/x")');
    await becomes(page, "document.querySelector('.state.connected')");
    await page.click('button:text-is("Send to the agent")');
    await page.waitForSelector('.notice:has-text("Sent")');
    await page.waitForSelector('.quote', { state: 'detached' });
    const about = (): Promise<readonly string[]> =>
      chat.history().then((said) => said.map(({ text }) => text).filter((text) => text.includes('example.org/x')));
    await until(async () => (await about()).length > 0);
    assert.match((await about())[0]!, /Sent at the node/);
    assert.ok(nodeId);
  });

  test('over plain HTTP it says what browsers forbid there, and how to get HTTPS', async () => {
    const page = await harness.open('about:blank', PHONE);
    await page.route('http://phone.test/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      const answer = await gateway.fetch(pathname);
      const body = Buffer.from(await answer.arrayBuffer());
      await route.fulfill({ status: answer.status, headers: Object.fromEntries(answer.headers), body });
    });
    await page.goto('http://phone.test/node/#00112233445566778899aabb');
    await page.waitForSelector('h1:text-is("HTTPS is needed")');
    assert.match((await page.textContent('main'))!, /camera.*tailscale serve.*tls internal/s);
    assert.equal(await page.evaluate(FITS), true);
    if (SHOTS) await page.screenshot({ path: join(SHOTS, 'web-http.png'), fullPage: true });
    const uninvited = await harness.open(`${origin}/node/`, PHONE);
    await uninvited.waitForSelector('h1:text-is("Make this device a node")');
  });

  test('fits phones both ways and wide windows, light and dark; the Nodes page makes the code', async () => {
    const { page } = await connected();
    for (const [name, viewport, colorScheme] of [
      ['portrait', { width: 390, height: 780 }, 'light'],
      ['landscape', { width: 780, height: 360 }, 'dark'],
      ['small', { width: 320, height: 568 }, 'dark'],
      ['wide', { width: 1200, height: 800 }, 'light'],
    ] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      assert.equal(await page.evaluate(FITS), true, name);
      if (SHOTS) await page.screenshot({ path: join(SHOTS, `web-${name}.png`), fullPage: true });
    }
    const control = await harness.open(`${origin}/nodes#token=${REAL_TOKEN}`);
    await control.click('button:has-text("Connect a phone or browser")');
    await control.waitForSelector('dialog svg.qr');
    if (SHOTS) await control.screenshot({ path: join(SHOTS, 'nodes-invite.png') });
    await control.fill('dialog input', 'https://desk.example.ts.net');
    await control.press('dialog input', 'Tab');
    await control.waitForSelector('dialog svg.qr');
    await control.click('dialog button:text-is("Close")');
  });
});

const SURFACE = [
  {
    surfaceUpdate: {
      surfaceId: 'main',
      components: [{ id: 'root', component: { Text: { text: { literalString: 'Good morning' } } } }],
    },
  },
  { beginRendering: { surfaceId: 'main', root: 'root' } },
]
  .map((message) => JSON.stringify(message))
  .join('\n');
