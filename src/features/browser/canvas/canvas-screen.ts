/** The browser window that shows canvases: started on first use, and closed after a time without use. */
import type { Page } from 'playwright-core';
import { AppError } from '../../../core/errors.ts';
import { setNewest } from '../../../core/bounded-map.ts';
import type { CanvasScreen, ScreenedCanvas, ScreenPicture, ScreenPlacement } from '../../../host/canvas-screen.ts';
import { PAGE_AT_REST } from '../../../platform/page-at-rest.ts';
import type { Timer } from '../../../platform/clock.ts';
import { createSerialQueue } from '../../../platform/keyed-queue.ts';
import { pause } from '../../../platform/pause.ts';
import { whenOver } from '../../../platform/settled.ts';
import { settlesWithin } from '../../../platform/timeout.ts';
import { closePage } from '../driver/close-page.ts';
import { createProfileBrowser, type ProfileBrowser } from '../driver/profile-browser.ts';
import type { StartBrowserDeps } from '../driver/start-browser.ts';
import type { Tab } from '../driver/tab.ts';
import type { Profile } from '../profiles/resolve-profiles.ts';
import { evaluateOff } from '../web-page/act-request.ts';
import { runInPage } from '../web-page/evaluate.ts';
import { inPage } from '../web-page/in-page.ts';
import { pageError } from '../web-page/errors.ts';
import { isHeadless } from '../chromium/launch-options.ts';

export interface CanvasScreenDeps extends StartBrowserDeps {
  /** The port of the gateway, once it listens. */
  port(): number | undefined;
}

export interface OwnCanvasScreen extends CanvasScreen {
  close(): Promise<void>;
}

/** An internal profile: its port is chosen by the system, and its name is not valid in the configuration. */
const PROFILE: Profile = {
  name: '.canvas',
  cdpPort: 0,
  portBySystem: true,
  cdpUrl: 'http://127.0.0.1:0',
  color: '#000000',
  isRemote: false,
  attachOnly: false,
  isDefault: false,
  shared: false,
};

const MAX_CANVASES = 8;
const LOAD_MS = 20_000;
/** Timeout for drawing the canvas, in milliseconds. */
const DRAWN_MS = 5000;
const SCRIPT_MS = 20_000;
const MAX_DELAY_MS = 10_000;
const SWEEP_MS = 60_000;
const MINUTE = 60_000;

interface Shown {
  readonly tab: Tab;
  readonly path: string;
}

export function createCanvasScreen(deps: CanvasScreenDeps): OwnCanvasScreen {
  const browser = createProfileBrowser(PROFILE, { ...deps, tabOpened: () => undefined });
  const shown = new Map<string, Shown>();
  const queue = createSerialQueue();
  const state: { timer?: Timer; usedAt: number } = { usedAt: 0 };
  const touch = (): void => {
    state.usedAt = deps.clock.now();
    state.timer ??= deps.clock.setInterval(() => void whenOver(sweep()), SWEEP_MS).unref();
  };
  async function sweep(): Promise<void> {
    const idleMs = deps.config().limits.idleMinutes * MINUTE;
    if (idleMs > 0 && deps.clock.now() - state.usedAt > idleMs) await browser.stop();
  }
  const isOpen = ({ sessionKey, path }: ScreenedCanvas): Shown | undefined => {
    const known = browser.now ? shown.get(sessionKey) : undefined;
    return known && known.path === path && !known.tab.page.isClosed() && !known.tab.crashed ? known : undefined;
  };
  async function opened(canvas: ScreenedCanvas, signal: AbortSignal): Promise<Tab> {
    touch();
    const open = async (): Promise<Shown> => isOpen(canvas) ?? (await openCanvas(canvas, signal));
    return (isOpen(canvas) ?? (await queue.run(open, signal))).tab;
  }
  async function openCanvas(canvas: ScreenedCanvas, signal: AbortSignal): Promise<Shown> {
    const { tabs } = await liveOf(browser, deps, signal);
    await closeShown(canvas.sessionKey);
    if (shown.size >= MAX_CANVASES) await closeShown(shown.keys().next().value!);
    const tab = await tabs.open(undefined);
    try {
      await tab.page.goto(`http://127.0.0.1:${deps.port()}${canvas.path}`, { timeout: LOAD_MS, signal });
      await settlesWithin(tab.page.waitForFunction(inPage(DRAWN)), DRAWN_MS);
    } catch (error) {
      await closePage(tab.page);
      throw pageError(error, 'The canvas');
    }
    return setNewest(shown, canvas.sessionKey, { tab, path: canvas.path }, MAX_CANVASES);
  }
  async function closeShown(sessionKey: string): Promise<void> {
    const known = shown.get(sessionKey);
    shown.delete(sessionKey);
    if (known && browser.now && !known.tab.page.isClosed()) await closePage(known.tab.page);
  }
  const isHidden = (): boolean => isHeadless(deps.config(), { linux: deps.system.linux, vars: deps.vars });
  return {
    isSeen: () => deps.config().enabled && !isHidden(),
    async present(canvas, placement) {
      // Without a display nobody would see the window; eval and snapshot open it when they need it.
      if (!deps.config().enabled || (isHidden() && !isOpen(canvas))) return;
      const tab = await opened(canvas, new AbortController().signal);
      await tab.page.bringToFront();
      if (placement) await place(tab, placement, isHidden());
    },
    hide: ({ sessionKey }) => closeShown(sessionKey),
    async evaluate(canvas, javaScript, signal) {
      if (!deps.config().evaluateEnabled) throw evaluateOff();
      const tab = await opened(canvas, signal);
      await atRest(tab.page);
      const locator = (await isFramed(tab.page)) ? tab.page.frameLocator(FRAME).locator(':root') : undefined;
      const result = await runInPage(tab, javaScript, { locator, timeoutMs: SCRIPT_MS, signal });
      return typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
    },
    async snapshot(canvas, picture, signal) {
      const tab = await opened(canvas, signal);
      if (picture.delayMs) await pause(Math.min(MAX_DELAY_MS, picture.delayMs), signal);
      signal.throwIfAborted();
      await atRest(tab.page);
      return pictureOf(tab, picture);
    },
    async close() {
      state.timer?.cancel();
      await browser.stop();
      await deps.egress.proxy.close();
    },
  };
}

