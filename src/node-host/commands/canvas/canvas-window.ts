/** The window that shows a canvas on a node: a Chromium of its own, started by the first page and ended by `hide`. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { present } from '../../../core/present.ts';
import { PRODUCT_LABEL } from '../../../core/product.ts';
import { childEnv } from '../../../platform/child-env.ts';
import { createSerialQueue } from '../../../platform/keyed-queue.ts';
import { PAGE_AT_REST } from '../../../platform/page-at-rest.ts';
import { whenOver } from '../../../platform/settled.ts';
import { raceSignal, settlesWithin } from '../../../platform/timeout.ts';
import { NodeError, type NodeMachine } from '../../offer.ts';
import { createCanvasAccess, type CanvasAccess } from './canvas-reach.ts';

/** Where a window goes, in pixels. */
export interface Placement {
  readonly x?: number | null | undefined;
  readonly y?: number | null | undefined;
  readonly width?: number | null | undefined;
  readonly height?: number | null | undefined;
}

/** How a picture is wanted. */
export interface Shot {
  readonly format: 'png' | 'jpeg';
  readonly maxWidth?: number | null | undefined;
  /** 0 to 1, of a JPEG. */
  readonly quality?: number | null | undefined;
}

export interface CanvasWindow {
  /** `anew`: loads a page again that is shown already. */
  show(url: string, anew: boolean, placement: Placement | undefined, signal: AbortSignal): Promise<void>;
  /** Shows what was shown last. */
  again(placement: Placement | undefined, signal: AbortSignal): Promise<void>;
  hide(): Promise<void>;
  evaluate(javaScript: string, signal: AbortSignal): Promise<unknown>;
  snapshot(shot: Shot, signal: AbortSignal): Promise<Buffer>;
}

const LOAD_MS = 20_000;
const REST_MS = 3000;
const SIZE = { width: 1024, height: 768 };
/** A page in place of the surfaces lies in a frame of the viewer. */
const FRAME = '#canvas > iframe';

interface Showing {
  readonly anew: boolean;
  readonly placement: Placement | undefined;
  readonly signal: AbortSignal;
}

interface Open {
  readonly browser: Browser;
  readonly page: Page;
}

export function createCanvasWindow({ env, url, platform }: NodeMachine, executablePath: string): CanvasWindow {
  const access = createCanvasAccess({ url, vars: env.vars });
  const isSeen = platform !== 'linux' || Boolean(env.get('DISPLAY') ?? env.get('WAYLAND_DISPLAY'));
  const now: { open?: Open; last?: string } = {};
  const queue = createSerialQueue();

  async function opened(signal: AbortSignal): Promise<Page> {
    if (now.open && !now.open.page.isClosed()) return now.open.page;
    await close();
    now.open = await openWindow({ executablePath, vars: env.vars, access, isSeen, signal });
    return now.open.page;
  }
  async function close(): Promise<void> {
    const { open } = now;
    delete now.open;
    if (open) await whenOver(open.browser.close());
    await access.proxy.close();
  }
  const mustShow = (): Page => {
    if (now.open && !now.open.page.isClosed()) return now.open.page;
    throw new NodeError('CANVAS_UNAVAILABLE', 'CANVAS_UNAVAILABLE: nothing is shown on the node; present it first');
  };
  async function show(address: string, { anew, placement, signal }: Showing): Promise<void> {
    const page = await opened(signal);
    if (anew || page.url() !== address)
      await raceSignal(page.goto(address, { timeout: LOAD_MS }), signal).catch((error: unknown) => {
        throw failed(error, `${new URL(address).host} did not load`);
      });
    now.last = address;
    await page.bringToFront();
    if (placement) await place(page, placement, isSeen);
  }
  return {
    async show(written, anew, placement, signal) {
      const address = access.addressOf(written);
      if (address === undefined)
        throw new NodeError('INVALID_REQUEST', 'url: use an http or https page, or a path of the canvas host');
      await queue.run(() => show(address, { anew, placement, signal }), signal);
    },
    again: (placement, signal) =>
      queue.run(async () => {
        if (now.last === undefined) throw new NodeError('INVALID_REQUEST', 'url: nothing was shown here yet');
        await show(now.last, { anew: false, placement, signal });
      }, signal),
    hide: () => queue.run(close),
    async evaluate(javaScript, signal) {
      const page = mustShow();
      await atRest(page);
      const inner = page.frames().find((frame) => frame !== page.mainFrame());
      const frame = inner && (await page.locator(FRAME).count()) > 0 ? inner : page.mainFrame();
      return raceSignal(frame.evaluate(javaScript), signal).catch((error: unknown) => {
        // A loop without an end would hold the page for good.
        if (signal.aborted) void whenOver(queue.run(close));
        throw failed(error, 'the script failed', 'INVALID_REQUEST');
      });
    },
    async snapshot({ format, maxWidth, quality }, signal) {
      const page = mustShow();
      await atRest(page);
      const { width, height } = page.viewportSize() ?? SIZE;
      const scale = maxWidth && maxWidth >= 1 && maxWidth < width ? maxWidth / width : 1;
      const cdp = await page.context().newCDPSession(page);
      const picture = cdp.send('Page.captureScreenshot', {
        format,
        ...present({ quality: format === 'jpeg' ? percent(quality) : undefined }),
        clip: { x: 0, y: 0, width, height, scale },
      });
      try {
        const { data } = await raceSignal(picture, signal);
        return Buffer.from(data, 'base64');
      } finally {
        await whenOver(cdp.detach());
      }
    },
  };
}

