/** Executes one call of the control service through its routes; all clients of the browser use it. */
import { AppError } from '../../core/errors.ts';
import type { Timer } from '../../platform/clock.ts';
import { abortedBy, raceSignal } from '../../platform/timeout.ts';
import type { HostConfig } from '../../host/host.ts';
import type { BrowserCore } from './browser-core.ts';
import type { Caller } from './caller.ts';
import { personInControl } from './driver/tab-live.ts';
import type { Tab } from './driver/tab.ts';
import { text } from './web-page/act-request.ts';
import { pageBusy } from './web-page/errors.ts';
import { pageRoutes } from './routes/page-routes.ts';
import { profileRoutes } from './routes/profile-routes.ts';
import { findRoute, targetOf, type BrowserCall, type Route } from './routes/route.ts';
import { stateRoutes } from './routes/state-routes.ts';
import { tabRoutes } from './routes/tab-routes.ts';

export const ROUTES: readonly Route[] = [...profileRoutes, ...tabRoutes, ...pageRoutes, ...stateRoutes];

export interface BrowserService {
  /** Rejects with `AppError`: what failed, and what to do. */
  call(
    call: BrowserCall,
    by: { readonly caller: Caller; readonly signal: AbortSignal },
  ): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

export interface BrowserServiceDeps {
  readonly core: BrowserCore;
  readonly store: Pick<HostConfig['store'], 'edit' | 'snapshot'>;
}

export function createBrowserService({ core, store }: BrowserServiceDeps): BrowserService {
  return {
    async call(call, { caller, signal }) {
      if (!core.deps.config().enabled)
        throw new AppError('denied', 'The browser is switched off (browser.enabled). The owner can switch it on.');
      if (signal.aborted) throw abortedBy(signal);
      const { route, params } = findRoute(ROUTES, call);
      const input = { ...call.body, ...call.query };
      const profile = core.profile(text(call.query ?? {}, 'profile') ?? text(call.body ?? {}, 'profile'));
      const used = new Set<Tab>();
      const over = new AbortController();
      const watched = new Set<AbortSignal>();
      const acts = caller.kind === 'session' && route.method !== 'GET' && !route.readsOnly?.(input);
      const untaken: (() => void)[] = [];
      const boundMs = route.boundMs?.(input);
      let timer: Timer | undefined;
      const browserEnded = ({ currentTarget }: Event): void => over.abort((currentTarget as AbortSignal).reason);
      const use = (tab: Tab): Tab => {
        if (acts && tab.live.taken) throw personInControl(false);
        if (acts && !used.has(tab)) untaken.push(tab.live.onTaken(() => over.abort(personInControl(true))));
        used.add(tab);
        if (boundMs !== undefined)
          timer ??= core.deps.clock.setTimeout(() => over.abort(pageBusy(boundMs)), boundMs).unref();
        const gone = core.browserOf(profile).now?.gone;
        gone?.addEventListener('abort', browserEnded);
        if (gone) watched.add(gone);
        return tab;
      };
      const tab = async (): Promise<Tab> => use(await core.tab(profile, { caller, targetId: targetOf(input), signal }));
      const either = AbortSignal.any([signal, over.signal]);
      const context = {
        core,
        store,
        caller,
        signal: either,
        params,
        input,
        files: call.files ?? [],
        profile,
        tab,
        use,
      };
      const answer = await raceSignal(route.run(context), over.signal).finally(() => {
        for (const gone of watched) gone.removeEventListener('abort', browserEnded);
        for (const end of untaken) end();
        timer?.cancel();
      });
      const notices = [...used].flatMap((one) => one.takeNotices());
      return notices.length === 0 ? answer : { ...answer, notices };
    },
    close: () => core.stopAll(),
  };
}
