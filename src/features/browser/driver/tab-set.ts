/** The tabs of one connection with their owners: added when they open, removed when their page closes. */
import type { BrowserContext, Page } from 'playwright-core';
import type { Clock } from '../../../platform/clock.ts';
import { onFailure, whenOver } from '../../../platform/settled.ts';
import { settlesWithin } from '../../../platform/timeout.ts';
import type { TabOwner } from '../caller.ts';
import type { RefTable } from '../web-page/refs.ts';
import { openTab, type Tab } from './tab.ts';

/** Timeout for a page that is opening or closing, in milliseconds. */
const ARRIVE_MS = 3000;

export interface TabSet {
  /** In the order they were opened; waits for tabs that are being opened. */
  all(): Promise<readonly Tab[]>;
  /** Opens a new tab of this owner. */
  open(owner: TabOwner | undefined): Promise<Tab>;
  byId(targetId: string): Tab | undefined;
}

export interface TabSetDeps {
  readonly context: BrowserContext;
  readonly clock: Clock;
  /** The refs of tabs from earlier connections, by target. */
  readonly refs: Map<string, RefTable>;
  /** Called with each tab before it is listed. */
  opened(tab: Tab): void;
  closed(tab: Tab): void;
}

export function createTabSet({ context, clock, refs, opened, closed }: TabSetDeps): TabSet {
  const tabs = new Map<Page, Tab>();
  const coming = new Map<Page, Promise<Tab>>();

  function register(page: Page, owner?: TabOwner): Promise<Tab> {
    const known = coming.get(page);
    if (known) return known;
    const arriving = arrive(page, owner);
    coming.set(page, arriving);
    onFailure(arriving, () => coming.delete(page)); // it was closed before it was listed
    return arriving;
  }
  async function arrive(page: Page, owner: TabOwner | undefined): Promise<Tab> {
    const tab = await openTab(page, { clock, owner: owner ?? (await openerOf(page)) });
    const earlier = refs.get(tab.targetId);
    const whole = earlier ? Object.assign(tab, { refs: earlier }) : tab;
    if (earlier) earlier.connected();
    refs.set(tab.targetId, whole.refs);
    tabs.set(page, whole);
    opened(whole);
    page.once('close', () => {
      tabs.delete(page);
      coming.delete(page);
      closed(whole);
    });
    return whole;
  }
  /** A page opened by another belongs to the same owner. */
  async function openerOf(page: Page): Promise<TabOwner | undefined> {
    const opener = await page.opener();
    return opener === null ? undefined : (await register(opener)).owner;
  }

  context.on('page', (page) => void whenOver(register(page)));
  for (const page of context.pages()) void whenOver(register(page));
  return {
    async all() {
      await settlesWithin(Promise.allSettled(coming.values()), ARRIVE_MS);
      return context.pages().flatMap((page) => tabs.get(page) ?? []);
    },
    async open(owner) {
      const tab = await register(await context.newPage());
      tab.owner = owner;
      return tab;
    },
    byId: (targetId) => [...tabs.values()].find((tab) => tab.targetId === targetId),
  };
}
