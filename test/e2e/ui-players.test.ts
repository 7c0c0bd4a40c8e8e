/** Recordings and films of an answer in Chromium: played, stopped and moved within by keyboard; broken ones say so. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { becomes, harnessOfCases, skipWithoutChromium } from './ui-harness.ts';
import { sharedPage, visit } from './ui-shared-page.ts';

const RATE = 8000;
const SECONDS = 30;

/** A tone, as WAV of 8 bits. */
function tone(): Buffer {
  const data = Buffer.from(Array.from({ length: RATE * SECONDS }, (_, at) => 128 + 60 * Math.sin(at / 3)));
  const head = Buffer.alloc(44);
  head.write('RIFF');
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(RATE, 24);
  head.writeUInt32LE(RATE, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

/** A second of a square that changes its color, as the browser itself records it. */
const FILM = `(async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 });
  const pen = canvas.getContext('2d');
  const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise((done) => (recorder.onstop = done));
  recorder.start();
  for (let nth = 0; nth < 20; nth++) {
    pen.fillStyle = nth % 2 ? 'red' : 'blue';
    pen.fillRect(0, 0, 64, 64);
    await new Promise((done) => setTimeout(done, 50));
  }
  recorder.stop();
  await stopped;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(String.fromCharCode(...bytes));
})()`;

describe('players of an answer', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();
  const shared = sharedPage(harness);

  /** A conversation in which a tool sent this file. */
  async function sent(name: string, mime: string, bytes: (page: Page) => Promise<Buffer> | Buffer): Promise<Page> {
    const { page, gateway } = await shared.conversation();
    const content = await bytes(page);
    gateway.state.files.set(name, content);
    const session = `agent:main:web:${name}`;
    const call = { type: 'toolCall', id: 'c', name: 'message', arguments: {} };
    gateway.state.session(session).messages.push(
      {
        role: 'assistant',
        content: [call],
        provider: 'fake',
        model: 'model',
        usage: { input: 1, output: 1 },
        stopReason: 'toolUse',
        timestamp: 1,
      } as never,
      {
        role: 'toolResult',
        toolCallId: 'c',
        toolName: 'message',
        content: [{ type: 'text', text: 'sent' }],
        isError: false,
        timestamp: 2,
        details: { sent: [{ text: 'here', files: [{ id: name, name, mime, size: content.length }] }] },
      } as never,
    );
    await visit(page, `/?session=${session}`);
    await page.waitForSelector('.answer-file .button:text("Play")');
    return page;
  }
  const playByKeyboard = async (page: Page): Promise<void> => {
    await page.focus('.answer-file .button');
    await page.keyboard.press('Enter');
  };

  test('a recording plays, pauses and is moved within by keyboard', async () => {
    const page = await sent('tone.wav', 'audio/wav', tone);
    await playByKeyboard(page);
    await becomes(page, `document.querySelector('audio')?.currentTime > 0 && !document.querySelector('audio').paused`);
    assert.equal(await page.evaluate(`document.activeElement.localName`), 'audio', 'the player has the keyboard');
    assert.equal(await page.getAttribute('audio', 'aria-label'), 'tone.wav');
    await page.keyboard.press('Space');
    await becomes(page, `document.querySelector('audio').paused`);
    const at = await page.evaluate<number>(`document.querySelector('audio').currentTime`);
    await page.keyboard.press('ArrowRight');
    await becomes(page, `document.querySelector('audio').currentTime > ${at}`);
    await page.keyboard.press('End');
    await becomes(page, `document.querySelector('audio').currentTime > ${SECONDS - 1}`);
    await page.keyboard.press('Home');
    await becomes(page, `document.querySelector('audio').currentTime < 1`);
  });

  test('a film plays and pauses by keyboard', async () => {
    const page = await sent('film.webm', 'video/webm', async (open) =>
      Buffer.from(await open.evaluate<string>(FILM), 'base64'),
    );
    await playByKeyboard(page);
    await becomes(
      page,
      `document.querySelector('video')?.videoWidth === 64 && document.querySelector('video').currentTime > 0`,
    );
    assert.equal(await page.evaluate(`document.activeElement.localName`), 'video', 'the player has the keyboard');
    await page.keyboard.press('Home');
    await becomes(page, `document.querySelector('video').paused || document.querySelector('video').currentTime < 1`);
  });

  for (const [name, mime] of [
    ['noise.mp3', 'audio/mpeg'],
    ['noise.mp4', 'video/mp4'],
  ] as const)
    test(`${name} that is none says so, and leaves no player`, async () => {
      const page = await sent(name, mime, () => randomBytes(600));
      await playByKeyboard(page);
      await page.waitForSelector('.answer-file-error:text("cannot play this file")');
      assert.equal(await page.locator('audio, video').count(), 0);
    });
});
