/** The list of conversations, other pages, phone width, and the size of the first load. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { firstLoad } from '../../ui/dev/bundle-size.ts';
import { becomes, harnessOfCases, say, signedIn, skipWithoutChromium, TOKEN } from './ui-harness.ts';
import { sharedPage } from './ui-shared-page.ts';
import { BUILT_UI } from '../../ui/dev/fake-gateway.ts';
import { until } from '../../src/testing/until.ts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** Bytes of the built files of these names, gzip. */
const compressed = (names: RegExp): number =>
  readdirSync(join(BUILT_UI, 'assets'))
    .filter((name) => names.test(name))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(BUILT_UI, 'assets', name))).length, 0);

describe('control pages', { skip: skipWithoutChromium }, () => {
  const harness = harnessOfCases();
  const shared = sharedPage(harness);

  test('the chat is there after at most 60 kB of script and styles, and complete after 120 kB', () => {
    const { bytes, files } = firstLoad();
    const painted = bytes + compressed(/^shared-.*\.css$/);
    assert.ok(painted <= 60_000, `${painted} bytes in ${files.join(', ')}`);
    const whole = painted + compressed(/^markdown-view-.*\.js$/);
    assert.ok(whole <= 120_000, `${whole} bytes`);
  });

  test('what the first frame does not need is asked for after it', async () => {
    const { page } = await signedIn(harness);
    const asked = `performance.getEntriesByType('resource').find(({ name }) => name.includes('/markdown-view-'))`;
    await becomes(page, `!!${asked}`);
    const ahead = await page.evaluate<string[]>(`(() => {
      const [painted] = performance.getEntriesByName('first-contentful-paint');
      return performance.getEntriesByType('resource')
        .filter(({ name, startTime }) => /\\.js$/.test(name) && startTime < painted.startTime)
        .map(({ name }) => name.split('/').at(-1).replace(/-[^-]*$/, ''));
    })()`);
    assert.ok(!ahead.includes('markdown-view') && !ahead.includes('start-pwa'), ahead.join());
  });

  test('conversations: search, rename, start afresh, delete with a question', async () => {
    const { page, gateway } = await signedIn(harness);
    for (const [id, name] of [
      ['1', 'Ana'],
      ['2', 'Bruno'],
    ] as const)
      Object.assign(gateway.state.session(`agent:main:telegram:dm:${id}`).row, {
        displayName: name,
        isMain: false,
        channel: 'telegram',
      });
    await page.reload();
    await page.locator('.search input').fill('telegram bru');
    await page.waitForSelector('.session[aria-setsize="1"] .session-title:text("Bruno")');
    const act = async (name: string): Promise<void> => {
      await page.hover('.session');
      await page.click('.session-more');
      await page.click(`.session-menu button:text("${name}")`);
    };
    await act('Rename');
    await page.fill('dialog input', 'Bruno, plumber');
    await page.press('dialog input', 'Enter');
    await page.waitForSelector('.session-title:text("Bruno, plumber")');
    await act('Start new session');
    await page.click('dialog button:text("Start new session")');
    await until(() => gateway.requests.some(({ method }) => method === 'sessions.reset'), 'reset');
    await act('Delete');
    await page.click('dialog button:text("Cancel")');
    assert.equal(
      gateway.requests.some(({ method }) => method === 'sessions.delete'),
      false,
    );
    await act('Delete');
    await page.click('dialog button:text("Delete")');
    await page.waitForSelector('.session-list :text("No conversations match.")');
    await page.locator('.search input').fill('main conversation');
    await page.hover('.session');
    await page.click('.session-more');
    assert.equal(
      await page.locator('.session-menu button:text("Delete")').count(),
      0,
      'the main conversation cannot be deleted',
    );
  });

  test('a conversation that answers elsewhere shows it, and what is new', async () => {
    const { page, gateway } = await signedIn(harness);
    await say(page, 'hold');
    await page.waitForSelector('.answer.streaming');
    await page.click('.top [aria-label="New conversation"]');
    await page.waitForSelector('.session:not(.current) .dot.running');
    gateway.state.release();
    await page.waitForSelector('.session:not(.current) .dot:not(.running)');
    assert.equal(await page.locator('claw-answer').count(), 0, 'events of another conversation stay there');
    await page.locator('.session:not(.current) .session-open').click();
    await page.waitForSelector('.answer.done :text("Second half.")');
  });

  test('the offline model and safe mode are said plainly', async () => {
    const gateway = await harness.gateway();
    gateway.state.model = { provider: 'offline', model: 'concierge', source: 'offline' };
    gateway.state.safeMode = true;
    gateway.state.config = {
      ...gateway.state.config,
      valid: false,
      issues: [{ path: 'gateway.port', problem: 'expected a number' }],
    };
    const page = await harness.open(`${gateway.url}/#token=${TOKEN}`);
    await page.waitForSelector('.hint :text("No language model")');
    await page.waitForSelector('.strip.bad :text("Safe mode")');
    await page.goto(`${gateway.url}/logs`);
    await page.waitForSelector('.strip.bad :text("Safe mode")');
    await page.click('.strip.bad button');
    await page.waitForSelector('.issues :text("expected a number")');
  });

  test('overview tells the state of the gateway', async () => {
    const { page } = await shared.conversation();
    await page.click('[title="Overview"]');
    await page.waitForSelector('.tile:has-text("Event loop") .tile-value:text("1.8 ms")');
    assert.match(await page.locator('.tiles').innerText(), /claude-sonnet-4-5/);
    await page.waitForSelector('.row:has-text("Control UI")');
    const rows = await page.locator('.understanding .row').allInnerTexts();
    assert.deepEqual(
      rows.map((row) => row.replaceAll(/\s+/g, ' ')),
      [
        'Links Link reading is off. To turn it on, run clawdbot onboard --links on off',
        'Images by the chat model anthropic/claude-sonnet-4-5 seen',
        'Recordings by whisper-cli, else groq read',
        "Videos Set a key of a provider that supports it, or install ffmpeg on the gateway's machine. no tool",
        'Files by the gateway read',
      ],
    );
  });

  test('configuration: edits survive a reconnect, a bad one names its problems, a stale one is refused', async () => {
    const { page, gateway } = await signedIn(harness);
    await page.click('[title="Config"]');
    const editor = page.locator('.editor');
    await becomes(page, "document.querySelector('.editor')?.value.includes('18789')");
    await editor.fill('{ gateway: { port: "nope" } }');
    gateway.drop();
    await until(() => gateway.connects.length === 2, 'reconnected');
    await page.click('button:text("Check and save")');
    await page.waitForSelector('.issues :text("gateway.port")');
    assert.equal(await editor.inputValue(), '{ gateway: { port: "nope" } }');
    await editor.fill('{ gateway: { port: 1 } } // mine');
    gateway.state.config = { ...gateway.state.config, hash: 'moved on' };
    await editor.press('Control+s');
    await page.waitForSelector('.strip.bad:has-text("config changed since last load")');
    gateway.state.config = { ...gateway.state.config, hash: 'h1' };
    await editor.press('Control+s');
    await page.waitForSelector('.strip.good');
    assert.equal(gateway.state.config.raw, '{ gateway: { port: 1 } } // mine');
  });

  test('logs follow and filter', async () => {
    const { page, gateway } = await shared.conversation();
    gateway.state.logs.push(
      JSON.stringify({ time: 1, level: 'info', event: 'gateway.ready' }),
      JSON.stringify({ time: 2, level: 'error', event: 'disk.full' }),
    );
    await page.click('[title="Logs"]');
    await page.waitForSelector('.log-line.error b:text("disk.full")');
    gateway.state.logLine({ time: 3, level: 'warn', event: 'telegram.retry' });
    await page.waitForSelector('.log-line b:text("telegram.retry")');
    await page.selectOption('#log-level', 'error');
    await becomes(page, "document.querySelectorAll('.log-line').length === 1");
  });

  test('logs: a range of time, older lines, and from a line to its message', async () => {
    const { page, gateway, session } = await shared.conversation();
    await say(page, 'hello');
    await page.waitForSelector('.answer.done');
    const [runId] = [...gateway.state.ended.keys()].slice(-1);
    gateway.state.logs.push(
      ...[
        { time: '2026-01-01T10:00:00', level: 'info', event: 'long.ago' },
        { time: '2026-01-02T10:00:00', level: 'error', event: 'turn.failed', turnId: runId, sessionKey: session },
        { time: '2026-01-03T10:00:00', level: 'info', event: 'much.later' },
      ].map((line) => JSON.stringify(line)),
    );
    await page.click('[title="Logs"]');
    await page.waitForSelector('.log-line b:text("much.later")');
    await page.fill('.log-range >> nth=0 >> input', '2026-01-02T00:00:00');
    await page.fill('.log-range >> nth=1 >> input', '2026-01-02T23:59:59');
    await becomes(page, `document.querySelectorAll('.log-line').length === 1`);
    await page.click('.log-line .link');
    await page.waitForSelector('.answer.done');
    assert.equal(new URL(page.url()).searchParams.get('session'), session);
  });

  test('model, thinking and what is shown are chosen for one conversation', async () => {
    const { page, gateway, session } = await shared.conversation();
    await say(page, 'hello');
    await page.waitForSelector('.answer.done');
    await page.click('.top-meta');
    await page.selectOption('.session-settings select >> nth=1', 'high');
    await page.selectOption('.session-settings select >> nth=2', 'full');
    await until(
      () => gateway.requests.filter(({ method }) => method === 'sessions.patch').length === 2,
      'both changes',
    );
    assert.deepEqual(
      gateway.requests.filter(({ method }) => method === 'sessions.patch').map(({ params }) => params),
      [
        { key: session, thinkingLevel: 'high' },
        { key: session, verboseLevel: 'full' },
      ],
    );
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.session-settings').count(), 0);
  });

  test('devices: approve, refuse, revoke', async () => {
    const { page, gateway } = await shared.conversation();
    const request = (id: string, name: string) => ({
      requestId: id,
      deviceId: `device${id}`,
      displayName: name,
      role: 'operator',
      scopes: ['operator.read'],
      ts: 1,
    });
    gateway.state.devices = { pending: [request('1', 'Phone'), request('2', 'Stranger')], paired: [] };
    await page.click('[title="Devices"]');
    await page.locator('.row', { hasText: 'Phone' }).getByText('Approve').click();
    await page.waitForSelector('.row:has-text("Phone") button:text("Revoke")');
    await page.locator('.row', { hasText: 'Stranger' }).getByText('Reject').click();
    await page.waitForSelector(':text("No pairing requests")');
    await page.click('button:text("Revoke")');
    await page.click('dialog button:text("Revoke")');
    await page.waitForSelector(':text("No paired devices.")');
  });

  test('on a phone nothing is wider than the screen and the list slides in', async () => {
    const { page, gateway } = await signedIn(harness, { window: PHONE });
    await say(page, 'show markdown');
    await page.waitForSelector('.answer.done');
    const fits = async (name: string): Promise<void> =>
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, name);
    await fits('chat');
    assert.equal(await page.locator('.side').isVisible(), false);
    await page.click('.menu-button');
    await page.waitForSelector('.side .session');
    await page.keyboard.press('Escape');
    await page.waitForSelector('.side', { state: 'hidden' });
    for (const name of ['overview', 'config', 'logs', 'devices']) {
      await page.goto(`${gateway.url}/${name}`);
      await page.waitForSelector(`claw-${name}`);
      await fits(name);
    }
  });

  test('the chosen theme is there before the first paint after a reload', async () => {
    const { page } = await signedIn(harness, { window: { colorScheme: 'light' } });
    const paper = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await paper();
    await page.click('[aria-label^="Theme: system"]');
    await page.click('[aria-label^="Theme: light"]');
    const dark = await paper();
    assert.notEqual(dark, light);
    await page.reload({ waitUntil: 'commit' });
    await page.waitForSelector('body');
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark');
  });
});
