/** The first run in the page: from nothing to a working model, a channel, and an approved person. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startFakeTelegram } from '../../src/channels/telegram/fake.ts';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import { becomes, harnessOfCases, REAL_TOKEN, say, skipWithoutChromium } from './ui-harness.ts';

const KEY = 'sk-of-the-first-run-0123456789';

describe('first run', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();

  const own = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, value] of Object.entries(fields)) await page.fill(`claw-model-setup [name=${name}]`, value);
    await page.click('claw-model-setup button:text("Save and test")');
  };

  test('a model, a channel and who may write, without JSON or a shell; the key stays in the gateway', async () => {
    await using platform = await startFakeTelegram();
    await using gateway = await startGateway({
      offline: true,
      config: { channels: { telegram: { ...platform.config, enabled: false } } },
    });
    const page = await harness.open(`http://127.0.0.1:${gateway.instance.port}/#token=${REAL_TOKEN}`);
    await page.click('.hint button:text("Set up a model")');

    await page.click('.provider-choice:has-text("Anthropic")');
    assert.equal(await page.inputValue('claw-model-setup [name=model]'), 'claude-opus-4-6');
    await page.press('.provider-choice[aria-checked=true]', 'ArrowLeft');
    await page.waitForSelector('.provider-choice:has-text("Other server")[aria-checked=true]');
    await own(page, { id: 'desk', baseUrl: `${gateway.models.url}/v1`, key: KEY, model: 'small' });
    await page.waitForSelector('claw-model-setup .strip.good:has-text("The model answered in")');
    await page.waitForSelector('.setup-step.done:has-text("desk/small")');
    assert.equal(await page.inputValue('claw-model-setup [name=key]'), '', 'the key is not left in the field');
    assert.equal(gateway.models.requests.at(-1)!.headers['authorization'], `Bearer ${KEY}`);

    await page.click('.setup-step .provider-choice:has-text("Telegram")');
    await page.fill('claw-channel-setup [name="secret:botToken"]', platform.credentials['botToken']!);
    await page.click('claw-channel-setup button:text("Connect Telegram")');
    await page.waitForSelector('claw-channel-setup .strip.good:has-text("Telegram is connected")');
    await platform.write({ chat: { kind: 'direct', id: '501' }, by: '501', text: 'hello' });
    await page.click('claw-pairing .row:has-text("501") button:text("Approve")');
    await page.waitForSelector('claw-pairing :text("No requests yet")');
    await platform.write({ chat: { kind: 'direct', id: '501' }, by: '501', text: 'hello again' });
    await until(() => platform.seen({ kind: 'direct', id: '501' }).length > 1, 'an answer on the channel');

    await page.click('button:text("Start chatting")');
    await say(page, 'And here?');
    await page.waitForSelector('.answer.done');
    await keepsSecret(page, gateway);
  });

  test('a key that the provider refuses is said to be refused, and can be corrected', async () => {
    await using gateway = await startGateway({ offline: true });
    const page = await harness.open(`http://127.0.0.1:${gateway.instance.port}/setup#token=${REAL_TOKEN}`);
    await page.click('.provider-choice:has-text("Other server")');
    gateway.models.reply({ error: 'auth' });
    await own(page, { baseUrl: `${gateway.models.url}/v1`, key: 'wrong', model: 'small' });
    await page.waitForSelector('claw-model-setup .strip.bad:has-text("Saved, but the test failed")');
    await page.click('.provider-choice:has-text("local")');
    await page.fill('claw-model-setup [name=key]', KEY);
    await page.click('claw-model-setup button:text("Save and test")');
    await page.waitForSelector('claw-model-setup .strip.good');
  });
});

/** Nowhere but in the configuration file. */
async function keepsSecret(page: Page, gateway: RunningGateway): Promise<void> {
  const stored = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.body.innerHTML, location.href])',
  );
  assert.ok(!stored.includes(KEY), 'not in the browser');
  await using chat = await gateway.connect();
  assert.ok(!JSON.stringify(await chat.call('config.get')).includes(KEY), 'not on the wire');
  assert.ok(!JSON.stringify(await chat.call('models.providers')).includes(KEY));
  assert.ok(!JSON.stringify(await chat.call('logs.tail', { limit: 5000 })).includes(KEY), 'not in the log');
  assert.ok((await readFile(join(gateway.stateDir, 'clawdbot.json'), 'utf8')).includes(KEY));
  await becomes(page, 'true');
}
