/** Connecting, losing the connection, and losing no messages with it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { becomes, harnessOfCases, say, signedIn, skipWithoutChromium, TOKEN, unanswered } from './ui-harness.ts';
import { until } from '../../src/testing/until.ts';

describe('web chat and its connection', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();

  test('the token leaves the address at once and never enters a query', async () => {
    const { page, gateway } = await signedIn(harness);
    assert.equal(new URL(page.url()).hash, '');
    assert.equal(await page.evaluate("Object.values(localStorage).some((value) => value === 'test-token')"), false);
    assert.deepEqual(gateway.connects[0]!['auth'] as object, { token: TOKEN });
    assert.ok(gateway.connects[0]!['device'], 'signed in with a device key the gateway verified');
  });

  test('a token in the query is ignored; the form says what to type, a wrong token is told', async () => {
    const gateway = await harness.gateway();
    const page = await harness.open(`${gateway.url}/?token=${TOKEN}`);
    await page.waitForSelector('.gate h1:text("Sign in")');
    assert.equal(await page.locator('.command code').textContent(), 'clawdbot dashboard');
    await page.fill('#token', 'wrong');
    await page.press('#token', 'Enter');
    await page.waitForSelector('.gate h1:text("Wrong token")');
    await page.fill('#token', `${gateway.url}/#token=${TOKEN}`);
    await page.press('#token', 'Enter');
    await page.waitForSelector('.composer');
  });

  test('a new tab gets in by the device token alone', async () => {
    const { page, gateway } = await signedIn(harness);
    const tab = await page.context().newPage();
    await tab.goto(`${gateway.url}/`);
    await tab.waitForSelector('.composer');
    await until(() => gateway.connects.length === 2, 'the tab to sign in');
    const { device, auth } = gateway.connects.at(-1) as { device: { id: string }; auth: { token: string } };
    assert.equal(auth.token, `device-${device.id}`);
  });

  test('a cut line is told, what is written meanwhile is sent when it is back, each message once', async () => {
    const { page, gateway } = await signedIn(harness);
    await say(page, 'before');
    await page.waitForSelector('.answer.done');
    gateway.accepting = false;
    gateway.drop();
    await page.waitForSelector('.strip.warn');
    await say(page, 'written in the dark');
    await page.waitForSelector('.person.sending');
    await page.reload();
    gateway.accepting = true;
    await page.waitForSelector('.answer.done :text("You said: written in the dark")');
    await page.waitForSelector('.strip.warn', { state: 'detached' });
    assert.equal(await page.locator('.bubble:text-is("written in the dark")').count(), 1);
    assert.equal(gateway.requests.filter(({ params }) => params['message'] === 'written in the dark').length, 1);
  });

  test('a message whose answer was lost with the line goes out again under the same key and runs once', async () => {
    const { page, gateway } = await signedIn(harness);
    await say(page, 'hold');
    await page.waitForSelector('.answer.streaming');
    await say(page, '/status while the line breaks');
    gateway.drop();
    await until(() => gateway.connects.length === 2, 'reconnected');
    gateway.state.release();
    await page.waitForSelector(':text("You said: /status while the line breaks")');
    const keys = gateway.requests
      .filter(({ params }) => params['message'] === '/status while the line breaks')
      .map(({ params }) => params['idempotencyKey']);
    assert.equal(new Set(keys).size, 1);
    assert.equal(await page.locator('.bubble:text("/status while")').count(), 1);
  });

  test('an answer in progress goes on after a reload and after a lost line', async () => {
    const { page, gateway } = await signedIn(harness);
    await say(page, 'hold');
    await page.waitForSelector('.answer.streaming :text("First half.")');
    await page.reload();
    await page.waitForSelector('.answer.streaming :text("First half.")');
    await page.waitForSelector('[aria-label="Stop the answer"]');
    gateway.drop();
    await until(() => gateway.connects.length >= 3, 'reconnected');
    gateway.state.release();
    await page.waitForSelector('.answer.done :text("Second half.")');
    await until(async () => (await page.locator('claw-answer').count()) === 1, 'one answer, whichever way it came');
  });

  test('the end of an answer that was missed is fetched', async () => {
    const { page, gateway } = await signedIn(harness);
    await say(page, 'hold');
    await page.waitForSelector('.answer.streaming');
    gateway.accepting = false;
    gateway.drop();
    gateway.state.release();
    await until(() => gateway.state.runs.size === 0, 'the run ended unseen');
    gateway.accepting = true;
    // The page comes back by itself, too, and then there is no button any more.
    await page.click('.strip.warn button', { timeout: 2000 }).catch(() => undefined);
    await page.waitForSelector('.answer.done :text("Second half.")');
    await page.waitForSelector('[aria-label="Send message"]');
  });

  test('a gap in the events fetches the conversation again', async () => {
    const { page, gateway } = await signedIn(harness);
    await say(page, 'hello');
    await page.waitForSelector('.answer.done');
    gateway.state.append('agent:main:main', {
      role: 'assistant',
      content: [{ type: 'text', text: 'said while nobody heard' }],
      stopReason: 'injected',
    });
    gateway.skipEvent();
    await say(page, 'hold');
    await page.waitForSelector(':text("said while nobody heard")');
  });

  test('a draft survives a reload, each conversation has its own', async () => {
    const { page } = await signedIn(harness);
    await page.fill('.composer textarea', 'half a thought');
    await page.reload();
    await becomes(page, "document.querySelector('.composer textarea')?.value === 'half a thought'");
    await page.click('.top [aria-label="New conversation"]');
    await page.waitForSelector('.top-title:text("New conversation")');
    assert.equal(await page.inputValue('.composer textarea'), '');
  });

  test('messages that wait survive a reload in their order; one is removed there, the others are sent', async () => {
    const { page, gateway } = await signedIn(harness);
    await say(page, 'hold');
    await page.waitForSelector('.answer.streaming');
    for (const text of ['first in line', 'not this one', 'last in line']) await say(page, text);
    await page.waitForSelector('.outbox-row:nth-child(3)');
    await page.reload();
    await page.waitForSelector('.answer.streaming');
    assert.deepEqual(await page.locator('.outbox-row .outbox-text').allInnerTexts(), [
      'first in line',
      'not this one',
      'last in line',
    ]);
    await page.locator('.outbox-row', { hasText: 'not this one' }).getByLabel('Remove').click();
    await page.reload();
    await page.waitForSelector('.outbox-row:nth-child(2)');
    gateway.state.release();
    await page.waitForSelector('.answer.done :text("You said: last in line")');
    assert.deepEqual(await page.locator('.bubble').allInnerTexts(), ['hold', 'first in line', 'last in line']);
    assert.equal(await page.locator('.outbox-row').count(), 0);
  });

  test('what is begun before the gateway answers is no draft any more once it is sent', async () => {
    const { page, answers } = await unanswered(harness);
    await page.fill('.composer textarea', 'early words');
    answers.resolve();
    await page.waitForSelector('.session');
    await page.press('.composer textarea', 'Enter');
    await page.waitForSelector('.person :text("early words")');
    await page.reload();
    await page.waitForSelector('.person :text("early words")');
    assert.equal(await page.inputValue('.composer textarea'), '');
  });

  test('another gateway is connected to only after consent, and never shown the token of this one', async () => {
    const gateway = await harness.gateway();
    const other = await harness.gateway();
    const page = await harness.open(
      `${gateway.url}/?gatewayUrl=${encodeURIComponent(other.url.replace('http', 'ws'))}/#token=${TOKEN}`,
    );
    await page.waitForSelector('dialog h2:text("another gateway")');
    assert.equal(other.connects.length + gateway.connects.length, 0);
    await page.click('dialog button:text("Cancel")');
    await page.waitForSelector('.composer');
    assert.equal(other.connects.length, 0);
    assert.equal(new URL(page.url()).search, '');
  });
});
