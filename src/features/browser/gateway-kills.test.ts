/**
 * SIGKILL of the gateway while its browser is busy: no browser remains, nothing is done twice, and the session is
 * notified. Each gateway that recovers is killed next.
 */
import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connectGateway, type GatewayConnection } from '../../gateway/client.ts';
import { startFakeModels, type FakeModelServer } from '../../testing/fake-models/fake-model-server.ts';
import { ownHome, type OwnGateway, type OwnHome } from '../../testing/own-gateway.ts';
import { withModel } from '../../testing/running-gateway.ts';
import { until } from '../../testing/until.ts';
import { startFakePages, type FakePages } from './fake-pages.ts';
import { CHROMIUM, skipWithoutChromium } from './harness.ts';

interface Case {
  readonly name: string;
  readonly path: string;
  body(url: string): object;
  /** What the page or the browser asks of the server when it is under way. */
  readonly asks: string;
}

const HELD = "const one = new XMLHttpRequest(); one.open('GET', '/silent?held', false); one.send()";
const act = (body: object): object => ({ timeoutMs: 60_000, ...body });
const CASES: readonly Case[] = [
  { name: 'evaluate', path: '/act', asks: '/silent?held', body: () => act({ kind: 'evaluate', fn: HELD }) },
  { name: 'navigate', path: '/navigate', asks: '/silent?page', body: (url) => ({ url: `${url}/silent?page` }) },
  { name: 'open', path: '/tabs/open', asks: '/silent?tab', body: (url) => ({ url: `${url}/silent?tab` }) },
  {
    name: 'wait',
    path: '/act',
    asks: '/silent?wait',
    body: () => act({ kind: 'wait', fn: "globalThis.asked ??= fetch('/silent?wait'), false" }),
  },
  {
    name: 'batch',
    path: '/act',
    asks: '/silent?batch',
    body: () => act({ kind: 'batch', actions: [{ kind: 'evaluate', fn: "await fetch('/silent?batch')" }] }),
  },
];
const cases = process.env['TEST_MATRICES'] === 'full' ? CASES : CASES.slice(0, 1);

describe('a gateway that is killed while its browser is at work', { skip: skipWithoutChromium }, () => {
  let home: OwnHome;
  let pages: FakePages;
  let models: FakeModelServer;
  let gateway: OwnGateway;
  let link: GatewayConnection;
  before(async () => {
    [home, pages, models] = await Promise.all([ownHome(), startFakePages(), startFakeModels()]);
    const browser = { executablePath: CHROMIUM, headless: true, ssrfPolicy: { allowRanges: ['127.0.0.1/32'] } };
    await writeFile(join(home.state, 'clawdbot.json'), JSON.stringify(withModel({ browser }, models.url)));
    gateway = await home.start();
    link = await connect();
  });
  after(async () => {
    await gateway?.stop();
    for (const one of [home, pages, models]) await one?.[Symbol.asyncDispose]();
  });

  const connect = (): Promise<GatewayConnection> =>
    connectGateway({ url: `ws://127.0.0.1:${gateway.port}`, token: gateway.token, caps: [] });
  const call = (method: string, path: string, body: object = {}): Promise<any> =>
    link.call('browser.request', { method, path, ...(method === 'POST' ? { body } : { query: body }) });
  const asked = (what: string, from: number): number =>
    pages.asked.slice(from).filter((one) => one === `GET ${what}`).length;
  const again = async (): Promise<void> => {
    await gateway[Symbol.asyncDispose]();
    gateway = await home.start();
    link = await connect();
  };

  for (const { name, path, body, asks } of cases)
    test(`${name}: the next start ends the browser, and the next call works`, async () => {
      await call('POST', '/tabs/open', { url: `${pages.url}/form` });
      const [from, was] = [pages.asked.length, await browsersOf(home.state)];
      assert.equal(was.length, 1);
      const lost = call('POST', path, body(pages.url)).then(
        () => 'answered',
        (error: Error) => error.message,
      );
      await until(() => asked(asks, from) === 1);
      await again();
      assert.match(await lost, /closed the connection/);
      await until(async () => (await browsersOf(home.state)).length === 0);
      await assert.rejects(call('GET', '/snapshot'), /started again\. The page that was open is gone: .*\/form/);
      await call('POST', '/tabs/open', { url: `${pages.url}/form` });
      assert.match((await call('GET', '/snapshot')).snapshot, /Order/);
      const now = await browsersOf(home.state);
      assert.deepEqual([now.length, now[0] === was[0], asked(asks, from)], [1, false, 1]);
    });

  test('an agent is told that what it did was interrupted, and that its page is gone', async () => {
    const use = (args: object) => ({ calls: [{ id: 'c1', name: 'browser', args }] });
    const from = pages.asked.length;
    models.reply(
      use({ action: 'open', targetUrl: `${pages.url}/form` }),
      { calls: [{ id: 'c2', name: 'browser', args: { action: 'act', request: act({ kind: 'evaluate', fn: HELD }) } }] },
      { calls: [{ id: 'c3', name: 'browser', args: { action: 'snapshot' } }] },
      { text: ['I see.'] },
    );
    await link.call('chat.send', { sessionKey: 'main', message: 'order', idempotencyKey: 'k1' });
    await until(() => asked('/silent?held', from) === 1);
    await again();
    await until(() => models.requests.at(-1)?.toolResults.length === 3);
    const [, interrupted, gone] = models.requests.at(-1)!.toolResults.map(({ text }) => text);
    assert.match(interrupted!, /restarted while this browser call was running\. Its outcome is unknown/);
    assert.match(gone!, /The page that was open is gone: .*\/form/);
    assert.equal(asked('/silent?held', from), 1, 'done once');
  });
});

/** The main processes of browsers with a folder in this state directory, without the script that starts each. */
async function browsersOf(state: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map(async (pid) => ({
      pid: Number(pid),
      line: await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => ''),
    })),
  );
  return lines
    .filter(({ line }) => line.includes(`--user-data-dir=${state}/browser/`) && !/^\/bin\/sh|--type=/.test(line))
    .map(({ pid }) => pid);
}
