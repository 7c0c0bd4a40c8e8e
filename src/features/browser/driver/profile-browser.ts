/**
 * The browser of one profile: started or attached to when first needed, again after it ended, and ended with the
 * gateway.
 */
import { join } from 'node:path';
import { AppError, asAppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import type { Clock } from '../../../platform/clock.ts';
import { createSerialQueue } from '../../../platform/keyed-queue.ts';
import type { EgressLease } from '../../../platform/net/egress/egress-proxy.ts';
import { settlesWithin } from '../../../platform/timeout.ts';
import { ownerKey } from '../caller.ts';
import type { BrowserConfig } from '../config.ts';
import type { Egress } from '../guard/egress.ts';
import { forget, launch, type Launched } from '../chromium/launch.ts';
import { logIn, proxyLogin } from '../chromium/proxy-login.ts';
import type { RefTable } from '../web-page/refs.ts';
import type { Profile } from '../profiles/resolve-profiles.ts';
import { connect, type Connected } from './connect.ts';
import { createTabSet, type TabSet } from './tab-set.ts';
import type { Tab } from './tab.ts';

/** What may be otherwise a moment later. */
const PASSING: ReadonlySet<string> = new Set(['unavailable', 'network', 'timeout', 'bad_response']);

/** A browser that is connected to. */
export interface Live {
  readonly connected: Connected;
  readonly tabs: TabSet;
  readonly launched: Launched | undefined;
  /** False once the connection ended. */
  readonly open: boolean;
}

export interface ProfileBrowser {
  readonly profile: Profile;
  /** Starts or attaches where need be. */
  live(signal: AbortSignal): Promise<Live>;
  /** What is connected now; undefined: nothing. */
  readonly now: Live | undefined;
  /** Ends a browser of ours, leaves one of somebody else. False: there was nothing to end. */
  stop(): Promise<boolean>;
  /** What was open for an owner when the browser ended; told once. */
  takeLost(key: string): string | undefined;
}

export interface ProfileBrowserDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly vars: Readonly<Record<string, string>>;
  readonly linux: boolean;
  readonly isRoot: boolean;
  readonly egress: Egress;
  config(): BrowserConfig;
  /** Of the profile, absolute. */
  readonly folder: string;
  /** Called with every tab that comes. */
  tabOpened(tab: Tab): void;
}

/** Milliseconds a browser has to write its cookies before it is ended. */
const GRACE_MS = 3000;

interface State {
  live: (Live & { open: boolean }) | undefined;
  /** There before anything is connected to it, and to be ended where that fails. */
  launched: Launched | undefined;
  lease: EgressLease | undefined;
  ending: boolean;
}

/** By target: what is open, and for whom. */
type OpenPages = Map<string, { readonly key: string; readonly url: string }>;

