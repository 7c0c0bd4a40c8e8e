/** Shared by the tests of the page: the built page, a real Chromium, and windows that report every error. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, afterEach } from 'node:test';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { until } from '../../src/testing/until.ts';
import { BUILT_UI, startFakeGateway, type FakeGateway, type FakeOptions } from '../../ui/dev/fake-gateway.ts';

/** The one without a window of its own first: it works least. */
const CHROMIUM = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((path) => existsSync(path));
/** For `describe`: the reason to skip, or false. `npm test` builds the page before it runs anything. */
export const skipWithoutChromium =
  CHROMIUM === undefined
    ? 'no Chromium here; install it with: apt-get install chromium-headless-shell'
    : existsSync(BUILT_UI)
      ? false
      : 'the page is not built; run: npm run build';
/** How often the page looks at a condition. */
const POLL_MS = 20;
/** After which it is asked anew: a page that is left answers nothing. */
const ASK_AGAIN_MS = 1000;
/** Far beyond what anything takes, so that a busy machine fails no test. */
const GIVE_UP_MS = 45_000;
export const TOKEN = 'test-token';
/** Of a real gateway as tests start it. */
export const REAL_TOKEN = 'test-token-of-sufficient-length';

export interface Harness {
  gateway(options?: FakeOptions): Promise<FakeGateway>;
  /** Opens `url` in a window of its own; what the page logs as an error is collected in `errors`. */
  open(url: string, options?: WindowOptions, before?: (page: Page) => Promise<void>): Promise<Page>;
  readonly errors: readonly string[];
  /** All that are open and not kept; what no test looks at any more need not be drawn. */
  closeWindows(): Promise<void>;
  /** What is ended with the harness, after its windows. */
  atTheEnd(end: () => Promise<void>): void;
  close(): Promise<void>;
}

/** `kept`: stays open when windows are closed after a case. */
export type WindowOptions = BrowserContextOptions & { readonly kept?: boolean };

/** The browser, made by whoever first needs it and shared until the last test of the process has ended. */
const shared: { browser?: Promise<Browser> } = {};
// An open browser keeps the process of its tests alive.
after(async () => (await shared.browser)?.close());

/** Of the cases of a `describe`: their windows are closed after each, and no page may have logged an error. */
export function harnessOfCases(): Harness {
  const harness = createHarness();
  after(async () => {
    await harness.close();
    assert.deepEqual(harness.errors, [], 'the page logged no errors');
  });
  afterEach(() => harness.closeWindows());
  return harness;
}

/** For whoever closes it. */
export async function openHarness(): Promise<Harness> {
  await sharedBrowser();
  return createHarness();
}

const sharedBrowser = (): Promise<Browser> => (shared.browser ??= launch());

function createHarness(): Harness {
  const contexts = new Set<BrowserContext>();
  const ends: (() => Promise<void>)[] = [];
  const errors: string[] = [];
  const kept = new Set<BrowserContext>();
  const closeAll = async (windows: Set<BrowserContext>): Promise<void> => {
    await Promise.all([...windows].map((context) => context.close()));
    windows.clear();
  };
  const closeWindows = (): Promise<void> => closeAll(contexts);
  return {
    errors,
    gateway: async (options) => {
      const gateway = await startFakeGateway({ token: TOKEN, pace: 1, ...options });
      ends.push(() => gateway.close());
      return gateway;
    },
    open: async (url, { kept: keep = false, ...options } = {}, before) => {
      const context = await (await sharedBrowser()).newContext({
        viewport: { width: 1200, height: 800 },
        // What moves is drawn without end, by the processor, and cannot be clicked until it rests.
        reducedMotion: 'reduce',
        // Costs each window a start of its own; the test of the page as an app allows it.
        serviceWorkers: 'block',
        ...options,
      });
      (keep ? kept : contexts).add(context);
      context.setDefaultTimeout(GIVE_UP_MS);
      const page = await context.newPage();
      page.on('pageerror', (error) => errors.push(String(error.stack)));
      page.on(
        'console',
        (message) =>
          message.type() === 'error' &&
          !/WebSocket connection|ERR_CONNECTION|ERR_INTERNET_DISCONNECTED/.test(message.text()) &&
          errors.push(message.text()),
      );
      await before?.(page);
      await page.goto(url);
      return page;
    },
    closeWindows,
    atTheEnd: (end) => void ends.push(end),
    close: async () => {
      await Promise.all([closeWindows(), closeAll(kept)]);
      await Promise.all(ends.map((end) => end()));
    },
  };
}

const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
    ],
  });

/** A page on a fresh fake gateway, signed in. */
export async function signedIn(
  harness: Harness,
  options: { readonly gateway?: FakeOptions; readonly window?: WindowOptions } = {},
): Promise<{ gateway: FakeGateway; page: Page }> {
  const gateway = await harness.gateway(options.gateway);
  const page = await harness.open(`${gateway.url}/#token=${TOKEN}`, options.window);
  await page.waitForSelector('.chat claw-composer textarea');
  await until(() => gateway.connects.length > 0, 'the page to sign in'); // one can write before that
  return { gateway, page };
}

/** A page whose gateway says nothing until `answers` is resolved: one can write before that. */
export async function unanswered(
  harness: Harness,
): Promise<{ readonly page: Page; readonly answers: PromiseWithResolvers<void> }> {
  const gateway = await harness.gateway();
  const answers = Promise.withResolvers<void>();
  const page = await harness.open(`${gateway.url}/#token=${TOKEN}`, {}, (fresh) =>
    fresh.routeWebSocket(/./, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => void answers.promise.then(() => socket.send(message)));
    }),
  );
  return { page, answers };
}

export async function say(page: Page, text: string): Promise<void> {
  await page.fill('.composer textarea', text);
  await page.press('.composer textarea', 'Enter');
}

/**
 * Resolves when the expression is true in the page; by the debugger, because the page's policy forbids evaluating text.
 * The page itself looks again and again: to ask it each time from here costs more than most expressions.
 */
export async function becomes(page: Page, expression: string): Promise<void> {
  const condition = `new Promise((resolve, reject) => {
    const end = performance.now() + ${ASK_AGAIN_MS};
    const check = () => {
      try {
        if (${expression}) resolve(true);
        else if (performance.now() > end) resolve(false);
        else setTimeout(check, ${POLL_MS});
      } catch (error) { reject(error); }
    };
    check();
  })`;
  const deadline = performance.now() + GIVE_UP_MS;
  while (!(await page.evaluate<boolean>(condition).catch(leftThePage)))
    if (performance.now() > deadline) throw new Error(`never became true: ${expression}`);
}

/** Another document took the place of the one that was asked. */
function leftThePage(error: Error): false {
  if (/context was destroyed|navigat/i.test(error.message)) return false;
  throw error;
}
