/** Checks channel secrets before they are saved: their format, then with the platform. */
import { isDeepStrictEqual } from 'node:util';
import type { ChangeCheck } from '../config/store.ts';
import type { ChannelPlugin } from '../core/channel.ts';
import { AppError, asAppError } from '../core/errors.ts';
import { silentLog } from '../core/log.ts';
import { present } from '../core/present.ts';
import type { Env } from '../platform/env.ts';
import { accountsOf, type AccountPlan, type Channels, type ChannelSources } from './channel-accounts.ts';
import { resolveCredentials } from './channel-credentials.ts';
import { closedFolders } from './closed-folders.ts';
import type { PluginsConfig } from './config.ts';
import { createPluginLoader } from './load.ts';

export interface CredentialCheckOptions {
  /** A platform that gives no answer: `refuse` when a person is there to say that it is to be written all the same. */
  readonly unanswered: 'refuse' | 'accept';
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;
/** The platform checked the secret and rejected it; no other error says anything about it. */
const REFUSALS: ReadonlySet<string> = new Set(['auth', 'denied', 'invalid']);

type Written = Parameters<typeof closedFolders>[0] & { readonly channels: Channels; readonly plugins: PluginsConfig };

/**
 * Only secrets that are new are looked at. Rejects with `invalid` or `unavailable`; `details.forcible`: a person may
 * insist.
 */
export const credentialCheck =
  (env: Env, options: CredentialCheckOptions): ChangeCheck<Written> =>
  async ({ before, after }) => {
    if (isDeepStrictEqual(before?.channels, after.channels)) return;
    const loader = createPluginLoader({
      config: after.plugins,
      log: silentLog,
      home: env.home,
      packagesFrom: env.stateDir,
      closed: closedFolders(after, env),
    });
    for (const plugin of await loader.describeChannels()) {
      if (isDeepStrictEqual(before?.channels[plugin.id], after.channels[plugin.id])) continue;
      await checkChannel(plugin, { before: before?.channels ?? {}, after: after.channels, env, options });
    }
  };

interface Change {
  readonly before: Channels;
  readonly after: Channels;
  readonly env: Env;
  readonly options: CredentialCheckOptions;
}

async function checkChannel(plugin: ChannelPlugin, { before, after, env, options }: Change): Promise<void> {
  const sources = (channels: Channels): ChannelSources => ({ channels, variable: (name) => env.get(name) });
  const known = accountsOf(plugin, sources(before));
  for (const plan of accountsOf(plugin, sources(after))) {
    const old = known.find(({ accountId }) => accountId === plan.accountId);
    const was = old ? (await resolveCredentials({ ...old.place, home: env.home })).credentials : {};
    const { credentials } = await resolveCredentials({ ...plan.place, home: env.home });
    const fresh = Object.keys(credentials).filter((key) => credentials[key] !== was[key]);
    if (fresh.length === 0) continue;
    checkForms(plan, credentials, fresh);
    if (plan.enabled && plan.configured) await askPlatform(plan, credentials, options);
  }
}

function checkForms(
  { plugin, settingsPath }: AccountPlan,
  credentials: Readonly<Record<string, string>>,
  fresh: readonly string[],
): void {
  for (const { key, label, form } of plugin.credentials ?? []) {
    if (!form || !fresh.includes(key) || form.pattern.test(credentials[key]!)) continue;
    throw refused(
      'invalid',
      `The value for ${settingsPath}.${key} does not look like a ${plugin.label} ${label}. Expected: ${form.words}.`,
    );
  }
}

async function askPlatform(
  { plugin, raw, accountId, place }: AccountPlan,
  credentials: Readonly<Record<string, string>>,
  { unanswered, timeoutMs = TIMEOUT_MS }: CredentialCheckOptions,
): Promise<void> {
  const settings = plugin.config.safeParse(raw);
  if (!plugin.verify || !settings.success) return;
  try {
    await plugin.verify({
      accountId,
      config: settings.data,
      credentials,
      log: silentLog,
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    const { code, message } = asAppError(error);
    const which = accountId === 'default' ? '' : ` of account ${accountId}`;
    if (REFUSALS.has(code))
      throw refused(
        'invalid',
        `${plugin.label} rejected the new ${secretsOf(place.plugin)}${which}: ${message}`,
        error,
      );
    if (unanswered === 'refuse')
      throw refused(
        'unavailable',
        `${plugin.label} could not verify the new ${secretsOf(place.plugin)}${which}: ${message}`,
        error,
      );
  }
}

const secretsOf = ({ credentials = [] }: Pick<ChannelPlugin, 'credentials'>): string =>
  credentials.length === 1 ? 'secret' : 'secrets';

const refused = (code: 'invalid' | 'unavailable', sentence: string, cause?: unknown): AppError =>
  new AppError(code, `${sentence} Nothing was changed.`, { ...present({ cause }), details: { forcible: true } });
