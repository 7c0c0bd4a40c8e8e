import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openHarness as openUi, skipWithoutChromium as skipPage } from '../../../../test/e2e/ui-harness.ts';
import { startFakeModels } from '../../../testing/fake-models/fake-model-server.ts';
import { startGateway, withModel } from '../../../testing/running-gateway.ts';
import { until } from '../../../testing/until.ts';
import { startFakePages } from '../fake-pages.ts';
import { CHROMIUM, skipWithoutChromium } from '../harness.ts';

const TOKEN = 'test-token-of-sufficient-length';

test('cards in the chat say what was clicked and show the screenshot, folded, in the light, the dark and on a phone', {
  skip: skipWithoutChromium || skipPage,
}, async () => {
  await using models = await startFakeModels();
  await using pages = await startFakePages();
  const browser = { executablePath: CHROMIUM, headless: true, ssrfPolicy: { allowRanges: ['127.0.0.1/32'] } };
  await using gateway = await startGateway({ config: withModel({ browser }, models.url) });
  const use = (id: string, args: object) => ({ calls: [{ id, name: 'browser', args }] });
  models.reply(
    use('c1', { action: 'open', targetUrl: `${pages.url}/grow` }),
    use('c2', { action: 'snapshot' }),
    use('c3', { action: 'act', request: { kind: 'click', ref: 'e2' } }),
    use('c4', { action: 'screenshot' }),
    { text: ['Done.'] },
  );
  const ui = await openUi();
  try {
    await using chat = await gateway.connect();
    await chat.call('chat.send', { sessionKey: 'main', message: 'grow it', idempotencyKey: 'k1' });
    await until(() => models.requests.at(-1)?.toolResults.length === 4);
    const page = await ui.open(`http://127.0.0.1:${gateway.instance.port}/chat#token=${TOKEN}`);
    await page.waitForSelector('text=Done.');
    await page.waitForSelector('.tool-thumb img');
    assert.match(await page.locator('claw-chat').innerText(), /click button "Grow"/);
    assert.match(await page.locator('claw-chat').innerText(), /open http:\/\/127/);
    const shots = process.env['BROWSER_SHOTS'];
    for (const [name, width, scheme] of [
      ['light', 1280, 'light'],
      ['dark', 1280, 'dark'],
      ['phone', 390, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 860 });
      await page.emulateMedia({ colorScheme: scheme });
      if (shots) await page.screenshot({ path: join(shots, `card-${name}.png`) });
      assert.ok(await page.evaluate('document.scrollingElement.scrollWidth <= innerWidth'), name);
      const box = (await page.locator('.tool-thumb').boundingBox())!;
      assert.ok(box.width > 60 && box.x + box.width <= width, name);
    }
    await page.click('.tool-thumb');
    await page.waitForSelector('dialog[open] img, .lightbox img');
    assert.deepEqual(ui.errors, []);
  } finally {
    await ui.close();
  }
});
