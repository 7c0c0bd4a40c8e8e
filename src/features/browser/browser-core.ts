/** The browsers of all profiles, and the tabs of all sessions. */
import { join } from 'node:path';
import { setNewest } from '../../core/bounded-map.ts';
import { AppError } from '../../core/errors.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../core/log.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';
import { whenOver } from '../../platform/settled.ts';
import { ownerKey, ownerOf, type Caller, type TabOwner } from './caller.ts';
import type { BrowserConfig } from './config.ts';
import { chooseTab, usable, visibleTabs, type LastTabs } from './driver/choose-tab.ts';
import { createProfileBrowser, type Live, type ProfileBrowser } from './driver/profile-browser.ts';
import type { Tab } from './driver/tab.ts';
import type { Egress } from './guard/egress.ts';
import { boundWindows, openWithin, sweepTabs } from './driver/tab-limits.ts';
import { createDownloadLog, type DownloadLog } from './web-page/download-log.ts';
import { followDownloads, type SaveOptions } from './web-page/downloads.ts';
import { resolveProfiles, type Profile } from './profiles/resolve-profiles.ts';
import type { CdpPorts } from './profiles/profile-ports.ts';

export interface BrowserCoreDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly vars: Readonly<Record<string, string>>;
  readonly system: { readonly linux: boolean; readonly isRoot: boolean };
  readonly egress: Egress;
  /** A folder in the state directory with a subfolder per profile; absolute. */
  readonly folder: string;
  config(): BrowserConfig;
  range(): CdpPorts;
  /** The address of the control service; undefined: it is not running. */
  controlUrl(): string | undefined;
  /** The current transcript of a session; undefined: it no longer exists. */
  sessionId(sessionKey: string): Promise<string | undefined>;
  /** The folder for files of an owner. */
  filesOf(owner: TabOwner | undefined): string;
  /** Called when browsers, tabs, addresses or downloads change. */
  changed(): void;
}

export interface BrowserCore {
  readonly deps: BrowserCoreDeps;
  readonly downloads: DownloadLog;
  profiles(): readonly Profile[];
  /** Rejects with `not_found` and the names of the existing ones. */
  profile(name: string | undefined): Profile;
  folderOf(profile: Profile): string;
  browserOf(profile: Profile): ProfileBrowser;
  /** Resolves the tab of a call. */
  tab(profile: Profile, of: TabRequest): Promise<Tab>;
  tabs(profile: Profile, caller: Caller): Promise<{ readonly running: boolean; readonly tabs: readonly Tab[] }>;
  open(profile: Profile, of: TabRequest): Promise<Tab>;
  /** Makes it the default tab of calls that name none. */
  remember(profile: Profile, caller: Caller, tab: Tab): void;
  /** Closes unused tabs and browsers. */
  sweep(): Promise<void>;
  stopAll(): Promise<void>;
}

export interface TabRequest {
  readonly caller: Caller;
  readonly targetId?: string | undefined;
  readonly signal: AbortSignal;
}

const SWEEP_MS = 30_000;
const MB = 1024 * 1024;
const MAX_PROFILES = 1000;