export function createProfileBrowser(profile: Profile, deps: ProfileBrowserDeps): ProfileBrowser {
  const queue = createSerialQueue();
  const lost = new Map<string, string>();
  /** By target: what is open for whom, for the case that it all ends at once. */
  const pages: OpenPages = new Map();
  const refs = new Map<string, RefTable>();
  const state: State = { live: undefined, launched: undefined, lease: undefined, ending: false };

  const ended = (): void => {
    const { live } = state;
    if (!live) return;
    live.open = false;
    if (!state.ending) {
      deps.log.warn('browser.lost', { profile: profile.name });
      for (const { key, url } of pages.values()) lost.set(key, url);
    }
  };

  const begin = async (signal: AbortSignal): Promise<Live> => {
    if (state.live?.open) return state.live;
    await cleanUp(state);
    pages.clear();
    const launched = profile.attachOnly ? undefined : await start(profile, state, { deps, signal });
    const connected = await attach(profile, { deps, signal, closed: ended });
    if (launched) await logIn(connected.browser, proxyLogin(state.lease!.env['HTTP_PROXY']!));
    const tabs = createTabSet({
      context: connected.context,
      clock: deps.clock,
      refs,
      opened(tab) {
        notePages(tab, pages);
        deps.tabOpened(tab);
      },
      closed(tab) {
        // Where all of them close at once the browser ended: they are told of.
        if (state.live?.open && connected.browser.isConnected()) pages.delete(tab.targetId);
      },
    });
    state.live = { connected, tabs, launched, open: true };
    return state.live;
  };
  /** A browser of ours that does not come up is started once more: a busy machine, or one that is just ending. */
  const beginOr = async (signal: AbortSignal): Promise<Live> => {
    for (let tries = 1; ; tries++)
      try {
        return await begin(signal);
      } catch (error) {
        await cleanUp(state);
        const failure = asAppError(error, 'unavailable');
        if (profile.attachOnly || tries > 1 || signal.aborted || !PASSING.has(failure.code)) throw failure;
        deps.log.warn('browser.started-again', { profile: profile.name, error: failure });
      }
  };

  return {
    profile,
    get now() {
      return state.live?.open ? state.live : undefined;
    },
    live: async (signal) => (state.live?.open ? state.live : queue.run(() => beginOr(signal), signal)),
    stop: () =>
      queue.run(async () => {
        const { live } = state;
        if (!live) return false;
        state.ending = true;
        try {
          if (live.launched && live.open) await quit(live.connected);
          await live.launched?.process.end(GRACE_MS);
          await cleanUp(state);
          if (live.launched) await forget(deps.folder);
          pages.clear();
          lost.clear();
          return live.launched !== undefined;
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

function notePages(tab: Tab, pages: OpenPages): void {
  tab.page.on('framenavigated', (frame) => {
    if (frame === tab.page.mainFrame()) pages.set(tab.targetId, { key: ownerKey(tab.owner), url: tab.page.url() });
  });
}

async function start(
  profile: Profile,
  state: State,
  { deps, signal }: { readonly deps: ProfileBrowserDeps; readonly signal: AbortSignal },
): Promise<Launched> {
  const { linux, isRoot, vars, folder } = deps;
  const config = deps.config();
  const lease = (state.lease = await deps.egress.proxy.lease());
  const { server: proxy } = proxyLogin(lease.env['HTTP_PROXY']!);
  const headless = config.headless ?? (linux && !vars['DISPLAY'] && !vars['WAYLAND_DISPLAY']);
  const noSandbox = config.noSandbox ?? (linux && isRoot);
  const { executablePath } = config;
  const options = { ...deps, executablePath, headless, noSandbox, proxy, signal };
  return (state.launched = await launch(profile, folder, options));
}

async function cleanUp(was: State): Promise<void> {
  const { live, launched, lease } = was;
  was.live = was.launched = was.lease = undefined;
  live?.connected.leave();
  await launched?.process.end(0);
  await lease?.[Symbol.asyncDispose]();
}

/** Asks it to end by itself, so that what it holds in memory is written. */
async function quit({ browser }: Connected): Promise<void> {
  const asked = browser.newBrowserCDPSession().then((session) => session.send('Browser.close'));
  await settlesWithin(asked, GRACE_MS);
}

async function attach(
  profile: Profile,
  { deps, signal, closed }: { readonly deps: ProfileBrowserDeps; readonly signal: AbortSignal; closed(): void },
): Promise<Connected> {
  try {
    return await connect({
      cdpUrl: profile.cdpUrl,
      artifactsDir: join(deps.folder, 'artifacts'),
      isOwn: !profile.attachOnly,
      signal,
      closed,
    });
  } catch (error) {
    const failure = asAppError(error, 'network');
    if (!profile.attachOnly || failure.code === 'unsupported') throw failure;
    const { host } = new URL(profile.cdpUrl);
    throw new AppError(
      'unavailable',
      `The profile "${profile.name}" is attached to the browser at ${host}, and that does not answer: ` +
        `${failure.message} Start it there with --remote-debugging-port, or correct browser.profiles.${profile.name}.`,
      { cause: failure },
    );
  }
}