/** The frame of a page that is shown instead of surfaces. */
const FRAME = '#canvas > iframe';
/** Whether the page has shown the content of the canvas. */
const DRAWN = `() => document.querySelector('#canvas')?.dataset.connected === 'true'`;

/** Waits until the page has drawn what was pushed last, which arrives over its own feed; at most for a limited time. */
async function atRest(page: Page): Promise<void> {
  await settlesWithin(page.evaluate(inPage(`() => ${PAGE_AT_REST}`)), 2000);
  const [, inner] = page.frames();
  if (inner) await settlesWithin(inner.waitForLoadState('load'), DRAWN_MS);
}

const isFramed = async (page: Page): Promise<boolean> => (await page.locator(FRAME).count()) > 0;

async function liveOf(browser: ProfileBrowser, { config, port }: CanvasScreenDeps, signal: AbortSignal) {
  if (!config().enabled)
    throw new AppError(
      'unavailable',
      'The browser of the gateway, which would show the canvas, is switched off (browser.enabled).',
    );
  if (port() === undefined) throw new AppError('unavailable', 'The gateway does not listen yet.');
  return browser.live(signal);
}

/** Moves and resizes the window; without a display only the size has an effect. */
async function place({ page, cdp }: Tab, { x, y, width, height }: ScreenPlacement, headless: boolean): Promise<void> {
  if (headless) {
    const size = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: whole(width) ?? size.width, height: whole(height) ?? size.height });
    return;
  }
  const { windowId } = await cdp.send('Browser.getWindowForTarget');
  const bounds = { left: whole(x), top: whole(y), width: whole(width), height: whole(height) };
  const defined = Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined));
  await cdp.send('Browser.setWindowBounds', { windowId, bounds: { windowState: 'normal' } });
  await cdp.send('Browser.setWindowBounds', { windowId, bounds: defined });
}

const whole = (value: number | undefined): number | undefined =>
  value === undefined || !Number.isFinite(value) ? undefined : Math.round(value);

/** The browser itself scales the picture down. */
async function pictureOf({ page, cdp }: Tab, { format, maxWidth, quality }: ScreenPicture): Promise<Uint8Array> {
  const { cssLayoutViewport } = await cdp.send('Page.getLayoutMetrics');
  const { clientWidth: width, clientHeight: height } = cssLayoutViewport;
  const scale = maxWidth !== undefined && maxWidth >= 1 && maxWidth < width ? maxWidth / width : 1;
  if (scale === 1) return page.screenshot({ type: format, ...qualityOf(format, quality) });
  const { data } = await cdp.send('Page.captureScreenshot', {
    format,
    ...qualityOf(format, quality),
    clip: { x: 0, y: 0, width, height, scale },
  });
  return Buffer.from(data, 'base64');
}

/** Converts 0–1 to percent; PNG has no quality. */
const qualityOf = (format: ScreenPicture['format'], quality: number | undefined): { readonly quality?: number } =>
  format === 'jpeg' ? { quality: Math.round(100 * Math.min(1, Math.max(0.01, quality ?? 0.85))) } : {};
