/** The Nodes page in a real Chromium on a real gateway: requests, what a node offers, a picture, and removal. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { writeNodeHostFile } from '../../src/config/node-host-file.ts';
import { runNode } from '../../src/node-host/run-node.ts';
import { readEnv } from '../../src/platform/env.ts';
import { findProgram } from '../../src/platform/exec.ts';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { harnessOfCases, REAL_TOKEN, skipWithoutChromium } from './ui-harness.ts';

const hasFfmpeg = (await findProgram('ffmpeg', process.env['PATH'])) !== undefined;
const FITS = 'document.scrollingElement.scrollWidth <= innerWidth';

describe('nodes page', { skip: skipWithoutChromium || (hasFfmpeg ? false : 'no ffmpeg here') }, () => {
  const harness = harnessOfCases();

  test('a node is approved, shows what it offers and a picture, and is removed', async () => {
    await using gateway = await startGateway({ config: {}, token: REAL_TOKEN });
    await using dir = await tempDir('ui-nodes');
    const url = `http://127.0.0.1:${gateway.instance.port}/nodes#token=${REAL_TOKEN}`;
    const page = await harness.open(url);
    await page.waitForSelector('claw-nodes h2:text-is("No nodes")');

    const stateDir = join(dir.path, 'state');
    await mkdir(stateDir);
    await writeNodeHostFile(stateDir, { name: 'Desk <b>', camera: 'test' });
    const stop = new AbortController();
    const host = runNode({
      version: '1.2.3',
      env: readEnv({ HOME: dir.path, CLAWDBOT_STATE_DIR: stateDir, PATH: process.env['PATH']! }),
      url: `ws://127.0.0.1:${gateway.instance.port}`,
      token: REAL_TOKEN,
      signal: stop.signal,
      out: () => undefined,
    });
    await page.waitForSelector('claw-nodes .row:has-text("Desk <b>") li.programs:text-is("system.run")');
    // No direction mark in its name turns the code beside it around.
    assert.equal(
      await page.evaluate("getComputedStyle(document.querySelector('claw-nodes .row b > bdi')).unicodeBidi"),
      'isolate',
    );
    await page.click('claw-nodes .row button:text-is("Approve")');
    await page.waitForSelector('claw-nodes .node-state.on');
    await page.waitForSelector('claw-nodes .card:has(.node-head) li:text-is("camera.snap")');
    await page.waitForSelector('claw-nodes .node-permissions:has-text("Allowed on the device: camera")');
    await page.waitForSelector('claw-nodes .node-missing summary:has-text("Not offered")');
    await page.click('claw-nodes button:text-is("Take a picture")');
    await page.waitForSelector('claw-nodes img.node-picture[src^="data:image/jpeg;base64,"]');
    const shots = process.env['NODES_SHOTS'];
    for (const [name, viewport, scheme] of [
      ['light', { width: 1200, height: 800 }, 'light'],
      ['dark', { width: 1200, height: 800 }, 'dark'],
      ['phone', { width: 390, height: 780 }, 'light'],
    ] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme: scheme });
      assert.equal(await page.evaluate(FITS), true, name);
      if (shots) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
    }
    await page.click('claw-nodes button:text-is("Remove")');
    await page.click('dialog button:text-is("Remove")');
    await page.waitForSelector('claw-nodes .node-state.on', { state: 'detached' });
    stop.abort();
    await host;
  });
});
