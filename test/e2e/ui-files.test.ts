/** Files that an agent sends, in the page with a real gateway: live, after a reload, and after a restart. */
import assert from 'node:assert/strict';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { becomes, harnessOfCases, say, skipWithoutChromium } from './ui-harness.ts';

const TOKEN = 'test-token-of-sufficient-length';
const skip = skipWithoutChromium;
const PICTURE = join(import.meta.dirname, '../../docs/images/web-chat-phone.png');
const NOTES = `Notes\n${'A line of the notes.\n'.repeat(70_000)}`; // more than one part

describe('files in the web chat', { skip }, () => {
  const harness = harnessOfCases();

  const open = (gateway: RunningGateway): Promise<Page> =>
    harness.open(`http://127.0.0.1:${gateway.instance.port}/#token=${TOKEN}`);

  async function withFiles(): Promise<RunningGateway> {
    const gateway = await startGateway();
    await using chat = await gateway.connect();
    await chat.say('hello', { session: 'elsewhere' });
    const folder = join(gateway.stateDir, '..', 'clawd');
    await copyFile(PICTURE, join(folder, 'chart.png'));
    await writeFile(join(folder, 'notes.txt'), NOTES);
    return gateway;
  }

  const shows = async (page: Page): Promise<void> => {
    await page.waitForSelector('.answer.done .answer-picture img');
    await becomes(page, "document.querySelector('.answer-picture img').naturalWidth > 100");
    assert.equal(await page.locator('.answer-picture .answer-file-name').textContent(), 'chart.png');
    assert.match((await page.locator('.answer-picture small').textContent()) ?? '', /^PNG · \d+ kB$/);
    assert.equal(await page.locator('.answer-file b').textContent(), 'notes.txt');
    assert.equal(await page.locator('.answer-file small').textContent(), 'TXT · 1.5 MB');
    const text = (await page.locator('.answer claw-markdown').allTextContents()).join('\n');
    assert.match(
      text,
      /Here is the chart\.[\s\S]*And the notes\.[\s\S]*\(gone\.txt was not sent: the file does not exist\.\)/,
    );
    assert.doesNotMatch(text, /MEDIA:/);
    assert.equal(text.match(/Here is the chart/g)!.length, 1);
  };

  test('a picture stands in the answer and a text can be saved, live, after a reload and after a restart', async () => {
    await using gateway = await withFiles();
    gateway.models.reply(
      { calls: [{ id: 'a', name: 'message', args: { message: 'Here is the chart.', mediaUrl: 'chart.png' } }] },
      { text: ['And the notes.\n', 'MEDIA:notes.txt\nMEDIA:gone.txt\n'] },
    );
    const page = await open(gateway);
    await page.waitForSelector('.composer');
    await say(page, 'Draw the chart of last week, please.');
    await shows(page);
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/files.png` });
    const opening = page.waitForEvent('popup');
    await page.click('.answer-picture a');
    const opened = await opening;
    await becomes(opened, "document.querySelector('img')?.naturalWidth > 100");
    await opened.close();
    await page.reload();
    await shows(page);
    await gateway.restart({ port: gateway.instance.port });
    const later = await open(gateway);
    await shows(later);
    const saving = later.waitForEvent('download');
    await later.click('.answer-file [aria-label="Save notes.txt"]');
    const saved = await saving;
    assert.equal(saved.suggestedFilename(), 'notes.txt');
    assert.equal(await readFile(await saved.path(), 'utf8'), NOTES);
  });

  test('a file that is not kept any more says so', async () => {
    await using gateway = await withFiles();
    gateway.models.reply({ text: ['Done.\nMEDIA:notes.txt'] });
    const page = await open(gateway);
    await page.waitForSelector('.composer');
    await say(page, 'the notes');
    await page.waitForSelector('.answer-file');
    await rm(join(gateway.stateDir, 'media'), { recursive: true });
    await page.click('.answer-file [aria-label="Save notes.txt"]');
    await page.waitForSelector('.answer-file-error:text("no longer exists")');
  });
});
