/** Selects the tab of a call among those its caller may access. */
import { AppError } from '../../../core/errors.ts';
import { isSameOwner, ownerKey, ownerOf, type Caller } from '../caller.ts';
import { isPageScheme } from '../guard/egress.ts';
import type { Live, ProfileBrowser } from './profile-browser.ts';
import type { Tab } from './tab.ts';

/** The last used tab by owner. */
export type LastTabs = Map<string, string>;

/** The tabs that the caller may see: all for the operator and in a shared profile, otherwise its own. */
export async function visibleTabs(live: Live, caller: Caller, shared: boolean): Promise<readonly Tab[]> {
  const all = (await live.tabs.all()).filter(({ page }) => !page.isClosed());
  if (caller.kind === 'operator' || shared) return all;
  const owner = ownerOf(caller);
  return all.filter((tab) => isSameOwner(tab.owner, owner));
}

/** An exact match, otherwise the tab whose id begins with it. Rejects with `not_found` or `conflict`. */
export function tabById(tabs: readonly Tab[], written: string): Tab {
  const wanted = written.trim().toLowerCase();
  const exact = tabs.find(({ targetId }) => targetId.toLowerCase() === wanted);
  if (exact) return exact;
  const found = wanted === '' ? [] : tabs.filter(({ targetId }) => targetId.toLowerCase().startsWith(wanted));
  if (found.length > 1)
    throw new AppError(
      'conflict',
      `ambiguous target id prefix: ${found.length} tabs begin with "${written}". Use more of the id; ` +
        '`tabs` lists them.',
    );
  if (found.length === 0)
    throw new AppError('not_found', `tab not found: "${written.slice(0, 80)}". \`tabs\` lists yours.`, {
      details: { reason: 'tab_not_found' },
    });
  return found[0]!;
}

export interface ChoiceDeps {
  readonly browser: ProfileBrowser;
  readonly live: Live;
  readonly caller: Caller;
  readonly last: LastTabs;
  /** Opens an empty tab if there is none. */
  openBlank(): Promise<Tab>;
}

/**
 * The named tab, otherwise the last used one, otherwise the first. Reports a page that was lost with its browser once.
 */
export async function chooseTab(targetId: string | undefined, deps: ChoiceDeps): Promise<Tab> {
  const { browser, live, caller, last } = deps;
  const key = ownerKey(ownerOf(caller));
  const tabs = await visibleTabs(live, caller, browser.profile.shared);
  const gone = browser.takeLost(key);
  if (gone !== undefined && (targetId !== undefined || tabs.every(isEmpty)))
    throw new AppError(
      'unavailable',
      `The browser had ended and was started again. The page that was open is gone: ${gone}. Open it again with ` +
        'action open.',
      { details: { reason: 'page_gone' } },
    );
  const chosen =
    targetId !== undefined
      ? tabById(tabs, targetId)
      : (tabs.find((tab) => tab.targetId === last.get(key)) ?? tabs[0] ?? (await deps.openBlank()));
  last.set(key, chosen.targetId);
  return chosen;
}

/** The empty tab that a browser opens at its start. */
const isEmpty = ({ owner, page }: Tab): boolean => owner === undefined && page.url() === 'about:blank';

/** Rejects a tab that cannot be read or used. */
export function usable(tab: Tab): Tab {
  if (tab.crashed)
    throw new AppError('unavailable', 'The page crashed. Navigate this tab again, or close it and open a new one.', {
      details: { reason: 'page_crashed' },
    });
  const url = tab.page.url();
  if (!isPageScheme(url) && !/^(?:blob|chrome-error):/i.test(url))
    throw new AppError(
      'denied',
      `This tab shows a ${url.split(':', 1)[0]}: page, which is not read. Navigate it to an http: or https: address.`,
    );
  return tab;
}
