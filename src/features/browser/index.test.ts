import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { request } from 'node:http';
import { promisify } from 'node:util';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { fakeTerminal } from '../../cli/fake.ts';
import { readEnv } from '../../platform/env.ts';
import { connectGateway } from '../../gateway/client.ts';
import { pictureSize } from '../../platform/pictures/picture-size.ts';
import { until } from '../../testing/until.ts';
import { openHarness as openUi, skipWithoutChromium as skipPage } from '../../../test/e2e/ui-harness.ts';
import { data, form, jsonl } from './canvas/fake-surface.ts';
import { startGateway, type RunningGateway } from '../../testing/running-gateway.ts';
import { browserCommand } from './commands/run-command.ts';
import { install } from './commands/install.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { commands } from './cli.ts';
import { CALLS } from './commands/call-of.ts';
import { startFakePages, type FakePages } from './fake-pages.ts';
import { CHROMIUM, skipWithoutChromium } from './harness.ts';

/** `openclaw.mjs` of an installed package `openclaw`, as a stand-in, because the real one has 640 MB. */
const FAMILY = process.env['CLAWDBOT_FAMILY_CLI'];
const skipFamily =
  FAMILY === undefined &&
  'no command line of the family here; npm install openclaw elsewhere, and name openclaw.mjs in CLAWDBOT_FAMILY_CLI';
const TOKEN = 'test-token-of-sufficient-length';

test('every command line has its call', () => {
  const calls = commands.map(({ name }) => name.replace(/^browser /, '')).filter((name) => name !== 'install');
  assert.deepEqual(calls.sort(), Object.keys(CALLS).sort());
});

