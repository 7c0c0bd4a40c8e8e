/**
 * Long lists in the page with a real gateway: older messages and conversations load on scroll, and the scroll position
 * is kept.
 */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { connectGateway } from '../../src/gateway/client.ts';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { tempDir, type TempDir } from '../../src/testing/temp-dir.ts';
import { writeToy } from './toy-feature.ts';
import { becomes, openHarness, skipWithoutChromium, type Harness } from './ui-harness.ts';

const TOKEN = 'test-token-of-sufficient-length';
const skip = skipWithoutChromium;
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const SESSIONS = 450;
const uuid = (index: number): string => `6f0e1c52-7d3c-4f0c-9a53-${String(index).padStart(12, '0')}`;
const SHOTS = process.env['SCREENSHOTS'];

/** A main conversation of so many messages beside 450 others. */
const seed =
  (messages: number) =>
  async (stateDir: string): Promise<void> => {
    const folder = join(stateDir, 'agents', 'main', 'sessions');
    await mkdir(folder, { recursive: true });
    const at = (index: number): string => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
    const message = (index: number): object =>
      index % 2 === 0
        ? { role: 'user', content: [{ type: 'text', text: `question ${index}` }], timestamp: index }
        : {
            role: 'assistant',
            content: [{ type: 'text', text: `answer **${index}** ${'and more words '.repeat((index % 7) * 4)}` }],
            timestamp: index,
            provider: 'fake',
            model: 'model',
            usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, total: 2 },
            stopReason: 'stop',
          };
    const lines = [
      { type: 'session', version: 3, id: uuid(0), timestamp: at(0), cwd: '/', sessionKey: 'agent:main:main' },
      ...Array.from({ length: messages }, (_, index) => ({
        type: 'message',
        id: `m${index}`,
        turnId: `t${Math.floor(index / 2)}`,
        timestamp: at(index),
        message: message(index),
      })),
    ];
    await writeFile(join(folder, `${uuid(0)}.jsonl`), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    const others = Array.from({ length: SESSIONS }, (_, index) => [
      `agent:main:telegram:direct:${1000 + index}`,
      {
        sessionId: uuid(index + 1),
        updatedAt: Date.now() - (index + 1) * 60_000,
        displayName: `Person ${index}`,
        channel: 'telegram',
      },
    ]);
    await writeFile(
      join(folder, 'sessions.json'),
      JSON.stringify({
        'agent:main:main': { sessionId: uuid(0), updatedAt: Date.now() },
        ...Object.fromEntries(others),
      }),
    );
  };

const shot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS) await page.screenshot({ path: join(SHOTS, `${name}.png`) });
};
const people =
  '[...document.querySelectorAll(".messages .person")].map((one) => one.textContent.match(/question (\\d+)/)?.[1]).filter(Boolean).map(Number)';
interface Seen {
  readonly text: string;
  readonly top: number;
  readonly first: number;
}
/** Which message is the first that is wholly visible, and where it stands, after `act`; before the page hears of it. */
const firstSeen = (page: Page, act = ''): Promise<Seen> =>
  page.evaluate(`(() => {
  ${act};
  const edge = document.querySelector('.scroller').getBoundingClientRect().top;
  const found = [...document.querySelectorAll('.messages .person')].find((one) => one.getBoundingClientRect().top >= edge);
  return { text: found.textContent.trim().slice(0, 20), top: Math.round(found.getBoundingClientRect().top), first: ${people}[0] };
})()`);
const scrollTo = (page: Page, top: number): Promise<void> =>
  page.evaluate(`document.querySelector('.scroller').scrollTop = ${top}`);
/**
 * Scrolls up, half a screen at a time, to the first message of all: which were shown on the way, how far what is read
 * ever moved by anything but the scrolling, and how many were in the page at once.
 */
const TO_START = `(async () => {
  const scroller = document.querySelector('.scroller');
  const frame = () => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
  const seen = new Set();
  let [jump, peak] = [0, 0];
  for (let steps = 0; steps < 20000; steps++) {
    const rows = [...document.querySelectorAll('.messages > *')];
    peak = Math.max(peak, rows.length);
    for (const number of ${people}) seen.add(number);
    const row = rows.find((one) => one.getBoundingClientRect().bottom > 160);
    const top = row.getBoundingClientRect().top;
    const from = scroller.scrollTop;
    scroller.scrollTop = from - 400;
    const moved = from - scroller.scrollTop;
    await frame();
    if (row.isConnected) jump = Math.max(jump, Math.abs(row.getBoundingClientRect().top - top - moved));
    if (!document.querySelector('.show-earlier') && scroller.scrollTop === 0) break;
  }
  return { seen: [...seen].sort((a, b) => a - b), jump, peak };
})()`;
const listed = "Number(document.querySelector('.session')?.ariaSetSize)";

