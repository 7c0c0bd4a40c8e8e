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
import { begin, killCases } from './fake-kill-cases.ts';
import { startFakePages, type FakePages } from './fake-pages.ts';
import { CHROMIUM, skipWithoutChromium } from './harness.ts';

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
    connectGateway({ url: `ws://127.0.0.1:${gateway.port}`, token: gateway.token, caps: [], timeoutMs: 120_000 });
  const call = (method: string, path: string, body: object = {}, { file = false } = {}): Promise<any> => {
    const files = [{ name: 'a.txt', mimeType: 'text/plain', data: 'eA==' }];
    const given = file ? { ...body, files } : body;
    return link.call('browser.request', { method, path, ...(method === 'POST' ? { body: given } : { query: given }) });
  };
  /** Calls of one connection are processed in order, so this one uses another connection. */
  const status = async (): Promise<unknown> => {
    await using beside = await connect();
    return await beside.call('browser.request', { method: 'GET', path: '/' });
  };
  const again = async (): Promise<void> => {
    await gateway[Symbol.asyncDispose]();
    gateway = await home.start();
    link = await connect();
  };

  for (const one of killCases())
    test(`${one.name}: the next start ends the browser, and the next call works`, async () => {
      const { ended, asked } = await begin(one, { pages, call, status });
      const was = await browsersOf(home.state);
      assert.equal(was.length, 1);
      await again();
      const outcome = await ended;
      if (outcome instanceof Error) assert.match(outcome.message, /closed the connection/);
      else assert.ok(one.mayAnswer, `${one.name} cannot have an answer`);
      await until(async () => (await browsersOf(home.state)).length === 0);
      const next = await call('GET', '/snapshot').catch((error: Error) => error.message);
      if (!one.endsPage) assert.match(String(next), /started again\. The page that was open is gone: .*\/held/);
      await call('POST', '/tabs/open', { url: `${pages.url}/form` });
      assert.match((await call('GET', '/snapshot')).snapshot, /Order/);
      const now = await browsersOf(home.state);
      assert.deepEqual([now.length, now[0] === was[0]], [1, false]);
      if (one.asks !== undefined) assert.equal(asked(), 1, 'done once');
      await call('POST', '/stop');
    });

  test('start and stop: whatever was reached of them, no browser is left and the next one starts', async () => {
    for (const path of ['/start', '/stop']) {
      if (path === '/stop') await call('POST', '/start');
      const ended: Promise<unknown> = call('POST', path).catch((error: unknown) => error);
      await until(async () => (await browsersOf(home.state)).length === (path === '/start' ? 1 : 0));
      await again();
      await ended;
      await until(async () => (await browsersOf(home.state)).length === 0);
      await call('POST', '/tabs/open', { url: `${pages.url}/form` });
      assert.equal((await browsersOf(home.state)).length, 1);
      await call('POST', '/stop');
    }
  });

  test('a profile that was being made or removed is there or is not, and the same call again says which', async () => {
    const names = async (): Promise<readonly string[]> =>
      (await call('GET', '/profiles')).profiles.map(({ name }: { name: string }) => name);
    const killed = async (method: string, path: string, body: object): Promise<void> => {
      const ended = call(method, path, body).catch((error: unknown) => error);
      await again();
      await ended;
    };
    await killed('POST', '/profiles/create', { name: 'work' });
    const made = (await names()).includes('work');
    const repeated = call('POST', '/profiles/create', { name: 'work' });
    if (made) await assert.rejects(repeated, /There is a profile "work" already/);
    else assert.equal((await repeated).profile, 'work');
    await killed('DELETE', '/profiles/work', {});
    const left = (await names()).includes('work');
    const removed = call('DELETE', '/profiles/work');
    if (left) assert.equal((await removed).profile, 'work');
    else await assert.rejects(removed, /no browser profile "work"/);
    assert.deepEqual(await names(), ['clawd']);
  });

  test('an agent is told that what it did was interrupted, and that its page is gone', async () => {
    const use = (args: object) => ({ calls: [{ id: 'c1', name: 'browser', args }] });
    const from = pages.asked.length;
    const asked = (): number => pages.asked.slice(from).filter((line) => line === 'GET /silent?evaluate').length;
    const held = { kind: 'evaluate', fn: "hold('evaluate')", timeoutMs: 60_000 };
    models.reply(
      use({ action: 'open', targetUrl: `${pages.url}/held` }),
      { calls: [{ id: 'c2', name: 'browser', args: { action: 'act', request: held } }] },
      { calls: [{ id: 'c3', name: 'browser', args: { action: 'snapshot' } }] },
      { text: ['I see.'] },
    );
    await link.call('chat.send', { sessionKey: 'main', message: 'order', idempotencyKey: 'k1' });
    await until(() => asked() === 1);
    await again();
    await until(() => models.requests.at(-1)?.toolResults.length === 3);
    const [, interrupted, gone] = models.requests.at(-1)!.toolResults.map(({ text }) => text);
    assert.match(interrupted!, /restarted while this browser call was running\. Its outcome is unknown/);
    assert.match(gone!, /The page that was open is gone: .*\/held/);
    assert.equal(asked(), 1, 'done once');
  });
});

/** Main processes of browsers with a folder in this state directory, without wrapper scripts. */
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