export function createBrowserCore(deps: BrowserCoreDeps): BrowserCore {
  const browsers = new Map<string, ProfileBrowser>();
  const last = new Map<string, LastTabs>();
  const usedAt = new Map<string, number>();
  const downloads = createDownloadLog(deps.changed);
  let timer: Timer | undefined;

  const profiles = (): readonly Profile[] => resolveProfiles(deps.config(), deps.range());
  const folderOf = ({ name }: Profile): string => join(deps.folder, name);
  const lastOf = ({ name }: Profile): LastTabs => setNewest(last, name, last.get(name) ?? new Map(), MAX_PROFILES);
  function browserOf(profile: Profile): ProfileBrowser {
    const known = browsers.get(profile.name);
    if (known && isSame(known.profile, profile)) return known;
    if (known) void whenOver(known.stop());
    const opened = { deps, profile, downloads, live: () => browserOf(profile).now };
    const made = createProfileBrowser(profile, {
      ...deps,
      folder: folderOf(profile),
      tabOpened: (tab) => tabOpened(tab, opened),
    });
    browsers.set(profile.name, made);
    return made;
  }
  const sweep = (): Promise<void> => sweepTabs([...browsers.values()], { ...deps, usedAt });
  const live = async (profile: Profile, signal: AbortSignal): Promise<Live> => {
    usedAt.set(profile.name, deps.clock.now());
    timer ??= deps.clock.setInterval(() => void whenOver(sweep()), SWEEP_MS).unref();
    return browserOf(profile).live(signal);
  };
  const openBlank = async (now: Live, profile: Profile, caller: Caller): Promise<Tab> => {
    const tab = await openWithin(now, ownerOf(caller), deps.config().limits);
    lastOf(profile).set(ownerKey(tab.owner), tab.targetId);
    return tab;
  };
  return {
    deps,
    downloads,
    profiles,
    profile: (name) => profileNamed(profiles(), name?.trim() || deps.config().defaultProfile),
    folderOf,
    browserOf,
    async tab(profile, { caller, targetId, signal }) {
      const now = await live(profile, signal);
      const browser = browserOf(profile);
      const tab = await chooseTab(targetId, {
        browser,
        live: now,
        caller,
        last: lastOf(profile),
        openBlank: () => openBlank(now, profile, caller),
      });
      tab.lastUsedAt = deps.clock.now();
      return usable(tab);
    },
    async tabs(profile, caller) {
      const now = browserOf(profile).now;
      if (!now) return { running: false, tabs: [] };
      return { running: true, tabs: await visibleTabs(now, caller, profile.shared) };
    },
    async open(profile, { caller, signal }) {
      const now = await live(profile, signal);
      const gone = browserOf(profile).takeLost(ownerKey(ownerOf(caller)));
      const tab = await openBlank(now, profile, caller);
      if (gone !== undefined)
        tab.notices.add(`The browser had ended and was started again; this page is gone: ${gone}.`);
      return tab;
    },
    remember: (profile, caller, tab) => void lastOf(profile).set(ownerKey(ownerOf(caller)), tab.targetId),
    sweep,
    async stopAll() {
      timer?.cancel();
      timer = undefined;
      await Promise.all([...browsers.values()].map((browser) => browser.stop({ goesOn: true })));
      await deps.egress.proxy.close();
    },
  };
}

const isSame = (a: Profile, b: Profile): boolean =>
  a.cdpUrl === b.cdpUrl && a.portBySystem === b.portBySystem && a.attachOnly === b.attachOnly && a.shared === b.shared;

interface OpenedDeps {
  readonly deps: BrowserCoreDeps;
  readonly profile: Profile;
  readonly downloads: DownloadLog;
  live(): Live | undefined;
}

function tabOpened(tab: Tab, { deps, profile, downloads, live }: OpenedDeps): void {
  const limits = (): BrowserConfig['limits'] => deps.config().limits;
  const options = (): SaveOptions => ({
    folder: deps.filesOf(tab.owner),
    maxBytes: limits().downloadMaxMb * MB,
    endedAt: (url) => live()?.connected.endedDownload(url),
  });
  followDownloads(tab, options, {
    begun: (one) => downloads.add({ ...one, profile: profile.name, at: deps.clock.now() }),
    ended: downloads.end,
  });
  deps.changed();
  tab.page.on('framenavigated', (frame) => frame === tab.page.mainFrame() && deps.changed());
  tab.page.on('dialog', deps.changed);
  tab.page.once('close', deps.changed);
  boundWindows(tab, { live, limits });
}

function profileNamed(all: readonly Profile[], wanted: string): Profile {
  const found = all.find((one) => one.name === wanted);
  if (found) return found;
  throw new AppError(
    'not_found',
    `There is no browser profile "${wanted.slice(0, 80)}". There are: ${all.map((one) => one.name).join(', ')}. ` +
      `\`${OWN_COMMAND} browser create-profile <name>\` makes one.`,
  );
}