describe('more than a page', { skip }, () => {
  let harness: Harness;
  let toys: TempDir;
  /** Of the cases that ask for few messages: with many conversations and a plugin. */
  let gateway: RunningGateway;
  before(async () => {
    harness = await openHarness();
    toys = await tempDir('toy');
    const toy = await writeToy(join(toys.path, 'toy'));
    gateway = await startGateway({ before: seed(20), config: { plugins: { load: { paths: [toy] } } } });
  });
  after(async () => {
    await harness.close();
    await gateway[Symbol.asyncDispose]();
    await toys[Symbol.asyncDispose]();
    assert.deepEqual(harness.errors, [], 'the page logged no errors');
  });
  afterEach(() => harness.closeWindows());
  const address = (port: number, path = ''): string => `http://127.0.0.1:${port}/${path}#token=${TOKEN}`;

  for (const [name, messages, window] of [
    ['wide', 460, {}],
    ['phone', 260, PHONE],
  ] as const) {
    test(`older messages come when somebody scrolls up, to the first one, and nothing jumps (${name})`, async () => {
      await using gateway = await startGateway({ before: seed(messages) });
      const page = await harness.open(address(gateway.instance.port), window);
      await becomes(page, `${people}.at(-1) === ${messages - 2}`);
      const up = await page.evaluate<{ seen: number[]; jump: number; peak: number }>(TO_START);
      assert.deepEqual(
        up.seen,
        Array.from({ length: messages / 2 }, (_, index) => index * 2),
        'all of them, to the first one',
      );
      assert.ok(up.jump <= 2, `what is read moved by ${up.jump} pixels`);
      assert.ok(up.peak < 120, `${up.peak} messages were in the page at once`);
      assert.equal(await page.locator('.show-earlier').count(), 0);
      await shot(page, `first-${name}`);

      gateway.models.reply({ text: ['a fresh answer'] });
      await scrollTo(page, 600);
      const reading = await firstSeen(page);
      await using elsewhere = await gateway.connect();
      await elsewhere.say('one more');
      // At the end, far from what is drawn.
      await becomes(
        page,
        "document.querySelector('claw-messages').items.some(({ status, parts }) => status === 'done' && parts.some(({ text }) => text === 'a fresh answer'))",
      );
      assert.equal(await page.evaluate<number>(`${people}[0]`), 0, 'what was fetched stays when something new is said');
      const still = await firstSeen(page);
      assert.ok(
        still.text === reading.text && Math.abs(still.top - reading.top) <= 4,
        `what is read stays in place: ${JSON.stringify([reading, still])}`,
      );
    });
  }

  test('the place is kept over a reload, however far back it is, and the end is the end again', async () => {
    await using gateway = await startGateway({ before: seed(640) });
    const page = await harness.open(address(gateway.instance.port));
    await becomes(page, `${people}.at(-1) === 638`);
    await becomes(page, `!(document.querySelector('.scroller').scrollTop -= 2000, ${people}.includes(200))`);
    const kept = "[...Object.keys(sessionStorage)].some((name) => name.startsWith('clawdbot.place:'))";
    await becomes(page, kept);
    const before = await firstSeen(page);
    await page.reload();
    await becomes(page, `${people}.includes(${/\d+/.exec(before.text)![0]})`);
    await becomes(
      page,
      `[...document.querySelectorAll('.person')].some((one) => one.textContent.includes('${before.text.trim().split('\n')[0]!.trim()}') && Math.abs(one.getBoundingClientRect().top - ${before.top}) < 4)`,
    );
    await page.click('.to-end');
    await becomes(page, `${people}.at(-1) === 638`);
    await becomes(page, `!(${kept})`);
    await page.reload();
    await becomes(page, `${people}.at(-1) === 638`);
  });

  test('conversations beyond the newest come when somebody scrolls down, and one that is deleted elsewhere goes', async () => {
    const page = await harness.open(address(gateway.instance.port));
    const drawn = "document.querySelectorAll('.session').length";
    await becomes(page, `${listed} === 200`);
    for (const wanted of [400, SESSIONS + 1]) {
      await page.evaluate("document.querySelector('.session-list').scrollTop = 1e9");
      await becomes(page, `${listed} === ${wanted}`);
      await becomes(page, `${drawn} < 120`);
      if (wanted === 400) await shot(page, 'sessions-wide');
    }
    assert.equal(await page.locator('.show-more').count(), 0);
    await page.evaluate("document.querySelector('.session-list').scrollTop = 1e9");
    await page.waitForSelector(`.session-title:text-is("Person ${SESSIONS - 1}")`);
    await using client = await connectGateway({ url: `ws://127.0.0.1:${gateway.instance.port}`, token: TOKEN });
    await client.call('sessions.delete', { key: 'agent:main:telegram:direct:1430' });
    await becomes(page, `${listed} === ${SESSIONS}`);
    await page.reload();
    await becomes(page, `${listed} === 200`);
  });

  test('on a phone the list goes on by its button', async () => {
    const page = await harness.open(address(gateway.instance.port), PHONE);
    await page.waitForSelector('.composer textarea');
    await page.click('.menu-button');
    await page.locator('.show-more').scrollIntoViewIfNeeded();
    await becomes(page, `${listed} > 200`);
    await shot(page, 'sessions-phone');
  });

  test('the overview is told who comes and goes, without asking again', async () => {
    const page = await harness.open(address(gateway.instance.port, 'overview'));
    await page.waitForSelector('.row:has-text("Control UI")');
    const guest = await connectGateway({
      url: `ws://127.0.0.1:${gateway.instance.port}`,
      token: TOKEN,
      client: { id: 'gateway-client', mode: 'backend', displayName: 'Kitchen tablet' },
    });
    await page.waitForSelector('.row:has-text("Kitchen tablet"):has-text("connected just now")');
    await shot(page, 'overview-wide');
    await guest.close();
    await page.waitForSelector('.row:has-text("Kitchen tablet"):has-text("disconnected just now")');
  });

  test('a page that a plugin adds stands in the navigation and speaks with the gateway', async () => {
    const page = await harness.open(address(gateway.instance.port));
    await page.click('.rail-item[title="Toys"]');
    await page.waitForSelector('claw-toy:has-text("It turns 3 times.")');
    await becomes(page, "document.title === 'Toys · Clawdbot' && location.pathname === '/toy'");
    await page.reload();
    await page.waitForSelector('claw-toy:has-text("It turns 3 times.")');
    await page.click('.rail-item[title="Chat"]');
    await page.waitForSelector('.composer textarea');
  });
});
