/** Finds the account for the names a person gives; the error for unknown names lists the known ones. */
import type { ChannelPlugin } from '../../core/channel.ts';
import { head } from '../../core/cut.ts';
import { AppError } from '../../core/errors.ts';
import { DEFAULT_ACCOUNT_ID } from '../../core/product.ts';
import { normaliseAccountId } from '../../core/session-key.ts';
import { nearest } from '../../config/suggest.ts';
import type { AccountName } from '../../host/channel-services.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';
import type { AccountPlan } from '../../plugins/channel-accounts.ts';

/** `plugins`: those that deliver outside. */
export function accountNamed(
  { channel, accountId }: AccountName,
  { plugins, plansOf }: { plugins: readonly ChannelPlugin[]; plansOf(plugin: ChannelPlugin): readonly AccountPlan[] },
): AccountPlan {
  const plugin = channelNamed(channel, plugins);
  const plans = plansOf(plugin);
  const meant = accountId === undefined ? defaultAccount(plans) : normaliseAccountId(accountId);
  const wanted = plans.find((plan) => plan.accountId === meant);
  if (wanted) return wanted;
  throw new AppError(
    'not_found',
    plans.length === 0
      ? `${plugin.label} is not configured. Add it with \`${OWN_COMMAND} channels add --channel ${plugin.id}\`.`
      : `${plugin.label} has no account "${accountId}". Accounts: ${plans.map((plan) => plan.accountId).join(', ')}.`,
  );
}

/** The only configured channel that offers a login, else the only one there is. */
export function loginChannel(
  plugins: readonly ChannelPlugin[],
  plansOf: (plugin: ChannelPlugin) => readonly AccountPlan[],
): string {
  const offering = plugins.filter(({ login }) => login);
  const configured = offering.filter((plugin) => plansOf(plugin).length > 0);
  const [only, ...more] = configured.length > 0 ? configured : offering;
  if (only && more.length === 0) return only.id;
  throw new AppError(
    'invalid',
    only
      ? `Choose a channel to log in to: ${[only, ...more].map(({ id }) => id).join(', ')}.`
      : 'No channel has a login; their secrets log the accounts in.',
  );
}

function channelNamed(name: string, plugins: readonly ChannelPlugin[]): ChannelPlugin {
  const wanted = name.trim().toLowerCase();
  const plugin = plugins.find((one) => one.id === wanted || one.aliases?.includes(wanted));
  if (plugin) return plugin;
  const near = nearest(
    wanted,
    plugins.flatMap(({ id, aliases = [] }) => [id, ...aliases]),
  );
  throw new AppError(
    'invalid',
    `Unknown channel "${head(name, 64)}".${near === undefined ? '' : ` Did you mean ${near}?`} Channels: ` +
      `${plugins.map(({ id }) => id).join(', ') || 'none'}.`,
  );
}

/** Which account is meant where none is named. */
function defaultAccount(plans: readonly AccountPlan[]): string {
  const ids = plans.filter(({ enabled }) => enabled).map(({ accountId }) => accountId);
  return ids.includes(DEFAULT_ACCOUNT_ID) ? DEFAULT_ACCOUNT_ID : (ids[0] ?? DEFAULT_ACCOUNT_ID);
}
