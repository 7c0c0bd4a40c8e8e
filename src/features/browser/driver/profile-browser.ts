/**
 * The browser of one profile: started or attached to on first use, restarted after it ends, and closed with the
 * gateway.
 */
import { AppError } from '../../../core/errors.ts';
import { createSerialQueue } from '../../../platform/keyed-queue.ts';
import { settlesWithin } from '../../../platform/timeout.ts';
import { ownerKey } from '../caller.ts';
import type { Launched } from '../chromium/launch.ts';
import { forget } from '../chromium/orphaned-browser.ts';
import type { Profile } from '../profiles/resolve-profiles.ts';
import type { RefTable } from '../web-page/refs.ts';
import { startBrowser, type StartBrowserDeps, type StartedBrowser } from './start-browser.ts';
import type { Connected } from './connect.ts';
import { createOpenPages, type OpenPage, type OpenPages } from './open-pages.ts';
import { createTabSet, type TabSet } from './tab-set.ts';
import type { Tab } from './tab.ts';

/** A connected browser. */
export interface Live {
  readonly connected: Connected;
  readonly tabs: TabSet;
  readonly launched: Launched | undefined;
  logInAgain: StartedBrowser['logInAgain'];
  /** False once the connection has ended. */
  readonly open: boolean;
  /** Fires when the connection ends, with an `AppError('unavailable')`, so that running calls end. */
  readonly gone: AbortSignal;
}

export interface ProfileBrowser {
  readonly profile: Profile;
  /** Starts or attaches if necessary. */
  live(signal: AbortSignal): Promise<Live>;
  /** The current connection; undefined: there is none. */
  readonly now: Live | undefined;
  /**
   * Ends a browser that we started, or disconnects from another. False: there was none. `goesOn`: the gateway ends, and
   * its next instance reports the lost pages.
   */
  stop(options?: { readonly goesOn?: boolean }): Promise<boolean>;
  /** The pages that an owner lost when the browser ended; returned once. */
  takeLost(key: string): string | undefined;
}

export interface ProfileBrowserDeps extends StartBrowserDeps {
  /** Called when the browser started or ended. */
  changed?(): void;
  /** Called with each new tab. */
  tabOpened(tab: Tab): void;
}

/** Milliseconds that a browser has to write its cookies before it is killed. */
const GRACE_MS = 3000;

interface Running extends Live {
  open: boolean;
  readonly up: StartedBrowser;
  readonly goes: AbortController;
}

export function createProfileBrowser(profile: Profile, deps: ProfileBrowserDeps): ProfileBrowser {
  const queue = createSerialQueue();
  const lost = new Map<string, string>();
  const kept = profile.attachOnly ? undefined : deps.folder;
  const pages = createOpenPages(kept, () => deps.log.warn('browser.pages-unwritten', { profile: profile.name }));
  const isLost = ({ key, url }: OpenPage): void => void lost.set(key, url);
  const refs = new Map<string, RefTable>();
  const state: { running: Running | undefined; ending: boolean } = { running: undefined, ending: false };

  /** Called when the connection of this browser ends; a later browser is not affected. */
  const ended = (one: Running): void => {
    one.open = false;
    one.goes.abort(browserEnded());
    if (state.ending || state.running !== one) return;
    deps.log.warn('browser.lost', { profile: profile.name });
    deps.changed?.();
    pages.all().forEach(isLost);
  };
  const begin = async (signal: AbortSignal): Promise<Live> => {
    if (state.running?.open) return state.running;
    const isFirst = state.running === undefined && !profile.attachOnly;
    await state.running?.up.letGo(0);
    state.running = undefined;
    if (isFirst) (await pages.earlier()).forEach(isLost);
    await pages.clear();
    const up = await startBrowser(profile, deps, signal);
    const running = runningOf(up, refs, {
      opened(tab) {
        notePages(tab, pages);
        deps.tabOpened(tab);
      },
      // If all pages close at once, the browser ended, and they are reported as lost.
      closed: (tab) =>
        void (!state.ending && running.open && up.connected.browser.isConnected() && pages.delete(tab.targetId)),
      clock: deps.clock,
    });
    state.running = running;
    void up.connected.closed.then(() => ended(running));
    deps.changed?.();
    return running;
  };

  return {
    profile,
    get now() {
      return state.running?.open ? state.running : undefined;
    },
    live: async (signal) => (state.running?.open ? state.running : queue.run(() => begin(signal), signal)),
    stop: ({ goesOn = false } = {}) =>
      queue.run(async () => {
        const { running } = state;
        if (!running) return false;
        state.ending = true;
        try {
          if (running.launched && running.open) await quit(running.connected);
          await running.up.letGo(GRACE_MS);
          state.running = undefined;
          if (running.launched) await forget(deps.folder);
          if (!goesOn) await pages.clear();
          lost.clear();
          deps.changed?.();
          return running.launched !== undefined;
        } finally {
          state.ending = false;
        }
      }),
    takeLost(key) {
      const url = lost.get(key);
      lost.delete(key);
      return url;
    },
  };
}

function runningOf(
  up: StartedBrowser,
  refs: Map<string, RefTable>,
  {
    opened,
    closed,
    clock,
  }: { opened(tab: Tab): void; closed(tab: Tab): void; readonly clock: ProfileBrowserDeps['clock'] },
): Running {
  const { connected, launched } = up;
  const tabs = createTabSet({ context: connected.context, clock, refs, opened, closed });
  const goes = new AbortController();
  const { logInAgain } = up;
  return { connected, tabs, launched, logInAgain, open: true, up, goes, gone: goes.signal };
}

const browserEnded = (): AppError =>
  new AppError(
    'unavailable',
    'The browser ended while this was under way: it is not known whether it was done. Open the page again and look ' +
      'before you repeat it.',
    { details: { reason: 'browser_ended' } },
  );

function notePages(tab: Tab, pages: OpenPages): void {
  tab.page.on('framenavigated', (frame) => {
    const url = tab.page.url();
    if (frame === tab.page.mainFrame() && url !== 'about:blank')
      pages.set(tab.targetId, { key: ownerKey(tab.owner), url });
  });
}

/** Asks the browser to exit by itself, so that it writes unsaved data. */
async function quit({ browser }: Connected): Promise<void> {
  const closing = browser.newBrowserCDPSession().then((session) => session.send('Browser.close'));
  await settlesWithin(closing, GRACE_MS);
}