describe('browser install', { skip: process.platform === 'win32' && 'apt-get is a shell script here' }, () => {
  const linux = { platform: 'linux', isRoot: true } as const;
  /** A machine whose `apt-get install` installs what `installs` lists. */
  async function machine(installs: readonly string[]) {
    const dir = await tempDir('apt');
    const script = `#!/bin/sh
echo "$@" >> ${dir.path}/asked
[ "$1" = update ] && exit 0
for name in ${installs.join(' ')} ''; do
  [ "$4" = "$name" ] || continue
  echo "Unpacking $4"; printf '#!/bin/sh\\n' > ${dir.path}/$4
  /bin/chmod +x ${dir.path}/$4; exit 0
done
echo "E: Unable to locate package $4" >&2; exit 100
`;
    await writeFile(join(dir.path, 'apt-get'), script, { mode: 0o755 });
    const run = (deps: Parameters<typeof install>[1] = linux) => {
      const io = fakeTerminal({ vars: { HOME: dir.path, PATH: `${dir.path}:/bin-of-nobody` } });
      const flags = { has: () => false, text: () => undefined, number: () => undefined, list: () => [] };
      const call = { args: [], flags, io, gateway: () => assert.fail() } as never;
      return { io, ended: install(call, deps, `${dir.path}`) };
    };
    return {
      run,
      asked: () => readFile(join(dir.path, 'asked'), 'utf8'),
      [Symbol.asyncDispose]: dir[Symbol.asyncDispose],
    };
  }

  test('as root on Debian it installs one and says how it goes; then there is nothing to do', async () => {
    await using debian = await machine(['chromium-headless-shell']);
    const { io, ended } = debian.run();
    assert.equal(await ended, 0);
    assert.match(io.lines.join(), /Installed chromium-headless-shell: .*chromium-headless-shell$/);
    assert.match(io.signs(), /Reading the lists[\s\S]*Installing chromium-headless-shell[\s\S]*Unpacking/);
    const again = debian.run();
    assert.equal(await again.ended, 0);
    assert.match(again.io.lines.join(), /A browser is installed/);
    assert.equal((await debian.asked()).split('\n').length, 3, 'asked no more');
  });

  test('what a release does not have is not the end of it; nothing at all is', async () => {
    await using older = await machine(['chromium']);
    assert.equal(await older.run().ended, 0);
    await using none = await machine([]);
    await assert.rejects(none.run().ended, /No browser could be installed/);
  });

  test('it asks for root, and elsewhere names the package', async () => {
    await using debian = await machine([]);
    await assert.rejects(debian.run({ ...linux, isRoot: false }).ended, /sudo apt-get install chromium-headless-shell/);
    await assert.rejects(debian.run({ ...linux, platform: 'darwin' }).ended, /brew install --cask chromium/);
    await assert.rejects(debian.run({ ...linux, platform: 'win32' }).ended, /Google Chrome/);
  });
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

  test('a direct call of the tool works in a session that nobody has written in, and keeps its tabs', async () => {
    const invoke = async (args: object) => {
      const body = JSON.stringify({ tool: 'browser', args, sessionKey: 'agent:main:unwritten' });
      const answer = await gateway.fetch('/tools/invoke', { method: 'POST', body });
      return JSON.stringify(await answer.json());
    };
    const opened = await invoke({ action: 'open', targetUrl: `${pages.url}/form` });
    assert.doesNotMatch(opened, /is gone/);
    assert.match(await invoke({ action: 'tabs' }), /\/form/);
    assert.match(await invoke({ action: 'snapshot' }), /Order/);
    await invoke({ action: 'close' });
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

  test('pictures and control are for operators with every right; frames reach whoever watches', async () => {
    await using chat = await gateway.connect();
    await using other = await gateway.connect();
    const { targetId } = await chat.call('browser.request', {
      method: 'POST',
      path: '/tabs/open',
      body: { url: `${pages.url}/form` },
    });
    const reader = await connectGateway({
      url: `ws://127.0.0.1:${gateway.instance.port}`,
      token: TOKEN,
      scopes: ['operator.read', 'operator.write', 'operator.approvals', 'operator.pairing'],
    });
    const methods = ['browser.overview', 'browser.watch', 'browser.control', 'browser.input', 'browser.file'];
    for (const method of methods) {
      const params = { targetId, take: true, inputs: [], id: 'x' };
      await assert.rejects(reader.call(method, params), /operator\.admin/, method);
    }
    await chat.call('browser.watch', { targetId });
    await chat.event(({ event, payload }) => event === 'browser.frame' && payload.targetId === targetId);
    await other.call('browser.overview');
    assert.equal(other.events.filter(({ event }) => event === 'browser.frame').length, 0);
    await reader.close();
  });

  test('a canvas is shown in a browser of its own, headless too: eval, snapshot, a page in its place', async () => {
    await using chat = await gateway.connect();
    await chat.call('a2ui.push', { jsonl: jsonl(...form()) });
    const { result } = await chat.call('a2ui.eval', { javaScript: 'document.querySelector("button").innerText' });
    assert.equal(result, 'Show the weather');
    await chat.call('a2ui.push', { jsonl: jsonl(data([{ key: '.', valueString: 'Rome' }], '/city')) });
    const city = await chat.call('a2ui.eval', { javaScript: 'document.querySelector("input").value' });
    assert.equal(city.result, 'Rome', 'what was pushed a moment ago is there');
    const whole = await chat.call('a2ui.snapshot', {});
    const { width } = pictureSize(Buffer.from(whole.base64, 'base64'))!;
    const small = await chat.call('a2ui.snapshot', { format: 'jpeg', maxWidth: 300, quality: 0.5 });
    const bytes = Buffer.from(small.base64, 'base64');
    assert.deepEqual([small.format, bytes.subarray(0, 2).toString('hex')], ['jpeg', 'ffd8']);
    assert.ok(width > 600 && Math.abs(pictureSize(bytes)!.width - 300) <= 1, `${width}`);
    const shown = await chat.call('a2ui.show', { url: `${pages.url}/form` });
    assert.equal(shown.view.url, `${pages.url}/form`);
    const title = await chat.call('a2ui.eval', { javaScript: 'document.title' });
    assert.equal(title.result, 'Form', 'the page that is shown, not the one around it');
    const { tabs } = await chat.call('browser.request', { method: 'GET', path: '/tabs' });
    assert.ok(!JSON.stringify(tabs).includes('__clawdbot__'), 'no agent sees the tab');
    await chat.call('a2ui.show', { visible: false });
  });

  test('120: the published command line of the family drives it as it is', { skip: skipFamily }, async () => {
    await using home = await tempDir('family');
    const where = ['--url', `ws://127.0.0.1:${gateway.instance.port}`, '--token', TOKEN, '--json'];
    const run = async (...args: readonly string[]): Promise<any> => {
      const { stdout } = await promisify(execFile)(process.execPath, [FAMILY!, 'browser', ...where, ...args], {
        env: { HOME: home.path, OPENCLAW_STATE_DIR: join(home.path, 'state'), PATH: process.env['PATH'] ?? '' },
      });
      return JSON.parse(stdout.slice(stdout.indexOf('{')));
    };
    assert.equal((await run('status')).profile, 'clawd');
    assert.equal((await run('open', `${pages.url}/form`)).title, 'Form');
    const { snapshot } = await run('snapshot', '--interactive');
    const ref = (name: string): string => new RegExp(`"${name}" \\[ref=([^\\]]+)\\]`).exec(snapshot)![1]!;
    assert.equal((await run('type', ref('Name'), 'Ann')).ok, true);
    assert.equal((await run('click', ref('Order'))).ok, true);
    assert.match((await run('snapshot')).snapshot, /Ann\|\|false\|Small/);
    assert.equal((await run('evaluate', '--fn', '() => document.title')).result, 'Form');
    assert.ok((await run('tabs')).tabs.some(({ url }: any) => url === `${pages.url}/form`));
    assert.ok(existsSync((await run('screenshot')).path));
    assert.equal((await run('stop')).running, false);
  });

  test('the Browser page shows the tab, takes it over, types into it and hands it back', {
    skip: skipPage,
  }, async () => {
    const harness = await openUi();
    try {
      await using chat = await gateway.connect();
      const asked = (method: string, path: string, body: object) =>
        chat.call('browser.request', { method, path, ...(method === 'GET' ? { query: body } : { body }) });
      const { targetId } = await asked('POST', '/tabs/open', { url: `${pages.url}/form` });
      const page = await harness.open(`http://127.0.0.1:${gateway.instance.port}/browser#token=${TOKEN}`);
      await page.waitForSelector('.browser-screen img');
      const { snapshot } = await asked('GET', '/snapshot', { targetId, interactive: true });
      const ref = (name: string): string => new RegExp(`"${name}" \\[ref=([^\\]]+)\\]`).exec(snapshot)![1]!;
      await asked('POST', '/act', { targetId, kind: 'click', ref: ref('Order') });
      await page.waitForSelector('.browser-acted:has-text("Order")');
      await page.waitForSelector('.browser-mark');
      await page.click('button:text-is("Take over")');
      await page.waitForSelector('.browser-screen.active');
      const at = await boxOf(asked, targetId, '#name');
      const picture = (await page.locator('.browser-screen img').boundingBox())!;
      const scale = picture.width / at.window;
      await page.mouse.click(picture.x + at.x * scale, picture.y + at.y * scale);
      await page.keyboard.type('Eva');
      await until(async () => (await valueOf(asked, targetId)) === 'Eva');
      const shots = process.env['BROWSER_SHOTS'];
      for (const [name, width, scheme] of [
        ['light', 1280, 'light'],
        ['dark', 1280, 'dark'],
        ['phone', 390, 'light'],
      ] as const) {
        await page.setViewportSize({ width, height: 860 });
        await page.emulateMedia({ colorScheme: scheme });
        if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
        assert.ok(await page.evaluate('document.scrollingElement.scrollWidth <= innerWidth'), name);
        assert.deepEqual(await seriousIn(page), [], name);
      }
      await page.click('button:text-is("Hand back")');
      await page.waitForSelector('button:text-is("Take over")');
      await page.close();
      assert.deepEqual(harness.errors, []);
    } finally {
      await harness.close();
    }
  });
});

/** Accessibility errors found by axe. */
async function seriousIn(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<any>('axe.run(document, { resultTypes: ["violations"] })');
  return violations
    .filter(({ impact }: any) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }: any) => nodes.slice(0, 3).map(({ html }: any) => `${id}: ${html.slice(0, 200)}`));
}

type Ask = (method: string, path: string, body: object) => Promise<any>;
const evaluated = async (asked: Ask, targetId: string, fn: string): Promise<any> =>
  (await asked('POST', '/act', { targetId, kind: 'evaluate', fn })).result;
const valueOf = (asked: Ask, targetId: string): Promise<string> =>
  evaluated(asked, targetId, 'document.querySelector("#name").value');
const boxOf = (asked: Ask, targetId: string, selector: string): Promise<{ x: number; y: number; window: number }> =>
  evaluated(
    asked,
    targetId,
    `(() => { const box = document.querySelector('${selector}').getBoundingClientRect();
      return { x: box.x + 10, y: box.y + 8, window: innerWidth }; })()`,
  );
