/** The viewer in a real browser: shows the state of the gateway, sends an action once, runs no code of a surface. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openHarness, REAL_TOKEN, skipWithoutChromium, type Harness } from '../../../test/e2e/ui-harness.ts';
import { startGateway, type Chat, type RunningGateway } from '../../testing/running-gateway.ts';
import { until } from '../../testing/until.ts';
import { HOSTILE_PUSHES, MALFORMED_PUSHES } from './fake-hostile.ts';
import { begin, components, data, form, jsonl } from './harness.ts';

/** What a script in the page gets of the browser's stores. */
const REACH = `(() => {
  const tried = (work) => { try { return String(work()); } catch (error) { return error.name; } };
  const stores = [() => localStorage.length, () => sessionStorage.length, () => document.cookie];
  return [self.origin, ...stores.map(tried)];
})()`;
const NEXT_FRAME = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))';

describe('the canvas viewer', { skip: skipWithoutChromium }, () => {
  let harness: Harness;
  let gateway: RunningGateway;
  let chat: Chat;
  const push = (...messages: readonly object[]) => chat.call('a2ui.push', { jsonl: jsonl(...messages) });
  const address = async (): Promise<string> =>
    `http://127.0.0.1:${gateway.instance.port}${(await chat.call('a2ui.link', {})).path}`;
  const open = async (options: object = {}): Promise<Page> => harness.open(await address(), options);

  before(async () => {
    [harness, gateway] = await Promise.all([openHarness(), startGateway()]);
    chat = await gateway.connect();
  });
  afterEach(async () => {
    await harness.closeWindows();
    await chat.call('a2ui.reset', {});
  });
  after(async () => {
    await harness?.close();
    await gateway?.[Symbol.asyncDispose]();
  });

  it('has no origin: no storage, no cookies, nothing of the Control UI', async () => {
    const page = await open();
    const reach = await page.evaluate(REACH);
    assert.deepEqual(reach, ['null', 'SecurityError', 'SecurityError', 'SecurityError']);
  });

  it('shows a form, sends what was entered once, and says how it went', async () => {
    await push(...form());
    const page = await open();
    gateway.models.reply({ text: ['It rains.'] });
    await page.getByLabel('City').fill('Oslo');
    await page.getByRole('button', { name: 'Show the weather' }).click();
    await page.getByText('Done.').waitFor();
    const asked = gateway.models.requests.filter(({ texts }) => texts.at(-1)?.includes('CANVAS_A2UI'));
    assert.equal(asked.length, 1);
    assert.match(
      asked[0]!.texts.at(-1)!,
      /component=go host=gateway instance=viewer ctx=\{"city":"Oslo"\} default=update_canvas/,
    );
  });

  it('says that an action was stopped, and lets it be done again', async () => {
    await push(...form());
    const page = await open();
    const before = gateway.models.requests.length;
    gateway.models.reply({ hang: true, text: ['It ra'] });
    await page.getByRole('button', { name: 'Show the weather' }).click();
    await until(() => gateway.models.requests.length > before, 'the model call');
    await chat.call('chat.send', { sessionKey: 'main', message: '/stop', idempotencyKey: 'stop' });
    await page.getByText('The agent was stopped before it was done.').waitFor();
    assert.equal(await page.getByText('Done.', { exact: true }).count(), 0);
    gateway.models.reply({ text: ['It rains.'] });
    await page.getByRole('button', { name: 'Show the weather' }).click();
    await page.getByText('Done.', { exact: true }).waitFor();
  });

  it('keeps what a person types while other data changes, until the agent writes there', async () => {
    await push(...form());
    const page = await open();
    const city = page.getByLabel('City');
    await city.fill('Oslo');
    await push(components({ more: { Divider: {} } }), data([{ key: '.', valueNumber: 5 }], '/other'));
    await push(components({ city: { TextField: { label: { literalString: 'Town' }, text: { path: '/city' } } } }));
    await page.getByLabel('Town').waitFor();
    assert.equal(await page.getByLabel('Town').inputValue(), 'Oslo');
    await push(data([{ key: '.', valueString: 'Rome' }], '/city'));
    await until(async () => (await page.getByLabel('Town').inputValue()) === 'Rome', 'the new value');
  });

  it('comes back after the gateway was gone, with the same surface', async () => {
    await push(...form());
    const page = await open();
    await page.getByLabel('City').fill('Oslo');
    const { port } = gateway.instance;
    await gateway.restart({ port });
    chat = await gateway.connect();
    await push(components({ 'go-text': { Text: { text: { literalString: 'Again' } } } }));
    await page.getByRole('button', { name: 'Again' }).waitFor();
    assert.equal(await page.getByLabel('City').inputValue(), 'Oslo');
  });

  it('hears how an action ended whose gateway was gone meanwhile, and has sent it once', async () => {
    await push(...form());
    const page = await open();
    const before = gateway.models.requests.length;
    gateway.models.reply({ hang: true, text: ['It ra'] });
    await page.getByLabel('City').fill('Bergen');
    await page.getByRole('button', { name: 'Show the weather' }).click();
    await until(() => gateway.models.requests.length > before, 'the model call');
    const { port } = gateway.instance;
    await gateway.restart({ port, while: () => gateway.models.reply({ text: ['It rains.'] }) });
    chat = await gateway.connect();
    await page.getByText('Done.').waitFor();
    const said = (await chat.history()).filter(({ text }) => text.includes('Bergen'));
    assert.equal(said.length, 1);
  });

  it('opens tabs and dialogs, repeats templates, and asks before it loads from other hosts', async () => {
    const text = (value: string) => ({ Text: { text: { literalString: value } } });
    const tabs = ['One', 'Two'].map((title, at) => ({
      title: { literalString: title },
      child: at === 0 ? 'rows' : 'modal',
    }));
    await push(
      components({
        root: { Tabs: { tabItems: tabs } },
        rows: { List: { children: { template: { componentId: 'row', dataBinding: '/rows' } } } },
        row: { Text: { text: { path: 'name' } } },
        modal: { Modal: { entryPointChild: 'open', contentChild: 'inside' } },
        open: text('Open it'),
        inside: { Column: { children: { explicitList: ['words', 'picture'] } } },
        words: text('Inside **it**'),
        picture: { Image: { url: { literalString: 'https://example.org/a.png' } } },
      }),
      data([{ key: 'rows', valueMap: [{ key: 'a', valueMap: [{ key: 'name', valueString: 'Alpha' }] }] }]),
      begin(),
    );
    const page = await open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByText('Alpha').waitFor();
    await page.getByRole('tab', { name: 'Two' }).click();
    await page.getByText('Open it').click();
    assert.equal(await page.locator('strong').textContent(), 'it');
    await page.getByRole('button', { name: 'Load media from example.org' }).waitFor();
    assert.deepEqual(
      asked.filter((url) => url.includes('example.org')),
      [],
    );
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Inside').waitFor({ state: 'detached' });
    await page.getByText('Open it').click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('stands under the chat of its session and on the Canvas page, and acts from there', async () => {
    await push(...form());
    // A gateway that was restarted cut the feed of an earlier page.
    const earlier = harness.errors.length;
    const at = (page: string) => `http://127.0.0.1:${gateway.instance.port}/${page}#token=${REAL_TOKEN}`;
    const page = await harness.open(at(''));
    gateway.models.reply({ text: ['It rains in Oslo.'] });
    const frame = page.frameLocator('claw-canvas-panel iframe');
    await frame.getByLabel('City').fill('Oslo');
    await frame.getByRole('button', { name: 'Show the weather' }).click();
    await page.getByText('It rains in Oslo.').first().waitFor();
    await page.getByRole('button', { name: 'Hide' }).click();
    await page.locator('claw-canvas-panel iframe').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.frameLocator('claw-a2ui iframe').getByLabel('City').waitFor();
    const current = page.locator('.rail-item[aria-current=page]');
    assert.deepEqual(
      (await current.allTextContents()).map((text) => text.trim()),
      ['Canvas'],
    );
    await page.getByRole('button', { name: 'Documents' }).click();
    await page.getByRole('heading', { name: 'Canvas folder' }).waitFor();
    await page.getByRole('button', { name: 'Surfaces' }).click();
    await page.getByRole('button', { name: 'Delete surfaces' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.frameLocator('claw-a2ui iframe').getByText('Nothing to show yet.').waitFor();
    assert.deepEqual(harness.errors.slice(earlier), []);
  });

  it('runs nothing of at least 150 hostile and malformed pushes, and still draws afterwards', async (t) => {
    const page = await open();
    let taken = 0;
    for (const pushed of [...HOSTILE_PUSHES, ...MALFORMED_PUSHES]) {
      const refused = await chat.call('a2ui.push', { jsonl: pushed }).then(
        () => false,
        (error: unknown) => /JSONL|too|would have|larger/i.test(String(error)) || assert.fail(String(error)),
      );
      assert.ok(refused || HOSTILE_PUSHES.includes(pushed), `taken: ${pushed.slice(0, 200)}`);
      taken += refused ? 0 : 1;
      // One frame with it, then the next one begins with nothing.
      if (!refused) await page.evaluate(NEXT_FRAME);
      if (!refused) await chat.call('a2ui.reset', {});
    }
    const ran = await page.evaluate(`['__ran' in globalThis, 'polluted' in {}]`);
    assert.deepEqual(ran, [false, false]);
    assert.equal(await page.locator('script:not([src="../viewer.js"]), iframe, object, embed').count(), 0);
    await push(...form());
    await page.getByLabel('City').waitFor();
    const all = HOSTILE_PUSHES.length + MALFORMED_PUSHES.length;
    t.diagnostic(`${all} pushes: ${taken} taken and drawn, ${all - taken} refused, 0 executed`);
    assert.ok(all >= 150 && taken >= 150);
  });
});
