/**
 * Removes the credentials of an account: login files, or secrets in the configuration. Credentials stored elsewhere are
 * named, not changed.
 */
import type { ConfigStore } from '../../config/store.ts';
import { channelSettingsSchema } from '../../config/channel-config.ts';
import type { ChannelAccount } from '../../core/channel.ts';
import { present } from '../../core/present.ts';
import { DEFAULT_ACCOUNT_ID } from '../../core/product.ts';
import type { AccountPlan } from '../../plugins/channel-accounts.ts';
import { sourceOf } from '../../plugins/channel-credentials.ts';

export interface LogoutDeps {
  readonly edit: ConfigStore<unknown>['edit'];
  accountOf(plan: AccountPlan): Pick<ChannelAccount<unknown>, 'accountId' | 'config' | 'stateDir' | 'log'>;
}

/** `kept`: where secrets still are, for the person to remove. */
export interface LoggedOut {
  readonly cleared: boolean;
  readonly loggedOut: boolean;
  readonly envToken?: boolean;
  readonly kept: readonly string[];
}

export async function logOut(plan: AccountPlan, deps: LogoutDeps): Promise<LoggedOut> {
  const { plugin, place, settingsPath, accountId } = plan;
  await plugin.logout?.(deps.accountOf(plan));
  const sources = (plugin.credentials ?? []).map((credential) => ({ credential, source: sourceOf(credential, place) }));
  const written = sources.filter(({ source }) => source === 'config').map(({ credential }) => credential.key);
  if (written.length > 0) await deps.edit(written.map((key) => ({ path: `${settingsPath}.${key}`, value: undefined })));
  const envNames =
    accountId === DEFAULT_ACCOUNT_ID
      ? (plugin.credentials ?? []).flatMap(({ env }) => (env !== undefined && place.variable(env)?.trim() ? [env] : []))
      : [];
  const files = (plugin.credentials ?? []).flatMap(({ fileKey }) =>
    fileKey !== undefined && place.settings[fileKey] !== undefined ? [`${settingsPath}.${fileKey}`] : [],
  );
  return {
    cleared: plugin.logout !== undefined || written.length > 0,
    loggedOut: envNames.length === 0 && files.length === 0,
    ...present({ envToken: envNames.length > 0 ? true : undefined }),
    kept: [...envNames, ...files],
  };
}

/** Settings that no schema has to accept. */
export const lenient = (plan: AccountPlan): unknown => {
  const read = plan.plugin.config.safeParse(plan.raw);
  return read.success ? read.data : channelSettingsSchema.parse({});
};
