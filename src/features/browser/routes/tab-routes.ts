/** Routes on tabs: list, open, focus, close, navigate. */
import type { Page } from 'playwright-core';
import { AppError } from '../../../core/errors.ts';
import { whenOver } from '../../../platform/settled.ts';
import { within } from '../../../platform/timeout.ts';
import { networkProcess } from '../chromium/network-process.ts';
import { shortText } from '../driver/ring-buffer.ts';
import { tabById } from '../driver/choose-tab.ts';
import type { Tab } from '../driver/tab.ts';
import { NAVIGATION_TIME, number, required, text, timeoutOf } from '../web-page/act-request.ts';
import { navigate, type Network } from '../web-page/navigate.ts';
import { soon, type Route, type RouteContext } from './route.ts';
import { closePage } from '../driver/close-page.ts';

/** Milliseconds that a page has to return its title. */
const TITLE_MS = 500;

export const tabRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/tabs',
    async run({ core, profile, caller, signal }) {
      // Whoever attached a browser of their own has tabs in it already; without one, none are open.
      if (profile.attachOnly) await whenOver(core.browserOf(profile).live(signal));
      const { running, tabs } = await core.tabs(profile, caller);
      return { running, tabs: await Promise.all(tabs.map(factsOf)) };
    },
  },
  { method: 'POST', path: '/tabs/open', run: open },
  {
    method: 'POST',
    path: '/tabs/focus',
    boundMs: soon,
    async run(context) {
      const tab = await running(context, required(context.input, 'targetId'));
      await focus(context, tab);
      return { ok: true, targetId: tab.targetId };
    },
  },
  {
    method: 'DELETE',
    path: '/tabs/:targetId',
    async run(context) {
      const tab = await running(context, context.params['targetId']!);
      await closePage(tab.page);
      return { ok: true, targetId: tab.targetId };
    },
  },
  {
    method: 'POST',
    path: '/tabs/action',
    boundMs: (params) => (params['action'] === 'new' ? 2 * NAVIGATION_TIME.max : soon(params)),
    async run(context) {
      const { core, profile, caller, input: params } = context;
      const action = text(params, 'action');
      const { running: isRunning, tabs } = await core.tabs(profile, caller);
      if (action === 'list') return { running: isRunning, tabs: await Promise.all(tabs.map(factsOf)) };
      if (action === 'new') return open(context);
      const index = number(params, 'index');
      if (action !== 'close' && action !== 'select')
        throw new AppError('invalid', 'action must be list, new, close or select.');
      if (action === 'select' && index === undefined) throw new AppError('invalid', 'select needs index.');
      const chosen = index === undefined ? await context.tab() : tabs[Math.trunc(index)];
      if (!chosen) throw new AppError('not_found', `tab not found: index ${index} of ${tabs.length}.`);
      const tab = context.use(chosen);
      if (action === 'close') await closePage(tab.page);
      else await focus(context, tab);
      return { ok: true, targetId: tab.targetId };
    },
  },
  {
    method: 'POST',
    path: '/navigate',
    async run(context) {
      const { core, input: params, signal } = context;
      const url = text(params, 'url') ?? text(params, 'targetUrl') ?? '';
      const tab = await context.tab();
      const timeoutMs = timeoutOf(params, NAVIGATION_TIME);
      const arrival = await navigate(tab, url, {
        timeoutMs,
        signal,
        guard: core.deps.egress.guard,
        network: networkOf(context),
      });
      return { ok: true, targetId: tab.targetId, ...arrival };
    },
  },
];

async function open({
  core,
  profile,
  caller,
  input: params,
  signal,
  use,
}: RouteContext): Promise<Readonly<Record<string, unknown>>> {
  const url = text(params, 'url') ?? text(params, 'targetUrl') ?? 'about:blank';
  const { guard } = core.deps.egress;
  const tab = use(await core.open(profile, { caller, signal }));
  try {
    const { url: _url, ...arrival } = await navigate(tab, url, {
      timeoutMs: timeoutOf(params, NAVIGATION_TIME),
      signal,
      guard,
      network: networkOf({ core, profile }),
    });
    return { ...(await factsOf(tab)), ...arrival };
  } catch (error) {
    // The answer did not name the tab, so nobody could use it.
    await closePage(tab.page);
    throw error;
  }
}

const networkOf = ({ core, profile }: Pick<RouteContext, 'core' | 'profile'>): Network => ({
  logInAgain: async () => (await core.browserOf(profile).now?.logInAgain()) ?? false,
  async process() {
    const { now } = core.browserOf(profile);
    return now && networkProcess(now.connected.browser);
  },
});

async function focus({ core, profile, caller }: RouteContext, tab: Tab): Promise<void> {
  await tab.page.bringToFront();
  core.remember(profile, caller, tab);
}

/** Only among the open tabs; no browser is started. */
async function running({ core, profile, caller, use }: RouteContext, targetId: string): Promise<Tab> {
  const { running: isRunning, tabs } = await core.tabs(profile, caller);
  if (!isRunning) throw new AppError('conflict', 'The browser is not running. Open a page with action open first.');
  return use(tabById(tabs, targetId));
}

async function factsOf({ targetId, page }: Tab): Promise<Readonly<Record<string, unknown>>> {
  return { targetId, title: await titleOf(page), url: page.url(), type: 'page' };
}

/** Empty after a timeout. */
export const titleOf = async (page: Page): Promise<string> =>
  shortText(await within(page.title().catch(noTitle), { ms: TITLE_MS, otherwise: '' }));

/** A closing or busy page has no title. */
const noTitle = (): string => '';
