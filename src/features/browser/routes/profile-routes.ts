/** Routes on profiles and their browsers: status, start, stop, create, delete, reset. */
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { OWN_COMMAND } from '../../../platform/own-command.ts';
import { findBrowser } from '../../../platform/find-browser.ts';
import { readVersion } from '../chromium/endpoint.ts';
import { userDataOf } from '../chromium/user-data.ts';
import { personInControl } from '../driver/tab-live.ts';
import { flag, text } from '../web-page/act-request.ts';
import { createProfile, deleteProfile, resetProfile } from '../profiles/profile-changes.ts';
import type { Profile } from '../profiles/resolve-profiles.ts';
import type { Route, RouteContext } from './route.ts';

const ASK_MS = 500;

export const profileRoutes: readonly Route[] = [
  { method: 'GET', path: '/', run: status },
  {
    method: 'POST',
    path: '/start',
    async run(context) {
      const { core, profile, signal } = context;
      await core.browserOf(profile).live(signal);
      return { ok: true, ...(await status(context)) };
    },
  },
  {
    method: 'POST',
    path: '/stop',
    async run(context) {
      await assertNotInUse(context, context.profile);
      const stopped = await context.core.browserOf(context.profile).stop();
      return { ok: true, stopped, ...(await status(context)) };
    },
  },
  {
    method: 'POST',
    path: '/reset-profile',
    async run({ core, profile, input: params, caller }) {
      await assertNotInUse({ core, caller }, profile);
      const reset = await resetProfile(profile, core, { trash: flag(params, 'trash') ?? false });
      return { ok: true, profile: profile.name, ...reset };
    },
  },
  {
    method: 'GET',
    path: '/profiles',
    run: async ({ core, caller }) => ({
      profiles: await Promise.all(
        core.profiles().map(async (profile) => {
          const { running, tabs } = await core.tabs(profile, caller);
          const { name, color, isDefault, isRemote } = profile;
          return {
            name,
            ...devToolsOf(profile, core),
            color,
            running,
            tabCount: tabs.length,
            isDefault,
            isRemote,
          };
        }),
      ),
    }),
  },
  {
    method: 'POST',
    path: '/profiles/create',
    async run({ core, store, input: params, caller, signal }) {
      const settings = {
        name: text(params, 'name'),
        color: text(params, 'color'),
        cdpUrl: text(params, 'cdpUrl'),
        driver: text(params, 'driver'),
      };
      if (caller.kind === 'session') await assertReachable(settings.cdpUrl, { core, signal });
      const profile = await createProfile(settings, { core, store });
      const { name, color, isRemote } = profile;
      return { ok: true, profile: name, ...devToolsOf(profile, core), color, isRemote };
    },
  },
  {
    method: 'DELETE',
    path: '/profiles/:name',
    async run({ core, store, params, caller }) {
      const name = params['name']!;
      const known = core.profiles().find((one) => one.name === name);
      if (known) await assertNotInUse({ core, caller }, known);
      return { ok: true, profile: name, ...(await deleteProfile(name, { core, store })) };
    },
  },
];

/** An agent must not attach to an address that it may not open: a browser's debugging port has no access control. */
async function assertReachable(
  cdpUrl: string | undefined,
  { core, signal }: Pick<RouteContext, 'core' | 'signal'>,
): Promise<void> {
  const url = cdpUrl === undefined ? null : URL.parse(cdpUrl.replace(/^ws/i, 'http'));
  if (!url || !/^https?:$/.test(url.protocol)) return; // it makes no profile at all
  const checked = await core.deps.egress.guard.check(url, signal);
  if (checked.ok) return;
  throw new AppError(
    'denied',
    `An agent makes no profile that attaches to ${url.host}: ${checked.why}. The owner can make it: ` +
      `\`${OWN_COMMAND} browser create-profile <name> --cdp-url <url>\`, or allow the address in browser.ssrfPolicy.`,
  );
}

/** An agent must not end a browser that a person controls. */
async function assertNotInUse(
  { core, caller }: Pick<RouteContext, 'core' | 'caller'>,
  profile: Profile,
): Promise<void> {
  if (caller.kind !== 'session') return;
  const tabs = (await core.browserOf(profile).now?.tabs.all()) ?? [];
  if (tabs.some(({ live }) => live.taken)) throw personInControl(false);
}

/** The state, without starting anything. */
async function status({ core, profile }: Pick<RouteContext, 'core' | 'profile'>) {
  const { now } = core.browserOf(profile);
  const config = core.deps.config();
  const [cdpHttp, detected] = await Promise.all([now ? true : answers(profile), detect(core)]);
  return present({
    enabled: config.enabled,
    profile: profile.name,
    running: now !== undefined,
    cdpReady: now !== undefined,
    cdpHttp,
    pid: now?.launched?.process.pid ?? null,
    ...devToolsOf(profile, core),
    controlUrl: core.deps.controlUrl() ?? null,
    chosenBrowser: now?.launched?.found.kind ?? null,
    version: now?.connected.version,
    detectedBrowser: detected.browser?.kind ?? null,
    detectedExecutablePath: detected.browser?.path ?? null,
    detectError: detected.error ?? null,
    userDataDir: profile.attachOnly ? null : userDataOf(core.folderOf(profile)),
    color: profile.color,
    headless: config.headless ?? null,
    noSandbox: config.noSandbox ?? null,
    executablePath: config.executablePath ?? null,
    attachOnly: profile.attachOnly,
  });
}

async function detect({ deps }: RouteContext['core']) {
  try {
    const { executablePath } = deps.config();
    return { browser: await findBrowser({ executablePath, path: deps.vars['PATH'] }) };
  } catch (error) {
    if (error instanceof AppError) return { error: error.message };
    throw error;
  }
}

async function answers({ cdpUrl, cdpPort }: Profile): Promise<boolean> {
  if (cdpPort === 0 || cdpUrl.startsWith('ws')) return false;
  try {
    await readVersion(cdpUrl, { timeoutMs: ASK_MS });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/**
 * Its DevTools address without user, password and query, which may contain a token. Null for a port that the system
 * chooses, until the browser runs.
 */
function devToolsOf(
  profile: Profile,
  core: RouteContext['core'],
): { readonly cdpPort: number | null; readonly cdpUrl: string | null } {
  const launched = core.browserOf(profile).now?.launched;
  if (launched) return { cdpPort: launched.port, cdpUrl: `http://${new URL(launched.webSocketUrl).host}` };
  if (profile.portBySystem) return { cdpPort: null, cdpUrl: null };
  const url = new URL(profile.cdpUrl);
  return {
    cdpPort: profile.cdpPort,
    cdpUrl: `${url.protocol}//${url.host}${url.pathname}`.replace(/\/$/, ''),
  };
}