const percent = (quality: number | null | undefined): number =>
  Math.round(100 * Math.min(1, Math.max(0.01, quality ?? 0.85)));

interface WindowOptions {
  readonly executablePath: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly access: CanvasAccess;
  readonly isSeen: boolean;
  readonly signal: AbortSignal;
}

async function openWindow({ executablePath, vars, access, isSeen, signal }: WindowOptions): Promise<Open> {
  const { chromium } = await import('playwright-core');
  const lease = await access.proxy.lease();
  const { host, username, password } = new URL(lease.env['HTTP_PROXY']!);
  const starting = chromium.launch({
    executablePath,
    headless: !isSeen,
    env: childEnv(vars),
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: LOAD_MS,
    // Nothing leads around the proxy: not loopback, not a name looked up by the browser, not UDP.
    proxy: { server: `http://${host}`, username, password, bypass: '<-loopback>' },
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      '--dns-prefetch-disable',
      '--disable-quic',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    ],
  });
  const browser = await raceSignal(starting, signal).catch((error: unknown) => {
    void whenOver(starting.then((late) => late.close()));
    throw failed(error, 'the browser of the node did not start');
  });
  const context = await browser.newContext({
    viewport: isSeen ? null : SIZE,
    serviceWorkers: 'block',
    acceptDownloads: false,
  });
  await guardGateway(context, access);
  return { browser, page: await context.newPage() };
}

/** No page gets to what else the gateway serves, whatever its tunnel would let through. */
async function guardGateway(context: BrowserContext, access: CanvasAccess): Promise<void> {
  const onGateway = ({ host }: URL): boolean => host === access.gateway.host;
  await context.route(onGateway, (route) =>
    access.mayRequest(route.request().url()) ? route.continue() : route.abort('blockedbyclient'),
  );
  await context.routeWebSocket(onGateway, (socket) => void socket.close({ code: 1008, reason: PRODUCT_LABEL }));
}

/** With a frame it goes where it shall; without one only its size counts. */
async function place(page: Page, { x, y, width, height }: Placement, isSeen: boolean): Promise<void> {
  const whole = (value: number | null | undefined): number | undefined =>
    typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : undefined;
  if (!isSeen) {
    const size = page.viewportSize() ?? SIZE;
    const within = (value: number | undefined, usual: number): number => Math.min(8192, Math.max(1, value ?? usual));
    return page.setViewportSize({
      width: within(whole(width), size.width),
      height: within(whole(height), size.height),
    });
  }
  const cdp = await page.context().newCDPSession(page);
  const { windowId } = await cdp.send('Browser.getWindowForTarget');
  const wanted = { left: whole(x), top: whole(y), width: whole(width), height: whole(height) };
  const bounds = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  await cdp.send('Browser.setWindowBounds', { windowId, bounds });
  await cdp.detach();
}

/** What was pushed a moment ago arrives over the page's own feed. */
async function atRest(page: Page): Promise<void> {
  await settlesWithin(page.evaluate(PAGE_AT_REST), REST_MS);
}

/** The browser's own first line: the rest is its log. */
function failed(error: unknown, what: string, code = 'CANVAS_UNAVAILABLE'): unknown {
  if (!(error instanceof Error) || error instanceof NodeError) return error;
  return new NodeError(code, `${code}: ${what} (${error.message.split('\n')[0]!.slice(0, 300)})`);
}
