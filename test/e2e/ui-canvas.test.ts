/**
 * Canvas documents in the web chat, in a real browser: shown, updated, removed; hostile ones cannot access anything.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { startGateway, type Chat, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import { HOSTILE, LEAVES_AFTER_MS, MAY_ALONE, RAN, SHELL } from '../../src/testing/hostile-documents.ts';
import { becomes, openHarness, REAL_TOKEN, skipWithoutChromium, type Harness } from './ui-harness.ts';

const TIME_TO_ACT_MS = 700;

/** A site of an attacker: everything that reaches it is noted. */
async function openTrap(): Promise<{ readonly server: Server; readonly url: string; readonly heard: string[] }> {
  const heard: string[] = [];
  const server = createServer((req, res) => {
    heard.push(req.url ?? '');
    res.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' }).end('<title>trap</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

const make = (args: object) => ({ calls: [{ id: 'a', name: 'canvas_document', args }] });

describe('documents in the web chat', { skip: skipWithoutChromium }, () => {
  let harness: Harness;
  let gateway: RunningGateway;
  let chat: Chat;
  before(async () => {
    harness = await openHarness();
    gateway = await startGateway({ config: { canvasHost: { port: 0 } } });
    chat = await gateway.connect();
  });
  after(async () => {
    await harness.close();
    await gateway[Symbol.asyncDispose]();
  });

  const at = (path: string): string => `http://127.0.0.1:${gateway.instance.port}${path}#token=${REAL_TOKEN}`;
  const show = async (session: string, args: object): Promise<Page> => {
    gateway.models.reply(make(args), { text: ['Here it is.'] });
    await chat.say('Show it.', { session });
    const page = await harness.open(at(`/?session=${encodeURIComponent(session)}`));
    await page.waitForSelector('.canvas-frame iframe');
    return page;
  };
  const documentIn = (page: Page): Promise<Frame> =>
    until(() => page.frames().find((frame) => frame.url().includes('/canvas/documents/')), 'the frame');

  it('one is shown with its title and height, runs its scripts, changes live, and is said to be removed', async () => {
    const html =
      '<!doctype html><style>body{font:16px system-ui;margin:16px}</style><h1>Sales</h1>' +
      '<script>document.body.append("ran", " ", origin)</script>';
    const page = await show('agent:main:shown', { id: 'cv_shown', title: 'Sales of the week', height: 300, html });
    const frame = await documentIn(page);
    await frame.waitForSelector('h1');
    assert.match((await frame.textContent('body'))!, /ran null/);
    assert.equal(await page.getAttribute('.canvas-frame iframe', 'sandbox'), 'allow-scripts');
    assert.equal(await page.getAttribute('.canvas-frame iframe', 'height'), '300');
    assert.equal(await page.textContent('.canvas-frame figcaption span'), 'Sales of the week');
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/canvas.png` });
    gateway.models.reply(make({ id: 'cv_shown', html: '<h1>Newer</h1>' }), { text: ['Changed.'] });
    await chat.say('Change it.', { session: 'agent:main:shown' });
    await until(
      async () => (await (await documentIn(page)).textContent('h1').catch(() => '')) === 'Newer',
      'the new page',
    );
    await chat.call('canvas.documents.delete', { id: 'cv_shown' });
    await becomes(page, "document.querySelector('.canvas-problem')?.textContent.includes('was removed')");
    await harness.closeWindows();
  });

  it('one loads its own files: modules, data, styles, pictures and workers', async () => {
    const workspace = join(gateway.stateDir, '..', 'clawd');
    await chat.say('hello');
    const files = {
      'app.js': `import { one } from './part.js';
        const data = await (await fetch('data.json')).json();
        const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(3)'])));
        worker.onmessage = ({ data: three }) => (document.title = one + data.two + three);`,
      'part.js': 'export const one = 1;',
      'data.json': '{"two": 2}',
      'style.css': 'h1 { color: rgb(1, 2, 3); }',
      'dot.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"><rect width="7" height="7"/></svg>',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(workspace, name), text);
    const html =
      '<!doctype html><link rel="stylesheet" href="style.css"><h1>Files</h1><img src="dot.svg">' +
      '<script type="module" src="app.js"></script>';
    const page = await show('agent:main:files', { id: 'cv_files', html, assets: Object.keys(files) });
    const frame = await documentIn(page);
    await until(async () => (await frame.title().catch(() => '')) === '6', 'everything to be loaded');
    assert.equal(await frame.evaluate('getComputedStyle(document.querySelector("h1")).color'), 'rgb(1, 2, 3)');
    assert.equal(await frame.evaluate('document.querySelector("img").naturalWidth'), 7);
    await harness.closeWindows();
  });

  it('a page of the canvas folder comes again when its file changes', async () => {
    const { path } = await chat.call('canvas.open', { url: '/__openclaw__/canvas/' });
    const page = await harness.open(`http://127.0.0.1:${gateway.instance.port}${path}`);
    await page.waitForSelector('h1');
    const file = join(gateway.stateDir, '..', 'clawd', 'canvas', 'index.html');
    let n = 0;
    await until(async () => {
      // Until the page is connected nobody hears of a change.
      await writeFile(file, `<!doctype html><body><h2>v${++n}</h2></body>`);
      return (await page.textContent('h2', { timeout: 200 }).catch(() => '')) !== '';
    }, 'the page to come again');
    await harness.closeWindows();
  });

  it('the page of the canvas lists documents, shows one, restores a version and removes it', async () => {
    for (const html of ['<h1>One</h1>', '<h1>Two</h1>']) {
      gateway.models.reply(make({ id: 'cv_listed', title: 'Listed', html }), { text: ['Ok.'] });
      await chat.say('Show it.', { session: 'agent:main:listed' });
    }
    const page = await harness.open(at('/canvas'));
    await page.click('li:has-text("Listed") button:has-text("Show")');
    await until(async () => (await (await documentIn(page)).textContent('h1').catch(() => '')) === 'Two', 'the page');
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/canvas-page.png` });
    await page.click('button:has-text("Restore version 1")');
    await until(
      async () => (await (await documentIn(page)).textContent('h1').catch(() => '')) === 'One',
      'the earlier page',
    );
    await page.click('li:has-text("Listed") button:has-text("Remove")');
    await page.click('dialog button:has-text("Remove")');
    await becomes(
      page,
      "document.body.textContent.includes('No documents yet') || !document.body.textContent.includes('Listed')",
    );
    await harness.closeWindows();
  });

  it(`hostile documents reach nothing with ${HOSTILE.length} attacks, framed and in a tab of their own`, async (t) => {
    const trap = await openTrap();
    const beside = await page0(harness, at('/'));
    const stolen: string[] = [];
    try {
      for (const level of ['strict', 'scripts'] as const) {
        const id = `cv_hostile_${level}`;
        const html = SHELL(HOSTILE, { trap: trap.url, gateway: `http://127.0.0.1:${gateway.instance.port}` });
        const page = await show(`agent:main:hostile-${level}`, {
          id,
          title: '<img src=x onerror=alert(1)>',
          html,
          sandbox: level,
        });
        const dialogs: string[] = [];
        page.on('dialog', (dialog) => {
          dialogs.push(dialog.message());
          void dialog.dismiss();
        });
        const opened: Page[] = [];
        page.context().on('page', (one) => opened.push(one));
        const address = page.url();
        await page.waitForTimeout(TIME_TO_ACT_MS);
        const framed = await resultsOf(page, level);
        if (dialogs.length > 0) stolen.push(`${level}: a dialog`);
        if (opened.length > 0) stolen.push(`${level}: a window`);
        assert.equal(page.url(), address, `${level}: the page stays where it is`);
        assert.equal(await page.evaluate('window.hacked'), undefined);
        const src = (await page.getAttribute('.canvas-frame iframe', 'src'))!;
        const alone = await harness.open(src, WITH_WORKERS);
        await alone.waitForTimeout(TIME_TO_ACT_MS);
        const apart = await resultsOf(alone, `${level}, alone`);
        // Where no script runs, none says that it ran.
        for (const got of [framed, apart])
          assert.equal(
            got.some((one) => one.endsWith(RAN)),
            level === 'scripts',
          );
        stolen.push(...[...framed, ...apart].filter((one) => !one.endsWith(RAN)));
        await alone.waitForTimeout(LEAVES_AFTER_MS);
        await harness.closeWindows();
      }
      assert.equal(await beside.evaluate('window.hacked'), undefined);
    } finally {
      trap.server.closeAllConnections();
      trap.server.close();
    }
    const heard = trap.heard.filter((url) => !MAY_ALONE.test(url)).map((url) => `the network: ${url}`);
    t.diagnostic(`${HOSTILE.length * 4} attacks, ${new Set([...stolen, ...heard]).size} successful`);
    assert.deepEqual([...new Set([...stolen, ...heard])], []);
  });
});

describe('trusted documents in the web chat', { skip: skipWithoutChromium }, () => {
  it('have an origin where nothing of the gateway is', async (t) => {
    const harness = await openHarness();
    const gateway = await startGateway({
      config: { canvasHost: { port: 0 }, gateway: { controlUi: { embedSandbox: 'trusted' } } },
    });
    const trap = await openTrap();
    try {
      await using chat = await gateway.connect();
      const html = SHELL(HOSTILE, { trap: trap.url, gateway: `http://127.0.0.1:${gateway.instance.port}` });
      gateway.models.reply(make({ id: 'cv_trusted', html }), { text: ['Here it is.'] });
      await chat.say('Show it.');
      const page = await harness.open(`http://127.0.0.1:${gateway.instance.port}/#token=${REAL_TOKEN}`, WITH_WORKERS);
      await page.waitForSelector('.canvas-frame iframe');
      await page.waitForTimeout(TIME_TO_ACT_MS);
      const got = await resultsOf(page, 'trusted');
      assert.ok(
        got.some((one) => one.includes('has an origin: http://127.0.0.1:')),
        'the page ran',
      );
      await page.waitForTimeout(LEAVES_AFTER_MS);
      const stolen = got.filter((one) => !one.endsWith(RAN) && !OWN.some((name) => one.includes(`: ${name}: `)));
      assert.ok(!JSON.stringify(got).includes(REAL_TOKEN));
      assert.equal(await page.evaluate('window.hacked'), undefined);
      t.diagnostic(`${HOSTILE.length} attacks, ${stolen.length + trap.heard.length} successful`);
      assert.deepEqual([...stolen, ...trap.heard], []);
    } finally {
      trap.server.closeAllConnections();
      trap.server.close();
      await gateway[Symbol.asyncDispose]();
      await harness.close();
    }
  });
});

/** Where a document could register one, it tries. */
const WITH_WORKERS = { serviceWorkers: 'allow' } as const;

/** What a page with an origin has for itself. */
const OWN = [
  'has an origin',
  'reads localStorage',
  'reads sessionStorage',
  'opens a database',
  'reads caches',
  'writes cookies',
];

/** A signed-in page beside the hostile ones, of the same browser. */
async function page0(harness: Harness, url: string): Promise<Page> {
  const page = await harness.open(url, { kept: true });
  await page.waitForSelector('.chat claw-composer textarea');
  return page;
}

/** What the attacks say of themselves; where no script runs, nothing does. */
async function resultsOf(page: Page, where: string): Promise<string[]> {
  const frames = page.frames().filter((frame) => frame.url().includes('/canvas/documents/'));
  const said = await Promise.all(
    frames.map((frame) => frame.evaluate('globalThis.results ?? []').catch(() => []) as Promise<string[]>),
  );
  return said.flat().map((attack) => `${where}: ${attack}`);
}
