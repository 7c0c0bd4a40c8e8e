/** No page asks on a timer: on a gateway where nothing happens, an open page sends nothing. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import type { Page } from 'playwright-core';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import { becomes, harnessOfCases, REAL_TOKEN, skipWithoutChromium } from './ui-harness.ts';
import { visit } from './ui-shared-page.ts';

/** By the clock of the page. Longer than this without a tick, and it would connect anew. */
const WATCHED_MS = 25_000;

describe('pages that wait', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();
  let gateway: RunningGateway;
  let page: Page;
  /** Requests the page sent, and those that are not answered. */
  const sent: string[] = [];
  const open = new Set<string>();

  before(async () => {
    gateway = await startGateway();
    harness.atTheEnd(async () => gateway[Symbol.asyncDispose]());
    page = await harness.open(
      `http://127.0.0.1:${gateway.instance.port}/#token=${REAL_TOKEN}`,
      { kept: true },
      async (fresh) => {
        await fresh.clock.install();
        fresh.on('websocket', (socket) => {
          socket.on('framesent', ({ payload }) => {
            const { id, method } = JSON.parse(String(payload)) as { id: string; method: string };
            sent.push(method);
            open.add(id);
          });
          socket.on('framereceived', ({ payload }) => {
            const { type, id } = JSON.parse(String(payload)) as { type: string; id: string };
            if (type === 'res') open.delete(id);
          });
        });
      },
    );
    await becomes(page, `document.querySelector('claw-rail')?.app.connection.state.phase === 'connected'`);
  });

  /** What it sends while nothing happens. What a page asks for when it is opened may come late, but comes once. */
  async function asks(): Promise<readonly string[]> {
    let found: readonly string[] = [];
    for (let attempts = 0; attempts < 4; attempts++) {
      // An answer in between, so that the page does not take the time that is skipped for a dead connection.
      await page.evaluate(`document.querySelector('claw-rail').app.request('status')`);
      await until(() => open.size === 0, 'the page to have its answers');
      const before = sent.length;
      await page.clock.runFor(WATCHED_MS);
      found = sent.slice(before);
      if (found.length === 0) break;
    }
    return found;
  }

  test('ask for nothing', async () => {
    const pages = page.locator('.rail-group .rail-item');
    const asked: Record<string, readonly string[]> = {};
    const count = await pages.count();
    assert.ok(count >= 16, `${count} pages`);
    for (let at = 0; at < count; at++) {
      await pages.nth(at).click();
      const found = await asks();
      if (found.length > 0) asked[await pages.nth(at).innerText()] = found;
    }
    assert.deepEqual(asked, {});
  });

  test('a page that does ask is found', async () => {
    await page.evaluate(`(() => {
      const { app } = document.querySelector('claw-rail');
      window.polling = setInterval(() => void app.request('health'), 4000);
    })()`);
    assert.ok((await asks()).length >= 5);
    await page.evaluate('clearInterval(window.polling)');
  });

  test('the log shows a line as it is written', async () => {
    await visit(page, '/logs');
    await page.waitForSelector('.log-line b:text("gateway.ready")');
    const stranger = new WebSocket(`ws://127.0.0.1:${gateway.instance.port}`);
    stranger.once('message', () => stranger.send('not a request'));
    await page.waitForSelector('.log-line b:text("gateway.refused")');
    stranger.terminate();
    assert.equal(await page.locator('.log-line b:text("gateway.refused")').count(), 1);
  });
});
