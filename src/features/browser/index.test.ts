import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { request } from 'node:http';
import { fakeTerminal } from '../../cli/fake.ts';
import { readEnv } from '../../platform/env.ts';
import { startGateway, type RunningGateway } from '../../testing/running-gateway.ts';
import { browserCommand } from './commands/run-command.ts';
import { commands } from './cli.ts';
import { CALLS } from './commands/call-of.ts';
import { startFakePages, type FakePages } from './fake-pages.ts';
import { CHROMIUM, skipWithoutChromium } from './harness.ts';

const TOKEN = 'test-token-of-sufficient-length';

test('every command line has its call', () => {
  assert.deepEqual(commands.map(({ name }) => name.replace(/^browser /, '')).sort(), Object.keys(CALLS).sort());
});

test('switched off, it opens no port and makes nothing, and says who can switch it on', async () => {
  await using gateway = await startGateway({ config: { browser: { enabled: false } } });
  await using chat = await gateway.connect();
  const asked = chat.call('browser.request', { method: 'GET', path: '/' });
  await assert.rejects(asked, /switched off \(browser\.enabled\)/);
  assert.equal(existsSync(join(gateway.stateDir, 'browser')), false);
});

describe('a gateway with a browser', { skip: skipWithoutChromium }, () => {
  let gateway: RunningGateway;
  let pages: FakePages;
  let control = '';
  before(async () => {
    pages = await startFakePages();
    const browser = { executablePath: CHROMIUM, headless: true, ssrfPolicy: { allowRanges: ['127.0.0.1/32'] } };
    gateway = await startGateway({ config: { browser } });
    await using chat = await gateway.connect();
    const { controlUrl } = await chat.call<any>('browser.request', { method: 'GET', path: '/' });
    control = new URL(controlUrl).port;
  });
  after(async () => {
    await gateway[Symbol.asyncDispose]();
    await pages[Symbol.asyncDispose]();
  });

  const ask = (
    path: string,
    { headers = {}, method = 'GET', body }: { headers?: object; method?: string; body?: object } = {},
  ) =>
    new Promise<{ status: number; body: any }>((resolve, reject) => {
      const asked = request(
        {
          host: '127.0.0.1',
          port: control,
          path,
          method,
          headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
        },
        async (response) => {
          let text = '';
          for await (const piece of response.setEncoding('utf8')) text += String(piece);
          resolve({ status: response.statusCode!, body: JSON.parse(text) });
        },
      );
      asked.once('error', reject).end(body ? JSON.stringify(body) : undefined);
    });

  test('nothing was made or started yet; status starts nothing', async () => {
    const { status, body } = await ask('/');
    assert.deepEqual([status, body.enabled, body.profile, body.running], [200, true, 'clawd', false]);
    assert.equal(body.controlUrl, `http://127.0.0.1:${control}`);
    assert.notEqual(Number(control), gateway.instance.port + 2, 'the gateway has a port of the system');
    assert.equal(body.cdpPort, null);
    assert.equal(existsSync(join(gateway.stateDir, 'browser')), false);
  });

  test('120: without the token, by another name, or from a web page nobody is served', async () => {
    assert.equal((await ask('/', { headers: { authorization: '' } })).status, 401);
    assert.equal((await ask('/', { headers: { authorization: 'Bearer wrong' } })).status, 401);
    assert.equal((await ask('/', { headers: { host: 'rebound.example' } })).status, 403);
    assert.equal((await ask('/', { headers: { origin: 'http://127.0.0.1:18789' } })).status, 403);
    assert.equal((await ask('/', { headers: { 'sec-fetch-site': 'cross-site' } })).status, 403);
  });

  test('errors have a status, a sentence and a code', async () => {
    const missing = await ask('/nowhere');
    assert.deepEqual([missing.status, missing.body.code], [404, 'not_found']);
    assert.equal((await ask('/tabs', { method: 'POST', body: {} })).status, 405);
    assert.match((await ask('/?profile=nope')).body.error, /no browser profile "nope"/);
    assert.equal((await ask('/tabs/focus', { method: 'POST', body: { targetId: 'x' } })).status, 409);
    const refused = await ask('/act', { method: 'POST', body: { kind: 'click', selector: 'a' } });
    assert.equal(refused.status, 400, refused.body.error);
  });

  test('the command line drives it, and its words come back for people or as JSON', async () => {
    const chat = await gateway.connect();
    const env = readEnv({ HOME: gateway.stateDir });
    const run = async (name: string, args: string[] = [], flags: Record<string, string | number | true> = {}) => {
      const io = fakeTerminal({ answers: {} });
      const given = {
        has: (flag: string) => flag in flags,
        text: (flag: string) => flags[flag] as string | undefined,
        number: (flag: string) => flags[flag] as number | undefined,
        list: () => [],
      };
      const link = {
        ...(await io.connect({ env, timeoutMs: 1 })),
        request: (method: string, params: unknown) => chat.call(method, params),
      };
      await browserCommand(name)({ args, flags: given, io, gateway: async () => link as never });
      return io.lines.join('\n');
    };
    assert.match(await run('open', [`${pages.url}/form`]), /title: Form/);
    const seen = await run('snapshot', [], { interactive: true });
    const ref = /"Name" \[ref=([^\]]+)\]/.exec(seen)![1]!;
    assert.equal(JSON.parse(await run('type', [ref, 'Ann'], { json: true })).ok, true);
    await run('click', [/"Order" \[ref=([^\]]+)\]/.exec(seen)![1]!]);
    assert.match(await run('snapshot'), /Ann\|\|false\|Small/);
    assert.equal(await run('evaluate', ['document.title']), '"Form"');
    assert.match(await run('tabs'), /^TAB [\s\S]*Form/);
    assert.match(await run('profiles'), /clawd +\d+ +true/);
    assert.ok(existsSync(await run('screenshot')));
    assert.match(await run('stop'), /stopped: true/);
  });
});
