/** Links and files in the chat: attached, recorded, read, with every decision shown. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { becomes, harnessOfCases, say, signedIn, skipWithoutChromium, unanswered } from './ui-harness.ts';
import { sharedPage } from './ui-shared-page.ts';
import { until } from '../../src/testing/until.ts';

const CSV = { name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from('item;price\nbread;3.20\n') };
const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

interface Sent {
  readonly type: string;
  readonly recorded?: boolean;
  readonly mimeType: string;
  readonly fileName: string;
  readonly content: string;
}

describe('understanding in the web chat', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();
  const shared = sharedPage(harness, { permissions: ['microphone'] });

  const attach = (page: Page, ...files: (typeof CSV)[]): Promise<void> => page.setInputFiles('input[type=file]', files);
  const sentBy = (gateway: {
    readonly requests: readonly { readonly method: string; readonly params: Record<string, unknown> }[];
  }): readonly Sent[] =>
    gateway.requests
      .filter(({ method }) => method === 'chat.send')
      .flatMap(({ params }) => (params['attachments'] ?? []) as Sent[]);

  test('a text file is a chip that can be removed, goes out whole, and stays a chip in the history', async () => {
    const { page, gateway } = await shared.conversation();
    await attach(page, CSV, { ...CSV, name: 'other.csv' });
    await page.waitForSelector('.previews .file-chip:nth-child(2)');
    assert.equal(await page.locator('.previews .file-chip').first().innerText(), 'prices.csv\nCSV · 22 B');
    await page.click('[aria-label="Remove other.csv"]');
    await say(page, 'What is bread?');
    await page.waitForSelector('.answer.done');
    assert.deepEqual(sentBy(gateway), [
      { type: 'file', mimeType: 'text/csv', fileName: 'prices.csv', content: CSV.buffer.toString('base64') },
    ]);
    await page.reload();
    await page.waitForSelector('.person-files .file-chip:has-text("prices.csv")');
    assert.equal(await page.locator('.bubble').innerText(), 'What is bread?');
  });

  test('what the agent was given is folded under the message, and opens by keyboard', async () => {
    const { page } = await shared.conversation();
    await attach(page, CSV);
    await say(page, 'What is bread?');
    const summary = page.locator('.received summary');
    await summary.waitFor();
    assert.equal(await page.locator('.received-text').isVisible(), false);
    await summary.focus();
    await page.keyboard.press('Enter');
    assert.equal(
      await page.locator('.received-text').innerText(),
      'What is bread?\n\n<file name="prices.csv" mime="text/csv">\nitem;price\nbread;3.20\n\n</file>',
    );
  });

  test('files are dropped anywhere on the conversation, once', async () => {
    const { page } = await shared.conversation();
    for (const target of ['.scroller', '.composer textarea']) {
      await page.evaluate(`(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['x'], 'notes.md', { type: 'text/markdown' }));
        for (const name of ['dragover', 'drop']) document.querySelector('${target}').dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));
      })()`);
    }
    await becomes(page, 'document.querySelectorAll(".previews .file-chip").length === 2');
    assert.equal(await page.locator('.dropping').count(), 0);
  });

  test('a file that is too large or empty is refused with the figures, the others stay', async () => {
    const { page, gateway } = await shared.conversation();
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      for (const [name, bytes] of [['film.mov', 20_000_000], ['empty.txt', 0], ['prices.csv', 22]]) clipboardData.items.add(new File([new Uint8Array(bytes)], name));
      document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`);
    await page.waitForSelector('.previews .file-chip');
    assert.equal(
      await page.locator('.composer-problem span').innerText(),
      'film.mov is too large: 20 MB, the limit per message is 19 MB. empty.txt is empty.',
    );
    await say(page, 'go');
    await until(() => sentBy(gateway).length === 1, 'the other one was sent');
  });

  test('what was refused before the gateway answers is still told afterwards', async () => {
    const { page, answers } = await unanswered(harness);
    await page.waitForSelector('.composer textarea');
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([], 'empty.txt'));
      document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`);
    answers.resolve();
    await page.waitForSelector('.session');
    assert.equal(await page.locator('.composer-problem span').innerText(), 'empty.txt is empty.');
  });

  test('a file that is read while another conversation is opened is not put there', async () => {
    const { page } = await signedIn(harness);
    await page.waitForSelector('.session');
    await page.evaluate(`(() => {
      const whole = FileReader.prototype.readAsDataURL;
      FileReader.prototype.readAsDataURL = function (file) { this.addEventListener('loadend', () => (window.wasRead = true)); window.readOn = () => whole.call(this, file); };
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(['x'], 'private.txt', { type: 'text/plain' }));
      document.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`);
    await becomes(page, 'window.readOn !== undefined');
    await page.click('.session-panel [aria-label="New conversation"], .top [aria-label="New conversation"]');
    await becomes(page, '/new|web/.test(location.href) && (window.readOn(), true)');
    await becomes(page, 'window.wasRead === true');
    await page.evaluate('document.querySelector("claw-composer").updateComplete');
    assert.equal(await page.locator('.previews .file-chip').count(), 0);
  });

  test('a file on its way survives the reload of the page', async () => {
    const { page, gateway } = await signedIn(harness);
    gateway.accepting = false;
    gateway.drop();
    await attach(page, CSV);
    await page.waitForSelector('.previews .file-chip');
    await say(page, 'later');
    await page.waitForSelector('.person.sending .file-chip');
    await page.reload();
    gateway.accepting = true;
    await until(() => sentBy(gateway).length === 1, 'sent after the reload');
    assert.equal(sentBy(gateway)[0]!.content, CSV.buffer.toString('base64'));
  });

  test('a voice note is recorded and sent, by pointer and by keyboard; Escape discards it', async () => {
    const { page, gateway } = await shared.conversation();
    const mic = page.locator('[aria-label="Record a voice note"]');
    await mic.click();
    await page.waitForSelector('.recorder-time:text("0:01")');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.recorder', { state: 'detached' });
    assert.equal(sentBy(gateway).length, 0);
    await mic.focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.recorder-time:text("0:01")');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.person-files .file-chip:has-text("Voice note")');
    await until(() => sentBy(gateway).length === 1, 'the note was sent');
    const [note] = sentBy(gateway);
    assert.deepEqual(
      [note!.type, note!.recorded, note!.mimeType, note!.fileName],
      ['audio', true, 'audio/webm', 'voice-note.webm'],
    );
    assert.equal(Buffer.from(note!.content, 'base64').toString('hex', 0, 4), '1a45dfa3', 'a WebM file');
    await page.waitForSelector('.received[open] .received-text:has-text("what time is it in new york")');
  });

  test('a voice note is recorded for as long as the button is held', async () => {
    const { page, gateway } = await shared.conversation();
    await page.hover('[aria-label="Record a voice note"]');
    await page.mouse.down();
    await page.waitForSelector('.recorder-time:text("0:01")');
    await page.mouse.up();
    await page.waitForSelector('.person-files .file-chip:has-text("Voice note")');
    await until(() => sentBy(gateway).length === 1, 'the note was sent');
  });

  test('without leave to use the microphone the page says so', async () => {
    const { page } = await signedIn(harness);
    await page.evaluate(
      "navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))",
    );
    await page.click('[aria-label="Record a voice note"]');
    await page.waitForSelector('.composer-problem :text("The browser blocks the microphone")');
    assert.equal(await page.locator('.recorder').count(), 0);
    assert.equal(await page.locator('.composer textarea').isVisible(), true);
  });

  test('what is being read is told until the answer begins', async () => {
    const { page, gateway } = await shared.conversation();
    await attach(page, CSV);
    await say(page, 'wait for https://a.example/fares');
    await page.waitForSelector('.progress:text-is("Reading prices.csv")');
    gateway.state.release();
    await page.waitForSelector('.progress:text-is("Reading https://a.example/fares with link-understand")');
    gateway.state.release();
    await page.waitForSelector('.answer.done');
    assert.equal(await page.locator('.progress').count(), 0);
  });

  test('the timeline tells what was tried for each link and attachment, on a phone too', async () => {
    const { page } = await signedIn(harness, { window: PHONE });
    await say(page, 'see https://a.example/fares');
    await page.waitForSelector('.received');
    await page.click('.answer [aria-label="Show timeline"]');
    await page.waitForSelector('.step');
    assert.deepEqual(await page.locator('.timeline-row:has(.steps) .timeline-stage').allTextContents(), [
      'Recording',
      'Picture',
      'File',
      'Link',
      'Link',
      'Link',
    ]);
    const row = (text: string) => page.locator('.timeline-row', { hasText: text });
    assert.deepEqual(await row('www.metro').locator('.step-outcome').allTextContents(), ['failed', 'used']);
    assert.match(
      await row('www.metro').locator('.step.chosen').innerText(),
      /link-understand\s+used\s+1\.2 s\s+.*93\.184\.216\.34/s,
    );
    assert.match(await row('169.254').locator('.step.blocked').innerText(), /guard\s+blocked\s+link-local/);
    assert.equal(
      await row('short.example').locator('.reached .blocked').isVisible(),
      true,
      'a blocked address is in sight',
    );
    assert.equal(
      await page.evaluate(
        '(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector(".timeline"))',
      ),
      true,
      'nothing is cut off',
    );
  });
});
