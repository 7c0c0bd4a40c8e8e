/** Limits the number and age of tabs per session: windows that pages open count, and unused tabs are closed. */
import type { Page } from 'playwright-core';
import { AppError } from '../../../core/errors.ts';
import type { Clock } from '../../../platform/clock.ts';
import { whenOver } from '../../../platform/settled.ts';
import { isSameOwner, type TabOwner } from '../caller.ts';
import type { BrowserConfig } from '../config.ts';
import type { Live, ProfileBrowser } from './profile-browser.ts';
import type { Tab } from './tab.ts';
import { closePage } from './close-page.ts';

type Limits = BrowserConfig['limits'];
const MINUTE = 60_000;

/** Opens a tab. Rejects with `conflict` if its owner has reached the limit. */
export async function openWithin(live: Live, owner: TabOwner | undefined, { tabsPerSession }: Limits): Promise<Tab> {
  const owned = owner ? (await live.tabs.all()).filter((tab) => isSameOwner(tab.owner, owner)) : [];
  if (owned.length >= tabsPerSession)
    throw new AppError(
      'conflict',
      `This session has ${owned.length} tabs open, as many as it may have (browser.limits.tabsPerSession). Close one ` +
        'first.',
    );
  return live.tabs.open(owner);
}

/** Limits the windows that a page opens in its session. */
export function boundWindows(opener: Tab, { live, limits }: { live(): Live | undefined; limits(): Limits }): void {
  const closeIfOverLimit = async (popup: Page): Promise<void> => {
    const tabs = (await live()?.tabs.all()) ?? [];
    const owned = tabs.filter((one) => opener.owner && isSameOwner(one.owner, opener.owner));
    const opened = tabs.find(({ page }) => page === popup);
    if (owned.length <= limits().tabsPerSession) {
      if (opened) opener.notices.add(`The page opened a new tab: ${opened.targetId}.`);
      return;
    }
    opener.notices.add(
      'The page opened another window, which was closed: the session has as many tabs as it may have.',
    );
    await closePage(popup);
  };
  opener.page.on('popup', (popup) => void whenOver(closeIfOverLimit(popup)));
}

export interface SweepDeps {
  readonly clock: Pick<Clock, 'now'>;
  config(): BrowserConfig;
  sessionId(sessionKey: string): Promise<string | undefined>;
  /** When each profile was last used. */
  readonly usedAt: ReadonlyMap<string, number>;
}

/** Closes tabs of sessions that were reset or deleted, unused tabs, and unused browsers. */
export async function sweepTabs(browsers: readonly ProfileBrowser[], deps: SweepDeps): Promise<void> {
  const idleMs = deps.config().limits.idleMinutes * MINUTE;
  const before = idleMs > 0 ? deps.clock.now() - idleMs : -Infinity;
  for (const browser of browsers) {
    const { now, profile } = browser;
    if (!now) continue;
    for (const tab of await now.tabs.all()) {
      const { owner } = tab;
      if (!owner) continue;
      const gone = (await deps.sessionId(owner.sessionKey)) !== owner.sessionId;
      if (gone || tab.lastUsedAt < before) await whenOver(closePage(tab.page));
    }
    if (now.launched && (deps.usedAt.get(profile.name) ?? 0) < before) await browser.stop();
  }
}
